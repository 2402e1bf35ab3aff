//! How a crawl grew over time: a line each for what was archived, what is on topic and what failed.

use std::fmt::Write;

use crate::jobs::Point;

const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 140.0;

/// Lines in one box, which the highest of them fills.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Harvest {
    pub(crate) captures: String,
    pub(crate) on_topic: String,
    pub(crate) failed: String,
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) most: u64,
    pub(crate) seconds: f64,
}

impl Harvest {
    pub(crate) fn of(points: &[Point]) -> Harvest {
        let most = points.iter().map(|point| point.captures.max(point.failed)).max().unwrap_or(0);
        let seconds = points.last().map_or(0.0, |point| point.seconds);
        let line = |count: fn(&Point) -> u64| {
            let mut path = String::new();
            for (place, point) in points.iter().enumerate().filter(|_| points.len() > 1) {
                let x = point.seconds / seconds.max(f64::MIN_POSITIVE) * WIDTH;
                let y = HEIGHT - count(point) as f64 / most.max(1) as f64 * HEIGHT;
                // Writing to a string cannot fail.
                let _ = write!(path, "{}{x:.1} {y:.1}", if place == 0 { 'M' } else { 'L' });
            }
            path
        };
        Harvest {
            captures: line(|point| point.captures),
            on_topic: line(|point| point.on_topic),
            failed: line(|point| point.failed),
            width: WIDTH,
            height: HEIGHT,
            most,
            seconds,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_where_the_crawl_is() {
        let point = |seconds, captures, failed| Point { seconds, captures, failed, ..Point::default() };
        let harvest = Harvest::of(&[point(0.0, 0, 0), point(5.0, 10, 5), point(10.0, 20, 5)]);
        assert_eq!(harvest.captures, "M0.0 140.0L300.0 70.0L600.0 0.0");
        assert_eq!(harvest.failed, "M0.0 140.0L300.0 105.0L600.0 105.0");
        assert_eq!((harvest.most, harvest.seconds), (20, 10.0));
        assert_eq!(Harvest::of(&[point(0.0, 1, 0)]).captures, "", "one point is no line");
    }
}
