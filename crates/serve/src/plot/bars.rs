//! Counts over time as a row of bars.

use std::fmt::Write;

/// Bars in a box of this width and height, drawn by one path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bars {
    pub(crate) path: String,
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// Where a line is drawn at most.
    pub(crate) bar_width: usize,
}

/// Distance between the middles of two bars.
const STEP: usize = 4;

const HEIGHT: usize = 20;

impl Bars {
    /// A bar for each count; the highest fills the height, and what is there at all is seen.
    pub(crate) fn of(counts: &[u64]) -> Bars {
        let height = HEIGHT;
        let most = counts.iter().copied().max().unwrap_or(0).max(1);
        let mut path = String::new();
        for (place, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let length = (*count as f64 / most as f64 * height as f64).max(1.5);
            let _ = write!(path, "M{} {height}v-{length:.1}", place * STEP + STEP / 2);
        }
        Bars { path, width: counts.len() * STEP, height, bar_width: STEP - 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_bar_fills_the_height_and_none_is_drawn_for_nothing() {
        let bars = Bars::of(&[0, 10, 5, 0]);
        assert_eq!(bars.path, "M6 20v-20.0M10 20v-10.0");
        assert_eq!(bars.width, 16);
        assert_eq!(Bars::of(&[]).path, "");
    }
}
