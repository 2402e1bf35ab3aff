//! Which addresses there are, by the key under which other archives file them, kept up to date by the change feed.
//!
//! In memory: about 150 bytes an address. An archive lists addresses by host as it is written, which finds neither all hosts of a domain nor
//! an address that differs in scheme, `www.` or the order of its parameters.

use std::collections::BTreeSet;
use std::ops::Bound;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use kuai::{Archive, Error};
use kuai_warc::surt;

/// Addresses or changes that are asked for at a time.
const BATCH: usize = 1000;

/// What stands between key and address in a line. A key holds none, and it sorts before all that a key holds.
const GAP: char = ' ';

/// See above.
#[derive(Default)]
pub(super) struct Index(RwLock<Lines>);

#[derive(Default)]
struct Lines {
    /// Key, blank, address.
    lines: BTreeSet<Box<str>>,
    /// How far the change feed is known.
    since: u64,
}

impl Index {
    /// Lists an archive.
    pub(super) fn of(archive: &Archive) -> Result<Index, Error> {
        // What comes in while it is listed is listed again; what is known already changes nothing.
        let since = archive.stats()?.captures;
        let mut lines = BTreeSet::new();
        let mut after: Option<String> = None;
        loop {
            let rows = archive.urls("", after.as_deref(), BATCH)?;
            lines.extend(rows.iter().map(|row| line(&row.url)));
            match rows.last() {
                Some(last) => after = Some(last.url.clone()),
                None => return Ok(Index(RwLock::new(Lines { lines, since }))),
            }
        }
    }

    /// Takes in what came into the archive since.
    pub(super) fn refresh(&self, archive: &Archive) -> Result<(), Error> {
        loop {
            let since = self.read().since;
            let changes = archive.changes(since, BATCH)?;
            let Some(last) = changes.last() else { return Ok(()) };
            let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
            known.since = known.since.max(last.row.sequence);
            known.lines.extend(changes.iter().map(|change| line(&change.url)));
        }
    }

    /// The addresses under a key.
    pub(super) fn under(&self, key: &str) -> Vec<String> {
        let start = format!("{key}{GAP}");
        let known = self.read();
        let from = known.lines.range::<str, _>((Bound::Included(start.as_str()), Bound::Unbounded));
        from.map_while(|line| line.strip_prefix(start.as_str())).map(str::to_owned).collect()
    }

    /// The addresses of a range behind its first so many.
    pub(super) fn addresses(&self, range: &KeyRange, offset: usize, limit: usize) -> Vec<String> {
        let known = self.read();
        let lines = known.lines.range::<str, _>(range.bounds()).skip(offset).take(limit);
        lines.filter_map(|line| line.split_once(GAP)).map(|(_, url)| url.to_owned()).collect()
    }

    /// The next key of a range, or the one before, together with its addresses.
    pub(super) fn next(&self, range: &KeyRange, is_reverse: bool) -> Option<(String, Vec<String>)> {
        let key = {
            let known = self.read();
            let mut lines = known.lines.range::<str, _>(range.bounds());
            let line = if is_reverse { lines.next_back() } else { lines.next() }?;
            line.split_once(GAP)?.0.to_owned()
        };
        let urls = self.under(&key);
        Some((key, urls))
    }

    /// How many keys there are in a range.
    pub(super) fn key_count(&self, range: &KeyRange) -> usize {
        self.keys_at(range, usize::MAX).0
    }

    /// The part of a range behind its first so many keys.
    pub(super) fn behind(&self, range: &KeyRange, key_count: usize) -> Option<KeyRange> {
        let key = self.keys_at(range, key_count).1?;
        Some(KeyRange { start: format!("{key}{GAP}"), end: range.end.clone() })
    }

    /// How many keys there are up to the one with this number, and that one.
    fn keys_at(&self, range: &KeyRange, number: usize) -> (usize, Option<String>) {
        let known = self.read();
        let (mut count, mut last) = (0, "");
        for line in known.lines.range::<str, _>(range.bounds()) {
            let key = line.split_once(GAP).map_or("", |(key, _)| key);
            if key == last && count > 0 {
                continue;
            }
            if count == number {
                return (count, Some(key.to_owned()));
            }
            (count, last) = (count + 1, key);
        }
        (count, None)
    }

    fn read(&self) -> RwLockReadGuard<'_, Lines> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Lines from a start to before an end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeyRange {
    start: String,
    end: String,
}

impl KeyRange {
    /// The lines of one key.
    pub(crate) fn exact(key: &str) -> KeyRange {
        KeyRange::between(format!("{key}{GAP}"), format!("{key}!"))
    }

    /// The lines of the keys that begin so.
    pub(crate) fn prefix(start: &str) -> KeyRange {
        // Keys are visible ASCII.
        KeyRange::between(start.to_owned(), format!("{start}\u{7f}"))
    }

    /// All lines from the first up to before the second.
    pub(crate) fn between(start: String, end: String) -> KeyRange {
        KeyRange { start, end }
    }

    /// What is left behind a key, in the direction that is gone.
    pub(crate) fn past(&self, key: &str, is_reverse: bool) -> KeyRange {
        match is_reverse {
            true => KeyRange { start: self.start.clone(), end: format!("{key}{GAP}") },
            false => KeyRange { start: format!("{key}!"), end: self.end.clone() },
        }
    }

    fn bounds(&self) -> (Bound<&str>, Bound<&str>) {
        // A range that ends before it starts is empty, and no reason to panic.
        let end = self.end.as_str().max(self.start.as_str());
        (Bound::Included(self.start.as_str()), Bound::Excluded(end))
    }
}

fn line(url: &str) -> Box<str> {
    format!("{}{GAP}{url}", surt(url)).into_boxed_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(urls: &[&str]) -> Index {
        Index(RwLock::new(Lines { lines: urls.iter().map(|url| line(url)).collect(), since: 0 }))
    }

    fn keys(index: &Index, mut range: KeyRange, is_reverse: bool) -> Vec<String> {
        let mut keys = Vec::new();
        while let Some((key, _)) = index.next(&range, is_reverse) {
            range = range.past(&key, is_reverse);
            keys.push(key);
        }
        keys
    }

    const URLS: [&str; 6] = [
        "http://example.org/",
        "https://www.example.org/",
        "http://example.org/a",
        "http://example.org/a/b",
        "http://example.org/ab",
        "http://sub.example.org/",
    ];

    #[test]
    fn one_key_holds_what_differs_in_scheme_and_www() {
        let index = index(&URLS);
        assert_eq!(index.under("org,example)/"), ["http://example.org/", "https://www.example.org/"]);
        assert_eq!(index.under("org,example)"), [""; 0]);
    }

    #[test]
    fn a_range_is_gone_through_both_ways() {
        let index = index(&URLS);
        let all = ["org,example)/", "org,example)/a", "org,example)/a/b", "org,example)/ab", "org,example,sub)/"];
        assert_eq!(keys(&index, KeyRange::prefix("org,"), false), all);
        let mut reversed = all;
        reversed.reverse();
        assert_eq!(keys(&index, KeyRange::prefix("org,"), true), reversed);
        assert_eq!(keys(&index, KeyRange::exact("org,example)/a"), false), ["org,example)/a"]);
        assert_eq!(keys(&index, KeyRange::between("z".to_owned(), "a".to_owned()), false), [""; 0]);
    }

    #[test]
    fn pages_of_a_range_are_counted_by_key() {
        let index = index(&URLS);
        let range = KeyRange::prefix("org,");
        assert_eq!(index.key_count(&range), 5);
        let rest = index.behind(&range, 3).expect("there is more");
        assert_eq!(keys(&index, rest, false), ["org,example)/ab", "org,example,sub)/"]);
        assert_eq!(index.behind(&range, 5), None);
    }
}
