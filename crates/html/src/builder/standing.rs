//! Questions to a tree that stands: what an element is, what is around a node and what comes after it.

use super::Builder;
use crate::Tag;
use crate::tree::{NONE, NodeData};

impl Builder<'_, '_> {
    /// The tag of an HTML element; `Foreign` for all other nodes.
    pub(super) fn html_tag(&self, node: u32) -> Tag {
        let data: &NodeData = &self.tree.nodes[node as usize];
        match data.is_element() && data.namespace() == crate::Namespace::Html {
            true => data.tag,
            false => Tag::Foreign,
        }
    }

    pub(super) fn has(&self, node: u32, name: &str) -> bool {
        self.attribute_of(node, name).is_some()
    }

    pub(super) fn attribute_of(&self, node: u32, name: &str) -> Option<&str> {
        let attributes = &self.tree.attributes;
        let first = self.tree.nodes[node as usize].first_attribute();
        let found = attributes.named(first, |text| self.string(text) == name)?;
        Some(self.string(attributes.value(found)))
    }

    pub(super) fn ancestors(&self, node: u32) -> impl Iterator<Item = u32> {
        let parent = |&node: &u32| match self.tree.nodes[node as usize].parent {
            NONE => None,
            parent => Some(parent),
        };
        std::iter::successors(parent(&node), parent)
    }

    /// The node after this one in the order of the tree, if it lies below `root`.
    pub(super) fn after(&self, node: u32, root: u32) -> Option<u32> {
        let first = self.tree.nodes[node as usize].first_child();
        if first != NONE {
            return Some(first);
        }
        let mut node = node;
        while node != root {
            let data = &self.tree.nodes[node as usize];
            if data.next != NONE {
                return Some(data.next);
            }
            node = data.parent;
        }
        None
    }
}
