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
/// assert_eq!(next.to_string(), "");
/// ```
pub fn next_visit(visits: &[Visit], bounds: &RevisitBounds) -> NextVisit {
    let visits = &visits[visits.len().saturating_sub(bounds.visits_max)..];
    let rate = ChangeRate::of(visits);
    let interval = rate.interval(bounds);
    let (first, last) = (visits.first(), visits.last());
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

/// The time between two, none where they are in the wrong order.
fn elapsed(from: Timestamp, to: Timestamp) -> Duration {
    to.duration_since(from).try_into().unwrap_or(Duration::ZERO)
}
