//! Columns of where a unit stands: the elements around it, the place of most text, the units beside it.

use kuai_page::Tag;

use super::super::names::around;
use super::super::outline::{NOWHERE, Outline};
use super::super::way::Way;
use super::measures::{Measures, Sums};
use super::{columns, log};

columns!(NAMES, write(s: &Surroundings, m: &Measures, e: &Nest<'_>, place: usize) {
    "p_link" => ratio(e.own.link, e.own.text),
    "p_long" => ratio(e.own.long, e.own.text),
    "g_text" => log(e.second.text),
    "g_link" => ratio(e.second.link, e.second.text),
    "g_long" => ratio(e.second.long, e.second.text),
    "gg_text" => log(e.third.text),
    "gg_long" => ratio(e.third.long, e.third.text),
    "gg_share" => e.third.text / m.total,
    "a5_share" => e.fifth.text / m.total,
    "s_text" => e.semantic.map_or(-1.0, |sums| log(sums.text)),
    "s_link" => e.semantic.map_or(-1.0, |sums| ratio(sums.link, sums.text)),
    "s_marks" => e.semantic.map_or(-1.0, |sums| ratio(sums.marks, sums.text)),
    "s_units" => e.semantic.map_or(-1.0, |sums| log(sums.units())),
    "from_h1" => s.first_h1.map_or(-99.0, |h1| (place as f32 - h1 as f32).clamp(-50.0, 200.0)),
    "up_to_path" => e.up_to_path,
    "path_to_holder" => e.path_to_holder,
    "in_holder" => s.in_holder(m, place),
    "in_text_holder" => s.place_in(m.at(s.text_holder), place),
    "in_most_holder" => s.place_in(m.at(s.most_holder), place),
    "w4_link" => ratio(s.window(&s.link, place, 4), s.window(&s.text, place, 4)),
    "w12_link" => ratio(s.window(&s.link, place, 12), s.window(&s.text, place, 12)),
});

fn ratio(part: f32, whole: f32) -> f32 {
    part / whole.max(1e-9)
}

/// The elements around a unit.
struct Nest<'m> {
    own: &'m Sums,
    second: &'m Sums,
    third: &'m Sums,
    fifth: &'m Sums,
    /// The nearest article or main.
    semantic: Option<&'m Sums>,
    /// Levels to the first element on the path to the holder, and from there to the holder.
    up_to_path: f32,
    path_to_holder: f32,
}

/// What must be known of the page before its units are described.
pub(super) struct Surroundings {
    count: usize,
    /// Sums before each unit, and of all.
    pub(super) text: Vec<f32>,
    link: Vec<f32>,
    /// The least elements with half of the long text, half of all text, and four fifths of the long text.
    pub(super) holder: u32,
    pub(super) text_holder: u32,
    most_holder: u32,
    to_holder: Way,
    /// The nearest article or main, by element.
    semantic: Vec<u32>,
    first_h1: Option<usize>,
}

impl Surroundings {
    pub(super) fn of(outline: &Outline, measures: &Measures) -> Surroundings {
        let holder = measures.holder(outline, 0.5, |sums| sums.long);
        let units = &outline.units;
        Surroundings {
            count: units.len(),
            text: running(units.iter().map(|unit| unit.text.length)),
            link: running(units.iter().map(|unit| unit.text.length * unit.text.link)),
            holder,
            text_holder: measures.holder(outline, 0.5, |sums| sums.text),
            most_holder: measures.holder(outline, 0.8, |sums| sums.long),
            to_holder: Way::to(outline, holder),
            semantic: nearest_semantic(outline),
            first_h1: units.iter().position(|unit| outline.tag_of(unit) == Tag::H1),
        }
    }

    pub(super) fn write_unit(&self, outline: &Outline, measures: &Measures, index: usize, row: &mut Vec<f32>) {
        let unit = &outline.units[index];
        let own = unit.element;
        let second = outline.parent(own);
        let third = outline.parent(second);
        let fifth = outline.parent(outline.parent(third));
        let depth_of = |element: u32| outline.elements[element as usize].depth;
        let meeting = self.to_holder.meeting(own);
        let element = &outline.elements[own as usize];
        let nest = Nest {
            own: measures.at(own),
            second: measures.at(second),
            third: measures.at(third),
            fifth: measures.at(fifth),
            semantic: measures.sums.get(self.semantic[own as usize] as usize),
            up_to_path: f32::from(element.depth - depth_of(meeting)),
            path_to_holder: f32::from(depth_of(self.holder) - depth_of(meeting)),
        };
        write(self, measures, &nest, index, row);
    }

    /// The place of a unit in what holds half of the long text.
    pub(super) fn in_holder(&self, measures: &Measures, index: usize) -> f32 {
        self.place_in(measures.at(self.holder), index)
    }

    fn place_in(&self, holder: &Sums, index: usize) -> f32 {
        (index as f32 - holder.first as f32) / (holder.end as f32 - holder.first as f32).max(1.0)
    }

    fn window(&self, running: &[f32], index: usize, reach: usize) -> f32 {
        running[(index + reach + 1).min(self.count)] - running[index.saturating_sub(reach)]
    }
}

/// Sums before each value, and of all.
fn running(values: impl Iterator<Item = f32>) -> Vec<f32> {
    let mut sum = 0.0;
    let mut sums = vec![0.0];
    sums.extend(values.map(|value| {
        sum += value;
        sum
    }));
    sums
}

fn nearest_semantic(outline: &Outline) -> Vec<u32> {
    let mut nearest: Vec<u32> = Vec::with_capacity(outline.elements.len());
    for (index, element) in outline.elements.iter().enumerate() {
        let parent = nearest.get(element.parent as usize).copied().unwrap_or(NOWHERE);
        let parent_around = if index == 0 { 0 } else { outline.elements[element.parent as usize].around };
        let begins = element.around & !parent_around & (around::ARTICLE | around::MAIN) != 0
            || matches!(element.tag, Tag::Article | Tag::Main);
        nearest.push(if begins { index as u32 } else { parent });
    }
    nearest
}
