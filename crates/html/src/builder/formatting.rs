//! The list of active formatting elements: what `<b>` or `<font>` left open and later blocks must reopen.

use super::{Builder, implied_element, mark};
use crate::Tag;
use crate::tree::{NONE, NodeData};

/// One entry: an element, or a marker that later elements do not look past.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// [`NONE`] for a marker.
    pub(super) node: u32,
    pub(super) tag: Tag,
}

const MARKER: Entry = Entry { node: NONE, tag: Tag::Unknown };

/// The list, bounded.
#[derive(Debug)]
pub(super) struct Formatting {
    pub(super) entries: Vec<Entry>,
    limit: usize,
    limit_hit: bool,
}

impl Formatting {
    pub(super) fn new(limit: usize) -> Self {
        Formatting { entries: Vec::new(), limit, limit_hit: false }
    }

    pub(super) fn is_limit_hit(&self) -> bool {
        self.limit_hit
    }

    pub(super) fn push_marker(&mut self) {
        self.entries.push(MARKER);
    }

    /// Forgets everything up to and with the last marker.
    pub(super) fn clear_to_marker(&mut self) {
        while self.entries.pop().is_some_and(|entry| entry != MARKER) {}
    }

    /// The last element of this tag behind the last marker.
    pub(super) fn last_of(&self, tag: Tag) -> Option<usize> {
        let start = self.start();
        self.entries[start..].iter().rposition(|entry| entry.tag == tag).map(|index| start + index)
    }

    pub(super) fn index_of(&self, node: u32) -> Option<usize> {
        self.entries.iter().rposition(|entry| entry.node == node)
    }

    /// The first entry behind the last marker.
    fn start(&self) -> usize {
        self.entries.iter().rposition(|&entry| entry == MARKER).map_or(0, |index| index + 1)
    }
}

impl Builder<'_, '_> {
    /// Adds an element to the list; of more than three alike, and beyond the limit, the earliest is forgotten.
    pub(super) fn push_formatting(&mut self, node: u32) {
        let tag = self.tag.tag;
        let start = self.formatting.start();
        let mut alike_count = 0;
        let mut earliest = None;
        for (index, entry) in self.formatting.entries.iter().enumerate().skip(start) {
            if entry.tag == tag && self.is_alike(entry.node, node) {
                alike_count += 1;
                earliest = earliest.or(Some(index));
            }
        }
        if let (3.., Some(index)) = (alike_count, earliest) {
            self.formatting.entries.remove(index);
        } else if self.formatting.entries.len() - start >= self.formatting.limit {
            self.formatting.limit_hit = true;
            self.formatting.entries.remove(start);
        }
        self.formatting.entries.push(Entry { node, tag });
    }

    /// Whether two elements of one tag have the same attributes.
    fn is_alike(&self, one: u32, other: u32) -> bool {
        let attributes = &self.tree.attributes;
        let of = |node: u32| attributes.of(self.tree.nodes[node as usize].first_attribute());
        let (one, other) = (of(one), of(other));
        let read = |attribute| (self.string(attributes.name(attribute)), self.string(attributes.value(attribute)));
        one.len() == other.len()
            && one.iter().map(read).all(|attribute| other.iter().map(read).any(|candidate| candidate == attribute))
    }

    /// Reopens the formatting elements that blocks closed.
    #[inline]
    pub(super) fn reconstruct_formatting(&mut self) {
        let Some(&last) = self.formatting.entries.last() else { return };
        if !self.is_settled(last) {
            self.reopen_formatting();
        }
    }

    fn reopen_formatting(&mut self) {
        let entries = &self.formatting.entries;
        let first = entries.iter().rposition(|&entry| self.is_settled(entry)).map_or(0, |index| index + 1);
        for index in first..self.formatting.entries.len() {
            if self.at_depth_limit() {
                self.depth_hit = true;
                return;
            }
            let entry = self.formatting.entries[index];
            let copy = self.copy_of(entry);
            let node = self.insert(copy, self.position());
            self.push_html(node, entry.tag);
            self.formatting.entries[index].node = node;
        }
    }

    /// A new element like that of an entry.
    pub(super) fn copy_of(&self, entry: Entry) -> NodeData {
        let original = self.tree.nodes[entry.node as usize];
        let mut copy = implied_element(entry.tag, self.span.start);
        copy.set_first_attribute(original.first_attribute());
        copy
    }

    /// Whether an entry is a marker or open.
    fn is_settled(&self, entry: Entry) -> bool {
        entry == MARKER || self.tree.nodes[entry.node as usize].is(mark::OPEN)
    }
}
