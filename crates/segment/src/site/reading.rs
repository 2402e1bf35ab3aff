//! A page as WLES sees it: text blocks in reading order, each with its place, and the markup between them.

use std::ops::Range;

use kuai_page::{Edge, NodeId, NodeKind, Page, Span, Tag};

use super::areas::{Place, hash};
use super::shape::write_shape;
use super::text_block::{push_words, text_blocks};

/// A page in blocks.
pub(super) struct Reading<'p> {
    pub(super) page: &'p Page,
    /// The runs of the page's flow, each with its blocks.
    pub(super) runs: Vec<RunBlocks>,
    pub(super) blocks: Vec<TextBlock<'p>>,
    /// The words of all blocks.
    pub(super) words: Vec<u64>,
    pub(super) marks: Vec<Mark>,
}

/// A run of text in blocks.
pub(super) struct RunBlocks {
    pub(super) place: Place,
    pub(super) blocks: Range<usize>,
    /// Its place among the marks.
    pub(super) mark: usize,
}

/// A text block of a page.
pub(super) struct TextBlock<'p> {
    pub(super) text: &'p str,
    /// Its bytes in the source; those of its whole run where the text is not as written there.
    pub(super) span: Span,
    pub(super) words: Range<usize>,
}

/// A tag, or the place of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) kind: MarkKind,
    pub(super) node: NodeId,
    /// Equal for marks that look alike.
    pub(super) code: u64,
}

impl Mark {
    pub(super) const TEXT_CODE: u64 = 0;

    /// The code of the end of an element.
    pub(super) fn close_code(name: &str) -> u64 {
        !hash(name)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MarkKind {
    Open,
    Close,
    Text,
}

impl<'p> Reading<'p> {
    /// Reads a page; `enter` tells the place of an element from that around it and its shape.
    pub(super) fn of(page: &'p Page, mut enter: impl FnMut(Place, &str) -> Place) -> Reading<'p> {
        let dom = page.dom();
        let mut runs = page.flow().runs().iter().peekable();
        let mut reading = Reading { page, runs: Vec::new(), blocks: Vec::new(), words: Vec::new(), marks: Vec::new() };
        let mut places = vec![Place::ROOT];
        let mut shape = String::new();
        for edge in dom.walk(dom.root()) {
            match edge {
                Edge::Enter(node) if dom.kind(node) == NodeKind::Element => {
                    write_shape(dom, node, &mut shape);
                    let around = places.last().copied().unwrap_or(Place::ROOT);
                    places.push(enter(around, &shape));
                    reading.push_mark(MarkKind::Open, node, hash(&shape));
                }
                Edge::Leave(node) if dom.kind(node) == NodeKind::Element => {
                    places.pop();
                    if dom.first_child(node).is_some() {
                        reading.push_mark(MarkKind::Close, node, Mark::close_code(dom.name(node)));
                    }
                }
                Edge::Enter(node) => {
                    if let Some(run) = runs.next_if(|run| run.node == node) {
                        let place = places.last().copied().unwrap_or(Place::ROOT);
                        reading.push_run(node, run.span, place);
                    }
                }
                Edge::Leave(_) => {}
            }
        }
        reading
    }

    fn push_mark(&mut self, kind: MarkKind, node: NodeId, code: u64) {
        if !is_silent(self.page.dom().tag(node)) {
            self.marks.push(Mark { kind, node, code });
        }
    }

    fn push_run(&mut self, node: NodeId, span: Span, place: Place) {
        let dom = self.page.dom();
        let (text, written) = (dom.text(node), span.of(dom.source()));
        let is_written = text.len() == written.len() && std::ptr::eq(text.as_ptr(), written.as_ptr());
        let first = self.blocks.len();
        let mut start = span.start;
        for text in text_blocks(text) {
            let words = self.words.len();
            push_words(text, &mut self.words);
            let end = start + text.len() as u32;
            let span = if is_written { Span::new(start, end) } else { span };
            self.blocks.push(TextBlock { text, span, words: words..self.words.len() });
            start = end;
        }
        self.runs.push(RunBlocks { place, blocks: first..self.blocks.len(), mark: self.marks.len() });
        self.marks.push(Mark { kind: MarkKind::Text, node, code: Mark::TEXT_CODE });
    }

    /// Words of a run.
    pub(super) fn word_count(&self, run: &RunBlocks) -> usize {
        self.blocks[run.blocks.clone()].iter().map(|block| block.words.len()).sum()
    }
}

/// Scripts and the like come and go anywhere and mark nothing.
fn is_silent(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::Script | Tag::Style | Tag::Noscript | Tag::Template | Tag::Iframe | Tag::Link | Tag::Meta | Tag::Ins
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_read_in_blocks_between_marks() {
        let page = Page::from_html("<p>One, two.<script>x</script><br>A &amp; b.</p>").plain();
        let reading = Reading::of(&page, |place, _| place);
        let texts: Vec<_> = reading.blocks.iter().map(|block| (block.text, block.span.of(page.source()))).collect();
        assert_eq!(texts, [("One,", "One,"), (" two.", " two."), ("A & b.", "A &amp; b.")]);
        let kinds: Vec<_> =
            reading.marks[reading.runs[0].mark - 1..=reading.runs[1].mark].iter().map(|mark| mark.kind).collect();
        assert_eq!(kinds, [MarkKind::Open, MarkKind::Text, MarkKind::Open, MarkKind::Text]);
    }
}
