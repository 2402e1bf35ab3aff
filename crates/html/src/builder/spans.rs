//! Settles the spans once the tree stands: implied elements get the union of their children's, elements that grew
//! behind their end tag get the longer span, and nodes that do not fit their parent or their order are marked moved.
//!
//! One walk, children before parents, without recursion: linear in the number of nodes.

use crate::tree::{NONE, Tree, mark};
use crate::{Origin, Span};

/// Settles all spans below the document, and tells whether the nodes were made in document order.
pub(super) fn settle(tree: &mut Tree, any_displaced: bool) {
    let mut node = 0;
    // The document itself is entered already.
    let mut entered_count = 1;
    let mut in_order = true;
    let mut enter = |node: u32| {
        in_order &= node == entered_count;
        entered_count += 1;
    };
    'walk: loop {
        // Down to the first leaf, then from leaf to parent.
        loop {
            let child = tree.nodes[node as usize].first_child();
            if child == NONE {
                break;
            }
            node = child;
            enter(node);
        }
        loop {
            settle_children(tree, node, any_displaced);
            if node == 0 {
                break 'walk;
            }
            let data = &tree.nodes[node as usize];
            if data.next != NONE {
                node = data.next;
                enter(node);
                break;
            }
            node = data.parent;
        }
    }
    tree.in_order = in_order && entered_count as usize == tree.nodes.len();
}

/// Compares the children of a node, whose own spans are settled, with the node and with each other.
fn settle_children(tree: &mut Tree, node: u32, any_displaced: bool) {
    let parent = tree.nodes[node as usize];
    if parent.first_child() == NONE {
        return;
    }
    let is_implied = parent.is_element() && parent.origin() == Origin::Implied;
    let is_loose = parent.is(mark::LOOSE);
    let lower = if is_implied { 0 } else { tree.content_start(node) };
    let end = tree.content_end(node);
    let upper = if is_implied || is_loose { u32::MAX } else { end };
    if any_displaced {
        mark_displaced(tree, node, if is_implied { u32::MAX } else { end });
    }
    let kept = keep_in_order(tree, node, lower, upper);
    if is_implied {
        if let Some(kept) = kept {
            tree.nodes[node as usize].span = kept;
        }
    } else if let Some(kept) = kept.filter(|kept| is_loose && kept.end > end) {
        tree.end(node, kept.end, kept.end);
    }
}

/// Marks as moved the displaced children that do not end before the next child that stands where it was written.
fn mark_displaced(tree: &mut Tree, node: u32, end: u32) {
    let mut next_start = end;
    let first = tree.nodes[node as usize].first_child();
    let mut child = tree.last_child(node);
    loop {
        let data = &mut tree.nodes[child as usize];
        if data.is(mark::DISPLACED) && data.span.end > next_start {
            data.set(mark::MOVED);
        } else {
            next_start = data.span.start;
        }
        if child == first {
            return;
        }
        child = data.previous;
    }
}

/// Marks as moved the children that are out of order or out of bounds; returns the union of the others.
fn keep_in_order(tree: &mut Tree, node: u32, lower: u32, upper: u32) -> Option<Span> {
    let mut cursor = lower;
    let mut start = None;
    let mut child = tree.nodes[node as usize].first_child();
    while child != NONE {
        let data = &mut tree.nodes[child as usize];
        child = data.next;
        let is_unplaced = data.is(mark::IMPLIED) && !data.is(mark::MOVED) && data.first_child() == NONE;
        if is_unplaced {
            // Nothing ties it to a place in the source, so it takes one that fits.
            let at = data.span.start.clamp(cursor, upper.max(cursor));
            data.span = Span::new(at, at);
        }
        if data.span.start < cursor || data.span.end > upper {
            data.set(mark::MOVED);
        }
        if !data.is(mark::MOVED) {
            cursor = data.span.end;
            start = start.or(Some(data.span.start));
        }
    }
    // Those that are kept follow one another.
    start.map(|start| Span::new(start, cursor))
}
