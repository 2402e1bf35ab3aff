//! A store in memory: the model that the other stores are tested against, and a store for tests of others.
//!
//! Everything is kept as it was given, so it is right by being simple; it is as large as what it holds.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use kuai_archive::{
    Change, Compacted, ContentHash, Entry, Progress, Row, Store, StoreError, Stored, Totals, UrlRow, Verified,
};

use crate::host::host_of;

/// A store that is gone with the process.
#[derive(Debug, Default)]
pub struct MemoryStore {
    held: Mutex<Held>,
}

/// A host and a URL of it, in the order of listings.
type Address = (String, String);

#[derive(Debug, Default)]
struct Held {
    histories: BTreeMap<Address, Vec<Stored>>,
    /// The address and number of every entry, by its sequence number less one.
    feed: Vec<(Address, u32)>,
}

impl MemoryStore {
    /// An empty store.
    pub fn new() -> MemoryStore {
        MemoryStore::default()
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        // A panic elsewhere cannot leave this half changed: an entry is pushed after everything about it is known.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for MemoryStore {
    fn append(&self, entry: &Entry<'_>) -> Result<Row, StoreError> {
        let mut held = self.held();
        let address = address_of(entry.url);
        let sequence = held.feed.len() as u64 + 1;
        let history = held.histories.entry(address.clone()).or_default();
        let row = Row {
            number: history.len() as u32,
            sequence,
            time: entry.time,
            hash: ContentHash::of(entry.body),
            body_length: entry.body.len() as u64,
            stored_length: (entry.head.len() + entry.body.len() + entry.notes.len()) as u64,
            figures: entry.figures,
        };
        history.push(Stored {
            row: row.clone(),
            head: entry.head.to_vec(),
            body: entry.body.to_vec(),
            notes: entry.notes.to_vec(),
        });
        held.feed.push((address, row.number));
        Ok(row)
    }

    fn sync(&self) -> Result<(), StoreError> {
        Ok(())
    }

    fn latest(&self, url: &str) -> Result<Option<Stored>, StoreError> {
        Ok(self.held().histories.get(&address_of(url)).and_then(|history| history.last().cloned()))
    }

    fn newest(&self, url: &str, limit: usize) -> Result<Vec<Row>, StoreError> {
        let mut rows = self.history(url)?;
        rows.reverse();
        rows.truncate(limit);
        Ok(rows)
    }

    fn history(&self, url: &str) -> Result<Vec<Row>, StoreError> {
        let held = self.held();
        let history = held.histories.get(&address_of(url)).into_iter().flatten();
        Ok(history.map(|stored| stored.row.clone()).collect())
    }

    fn read(&self, url: &str, number: u32) -> Result<Stored, StoreError> {
        let held = self.held();
        let stored = held.histories.get(&address_of(url)).and_then(|history| history.get(number as usize));
        stored.cloned().ok_or_else(|| StoreError::NoEntry { url: url.to_owned(), number })
    }

    fn urls(&self, prefix: &str, after: Option<&str>, limit: usize) -> Result<Vec<UrlRow>, StoreError> {
        let held = self.held();
        let after = after.map(address_of);
        let rest = held.histories.iter().filter(|(address, _)| after.as_ref().is_none_or(|after| *address > after));
        let matching = rest.filter(|((_, url), _)| url.starts_with(prefix));
        Ok(matching.take(limit).map(|((_, url), history)| url_row(url, history)).collect())
    }

    fn changes(&self, since: u64, limit: usize) -> Result<Vec<Change>, StoreError> {
        let held = self.held();
        let since = usize::try_from(since).unwrap_or(usize::MAX);
        let steps = held.feed.iter().skip(since).take(limit);
        Ok(steps.map(|(address, number)| change(&held, address, *number)).collect())
    }

    fn totals(&self) -> Result<Totals, StoreError> {
        let held = self.held();
        let mut totals = Totals { url_count: held.histories.len() as u64, ..Totals::default() };
        for stored in held.histories.values().flatten() {
            totals.entry_count += 1;
            totals.bytes_given += (stored.head.len() + stored.body.len()) as u64;
            totals.bytes_stored += stored.row.stored_length;
            for (sum, figure) in totals.figures.iter_mut().zip(stored.row.figures) {
                *sum += u64::from(figure);
            }
        }
        Ok(totals)
    }

    fn compact(&self, _progress: Progress<'_>) -> Result<Compacted, StoreError> {
        let bytes = self.totals()?.bytes_stored;
        Ok(Compacted { entry_count: 0, bytes_before: bytes, bytes_after: bytes })
    }

    fn verify(&self, progress: Progress<'_>) -> Result<Verified, StoreError> {
        let entry_count = self.held().feed.len() as u64;
        progress(entry_count, entry_count);
        Ok(Verified { entry_count, ..Verified::default() })
    }
}

fn address_of(url: &str) -> Address {
    (host_of(url).to_owned(), url.to_owned())
}

fn url_row(url: &str, history: &[Stored]) -> UrlRow {
    let times = || history.iter().map(|stored| stored.row.time);
    UrlRow {
        url: url.to_owned(),
        entry_count: history.len() as u32,
        first: times().min().expect("a history has an entry from its start"),
        last: times().max().expect("a history has an entry from its start"),
    }
}

fn change(held: &Held, address: &Address, number: u32) -> Change {
    let row = held.histories[address][number as usize].row.clone();
    Change { url: address.1.clone(), row }
}
