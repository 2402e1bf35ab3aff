//! What a visit is worth, and the price at which all visits together fit a budget.

use std::time::Duration;

use super::RevisitBounds;
use super::rate::{ChangeRate, DAY};

/// Halvings of a range of intervals or prices: what is found is right to a few parts in ten thousand.
const HALVINGS: u32 = 16;

/// What a visit is worth to a page that is visited as often as it changes, in units of the time between its changes: 1 - 2 / e.
const WORTH_AT_ONE_CHANGE: f64 = 1.0 - 2.0 / std::f64::consts::E;

impl ChangeRate {
    /// How long after a visit the next one is worth its price, within bounds.
    pub fn interval(&self, bounds: &RevisitBounds) -> Duration {
        let price = bounds.price.as_secs_f64() / DAY;
        let (min, max) = (bounds.interval_min.as_secs_f64() / DAY, bounds.interval_max.as_secs_f64() / DAY);
        let rate_max = rate_followed_max(price);
        // A visit is worth more the later it comes.
        let days = halve(min, max, |days| self.mean(|rate| worth(rate.min(rate_max), days)) >= price);
        bounds.clamp(Duration::from_secs_f64(days * DAY))
    }
}

/// The price at which the visits to all of these pages together come to so many a day, as near as the bounds on intervals allow.
///
/// Pages by the thousand are as good as all of them: give a sample and its share of the budget.
pub fn price_for(visits_per_day: f64, pages: &[ChangeRate], bounds: &RevisitBounds) -> Duration {
    let visits_at = |price: f64| {
        let bounds = RevisitBounds { price: Duration::from_secs_f64(price * DAY), ..*bounds };
        pages.iter().map(|page| DAY / page.interval(&bounds).as_secs_f64().max(1.0)).sum::<f64>()
    };
    let (price_min, price_max) =
        (bounds.interval_min.as_secs_f64() / DAY / 16.0, bounds.interval_max.as_secs_f64() / DAY);
    // The dearer a visit is, the fewer there are.
    let price = halve(price_min, price_max, |price| visits_at(price) <= visits_per_day);
    Duration::from_secs_f64(price * DAY)
}

/// The days with a current copy that a visit adds, to a page of this rate that was visited so many days before.
///
/// By how much the share of time with a current copy, (1 - exp(-rate days)) / (rate days), grows with the number of visits a day.
fn worth(rate: f64, days: f64) -> f64 {
    let expected = rate * days;
    let lost = (-expected).exp_m1();
    (-lost - expected * (1.0 + lost)) / rate
}

/// The fastest rate that is followed: the page is visited as often as it changes.
///
/// Decision: a page that changes faster cannot be kept current, and what keeps the most copies current would be to give it up. But those
/// who keep an archive want the front page of a newspaper, which changes all day. So it is visited as often as a page of this rate:
/// with the default price daily.
fn rate_followed_max(price: f64) -> f64 {
    WORTH_AT_ONE_CHANGE / price
}

/// The lowest value of a range, by halving in logarithms, of which something holds that holds of all higher ones.
fn halve(low: f64, high: f64, holds: impl Fn(f64) -> bool) -> f64 {
    if holds(low) {
        return low;
    }
    let (mut low, mut high) = (low.max(f64::MIN_POSITIVE).ln(), high.max(low).max(f64::MIN_POSITIVE).ln());
    for _ in 0..HALVINGS {
        let middle = (low + high) / 2.0;
        match holds(middle.exp()) {
            true => high = middle,
            false => low = middle,
        }
    }
    high.exp()
}

#[cfg(test)]
mod tests {
    use kuai_page::Timestamp;

    use super::super::Visit;
    use super::*;

    /// What is known after 400 visits of a page that changes once in so many days.
    fn known(days_between_changes: f64) -> ChangeRate {
        let time = |index: i32| Timestamp::from_second((f64::from(index) * days_between_changes * DAY) as i64);
        // Visits as far apart as changes find one with the chance 1 - 1 / e, about 12 in 19.
        let visit = |index| Visit { time: time(index).expect("the time is not far"), is_changed: index % 19 < 12 };
        ChangeRate::of(&(0..400).map(visit).collect::<Vec<_>>())
    }

    fn days(page: &ChangeRate, bounds: &RevisitBounds) -> f64 {
        page.interval(bounds).as_secs_f64() / DAY
    }

    #[test]
    fn by_default_a_page_that_changes_daily_is_visited_daily() {
        let interval = days(&known(1.0), &RevisitBounds::default());
        assert!((0.95..1.05).contains(&interval), "{interval}");
    }

    #[test]
    fn a_slower_page_is_visited_later_but_not_in_proportion() {
        let intervals = [1.0, 4.0, 16.0, 64.0].map(|between| days(&known(between), &RevisitBounds::default()));
        for pair in intervals.windows(2) {
            assert!(pair[1] > 1.2 * pair[0] && pair[1] < 2.5 * pair[0], "{intervals:?}");
        }
    }

    #[test]
    fn a_page_too_fast_to_follow_is_not_given_up() {
        let interval = days(&known(0.02), &RevisitBounds::default());
        assert!((0.95..1.05).contains(&interval), "{interval}");
    }

    #[test]
    fn no_interval_is_out_of_bounds() {
        let hours = |count: u64| Duration::from_secs(3_600 * count);
        let bounds = RevisitBounds { interval_min: hours(48), interval_max: hours(72), ..RevisitBounds::default() };
        assert_eq!(known(0.1).interval(&bounds), hours(48));
        assert_eq!(known(300.0).interval(&bounds), hours(72));
        let contradictory = RevisitBounds { interval_max: hours(1), ..bounds };
        assert_eq!(known(0.1).interval(&contradictory), hours(48));
    }

    #[test]
    fn at_the_price_for_a_budget_the_visits_fit_it() {
        let pages: Vec<ChangeRate> = [0.1, 1.0, 3.0, 10.0, 100.0].map(known).to_vec();
        for budget in [0.5, 2.0, 8.0] {
            let bounds = RevisitBounds::default();
            let bounds = RevisitBounds { price: price_for(budget, &pages, &bounds), ..bounds };
            let visits: f64 = pages.iter().map(|page| 1.0 / days(page, &bounds)).sum();
            assert!((visits / budget - 1.0).abs() < 0.01, "{visits} for {budget}");
        }
    }
}
