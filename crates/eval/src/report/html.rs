//! An evaluation as one self-contained HTML page: tables, plots and the worst pages. No script, nothing fetched.

use std::fmt::Write;

use super::svg::{Bar, bars, strips};
use super::{RowKind, Table, tables};
use crate::measures::{Group, METRICS, Metric, metric};
use crate::papers::published;
use crate::{Evaluation, MethodResult, PageResult};

/// Writes the report, with this many of the worst pages of each method.
pub fn html(evaluation: &Evaluation, worst_count: usize) -> String {
    let title = format!("kuai eval: {}", evaluation.set);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<header>\n<h1>{}</h1>\n<p>{} pages, {} methods. Rows in grey are what the \
         papers report on their own pages, or cuts that know nothing of the page.</p>\n</header>\n<main>\n",
        escaped(&title),
        escaped(&evaluation.set),
        evaluation.page_count,
        evaluation.methods.iter().filter(|method| !method.is_baseline).count(),
    );
    for table in tables(evaluation) {
        write_table(&mut page, &table);
    }
    write_plots(&mut page, evaluation);
    write_types(&mut page, evaluation);
    write_worst(&mut page, evaluation, worst_count);
    write_faults(&mut page, evaluation);
    page.push_str("</main>\n</body>\n</html>\n");
    page
}

const STYLE: &str = include_str!("report.css");

/// Text that can stand in an element or a quoted attribute.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#39;")
}

fn write_table(page: &mut String, table: &Table) {
    let _ = write!(page, "<section>\n<h2>{}</h2>\n<div class=\"scroll\"><table>\n<tr><th></th>", escaped(&table.title));
    for column in &table.columns {
        let _ = write!(page, "<th>{}</th>", escaped(column));
    }
    page.push_str("</tr>\n");
    for row in &table.rows {
        let class = match row.kind {
            RowKind::Ours => "ours",
            RowKind::Paper => "paper",
            RowKind::Baseline => "baseline",
        };
        let _ = write!(page, "<tr class=\"{class}\"><th scope=\"row\">{}</th>", escaped(&row.name));
        for cell in &row.cells {
            let class = if cell.best { " class=\"best\"" } else { "" };
            let _ = write!(page, "<td{class}>{}</td>", escaped(&cell.text));
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</table></div>\n</section>\n");
}

/// Metrics that get bars: those that one would quote.
const PLOTTED: &[&str] = &[
    "noise_removed",
    "noise_links_removed",
    "content_kept",
    "related_kept",
    "rates_mean",
    "word_f",
    "shingle_f",
    "snippet_f",
    "exact_f",
    "fuzzy_f",
    "bcubed_f",
];

fn write_plots(page: &mut String, evaluation: &Evaluation) {
    page.push_str("<section>\n<h2>By metric</h2>\n<p>A stroke across a bar is what the method's paper reports.</p>\n<div class=\"plots\">\n");
    for metric in PLOTTED.iter().filter_map(|name| metric(name)) {
        let rows: Vec<Bar<'_>> = evaluation.methods.iter().filter_map(|method| bar(method, metric)).collect();
        if !rows.is_empty() {
            let title = escaped(metric.title);
            let _ = writeln!(page, "<figure><figcaption>{title}</figcaption>{}</figure>", bars(metric.title, &rows));
        }
    }
    page.push_str("</div>\n</section>\n<section>\n<h2>Page by page</h2>\n<p>A dot is a page; the stroke is their mean.</p>\n<div class=\"plots\">\n");
    for metric in evaluation.groups().into_iter().flat_map(Group::headline).filter_map(|name| metric(name)) {
        let ours = evaluation.methods.iter().filter(|method| !method.is_baseline);
        let rows: Vec<(&str, Vec<(f64, &str)>)> =
            ours.map(|method| (method.name.as_str(), page_figures(method, metric))).collect();
        let title = escaped(metric.title);
        let _ = writeln!(page, "<figure><figcaption>{title}</figcaption>{}</figure>", strips(metric.title, &rows));
    }
    page.push_str("</div>\n</section>\n");
}

fn bar<'a>(method: &'a MethodResult, metric: &Metric) -> Option<Bar<'a>> {
    let value = method.score(metric)?;
    let figures: Vec<f64> = published(&method.name)
        .flat_map(|published| {
            published.figures.iter().filter(|(name, _)| *name == metric.name).map(|(_, value)| *value)
        })
        .collect();
    Some(Bar {
        name: &method.name,
        share: value,
        text: metric.shown(value),
        class: if method.is_baseline { "bar baseline" } else { "bar" },
        // Where a paper reports several sites, one stroke would mislead.
        mark: (figures.len() == 1).then(|| figures[0]),
    })
}

fn page_figures<'a>(method: &'a MethodResult, metric: &Metric) -> Vec<(f64, &'a str)> {
    method.pages.iter().filter_map(|page| Some((metric.of_page(&page.scores)?, page.id.as_str()))).collect()
}

/// Where the corpus says what sort of pages it has: each method's headline figure by sort.
fn write_types(page: &mut String, evaluation: &Evaluation) {
    let ours: Vec<&MethodResult> = evaluation.methods.iter().filter(|method| !method.is_baseline).collect();
    let Some(first) = ours.first() else { return };
    let mut kinds: Vec<&str> = first.pages.iter().filter_map(|page| page.kind.as_deref()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    if kinds.len() < 2 {
        return;
    }
    for metric in evaluation.groups().into_iter().flat_map(Group::headline).filter_map(|name| metric(name)) {
        let _ = write!(
            page,
            "<section>\n<h2>{} by type of page</h2>\n<div class=\"scroll\"><table>\n<tr><th></th>",
            escaped(metric.title)
        );
        for kind in &kinds {
            let count = first.pages.iter().filter(|page| page.kind.as_deref() == Some(kind)).count();
            let _ = write!(page, "<th>{} ({count})</th>", escaped(kind));
        }
        page.push_str("</tr>\n");
        for method in &ours {
            let _ = write!(page, "<tr class=\"ours\"><th scope=\"row\">{}</th>", escaped(&method.name));
            for kind in &kinds {
                let of_kind = |page: &&PageResult| page.kind.as_deref() == Some(kind);
                let scores: Vec<_> = method.pages.iter().filter(of_kind).map(|page| &page.scores).collect();
                let figure = metric.of_set(&scores).map_or(String::new(), |value| metric.shown(value));
                let _ = write!(page, "<td>{figure}</td>");
            }
            page.push_str("</tr>\n");
        }
        page.push_str("</table></div>\n</section>\n");
    }
}

fn write_worst(page: &mut String, evaluation: &Evaluation, count: usize) {
    page.push_str("<section>\n<h2>Worst pages</h2>\n");
    let headlines: Vec<&str> = evaluation.groups().into_iter().flat_map(Group::headline).copied().collect();
    let metrics: Vec<&Metric> = METRICS
        .iter()
        .filter(|metric| {
            headlines.contains(&metric.name) || (metric.group == Group::Rates && PLOTTED.contains(&metric.name))
        })
        .filter(|metric| evaluation.methods.iter().any(|method| method.score(metric).is_some()))
        .collect();
    for method in evaluation.methods.iter().filter(|method| !method.is_baseline) {
        let _ = write!(
            page,
            "<details>\n<summary>{}</summary>\n<div class=\"scroll\"><table>\n<tr><th></th><th>overall</th>",
            escaped(&method.name)
        );
        for metric in &metrics {
            let _ = write!(page, "<th>{}</th>", escaped(metric.title));
        }
        page.push_str("</tr>\n");
        for result in method.worst(count) {
            write_worst_page(page, result, &metrics);
        }
        let _ = write!(
            page,
            "</table></div>\n<p>To see what happened: <code>kuai segment --method {} --html PAGE</code></p>\n</details>\n",
            escaped(&method.name)
        );
    }
    page.push_str("</section>\n");
}

fn write_worst_page(page: &mut String, result: &PageResult, metrics: &[&Metric]) {
    let path = result.path.canonicalize().unwrap_or_else(|_| result.path.clone()).display().to_string();
    let _ = write!(
        page,
        "<tr class=\"ours\"><th scope=\"row\"><a href=\"file://{}\">{}</a></th><td>{:.3}</td>",
        escaped(&path),
        escaped(&result.id),
        result.overall().unwrap_or(0.0)
    );
    for metric in metrics {
        let figure = metric.of_page(&result.scores).map_or(String::new(), |value| metric.shown(value));
        let _ = write!(page, "<td>{figure}</td>");
    }
    page.push_str("</tr>\n");
}

fn write_faults(page: &mut String, evaluation: &Evaluation) {
    if evaluation.faults.is_empty() {
        return;
    }
    page.push_str("<section>\n<h2>Faults in the labels</h2>\n<ul>\n");
    for fault in &evaluation.faults {
        let _ = writeln!(page, "<li>{}</li>", escaped(&fault.to_string()));
    }
    page.push_str("</ul>\n</section>\n");
}
