//! Finds which lines of a document stand in the document before.
//!
//! Equal lines are copied; what lies between two of them is changed line by line as far as both sides reach.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::Line;

/// A step from the old lines to the new ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edit {
    Copy { count: usize },
    Drop { count: usize },
    Change { old_line: usize, new_line: usize },
    Insert { from: usize, count: usize },
}

/// Pairs of lines, at most, among which equal ones are looked for between equal ends; beyond, documents that differ so
/// much would take too long.
const PAIRS_MAX: usize = 4_000_000;

/// The steps that lead from `old` to `new`.
pub(super) fn align(old: &[Line], new: &[&[u8]]) -> Vec<Edit> {
    let is_equal = |(old_line, new_line): &(&Line, &&[u8])| old_line.text == **new_line;
    let before = old.iter().zip(new).take_while(is_equal).count();
    let (old_rest, new_rest) = (&old[before..], &new[before..]);
    let after = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(is_equal).count();
    let (old_range, new_range) = (before..old.len() - after, before..new.len() - after);

    let mut edits = vec![Edit::Copy { count: before }];
    if old_range.len() * new_range.len() > PAIRS_MAX {
        replace(old_range, new_range, &mut edits);
    } else {
        let old_lines: Vec<&[u8]> = old[old_range].iter().map(|line| line.text.as_slice()).collect();
        for step in capture_diff_slices(Algorithm::Patience, &old_lines, &new[new_range]) {
            match step {
                DiffOp::Equal { len, .. } => edits.push(Edit::Copy { count: len }),
                _ => replace(moved(step.old_range(), before), moved(step.new_range(), before), &mut edits),
            }
        }
    }
    edits.push(Edit::Copy { count: after });
    edits
}

fn moved(range: Range<usize>, by: usize) -> Range<usize> {
    range.start + by..range.end + by
}

/// Changes lines as far as both sides have some, and drops or inserts the rest.
fn replace(old: Range<usize>, new: Range<usize>, edits: &mut Vec<Edit>) {
    let changed = old.len().min(new.len());
    let pairs = old.clone().zip(new.clone());
    edits.extend(pairs.map(|(old_line, new_line)| Edit::Change { old_line, new_line }));
    if old.len() > changed {
        edits.push(Edit::Drop { count: old.len() - changed });
    }
    if new.len() > changed {
        edits.push(Edit::Insert { from: new.start + changed, count: new.len() - changed });
    }
}
