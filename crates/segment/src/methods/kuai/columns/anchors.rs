//! Columns of how a unit stands to what names the page's text: its title, its description.

use kuai_page::Tag;

use super::super::outline::Outline;
use super::super::subject::Subject;
use super::super::way::Way;
use super::measures::Measures;
use super::own::Overlap;
use super::{columns, log};

columns!(NAMES, write(title: &Relation, description: &Relation, text_since_title: f32) {
    "title_up" => title.up,
    "title_share" => title.share,
    "title_distance" => title.distance,
    "description_up" => description.up,
    "description_share" => description.share,
    "text_since_title" => text_since_title,
});

/// How a unit stands to another one.
struct Relation {
    /// Levels up to what is around both, and that element's share of the text.
    up: f32,
    share: f32,
    /// Units from there to here.
    distance: f32,
}

const NO_RELATION: Relation = Relation { up: -1.0, share: -1.0, distance: -1.0 };

/// A unit that others are measured from.
struct Anchor {
    unit: usize,
    way: Way,
}

pub(super) struct Anchors {
    title: Option<Anchor>,
    description: Option<Anchor>,
}

impl Anchors {
    pub(super) fn of(outline: &Outline, subject: &Subject) -> Anchors {
        let anchor = |unit: usize| Anchor { unit, way: Way::to(outline, outline.units[unit].element) };
        let title = best(outline, 0.25, |index| {
            let unit = &outline.units[index];
            let overlap = Overlap::of(unit, subject);
            let is_h1 = f32::from(outline.tag_of(unit) == Tag::H1);
            overlap.title_recall * overlap.title_precision + 0.25 * is_h1 - 0.3 * unit.text.link
        });
        let description = best(outline, 0.45, |index| {
            let unit = &outline.units[index];
            Overlap::of(unit, subject).description_recall * unit.text.length.min(12.0) / 12.0
        });
        Anchors { title: title.map(anchor), description: description.map(anchor) }
    }

    /// The unit that says what the page's title says.
    pub(super) fn title(&self) -> Option<usize> {
        self.title.as_ref().map(|title| title.unit)
    }

    /// The words between the title and a unit, given those before each unit.
    pub(super) fn text_since_title(&self, text_before: &[f32], index: usize) -> f32 {
        let since = |title: &Anchor| log((text_before[index] - text_before[title.unit]).max(0.0));
        self.title.as_ref().map_or(-1.0, since)
    }

    /// `text_before` tells the words before each unit.
    pub(super) fn write_unit(
        &self,
        outline: &Outline,
        measures: &Measures,
        text_before: &[f32],
        index: usize,
        row: &mut Vec<f32>,
    ) {
        let relation = |anchor: &Option<Anchor>| match anchor {
            Some(anchor) => relation(outline, measures, anchor, index),
            None => NO_RELATION,
        };
        let text_since_title = self.text_since_title(text_before, index);
        let (title, description) = (relation(&self.title), relation(&self.description));
        write(&title, &description, text_since_title, row);
    }
}

/// The unit with the highest score above a limit, the first of equals.
fn best(outline: &Outline, limit: f32, score: impl Fn(usize) -> f32) -> Option<usize> {
    let mut best = None;
    let mut highest = limit;
    for index in 0..outline.units.len() {
        let score = score(index);
        if score > highest {
            (best, highest) = (Some(index), score);
        }
    }
    best
}

fn relation(outline: &Outline, measures: &Measures, anchor: &Anchor, index: usize) -> Relation {
    let element = outline.units[index].element;
    let meeting = anchor.way.meeting(element);
    let depth = outline.elements[meeting as usize].depth;
    Relation {
        up: f32::from(outline.elements[element as usize].depth - depth),
        share: measures.at(meeting).text / measures.total,
        distance: (index as f32 - anchor.unit as f32).clamp(-60.0, 300.0),
    }
}
