//! A node as stored: 32 bytes, whatever it is, so that a tree is not much larger than its page.
//!
//! What few nodes have lies beside the arena: names that HTML does not know, and the lengths of very long tags.

use crate::{Namespace, NodeKind, Origin, Span, Tag};

/// No node, no attribute.
pub(crate) const NONE: u32 = u32::MAX;

/// The lengths that stand for longer ones, which [`super::Tree`] keeps beside the arena.
pub(super) const LONG_START: u32 = (1 << START_BITS) - 1;
pub(super) const LONG_END: u32 = (1 << (16 - START_BITS)) - 1;

/// How many of the 16 bits of [`NodeData::lengths`] are for the start tag.
const START_BITS: u32 = 11;

/// What is remembered of a node, bit by bit.
pub(crate) mod mark {
    /// On the stack of open elements.
    pub(crate) const OPEN: u8 = 1;
    /// Put elsewhere than where it stands in the source.
    pub(crate) const DISPLACED: u8 = 1 << 1;
    /// Had its end tag while elements in it stayed open, so that more may be added to it.
    pub(crate) const LOOSE: u8 = 1 << 2;
    /// Made up: see [`crate::Origin::Implied`].
    pub(crate) const IMPLIED: u8 = 1 << 3;
    /// Out of its place: see [`crate::Origin::Moved`].
    pub(crate) const MOVED: u8 = 1 << 4;
}

/// Where the content of a text or comment node is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Place {
    /// At that range of the source.
    Source,
    /// At that range of `Tree::owned`.
    Owned,
    /// `Tree::joined` at the range's start: pieces that do not stand together in the source.
    Joined,
}

/// One node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeData {
    pub(crate) parent: u32,
    pub(crate) next: u32,
    /// The sibling before; for a first child the last child, so that parents need to know the first one only.
    pub(crate) previous: u32,
    pub(crate) span: Span,
    /// Document, element: the first child. Text, comment: where the content starts.
    first: u32,
    /// Element: the first attribute. Text, comment: where the content ends.
    second: u32,
    pub(crate) tag: Tag,
    /// A [`Sort`] in the three low bits, [`mark`]s above.
    bits: u8,
    /// Element: the lengths of its start tag, in the low bits, and of its end tag. Text, comment: a [`Place`].
    lengths: u16,
}

const _: () = assert!(size_of::<NodeData>() == 32, "the memory of a tree was measured with nodes of 32 bytes");

/// The kind of a node and the namespace of an element in one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Sort {
    Html,
    Svg,
    MathMl,
    Text,
    Comment,
    Doctype,
    Document,
}

const SORTS: [Sort; 8] = [
    Sort::Html,
    Sort::Svg,
    Sort::MathMl,
    Sort::Text,
    Sort::Comment,
    Sort::Doctype,
    Sort::Document,
    // No node has it; eight values make the look-up safe without a check.
    Sort::Document,
];
const SORT_BITS: u8 = 0b111;
const MARKS_SHIFT: u32 = 3;

impl NodeData {
    #[inline]
    fn new(sort: Sort, span: Span) -> Self {
        NodeData {
            parent: NONE,
            next: NONE,
            previous: NONE,
            span,
            first: NONE,
            second: NONE,
            tag: Tag::Unknown,
            bits: sort as u8,
            lengths: 0,
        }
    }

    /// The root of a tree.
    pub(crate) fn document(span: Span) -> Self {
        NodeData::new(Sort::Document, span)
    }

    /// A doctype.
    pub(crate) fn doctype(span: Span) -> Self {
        NodeData::new(Sort::Doctype, span)
    }

    /// An element whose start tag, where it has one, is not yet told.
    #[inline]
    pub(crate) fn element(namespace: Namespace, tag: Tag, span: Span) -> Self {
        let sort = match namespace {
            Namespace::Html => Sort::Html,
            Namespace::Svg => Sort::Svg,
            Namespace::MathMl => Sort::MathMl,
        };
        NodeData { tag, ..NodeData::new(sort, span) }
    }

    /// A run of text, whose content is told next.
    #[inline]
    pub(crate) fn text(span: Span) -> Self {
        NodeData::new(Sort::Text, span)
    }

    /// A comment, whose content is told next.
    pub(crate) fn comment(span: Span) -> Self {
        NodeData::new(Sort::Comment, span)
    }

    /// A node like this one, made up at a place of the source, in no tree yet.
    pub(crate) fn copied(&self, at: u32) -> Self {
        let mut copy = NodeData { span: Span::new(at, at), ..*self };
        (copy.parent, copy.next, copy.previous) = (NONE, NONE, NONE);
        copy.bits = self.sort() as u8 | mark::IMPLIED << MARKS_SHIFT;
        if !copy.has_content() {
            copy.first = NONE;
            copy.lengths = 0;
        }
        copy
    }

    #[inline]
    fn sort(&self) -> Sort {
        SORTS[(self.bits & SORT_BITS) as usize]
    }

    #[inline]
    pub(crate) fn kind(&self) -> NodeKind {
        match self.sort() {
            Sort::Html | Sort::Svg | Sort::MathMl => NodeKind::Element,
            Sort::Text => NodeKind::Text,
            Sort::Comment => NodeKind::Comment,
            Sort::Doctype => NodeKind::Doctype,
            Sort::Document => NodeKind::Document,
        }
    }

    #[inline]
    pub(crate) fn is_element(&self) -> bool {
        self.bits & SORT_BITS <= Sort::MathMl as u8
    }

    #[inline]
    pub(crate) fn is_text(&self) -> bool {
        self.bits & SORT_BITS == Sort::Text as u8
    }

    /// Whether it is text or a comment, which have content in place of children.
    #[inline]
    fn has_content(&self) -> bool {
        let sort = self.bits & SORT_BITS;
        sort == Sort::Text as u8 || sort == Sort::Comment as u8
    }

    #[inline]
    pub(crate) fn namespace(&self) -> Namespace {
        match self.sort() {
            Sort::Svg => Namespace::Svg,
            Sort::MathMl => Namespace::MathMl,
            _ => Namespace::Html,
        }
    }

    /// Whether it bears one of these [`mark`]s.
    #[inline]
    pub(crate) fn is(&self, marks: u8) -> bool {
        (self.bits >> MARKS_SHIFT) & marks != 0
    }

    #[inline]
    pub(crate) fn set(&mut self, marks: u8) {
        self.bits |= marks << MARKS_SHIFT;
    }

    #[inline]
    pub(crate) fn unset(&mut self, marks: u8) {
        self.bits &= !(marks << MARKS_SHIFT);
    }

    #[inline]
    pub(crate) fn origin(&self) -> Origin {
        if self.is(mark::MOVED) {
            Origin::Moved
        } else if self.is(mark::IMPLIED) {
            Origin::Implied
        } else {
            Origin::Source
        }
    }

    #[inline]
    pub(crate) fn first_child(&self) -> u32 {
        if self.has_content() { NONE } else { self.first }
    }

    /// Sets the first child of an element or document.
    #[inline]
    pub(crate) fn set_first_child(&mut self, child: u32) {
        debug_assert!(!self.has_content(), "text has no children");
        self.first = child;
    }

    /// The length of an element's start tag, or [`LONG_START`].
    #[inline]
    pub(super) fn start_tag_length(&self) -> u32 {
        u32::from(self.lengths) & LONG_START
    }

    /// The length of an element's end tag, or [`LONG_END`].
    #[inline]
    pub(super) fn end_tag_length(&self) -> u32 {
        u32::from(self.lengths) >> START_BITS
    }

    /// Sets the lengths of an element's tags, each no more than what stands for longer ones.
    #[inline]
    pub(super) fn set_tag_lengths(&mut self, start: u32, end: u32) {
        debug_assert!(self.is_element() && start <= LONG_START && end <= LONG_END, "the lengths fit");
        self.lengths = (end << START_BITS | start) as u16;
    }

    /// The place of an element's first attribute, [`NONE`] without any.
    #[inline]
    pub(crate) fn first_attribute(&self) -> u32 {
        if self.has_content() { NONE } else { self.second }
    }

    pub(crate) fn set_first_attribute(&mut self, attribute: u32) {
        debug_assert!(self.is_element(), "only elements have attributes");
        self.second = attribute;
    }

    /// Where the content of text or a comment is kept, and its range there; `None` for others.
    #[inline]
    pub(crate) fn content(&self) -> Option<(Place, Span)> {
        let place = match self.lengths {
            _ if !self.has_content() => return None,
            0 => Place::Source,
            1 => Place::Owned,
            _ => Place::Joined,
        };
        Some((place, Span { start: self.first, end: self.second }))
    }

    #[inline]
    pub(crate) fn set_content(&mut self, place: Place, range: Span) {
        debug_assert!(self.has_content(), "only text and comments have content");
        self.lengths = place as u16;
        self.first = range.start;
        self.second = range.end;
    }
}
