//! Which block a place of the source lies in: the innermost one, found in logarithmic time.

use kuai_page::{BlockTree, Span};

/// The innermost block at any place of the source.
pub(crate) struct Places {
    /// From each place on, up to the next, this block is the innermost.
    changes: Vec<(u32, Option<u32>)>,
}

impl Places {
    /// Looks at every block once.
    pub(crate) fn of(tree: &BlockTree) -> Places {
        let mut changes = Vec::with_capacity(tree.blocks().len() * 2);
        let mut open: Vec<(Span, u32)> = Vec::new();
        for (index, block) in tree.blocks().iter().enumerate() {
            close_until(&mut open, &mut changes, block.span.start);
            changes.push((block.span.start, Some(index as u32)));
            open.push((block.span, index as u32));
        }
        close_until(&mut open, &mut changes, u32::MAX);
        Places { changes }
    }

    /// The index of the innermost block here.
    pub(crate) fn at(&self, place: u32) -> Option<usize> {
        let next = self.changes.partition_point(|(start, _)| *start <= place);
        next.checked_sub(1).and_then(|index| self.changes[index].1).map(|block| block as usize)
    }
}

fn close_until(open: &mut Vec<(Span, u32)>, changes: &mut Vec<(u32, Option<u32>)>, place: u32) {
    while let Some((span, _)) = open.pop_if(|(span, _)| span.end <= place) {
        changes.push((span.end, open.last().map(|&(_, index)| index)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_block_is_found_and_nothing_outside_all() {
        let tree = BlockTree::from_spans([Span::new(2, 10), Span::new(4, 6), Span::new(6, 8)]);
        let places = Places::of(&tree);
        let found: Vec<_> = [0, 2, 4, 5, 6, 8, 9, 10].map(|place| places.at(place)).to_vec();
        assert_eq!(found, [None, Some(0), Some(1), Some(1), Some(2), Some(0), Some(0), None]);
    }
}
