//! How a crawl went over time: a bounded number of points, however long it takes.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Points that are kept. When there are more, every other one goes.
const POINTS_MAX: usize = 240;
/// Seconds between two points at first.
const STEP_SECONDS: f64 = 1.0;

/// The figures of a crawl over time.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
pub(crate) struct Curve {
    step: f64,
    pub(crate) points: Vec<Point>,
}

/// The figures at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize, ToSchema)]
pub(crate) struct Point {
    /// Seconds of crawling until then, pauses left out.
    pub(crate) seconds: f64,
    /// Answers that were archived.
    pub(crate) captures: u64,
    /// Pages that are on topic, where there is one.
    pub(crate) on_topic: u64,
    /// Addresses that failed.
    pub(crate) failed: u64,
    /// Addresses that are left to visit.
    pub(crate) left: u64,
}

impl Default for Curve {
    fn default() -> Curve {
        Curve { step: STEP_SECONDS, points: Vec::new() }
    }
}

impl Curve {
    /// Notes a point, if it is time for one.
    pub(crate) fn note(&mut self, point: Point) {
        if self.points.last().is_some_and(|last| point.seconds < last.seconds + self.step) {
            return;
        }
        self.points.push(point);
        if self.points.len() > POINTS_MAX {
            let mut index = 0;
            self.points.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.step *= 2.0;
        }
    }

    /// Notes the last point of a run, however soon it comes.
    pub(crate) fn close(&mut self, point: Point) {
        if self.points.last().is_none_or(|last| last.seconds < point.seconds) {
            self.points.push(point);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_crawl_has_no_more_points_than_a_short_one() {
        let mut curve = Curve::default();
        for tick in 0..100_000_u32 {
            curve.note(Point { seconds: f64::from(tick) / 5.0, captures: tick.into(), ..Point::default() });
        }
        let seconds: Vec<f64> = curve.points.iter().map(|point| point.seconds).collect();
        assert!((POINTS_MAX / 2..=POINTS_MAX).contains(&seconds.len()), "{}", seconds.len());
        assert!(seconds.windows(2).all(|pair| pair[1] - pair[0] >= curve.step), "they are even");
        assert_eq!(seconds[0], 0.0);
        assert!(seconds[seconds.len() - 1] > 19_000.0);
    }
}
