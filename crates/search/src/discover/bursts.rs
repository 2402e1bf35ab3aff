//! Bursts of change: times in which a page's content changed much more often than in the rest of its life.
//!
//! Kleinberg's automaton ("Bursty and hierarchical structure in streams", 2002) with two states: the gaps between changes are explained best by
//! a usual rate and by one that is several times as high, where going up costs. A change is known by the capture that shows it, so a
//! page that was captured more often may seem to have changed more often.

use kuai_archive::Archive;
use kuai_page::{Timestamp, Url};

use super::{Extent, Finding};
use crate::error::Error;
use crate::walk::{Going, each_url};

/// How much higher the rate of a burst is; 2 in the paper, higher here as pages are edited in sittings.
const RATE_RATIO: f64 = 4.0;

/// What going up costs, times the logarithm of the number of changes; γ in the paper.
const CLIMB: f64 = 1.0;

/// Changes of a page before anything can be usual.
const CHANGES_MIN: usize = 8;

/// Changes of a burst.
const BURST_MIN: usize = 4;

/// A burst is at most this share of a page's changes: what is most of its life is not unusual.
const SHARE_MAX: f64 = 0.5;

/// Captures of a page that are looked at, the newest.
const VISITS_MAX: usize = 100_000;

/// Bursts that are told.
const FINDINGS_MAX: usize = 1_000;

pub(super) fn bursts(archive: &Archive, extent: &Extent, going: Going<'_>) -> Result<Vec<Finding>, Error> {
    let mut found: Vec<(f64, Finding)> = Vec::new();
    each_url(archive, going, |url| {
        if extent.has_site(url) {
            let visits = archive.visits(url, VISITS_MAX)?;
            // The first capture shows no change.
            let changes: Vec<Timestamp> =
                visits.iter().skip(1).filter(|(_, is_changed)| *is_changed).map(|(time, _)| *time).collect();
            found.extend(bursts_of(url, &changes).into_iter().filter(|(_, finding)| is_in(extent, finding)));
        }
        Ok(())
    })?;
    // Sorting is stable, and the order of addresses is that of the listing.
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found.truncate(FINDINGS_MAX);
    Ok(found.into_iter().map(|(_, finding)| finding).collect())
}

fn is_in(extent: &Extent, finding: &Finding) -> bool {
    matches!(finding, Finding::Burst { from, to, .. } if extent.has(*from) && extent.has(*to))
}

/// The bursts among the changes of a page, each with how much it stands out.
fn bursts_of(url: &Url, changes: &[Timestamp]) -> Vec<(f64, Finding)> {
    let (Some(first), Some(last)) = (changes.first(), changes.last()) else { return Vec::new() };
    let seconds: Vec<i64> = changes.iter().map(|time| time.as_second()).collect();
    let life = (seconds[seconds.len() - 1] - seconds[0]).max(1) as f64;
    let all = changes.len() as u32;
    runs(&seconds)
        .into_iter()
        .map(|(start, end)| {
            let count = end - start + 1;
            let length = (seconds[end] - seconds[start]).max(1) as f64;
            let usual = length / life * f64::from(all);
            let (from, to) = (changes[start], changes[end]);
            let finding =
                Finding::Burst { url: url.clone(), changes: count as u32, from, to, all, life: (*first, *last) };
            (count as f64 * (count as f64 / usual.max(f64::MIN_POSITIVE)).ln(), finding)
        })
        .collect()
}

/// The first and the last event of each burst among times in order.
fn runs(times: &[i64]) -> Vec<(usize, usize)> {
    if times.len() < CHANGES_MIN {
        return Vec::new();
    }
    let gaps: Vec<f64> = times.windows(2).map(|pair| (pair[1] - pair[0]).max(1) as f64).collect();
    let is_high = states(&gaps);
    let mut runs = Vec::new();
    let mut gap = 0;
    for run in is_high.chunk_by(|a, b| a == b) {
        let count = run.len() + 1;
        if run[0] && count >= BURST_MIN && count as f64 <= times.len() as f64 * SHARE_MAX {
            runs.push((gap, gap + run.len()));
        }
        gap += run.len();
    }
    runs
}

/// Which gaps belong to the high state, by the cheapest way through them.
fn states(gaps: &[f64]) -> Vec<bool> {
    let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
    let rates = [1.0 / mean, RATE_RATIO / mean];
    let climb = CLIMB * (gaps.len() as f64).ln();
    let mut costs = [0.0, climb];
    // For each gap and state, whether the way there came from the high state.
    let mut ways = Vec::with_capacity(gaps.len());
    for gap in gaps {
        let to_low = if costs[1] < costs[0] { (costs[1], true) } else { (costs[0], false) };
        let up = costs[0] + climb;
        let to_high = if costs[1] <= up { (costs[1], true) } else { (up, false) };
        let cost = |state: usize| gap * rates[state] - rates[state].ln();
        costs = [to_low.0 + cost(0), to_high.0 + cost(1)];
        ways.push([to_low.1, to_high.1]);
    }
    let mut is_high = costs[1] < costs[0];
    let mut states: Vec<bool> = ways
        .iter()
        .rev()
        .map(|way| {
            let here = is_high;
            is_high = way[usize::from(here)];
            here
        })
        .collect();
    states.reverse();
    states
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_changes_in_a_short_time_are_a_burst() {
        let usual = (0..20).map(|day| day * 864_000);
        let burst = (0..6).map(|hour| 4_750_000 + hour * 3_600);
        let mut times: Vec<i64> = usual.chain(burst).collect();
        times.sort_unstable();
        let found = runs(&times);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((times[found[0].0], times[found[0].1]), (4_750_000, 4_768_000));
    }

    #[test]
    fn even_changes_are_none() {
        assert_eq!(runs(&(0..50).map(|day| day * 86_400).collect::<Vec<_>>()), []);
        assert_eq!(runs(&[]), []);
        assert_eq!(runs(&[7; 20]), []);
    }
}
