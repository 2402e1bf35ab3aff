//! An evaluation as tables: ours, the papers' and trivial cuts' figures beside one another. Terminal and HTML show the same.

mod html;
mod svg;

use crate::measures::{Group, METRICS, Metric};
use crate::papers::published;
use crate::{Evaluation, MethodResult};

pub use html::html;

/// Figures of several methods.
#[derive(Clone, Debug)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// The names of its columns, after the one with the rows' names.
    pub columns: Vec<&'static str>,
    /// Its rows.
    pub rows: Vec<Row>,
}

/// The figures of one method.
#[derive(Clone, Debug)]
pub struct Row {
    /// Whose figures they are.
    pub name: String,
    /// Where they come from.
    pub kind: RowKind,
    /// The figures as shown; empty where there is none.
    pub cells: Vec<Cell>,
}

/// A figure in a table.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    /// As shown.
    pub text: String,
    /// Whether it is the best of our methods'.
    pub best: bool,
}

/// Where figures come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKind {
    /// Our method, on this corpus.
    Ours,
    /// A paper, on its own pages.
    Paper,
    /// A trivial cut, on this corpus.
    Baseline,
}

/// The tables of an evaluation: one for each group of metrics, then the speeds.
pub fn tables(evaluation: &Evaluation) -> Vec<Table> {
    let mut tables: Vec<Table> = evaluation.groups().into_iter().map(|group| scores(evaluation, group)).collect();
    tables.push(speeds(evaluation));
    tables
}

fn scores(evaluation: &Evaluation, group: Group) -> Table {
    let metrics: Vec<&Metric> = METRICS.iter().filter(|metric| metric.group == group).collect();
    let shown = |method: &&MethodResult| !method.is_baseline || group == Group::Blocks;
    let mut rows = Vec::new();
    for method in evaluation.methods.iter().filter(shown) {
        let cell = |metric: &&Metric| {
            let value = method.score(metric);
            let best = !method.is_baseline && value.is_some() && value == best(evaluation, metric);
            Cell { text: value.map_or(String::new(), |value| metric.shown(value)), best }
        };
        let kind = if method.is_baseline { RowKind::Baseline } else { RowKind::Ours };
        rows.push(Row { name: method.name.clone(), kind, cells: metrics.iter().map(cell).collect() });
        rows.extend(published(&method.name).filter_map(|published| {
            let figure = |metric: &&Metric| published.figures.iter().find(|(name, _)| *name == metric.name);
            let text = |metric: &&Metric| figure(metric).map_or(String::new(), |(_, value)| metric.shown(*value));
            let cells = metrics.iter().map(|metric| Cell { text: text(metric), best: false }).collect();
            metrics.iter().any(|metric| figure(metric).is_some()).then(|| Row {
                name: published.source.to_owned(),
                kind: RowKind::Paper,
                cells,
            })
        }));
    }
    Table { title: group.title().to_owned(), columns: metrics.iter().map(|metric| metric.title).collect(), rows }
}

/// The best figure of our methods, where more than one has it.
fn best(evaluation: &Evaluation, metric: &Metric) -> Option<f64> {
    let methods = evaluation.methods.iter().filter(|method| !method.is_baseline);
    let values: Vec<f64> = methods.filter_map(|method| method.score(metric)).collect();
    let best = values.iter().copied().reduce(|one, other| if metric.is_better(other, one) { other } else { one });
    best.filter(|_| values.len() > 1)
}

fn speeds(evaluation: &Evaluation) -> Table {
    let rows = evaluation.methods.iter().filter_map(|method| {
        let speed = method.speed()?;
        let figures = [
            format!("{:.2}", speed.milliseconds_mean),
            format!("{:.2}", speed.milliseconds_median),
            format!("{:.0}", speed.megabytes_per_second),
            format!("{:.0}", speed.megabytes_per_second_cut),
        ];
        let cells = figures.into_iter().map(|text| Cell { text, best: false }).collect();
        Some(Row { name: method.name.clone(), kind: RowKind::Ours, cells })
    });
    Table {
        title: "Speed on one core".to_owned(),
        columns: vec!["ms/page, mean", "ms/page, median", "MB/s with parsing", "MB/s without parsing"],
        rows: rows.collect(),
    }
}
