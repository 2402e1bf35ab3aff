//! An archive that many processes on many machines share: rows and the change feed in Postgres, bytes in an object store.
//!
//! What is appended is gathered into batches. A batch is one object, written first, and one transaction that points to it, so a
//! version is there whole or not at all. The last thing that a transaction does is to take its numbers of the change feed, under a lock
//! that it holds until it is done: whoever reads the feed up to a number has seen all there ever will be up to it.

mod address;
mod append;
mod batch;
mod cache;
mod commit;
mod compact;
mod database;
mod desk;
mod fault;
mod item;
mod listing;
mod lock;
mod objects;
mod open;
mod read;
mod rows;
mod schema;
mod verify;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use kuai_archive::{Change, Compacted, Entry, Progress, Row, Store, StoreError, Stored, Totals, UrlRow, Verified};

use address::Address;
pub use address::{is_shared, local_name};
pub(crate) use database::{Database, Session, Values};
use desk::Writer;
pub(crate) use fault::Fault;
use objects::Objects;

use crate::roots::RootCache;

/// A store in Postgres and an object store.
#[derive(Debug)]
pub struct PostgresStore {
    core: Arc<Core>,
    /// There is none in a store that was opened for reading.
    writer: Option<Writer>,
}

/// What a store and the frontiers beside it have in common.
#[derive(Debug)]
pub(crate) struct Core {
    pub(crate) database: Database,
    pub(crate) schema: String,
    /// The archive's address for people.
    pub(crate) shown: String,
    /// How long a worker is believed to live without a sign of it.
    pub(crate) lease: Duration,
    objects: Objects,
    roots: RootCache,
    /// The worker that writes, if it is one: what it writes counts only as long as it holds its lease.
    worker: Mutex<Option<i64>>,
}

impl PostgresStore {
    /// Opens the archive at an address for writing, beside any number of others; makes it where there is none.
    pub fn create_or_open(address: &str) -> Result<PostgresStore, StoreError> {
        let core = open::for_writing(&Address::parse(address)?)?;
        Ok(PostgresStore { core: Arc::new(core), writer: Some(Writer::default()) })
    }

    /// Opens the archive at an address for reading.
    pub fn read(address: &str) -> Result<PostgresStore, StoreError> {
        let core = open::for_reading(&Address::parse(address)?)?;
        Ok(PostgresStore { core: Arc::new(core), writer: None })
    }

    pub(crate) fn core(&self) -> &Arc<Core> {
        &self.core
    }

    fn writer(&self) -> Result<&Writer, Fault> {
        let read_only = || StoreError::ReadOnly { place: self.core.shown.clone().into() };
        self.writer.as_ref().ok_or_else(|| read_only().into())
    }

    /// Commits what was appended, where something is asked that any of it may be part of.
    fn settle(&self) -> Result<(), Fault> {
        match &self.writer {
            Some(writer) => writer.flush(&self.core),
            None => Ok(()),
        }
    }

    fn told<T>(&self, doing: &'static str, done: Result<T, Fault>) -> Result<T, StoreError> {
        done.map_err(|fault| fault.of_store(doing, &self.core.shown))
    }

    /// Asks about one address, which what was appended to others is no part of: whoever reads one page after another while it writes would
    /// otherwise commit each for itself.
    fn ask_of<T>(&self, url: &str, question: impl FnOnce() -> Result<T, Fault>) -> Result<T, StoreError> {
        let settled = match &self.writer {
            Some(writer) => writer.settle(&self.core, url),
            None => Ok(()),
        };
        self.told("read", settled.and_then(|()| question()))
    }

    fn ask<T>(&self, question: impl FnOnce() -> Result<T, Fault>) -> Result<T, StoreError> {
        self.told("read", self.settle().and_then(|()| question()))
    }
}

impl Core {
    /// From now on what is written is written as this worker.
    pub(crate) fn set_worker(&self, worker: Option<i64>) {
        *self.worker.lock().unwrap_or_else(PoisonError::into_inner) = worker;
    }

    fn worker(&self) -> Option<i64> {
        *self.worker.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The place, for errors.
    fn place(&self) -> &Path {
        Path::new(&self.shown)
    }
}

impl Store for PostgresStore {
    fn append(&self, entry: &Entry<'_>) -> Result<Row, StoreError> {
        self.told("write", self.writer().and_then(|writer| append::append(&self.core, writer, entry)))
    }

    fn sync(&self) -> Result<(), StoreError> {
        self.told("write", self.settle())
    }

    fn latest(&self, url: &str) -> Result<Option<Stored>, StoreError> {
        match &self.writer {
            Some(writer) => self.told("read", append::latest(&self.core, writer, url)),
            None => self.told("read", read::latest(&self.core, url)),
        }
    }

    fn newest(&self, url: &str, limit: usize) -> Result<Vec<Row>, StoreError> {
        let pending = self.writer.as_ref().map(|writer| writer.pending_rows(url)).unwrap_or_default();
        let newest = read::newest(&self.core, url, limit).map(|known| joined(pending, known, limit));
        self.told("read", newest)
    }

    fn history(&self, url: &str) -> Result<Vec<Row>, StoreError> {
        self.ask_of(url, || read::history(&self.core, url))
    }

    fn read(&self, url: &str, number: u32) -> Result<Stored, StoreError> {
        self.ask_of(url, || read::entry(&self.core, url, number))
    }

    fn urls(&self, prefix: &str, after: Option<&str>, limit: usize) -> Result<Vec<UrlRow>, StoreError> {
        self.ask(|| listing::urls(&self.core, prefix, after, limit))
    }

    fn changes(&self, since: u64, limit: usize) -> Result<Vec<Change>, StoreError> {
        self.ask(|| listing::changes(&self.core, since, limit))
    }

    fn totals(&self) -> Result<Totals, StoreError> {
        self.ask(|| listing::totals(&self.core))
    }

    fn compact(&self, progress: Progress<'_>) -> Result<Compacted, StoreError> {
        let done = self.writer().and_then(|_| self.settle()).and_then(|()| compact::compact(&self.core, progress));
        self.told("compact", done)
    }

    fn verify(&self, progress: Progress<'_>) -> Result<Verified, StoreError> {
        self.ask(|| verify::verify(&self.core, progress))
    }
}

/// Rows that are not committed yet before those that are, newest first. A commit in between may have made some of them both.
fn joined(pending: Vec<Row>, known: Vec<Row>, limit: usize) -> Vec<Row> {
    let newest_known = known.first().map_or(0, |row| row.number + 1);
    let pending = pending.into_iter().filter(|row| row.number >= newest_known);
    pending.chain(known).take(limit).collect()
}
