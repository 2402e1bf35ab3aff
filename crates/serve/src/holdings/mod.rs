//! The archive as visitors see it: moments of an address, whichever of its spellings was asked for, and what was there at each.

mod details;
mod index;
mod tally;

use std::sync::Arc;

use kuai::{Archive, Error, Snapshot, Timestamp, Url, VersionInfo, canonical};
use kuai_warc::surt;

pub(crate) use details::Detail;
use details::Details;
use index::Index;
pub(crate) use index::KeyRange;
pub(crate) use tally::{Day, Site, Tally, day_number, site_key, site_name};

/// An archive and what is remembered about it.
pub(crate) struct Holdings {
    archive: Archive,
    index: Index,
    details: Details,
    tally: Tally,
}

/// An address at a time.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    pub(crate) time: Timestamp,
    pub(crate) url: Arc<Url>,
    /// What was there.
    pub(crate) version: Arc<VersionInfo>,
    /// Whether the same had been there before.
    pub(crate) is_again: bool,
}

impl Holdings {
    pub(crate) fn new(archive: Archive) -> Result<Holdings, Error> {
        Ok(Holdings { index: Index::of(&archive)?, archive, details: Details::default(), tally: Tally::default() })
    }

    /// What there is of each site.
    pub(crate) fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The archive itself.
    pub(crate) fn archive(&self) -> &Archive {
        &self.archive
    }

    /// When an address was captured, in order of time; nothing where it is unknown.
    ///
    /// Spellings that other archives take for one address are one: scheme, `www.`, order of parameters and the like. Where some are the same but
    /// for scheme and `www.`, others that differ in case, say, are left out, since on many servers they are other pages.
    pub(crate) fn moments(&self, url: &Url) -> Result<Vec<Moment>, Error> {
        self.index.refresh(&self.archive)?;
        // Crawls drop what does not change the answer; links in pages still have it.
        let spellings = [url.clone(), canonical(url)];
        let found = spellings
            .iter()
            .map(|url| (url, self.index.under(&surt(url.as_str()))))
            .find(|(_, known)| !known.is_empty());
        let Some((wanted, mut known)) = found else { return Ok(Vec::new()) };
        if known.iter().any(|known| is_spelling(known, wanted.as_str())) {
            known.retain(|known| is_spelling(known, wanted.as_str()));
        }
        self.moments_of(&known)
    }

    /// The spelling of an address that the archive knows; of several the one that comes first.
    pub(crate) fn known(&self, url: &Url) -> Result<Url, Error> {
        self.index.refresh(&self.archive)?;
        let spellings = [url.clone(), canonical(url)];
        let found = spellings.iter().map(|url| self.index.under(&surt(url.as_str()))).find(|known| !known.is_empty());
        let known = found.unwrap_or_default();
        let exact = known.iter().find(|known| known.as_str() == url.as_str());
        let alike = exact.or_else(|| known.iter().find(|known| is_spelling(known, url.as_str()))).or(known.first());
        let unknown = || Error::UnknownUrl { url: url.to_string() };
        alike.and_then(|known| Url::parse(known).ok()).ok_or_else(unknown)
    }

    /// The addresses of a range behind its first so many.
    pub(crate) fn addresses(&self, range: &KeyRange, offset: usize, limit: usize) -> Vec<String> {
        self.index.addresses(range, offset, limit)
    }

    /// The moments of some addresses, in order of time.
    pub(crate) fn moments_of(&self, urls: &[String]) -> Result<Vec<Moment>, Error> {
        let mut moments = Vec::new();
        for url in urls.iter().filter_map(|url| Url::parse(url).ok()) {
            let (history, url) = (self.archive.history(&url)?, Arc::new(url));
            for version in history.into_iter().map(Arc::new) {
                let moment =
                    |time, is_again| Moment { time, url: Arc::clone(&url), version: Arc::clone(&version), is_again };
                moments.push(moment(version.time, false));
                moments.extend(version.seen_again.iter().map(|time| moment(*time, true)));
            }
        }
        moments.sort_by_key(|moment| (moment.time, moment.version.sequence));
        Ok(moments)
    }

    /// The next key of a range with the moments of its addresses; the key before it where the way is back.
    pub(crate) fn next(&self, range: &KeyRange, is_reverse: bool) -> Result<Option<(String, Vec<Moment>)>, Error> {
        let Some((key, urls)) = self.index.next(range, is_reverse) else { return Ok(None) };
        Ok(Some((key, self.moments_of(&urls)?)))
    }

    /// Brings the index up to date.
    pub(crate) fn refresh(&self) -> Result<(), Error> {
        self.index.refresh(&self.archive)
    }

    /// How many keys there are in a range.
    pub(crate) fn key_count(&self, range: &KeyRange) -> usize {
        self.index.key_count(range)
    }

    /// The part of a range behind its first so many keys.
    pub(crate) fn behind(&self, range: &KeyRange, key_count: usize) -> Option<KeyRange> {
        self.index.behind(range, key_count)
    }

    /// What was there at a moment, exactly as it came.
    pub(crate) fn read(&self, moment: &Moment) -> Result<Snapshot, Error> {
        self.archive.read(&moment.url, &moment.version)
    }

    /// What only reading tells about a moment, remembered.
    pub(crate) fn detail(&self, moment: &Moment) -> Result<Arc<Detail>, Error> {
        self.details.of(moment.version.sequence, || Ok(self.read(moment)?.capture))
    }
}

/// Where in a list that is sorted by time the moment nearest to a time stands, to the second; of two that are equally near the earlier one.
pub(crate) fn nearest(moments: &[Moment], time: Timestamp) -> Option<usize> {
    let time = time.as_second();
    let after = moments.partition_point(|moment| moment.time.as_second() < time);
    let distance = |index: usize| moments.get(index).map(|moment| moment.time.as_second().abs_diff(time));
    match (after.checked_sub(1).and_then(distance), distance(after)) {
        (Some(before), Some(behind)) if before <= behind => Some(after - 1),
        (Some(_), None) => Some(after - 1),
        (_, Some(_)) => Some(after),
        (None, None) => None,
    }
}

/// Whether two addresses differ only in what seldom tells two pages apart.
pub(crate) fn is_spelling(one: &str, other: &str) -> bool {
    essence(one) == essence(other)
}

/// An address without what seldom tells two pages apart: scheme, `www.`, the final slash.
fn essence(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.strip_prefix("www.").unwrap_or(rest).trim_end_matches('/')
}

#[cfg(test)]
mod tests {
    use kuai::{Capture, in_memory};

    use super::*;

    fn holdings(captures: &[(&str, &str)]) -> Holdings {
        let archive = in_memory();
        for (url, time) in captures {
            let url = Url::parse(url).expect("an address");
            let capture = Capture::new(url, time.parse().expect("a time"), format!("<p>{time}").into_bytes());
            archive.commit(&capture).expect("it is kept");
        }
        Holdings::new(archive).expect("it opens")
    }

    fn days(holdings: &Holdings, url: &str) -> Vec<String> {
        let moments = holdings.moments(&Url::parse(url).expect("an address")).expect("it reads");
        moments.iter().map(|moment| moment.time.to_string()[..10].to_owned()).collect()
    }

    #[test]
    fn spellings_of_an_address_share_their_moments() {
        let holdings = holdings(&[
            ("http://example.org/a", "2026-01-01T00:00:00Z"),
            ("https://www.example.org/a", "2026-01-02T00:00:00Z"),
            ("https://example.org/A", "2026-01-03T00:00:00Z"),
        ]);
        assert_eq!(days(&holdings, "https://example.org/a"), ["2026-01-01", "2026-01-02"]);
        assert_eq!(days(&holdings, "https://example.org/A"), ["2026-01-03"]);
        assert_eq!(days(&holdings, "https://example.org/a/").len(), 2);
        assert_eq!(days(&holdings, "https://example.org/a?utm_source=x").len(), 2);
        assert_eq!(days(&holdings, "https://example.org/b").len(), 0);
    }

    #[test]
    fn what_comes_in_later_is_seen() {
        let holdings = holdings(&[("http://example.org/", "2026-01-01T00:00:00Z")]);
        let url = Url::parse("http://example.org/new").expect("an address");
        holdings.archive.commit(&Capture::new(url, Timestamp::UNIX_EPOCH, b"<p>new".to_vec())).expect("it is kept");
        assert_eq!(days(&holdings, "http://example.org/new"), ["1970-01-01"]);
    }

    #[test]
    fn the_nearest_moment_is_found() {
        let holdings = holdings(&[
            ("http://example.org/", "2026-01-01T00:00:00Z"),
            ("http://example.org/", "2026-01-03T00:00:00Z"),
            ("http://example.org/", "2026-01-04T00:00:00Z"),
        ]);
        let moments = holdings.moments(&Url::parse("http://example.org/").expect("an address")).expect("it reads");
        let at = |time: &str| nearest(&moments, time.parse().expect("a time"));
        assert_eq!(at("2025-01-01T00:00:00Z"), Some(0));
        assert_eq!(at("2026-01-02T00:00:00Z"), Some(0));
        assert_eq!(at("2026-01-02T00:00:01Z"), Some(1));
        assert_eq!(at("2026-01-04T00:00:00Z"), Some(2));
        assert_eq!(at("2027-01-04T00:00:00Z"), Some(2));
        assert_eq!(nearest(&[], Timestamp::UNIX_EPOCH), None);
    }
}
