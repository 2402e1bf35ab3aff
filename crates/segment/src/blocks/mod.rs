//! Blocks as people would mark them, by models that learnt it from pages that people marked.
//!
//! Every element that holds text is a candidate, those around the same text together (`group.rs`). What is known of each goes
//! into a row of numbers (`facts.rs`) from which a forest tells its chance. A second forest sees the chances of its relatives
//! too (`relatives.rs`), and the mean of both makes blocks (`decode.rs`). `training/segment.py` trains the forests.

mod children;
mod decode;
mod facts;
mod group;
mod relatives;

use std::ops::{Range, RangeInclusive};
use std::sync::OnceLock;

use kuai_page::{BlockTree, Page, Span};

use crate::model::Forest;
use children::Children;
use decode::Near;
use group::Group;

/// How people mark blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockStyle {
    /// Regions with parts inside them, as of a home page.
    Nested,
    /// Parts one after another with next to nothing left out, as of an article's page.
    Flat,
}

impl BlockStyle {
    /// How many blocks are marked for each that the models expect.
    // Decision: from trials on the pages that the models learnt from; .6 to .8 and .8 to 1.2 do as well.
    fn count_bias(self) -> f64 {
        match self {
            BlockStyle::Nested => 0.7,
            BlockStyle::Flat => 1.0,
        }
    }

    fn model(self) -> &'static Model {
        static NESTED: OnceLock<Model> = OnceLock::new();
        static FLAT: OnceLock<Model> = OnceLock::new();
        match self {
            BlockStyle::Nested => NESTED.get_or_init(|| {
                Model::read(
                    include_bytes!("../../models/nested.forest"),
                    include_bytes!("../../models/nested-second.forest"),
                )
            }),
            BlockStyle::Flat => FLAT.get_or_init(|| {
                Model::read(
                    include_bytes!("../../models/flat.forest"),
                    include_bytes!("../../models/flat-second.forest"),
                )
            }),
        }
    }
}

/// The blocks of a page. Any page has at least one unless its source is empty.
pub(crate) fn blocks(page: &Page, style: BlockStyle) -> BlockTree {
    let candidates = Candidates::read(page);
    let chances = style.model().chances(&candidates);
    let tree = BlockTree::from_spans(candidates.blocks(&chances, style).into_iter().map(|(span, _)| span));
    if tree.blocks().is_empty() { BlockTree::from_spans([page.span()]) } else { tree }
}

/// What may be a block of a page, with what the models are told about it.
pub struct Candidates<'a> {
    page: &'a Page,
    groups: Vec<Group>,
    children: Children,
    near: Near,
}

impl<'a> Candidates<'a> {
    /// Reads the candidates of a page.
    pub fn read(page: &'a Page) -> Candidates<'a> {
        let groups = group::groups(page);
        let (children, near) = (Children::read(&groups), Near::read(&groups));
        Candidates { page, groups, children, near }
    }

    /// The names of the first model's columns, and of those that the second has besides.
    pub fn columns() -> (Vec<String>, Vec<&'static str>) {
        (facts::columns(), relatives::RELATIVES.to_vec())
    }

    /// What the first model is told: a row for each candidate, one after another.
    pub fn facts(&self) -> Vec<f32> {
        facts::rows(self.page.dom(), &self.groups, &self.children)
    }

    /// What the second model is told besides, where the first one gave these chances.
    pub fn relatives(&self, chances: &[f64]) -> Vec<f32> {
        relatives::relatives(&self.groups, &self.children, &self.near, chances)
    }

    /// The characters of each candidate, counted over the page's text without white space.
    pub fn ranges(&self) -> impl ExactSizeIterator<Item = Range<u32>> {
        self.groups.iter().map(|group| group.text.clone())
    }

    /// The blocks that such chances make, each with its characters.
    pub fn blocks(&self, chances: &[f64], style: BlockStyle) -> Vec<(Span, Range<u32>)> {
        let runs = decode::decode(&self.groups, &self.children, &self.near, chances, style);
        runs.into_iter().map(|run| self.block(run)).collect()
    }

    fn block(&self, run: RangeInclusive<usize>) -> (Span, Range<u32>) {
        let dom = self.page.dom();
        let (first, last) = (&self.groups[*run.start()], &self.groups[*run.end()]);
        let start = dom.span(first.outer).start;
        // What the standard moved may stand before its elder sibling in the source.
        let end = dom.span(last.outer).end.max(start);
        (Span::new(start, end), first.text.start..last.text.end)
    }
}

/// Two forests, the second of which sees what the first one says.
struct Model {
    first: Forest,
    second: Forest,
}

impl Model {
    fn read(first: &[u8], second: &[u8]) -> Model {
        let (first, second) = (Forest::read(first), Forest::read(second));
        assert_eq!(first.columns(), facts::COLUMNS, "trained on other columns");
        assert_eq!(second.columns(), facts::COLUMNS + relatives::RELATIVES.len(), "trained on other columns");
        Model { first, second }
    }

    /// The chance of each candidate to be a block.
    fn chances(&self, candidates: &Candidates<'_>) -> Vec<f64> {
        let facts = candidates.facts();
        let first = chances(&self.first, &facts);
        let relatives = candidates.relatives(&first);
        let rows = facts.chunks_exact(facts::COLUMNS).zip(relatives.chunks_exact(relatives::RELATIVES.len()));
        let rows: Vec<f32> = rows.flat_map(|(facts, relatives)| [facts, relatives].concat()).collect();
        let second = chances(&self.second, &rows);
        first.iter().zip(second).map(|(first, second)| (first + second) / 2.0).collect()
    }
}

fn chances(forest: &Forest, rows: &[f32]) -> Vec<f64> {
    let mut sums = Vec::new();
    forest.score(rows, &mut sums);
    sums.into_iter().map(|sum| 1.0 / (1.0 + f64::from(-sum).exp())).collect()
}
