//! Curves as an SVG picture, small enough to read in a browser and to diff.

use std::fmt::Write;

/// A chart: its title, and its curves by name with their values from 0 to 1 at even steps.
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// The name and the values of each curve.
    pub curves: Vec<(&'static str, Vec<f64>)>,
}

const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 300.0;
const MARGIN: f64 = 45.0;
const COLORS: [&str; 4] = ["#999999", "#0072b2", "#e69f00", "#d55e00"];

/// The charts, two in a row; their horizontal axes end at `x_max`.
pub fn svg(charts: &[Chart], x_max: usize) -> String {
    let rows = charts.len().div_ceil(2);
    let (width, height) = (2.0 * (WIDTH + MARGIN), rows as f64 * (HEIGHT + MARGIN) + MARGIN);
    let mut out = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' font-family='sans-serif' font-size='11'>\n\
         <rect width='100%' height='100%' fill='white'/>\n"
    );
    for (place, chart) in charts.iter().enumerate() {
        let (x, y) = ((place % 2) as f64 * (WIDTH + MARGIN) + MARGIN, (place / 2) as f64 * (HEIGHT + MARGIN) + MARGIN);
        write_chart(&mut out, chart, x, y, x_max);
    }
    out.push_str("</svg>\n");
    out
}

fn write_chart(out: &mut String, chart: &Chart, x: f64, y: f64, x_max: usize) {
    let (inner_width, inner_height) = (WIDTH - MARGIN, HEIGHT - MARGIN);
    let _ = writeln!(out, "<g transform='translate({x} {y})'><text y='-8' font-weight='bold'>{}</text>", chart.title);
    let _ = writeln!(out, "<path d='M0 0V{inner_height}H{inner_width}' fill='none' stroke='black'/>");
    for step in 0..=4 {
        let share = f64::from(step) / 4.0;
        let (across, down) = (share * inner_width, (1.0 - share) * inner_height);
        let pages = share * x_max as f64;
        let _ = writeln!(out, "<text x='{across}' y='{}' text-anchor='middle'>{pages}</text>", inner_height + 14.0);
        let _ = writeln!(out, "<text x='-5' y='{}' text-anchor='end'>{} %</text>", down + 4.0, share * 100.0);
    }
    for (number, ((name, values), color)) in chart.curves.iter().zip(COLORS.iter().cycle()).enumerate() {
        let step = inner_width / values.len().saturating_sub(1).max(1) as f64;
        let points = values.iter().enumerate();
        let points: Vec<String> = points
            .map(|(place, value)| format!("{:.1},{:.1}", place as f64 * step, (1.0 - value) * inner_height))
            .collect();
        let _ =
            writeln!(out, "<polyline points='{}' fill='none' stroke='{color}' stroke-width='2'/>", points.join(" "));
        let _ = writeln!(
            out,
            "<text x='{}' y='{}' fill='{color}'>{name}</text>",
            inner_width - 110.0,
            12.0 + 14.0 * number as f64
        );
    }
    out.push_str("</g>\n");
}
