//! Plots as SVG text. Colours come from the page's style sheet, so that they suit light and dark.

use std::fmt::Write;

use super::html::escaped;

/// A bar: what it is called, how long, what is written behind it, and the class that colours it.
pub(super) struct Bar<'a> {
    pub(super) name: &'a str,
    /// From 0 to 1.
    pub(super) share: f64,
    pub(super) text: String,
    pub(super) class: &'static str,
    /// A published figure to mark on the bar.
    pub(super) mark: Option<f64>,
}

const WIDTH: f64 = 640.0;
const NAME_WIDTH: f64 = 120.0;
const TEXT_WIDTH: f64 = 70.0;
const ROW_HEIGHT: f64 = 22.0;

/// Bars from the left, one a row.
pub(super) fn bars(title: &str, bars: &[Bar<'_>]) -> String {
    let height = ROW_HEIGHT * bars.len() as f64;
    let room = WIDTH - NAME_WIDTH - TEXT_WIDTH;
    let mut svg = open(title, height);
    for (index, bar) in bars.iter().enumerate() {
        let top = ROW_HEIGHT * index as f64;
        let length = room * bar.share.clamp(0.0, 1.0);
        let _ = write!(
            svg,
            "<text x='{:.1}' y='{:.1}' class='name'>{}</text>\
             <rect x='{NAME_WIDTH}' y='{:.1}' width='{length:.1}' height='14' rx='3' class='{}'/>\
             <text x='{:.1}' y='{:.1}' class='figure'>{}</text>",
            NAME_WIDTH - 8.0,
            top + 15.0,
            escaped(bar.name),
            top + 4.0,
            bar.class,
            NAME_WIDTH + length + 8.0,
            top + 15.0,
            escaped(&bar.text),
        );
        if let Some(mark) = bar.mark {
            let x = NAME_WIDTH + room * mark.clamp(0.0, 1.0);
            let _ = write!(
                svg,
                "<line x1='{x:.1}' x2='{x:.1}' y1='{:.1}' y2='{:.1}' class='mark'/>",
                top + 1.0,
                top + 21.0
            );
        }
    }
    svg.push_str("</svg>");
    svg
}

/// A dot for each page on a line from 0 to 1, with the mean as a stroke: one row for each method.
pub(super) fn strips(title: &str, rows: &[(&str, Vec<(f64, &str)>)]) -> String {
    let row_height = 34.0;
    let height = row_height * rows.len() as f64 + 18.0;
    let room = WIDTH - NAME_WIDTH - 20.0;
    let mut svg = open(title, height);
    for tick in 0..=4 {
        let x = NAME_WIDTH + room * f64::from(tick) / 4.0;
        let _ = write!(
            svg,
            "<line x1='{x:.1}' x2='{x:.1}' y1='0' y2='{:.1}' class='grid'/>\
             <text x='{x:.1}' y='{:.1}' class='tick'>{}</text>",
            height - 18.0,
            height - 4.0,
            f64::from(tick) / 4.0,
        );
    }
    for (index, (name, pages)) in rows.iter().enumerate() {
        let middle = row_height * index as f64 + row_height / 2.0;
        let _ = write!(
            svg,
            "<text x='{:.1}' y='{:.1}' class='name'>{}</text>",
            NAME_WIDTH - 8.0,
            middle + 4.0,
            escaped(name)
        );
        for (place, (value, page)) in pages.iter().enumerate() {
            // Rows of dots are spread by a fixed pattern, so that equal values can be told apart.
            let y = middle + (place * 7 % 5) as f64 * 4.0 - 8.0;
            let _ = write!(
                svg,
                "<circle cx='{:.1}' cy='{y:.1}' r='3' class='dot'><title>{} {value:.3}</title></circle>",
                NAME_WIDTH + room * value.clamp(0.0, 1.0),
                escaped(page),
            );
        }
        let mean = pages.iter().map(|(value, _)| value).sum::<f64>() / pages.len().max(1) as f64;
        let x = NAME_WIDTH + room * mean.clamp(0.0, 1.0);
        let _ = write!(
            svg,
            "<line x1='{x:.1}' x2='{x:.1}' y1='{:.1}' y2='{:.1}' class='mean'/>",
            middle - 14.0,
            middle + 14.0
        );
    }
    svg.push_str("</svg>");
    svg
}

fn open(title: &str, height: f64) -> String {
    let title = escaped(title);
    format!("<svg viewBox='0 0 {WIDTH} {height:.0}' role='img' aria-label='{title}'><title>{title}</title>")
}
