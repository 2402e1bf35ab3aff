//! What an archive holds, address by address, and how that compares with what it should hold.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use kuai::{Access, Archive, Error, Url, open};

use crate::reach::Reach;

/// Addresses that are asked for at one time.
const PAGE: usize = 1000;

/// How many faults of a kind are told one by one.
const TOLD_MAX: usize = 10;

/// What is held under an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holding {
    /// The status of the latest capture.
    pub status: u16,
    /// The body of the latest capture.
    pub body: Vec<u8>,
}

/// How often each address was captured.
pub fn captures(archive: &Archive) -> Result<BTreeMap<String, u32>, Error> {
    let mut found = BTreeMap::new();
    let mut last: Option<String> = None;
    loop {
        let rows = archive.urls("", last.as_deref(), PAGE)?;
        let Some(row) = rows.last() else { return Ok(found) };
        last = Some(row.url.clone());
        found.extend(rows.into_iter().map(|row| (row.url, row.entry_count)));
    }
}

/// Reads what is held under an address.
pub fn holding(archive: &Archive, url: &str) -> Result<Holding, Error> {
    let address = Url::parse(url).map_err(|_| Error::UnknownUrl { url: url.to_owned() })?;
    let snapshot = archive.snapshot(&address, None)?;
    Ok(Holding { status: snapshot.info.status, body: snapshot.capture.body })
}

/// Faults, told by kind: how many, and the first few by name.
#[derive(Debug, Default)]
pub struct Faults(BTreeMap<&'static str, Vec<String>>);

impl Faults {
    /// Notes a fault of a kind.
    pub fn add(&mut self, kind: &'static str, what: impl Into<String>) {
        self.0.entry(kind).or_default().push(what.into());
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Prints them.
    pub fn tell(&self) {
        for (kind, all) in &self.0 {
            println!("  FAULT {kind}: {}", all.len());
            for what in all.iter().take(TOLD_MAX) {
                println!("    {what}");
            }
        }
    }
}

/// Compares an archive with the files of a site: every page that can be reached is there once, byte for byte, and nothing else but
/// what links lead to.
pub fn check_against_files(place: &Path, reach: &Reach, faults: &mut Faults) -> Result<(), Error> {
    let archive = open(place, Access::Read)?;
    let captures = captures(&archive)?;
    for (url, file) in &reach.pages {
        match captures.get(url) {
            None => faults.add("page is not in the archive", url),
            Some(_) => {
                if holding(&archive, url)?.body != fs::read(file).unwrap_or_default() {
                    faults.add("body differs from the file", url);
                }
            }
        }
    }
    for (url, count) in &captures {
        if *count != 1 {
            faults.add("captured more than once", format!("{url} ({count} times)"));
        }
        if !reach.contains(url) && !url.ends_with("/robots.txt") {
            faults.add("nothing leads there", url);
        }
    }
    Ok(())
}

/// Compares two archives: the same addresses, each captured once, with the same statuses and bodies.
pub fn check_same(expected: &Path, given: &Path, faults: &mut Faults) -> Result<usize, Error> {
    let (expected, given) = (open(expected, Access::Read)?, open(given, Access::Read)?);
    let (all_expected, all_given) = (captures(&expected)?, captures(&given)?);
    for url in all_expected.keys() {
        let Some(given_count) = all_given.get(url) else {
            faults.add("lost", url);
            continue;
        };
        if *given_count != 1 {
            faults.add("captured more than once", format!("{url} ({given_count} times)"));
        }
        if holding(&expected, url)? != holding(&given, url)? {
            faults.add("status or body differs", url);
        }
    }
    for url in all_given.keys().filter(|url| !all_expected.contains_key(*url)) {
        faults.add("only in the disturbed crawl", url);
    }
    Ok(all_expected.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use kuai::{Capture, Timestamp};

    fn archive(place: &Path, pages: &[(&str, &str)]) {
        let archive = open(place, Access::Write).unwrap();
        for (second, (name, body)) in (0..).zip(pages) {
            let url = Url::parse(&format!("http://127.0.0.101/{name}")).unwrap();
            let time = Timestamp::from_second(second).unwrap();
            archive.commit(&Capture::new(url, time, body.as_bytes().to_vec())).unwrap();
        }
        archive.sync().unwrap();
    }

    fn kinds(faults: &Faults) -> Vec<&'static str> {
        faults.0.keys().copied().collect()
    }

    #[test]
    fn a_page_that_is_missing_doubled_changed_or_too_much_is_a_fault() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("archive");
        let mut reach = Reach::default();
        for name in ["whole", "missing", "doubled", "changed"] {
            let file = folder.path().join(name);
            fs::write(&file, "<p>as it was").unwrap();
            reach.pages.insert(format!("http://127.0.0.101/{name}"), file);
        }
        let body = "<p>as it was";
        let pages = [("whole", body), ("doubled", body), ("doubled", body), ("changed", "<p>other"), ("more", body)];
        archive(&place, &pages);
        let mut faults = Faults::default();
        check_against_files(&place, &reach, &mut faults).unwrap();
        let expected = [
            "body differs from the file",
            "captured more than once",
            "nothing leads there",
            "page is not in the archive",
        ];
        assert_eq!(kinds(&faults), expected);
    }

    #[test]
    fn archives_that_differ_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (folder.path().join("one"), folder.path().join("other"));
        archive(&one, &[("a", "<p>a"), ("b", "<p>b"), ("c", "<p>c")]);
        archive(&other, &[("a", "<p>a"), ("c", "<p>C"), ("d", "<p>d")]);
        let mut faults = Faults::default();
        check_same(&one, &other, &mut faults).unwrap();
        assert_eq!(kinds(&faults), ["lost", "only in the disturbed crawl", "status or body differs"]);
        let mut none = Faults::default();
        check_same(&one, &one, &mut none).unwrap();
        assert!(none.is_empty());
    }
}
