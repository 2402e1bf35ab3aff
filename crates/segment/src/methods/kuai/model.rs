//! The trained model: what sort of page it is, then how likely each unit is main text, in two stages.
//!
//! `training/extract.py` makes the files in `models/` from labelled pages; `training/extract-report.md` says how good they are.

use std::sync::LazyLock;

use super::columns::{self, Columns, Matrix};
use super::context;
use super::outline::Outline;
use super::tables::{self, Tables};
use crate::model::Forest;

/// The place of documentation among the types of pages: article, collection, documentation, forum, listing, product, service.
pub(super) const DOCUMENTATION: usize = 2;

/// The model that comes with the program.
pub(super) static MODEL: LazyLock<Model> = LazyLock::new(|| Model {
    types: Forest::read(include_bytes!("../../../models/types.forest")),
    tables: Tables::read(include_bytes!("../../../models/tables.bin")),
    first: Forest::read(include_bytes!("../../../models/first.forest")),
    second: Forest::read(include_bytes!("../../../models/second.forest")),
    kept: kept_columns(),
});

pub(super) struct Model {
    types: Forest,
    tables: Tables,
    first: Forest,
    second: Forest,
    /// The columns of the first stage that the second sees again.
    kept: Vec<usize>,
}

/// What the model thinks of a page.
pub(super) struct Judgement {
    /// How likely the page is of each type.
    pub(super) types: Vec<f32>,
    /// How likely each unit is main text.
    pub(super) likely: Vec<f32>,
}

impl Model {
    pub(super) fn judge(&self, outline: &Outline, columns: &Columns) -> Judgement {
        let mut types = Vec::new();
        self.types.score(&columns.page, &mut types);
        softmax(&mut types);
        let first = self.first_rows(outline, columns, &types);
        let mut likely = Vec::new();
        self.first.score(&first.values, &mut likely);
        likely.iter_mut().for_each(squash);
        let second = context::rows(outline, &first, &self.kept, &likely, &types);
        self.second.score(&second.values, &mut likely);
        likely.iter_mut().for_each(squash);
        Judgement { types, likely }
    }

    /// The columns of units, those of the tables, and how likely each type of page is.
    fn first_rows(&self, outline: &Outline, columns: &Columns, types: &[f32]) -> Matrix {
        let from_tables = self.tables.columns(outline);
        let width = columns.units.columns + tables::NAMES.len() + types.len();
        let mut values = Vec::with_capacity(width * outline.units.len());
        for (index, said) in from_tables.iter().enumerate() {
            values.extend_from_slice(columns.units.row(index));
            values.extend_from_slice(said);
            values.extend_from_slice(types);
        }
        Matrix { columns: width, values }
    }
}

fn kept_columns() -> Vec<usize> {
    let names: Vec<&str> = columns::unit_columns().into_iter().chain(tables::NAMES.iter().copied()).collect();
    let place =
        |kept: &&str| names.iter().position(|name| name == kept).expect("the second stage sees columns of the first");
    context::KEPT.iter().map(place).collect()
}

fn squash(value: &mut f32) {
    *value = 1.0 / (1.0 + (-*value).exp());
}

fn softmax(values: &mut [f32]) {
    let most = values.iter().copied().fold(f32::MIN, f32::max);
    values.iter_mut().for_each(|value| *value = (*value - most).exp());
    let sum: f32 = values.iter().sum();
    values.iter_mut().for_each(|value| *value /= sum);
}

#[cfg(test)]
mod tests {
    use kuai_page::Page;

    use super::*;

    #[test]
    fn the_model_asks_for_the_columns_that_there_are() {
        let page = Page::from_html(
            "<title>t</title><p>Some words of a text, and some more of them.<p>And a second paragraph.",
        );
        let outline = Outline::read(&page);
        let columns = Columns::read(&page, &outline);
        assert_eq!(MODEL.types.columns(), columns.page.len());
        assert_eq!(MODEL.types.columns(), columns::page_columns().len());
        let judgement = MODEL.judge(&outline, &columns);
        assert_eq!(judgement.likely.len(), 2);
        assert!(judgement.likely.iter().chain(&judgement.types).all(|likely| (0.0..=1.0).contains(likely)));
        assert!((judgement.types.iter().sum::<f32>() - 1.0).abs() < 1e-4);
    }

    #[test]
    fn a_page_without_text_is_judged_too() {
        let page = Page::from_html("<img src=x>");
        let outline = Outline::read(&page);
        assert!(MODEL.judge(&outline, &Columns::read(&page, &outline)).likely.is_empty());
    }
}
