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
use anchors::Anchors;
use copies::Copies;
use measures::Measures;
use own::Own;
use repeats::Repeats;
use shapes::Shapes;
pub(super) use shapes::{LENGTH_MIN, shapes};
use surroundings::Surroundings;
pub(super) use surroundings::meeting_points;

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
pub(super) struct Columns {
    own: Own,
    copies: Copies,
    surroundings: Surroundings,
    repeats: Repeats,
    anchors: Anchors,
    shapes: Shapes,
    measures: Measures,
    /// One row for the page.
    pub(super) page: Vec<f32>,
}

impl Columns {
    pub(super) fn read(page: &Page, outline: &Outline) -> Columns {
        let head = Head::read(page);
        let measures = Measures::of(outline);
        let overlaps = own::overlaps(outline, &head);
        let own = Own::of(&head, &overlaps);
        let anchors = Anchors::of(outline, &overlaps);
        drop(overlaps);
        let copies = Copies::of(outline);
        let repeats = Repeats::of(outline, &measures);
        let surroundings = Surroundings::of(outline, &measures);
        let shapes = Shapes::of(outline, &measures);
        let page = page::read(page, outline, &head, &measures, &repeats, &surroundings);
        Columns { own, copies, surroundings, repeats, anchors, shapes, measures, page }
    }

    /// Adds the columns of a unit to a row.
    pub(super) fn write_unit(&self, outline: &Outline, index: usize, row: &mut Vec<f32>) {
        self.own.write_unit(outline, &self.copies, index, row);
        self.surroundings.write_unit(outline, &self.measures, index, row);
        self.repeats.write_unit(outline, &self.copies, index, row);
        self.anchors.write_unit(outline, &self.measures, &self.surroundings.text, index, row);
        self.shapes.write_unit(index, row);
    }

    /// The unit that says what the page's title says.
    pub(super) fn title(&self) -> Option<usize> {
        self.anchors.title()
    }

    /// Words of the page, at least one.
    pub(super) fn text_length(&self) -> f32 {
        self.measures.total
    }

    /// The words of the page's title.
    pub(super) fn title_words(&self) -> &[u32] {
        &self.own.title_words
    }
}

/// Counts and lengths are told apart by their ratio.
#[inline]
pub(super) fn log(value: f32) -> f32 {
    (1.0 + value).ln()
}
