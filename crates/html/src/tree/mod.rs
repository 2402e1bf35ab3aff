//! The parsed document: an arena of nodes, each of which knows its span of the source.
//!
//! A [`Tree`] holds no text of its own except what the standard changed (entities, NULs, carriage
//! returns, joined runs); a [`Dom`] is a tree together with its source, and is what callers read.

mod attributes;
mod dom;
mod expected;
mod node;

use std::collections::HashMap;

use crate::{Span, room};
pub(crate) use attributes::{AttributeData, Attributes};
pub use dom::{Attribute, Doctype, Dom, Edge, Walk};
use node::{LONG_END, LONG_START};
pub(crate) use node::{NONE, NodeData, Place, mark};

/// Names one node of a [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// The document node, parent of everything.
    pub const DOCUMENT: NodeId = NodeId(0);

    /// Position in the arena: `0..dom.len()`, in order of creation, for side tables.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The id at this position of the arena.
    pub fn from_index(index: usize) -> NodeId {
        NodeId(u32::try_from(index).expect("an arena has fewer than 2^32 nodes"))
    }
}

/// What sort of node this is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// The root of the tree.
    Document,
    /// `<!DOCTYPE …>`.
    Doctype,
    /// An element.
    Element,
    /// A run of text.
    Text,
    /// A comment.
    Comment,
}

/// The namespace of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Namespace {
    /// HTML itself.
    Html,
    /// SVG, inside `<svg>`.
    Svg,
    /// MathML, inside `<math>`.
    MathMl,
}

/// Where a node came from, and so whether its span stands in document order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Written in the source at the place where it stands in the tree.
    Source,
    /// Made up by the standard (`html`, `head`, `tbody` without a tag; a reopened `b`); its span is the
    /// union of its children's, or empty at the place where it was made.
    Implied,
    /// Written in the source, but moved by the standard: its span lies outside its parent's, or out of
    /// order among its siblings.
    Moved,
}

/// Whether the page asks browsers for the layout of the nineties.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quirks {
    /// Layout by the standards.
    #[default]
    No,
    /// Nearly by the standards: only table cells differ.
    Limited,
    /// Layout as of old.
    Full,
}

/// A string of the tree: a span of the source, or of the tree's own buffer where the standard changed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Text {
    /// As it stands in the source.
    Source(Span),
    /// In `Tree::owned`.
    Owned(Span),
}

impl Text {
    /// The empty string.
    pub(crate) const EMPTY: Text = Text::Source(Span { start: 0, end: 0 });

    /// The characters, wherever they stand.
    #[inline]
    pub(crate) fn of<'a>(self, source: &'a str, owned: &'a str) -> &'a str {
        match self {
            Text::Source(span) => span.of(source),
            Text::Owned(span) => span.of(owned),
        }
    }

    /// Length in bytes.
    pub(crate) fn len(self) -> u32 {
        match self {
            Text::Source(span) | Text::Owned(span) => span.len(),
        }
    }
}

/// The doctype as stored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DoctypeData {
    pub(crate) name: Text,
    pub(crate) public_id: Option<Text>,
    pub(crate) system_id: Option<Text>,
}

/// The two tags of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Side {
    /// The start tag.
    Start,
    /// The end tag.
    End,
}

/// The nodes of one parsed document, without its source. Kept from page to page, its memory is used again.
///
/// A node takes 32 bytes and an attribute 16, so a tree of a common page is about as large as the page; `just bench`
/// prints how large at most.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    pub(crate) nodes: Vec<NodeData>,
    pub(crate) attributes: Attributes,
    pub(crate) owned: String,
    pub(crate) joined: Vec<String>,
    /// The names that tags do not tell, by node, in the nodes' order.
    names: Vec<(u32, Text)>,
    /// The lengths of tags that a node has no room for.
    long_tags: HashMap<(u32, Side), u32>,
    pub(crate) doctype: Option<DoctypeData>,
    pub(crate) quirks: Quirks,
    /// Whether the arena's order is document order. It is unless the standard moved something.
    pub(crate) in_order: bool,
}

impl Tree {
    /// Reads this tree together with the source it was parsed from.
    pub fn dom<'a>(&'a self, source: &'a str) -> Dom<'a> {
        Dom::new(self, source)
    }

    /// Forgets the last page, keeping the memory, and starts with a document node for a source.
    pub(crate) fn start(&mut self, source: &str) {
        self.nodes.clear();
        self.attributes.clear();
        self.owned.clear();
        self.joined.clear();
        self.names.clear();
        self.long_tags.clear();
        self.doctype = None;
        self.quirks = Quirks::No;
        self.in_order = false;
        // A tree that is used again has its lists, and they grow where a page asks for more.
        if self.nodes.capacity() == 0 {
            let expected = expected::Expected::of(source.as_bytes());
            self.nodes.reserve_exact(expected.nodes);
            self.attributes.reserve(expected.attributes);
        }
        self.nodes.push(NodeData::document(Span::new(0, source.len() as u32)));
    }

    /// The id of the node that is added next.
    pub(crate) fn next_node(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// Adds a node to the arena; its id.
    #[inline]
    pub(crate) fn add(&mut self, data: NodeData) -> u32 {
        let node = self.next_node();
        room::make(&mut self.nodes, 1);
        self.nodes.push(data);
        node
    }

    /// Tells the name of the node that is added next.
    pub(crate) fn name_next(&mut self, name: Text) {
        self.names.push((self.next_node(), name));
    }

    /// The elements whose tags do not tell their names.
    pub(crate) fn names(&self) -> &[(u32, Text)] {
        &self.names
    }

    /// The name of an element whose tag does not tell it.
    pub(crate) fn name_of(&self, node: u32) -> Text {
        let found = self.names.binary_search_by_key(&node, |&(named, _)| named);
        found.map_or(Text::EMPTY, |index| self.names[index].1)
    }

    /// Gives a new element, which is added next, the start tag that takes up all of its span.
    #[inline]
    pub(crate) fn start_next(&mut self, data: &mut NodeData) {
        let mut length = data.span.len();
        if length >= LONG_START {
            self.long_tags.insert((self.next_node(), Side::Start), length);
            length = LONG_START;
        }
        data.set_tag_lengths(length, 0);
    }

    /// Ends an element at `end`, with an end tag from `content_end` on if the two differ.
    #[inline]
    pub(crate) fn end(&mut self, node: u32, content_end: u32, end: u32) {
        let mut length = end - content_end;
        if length >= LONG_END {
            self.long_tags.insert((node, Side::End), length);
            length = LONG_END;
        }
        let data = &mut self.nodes[node as usize];
        data.set_tag_lengths(data.start_tag_length(), length);
        data.span.end = end;
    }

    /// Where the start tag of an element ends; its start if it has none.
    #[inline]
    pub(crate) fn content_start(&self, node: u32) -> u32 {
        let data = &self.nodes[node as usize];
        let length = match data.start_tag_length() {
            LONG_START => self.long_tag(node, Side::Start),
            length => length,
        };
        data.span.start + length
    }

    /// Where the end tag of an element starts; its end if it has none.
    #[inline]
    pub(crate) fn content_end(&self, node: u32) -> u32 {
        let data = &self.nodes[node as usize];
        let length = match data.end_tag_length() {
            LONG_END => self.long_tag(node, Side::End),
            length => length,
        };
        data.span.end - length
    }

    #[cold]
    fn long_tag(&self, node: u32, side: Side) -> u32 {
        self.long_tags.get(&(node, side)).copied().unwrap_or(0)
    }

    /// The last child of a node.
    #[inline]
    pub(crate) fn last_child(&self, node: u32) -> u32 {
        match self.nodes[node as usize].first_child() {
            NONE => NONE,
            first => self.nodes[first as usize].previous,
        }
    }

    /// The sibling before a node.
    #[inline]
    pub(crate) fn previous(&self, node: u32) -> u32 {
        let data = &self.nodes[node as usize];
        let is_first = data.parent == NONE || self.nodes[data.parent as usize].first_child() == node;
        if is_first { NONE } else { data.previous }
    }
}
