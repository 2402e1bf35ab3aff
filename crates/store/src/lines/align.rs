//! Finds which lines of a document stand in the document before.
//!
//! Equal lines at both ends are copied. Between them, lines that are there exactly once on both sides and stand in the
//! same order are copied as well; what lies between those is changed line by line as far as both sides reach.

use std::collections::HashMap;
use std::ops::Range;

use super::Line;

/// A step from the old lines to the new ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edit {
    Copy { count: usize },
    Drop { count: usize },
    Change { old_line: usize, new_line: usize },
    Insert { from: usize, count: usize },
}

/// The steps that lead from `old` to `new`.
pub(super) fn align(old: &[Line], new: &[&[u8]]) -> Vec<Edit> {
    let mut edits = Vec::new();
    let (mut old_place, mut new_place) = (0, 0);
    let (old_middle, new_middle) = trimmed(old, new, 0..old.len(), 0..new.len());
    for (old_line, new_line) in common_lines(old, new, old_middle, new_middle) {
        fill_gap(old, new, old_place..old_line, new_place..new_line, &mut edits);
        edits.push(Edit::Copy { count: 1 });
        (old_place, new_place) = (old_line + 1, new_line + 1);
    }
    fill_gap(old, new, old_place..old.len(), new_place..new.len(), &mut edits);
    edits
}

/// What is left of two ranges without the equal lines at their ends.
fn trimmed(
    old: &[Line],
    new: &[&[u8]],
    old_range: Range<usize>,
    new_range: Range<usize>,
) -> (Range<usize>, Range<usize>) {
    let is_equal = |(old_line, new_line): &(usize, usize)| old[*old_line].text == new[*new_line];
    let before = old_range.clone().zip(new_range.clone()).take_while(is_equal).count();
    let (old_rest, new_rest) = (old_range.start + before..old_range.end, new_range.start + before..new_range.end);
    let after = old_rest.clone().rev().zip(new_rest.clone().rev()).take_while(is_equal).count();
    (old_rest.start..old_rest.end - after, new_rest.start..new_rest.end - after)
}

/// Copies the ends of a gap, changes the lines between as far as both sides have some, and drops or inserts the rest.
fn fill_gap(old: &[Line], new: &[&[u8]], old_range: Range<usize>, new_range: Range<usize>, edits: &mut Vec<Edit>) {
    let (old_middle, new_middle) = trimmed(old, new, old_range.clone(), new_range.clone());
    let (before, after) = (old_middle.start - old_range.start, old_range.end - old_middle.end);
    let changed = old_middle.len().min(new_middle.len());
    edits.push(Edit::Copy { count: before });
    let pairs = old_middle.clone().zip(new_middle.clone());
    edits.extend(pairs.map(|(old_line, new_line)| Edit::Change { old_line, new_line }));
    if old_middle.len() > changed {
        edits.push(Edit::Drop { count: old_middle.len() - changed });
    }
    if new_middle.len() > changed {
        edits.push(Edit::Insert { from: new_middle.start + changed, count: new_middle.len() - changed });
    }
    edits.push(Edit::Copy { count: after });
}

/// Pairs of equal lines that occur once on both sides, as many as stand in the same order.
fn common_lines(old: &[Line], new: &[&[u8]], old_range: Range<usize>, new_range: Range<usize>) -> Vec<(usize, usize)> {
    /// Where a line stands, or that it stands in several places.
    type Single = Option<usize>;
    let mut places: HashMap<&[u8], (Single, Single)> = HashMap::with_capacity(old_range.len());
    for line in old_range {
        places.entry(&old[line].text).and_modify(|place| place.0 = None).or_insert((Some(line), None));
    }
    let mut seen: HashMap<&[u8], u32> = HashMap::with_capacity(new_range.len());
    for line in new_range.clone() {
        *seen.entry(new[line]).or_default() += 1;
        if let Some(place) = places.get_mut(new[line]) {
            place.1 = (seen[new[line]] == 1).then_some(line);
        }
    }
    let pair = |line: usize| match places.get(new[line]) {
        Some((Some(old_line), Some(new_line))) if *new_line == line => Some((*old_line, line)),
        _ => None,
    };
    longest_rising(new_range.filter_map(pair).collect())
}

/// The longest part of the pairs, which rise on the right, that rises on the left as well.
fn longest_rising(pairs: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    // For every length of a rising part the pair that ends it lowest, and for every pair the one before it.
    let (mut ends, mut before): (Vec<usize>, Vec<Option<usize>>) = (Vec::new(), Vec::with_capacity(pairs.len()));
    for (index, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| pairs[*end].0 < pair.0);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        ends.truncate(length.max(ends.len()));
        match ends.get_mut(length) {
            Some(end) => *end = index,
            None => ends.push(index),
        }
    }
    let mut chain: Vec<(usize, usize)> =
        std::iter::successors(ends.last().copied(), |index| before[*index]).map(|index| pairs[index]).collect();
    chain.reverse();
    chain
}
