//! Columns of what repeats: items of one shape in a row, and text that was there before.

use rustc_hash::FxHashMap;

use super::super::outline::{Element, NOWHERE, Outline, Unit};
use super::copies::Copies;
use super::measures::Measures;
use super::{columns, log};

columns!(NAMES, write(own: &Row, best: &Row, outer: Option<&Row>, copies_before: u32) {
    "rep_own" => own.count,
    "rep_best" => best.count,
    "rep_link" => best.link,
    "item_count" => outer.map_or(-1.0, |row| row.count),
    "item_mean" => outer.map_or(-1.0, |row| log(row.mean)),
    "item_share" => outer.map_or(-1.0, |row| row.share),
    "copies_before" => copies_before,
});

/// Items in a row from which it counts as one, and the words they have on average.
const ITEMS_MIN: f32 = 3.0;
const ITEM_TEXT_MIN: f32 = 3.0;
/// Share of the outer row's text that an inner row must have to be taken instead.
const INNER_SHARE_MIN: f32 = 0.8;

/// Siblings of one shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) count: f32,
    /// Words an item on average.
    mean: f32,
    link: f32,
    /// Share of the page's text.
    pub(super) share: f32,
}

pub(super) struct Repeats {
    /// The row of each element.
    pub(super) rows: Vec<Row>,
    /// The ancestor, or element itself, whose row has most items with most text.
    best: Vec<u32>,
    /// The ancestor whose row of items has most text.
    outer: Vec<u32>,
}

impl Repeats {
    pub(super) fn of(outline: &Outline, measures: &Measures) -> Repeats {
        let rows = rows(outline, measures);
        let weight = |element: u32| {
            let row = &rows[element as usize];
            row.count * (row.mean + 1.0).sqrt()
        };
        let mut best: Vec<u32> = Vec::with_capacity(rows.len());
        let mut outer: Vec<u32> = Vec::with_capacity(rows.len());
        for (index, element) in outline.elements.iter().enumerate() {
            let own = index as u32;
            if index == 0 {
                best.push(0);
                outer.push(NOWHERE);
                continue;
            }
            let above = best[element.parent as usize];
            best.push(if above > 0 && weight(above) >= weight(own) { above } else { own });
            let row = &rows[index];
            let is_item = row.count >= ITEMS_MIN && row.mean >= ITEM_TEXT_MIN;
            let around = outer[element.parent as usize];
            let has_enough = |around: &Row| row.share >= INNER_SHARE_MIN * around.share;
            let replaces = is_item && rows.get(around as usize).is_none_or(has_enough);
            outer.push(if replaces { own } else { around });
        }
        Repeats { rows, best, outer }
    }

    pub(super) fn write_unit(&self, outline: &Outline, copies: &Copies, index: usize, row: &mut Vec<f32>) {
        let unit = &outline.units[index];
        let (best, outer) = self.around(unit);
        write(&self.rows[unit.element as usize], best, outer, copies.before[index], row);
    }

    /// Adds the columns of a unit that the second stage sees again.
    pub(super) fn write_again(&self, unit: &Unit, row: &mut Vec<f32>) {
        let (best, outer) = self.around(unit);
        row.extend([best.count, best.link]);
        row.extend(outer.map_or([-1.0; 2], |outer| [outer.count, outer.share]));
    }

    fn around(&self, unit: &Unit) -> (&Row, Option<&Row>) {
        let element = unit.element as usize;
        (&self.rows[self.best[element] as usize], self.rows.get(self.outer[element] as usize))
    }
}

/// The row of each element.
fn rows(outline: &Outline, measures: &Measures) -> Vec<Row> {
    let mut sums: FxHashMap<(u32, u32), (f32, f32, f32)> = FxHashMap::default();
    let with_text = |index: usize| measures.sums[index].units() > 0.0;
    for (index, element) in outline.elements.iter().enumerate().skip(1) {
        if with_text(index) {
            let row = sums.entry((element.parent, element.shape)).or_default();
            row.0 += 1.0;
            row.1 += measures.sums[index].text;
            row.2 += measures.sums[index].link;
        }
    }
    let alone = Row { count: 1.0, mean: 0.0, link: 0.0, share: 0.0 };
    let row_of = |(index, element): (usize, &Element)| {
        if index == 0 || !with_text(index) {
            return alone;
        }
        let (count, text, link) = sums[&(element.parent, element.shape)];
        Row { count, mean: text / count, link: link / text.max(1e-9), share: text / measures.total }
    };
    outline.elements.iter().enumerate().map(row_of).collect()
}
