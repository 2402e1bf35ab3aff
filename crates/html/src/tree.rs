//! The parsed document: an arena of nodes, each of which knows its span of the source.
//!
//! A [`Tree`] holds no text of its own except what the standard changed (entities, NULs, carriage
//! returns, joined runs); a [`Dom`] is a tree together with its source, and is what callers read.

use std::ops::Range;

use crate::{Span, Tag};

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

/// One attribute as stored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AttributeData {
    /// From the first byte of the name to the last of the value, quotes included.
    pub(crate) span: Span,
    name: Span,
    value: Span,
    name_owned: bool,
    value_owned: bool,
}

impl AttributeData {
    /// An attribute written at `span`.
    pub(crate) fn new(name: Text, value: Text, span: Span) -> Self {
        let (name, name_owned) = apart(name);
        let (value, value_owned) = apart(value);
        AttributeData { span, name, value, name_owned, value_owned }
    }

    /// The name, lower case or adjusted.
    pub(crate) fn name(&self) -> Text {
        if self.name_owned { Text::Owned(self.name) } else { Text::Source(self.name) }
    }

    /// The value, references decoded.
    pub(crate) fn value(&self) -> Text {
        if self.value_owned { Text::Owned(self.value) } else { Text::Source(self.value) }
    }
}

fn apart(text: Text) -> (Span, bool) {
    match text {
        Text::Source(span) => (span, false),
        Text::Owned(span) => (span, true),
    }
}

/// Where the content of a text or comment node is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// `first..second` of the source.
    Source,
    /// `first..second` of `Tree::owned`.
    Owned,
    /// `Tree::joined[first]`: pieces that do not stand together in the source.
    Joined,
}

/// One node as stored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeData {
    pub(crate) parent: u32,
    pub(crate) first_child: u32,
    pub(crate) last_child: u32,
    pub(crate) previous: u32,
    pub(crate) next: u32,
    pub(crate) span: Span,
    /// Element: end of its start tag, or the span's start. Text, comment: see [`Place`].
    pub(crate) first: u32,
    /// Element: start of its end tag, or the span's end. Text, comment: see [`Place`].
    pub(crate) second: u32,
    pub(crate) attributes_start: u32,
    pub(crate) attributes_count: u32,
    /// Element: its place in `Tree::names` where `tag` does not say the name, else [`NONE`].
    pub(crate) name: u32,
    pub(crate) kind: NodeKind,
    pub(crate) origin: Origin,
    pub(crate) namespace: Namespace,
    pub(crate) tag: Tag,
    pub(crate) place: Place,
    /// What the builder remembers of the node, see `builder::mark`.
    pub(crate) marks: u8,
}

impl NodeData {
    /// A node of this kind at this span, in no tree yet.
    pub(crate) fn new(kind: NodeKind, span: Span) -> Self {
        NodeData {
            parent: NONE,
            first_child: NONE,
            last_child: NONE,
            previous: NONE,
            next: NONE,
            span,
            first: span.start,
            second: span.end,
            attributes_start: 0,
            attributes_count: 0,
            name: NONE,
            kind,
            origin: Origin::Source,
            namespace: Namespace::Html,
            tag: Tag::Unknown,
            place: Place::Source,
            marks: 0,
        }
    }
}

pub(crate) const NONE: u32 = u32::MAX;

/// Nodes, and attributes, that room is made for before the source is read, at most.
const NODES_RESERVED_MAX: u32 = 4096;

/// The doctype as stored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DoctypeData {
    pub(crate) name: Text,
    pub(crate) public_id: Option<Text>,
    pub(crate) system_id: Option<Text>,
}

/// The nodes of one parsed document, without its source. Kept from page to page, its memory is used again.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    pub(crate) nodes: Vec<NodeData>,
    pub(crate) attributes: Vec<AttributeData>,
    pub(crate) owned: String,
    pub(crate) joined: Vec<String>,
    pub(crate) names: Vec<Text>,
    pub(crate) doctype: Option<DoctypeData>,
    pub(crate) quirks: Quirks,
    /// Whether the arena's order is document order. It is unless the standard moved something.
    pub(crate) in_order: bool,
}

impl Tree {
    /// Reads this tree together with the source it was parsed from.
    pub fn dom<'a>(&'a self, source: &'a str) -> Dom<'a> {
        Dom { tree: self, source }
    }

    /// Forgets the last page, keeping the memory, and starts with a document node for a source of `length` bytes.
    pub(crate) fn start(&mut self, length: u32) {
        self.nodes.clear();
        self.attributes.clear();
        self.owned.clear();
        self.joined.clear();
        self.names.clear();
        self.doctype = None;
        self.quirks = Quirks::No;
        self.in_order = false;
        // Most pages have more nodes and attributes than this, and each time an arena grows it is copied.
        let expected = (length / 32).min(NODES_RESERVED_MAX) as usize;
        self.nodes.reserve(expected);
        self.attributes.reserve(expected);
        self.nodes.push(NodeData::new(NodeKind::Document, Span::new(0, length)));
    }
}

/// What a doctype says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Doctype<'a> {
    /// The name, lower case; nearly always `html`.
    pub name: &'a str,
    /// The public identifier, such as `-//W3C//DTD HTML 4.01//EN`.
    pub public_id: Option<&'a str>,
    /// The system identifier, an address.
    pub system_id: Option<&'a str>,
}

/// An attribute of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attribute<'a> {
    /// Its name, lower case (adjusted in SVG and MathML).
    pub name: &'a str,
    /// Its value, entities decoded.
    pub value: &'a str,
    /// Where it stands in the source, name to closing quote.
    pub span: Span,
}

/// One step of a walk through a subtree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// The node is reached; its children follow.
    Enter(NodeId),
    /// All below the node was seen.
    Leave(NodeId),
}

/// A parsed document: the tree and its source.
#[derive(Clone, Copy, Debug)]
pub struct Dom<'a> {
    tree: &'a Tree,
    source: &'a str,
}

impl<'a> Dom<'a> {
    /// The source that all spans point into.
    pub fn source(self) -> &'a str {
        self.source
    }

    /// The document node.
    pub fn root(self) -> NodeId {
        NodeId::DOCUMENT
    }

    /// Number of nodes in the arena; some may be detached from the tree.
    pub fn len(self) -> usize {
        self.tree.nodes.len()
    }

    /// Whether there is no node but the document.
    pub fn is_empty(self) -> bool {
        self.len() <= 1
    }

    /// The page's quirks mode.
    pub fn quirks(self) -> Quirks {
        self.tree.quirks
    }

    #[inline]
    fn node(self, id: NodeId) -> &'a NodeData {
        &self.tree.nodes[id.index()]
    }

    #[inline]
    fn string(self, text: Text) -> &'a str {
        text.of(self.source, &self.tree.owned)
    }

    /// What sort of node this is.
    #[inline]
    pub fn kind(self, id: NodeId) -> NodeKind {
        self.node(id).kind
    }

    /// Whether the node is an element.
    #[inline]
    pub fn is_element(self, id: NodeId) -> bool {
        self.kind(id) == NodeKind::Element
    }

    /// Whether the node is text.
    #[inline]
    pub fn is_text(self, id: NodeId) -> bool {
        self.kind(id) == NodeKind::Text
    }

    /// The tag of an HTML element; [`Tag::Foreign`] inside SVG and MathML, [`Tag::Unknown`] for names
    /// HTML does not know and for nodes that are no elements.
    #[inline]
    pub fn tag(self, id: NodeId) -> Tag {
        let node = self.node(id);
        match (node.kind, node.namespace) {
            (NodeKind::Element, Namespace::Html) => node.tag,
            (NodeKind::Element, _) => Tag::Foreign,
            _ => Tag::Unknown,
        }
    }

    /// The local name of an element, or the doctype's name.
    pub fn name(self, id: NodeId) -> &'a str {
        let node = self.node(id);
        match node.kind {
            NodeKind::Element if node.name == NONE => node.tag.name(),
            NodeKind::Element => self.string(self.tree.names[node.name as usize]),
            NodeKind::Doctype => self.doctype().map_or("", |doctype| doctype.name),
            _ => "",
        }
    }

    /// What the page's doctype says, where it has one.
    pub fn doctype(self) -> Option<Doctype<'a>> {
        let data = self.tree.doctype.as_ref()?;
        Some(Doctype {
            name: self.string(data.name),
            public_id: data.public_id.map(|text| self.string(text)),
            system_id: data.system_id.map(|text| self.string(text)),
        })
    }

    /// The namespace of an element.
    pub fn namespace(self, id: NodeId) -> Namespace {
        self.node(id).namespace
    }

    /// The content of a text or comment node, entities decoded; empty for others.
    #[inline]
    pub fn text(self, id: NodeId) -> &'a str {
        let node = self.node(id);
        match node.kind {
            NodeKind::Text | NodeKind::Comment => match node.place {
                Place::Source => &self.source[node.first as usize..node.second as usize],
                Place::Owned => &self.tree.owned[node.first as usize..node.second as usize],
                Place::Joined => &self.tree.joined[node.first as usize],
            },
            _ => "",
        }
    }

    /// The attributes of an element, in source order.
    pub fn attributes(self, id: NodeId) -> impl ExactSizeIterator<Item = Attribute<'a>> {
        self.attribute_data(id).iter().map(move |data| Attribute {
            name: self.string(data.name()),
            value: self.string(data.value()),
            span: data.span,
        })
    }

    /// The value of one attribute.
    #[inline]
    pub fn attribute(self, id: NodeId, name: &str) -> Option<&'a str> {
        let named = self.attribute_data(id).iter().find(|data| self.string(data.name()) == name)?;
        Some(self.string(named.value()))
    }

    #[inline]
    fn attribute_data(self, id: NodeId) -> &'a [AttributeData] {
        let node = self.node(id);
        let start = node.attributes_start as usize;
        &self.tree.attributes[start..start + node.attributes_count as usize]
    }

    /// The whole node in the source: an element from its start tag to its end tag, or to where it was closed.
    #[inline]
    pub fn span(self, id: NodeId) -> Span {
        self.node(id).span
    }

    /// The start tag in the source; `None` for implied elements and nodes that are no elements.
    pub fn start_tag(self, id: NodeId) -> Option<Span> {
        let node = self.node(id);
        (node.kind == NodeKind::Element && node.first > node.span.start).then(|| Span::new(node.span.start, node.first))
    }

    /// The end tag in the source; `None` where the element was closed without one.
    pub fn end_tag(self, id: NodeId) -> Option<Span> {
        let node = self.node(id);
        (node.kind == NodeKind::Element && node.second < node.span.end).then(|| Span::new(node.second, node.span.end))
    }

    /// What lies between start tag and end tag; for nodes that are no elements, the whole span.
    pub fn content(self, id: NodeId) -> Span {
        let node = self.node(id);
        match node.kind {
            NodeKind::Element => Span::new(node.first, node.second.max(node.first)),
            _ => node.span,
        }
    }

    /// Where the node came from.
    pub fn origin(self, id: NodeId) -> Origin {
        self.node(id).origin
    }

    /// The parent; `None` for the document and for nodes taken out of the tree.
    #[inline]
    pub fn parent(self, id: NodeId) -> Option<NodeId> {
        link(self.node(id).parent)
    }

    /// The first child.
    #[inline]
    pub fn first_child(self, id: NodeId) -> Option<NodeId> {
        link(self.node(id).first_child)
    }

    /// The last child.
    pub fn last_child(self, id: NodeId) -> Option<NodeId> {
        link(self.node(id).last_child)
    }

    /// The sibling before.
    pub fn previous_sibling(self, id: NodeId) -> Option<NodeId> {
        link(self.node(id).previous)
    }

    /// The sibling after.
    #[inline]
    pub fn next_sibling(self, id: NodeId) -> Option<NodeId> {
        link(self.node(id).next)
    }

    /// The children in order.
    pub fn children(self, id: NodeId) -> impl Iterator<Item = NodeId> + use<'a> {
        std::iter::successors(self.first_child(id), move |&child| self.next_sibling(child))
    }

    /// The parent, its parent, and so on up to the document.
    pub fn ancestors(self, id: NodeId) -> impl Iterator<Item = NodeId> + use<'a> {
        std::iter::successors(self.parent(id), move |&node| self.parent(node))
    }

    /// Every node below this one, in document order, without the node itself.
    pub fn descendants(self, id: NodeId) -> impl Iterator<Item = NodeId> + use<'a> {
        if self.tree.in_order {
            return Descendants::Neighbours(id.0 + 1..self.end_of(id));
        }
        let mut walk = self.walk(id);
        walk.next();
        Descendants::Scattered(walk)
    }

    /// The position just behind everything below a node, in a tree that is in order.
    fn end_of(self, id: NodeId) -> u32 {
        let mut around = std::iter::once(id).chain(self.ancestors(id));
        around.find_map(|node| self.next_sibling(node)).map_or(self.len() as u32, |next| next.0)
    }

    /// Walks the subtree in document order, entering and leaving every node, without recursion.
    pub fn walk(self, root: NodeId) -> Walk<'a> {
        Walk { dom: self, root, next: Some(Edge::Enter(root)) }
    }

    /// The `html` element.
    pub fn html(self) -> Option<NodeId> {
        self.children(self.root()).find(|&child| self.tag(child) == Tag::Html)
    }

    /// The `head` element.
    pub fn head(self) -> Option<NodeId> {
        self.html().and_then(|html| self.children(html).find(|&child| self.tag(child) == Tag::Head))
    }

    /// The `body` element.
    pub fn body(self) -> Option<NodeId> {
        self.html().and_then(|html| self.children(html).find(|&child| self.tag(child) == Tag::Body))
    }
}

#[inline]
fn link(index: u32) -> Option<NodeId> {
    (index != NONE).then_some(NodeId(index))
}

/// See [`Dom::descendants`].
enum Descendants<'a> {
    /// Positions in the arena.
    Neighbours(Range<u32>),
    Scattered(Walk<'a>),
}

impl Iterator for Descendants<'_> {
    type Item = NodeId;

    #[inline]
    fn next(&mut self) -> Option<NodeId> {
        match self {
            Descendants::Neighbours(positions) => positions.next().map(NodeId),
            Descendants::Scattered(walk) => walk.find_map(|edge| match edge {
                Edge::Enter(node) => Some(node),
                Edge::Leave(_) => None,
            }),
        }
    }
}

/// See [`Dom::walk`].
#[derive(Clone, Debug)]
pub struct Walk<'a> {
    dom: Dom<'a>,
    root: NodeId,
    next: Option<Edge>,
}

impl Walk<'_> {
    /// After `Enter(node)`: goes on with `Leave(node)` instead of its children.
    pub fn skip_children(&mut self, node: NodeId) {
        self.next = Some(Edge::Leave(node));
    }
}

impl Iterator for Walk<'_> {
    type Item = Edge;

    #[inline]
    fn next(&mut self) -> Option<Edge> {
        let edge = self.next?;
        self.next = match edge {
            Edge::Enter(node) => Some(self.dom.first_child(node).map_or(Edge::Leave(node), Edge::Enter)),
            Edge::Leave(node) if node == self.root => None,
            Edge::Leave(node) => match self.dom.next_sibling(node) {
                Some(sibling) => Some(Edge::Enter(sibling)),
                None => self.dom.parent(node).map(Edge::Leave),
            },
        };
        Some(edge)
    }
}
