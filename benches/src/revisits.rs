//! Pages that change at known times, visited by several policies: how current the copies are, and how many visits were for nothing.
//!
//! All policies start with a copy of every page and have the same number of visits. Everything is a function of the seed.

use kuai_crawl::{RevisitBounds, Visit, next_visit};
use kuai_page::Timestamp;

/// A page whose changes are known beforehand.
pub struct ChangingPage {
    /// When it changes, in days from the start.
    changes: Vec<f64>,
    /// Changes a day in the long run.
    rate: f64,
}

/// A kind of Web: how often its pages change, and how.
pub struct World {
    /// What the table calls it.
    pub name: &'static str,
    page: fn(&mut Random, days: f64) -> ChangingPage,
}

/// All worlds. The last three change in ways that no Poisson process does.
pub const WORLDS: [World; 7] = [
    World { name: "histories", page: like_our_histories },
    World { name: "survey", page: like_the_survey },
    World { name: "heavy tail", page: heavy_tailed },
    World { name: "mostly still", page: mostly_still },
    World { name: "daily at eight", page: daily_at_eight },
    World { name: "in bursts", page: in_bursts },
    World { name: "goes quiet", page: goes_quiet },
];

/// Who decides when a page is visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// One interval for all pages.
    Fixed,
    /// As often as the page changes; told the true rates.
    Proportional,
    /// Ours, which knows nothing at the start.
    Ours,
    /// What keeps the most copies current; told the true rates.
    Best,
}

/// All policies, in the order of the table.
pub const POLICIES: [Policy; 4] = [Policy::Fixed, Policy::Proportional, Policy::Ours, Policy::Best];

/// What came of the visits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outcome {
    /// Visits after the first copy.
    pub visit_count: f64,
    /// Visits that found nothing new.
    pub wasted_count: f64,
    /// Changes of all pages.
    pub change_count: f64,
    /// Days of all pages with a current copy.
    pub current_days: f64,
    /// Days since the copy was outdated, summed over all days of all pages.
    pub outdated_days: f64,
    /// Days of all pages.
    pub days: f64,
}

impl Outcome {
    /// The share of the time for which a copy is current.
    pub fn freshness(&self) -> f64 {
        self.current_days / self.days
    }

    /// For how many days a copy has been outdated, on average over all copies at all times.
    pub fn age(&self) -> f64 {
        self.outdated_days / self.days
    }

    /// The share of visits that found nothing new.
    pub fn waste(&self) -> f64 {
        self.wasted_count / self.visit_count.max(1.0)
    }

    /// Versions found, as a share of all there were.
    pub fn caught(&self) -> f64 {
        (self.visit_count - self.wasted_count) / self.change_count.max(1.0)
    }

    /// Adds another's sums.
    pub fn add(&mut self, other: &Outcome) {
        self.visit_count += other.visit_count;
        self.wasted_count += other.wasted_count;
        self.change_count += other.change_count;
        self.current_days += other.current_days;
        self.outdated_days += other.outdated_days;
        self.days += other.days;
    }
}

impl World {
    /// So many of its pages, for so many days.
    pub fn pages(&self, count: usize, days: f64, seed: u64) -> Vec<ChangingPage> {
        let mut random = Random(seed);
        (0..count).map(|_| (self.page)(&mut random, days)).collect()
    }
}

/// What comes of each policy, in the order of [`POLICIES`]: ours with these bounds, the others with as many visits.
pub fn compare(pages: &[ChangingPage], days: f64, bounds: &RevisitBounds) -> [Outcome; 4] {
    let ours = visit_all(pages, days, |_, visits| next_visit(visits, bounds).interval.as_secs_f64() / DAY);
    POLICIES.map(|policy| match policy {
        Policy::Ours => ours,
        Policy::Fixed => {
            let interval = pages.len() as f64 * days / ours.visit_count;
            at_intervals(pages, days, &vec![interval; pages.len()])
        }
        Policy::Proportional => {
            let changes: f64 = pages.iter().map(|page| page.rate).sum();
            let intervals: Vec<f64> =
                pages.iter().map(|page| changes * days / (page.rate * ours.visit_count)).collect();
            at_intervals(pages, days, &intervals)
        }
        Policy::Best => at_intervals(pages, days, &best_intervals(pages, ours.visit_count / days)),
    })
}

const DAY: f64 = 86_400.0;

/// Visits every page at its own interval; the first times are spread evenly, so that nothing happens all at once.
fn at_intervals(pages: &[ChangingPage], days: f64, intervals: &[f64]) -> Outcome {
    let phase = |index: usize| (index as f64 * 0.618_033_988_749_895).fract();
    visit_all(pages, days, |index, visits| intervals[index] * if visits.len() == 1 { phase(index) } else { 1.0 })
}

/// Visits all pages, each after the interval that `interval` gives for its index and its visits so far.
fn visit_all(pages: &[ChangingPage], days: f64, mut interval: impl FnMut(usize, &[Visit]) -> f64) -> Outcome {
    let mut outcome = Outcome::default();
    for (index, page) in pages.iter().enumerate() {
        outcome.change_count += page.changes.len() as f64;
        outcome.days += days;
        let mut visits = vec![visit(0.0, false)];
        let mut now = 0.0;
        while now < days {
            let next = (now + interval(index, &visits)).min(days);
            let changed = page.first_change_after(now).min(next);
            outcome.current_days += changed - now;
            outcome.outdated_days += (next - changed).powi(2) / 2.0;
            let is_changed = changed < next;
            if next < days {
                visits.push(visit(next, is_changed));
                outcome.visit_count += 1.0;
                outcome.wasted_count += f64::from(u8::from(!is_changed));
            }
            now = next;
        }
    }
    outcome
}

fn visit(days: f64, is_changed: bool) -> Visit {
    let time = Timestamp::from_millisecond((days * DAY * 1000.0) as i64).expect("a year after 1970 is a time");
    Visit { time, is_changed }
}

impl ChangingPage {
    fn first_change_after(&self, now: f64) -> f64 {
        let index = self.changes.partition_point(|change| *change <= now);
        self.changes.get(index).copied().unwrap_or(f64::INFINITY)
    }
}

/// The intervals that keep the most copies current with so many visits a day: a visit is worth the same for all pages, and a page that is never worth it
/// is given up.
fn best_intervals(pages: &[ChangingPage], visits_per_day: f64) -> Vec<f64> {
    let intervals = |price: f64| pages.iter().map(move |page| best_interval(page.rate, price));
    let (mut low, mut high) = (1e-6f64, 1e6f64);
    for _ in 0..60 {
        let price = (low * high).sqrt();
        let is_too_cheap = intervals(price).map(|interval| 1.0 / interval).sum::<f64>() > visits_per_day;
        if is_too_cheap { low = price } else { high = price }
    }
    intervals(high).collect()
}

/// The root of (1 - (1 + x) exp(-x)) = price rate, over the rate.
fn best_interval(rate: f64, price: f64) -> f64 {
    let (mut low, mut high) = (0.0, 50.0f64);
    if price * rate >= 1.0 {
        return f64::INFINITY;
    }
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        let is_worth_it = 1.0 - (1.0 + middle) * (-middle).exp() >= price * rate;
        if is_worth_it { high = middle } else { low = middle }
    }
    high / rate
}

/// Rates spread like those of the page histories in the development data: the middle one changes every 7.5 days.
fn like_our_histories(random: &mut Random, days: f64) -> ChangingPage {
    let rate = 10f64.powf(-0.87 + 0.94 * random.normal());
    poisson(random, rate, days)
}

/// Shares as Cho and Garcia-Molina found them on 270 sites: a quarter changes daily or faster, a third hardly ever.
fn like_the_survey(random: &mut Random, days: f64) -> ChangingPage {
    let every = match random.unit() {
        share if share < 0.23 => random.between(0.05, 1.0),
        share if share < 0.38 => random.between(1.0, 7.0),
        share if share < 0.54 => random.between(7.0, 30.0),
        share if share < 0.70 => random.between(30.0, 120.0),
        _ => random.between(120.0, 3_650.0),
    };
    poisson(random, 1.0 / every, days)
}

/// Few pages make most of the changes.
fn heavy_tailed(random: &mut Random, days: f64) -> ChangingPage {
    let rate = (0.01 * (1.0 - random.unit()).powf(-1.0 / 0.8)).min(24.0);
    poisson(random, rate, days)
}

/// One page in ten changes daily to weekly, the others once in one to ten years.
fn mostly_still(random: &mut Random, days: f64) -> ChangingPage {
    let every = if random.unit() < 0.1 { random.between(1.0, 7.0) } else { random.between(365.0, 3_650.0) };
    poisson(random, 1.0 / every, days)
}

/// A third of the pages change every morning, a third every Monday morning, the others as in our histories.
fn daily_at_eight(random: &mut Random, days: f64) -> ChangingPage {
    let every = match random.unit() {
        share if share < 0.33 => 1.0,
        share if share < 0.66 => 7.0,
        _ => return like_our_histories(random, days),
    };
    let changes = (0..(days / every) as u32).map(|count| f64::from(count) * every + 8.0 / 24.0).collect();
    ChangingPage { changes, rate: 1.0 / every }
}

/// Nothing for long, then a flurry of changes within three days.
fn in_bursts(random: &mut Random, days: f64) -> ChangingPage {
    let every = random.between(7.0, 365.0);
    let mut changes: Vec<f64> = Vec::new();
    for burst in poisson(random, 1.0 / every, days).changes {
        changes.extend((0..10).map(|_| burst + 3.0 * random.unit()).filter(|change| *change < days));
    }
    changes.sort_by(f64::total_cmp);
    ChangingPage { changes, rate: 10.0 / every }
}

/// Changes fast until some day, and then hardly any more.
fn goes_quiet(random: &mut Random, days: f64) -> ChangingPage {
    let end = days * random.unit();
    let busy = like_our_histories(random, days).rate;
    let mut changes = poisson(random, busy, end).changes;
    changes.extend(poisson(random, busy / 30.0, days - end).changes.iter().map(|change| change + end));
    ChangingPage { rate: (changes.len() as f64 / days).max(1e-4), changes }
}

/// Changes at random times.
fn poisson(random: &mut Random, rate: f64, days: f64) -> ChangingPage {
    let mut changes = Vec::new();
    let mut time = random.exponential(rate);
    while time < days {
        changes.push(time);
        time += random.exponential(rate);
    }
    ChangingPage { changes, rate }
}

/// Numbers that look random and are the same for the same seed (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// From 0 up to 1.
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn exponential(&mut self, rate: f64) -> f64 {
        -(1.0 - self.unit()).ln() / rate
    }

    /// Evenly spread in the logarithm.
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.unit())
    }

    /// The sum of twelve is normal enough.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.unit()).sum::<f64>() - 6.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_more_current_and_fewer_visits_wasted_than_at_one_interval_for_all() {
        for world in WORLDS {
            let pages = world.pages(60, 120.0, 1);
            let [fixed, _, ours, _] = compare(&pages, 120.0, &RevisitBounds::default());
            assert!(
                (fixed.visit_count / ours.visit_count - 1.0).abs() < 0.02,
                "{}: the same number of visits",
                world.name
            );
            assert!(ours.freshness() > fixed.freshness(), "{}: {} {}", world.name, ours.freshness(), fixed.freshness());
            assert!(ours.waste() < fixed.waste(), "{}: {} {}", world.name, ours.waste(), fixed.waste());
        }
    }
}
