//! Why a page is due, in words.

use std::fmt;

use super::NextVisit;
use super::rate::DAY;

impl fmt::Display for NextVisit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let interval = spell(self.interval.as_secs_f64() / DAY);
        match self.visit_count {
            0 => write!(out, "never visited"),
            1 => write!(out, "visited once; again after {interval}"),
            _ => write!(out, "{}: {}; visited every {interval}", self.seen(), self.estimate()),
        }
    }
}

impl NextVisit {
    fn seen(&self) -> String {
        let times = match self.change_count {
            0 => "did not change".to_owned(),
            1 => "changed once".to_owned(),
            count => format!("changed {count} times"),
        };
        format!("{times} in {} visits over {}", self.visit_count, spell(self.span.as_secs_f64() / DAY))
    }

    fn estimate(&self) -> String {
        let (slowest, fastest) = self.changes_per_day_range;
        let days = 1.0 / self.changes_per_day;
        let unit = Unit::of(days);
        format!("about every {} ({} to {})", spell(days), unit.count(1.0 / fastest), unit.count(1.0 / slowest))
    }
}

/// What a time is counted in.
struct Unit {
    name: &'static str,
    days: f64,
}

const UNITS: [Unit; 5] = [
    Unit { name: "year", days: 365.25 },
    Unit { name: "month", days: 30.44 },
    Unit { name: "day", days: 1.0 },
    Unit { name: "hour", days: 1.0 / 24.0 },
    Unit { name: "minute", days: 1.0 / 1440.0 },
];

impl Unit {
    /// The largest unit of which there are two or more; the smallest where there is none.
    fn of(days: f64) -> &'static Unit {
        UNITS.iter().find(|unit| days >= 1.95 * unit.days).unwrap_or(&UNITS[UNITS.len() - 1])
    }

    /// How many of it, rounded; small numbers to a tenth.
    fn count(&self, days: f64) -> String {
        let count = days / self.days;
        match count < 1.95 {
            true => format!("{count:.1}"),
            false => format!("{count:.0}"),
        }
    }
}

/// A time as people say it: `5 days`.
fn spell(days: f64) -> String {
    let unit = Unit::of(days);
    format!("{} {}s", unit.count(days), unit.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_counted_in_what_people_count_them_in() {
        let spelt = [0.0, 0.04, 0.5, 1.0, 2.0, 45.0, 90.0, 4000.0].map(spell);
        assert_eq!(
            spelt,
            ["0.0 minutes", "58 minutes", "12 hours", "24 hours", "2 days", "45 days", "3 months", "11 years"]
        );
    }
}
