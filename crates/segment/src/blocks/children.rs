//! The groups inside each group, in document order.

use super::group::Group;

pub(super) struct Children {
    /// Where the children of each group begin; one more than there are groups.
    starts: Vec<usize>,
    children: Vec<usize>,
}

impl Children {
    pub(super) fn read(groups: &[Group]) -> Children {
        let mut starts = vec![0; groups.len() + 1];
        for parent in groups.iter().filter_map(|group| group.parent) {
            starts[parent + 1] += 1;
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut next = starts.clone();
        let mut children = vec![0; groups.len().saturating_sub(1)];
        for (index, group) in groups.iter().enumerate() {
            if let Some(parent) = group.parent {
                children[next[parent]] = index;
                next[parent] += 1;
            }
        }
        Children { starts, children }
    }

    pub(super) fn of(&self, group: usize) -> &[usize] {
        &self.children[self.starts[group]..self.starts[group + 1]]
    }
}
