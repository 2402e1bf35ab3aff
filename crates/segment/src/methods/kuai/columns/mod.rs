//! The columns that the model reads: numbers about each unit, its surroundings and its page.
//!
//! A group of columns is one file; its names and its values stand side by side there. Everything is computed in passes over
//! the outline, so that time grows with the page and no faster.

mod anchors;
mod measures;
mod own;
mod page;
mod repeats;
mod shapes;
mod surroundings;

use kuai_page::Page;

use super::head::Head;
use super::outline::Outline;
use measures::Measures;
pub(super) use shapes::{LENGTH_MIN, shapes};
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

/// A matrix of numbers, row by row.
#[derive(Clone, Debug, Default)]
pub(super) struct Matrix {
    pub(super) columns: usize,
    pub(super) values: Vec<f32>,
}

impl Matrix {
    pub(super) fn row(&self, index: usize) -> &[f32] {
        &self.values[index * self.columns..][..self.columns]
    }
}

/// The names of the columns of units, in order.
pub(super) fn unit_columns() -> Vec<&'static str> {
    [own::NAMES, surroundings::NAMES, repeats::NAMES, anchors::NAMES, shapes::NAMES].concat()
}

/// The names of the columns of pages, in order.
pub(super) fn page_columns() -> Vec<&'static str> {
    page::names()
}

/// What a page's outline and head give.
pub(super) struct Columns {
    /// A row a unit.
    pub(super) units: Matrix,
    /// One row for the page.
    pub(super) page: Vec<f32>,
    /// The unit that says what the page's title says.
    pub(super) title: Option<usize>,
    /// The words of the page's title.
    pub(super) title_words: Vec<u32>,
}

impl Columns {
    pub(super) fn read(page: &Page, outline: &Outline) -> Columns {
        let head = Head::read(page);
        let measures = Measures::of(outline);
        let own = own::Own::of(outline, &head);
        let repeats = repeats::Repeats::of(outline, &measures);
        let anchors = anchors::Anchors::of(outline, &own);
        let surroundings = surroundings::Surroundings::of(outline, &measures);
        let shapes = shapes::Shapes::of(outline, &measures);
        let columns = unit_columns().len();
        let mut values = Vec::with_capacity(columns * outline.units.len());
        for index in 0..outline.units.len() {
            own.write_unit(outline, index, &mut values);
            surroundings.write_unit(outline, &measures, index, &mut values);
            repeats.write_unit(outline, index, &mut values);
            anchors.write_unit(outline, &measures, index, &mut values);
            shapes.write_unit(index, &mut values);
        }
        let page = page::read(page, outline, &head, &measures, &repeats, &surroundings);
        let title_words = own.title_words;
        Columns { units: Matrix { columns, values }, page, title: anchors.title(), title_words }
    }
}

/// Counts and lengths are told apart by their ratio.
#[inline]
pub(super) fn log(value: f32) -> f32 {
    (1.0 + value).ln()
}
