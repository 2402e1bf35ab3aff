//! What of a page is wanted, and which of its text runs that keeps.

use std::ops::Range;

use kuai_page::{BlockTree, Label, Page, Run, Span};

use crate::Method;
use crate::places::Places;

/// What of a page is wanted: blocks of which labels, and what of the things in them.
///
/// Links and images are marks on the text: asking for them or not never changes its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Blocks of these labels.
    pub labels: Vec<Label>,
    /// Text that a browser would not show.
    pub hidden: bool,
    /// Where links lead; their words are kept in any case.
    pub links: bool,
    /// Images.
    pub images: bool,
    /// Tables of data, with their words.
    pub tables: bool,
}

impl Default for Wanted {
    /// The content of a page, with all that is in it.
    fn default() -> Wanted {
        Wanted { labels: CONTENT.to_vec(), hidden: false, links: true, images: true, tables: true }
    }
}

impl Wanted {
    /// The content of a page, as this method means it.
    pub fn of(method: &Method) -> Wanted {
        let is_told = |label: &Label| *label != Label::Title || method.keeps_titles;
        Wanted {
            labels: CONTENT.into_iter().filter(is_told).collect(),
            hidden: method.keeps_hidden_text,
            ..Wanted::default()
        }
    }
}

/// What is content unless somebody asks for more.
const CONTENT: [Label; 3] = [Label::Main, Label::Title, Label::Small];

pub(super) fn is_content(label: Label) -> bool {
    CONTENT.contains(&label)
}

/// Which runs of a page are wanted.
pub(super) struct Kept {
    labels: Labels,
    /// By block of the tree.
    wanted: Vec<bool>,
    /// How many runs before each are kept, and of all.
    counts: Vec<u32>,
    /// From the first wanted block to the last.
    pub(super) span: Span,
}

impl Kept {
    pub(super) fn of(page: &Page, tree: &BlockTree, wanted: &Wanted) -> Kept {
        let labels = Labels::of(tree);
        let is_wanted = |label: &Option<Label>| label.is_some_and(|label| wanted.labels.contains(&label));
        let by_block: Vec<bool> = labels.labels.iter().map(is_wanted).collect();
        let blocks = tree.blocks().iter().zip(&by_block).filter_map(|(block, wanted)| wanted.then_some(block.span));
        let span = blocks.reduce(Span::union).unwrap_or_default();
        let mut kept = Kept { labels, wanted: by_block, counts: Vec::new(), span };
        let is_told = |run: &Run| !run.hidden || wanted.hidden;
        kept.counts = counts(page.flow().runs().iter().map(|run| is_told(run) && kept.at(run.span)));
        kept
    }

    /// Whether what begins here is wanted.
    pub(super) fn at(&self, span: Span) -> bool {
        self.labels.places.at(span.start).is_some_and(|block| self.wanted[block])
    }

    /// Whether what begins here is in no block.
    pub(super) fn is_outside_blocks(&self, span: Span) -> bool {
        self.labels.places.at(span.start).is_none()
    }

    /// Whether any of these runs, given by their places in the flow, is wanted.
    pub(super) fn any(&self, runs: Range<usize>) -> bool {
        self.counts[runs.end] > self.counts[runs.start]
    }
}

/// How many are kept before each place, and of all.
fn counts(are_kept: impl ExactSizeIterator<Item = bool>) -> Vec<u32> {
    let mut counts = Vec::with_capacity(are_kept.len() + 1);
    let mut count = 0;
    counts.push(count);
    counts.extend(are_kept.map(|is_kept| {
        count += u32::from(is_kept);
        count
    }));
    counts
}

/// The label of the innermost labelled block at any place of the source.
pub(super) struct Labels {
    places: Places,
    /// Beside the tree's blocks: a block's own label, or that of the block around it.
    labels: Vec<Option<Label>>,
}

impl Labels {
    pub(super) fn of(tree: &BlockTree) -> Labels {
        let mut labels = Vec::with_capacity(tree.blocks().len());
        let mut around: Vec<Option<Label>> = Vec::new();
        for block in tree.blocks() {
            around.truncate(block.depth as usize);
            let label = block.label.or(around.last().copied().flatten());
            around.push(label);
            labels.push(label);
        }
        Labels { places: Places::of(tree), labels }
    }

    pub(super) fn at(&self, place: u32) -> Option<Label> {
        self.places.at(place).and_then(|block| self.labels[block])
    }
}
