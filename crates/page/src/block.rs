//! Blocks: nested, disjoint spans of a page's source, each with an optional label and topic.

use std::fmt;

use kuai_html::Span;

/// What a block is for: one vocabulary for all methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Label {
    /// The text the page is there for (SPCOLA's topic block).
    Main,
    /// The heading that opens a unit of text.
    Title,
    /// A little text near the main text.
    Small,
    /// Author, date, source and the like.
    Meta,
    /// What readers wrote below the main text.
    Comment,
    /// Links on the topic of the page.
    Related,
    /// Links for moving about the site.
    Navigation,
    /// Advertising.
    Advert,
    /// Copyright, licence and imprint lines.
    Copyright,
    /// Anything else that is not content.
    Noise,
}

impl Label {
    /// All labels, in the order in which they are shown.
    pub const ALL: [Label; 10] = [
        Label::Main,
        Label::Title,
        Label::Small,
        Label::Meta,
        Label::Comment,
        Label::Related,
        Label::Navigation,
        Label::Advert,
        Label::Copyright,
        Label::Noise,
    ];

    /// The name used in JSON, flags and the UI.
    pub fn name(self) -> &'static str {
        match self {
            Label::Main => "main",
            Label::Title => "title",
            Label::Small => "small",
            Label::Meta => "meta",
            Label::Comment => "comment",
            Label::Related => "related",
            Label::Navigation => "navigation",
            Label::Advert => "advert",
            Label::Copyright => "copyright",
            Label::Noise => "noise",
        }
    }
}

impl fmt::Display for Label {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

/// A block of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its bytes in the source.
    pub span: Span,
    /// How many blocks lie around it: 0 for an outermost one.
    pub depth: u32,
    /// What it is for, where a method said so.
    pub label: Option<Label>,
    /// What it is about, where a method said so.
    pub topic: Option<String>,
}

/// The blocks of a page: siblings are disjoint and in order, children lie inside their parent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockTree {
    /// Parents stand before their children, and siblings in source order.
    blocks: Vec<Block>,
}

impl BlockTree {
    /// Makes a tree of any spans: empty ones, repeated ones and those that cross an earlier or larger one are left out.
    ///
    /// ```
    /// use kuai_page::{BlockTree, Span};
    ///
    /// let tree = BlockTree::from_spans([Span::new(4, 6), Span::new(0, 9), Span::new(5, 12)]);
    /// let spans: Vec<_> = tree.blocks().iter().map(|block| (block.span.range(), block.depth)).collect();
    /// assert_eq!(spans, [(0..9, 0), (4..6, 1)]);
    /// ```
    pub fn from_spans(spans: impl IntoIterator<Item = Span>) -> BlockTree {
        BlockTree::from_labelled(spans.into_iter().map(|span| (span, None)))
    }

    /// Like [`BlockTree::from_spans`], with a label for each; of equal spans the first given stays.
    pub fn from_labelled(spans: impl IntoIterator<Item = (Span, Option<Label>)>) -> BlockTree {
        let mut spans: Vec<_> = spans.into_iter().filter(|(span, _)| !span.is_empty()).collect();
        spans.sort_by_key(|(span, _)| (span.start, std::cmp::Reverse(span.end)));
        spans.dedup_by_key(|(span, _)| *span);
        let mut blocks = Vec::with_capacity(spans.len());
        let mut open: Vec<Span> = Vec::new();
        for (span, label) in spans {
            while open.last().is_some_and(|parent| parent.end <= span.start) {
                open.pop();
            }
            if open.last().is_none_or(|parent| parent.contains(span)) {
                blocks.push(Block { span, depth: open.len() as u32, label, topic: None });
                open.push(span);
            }
        }
        BlockTree { blocks }
    }

    /// All blocks: parents before their children, siblings in source order.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The blocks, to label them; spans and depths are to stay as they are.
    pub fn blocks_mut(&mut self) -> impl Iterator<Item = (Span, &mut Option<Label>, &mut Option<String>)> {
        self.blocks.iter_mut().map(|block| (block.span, &mut block.label, &mut block.topic))
    }

    /// Whether a block has no block inside it.
    pub fn is_leaf(&self, index: usize) -> bool {
        self.blocks.get(index + 1).is_none_or(|next| next.depth <= self.blocks[index].depth)
    }

    /// The innermost blocks, in source order.
    pub fn leaves(&self) -> impl Iterator<Item = &Block> {
        self.blocks.iter().enumerate().filter(|&(index, _)| self.is_leaf(index)).map(|(_, block)| block)
    }

    /// The tree down to this many levels.
    pub fn to_level(&self, level: u32) -> BlockTree {
        BlockTree { blocks: self.blocks.iter().filter(|block| block.depth < level).cloned().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_with_the_next_one_inside_it_is_no_leaf() {
        let tree = BlockTree::from_spans([Span::new(0, 10), Span::new(2, 4), Span::new(4, 8), Span::new(12, 13)]);
        let leaves: Vec<_> = tree.leaves().map(|block| block.span.start).collect();
        assert_eq!(leaves, [2, 4, 12]);
    }

    #[test]
    fn a_level_cuts_off_what_lies_deeper() {
        let tree = BlockTree::from_spans([Span::new(0, 10), Span::new(2, 8), Span::new(3, 4)]);
        assert_eq!(tree.to_level(2).blocks().len(), 2);
        assert_eq!(tree.to_level(0).blocks().len(), 0);
    }
}
