//! Units to groups: main text in runs, the rest as it stands together in the page.

use std::ops::Range;

use kuai_page::Span;
use rustc_hash::FxHashMap;

use super::outline::Outline;

/// Units that a group of other text should have; fewer are part of what is around them.
const UNITS_MIN: u32 = 3;
/// Like elements side by side that make a row.
const ITEMS_MIN: u32 = 3;
/// Characters of a line that is taken for the heading of what follows it, at most.
const HEADING_CHARACTERS_MAX: u32 = 24;

/// Neighbouring units that are one block.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) units: Range<usize>,
    pub(super) span: Span,
    pub(super) is_main: bool,
}

/// The groups of a page, in order. A title that is no main text is one by itself: what stands beside it is about it.
pub(super) fn groups(outline: &Outline, kept: &[bool], title: Option<usize>) -> Vec<Group> {
    let holders = holders(outline, kept);
    let title = title.filter(|&title| !kept[title]);
    let is_border = |index: usize| title.is_some_and(|title| index == title || index == title + 1);
    grouped(outline, kept, |element| holders[element as usize], is_border)
}

/// The same groups of main text, and all that stands between two of them as one.
pub(super) fn runs(outline: &Outline, kept: &[bool]) -> Vec<Group> {
    grouped(outline, kept, |_| 0, |_| false)
}

/// Units of main text side by side, and others side by side that are of one holder.
fn grouped(
    outline: &Outline,
    kept: &[bool],
    holder_of: impl Fn(u32) -> u32,
    is_border: impl Fn(usize) -> bool,
) -> Vec<Group> {
    let is_next = next_in_source(outline);
    let mut groups: Vec<Group> = Vec::new();
    let mut before = None;
    let mut is_heading = false;
    for (index, unit) in outline.units.iter().enumerate() {
        let holder = if kept[index] { None } else { Some(holder_of(unit.element)) };
        match groups.last_mut() {
            // Text that was moved stands elsewhere in the source: a span from here to there would hold what is in neither.
            Some(group)
                if group.is_main == kept[index]
                    && (before == Some(holder) || is_heading)
                    && is_next[index]
                    && !is_border(index) =>
            {
                group.units.end = index + 1;
                group.span = group.span.union(unit.span);
                is_heading = false;
            }
            _ => {
                groups.push(Group { units: index..index + 1, span: unit.span, is_main: kept[index] });
                is_heading = unit.text.characters <= HEADING_CHARACTERS_MAX && unit.text.link == 0.0;
            }
        }
        before = Some(holder);
    }
    groups
}

/// Whether each unit is the next in the source, too, after the one before it.
fn next_in_source(outline: &Outline) -> Vec<bool> {
    let start = |index: usize| outline.units[index].span.start;
    let mut order: Vec<usize> = (0..outline.units.len()).collect();
    // It is sorted already but where text was moved, so this is close to free.
    order.sort_by_key(|&index| start(index));
    let mut is_next = vec![false; order.len()];
    for pair in order.windows(2) {
        is_next[pair[1]] = pair[0] + 1 == pair[1] && outline.units[pair[0]].span.end <= start(pair[1]);
    }
    is_next
}

/// The element that a unit's group is all of, by element: the outermost row of like elements that it stands in, else the first on the
/// way up with enough units; as far as no main text is in it.
fn holders(outline: &Outline, kept: &[bool]) -> Vec<u32> {
    let mut units = vec![0_u32; outline.elements.len()];
    let mut has_main = vec![false; outline.elements.len()];
    for (unit, &kept) in outline.units.iter().zip(kept) {
        units[unit.element as usize] += 1;
        has_main[unit.element as usize] |= kept;
    }
    for index in (1..outline.elements.len()).rev() {
        let parent = outline.elements[index].parent as usize;
        units[parent] += units[index];
        has_main[parent] |= has_main[index];
    }
    // Of each row its first element and how many there are.
    let mut rows: FxHashMap<(u32, u32), (u32, u32)> = FxHashMap::default();
    for (index, element) in outline.elements.iter().enumerate().filter(|&(index, _)| units[index] > 0) {
        rows.entry((element.parent, element.shape)).or_insert((index as u32, 0)).1 += 1;
    }
    let mut holders: Vec<u32> = Vec::with_capacity(outline.elements.len());
    let mut in_row: Vec<bool> = Vec::with_capacity(outline.elements.len());
    for (index, element) in outline.elements.iter().enumerate() {
        let own = index as u32;
        let parent = element.parent as usize;
        let (first, count) = rows.get(&(element.parent, element.shape)).copied().unwrap_or((own, 1));
        let is_item = count >= ITEMS_MIN && !has_main[index];
        let is_in_row = index > 0 && in_row[parent];
        holders.push(match () {
            () if is_in_row => holders[parent],
            () if index == 0 || !(is_item || units[index] < UNITS_MIN) => own,
            // Beside main text a row is a group, elsewhere all that stands together.
            () if has_main[parent] => first,
            () => holders[parent],
        });
        in_row.push(is_in_row || is_item);
    }
    holders
}
