//! From chances to blocks: which groups to take so that the page looks as a person would have marked it.
//!
//! A block counts as found if it or a group of nearly the same text is one. Groups are taken by the chance of that, the best
//! first, for as long as the expected balance of precision and recall grows; what nests, nests.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::ops::RangeInclusive;

use super::BlockStyle;
use super::children::Children;
use super::group::Group;

/// Twice the common text over both texts, above which two groups are nearly the same.
const NEAR_MIN: f64 = 0.8;
/// How many groups around another one can be near it. Only deep nests of hardly growing texts have more.
const NEAR_COUNT_MAX: usize = 16;
/// Chances below this are never taken.
const CHANCE_MIN: f64 = 0.03;
/// What breaks the tie of groups that are near each other, so that the likelier one is taken.
const TIE_WEIGHT: f64 = 1e-3;
/// Characters below which what lies between blocks is no block.
const FILL_CHARACTERS_MIN: u32 = 20;

/// The blocks, each a run of siblings.
pub(super) fn decode(
    groups: &[Group],
    children: &Children,
    near: &Near,
    chances: &[f64],
    style: BlockStyle,
) -> Vec<RangeInclusive<usize>> {
    let taken = choose(near, chances, style);
    let mut runs: Vec<_> = taken.iter().map(|&group| group..=group).collect();
    if style == BlockStyle::Flat {
        fill(groups, children, &taken, &mut runs);
    }
    runs
}

fn choose(near: &Near, chances: &[f64], style: BlockStyle) -> Vec<usize> {
    let mut pool = Pool::new(near, chances);
    let expected_count = chances.iter().sum::<f64>() * style.count_bias();
    let (mut hits, mut best) = (0.0, 0.0);
    let mut taken = Vec::new();
    while let Some((group, chance)) = pool.pop() {
        let balance = 2.0 * (hits + chance) / (taken.len() as f64 + 1.0 + expected_count);
        if balance < best {
            break;
        }
        best = balance;
        hits += chance;
        taken.push(group);
        pool.strike(group);
    }
    taken
}

/// The groups of nearly the same text, for each: only those around and inside it can be.
pub(super) struct Near(Vec<Vec<usize>>);

impl Near {
    pub(super) fn read(groups: &[Group]) -> Near {
        let mut near = vec![Vec::new(); groups.len()];
        for (index, group) in groups.iter().enumerate() {
            let length = f64::from(group.length());
            let is_near = |outer: usize| 2.0 * length > NEAR_MIN * (length + f64::from(groups[outer].length()));
            let mut around = group.parent;
            for _ in 0..NEAR_COUNT_MAX {
                let Some(outer) = around.filter(|&outer| is_near(outer)) else { break };
                near[index].push(outer);
                near[outer].push(index);
                around = groups[outer].parent;
            }
        }
        Near(near)
    }

    /// The chance that a group or one near it is a block.
    pub(super) fn joint(&self, group: usize, chance: impl Fn(usize) -> f64) -> f64 {
        let none = self.0[group].iter().map(|&near| 1.0 - chance(near)).product::<f64>();
        1.0 - (1.0 - chance(group)) * none
    }
}

/// The groups that are still to be had, the likeliest first.
struct Pool<'a> {
    near: &'a Near,
    /// What is left of each group's own chance: 0 once it or one near it was taken.
    left: Vec<f64>,
    /// The chance of each that it or a group near it is a block.
    joint: Vec<f64>,
    heap: BinaryHeap<Entry>,
}

impl<'a> Pool<'a> {
    fn new(near: &'a Near, chances: &[f64]) -> Pool<'a> {
        let mut pool = Pool { near, left: chances.to_vec(), joint: vec![0.0; chances.len()], heap: BinaryHeap::new() };
        for group in 0..chances.len() {
            pool.push(group);
        }
        pool
    }

    /// Puts a group in with its chance as it is now.
    fn push(&mut self, group: usize) {
        if self.left[group] > CHANCE_MIN {
            self.joint[group] = self.near.joint(group, |near| self.left[near]);
            self.heap.push(Entry { rank: self.rank(group), group });
        }
    }

    fn rank(&self, group: usize) -> f64 {
        self.joint[group] + TIE_WEIGHT * self.left[group]
    }

    fn pop(&mut self) -> Option<(usize, f64)> {
        while let Some(Entry { rank, group }) = self.heap.pop() {
            // What was struck, or was pushed again with another chance, is an old entry.
            if self.left[group] > 0.0 && rank == self.rank(group) {
                return Some((group, self.joint[group]));
            }
        }
        None
    }

    /// Takes a group out together with those near it.
    fn strike(&mut self, group: usize) {
        let all = self.near;
        self.left[group] = 0.0;
        for &near in &all.0[group] {
            self.left[near] = 0.0;
        }
        for &near in &all.0[group] {
            for &other in &all.0[near] {
                self.push(other);
            }
        }
    }
}

/// By rank; of equal ones the first in the document is the greater.
struct Entry {
    rank: f64,
    group: usize,
}

impl Ord for Entry {
    fn cmp(&self, other: &Entry) -> Ordering {
        self.rank.total_cmp(&other.rank).then_with(|| other.group.cmp(&self.group))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Entry) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Entry) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Entry {}

/// Adds every run of shown siblings with no block in or around it.
fn fill(groups: &[Group], children: &Children, taken: &[usize], runs: &mut Vec<RangeInclusive<usize>>) {
    let mut is_covered = vec![false; groups.len()];
    let mut holds_block = vec![false; groups.len()];
    for &group in taken {
        is_covered[group] = true;
        holds_block[group] = true;
    }
    for index in (0..groups.len()).rev() {
        if let Some(parent) = groups[index].parent.filter(|_| holds_block[index]) {
            holds_block[parent] = true;
        }
    }
    for index in 0..groups.len() {
        is_covered[index] |= groups[index].parent.is_some_and(|parent| is_covered[parent]);
        if is_covered[index] || !holds_block[index] {
            continue;
        }
        let is_free = |child: usize| !holds_block[child] && !groups[child].is_hidden;
        for run in children.of(index).chunk_by(|&one, &other| is_free(one) && is_free(other)) {
            let (first, last) = (run[0], run[run.len() - 1]);
            let characters = groups[last].text.end - groups[first].text.start;
            if is_free(first) && characters >= FILL_CHARACTERS_MIN {
                runs.push(first..=last);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use kuai_page::Page;

    use super::*;
    use crate::blocks::group::groups;

    /// `chances` are those of the groups in document order, the body first.
    fn check(source: &str, chances: &[f64], style: BlockStyle, expected: &[&str]) {
        let page = Page::from_html(source);
        let groups = groups(&page);
        assert_eq!(groups.len(), chances.len(), "a chance for every group");
        let (children, near) = (Children::read(&groups), Near::read(&groups));
        let mut runs = decode(&groups, &children, &near, chances, style);
        runs.sort_by_key(|run| (*run.start(), std::cmp::Reverse(*run.end())));
        let span = |group: usize| page.dom().span(groups[group].outer);
        let found: Vec<_> =
            runs.iter().map(|run| &source[span(*run.start()).start as usize..span(*run.end()).end as usize]).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn of_groups_with_nearly_the_same_text_the_likelier_is_taken() {
        let inner = "<p>words enough to be nearly all</p>";
        let source = format!("<body><div>{inner}<b>!</b></div><i>another part of this page</i></body>");
        check(&source, &[0.0, 0.4, 0.5, 0.0, 0.0], BlockStyle::Nested, &[inner]);
    }

    #[test]
    fn a_likely_part_of_a_likely_block_is_a_block_in_it() {
        let part = "<p>a part</p>";
        let whole = format!("<div>{part}<p>and another part of it</p></div>");
        let source = format!("<body>{whole}<p>the rest of the page, which nobody marked</p></body>");
        check(&source, &[0.0, 0.9, 0.9, 0.1, 0.1], BlockStyle::Nested, &[&whole, part]);
    }

    #[test]
    fn only_flat_blocks_leave_nothing_between_them() {
        let rest = "<p>what nobody was sure of,</p><p>in two paragraphs</p>";
        let taken = "<p>a block for certain</p>";
        let source = format!("<body>{taken}{rest}{taken}<p>short</p></body>");
        let chances = [0.0, 0.9, 0.1, 0.1, 0.9, 0.1];
        check(&source, &chances, BlockStyle::Nested, &[taken, taken]);
        check(&source, &chances, BlockStyle::Flat, &[taken, rest, taken]);
    }
}
