//! Puts nodes into the tree: at the current element, or before the table where content may not stand in it.

use super::{Builder, groups, implied_element, mark};
use crate::tokenizer::Token;
use crate::tree::{NONE, NodeData, Place, Text};
use crate::{Namespace, NodeKind, Span, Tag};

/// Where a node goes: as the last child, or before a child.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position {
    parent: u32,
    /// [`NONE`] for the last place.
    before: u32,
    displaced: bool,
}

impl Position {
    pub(super) fn last_in(parent: u32) -> Self {
        Position { parent, before: NONE, displaced: false }
    }
}

impl Builder<'_, '_> {
    /// "The appropriate place for inserting a node", at the current element.
    #[inline]
    pub(super) fn position(&self) -> Position {
        match self.current() {
            Some(open) if self.foster_parenting && open.is(super::group::FOSTERS) => self.foster_position(),
            Some(open) => Position::last_in(open.node),
            None => Position::last_in(0),
        }
    }

    /// The same for an element other than the current one.
    pub(super) fn position_at(&self, node: u32, tag: Tag) -> Position {
        match self.foster_parenting && groups(tag) & super::group::FOSTERS != 0 {
            true => self.foster_position(),
            false => Position::last_in(node),
        }
    }

    /// Before the innermost table, or where a template is nearer, in that.
    fn foster_position(&self) -> Position {
        let is_bound = |tag| matches!(tag, Tag::Table | Tag::Template);
        let Some(index) = self.open.iter().rposition(|open| is_bound(open.tag)) else {
            return Position::last_in(self.open.first().map_or(0, |root| root.node));
        };
        let open = self.open[index];
        if open.tag == Tag::Template {
            return Position::last_in(open.node);
        }
        let parent = self.tree.nodes[open.node as usize].parent;
        if parent != NONE {
            return Position { parent, before: open.node, displaced: true };
        }
        let above = index.saturating_sub(1);
        Position { parent: self.open[above].node, before: NONE, displaced: true }
    }

    /// Adds a new node to the arena and the tree.
    #[inline]
    pub(super) fn insert(&mut self, mut data: NodeData, position: Position) -> u32 {
        let node = self.tree.nodes.len() as u32;
        if position.displaced {
            data.marks |= mark::DISPLACED;
        }
        data.parent = position.parent;
        data.next = position.before;
        let nodes = &mut self.tree.nodes;
        let previous = match position.before {
            NONE => std::mem::replace(&mut nodes[position.parent as usize].last_child, node),
            before => std::mem::replace(&mut nodes[before as usize].previous, node),
        };
        data.previous = previous;
        match previous {
            NONE => nodes[position.parent as usize].first_child = node,
            _ => nodes[previous as usize].next = node,
        }
        nodes.push(data);
        node
    }

    /// Puts a node that is in no tree at a position.
    pub(super) fn attach(&mut self, node: u32, position: Position) {
        let previous = match position.before {
            NONE => std::mem::replace(&mut self.node(position.parent).last_child, node),
            before => std::mem::replace(&mut self.node(before).previous, node),
        };
        match previous {
            NONE => self.node(position.parent).first_child = node,
            _ => self.node(previous).next = node,
        }
        let data = self.node(node);
        data.parent = position.parent;
        data.next = position.before;
        data.previous = previous;
        if position.displaced {
            data.marks |= mark::DISPLACED;
        }
    }

    /// Takes a node with all below it out of the tree.
    pub(super) fn detach(&mut self, node: u32) {
        let NodeData { parent, previous, next, .. } = *self.node(node);
        if parent == NONE {
            return;
        }
        match previous {
            NONE => self.node(parent).first_child = next,
            _ => self.node(previous).next = next,
        }
        match next {
            NONE => self.node(parent).last_child = previous,
            _ => self.node(next).previous = previous,
        }
        let data = self.node(node);
        data.parent = NONE;
        data.previous = NONE;
        data.next = NONE;
    }

    /// Makes all children of one node the last children of another that has none.
    pub(super) fn move_children(&mut self, from: u32, to: u32) {
        let NodeData { first_child, last_child, .. } = *self.node(from);
        let mut child = first_child;
        while child != NONE {
            self.node(child).parent = to;
            child = self.node(child).next;
        }
        let source = self.node(from);
        source.first_child = NONE;
        source.last_child = NONE;
        let target = self.node(to);
        target.first_child = first_child;
        target.last_child = last_child;
    }

    /// The element of the tag being processed, in no tree yet.
    #[inline]
    pub(super) fn element(&mut self, namespace: Namespace) -> NodeData {
        let mut data = NodeData::new(NodeKind::Element, self.span);
        data.first = self.span.end;
        data.tag = self.tag.tag;
        data.namespace = namespace;
        data.attributes_start = self.tag.attributes_start;
        data.attributes_count = self.tag.attributes_count;
        if data.tag == Tag::Unknown {
            data.name = self.tree.names.len() as u32;
            self.tree.names.push(self.tag.name);
        }
        data
    }

    /// Inserts the element of the start tag without opening it.
    #[inline]
    pub(super) fn insert_leaf(&mut self) -> u32 {
        let data = self.element(Namespace::Html);
        self.insert(data, self.position())
    }

    /// Inserts the element of the start tag and opens it; `None` if it is too deep to be opened.
    #[inline]
    pub(super) fn insert_element(&mut self) -> Option<u32> {
        let node = self.insert_leaf();
        if self.at_depth_limit() {
            self.depth_hit = true;
            self.overflow.push(self.tag.tag);
            return None;
        }
        self.push_html(node, self.tag.tag);
        Some(node)
    }

    /// As `insert_element`, for elements that rules rely on to be open: those of a table, the root, raw text.
    /// They cannot nest without an element that the depth limit counts.
    pub(super) fn insert_always(&mut self) -> u32 {
        let node = self.insert_leaf();
        self.push_html(node, self.tag.tag);
        node
    }

    /// Inserts and opens an element that has no start tag.
    pub(super) fn insert_implied(&mut self, tag: Tag) -> u32 {
        let node = self.insert(implied_element(tag, self.span.start), self.position());
        self.push_html(node, tag);
        node
    }

    /// Inserts a comment at the current element.
    pub(super) fn insert_comment(&mut self, text: Text) {
        self.insert_comment_at(text, self.position());
    }

    /// Inserts a comment somewhere else.
    pub(super) fn insert_comment_at(&mut self, text: Text, position: Position) {
        let data = text_node(NodeKind::Comment, text, self.span);
        self.insert(data, position);
    }

    /// Inserts text at the current element, joining it to text that ends there.
    #[inline]
    pub(super) fn insert_text(&mut self, text: Text, span: Span) {
        let position = self.position();
        let before = match position.before {
            NONE => self.node(position.parent).last_child,
            sibling => self.node(sibling).previous,
        };
        if before != NONE && self.node(before).kind == NodeKind::Text {
            self.join(before, text);
            let node = self.node(before);
            node.span = node.span.union(span);
            return;
        }
        self.insert(text_node(NodeKind::Text, text, span), position);
    }

    /// White space behind `</body>` becomes the body's text, but does not stretch its span.
    pub(super) fn insert_space_after_body(&mut self, text: Text) {
        self.reconstruct_formatting();
        let Some(current) = self.current() else { return };
        let last = self.node(current.node).last_child;
        if last != NONE && self.node(last).kind == NodeKind::Text {
            return self.join(last, text);
        }
        let position = Position { displaced: true, ..Position::last_in(current.node) };
        self.insert(text_node(NodeKind::Text, text, self.span), position);
    }

    /// Appends text to a text node. Each byte is copied a bounded number of times: once to the owned buffer, and
    /// once more to a string of its own where other text came in between.
    fn join(&mut self, node: u32, text: Text) {
        let tree = &mut *self.tree;
        let data = &mut tree.nodes[node as usize];
        match (data.place, text) {
            (Place::Source, Text::Source(span)) if span.start == data.second => data.second = span.end,
            (Place::Owned, Text::Owned(span)) if span.start == data.second => data.second = span.end,
            (Place::Joined, _) => {
                let piece = text.of(self.source, &tree.owned);
                tree.joined[data.first as usize].push_str(piece);
            }
            (Place::Owned, Text::Source(span)) if data.second as usize == tree.owned.len() => {
                tree.owned.push_str(span.of(self.source));
                data.second = tree.owned.len() as u32;
            }
            (place, _) => {
                let range = data.first as usize..data.second as usize;
                let held = if place == Place::Source { &self.source[range] } else { &tree.owned[range] };
                let piece = text.of(self.source, &tree.owned);
                let mut joined = String::with_capacity((held.len() + piece.len()) * 2);
                joined.push_str(held);
                joined.push_str(piece);
                data.place = Place::Joined;
                data.first = tree.joined.len() as u32;
                tree.joined.push(joined);
            }
        }
    }

    /// Inserts the raw-text element of the start tag; its text follows.
    pub(super) fn insert_raw_text(&mut self) {
        self.insert_always();
        self.tokenizer.content = self.content_of(self.tag.tag);
        // A noscript that holds raw text only by the caller's wish keeps its end tag's name.
        self.original_mode = self.mode;
        self.mode = super::Mode::Text;
    }

    /// Adds the attributes of the tag to an element that is there already, except those it has.
    pub(super) fn add_missing_attributes(&mut self, node: u32) {
        let (start, count) = (self.tag.attributes_start as usize, self.tag.attributes_count as usize);
        let held = *self.node(node);
        let held_range = held.attributes_start as usize..(held.attributes_start + held.attributes_count) as usize;
        let name = |index: usize| self.tree.attributes[index].name().of(self.source, &self.tree.owned);
        let room = self.limits.attributes.saturating_sub(held_range.len());
        let missing: Vec<usize> = (start..start + count)
            .filter(|&index| !held_range.clone().any(|held| name(held) == name(index)))
            .take(room)
            .collect();
        if missing.is_empty() {
            return;
        }
        let attributes = &mut self.tree.attributes;
        let merged_start = attributes.len();
        attributes.extend_from_within(held_range);
        for index in missing {
            attributes.push(attributes[index]);
        }
        let merged_count = (attributes.len() - merged_start) as u32;
        let element = self.node(node);
        element.attributes_start = merged_start as u32;
        element.attributes_count = merged_count;
    }

    /// Whether the token is a start tag of one of these names.
    #[inline]
    pub(super) fn is_start(&self, token: Token, tags: &[Tag]) -> bool {
        token == Token::StartTag && tags.contains(&self.tag.tag)
    }

    /// Whether the token is an end tag of one of these names.
    #[inline]
    pub(super) fn is_end(&self, token: Token, tags: &[Tag]) -> bool {
        token == Token::EndTag && tags.contains(&self.tag.tag)
    }
}

fn text_node(kind: NodeKind, text: Text, span: Span) -> NodeData {
    let mut data = NodeData::new(kind, span);
    let (place, range) = match text {
        Text::Source(range) => (Place::Source, range),
        Text::Owned(range) => (Place::Owned, range),
    };
    data.place = place;
    data.first = range.start;
    data.second = range.end;
    data
}
