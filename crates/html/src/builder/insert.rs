//! Puts nodes into the tree: at the current element, or before the table where content may not stand in it.

use super::{Builder, groups, implied_element, mark};
use crate::tokenizer::Token;
use crate::tree::{NONE, NodeData, Place, Text};
use crate::{Namespace, Span, Tag};

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

    /// Elsewhere than where the node stands in the source.
    pub(super) fn out_of_place(parent: u32, before: u32) -> Self {
        Position { parent, before, displaced: true }
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
            return Position::out_of_place(parent, open.node);
        }
        let above = index.saturating_sub(1);
        Position::out_of_place(self.open[above].node, NONE)
    }

    /// Adds a new node to the arena and the tree.
    #[inline]
    pub(super) fn insert(&mut self, mut data: NodeData, position: Position) -> u32 {
        self.put(self.tree.next_node(), &mut data, position);
        self.tree.add(data)
    }

    /// Puts a node that is in no tree at a position.
    pub(super) fn attach(&mut self, node: u32, position: Position) {
        let mut data = *self.node(node);
        self.put(node, &mut data, position);
        *self.node(node) = data;
    }

    /// Tells a node and those around it of each other.
    #[inline]
    fn put(&mut self, node: u32, data: &mut NodeData, position: Position) {
        let Position { parent, before, displaced } = position;
        let first = self.node(parent).first_child();
        // For the last place it is the first child that knows who comes before.
        let after = if before == NONE { first } else { before };
        let previous = match after {
            NONE => node,
            after => std::mem::replace(&mut self.node(after).previous, node),
        };
        match before == first {
            true => self.node(parent).set_first_child(node),
            false => self.node(previous).next = node,
        }
        data.parent = parent;
        data.next = before;
        data.previous = previous;
        if displaced {
            self.any_displaced = true;
            data.set(mark::DISPLACED);
        }
    }

    /// Takes a node with all below it out of the tree.
    pub(super) fn detach(&mut self, node: u32) {
        let NodeData { parent, previous, next, .. } = *self.node(node);
        if parent == NONE {
            return;
        }
        let first = self.node(parent).first_child();
        match node == first {
            true => self.node(parent).set_first_child(next),
            false => self.node(previous).next = next,
        }
        // Whoever comes after it, or the first child if it was the last, learns who comes before.
        match (next, node == first) {
            (NONE, true) => {}
            (NONE, false) => self.node(first).previous = previous,
            _ => self.node(next).previous = previous,
        }
        let data = self.node(node);
        data.parent = NONE;
        data.previous = NONE;
        data.next = NONE;
    }

    /// Makes all children of one node the children of another that has none.
    pub(super) fn move_children(&mut self, from: u32, to: u32) {
        let first_child = self.node(from).first_child();
        let mut child = first_child;
        while child != NONE {
            self.node(child).parent = to;
            child = self.node(child).next;
        }
        self.node(from).set_first_child(NONE);
        self.node(to).set_first_child(first_child);
    }

    /// The element of the tag being processed; it is to be the next that is added to the tree.
    #[inline]
    pub(super) fn element(&mut self, namespace: Namespace) -> NodeData {
        let mut data = NodeData::element(namespace, self.tag.tag, self.span);
        self.tree.start_next(&mut data);
        if self.tag.attributes_count > 0 {
            data.set_first_attribute(self.tag.attributes_start);
        }
        if data.tag == Tag::Unknown {
            self.tree.name_next(self.tag.name);
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
        let data = with_content(NodeData::comment(self.span), text);
        self.insert(data, position);
    }

    /// Inserts text at the current element, joining it to text that ends there.
    #[inline]
    pub(super) fn insert_text(&mut self, text: Text, span: Span) {
        let position = self.position();
        let before = match position.before {
            NONE => self.tree.last_child(position.parent),
            sibling => self.tree.previous(sibling),
        };
        if before != NONE && self.node(before).is_text() {
            self.join(before, text);
            let node = self.node(before);
            node.span = node.span.union(span);
            return;
        }
        self.insert(with_content(NodeData::text(span), text), position);
    }

    /// White space behind `</body>` becomes the body's text, but does not stretch its span.
    pub(super) fn insert_space_after_body(&mut self, text: Text) {
        self.reconstruct_formatting();
        let Some(current) = self.current() else { return };
        let last = self.tree.last_child(current.node);
        if last != NONE && self.node(last).is_text() {
            return self.join(last, text);
        }
        let position = Position { displaced: true, ..Position::last_in(current.node) };
        self.insert(with_content(NodeData::text(self.span), text), position);
    }

    /// Appends text to a text node. Each byte is copied a bounded number of times: once to the owned buffer, and
    /// once more to a string of its own where other text came in between.
    fn join(&mut self, node: u32, text: Text) {
        let tree = &mut *self.tree;
        let data = &mut tree.nodes[node as usize];
        let Some((place, held)) = data.content() else { return };
        match (place, text) {
            (Place::Source, Text::Source(span)) | (Place::Owned, Text::Owned(span)) if span.start == held.end => {
                data.set_content(place, held.union(span));
            }
            (Place::Joined, _) => {
                let piece = text.of(self.source, &tree.owned);
                tree.joined[held.start as usize].push_str(piece);
            }
            (Place::Owned, Text::Source(span)) if held.end as usize == tree.owned.len() => {
                tree.owned.push_str(span.of(self.source));
                data.set_content(place, Span::new(held.start, tree.owned.len() as u32));
            }
            (place, _) => {
                let held = if place == Place::Source { held.of(self.source) } else { held.of(&tree.owned) };
                let piece = text.of(self.source, &tree.owned);
                let mut joined = String::with_capacity((held.len() + piece.len()) * 2);
                joined.push_str(held);
                joined.push_str(piece);
                let index = tree.joined.len() as u32;
                data.set_content(Place::Joined, Span::new(index, index));
                tree.joined.push(joined);
            }
        }
    }

    /// Inserts the raw-text element of the start tag; its text follows.
    pub(super) fn insert_raw_text(&mut self) {
        self.insert_always();
        self.tokenizer.content = self.content_of(self.tag.tag);
        self.tokenizer.raw_text_in_noscript = self.as_shown && self.is_open(Tag::Noscript);
        // A noscript that holds raw text only by the caller's wish keeps its end tag's name.
        self.original_mode = self.mode;
        self.mode = super::Mode::Text;
    }

    /// Adds the attributes of the tag to an element that is there already, except those it has.
    pub(super) fn add_missing_attributes(&mut self, node: u32) {
        let (start, count) = (self.tag.attributes_start as usize, self.tag.attributes_count as usize);
        let held_first = self.node(node).first_attribute();
        let attributes = &self.tree.attributes;
        let held = attributes.of(held_first);
        let name = |attribute| self.string(attributes.name(attribute));
        let room = self.limits.attributes.saturating_sub(held.len());
        let missing: Vec<usize> = attributes
            .between(start, start + count)
            .iter()
            .zip(start..)
            .filter(|(attribute, _)| !held.iter().any(|held| name(held) == name(attribute)))
            .map(|(_, index)| index)
            .take(room)
            .collect();
        if !missing.is_empty() {
            let merged = self.tree.attributes.merge(held_first, &missing);
            self.node(node).set_first_attribute(merged);
        }
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

fn with_content(mut node: NodeData, text: Text) -> NodeData {
    match text {
        Text::Source(range) => node.set_content(Place::Source, range),
        Text::Owned(range) => node.set_content(Place::Owned, range),
    }
    node
}
