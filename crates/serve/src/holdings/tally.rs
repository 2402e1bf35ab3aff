//! What there is of each site, counted once and kept up to date by the change feed, so that no page has to count.
//!
//! A site is a host without `www.`, as the keys of addresses have it; days are UTC.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard};

use kuai::{Archive, Change, Error, Timestamp};
use kuai_warc::surt;

/// Changes that are asked for at a time.
const BATCH: usize = 1000;

/// Sites that are told apart; what is beyond them is counted together, under an empty name.
const SITES_MAX: usize = 1 << 16;

/// Days of sites that are remembered, at about 20 bytes each; what is beyond them is in the sums only.
const DAYS_MAX: usize = 1 << 20;

/// Changes that a request counts itself; more are left to the thread that follows the archive.
const WAITED_FOR_MAX: u64 = 10_000;

const DAY_SECONDS: i64 = 24 * 60 * 60;

/// See above.
#[derive(Default)]
pub(crate) struct Tally {
    sums: RwLock<Sums>,
    /// Held by whoever counts.
    counting: Mutex<()>,
}

/// Everything that was counted.
#[derive(Default)]
pub(crate) struct Sums {
    /// By the host part of their keys: `org,example`.
    pub(crate) sites: BTreeMap<Box<str>, Site>,
    /// The times of the earliest and the latest capture.
    pub(crate) range: Option<(Timestamp, Timestamp)>,
    /// How far the change feed is counted.
    pub(crate) since: u64,
    day_count: usize,
}

/// What there is of a site.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Site {
    pub(crate) addresses: u64,
    pub(crate) captures: u64,
    pub(crate) versions: u64,
    /// Versions whose content a reader sees to be another than before.
    pub(crate) changes: u64,
    pub(crate) bytes_captured: u64,
    pub(crate) bytes_stored: u64,
    pub(crate) first: Timestamp,
    pub(crate) last: Timestamp,
    /// By the number of days since 1970.
    pub(crate) days: BTreeMap<i32, Day>,
}

/// What happened on a day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Day {
    pub(crate) captures: u32,
    pub(crate) changes: u32,
}

impl Tally {
    /// Counts what came in since; leaves it to others where that is a lot. Tells whether everything is counted.
    pub(crate) fn refresh(&self, archive: &Archive) -> Result<bool, Error> {
        let newest = archive.stats()?.captures;
        if newest.saturating_sub(self.read().since) > WAITED_FOR_MAX {
            return Ok(false);
        }
        self.follow(archive, &|| true)
    }

    /// Counts what came in since, as long as `go_on` says so. Tells whether everything is counted.
    pub(crate) fn follow(&self, archive: &Archive, go_on: &dyn Fn() -> bool) -> Result<bool, Error> {
        let _counting = self.counting.lock().unwrap_or_else(PoisonError::into_inner);
        while go_on() {
            let changes = archive.changes(self.read().since, BATCH)?;
            if changes.is_empty() {
                return Ok(true);
            }
            let mut sums = self.sums.write().unwrap_or_else(PoisonError::into_inner);
            changes.iter().for_each(|change| sums.add(change));
        }
        Ok(false)
    }

    /// What is counted so far.
    pub(crate) fn read(&self) -> RwLockReadGuard<'_, Sums> {
        self.sums.read().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sums {
    fn add(&mut self, change: &Change) {
        self.since = change.row.sequence;
        let time = change.row.time;
        let (first, last) = self.range.unwrap_or((time, time));
        self.range = Some((first.min(time), last.max(time)));
        let mut key = site_key(&change.url);
        if self.sites.len() >= SITES_MAX && !self.sites.contains_key(key.as_str()) {
            key.clear();
        }
        let new = || Site { first: change.row.time, last: change.row.time, ..Site::default() };
        let site = self.sites.entry(key.into_boxed_str()).or_insert_with(new);
        let news = change.changes();
        let is_change = news.is_some_and(|news| news.is_content_changed());
        site.addresses += u64::from(change.row.number == 0);
        site.captures += 1;
        site.versions += u64::from(news.is_some());
        site.changes += u64::from(is_change);
        site.bytes_captured += change.row.body_length;
        site.bytes_stored += change.row.stored_length;
        site.first = site.first.min(change.row.time);
        site.last = site.last.max(change.row.time);
        let number = day_number(change.row.time);
        if self.day_count < DAYS_MAX || site.days.contains_key(&number) {
            let before = site.days.len();
            let day = site.days.entry(number).or_default();
            day.captures = day.captures.saturating_add(1);
            day.changes = day.changes.saturating_add(u32::from(is_change));
            self.day_count += site.days.len() - before;
        }
    }
}

/// The number of days since 1970.
pub(crate) fn day_number(time: Timestamp) -> i32 {
    i32::try_from(time.as_second().div_euclid(DAY_SECONDS)).unwrap_or_default()
}

/// The host part of an address's key: `org,example`.
pub(crate) fn site_key(url: &str) -> String {
    let mut key = surt(url);
    key.truncate(key.find(')').unwrap_or(0));
    key
}

/// The name of the site with this key: `example.org`.
pub(crate) fn site_name(key: &str) -> String {
    let (host, port) = key.split_once(':').unwrap_or((key, ""));
    let labels: Vec<&str> = host.split(',').rev().collect();
    let colon = if port.is_empty() { "" } else { ":" };
    format!("{}{colon}{port}", labels.join("."))
}

#[cfg(test)]
mod tests {
    use kuai::{Capture, Url, in_memory};

    use super::*;

    #[test]
    fn a_site_is_counted_once_whatever_its_spelling_and_goes_on_being_counted() {
        let archive = in_memory();
        let put = |url: &str, time: &str, text: &str| {
            let text = format!("<p>The first paragraph stays as it is, day after day.</p><p>{text}</p>");
            let url = Url::parse(url).expect("an address");
            archive.commit(&Capture::new(url, time.parse().expect("a time"), text.into_bytes())).expect("it is kept");
        };
        let tally = Tally::default();
        put("http://e.org/", "2026-01-01T00:00:00Z", "The keeper went up the stairs.");
        put("http://e.org/", "2026-01-01T10:00:00Z", "The keeper came down again, and slept.");
        assert!(tally.refresh(&archive).expect("memory"));
        put("https://www.e.org/other", "2026-01-03T00:00:00Z", "Another page of the same site.");
        put("http://e.org/", "2026-01-03T10:00:00Z", "The keeper came down again, and slept.");
        assert!(tally.refresh(&archive).expect("memory"));
        let sums = tally.read();
        assert_eq!(sums.sites.keys().map(|key| site_name(key)).collect::<Vec<_>>(), ["e.org"]);
        let site = &sums.sites["org,e"];
        assert_eq!((site.addresses, site.captures, site.versions, site.changes), (2, 4, 3, 1));
        let days: Vec<(u32, u32)> = site.days.values().map(|day| (day.captures, day.changes)).collect();
        assert_eq!(days, [(2, 1), (2, 0)]);
    }

    #[test]
    fn a_site_is_known_by_its_name() {
        for (url, name) in
            [("http://www.e.org/a", "e.org"), ("http://e.org:8080/", "e.org:8080"), ("http://[::1]/", "")]
        {
            if !name.is_empty() {
                assert_eq!(site_name(&site_key(url)), name);
            }
            assert!(!site_key(url).contains('/'), "{url}");
        }
        assert_eq!(site_name(&site_key("http://192.0.2.1/")), "192.0.2.1");
    }
}
