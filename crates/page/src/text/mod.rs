//! The text of a page as a browser would show it.
//!
//! One pass over the document gives the runs of text in document order, each with what stands before it. Any part of
//! the page can then be asked for its text, in time that depends on that part alone, or for its number of characters,
//! in time that hardly depends on anything.

mod collapse;
mod count;
mod read;
mod role;
mod seam;
mod select;
mod spacing;

use std::ops::Range;
use std::sync::OnceLock;

use kuai_html::{Dom, NodeId, Span, room};

pub use collapse::{collapsed, push_collapsed};
use count::Counts;
pub(crate) use count::count_bytes;
pub use count::{Count, count_characters};
pub use select::Piece;
pub use spacing::Gap;

/// A text node with its place in the flow of the page. White space alone makes no run, except where it is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The text node.
    pub node: NodeId,
    /// Its span.
    pub span: Span,
    /// What stands between it and the run before it.
    pub gap: Gap,
    /// What stands between it and the shown run before it, as if hidden parts were not there.
    pub shown_gap: Gap,
    /// Whether a browser would not show it.
    pub hidden: bool,
    /// Whether its white space is kept as it is.
    pub preformatted: bool,
    /// Whether its line breaks are line breaks of the page.
    pub keeps_breaks: bool,
    /// Whether it stands in a link.
    pub linked: bool,
}

/// What text to give.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextOptions {
    /// Whether parts that a browser would not show are given too.
    pub hidden: bool,
}

/// The text runs of a page in document order.
#[derive(Clone, Debug, Default)]
pub struct Flow {
    runs: Vec<Run>,
    /// Which runs lie below a node, by the node's index. Document order makes them neighbours.
    runs_below: Vec<(u32, u32)>,
    /// Indices of runs by where they stand in the source. Kept only where the standard moved text, so that document order is not source order.
    source_order: Option<Vec<u32>>,
    /// Made when they are first asked for: who wants the text needs none.
    counts: OnceLock<Counts>,
}

impl Flow {
    /// All runs, in document order.
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// The runs below a node, in document order.
    pub fn runs_of(&self, node: NodeId) -> &[Run] {
        &self.runs[self.range_of(node)]
    }

    /// Where the runs below a node stand among all runs.
    pub fn range_of(&self, node: NodeId) -> Range<usize> {
        let (start, end) = self.runs_below.get(node.index()).copied().unwrap_or_default();
        start as usize..end as usize
    }

    /// The text of a span: the runs in it, and of a run that it cuts the part in it.
    ///
    /// White space is collapsed, blocks begin on new lines, paragraphs and headings have blank lines around them,
    /// cells of a table row are parted by tabs, and preformatted text is left as it is. Several blank lines become one.
    pub fn text(&self, dom: Dom<'_>, span: Span, options: TextOptions) -> String {
        join(self.pieces(dom, span, options))
    }

    /// The text below a node, wherever the standard put it.
    pub fn text_of(&self, dom: Dom<'_>, node: NodeId, options: TextOptions) -> String {
        join(self.pieces_of(dom, node, options))
    }

    /// The text of the runs that `keep` takes.
    pub fn text_where(&self, dom: Dom<'_>, keep: impl FnMut(&Run) -> bool) -> String {
        join(self.pieces_where(dom, keep))
    }
}

/// Joins pieces of text as a browser would show them.
pub(crate) fn join<'a>(pieces: impl Iterator<Item = Piece<'a>>) -> String {
    let mut text = String::new();
    for piece in pieces {
        room::make_for(&mut text, piece.text.len() + Gap::BYTES_MAX);
        push_gap(&mut text, piece.gap);
        if piece.run.preformatted {
            text.push_str(piece.text);
        } else if piece.run.keeps_breaks {
            push_lines(&mut text, piece.text);
        } else {
            push_collapsed(&mut text, piece.text);
        }
    }
    text
}

/// Joins pieces of text on one line, up to about this many bytes.
pub(crate) fn join_line<'a>(pieces: impl Iterator<Item = Piece<'a>>, bytes_max: usize) -> String {
    let mut text = String::new();
    for piece in pieces {
        if piece.gap > Gap::None && !text.is_empty() {
            text.push(' ');
        }
        push_collapsed(&mut text, &piece.text[..piece.text.floor_char_boundary(bytes_max)]);
        if text.len() >= bytes_max {
            text.truncate(text.floor_char_boundary(bytes_max));
            break;
        }
    }
    text
}

/// The text without what surrounds it, where no white space in it would be collapsed.
pub(crate) fn as_one_line(text: &str) -> Option<&str> {
    let mut stretches = collapsed(text);
    let line = stretches.next().unwrap_or_default();
    stretches.next().is_none().then_some(line)
}

/// The text with its white space collapsed.
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::new();
    push_collapsed(&mut line, text);
    line
}

/// Kept white space may end in line breaks of its own; the gap then adds only what is missing.
fn push_gap(text: &mut String, gap: Gap) {
    if text.is_empty() {
        return;
    }
    match gap {
        Gap::None => {}
        Gap::Space if text.ends_with([' ', '\n', '\t']) => {}
        Gap::Space => text.push(' '),
        Gap::Cell => text.push('\t'),
        Gap::Line if text.ends_with('\n') => {}
        Gap::Line => text.push('\n'),
        Gap::Paragraph if text.ends_with("\n\n") => {}
        Gap::Paragraph if text.ends_with('\n') => text.push('\n'),
        Gap::Paragraph => text.push_str("\n\n"),
    }
}

fn push_lines(text: &mut String, piece: &str) {
    for (index, line) in piece.trim_ascii().lines().enumerate() {
        if index > 0 {
            text.push('\n');
        }
        push_collapsed(text, line);
    }
}

#[cfg(test)]
mod tests;
