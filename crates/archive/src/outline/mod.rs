//! What is known about the blocks of a version, and how it is written down beside the body.
//!
//! An outline is a text of lines, so that the store keeps only the lines that changed: a head (method, level, charset, labels
//! and metadata), an empty line, and a line a block. Places are written as steps from the place before, so that a block that
//! grows changes its own line and no other.

mod numbers;
mod read;
mod write;

use kuai_page::{Label, Span};

use crate::level::Choice;

/// What is known about a version beside its bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// The method that cut the page; empty for what is no page.
    pub method: String,
    /// How many levels of its blocks were kept.
    pub level: u32,
    /// The charset that the places of blocks were counted in.
    pub charset: String,
    /// The address that links are resolved against, where the page names one.
    pub base: Option<String>,
    /// Which regions the next version keeps whole, and why.
    pub choices: Vec<Choice>,
    /// Whether the next version is to be cut anew, because the choices changed.
    pub is_due: bool,
    /// What an administrator's rules call this version.
    pub labels: Vec<String>,
    /// What an administrator's rules say about this version.
    pub metadata: Vec<(String, String)>,
    /// The blocks: parents before their children, siblings in source order.
    pub blocks: Vec<OutlineBlock>,
}

/// What is known about a block of a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineBlock {
    /// Its bytes in the decoded source.
    pub span: Span,
    /// How many blocks lie around it.
    pub depth: u32,
    /// What it is for.
    pub label: Option<Label>,
    /// What it is about.
    pub topic: Option<String>,
    /// Where its links begin, in no block inside it.
    pub links: Vec<u32>,
    /// How it came to be as it is.
    pub age: Age,
}

/// The history of a block, in numbers of entries of its URL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Age {
    /// The entry in which it was first seen.
    pub first: u32,
    /// The entry in which its content was last another than before.
    pub changed: u32,
    /// How often its content changed since it was first seen.
    pub edits: u32,
}

impl Outline {
    /// Whether a block has no block inside it.
    pub fn is_leaf(&self, index: usize) -> bool {
        self.blocks.get(index + 1).is_none_or(|next| next.depth <= self.blocks[index].depth)
    }

    /// The innermost blocks, in source order.
    pub fn leaves(&self) -> impl Iterator<Item = &OutlineBlock> {
        self.blocks.iter().enumerate().filter(|&(index, _)| self.is_leaf(index)).map(|(_, block)| block)
    }
}

/// Gives every block those of the links, in order of their starts, that lie in it and in no block inside it.
pub(crate) fn assign_links(starts: &[u32], blocks: &mut [OutlineBlock]) {
    let mut around: Vec<usize> = Vec::new(); // blocks around the place, outermost first
    let mut next = 0;
    for &start in starts {
        while blocks.get(next).is_some_and(|block| block.span.start <= start) {
            around.truncate(blocks[next].depth as usize);
            around.push(next);
            next += 1;
        }
        let innermost = around.iter().rev().find(|index| start < blocks[**index].span.end);
        if let Some(index) = innermost {
            blocks[*index].links.push(start);
        }
    }
}

/// The form of outlines that this code writes.
const FORM: &str = "1";

/// Stands for a block without a label.
const NO_LABEL: u32 = 0;

/// Depths that can be written down; deeper blocks are left out of outlines.
pub(crate) const DEPTH_MAX: u32 = 15;

/// The number that stands for a label in an outline; never changes.
fn label_number(label: Label) -> u32 {
    match label {
        Label::Main => 1,
        Label::Title => 2,
        Label::Small => 3,
        Label::Meta => 4,
        Label::Comment => 5,
        Label::Related => 6,
        Label::Navigation => 7,
        Label::Advert => 8,
        Label::Copyright => 9,
        Label::Noise => 10,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(span: (u32, u32), depth: u32, links: &[u32]) -> OutlineBlock {
        let age = Age { first: 3, changed: 7, edits: 2 };
        let topic = Some("块 and more".to_owned());
        OutlineBlock {
            span: Span::new(span.0, span.1),
            depth,
            label: Some(Label::Main),
            topic,
            links: links.to_vec(),
            age,
        }
    }

    fn outline() -> Outline {
        Outline {
            method: "bwap".to_owned(),
            level: 2,
            charset: "UTF-8".to_owned(),
            labels: vec!["news".to_owned()],
            metadata: vec![("source".to_owned(), "a=b".to_owned())],
            blocks: vec![
                block((5, 90), 0, &[6]),
                block((10, 20), 1, &[10, 15]),
                block((30, 80), 1, &[]),
                block((90, 95), 0, &[]),
            ],
            ..Outline::default()
        }
    }

    #[test]
    fn an_outline_comes_back_as_it_was() {
        assert_eq!(Outline::read(&outline().write()), Some(outline()));
        assert_eq!(Outline::read(&Outline::default().write()), Some(Outline::default()));
    }

    #[test]
    fn a_block_that_grows_changes_its_own_line_only() {
        let mut grown = outline();
        grown.blocks[1].span.end += 4;
        for block in &mut grown.blocks[2..] {
            block.span = Span::new(block.span.start + 4, block.span.end + 4);
        }
        grown.blocks[0].span.end += 4;
        let (before, after) = (outline().write(), grown.write());
        assert_eq!(before.lines().zip(after.lines()).filter(|(old, new)| old != new).count(), 1);
    }

    #[test]
    fn what_is_no_outline_is_not_read() {
        for text in ["", "outline 2\n\n", "outline 1\nodd line\n\n", "outline 1\n\n0 x\n", "outline 1\n\n0ooooooo00\n"]
        {
            assert_eq!(Outline::read(text), None, "{text:?}");
        }
    }
}
