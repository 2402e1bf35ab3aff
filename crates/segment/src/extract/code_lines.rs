//! The lines of the block of code that a walk is in: which elements are lines, beside the breaks in its text.

use kuai_page::{Dom, NodeId, NodeKind, Tag};

use super::part;

/// Where a walk is in the lines of a block of code.
#[derive(Default)]
pub(super) struct CodeLines {
    /// The element that makes the block.
    pub(super) owner: Option<NodeId>,
    /// Line breaks that stand before the next text.
    pub(super) breaks: u32,
    /// Whether nothing is on the current line yet.
    pub(super) is_fresh: bool,
    /// Whether nothing was told of the row that the walk is in.
    is_row_empty: bool,
}

impl CodeLines {
    /// The lines of a block that begins here.
    pub(super) fn of(owner: NodeId) -> CodeLines {
        CodeLines { owner: Some(owner), breaks: 0, is_fresh: true, is_row_empty: false }
    }

    pub(super) fn is_code(&self) -> bool {
        self.owner.is_some()
    }

    /// Notes that the walk crosses the border of an element, on its way in or out.
    pub(super) fn cross(&mut self, tag: Tag) {
        if tag == Tag::Br {
            self.breaks += 1;
            self.is_fresh = true;
        } else if part::is_block(tag) {
            self.begin_line();
        }
    }

    /// Notes an element that begins.
    pub(super) fn note_begin(&mut self, dom: Dom<'_>, node: NodeId) {
        match dom.tag(node) {
            Tag::Tr => self.is_row_empty = true,
            Tag::Span if self.is_code() && follows_line(dom, node) => self.begin_line(),
            _ => {}
        }
    }

    /// Notes an element that ends: an empty one that is a line is an empty line.
    pub(super) fn note_end(&mut self, dom: Dom<'_>, node: NodeId) {
        if !self.is_code() {
            return;
        }
        let is_empty = || dom.first_child(node).is_none();
        let is_empty_line = match dom.tag(node) {
            Tag::Tr => std::mem::take(&mut self.is_row_empty),
            Tag::Div | Tag::P | Tag::Li => is_empty(),
            Tag::Span => is_empty() && precedes_line(dom, node),
            _ => false,
        };
        self.breaks += u32::from(is_empty_line);
    }

    /// Notes a text that was told.
    pub(super) fn note_text(&mut self, text: &str) {
        self.breaks = 0;
        self.is_fresh = text.ends_with('\n');
        self.is_row_empty = false;
    }

    fn begin_line(&mut self) {
        self.breaks += u32::from(!self.is_fresh);
        self.is_fresh = true;
    }
}

/// Whether an element is a line of code right behind another, with no line break of its own between.
fn follows_line(dom: Dom<'_>, node: NodeId) -> bool {
    let before = |node| dom.previous_sibling(node);
    is_line(dom, node) && no_comment(dom, before(node), before).is_some_and(|last| is_line(dom, last))
}

/// Whether an element is a line of code right before another.
fn precedes_line(dom: Dom<'_>, node: NodeId) -> bool {
    let after = |node| dom.next_sibling(node);
    is_line(dom, node) && no_comment(dom, after(node), after).is_some_and(|next| is_line(dom, next))
}

/// A node beside another, or the next where it is a comment.
fn no_comment(dom: Dom<'_>, node: Option<NodeId>, next: impl Fn(NodeId) -> Option<NodeId>) -> Option<NodeId> {
    node.and_then(|node| if dom.kind(node) == NodeKind::Comment { next(node) } else { Some(node) })
}

/// Whether a highlighter calls an element a line.
fn is_line(dom: Dom<'_>, node: NodeId) -> bool {
    let is_name = |class: &str| matches!(class, "line" | "code-line" | "token-line" | "view-line");
    dom.tag(node) == Tag::Span
        && dom.attribute(node, "class").is_some_and(|classes| classes.split_ascii_whitespace().any(is_name))
}
