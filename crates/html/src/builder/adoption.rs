//! The adoption agency: what an end tag of a formatting element does when blocks were opened inside the element.

use super::formatting::Entry;
use super::insert::Position;
use super::{Builder, group, mark};
use crate::tree::NONE;
use crate::{Namespace, Tag};

/// How often one end tag may go through the algorithm.
const OUTER_MAX: usize = 8;
/// How many formatting elements between the closed one and the block are kept.
const INNER_MAX: usize = 3;

impl Builder<'_, '_> {
    /// Handles an end tag (or a start tag that stands for one) of a formatting element.
    pub(super) fn adopt(&mut self, tag: Tag) {
        let Some(current) = self.current() else { return };
        if current.tag == tag && self.formatting.index_of(current.node).is_none() {
            return self.pop_ended();
        }
        for _ in 0..OUTER_MAX {
            let Some(entry_index) = self.formatting.last_of(tag) else {
                return self.any_other_end_tag(tag);
            };
            let entry = self.formatting.entries[entry_index];
            let Some(open_index) = self.open.iter().rposition(|open| open.node == entry.node) else {
                self.formatting.entries.remove(entry_index);
                return;
            };
            if !self.node_in_scope(entry.node) {
                return;
            }
            let block_index = self.open[open_index..].iter().position(|open| open.is(group::SPECIAL));
            let Some(block_index) = block_index.map(|index| open_index + index) else {
                while self.open.len() > open_index + 1 {
                    self.pop();
                }
                self.pop_ended();
                self.formatting.entries.remove(entry_index);
                return;
            };
            self.adopt_block(entry, entry_index, open_index, block_index);
        }
    }

    /// Moves the block out of the formatting element, with a copy of that element inside it.
    fn adopt_block(&mut self, entry: Entry, entry_index: usize, open_index: usize, block_index: usize) {
        let ancestor = self.open[open_index.saturating_sub(1)];
        let block = self.open[block_index].node;
        let block_start = self.tree.nodes[block as usize].span.start;
        let mut bookmark = entry_index;
        let mut last = block;
        let mut inner_count = 0;
        for node_index in (open_index + 1..block_index).rev() {
            inner_count += 1;
            let node = self.open[node_index].node;
            let listed = self.formatting.index_of(node);
            self.close_before(node, block_start);
            match listed {
                Some(index) if inner_count <= INNER_MAX => {
                    let copy = self.copy_node(self.formatting.entries[index]);
                    self.formatting.entries[index].node = copy;
                    self.open[node_index].node = copy;
                    self.node(copy).set(mark::OPEN);
                    if last == block {
                        bookmark = index + 1;
                    }
                    self.detach(last);
                    self.attach(last, Position::last_in(copy));
                    last = copy;
                }
                _ => {
                    if let Some(index) = listed {
                        self.formatting.entries.remove(index);
                        if index < bookmark {
                            bookmark -= 1;
                        }
                    }
                    self.take_off(node_index);
                }
            }
        }
        self.detach(last);
        self.attach(last, self.position_at(ancestor.node, ancestor.tag));
        let copy = self.copy_node(entry);
        self.move_children(block, copy);
        self.attach(copy, Position::last_in(block));
        self.replace_entry(entry, copy, bookmark);
        self.replace_open(entry, copy, block, block_start);
    }

    fn copy_node(&mut self, entry: Entry) -> u32 {
        let copy = self.copy_of(entry);
        self.tree.add(copy)
    }

    /// Puts the copy into the list at the bookmark, and the element itself off it.
    fn replace_entry(&mut self, entry: Entry, copy: u32, mut bookmark: usize) {
        if let Some(index) = self.formatting.index_of(entry.node) {
            self.formatting.entries.remove(index);
            if index < bookmark {
                bookmark -= 1;
            }
        }
        let bookmark = bookmark.min(self.formatting.entries.len());
        self.formatting.entries.insert(bookmark, Entry { node: copy, tag: entry.tag });
    }

    /// Takes the element off the stack and puts the copy right below the block.
    fn replace_open(&mut self, entry: Entry, copy: u32, block: u32, block_start: u32) {
        self.close_before(entry.node, block_start);
        if let Some(index) = self.open.iter().rposition(|open| open.node == entry.node) {
            self.take_off(index);
        }
        let place = self.open.iter().rposition(|open| open.node == block).map_or(self.open.len(), |index| index + 1);
        self.node(copy).set(mark::OPEN);
        self.open_counts[entry.tag as usize] += 1;
        let (tag, groups) = (entry.tag, super::groups(entry.tag));
        let open = super::Open { node: copy, tag, namespace: Namespace::Html, groups, name_key: tag as u32 };
        self.open.insert(place, open);
    }

    /// What stays in the element lies before the block, so that is where its span ends.
    fn close_before(&mut self, node: u32, block_start: u32) {
        self.node(node).unset(mark::OPEN);
        self.end_at(node, block_start);
    }

    /// Takes an element off the stack whose span is settled.
    fn take_off(&mut self, index: usize) {
        let open = self.open.remove(index);
        self.open_counts[open.tag as usize] -= 1;
    }

    /// An `<a>` closes the one before it.
    pub(super) fn close_earlier_a(&mut self) {
        let Some(index) = self.formatting.last_of(Tag::A) else { return };
        let node = self.formatting.entries[index].node;
        self.adopt(Tag::A);
        if let Some(index) = self.formatting.index_of(node) {
            self.formatting.entries.remove(index);
        }
        if node != NONE {
            self.remove_open(node);
        }
    }
}
