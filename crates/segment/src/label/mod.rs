//! Labels the blocks of any tree by the rules of SPCOLA: what a block holds, where it stands, what it says and what its
//! author called it.
//!
//! In go a page and a tree from any method; out comes the tree with a label on every block that had none. The same
//! page gives the same labels, in time close to linear. The order in the source stands for the order on the page, so no
//! boxes are needed.

mod decide;
mod evidence;
mod region;
mod related;
mod topic;

use kuai_page::{BlockTree, Label, Page};

pub(crate) use decide::Thresholds;

/// Labels every block that has no label yet, by SPCOLA's rules with their default thresholds.
///
/// ```
/// use kuai_page::{BlockTree, Label, Page};
///
/// let page = Page::from_html("<p>The moon is far away, as far as we know, and it is getting farther.");
/// let tree = kuai_segment::label(&page, BlockTree::from_spans([page.span()]));
/// assert_eq!(tree.blocks()[0].label, Some(Label::Main));
/// ```
pub fn label(page: &Page, tree: BlockTree) -> BlockTree {
    label_with(page, tree, &Thresholds::default())
}

/// Labels every block that has no label yet.
pub(crate) fn label_with(page: &Page, mut tree: BlockTree, thresholds: &Thresholds) -> BlockTree {
    let evidence = evidence::gather(page, &tree);
    let region = region::find(page, &evidence, thresholds);
    let mut labels = decide::decide(page, &tree, &evidence, &region, thresholds);
    related::tell_links_apart(page, &tree, &evidence, thresholds, &mut labels);
    fill_parents(&tree, &evidence, &mut labels);
    for ((_, label, _), chosen) in tree.blocks_mut().zip(labels) {
        *label = label.or(chosen);
    }
    tree
}

/// A block that shows nothing of its own is for what most of the text in it is for.
fn fill_parents(tree: &BlockTree, evidence: &evidence::Evidence, labels: &mut [Option<Label>]) {
    let mut votes: Vec<[u32; Label::ALL.len()]> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let blocks = tree.blocks();
    votes.resize(blocks.len(), [0; Label::ALL.len()]);
    let close = |open: &mut Vec<usize>, votes: &mut Vec<[u32; Label::ALL.len()]>, labels: &mut [Option<Label>]| {
        let Some(index) = open.pop() else { return };
        if let Some(label) = labels[index] {
            votes[index][label as usize] += evidence.blocks[index].characters.max(1);
        } else {
            let winner = (0..Label::ALL.len()).rev().max_by_key(|&label| votes[index][label]);
            let winner = winner.filter(|&label| votes[index][label] > 0).map(|label| Label::ALL[label]);
            labels[index] = Some(winner.unwrap_or(Label::Noise));
        }
        if let Some(&parent) = open.last() {
            let own = votes[index];
            votes[parent].iter_mut().zip(own).for_each(|(sum, vote)| *sum += vote);
        }
    };
    for (index, block) in blocks.iter().enumerate() {
        while open.len() > block.depth as usize {
            close(&mut open, &mut votes, labels);
        }
        open.push(index);
    }
    while !open.is_empty() {
        close(&mut open, &mut votes, labels);
    }
}

#[cfg(test)]
mod tests;
