//! The columns that the model reads: numbers about each unit, its surroundings and its page.
//!
//! A group of columns is one file; its names and its values stand side by side there. Everything is computed in passes over
//! the outline, and copies by sorting it, so that time grows with the page and hardly faster.

mod anchors;
mod copies;
mod measures;
mod own;
mod page;
mod repeats;
mod shapes;
mod surroundings;

use kuai_page::Page;

use super::head::Head;
use super::outline::Outline;
use super::subject::Subject;
use anchors::Anchors;
use copies::Copies;
use measures::Measures;
use own::Overlap;
use repeats::Repeats;
pub(super) use shapes::{LENGTH_MIN, Shapes};
use surroundings::Surroundings;

/// Makes the names of columns and the function that writes them from one list.
macro_rules! columns {
    ($names:ident, $write:ident($($argument:ident: $kind:ty),*) { $($name:literal => $value:expr,)* }) => {
        pub(super) const $names: &[&str] = &[$($name),*];

        #[allow(clippy::too_many_arguments, reason = "a table of columns, called once")]
        fn $write($($argument: $kind,)* row: &mut Vec<f32>) {
            $(row.push($value as f32);)*
        }
    };
}
use columns;

/// The names of the columns of units, in order.
pub(super) fn unit_columns() -> Vec<&'static str> {
    [own::NAMES, surroundings::NAMES, repeats::NAMES, anchors::NAMES, shapes::NAMES].concat()
}

/// The names of the columns of pages, in order.
pub(super) fn page_columns() -> Vec<&'static str> {
    page::names()
}

/// What a page's outline and head give. The rows of units are written when they are asked for: together they would be larger than the page.
pub(super) struct Columns<'a> {
    subject: &'a Subject,
    copies: Copies,
    surroundings: Surroundings,
    repeats: Repeats,
    anchors: Anchors,
    pub(super) shapes: Shapes,
    measures: Measures,
    /// One row for the page.
    pub(super) page: Vec<f32>,
}

impl<'a> Columns<'a> {
    pub(super) fn read(page: &Page, outline: &Outline, head: &Head<'_>, subject: &'a Subject) -> Columns<'a> {
        let measures = Measures::of(outline);
        let anchors = Anchors::of(outline, subject);
        let copies = Copies::of(outline);
        let repeats = Repeats::of(outline, &measures);
        let surroundings = Surroundings::of(outline, &measures);
        let shapes = Shapes::of(outline, &measures);
        let page = page::read(page, outline, head, &measures, &repeats, &surroundings);
        Columns { subject, copies, surroundings, repeats, anchors, shapes, measures, page }
    }

    /// Adds the columns of a unit to a row.
    pub(super) fn write_unit(&self, outline: &Outline, index: usize, row: &mut Vec<f32>) {
        own::write_unit(outline, self.subject, &self.copies, index, row);
        self.surroundings.write_unit(outline, &self.measures, index, row);
        self.repeats.write_unit(outline, &self.copies, index, row);
        self.anchors.write_unit(outline, &self.measures, &self.surroundings.text, index, row);
        self.shapes.write_unit(index, row);
    }

    /// Adds the columns of a unit that the second stage sees again, but for the last, which the tables tell.
    pub(super) fn write_again(&self, outline: &Outline, index: usize, row: &mut Vec<f32>) {
        let unit = &outline.units[index];
        self.repeats.write_again(unit, row);
        row.extend([
            self.surroundings.in_holder(&self.measures, index),
            Overlap::of(unit, self.subject).title_recall,
            f32::from(self.copies.all[index]),
            self.anchors.text_since_title(&self.surroundings.text, index),
        ]);
    }

    /// The unit that says what the page's title says.
    pub(super) fn title(&self) -> Option<usize> {
        self.anchors.title()
    }
}

/// Counts and lengths are told apart by their ratio.
#[inline]
pub(super) fn log(value: f32) -> f32 {
    (1.0 + value).ln()
}
