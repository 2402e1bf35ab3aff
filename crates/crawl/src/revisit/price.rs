//! What a visit is worth, and the price at which all visits together fit a budget.

use std::time::Duration;

use super::RevisitBounds;
use super::rate::{ChangeRate, DAY};

/// Halvings of a range of intervals or prices: what is found is right to a few parts in ten thousand.
const HALVINGS: u32 = 16;

/// Where a page's changes between two visits, times the price, make it dearest to keep: see [`dearest_rate`].
const DEAREST: f64 = 0.535;

impl ChangeRate {
    /// How long after a visit the next one is worth its price, within bounds.
    pub fn interval(&self, bounds: &RevisitBounds) -> Duration {
        let price = bounds.price.as_secs_f64() / DAY;
        let (min, max) = (bounds.interval_min.as_secs_f64() / DAY, bounds.interval_max.as_secs_f64() / DAY);
        let rate_max = dearest_rate(price);
        // A visit is worth more the later it comes.
        let days = halve(min, max, |days| self.mean(|rate| worth(rate.min(rate_max), days)) >= price);
        Duration::from_secs_f64(days * DAY).clamp(bounds.interval_min, bounds.interval_max.max(bounds.interval_min))
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

/// The rate of the pages that are visited the most.
///
/// Decision: a page that changes faster cannot be kept current, and what keeps the most copies current would be to give it up. But those
/// who keep an archive want the front page of a newspaper, which changes all day. So a faster page is visited as often as one of this rate.
fn dearest_rate(price: f64) -> f64 {
    DEAREST / price
}

/// The lowest value, by halving in logarithms, of which something holds that holds of all higher ones.
fn halve(low: f64, high: f64, holds: impl Fn(f64) -> bool) -> f64 {
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
