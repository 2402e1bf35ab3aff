//! When to come back to a page: when a visit is expected to be worth its price.
//!
//! Comes in: when a page was visited and whether its content had changed. Goes out: when it is due, and why in words. A visit is worth
//! the time for which it makes the copy current, and all pages pay the same price: this is what keeps the most copies current with a given number
//! of visits (Cho and Garcia-Molina, "Effective page refresh policies for Web crawlers"). It is neither one interval for all nor visits in
//! proportion to the changes.

mod price;
mod rate;
mod wording;

use std::time::Duration;

use kuai_page::Timestamp;

pub use price::price_for;
pub use rate::ChangeRate;

/// A visit to a page, and whether its content differed from the visit before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// When.
    pub time: Timestamp,
    /// Whether the content had changed. The first visit's says nothing.
    pub is_changed: bool,
}

/// How soon and how late a page is visited again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RevisitBounds {
    /// No page is visited sooner after the visit before.
    pub interval_min: Duration,
    /// Every page is visited at least this often, however still it is.
    pub interval_max: Duration,
    /// A visit is due when it is expected to add this much time with a current copy.
    pub price: Duration,
    /// Only so many of the newest visits are looked at, so that a page that behaves otherwise than it did is known again.
    pub visits_max: usize,
}

impl Default for RevisitBounds {
    fn default() -> RevisitBounds {
        RevisitBounds {
            interval_min: Duration::from_secs(3_600),
            interval_max: Duration::from_secs(90 * 86_400),
            // With this price a page that is known to change once a day is visited once a day.
            price: Duration::from_secs(22_830),
            visits_max: 64,
        }
    }
}

impl RevisitBounds {
    /// The nearest interval within bounds.
    fn clamp(&self, interval: Duration) -> Duration {
        interval.min(self.interval_max).max(self.interval_min)
    }
}

/// When a page is due, and what is known of its changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NextVisit {
    /// When to come back; in the far past for a page that was never visited.
    pub due: Timestamp,
    /// The time from the last visit to the next.
    pub interval: Duration,
    /// About how often it changes.
    pub changes_per_day: f64,
    /// With nine chances in ten it changes more often than the first and less often than the second.
    pub changes_per_day_range: (f64, f64),
    /// What is known from: how many visits, how many of them found a change, from the first to the last.
    pub visit_count: usize,
    /// See [`NextVisit::visit_count`].
    pub change_count: usize,
    /// See [`NextVisit::visit_count`].
    pub span: Duration,
}

/// When to come back to a page that was visited so, oldest first.
///
/// ```
/// use kuai_crawl::{RevisitBounds, Visit, next_visit};
///
/// let visit = |day: &str, is_changed| Visit { time: format!("2026-01-{day}T12:00:00Z").parse().unwrap(), is_changed };
/// let visits = [visit("01", false), visit("05", true), visit("09", false), visit("13", true), visit("17", true)];
/// let next = next_visit(&visits, &RevisitBounds::default());
/// assert!(next.to_string().starts_with("changed 3 times in 5 visits over 16 days: about every 3 days (1.3 to 11); visited every "));
/// ```
pub fn next_visit(visits: &[Visit], bounds: &RevisitBounds) -> NextVisit {
    let visits = &visits[visits.len().saturating_sub(bounds.visits_max)..];
    let rate = ChangeRate::of(visits);
    let (first, last) = (visits.first(), visits.last());
    let scattered = rate.interval(bounds).mul_f64(last.map_or(1.0, |last| scatter(last.time)));
    let interval = bounds.clamp(scattered);
    let span = first.zip(last).map_or(Duration::ZERO, |(first, last)| elapsed(first.time, last.time));
    NextVisit {
        due: last.map_or(Timestamp::MIN, |last| last.time.checked_add(interval).unwrap_or(Timestamp::MAX)),
        interval,
        changes_per_day: rate.per_day(),
        changes_per_day_range: (rate.quantile(0.05), rate.quantile(0.95)),
        visit_count: visits.len(),
        change_count: visits.iter().skip(1).filter(|visit| visit.is_changed).count(),
        span,
    }
}

/// How much longer or shorter an interval is than it should be, up to a tenth, as if at random.
///
/// Decision: visits at even intervals fall into step with pages that change at a set hour, and then come always just before the change.
/// Uneven ones do not; and pages that were collected together do not all fall due at once.
fn scatter(last: Timestamp) -> f64 {
    const GOLDEN_RATIO: f64 = 0.618_033_988_749_895;
    0.9 + 0.2 * (last.as_second() as f64 * GOLDEN_RATIO).rem_euclid(1.0)
}

/// The time between two, none where they are in the wrong order.
fn elapsed(from: Timestamp, to: Timestamp) -> Duration {
    to.duration_since(from).try_into().unwrap_or(Duration::ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visits(changes: &[bool], days: i64) -> Vec<Visit> {
        let time = |index: usize| Timestamp::from_second(index as i64 * days * 86_400).expect("the time is near 1970");
        changes.iter().enumerate().map(|(index, &is_changed)| Visit { time: time(index), is_changed }).collect()
    }

    fn check(visits: &[Visit], expected: &str) {
        assert_eq!(next_visit(visits, &RevisitBounds::default()).to_string(), expected);
    }

    #[test]
    fn what_is_told_says_why() {
        check(&[], "never visited");
        check(&visits(&[true], 1), "visited once; again after 43 hours");
        check(
            &visits(&[false, false], 10),
            "did not change in 2 visits over 10 days: about every 3 months (0.3 to 70); visited every 5 days",
        );
        check(
            &visits(&[false, true, false, false, true, true, false, false, true], 4),
            "changed 4 times in 9 visits over 32 days: about every 6 days (3 to 17); visited every 2 days",
        );
        check(
            &visits(&[true; 20], 1),
            "changed 19 times in 20 visits over 19 days: about every 3 hours (0.3 to 9); visited every 24 hours",
        );
    }

    #[test]
    fn a_page_that_was_never_visited_is_due_at_once() {
        assert_eq!(next_visit(&[], &RevisitBounds::default()).due, Timestamp::MIN);
    }

    #[test]
    fn a_page_is_due_an_interval_after_its_last_visit() {
        let visits = visits(&[false, true, false], 5);
        let next = next_visit(&visits, &RevisitBounds::default());
        assert_eq!(elapsed(visits[2].time, next.due), next.interval);
        let late = Visit { time: Timestamp::MAX, is_changed: false };
        assert_eq!(next_visit(&[late], &RevisitBounds::default()).due, Timestamp::MAX);
    }

    #[test]
    fn the_flag_of_the_first_visit_says_nothing() {
        let [one, other] = [true, false].map(|first| visits(&[first, false, true], 2));
        assert_eq!(next_visit(&one, &RevisitBounds::default()), next_visit(&other, &RevisitBounds::default()));
    }

    #[test]
    fn only_the_newest_visits_count() {
        let bounds = RevisitBounds { visits_max: 10, ..RevisitBounds::default() };
        let mut changes = vec![true; 50];
        changes.extend([false; 10]);
        let all = visits(&changes, 1);
        assert_eq!(next_visit(&all, &bounds), next_visit(&all[50..], &bounds));
    }

    #[test]
    fn pages_collected_together_do_not_fall_due_together() {
        let intervals = [0, 1, 2].map(|second| {
            let time = Timestamp::from_second(second).expect("the time is near 1970");
            next_visit(&[Visit { time, is_changed: false }], &RevisitBounds::default()).interval
        });
        assert!(intervals[0] != intervals[1] && intervals[1] != intervals[2]);
    }
}
