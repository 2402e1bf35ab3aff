//! The parsed document as callers read it: a tree together with its source.

use std::ops::Range;

use super::{AttributeData, NONE, NodeData, NodeId, Origin, Place, Quirks, Text, Tree};
use crate::{Namespace, NodeKind, Span, Tag};

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
    pub(super) fn new(tree: &'a Tree, source: &'a str) -> Self {
        Dom { tree, source }
    }

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
        self.node(id).kind()
    }

    /// Whether the node is an element.
    #[inline]
    pub fn is_element(self, id: NodeId) -> bool {
        self.node(id).is_element()
    }

    /// Whether the node is text.
    #[inline]
    pub fn is_text(self, id: NodeId) -> bool {
        self.node(id).is_text()
    }

    /// The tag of an HTML element; [`Tag::Foreign`] inside SVG and MathML, [`Tag::Unknown`] for names
    /// HTML does not know and for nodes that are no elements.
    #[inline]
    pub fn tag(self, id: NodeId) -> Tag {
        let node = self.node(id);
        match (node.kind(), node.namespace()) {
            (NodeKind::Element, Namespace::Html) => node.tag,
            (NodeKind::Element, _) => Tag::Foreign,
            _ => Tag::Unknown,
        }
    }

    /// The local name of an element, or the doctype's name.
    pub fn name(self, id: NodeId) -> &'a str {
        let node = self.node(id);
        match node.kind() {
            NodeKind::Element if node.tag == Tag::Unknown => self.string(self.tree.name_of(id.0)),
            NodeKind::Element => node.tag.name(),
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
        self.node(id).namespace()
    }

    /// The content of a text or comment node, entities decoded; empty for others.
    #[inline]
    pub fn text(self, id: NodeId) -> &'a str {
        match self.node(id).content() {
            None => "",
            Some((Place::Source, range)) => range.of(self.source),
            Some((Place::Owned, range)) => range.of(&self.tree.owned),
            Some((Place::Joined, range)) => &self.tree.joined[range.start as usize],
        }
    }

    /// The attributes of an element, in source order.
    pub fn attributes(self, id: NodeId) -> impl ExactSizeIterator<Item = Attribute<'a>> {
        self.attribute_data(id).iter().map(move |data| Attribute {
            name: self.string(self.tree.attributes.name(data)),
            value: self.string(self.tree.attributes.value(data)),
            span: data.span,
        })
    }

    /// The value of one attribute.
    #[inline]
    pub fn attribute(self, id: NodeId, name: &str) -> Option<&'a str> {
        let attributes = &self.tree.attributes;
        let named = attributes.named(self.node(id).first_attribute(), |text| self.string(text) == name)?;
        Some(self.string(attributes.value(named)))
    }

    #[inline]
    fn attribute_data(self, id: NodeId) -> &'a [AttributeData] {
        self.tree.attributes.of(self.node(id).first_attribute())
    }

    /// The whole node in the source: an element from its start tag to its end tag, or to where it was closed.
    #[inline]
    pub fn span(self, id: NodeId) -> Span {
        self.node(id).span
    }

    /// The start tag in the source; `None` for implied elements and nodes that are no elements.
    pub fn start_tag(self, id: NodeId) -> Option<Span> {
        let (start, end) = (self.span(id).start, self.content(id).start);
        (self.is_element(id) && start < end).then(|| Span::new(start, end))
    }

    /// The end tag in the source; `None` where the element was closed without one.
    pub fn end_tag(self, id: NodeId) -> Option<Span> {
        let (start, end) = (self.content(id).end, self.span(id).end);
        (self.is_element(id) && start < end).then(|| Span::new(start, end))
    }

    /// What lies between start tag and end tag; for nodes that are no elements, the whole span.
    pub fn content(self, id: NodeId) -> Span {
        match self.is_element(id) {
            true => Span::new(self.tree.content_start(id.0), self.tree.content_end(id.0)),
            false => self.span(id),
        }
    }

    /// Where the node came from.
    pub fn origin(self, id: NodeId) -> Origin {
        self.node(id).origin()
    }

    /// The parent; `None` for the document and for nodes taken out of the tree.
    #[inline]
    pub fn parent(self, id: NodeId) -> Option<NodeId> {
        link(self.node(id).parent)
    }

    /// The first child.
    #[inline]
    pub fn first_child(self, id: NodeId) -> Option<NodeId> {
        link(self.node(id).first_child())
    }

    /// The last child.
    pub fn last_child(self, id: NodeId) -> Option<NodeId> {
        link(self.tree.last_child(id.0))
    }

    /// The sibling before.
    pub fn previous_sibling(self, id: NodeId) -> Option<NodeId> {
        link(self.tree.previous(id.0))
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
