//! What a page says, piece by piece: the text of its innermost blocks, and the text between them.
//!
//! Every text of the page that a reader sees is in exactly one passage, so that who looks for a sentence need look nowhere else.

use kuai_page::{Label, Span};

use crate::archive::CutPage;
use crate::diff::topic_of;
use crate::outline::OutlineBlock;
use crate::visible;

/// A piece of what a page says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Its number among the pieces of the page, those without text included; [`CutPage::passage`] finds it by that.
    pub piece: usize,
    /// Where it is in the decoded source.
    pub span: Span,
    /// What the innermost block around it is for; none outside all blocks.
    pub label: Option<Label>,
    /// What it, or the nearest block around it, is about, where that is written down.
    pub topic: Option<String>,
    /// What it says, a line for each paragraph; never empty.
    pub text: String,
}

impl CutPage {
    /// All that the page says, in source order.
    pub fn passages(&self) -> Vec<Passage> {
        let blocks = &self.outline.blocks;
        let pieces = pieces(blocks, self.page.source().len() as u32).into_iter().enumerate();
        pieces.filter_map(|(piece, (span, block))| self.read_passage(piece, span, block)).collect()
    }

    /// The passage with this number, without reading the others.
    pub fn passage(&self, piece: usize) -> Option<Passage> {
        let (span, block) = *pieces(&self.outline.blocks, self.page.source().len() as u32).get(piece)?;
        self.read_passage(piece, span, block)
    }

    fn read_passage(&self, piece: usize, span: Span, block: Option<usize>) -> Option<Passage> {
        let text = visible::text(self.page.source().get(span.range())?);
        if text.is_empty() {
            return None;
        }
        let blocks = &self.outline.blocks;
        let label = block.and_then(|block| blocks[block].label);
        Some(Passage { piece, span, label, topic: block.and_then(|block| topic_of(blocks, block, "")), text })
    }
}

/// Cuts a source of this length wherever a block begins or ends; each piece with the innermost block around it.
fn pieces(blocks: &[OutlineBlock], length: u32) -> Vec<(Span, Option<usize>)> {
    let mut pieces = Vec::with_capacity(blocks.len() * 2 + 1);
    let mut open: Vec<usize> = Vec::new(); // blocks around the place, outermost first
    let mut place = 0;
    let mut cut_to = |end: u32, open: &[usize]| {
        if place < end {
            pieces.push((Span::new(place, end), open.last().copied()));
            place = end;
        }
    };
    for (index, block) in blocks.iter().enumerate() {
        while open.len() > block.depth as usize {
            cut_to(blocks[*open.last().expect("just counted")].span.end, &open);
            open.pop();
        }
        cut_to(block.span.start, &open);
        open.push(index);
    }
    while let Some(block) = open.last() {
        cut_to(blocks[*block].span.end, &open);
        open.pop();
    }
    cut_to(length, &open);
    pieces
}

#[cfg(test)]
mod tests {
    use kuai_page::Page;

    use super::*;
    use crate::outline::{Age, Outline};

    fn block(source: &str, text: &str, depth: u32, label: Option<Label>) -> OutlineBlock {
        let start = source.find(text).expect("it is there") as u32;
        let span = Span::new(start, start + text.len() as u32);
        OutlineBlock { span, depth, label, topic: None, links: Vec::new(), age: Age::default() }
    }

    #[test]
    fn every_text_is_in_one_passage() {
        let source = "<title>Light</title><div>before<p>One</p>between<p>Two</p></div><script>no()</script> after";
        let blocks = vec![
            block(source, "<div>before<p>One</p>between<p>Two</p></div>", 0, Some(Label::Main)),
            block(source, "<p>One</p>", 1, Some(Label::Title)),
            block(source, "<p>Two</p>", 1, None),
        ];
        let page = CutPage { page: Page::from_html(source), outline: Outline { blocks, ..Outline::default() } };
        assert!(page.passages().iter().all(|passage| page.passage(passage.piece).as_ref() == Some(passage)));
        let said: Vec<_> = page.passages().into_iter().map(|passage| (passage.text, passage.label)).collect();
        let (main, title) = (Some(Label::Main), Some(Label::Title));
        let expected =
            [("Light", None), ("before", main), ("One", title), ("between", main), ("Two", None), ("after", None)];
        assert_eq!(said, expected.map(|(text, label)| (text.to_owned(), label)));
    }

    #[test]
    fn a_page_without_blocks_is_one_passage() {
        let page = CutPage { page: Page::from_html("<p>One<p>Two"), outline: Outline::default() };
        let said: Vec<_> = page.passages().into_iter().map(|passage| passage.text).collect();
        assert_eq!(said, ["One\nTwo"]);
    }
}
