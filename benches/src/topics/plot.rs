//! Curves as an SVG picture, small enough to read in a browser and to diff.

use std::fmt::Write;

/// A chart: its title, and its curves by name with their values from 0 to 1 at even steps, the last at the end of the axis.
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// The name and the values of each curve.
    pub curves: Vec<(&'static str, Vec<f64>)>,
}

const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 280.0;
const MARGIN: f64 = 55.0;
const COLORS: [&str; 4] = ["#999999", "#0072b2", "#e69f00", "#d55e00"];

/// The charts, two in a row, below one legend; their horizontal axes end at `x_max` pages.
pub fn svg(charts: &[Chart], x_max: usize) -> String {
    let rows = charts.len().div_ceil(2);
    let (width, height) = (2.0 * WIDTH + MARGIN, rows as f64 * HEIGHT + MARGIN);
    let mut out = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' font-family='sans-serif' font-size='11'>\n\
         <rect width='100%' height='100%' fill='white'/>\n"
    );
    if let Some(chart) = charts.first() {
        write_legend(&mut out, chart);
    }
    for (place, chart) in charts.iter().enumerate() {
        let (x, y) = ((place % 2) as f64 * WIDTH + MARGIN, (place / 2) as f64 * HEIGHT + MARGIN);
        let _ = writeln!(out, "<g transform='translate({x} {y})'>");
        write_axes(&mut out, &chart.title, x_max);
        write_curves(&mut out, chart);
        out.push_str("</g>\n");
    }
    out.push_str("</svg>\n");
    out
}

const INNER_WIDTH: f64 = WIDTH - MARGIN;
const INNER_HEIGHT: f64 = HEIGHT - 1.5 * MARGIN;

fn write_legend(out: &mut String, chart: &Chart) {
    for (number, ((name, _), color)) in chart.curves.iter().zip(COLORS.iter().cycle()).enumerate() {
        let x = MARGIN + 150.0 * number as f64;
        let _ = writeln!(out, "<path d='M{x} 16h20' stroke='{color}' stroke-width='3'/>");
        let _ = writeln!(out, "<text x='{}' y='20'>{name}</text>", x + 26.0);
    }
}

fn write_axes(out: &mut String, title: &str, x_max: usize) {
    let _ = writeln!(out, "<text y='-9' font-weight='bold'>{title}</text>");
    for step in 0..=4 {
        let share = f64::from(step) / 4.0;
        let (across, down) = (share * INNER_WIDTH, (1.0 - share) * INNER_HEIGHT);
        let (pages, below) = (share * x_max as f64, INNER_HEIGHT + 15.0);
        let _ = writeln!(out, "<path d='M0 {down}H{INNER_WIDTH}' stroke='#dddddd'/>");
        let _ = writeln!(out, "<text x='{across}' y='{below}' text-anchor='middle'>{pages}</text>");
        let _ = writeln!(out, "<text x='-6' y='{}' text-anchor='end'>{} %</text>", down + 4.0, share * 100.0);
    }
    let _ = writeln!(out, "<path d='M0 0V{INNER_HEIGHT}H{INNER_WIDTH}' fill='none' stroke='black'/>");
    let (middle, below) = (INNER_WIDTH / 2.0, INNER_HEIGHT + 30.0);
    let _ = writeln!(out, "<text x='{middle}' y='{below}' text-anchor='middle'>pages fetched</text>");
}

fn write_curves(out: &mut String, chart: &Chart) {
    for ((_, values), color) in chart.curves.iter().zip(COLORS.iter().cycle()) {
        let step = INNER_WIDTH / values.len().max(1) as f64;
        let points = values.iter().zip(1..);
        let points: Vec<String> = points
            .map(|(value, place)| format!("{:.1},{:.1}", f64::from(place) * step, (1.0 - value) * INNER_HEIGHT))
            .collect();
        let _ =
            writeln!(out, "<polyline points='{}' fill='none' stroke='{color}' stroke-width='2'/>", points.join(" "));
    }
}
