//! Blocks as people would mark them, by models that learnt it from pages that people marked.
//!
//! Every element that holds text is a candidate, those around the same text together (`group.rs`). What is known of each goes
//! into a row of numbers (`facts.rs`) from which a forest tells its chance. For flat blocks a second forest sees the chances of
//! its relatives too (`relatives.rs`). The chances make blocks (`decode.rs`). `training/segment.py` trains the forests.

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
            BlockStyle::Nested => {
                NESTED.get_or_init(|| Model::read(include_bytes!("../../models/nested.forest"), None))
            }
            BlockStyle::Flat => FLAT.get_or_init(|| {
                let second = include_bytes!("../../models/flat-second.forest");
                Model::read(include_bytes!("../../models/flat.forest"), Some(second))
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

/// Characters below which text without an element that makes a block is none: 1 to 2 % of the marked blocks, a third of all
/// candidates.
const INLINE_CHARACTERS_MIN: u32 = 20;

/// What may be a block of a page, with what the models are told about it.
pub struct Candidates<'a> {
    page: &'a Page,
    groups: Vec<Group>,
    children: Children,
    near: Near,
    /// The groups that may be blocks.
    asked: Vec<usize>,
}

impl<'a> Candidates<'a> {
    /// Reads the candidates of a page.
    pub fn read(page: &'a Page) -> Candidates<'a> {
        let groups = group::groups(page);
        let (children, near) = (Children::read(&groups), Near::read(&groups));
        let may_be_block = |group: &Group| group.chain_blocks > 0 || group.length() >= INLINE_CHARACTERS_MIN;
        let asked = (0..groups.len()).filter(|&index| may_be_block(&groups[index])).collect();
        Candidates { page, groups, children, near, asked }
    }

    /// The names of the first model's columns, and of those that the second has besides.
    pub fn columns() -> (Vec<String>, Vec<&'static str>) {
        (facts::columns(), relatives::RELATIVES.to_vec())
    }

    /// What the first model is told: a row for each candidate, one after another.
    pub fn facts(&self) -> Vec<f32> {
        facts::rows(self.page.dom(), &self.groups, &self.children, &self.asked)
    }

    /// What the second model is told besides, where the first one gave these chances.
    pub fn relatives(&self, chances: &[f64]) -> Vec<f32> {
        relatives::relatives(&self.groups, &self.children, &self.near, &self.asked, &self.of_groups(chances))
    }

    /// The characters of each candidate, counted over the page's text without white space.
    pub fn ranges(&self) -> impl ExactSizeIterator<Item = Range<u32>> {
        self.asked.iter().map(|&group| self.groups[group].text.clone())
    }

    /// The blocks that such chances make, each with its characters.
    pub fn blocks(&self, chances: &[f64], style: BlockStyle) -> Vec<(Span, Range<u32>)> {
        let chances = self.of_groups(chances);
        let runs = decode::decode(&self.groups, &self.children, &self.near, &chances, style);
        runs.into_iter().map(|run| self.block(run)).collect()
    }

    /// The chances of all groups: those that are not asked about have none.
    fn of_groups(&self, chances: &[f64]) -> Vec<f64> {
        let mut of_groups = vec![0.0; self.groups.len()];
        for (&group, &chance) in self.asked.iter().zip(chances) {
            of_groups[group] = chance;
        }
        of_groups
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

/// A forest, and one that sees what the first one says where that helps.
struct Model {
    first: Forest,
    second: Option<Forest>,
}

impl Model {
    fn read(first: &[u8], second: Option<&[u8]>) -> Model {
        let (first, second) = (Forest::read(first), second.map(Forest::read));
        assert_eq!(first.columns(), facts::COLUMNS, "trained on other columns");
        let wider = facts::COLUMNS + relatives::RELATIVES.len();
        assert!(second.as_ref().is_none_or(|second| second.columns() == wider), "trained on other columns");
        Model { first, second }
    }

    /// The chance of each candidate to be a block: the mean of what the forests say.
    fn chances(&self, candidates: &Candidates<'_>) -> Vec<f64> {
        let facts = candidates.facts();
        let first = chances(&self.first, &facts);
        let Some(second) = &self.second else { return first };
        let relatives = candidates.relatives(&first);
        let rows = facts.chunks_exact(facts::COLUMNS).zip(relatives.chunks_exact(relatives::RELATIVES.len()));
        let mut wider = Vec::with_capacity(facts.len() + relatives.len());
        for (facts, relatives) in rows {
            wider.extend_from_slice(facts);
            wider.extend_from_slice(relatives);
        }
        first.iter().zip(chances(second, &wider)).map(|(first, second)| (first + second) / 2.0).collect()
    }
}

fn chances(forest: &Forest, rows: &[f32]) -> Vec<f64> {
    let mut sums = Vec::new();
    forest.score(rows, &mut sums);
    sums.into_iter().map(|sum| 1.0 / (1.0 + f64::from(-sum).exp())).collect()
}
