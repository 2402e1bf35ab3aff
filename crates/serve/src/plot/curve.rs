//! Counts at times as a curve with the area below it.

use std::fmt::Write;

/// A curve in a box of this width and height.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Curve {
    pub(crate) line: String,
    pub(crate) area: String,
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// The highest count.
    pub(crate) most: u64,
}

impl Curve {
    /// A curve through counts at equal distances. It goes in steps: a count holds until the next.
    pub(crate) fn of(counts: &[u64], width: usize, height: usize) -> Curve {
        let most = counts.iter().copied().max().unwrap_or(0);
        let step = width as f64 / counts.len().max(1) as f64;
        let mut line = String::new();
        for (place, count) in counts.iter().enumerate() {
            let y = height as f64 * (1.0 - *count as f64 / most.max(1) as f64);
            let command = if place == 0 { "M0 " } else { "V" };
            let _ = write!(line, "{command}{y:.1}H{:.1}", (place + 1) as f64 * step);
        }
        let area = if line.is_empty() { String::new() } else { format!("{line}V{height}H0Z") };
        Curve { line, area, width, height, most }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_holds_until_the_next() {
        let curve = Curve::of(&[0, 4, 2], 30, 10);
        assert_eq!(curve.line, "M0 10.0H10.0V0.0H20.0V5.0H30.0");
        assert_eq!(curve.area, "M0 10.0H10.0V0.0H20.0V5.0H30.0V10H0Z");
        assert_eq!(Curve::of(&[], 30, 10).area, "");
    }
}
