//! Lists URLs: those of the catalogue and those that came in since, grouped by host and sorted within it.

use std::collections::VecDeque;
use std::iter::Peekable;
use std::ops::Bound;

use kuai_archive::{StoreError, UrlRow};

use crate::host::host_of;
use crate::index::{Address, Index};
use crate::row::ReelRow;

/// How many reels are asked of the catalogue at a time: as many as addresses are wanted, but not fewer …
const PAGE_LENGTH_MIN: usize = 8;
/// … nor more.
const PAGE_LENGTH_MAX: usize = 512;

/// URLs that begin with `prefix`, after the last one seen.
pub(crate) fn urls(index: &Index, prefix: &str, after: Option<&str>, limit: usize) -> Result<Vec<UrlRow>, StoreError> {
    let range = PrefixRange::new(prefix);
    let start = match after.map(address_of) {
        Some(after) if after >= range.start => Bound::Excluded(after),
        _ => Bound::Included(range.start.clone()),
    };
    let mut rows = Vec::new();
    let mut known = CatalogueUrls::new(index, start.clone(), limit);
    let mut added = index.added().range((start, Bound::Unbounded)).peekable();
    while rows.len() < limit {
        let Some((address, row)) = next_url(&mut known, &mut added)? else { break };
        if range.is_behind(&address) {
            break;
        }
        if row.entry_count > 0 && row.url.starts_with(prefix) {
            rows.push(row);
        }
    }
    Ok(rows)
}

/// Where URLs with a prefix can lie in the order of listings.
pub(crate) struct PrefixRange {
    pub(crate) start: Address,
    /// The part of the prefix that belongs to the host.
    host: String,
    /// Set if the prefix holds the whole host: then only the URLs that begin with it are in between.
    whole: Option<String>,
}

impl PrefixRange {
    pub(crate) fn new(prefix: &str) -> PrefixRange {
        let host = host_of(prefix).to_owned();
        let is_whole = prefix.split_once("//").is_some_and(|(_, rest)| rest.len() > host.len());
        let whole = is_whole.then(|| prefix.to_owned());
        PrefixRange { start: (host.clone(), whole.clone().unwrap_or_default()), host, whole }
    }

    /// Whether neither this address nor any after it can match.
    pub(crate) fn is_behind(&self, (host, url): &Address) -> bool {
        match &self.whole {
            Some(prefix) => *host != self.host || !url.starts_with(prefix),
            None => !host.starts_with(&self.host),
        }
    }
}

type Added<'a> = Peekable<std::collections::btree_map::Range<'a, Address, UrlRow>>;

/// The lesser of the two next URLs; one that is in both is joined.
fn next_url(known: &mut CatalogueUrls<'_>, added: &mut Added<'_>) -> Result<Option<(Address, UrlRow)>, StoreError> {
    let Some(known_row) = known.peek()? else {
        return Ok(added.next().map(|(address, row)| (address.clone(), row.clone())));
    };
    let address = address_of(&known_row.url);
    match added.peek() {
        Some((added_address, _)) if **added_address < address => {
            Ok(added.next().map(|(address, row)| (address.clone(), row.clone())))
        }
        Some((added_address, added_row)) if **added_address == address => {
            let row = joined(known_row.clone(), added_row);
            added.next();
            known.next();
            Ok(Some((address, row)))
        }
        _ => Ok(known.next().map(|row| (address, row))),
    }
}

/// URLs of the catalogue, read page by page.
struct CatalogueUrls<'a> {
    index: &'a Index,
    start: Bound<Address>,
    page_length: usize,
    page: VecDeque<UrlRow>,
    is_at_end: bool,
}

impl<'a> CatalogueUrls<'a> {
    fn new(index: &'a Index, start: Bound<Address>, wanted: usize) -> CatalogueUrls<'a> {
        let page_length = wanted.clamp(PAGE_LENGTH_MIN, PAGE_LENGTH_MAX);
        CatalogueUrls { index, start, page_length, page: VecDeque::new(), is_at_end: false }
    }

    fn peek(&mut self) -> Result<Option<&UrlRow>, StoreError> {
        if self.page.is_empty() && !self.is_at_end {
            self.read_page()?;
        }
        Ok(self.page.front())
    }

    fn next(&mut self) -> Option<UrlRow> {
        self.page.pop_front()
    }

    fn read_page(&mut self) -> Result<(), StoreError> {
        let (catalogue, length) = (&self.index.catalogue, self.page_length);
        let mut reels = match &self.start {
            Bound::Excluded((host, url)) => catalogue.reels_from(host, url, true, length)?,
            Bound::Included((host, url)) => catalogue.reels_from(host, url, false, length)?,
            Bound::Unbounded => catalogue.reels_from("", "", false, length)?,
        };
        self.is_at_end = reels.len() < length;
        if let (false, Some(last)) = (self.is_at_end, reels.last()) {
            // The page may end within the reels of a URL.
            let url = last.url.clone();
            reels.retain(|reel| reel.url != url);
            reels.extend(catalogue.reels_of(&url)?);
        }
        if let Some(last) = reels.last() {
            self.start = Bound::Excluded(address_of(&last.url));
        }
        self.page = grouped(&reels);
        Ok(())
    }
}

/// One row a URL from reels in order.
fn grouped(reels: &[ReelRow]) -> VecDeque<UrlRow> {
    let of_url = reels.chunk_by(|one, next| one.url == next.url);
    let row = |reels: &[ReelRow]| reels[1..].iter().fold(reels[0].url_row(), |row, reel| joined(row, &reel.url_row()));
    of_url.map(row).collect()
}

fn joined(row: UrlRow, other: &UrlRow) -> UrlRow {
    UrlRow {
        entry_count: row.entry_count + other.entry_count,
        first: row.first.min(other.first),
        last: row.last.max(other.last),
        ..row
    }
}

fn address_of(url: &str) -> Address {
    (host_of(url).to_owned(), url.to_owned())
}
