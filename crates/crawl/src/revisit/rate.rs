//! How often a page changes, as far as its visits tell: a distribution over rates, never a single guess.
//!
//! Changes are taken for a Poisson process. A visit only says whether something changed since the one before, however often, so the
//! rate is weighed on a fixed grid by Bayes' rule, with a weak prior. Intervals may be of any length and need not be alike.

use std::sync::LazyLock;

use super::Visit;

/// What is known of a page's changes a day.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangeRate {
    /// How likely each rate of the grid is; together 1.
    weights: [f64; GRID],
}

/// Rates that are weighed, evenly spread in their logarithms.
const GRID: usize = 60;

/// Changes a day of the slowest page told apart from one that never changes: one in thirty years.
const RATE_MIN: f64 = 1.0 / 10_957.5;

/// Changes a day of the fastest page told apart from one that changes at every visit: one in ten minutes.
const RATE_MAX: f64 = 144.0;

/// The prior's median, and its spread in powers of ten. Calibrated on the 39 page histories of the development data, whose rates have
/// the median 1 in 20 days, the mean (of logarithms) 1 in 7.5 and the spread 0.94; wider than those, so that a handful of visits outweighs it.
const PRIOR_RATE: f64 = 0.1;
const PRIOR_SPREAD: f64 = 1.2;

/// Seconds of a day.
pub(super) const DAY: f64 = 86_400.0;

/// The rates of the grid, slowest first.
static RATES: LazyLock<[f64; GRID]> =
    LazyLock::new(|| std::array::from_fn(|index| RATE_MIN * (*STEP * index as f64).exp()));

/// From one rate to the next, in logarithms.
static STEP: LazyLock<f64> = LazyLock::new(|| (RATE_MAX / RATE_MIN).ln() / (GRID - 1) as f64);

impl ChangeRate {
    /// What these visits tell, oldest first. The first says nothing, and neither does one that is not later than the one before.
    pub fn of(visits: &[Visit]) -> ChangeRate {
        let mut logs = RATES.map(|rate| {
            let spreads = (rate / PRIOR_RATE).log10() / PRIOR_SPREAD;
            -0.5 * spreads * spreads
        });
        let mut quiet_days = 0.0;
        for (before, visit) in visits.iter().zip(visits.iter().skip(1)) {
            let days = visit.time.duration_since(before.time).as_secs_f64() / DAY;
            match visit.is_changed {
                true if days > 0.0 => add_logs(&mut logs, |rate| chance_of_change(rate * days).ln()),
                true => {}
                false => quiet_days += days.max(0.0),
            }
        }
        // The chances of all intervals without a change are the chance of one as long as all of them.
        add_logs(&mut logs, |rate| -rate * quiet_days);
        ChangeRate::from_logs(logs)
    }

    fn from_logs(logs: [f64; GRID]) -> ChangeRate {
        let highest = logs.iter().copied().fold(f64::MIN, f64::max);
        let weights = logs.map(|log| (log - highest).exp());
        let sum: f64 = weights.iter().sum();
        ChangeRate { weights: weights.map(|weight| weight / sum) }
    }

    /// Changes a day: as likely too high as too low.
    pub fn per_day(&self) -> f64 {
        self.quantile(0.5)
    }

    /// The rate in changes a day that is not exceeded with this chance.
    pub fn quantile(&self, chance: f64) -> f64 {
        let mut below = 0.0;
        for (weight, rate) in self.weights.iter().zip(*RATES) {
            if below + weight >= chance {
                // A point stands for the rates from half a step below it to half a step above.
                return rate * (*STEP * ((chance - below) / weight - 0.5)).exp();
            }
            below += weight;
        }
        RATE_MAX
    }

    /// The mean of a function of the rate.
    pub(super) fn mean(&self, of: impl Fn(f64) -> f64) -> f64 {
        self.weights.iter().zip(*RATES).map(|(weight, rate)| weight * of(rate)).sum()
    }
}

/// The chance that something changed where so many changes are expected.
fn chance_of_change(expected: f64) -> f64 {
    -(-expected).exp_m1()
}

fn add_logs(logs: &mut [f64; GRID], of: impl Fn(f64) -> f64) {
    logs.iter_mut().zip(*RATES).for_each(|(log, rate)| *log += of(rate));
}

#[cfg(test)]
mod tests {
    use kuai_page::Timestamp;

    use super::*;

    /// Visits every so many days, of which every n-th finds a change.
    fn visits(count: u32, days: f64, every: u32) -> Vec<Visit> {
        let time =
            |index: u32| Timestamp::from_second((f64::from(index) * days * DAY) as i64).expect("the time is near 1970");
        (0..count).map(|index| Visit { time: time(index), is_changed: index % every == every - 1 }).collect()
    }

    #[test]
    fn many_visits_outweigh_the_prior() {
        // Changed in a quarter of 400 visits a day apart: 1 - exp(-rate) is a quarter.
        let rate = ChangeRate::of(&visits(401, 1.0, 4)).per_day();
        assert!((rate - 0.288).abs() < 0.02, "{rate}");
    }

    #[test]
    fn the_range_narrows_with_every_visit_and_holds_the_estimate() {
        let width = |count| {
            let rate = ChangeRate::of(&visits(count, 3.0, 3));
            assert!(rate.quantile(0.05) < rate.per_day() && rate.per_day() < rate.quantile(0.95));
            rate.quantile(0.95) / rate.quantile(0.05)
        };
        assert!(width(2) > width(10) && width(10) > width(100));
    }

    #[test]
    fn longer_without_a_change_is_a_slower_rate() {
        let rates = [1.0, 10.0, 100.0].map(|days| ChangeRate::of(&visits(5, days, 9)).per_day());
        assert!(rates[0] > rates[1] && rates[1] > rates[2], "{rates:?}");
    }

    #[test]
    fn a_page_that_changed_every_time_may_change_much_faster_than_it_was_visited() {
        let rate = ChangeRate::of(&visits(20, 1.0, 1));
        assert!(rate.per_day() > 2.0 && rate.quantile(0.95) > 10.0);
    }

    #[test]
    fn visits_at_the_same_time_or_in_the_wrong_order_say_nothing() {
        let mut odd = visits(2, 1.0, 9);
        odd.push(odd[1]);
        odd.push(Visit { is_changed: true, ..odd[0] });
        assert_eq!(ChangeRate::of(&odd), ChangeRate::of(&odd[..2]));
    }
}
