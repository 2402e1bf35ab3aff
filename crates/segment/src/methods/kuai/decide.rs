//! Which units are main text, given how likely each is.

use kuai_page::Tag;
use rustc_hash::FxHashMap;

use super::columns::LENGTH_MIN;
use super::outline::{Outline, Unit};

/// Bounds of the likelihood from which a unit is kept. Chosen on folds of the training pages, where a fixed bound of one half loses
/// a point and a half of F1.
const BOUND: (f32, f32) = (0.2, 0.5);
/// Words from which a text that stands on the page twice is kept once.
const REPEATED_WORDS_MIN: u32 = 6;
/// How much likelier the later of two equal texts must be to be the one that is kept.
const LATER_MARGIN: f32 = 0.05;
/// How likely a page is documentation from which texts are kept as often as they are there.
const DOCUMENTATION_MAX: f32 = 0.5;

/// Whether each unit is kept: those whose likelihood is above half the best F1 that can be expected of the page, which is what
/// makes the expected F1 greatest. A leaning below 0 asks for more, above 0 for less.
pub(super) fn decide(outline: &Outline, likely: &[f32], best: f32, documentation: f32, leaning: f32) -> Vec<bool> {
    let bound = (best / 2.0).clamp(BOUND.0, BOUND.1);
    let bound = if leaning < 0.0 { bound - leaning * (1.0 - bound) / 2.0 } else { bound * (1.0 - leaning / 2.0) };
    let mut kept: Vec<bool> = likely.iter().map(|&likely| likely >= bound).collect();
    if documentation < DOCUMENTATION_MAX {
        drop_repeats(outline, likely, &mut kept);
    }
    kept
}

/// The best F1 that keeping the likeliest units can be expected to have.
pub(super) fn best_expected(outline: &Outline, likely: &[f32]) -> f32 {
    let length = |index: usize| outline.units[index].text.length.max(LENGTH_MIN);
    let total: f32 = (0..likely.len()).map(|index| likely[index] * length(index)).sum();
    let mut order: Vec<usize> = (0..likely.len()).collect();
    order.sort_by(|&one, &other| likely[other].total_cmp(&likely[one]));
    let (mut best, mut hit, mut taken) = (0.0_f32, 0.0, 0.0);
    for index in order {
        hit += likely[index] * length(index);
        taken += length(index);
        best = best.max(2.0 * hit / (taken + total));
    }
    best
}

/// Of equal texts the likeliest is kept, except in code and tables.
fn drop_repeats(outline: &Outline, likely: &[f32], kept: &mut [bool]) {
    let mut first: FxHashMap<&str, usize> = FxHashMap::default();
    for (index, unit) in outline.units.iter().enumerate() {
        let words = unit.text.words;
        if !kept[index] || words < REPEATED_WORDS_MIN || may_repeat(outline, unit) {
            continue;
        }
        // The same paragraph may stand there indented by a wide space and not.
        let text = outline.text_of(unit).trim();
        let before = *first.entry(text).or_insert(index);
        if before == index {
            continue;
        }
        if likely[index] > likely[before] + LATER_MARGIN {
            kept[before] = false;
            first.insert(text, index);
        } else {
            kept[index] = false;
        }
    }
}

/// Whether a unit stands in code, or in a cell of a table or right below one.
fn may_repeat(outline: &Outline, unit: &Unit) -> bool {
    let own = &outline.elements[unit.element as usize];
    let around = &outline.elements[own.parent as usize];
    own.tag == Tag::Pre || [own, around].iter().any(|element| matches!(element.tag, Tag::Td | Tag::Th))
}
