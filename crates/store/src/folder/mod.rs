//! An archive in a folder: append-only logs, immutable packs, and a catalogue of where things lie.
//!
//! One process writes, any number read. A lock is held only while rows are looked up or an entry is written; what is read
//! from logs and packs is played outside of it.

mod append;
mod compact;
mod feed;
mod open;
mod read;
mod rebuild;
mod repack;
mod verify;

use std::fs::File;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use kuai_archive::{Change, Compacted, Entry, Progress, Row, Store, StoreError, Stored, Totals, UrlRow, Verified};

use crate::errors::is_vanished;
use crate::familiar::FamiliarHosts;
use crate::files::Files;
use crate::index::Index;
use crate::listing;
use crate::log::LogWriter;
use crate::open_reels::OpenReels;
use crate::roots::RootCache;
use crate::row::State;

/// How often a reader looks again when files vanish under it; each time a whole compaction has gone by.
const ATTEMPTS_MAX: usize = 5;

/// A store in a folder.
#[derive(Debug)]
pub struct FolderStore {
    files: Files,
    roots: RootCache,
    shared: Mutex<Shared>,
    bookmarks: feed::Bookmarks,
    /// Held by the one compaction at a time.
    compaction: Mutex<()>,
}

/// What is looked up and changed under the lock.
#[derive(Debug)]
struct Shared {
    index: Index,
    /// There is none in a store that was opened for reading.
    writer: Option<Writer>,
    /// What the catalogue said when a reader last began with it.
    base: State,
    /// Which file that was.
    catalogue: Option<(u64, u64)>,
}

/// What only the one writer has.
#[derive(Debug)]
struct Writer {
    /// Holds the lock on the marker file as long as it is open.
    _lock: File,
    /// There is none until something is appended after the last one was sealed.
    log: Option<LogWriter>,
    reels: OpenReels,
    familiar: FamiliarHosts,
}

impl FolderStore {
    /// Opens the archive in a folder for writing, and makes folder and archive if there are none.
    pub fn create_or_open(path: impl AsRef<Path>) -> Result<FolderStore, StoreError> {
        open::create(path.as_ref())?;
        open::for_writing(path.as_ref())
    }

    /// Opens an archive for writing. Fails with [`StoreError::Locked`] while another process does the same.
    pub fn open(path: impl AsRef<Path>) -> Result<FolderStore, StoreError> {
        open::for_writing(path.as_ref())
    }

    /// Opens an archive for reading. Writes nothing, and sees what a writer appends meanwhile.
    pub fn read(path: impl AsRef<Path>) -> Result<FolderStore, StoreError> {
        open::for_reading(path.as_ref())
    }

    fn new(files: Files, index: Index, writer: Option<Writer>) -> FolderStore {
        let (base, catalogue) = (index.state.clone(), files.catalogue_identity());
        let shared = Mutex::new(Shared { index, writer, base, catalogue });
        let (roots, bookmarks, compaction) = Default::default();
        FolderStore { files, roots, shared, bookmarks, compaction }
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        // A panic leaves nothing half done that matters: what is in memory only repeats what is in the files.
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks something up in one state of the archive that is up to date.
    fn look_up<T>(&self, work: impl FnOnce(&Index) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let mut shared = self.lock();
        if shared.writer.is_some() {
            return work(&shared.index);
        }
        if shared.catalogue != self.files.catalogue_identity() {
            shared.renew(&self.files)?;
        }
        shared.index.catalogue.begin()?;
        let found = shared.refresh(&self.files).and_then(|()| work(&shared.index));
        shared.index.catalogue.end()?;
        found
    }

    /// Does something that reads files, again if one of them vanished because a compaction replaced it.
    fn attempt<T>(&self, work: impl Fn() -> Result<T, StoreError>) -> Result<T, StoreError> {
        let mut attempt = 1;
        loop {
            match work() {
                Err(error) if is_vanished(&error) && attempt < ATTEMPTS_MAX => self.look_again()?,
                done => return done,
            }
            attempt += 1;
        }
    }

    /// Makes a reader begin with the catalogue again.
    fn look_again(&self) -> Result<(), StoreError> {
        let mut shared = self.lock();
        if shared.writer.is_none() { shared.renew(&self.files) } else { Ok(()) }
    }
}

impl Shared {
    /// Makes a reader begin with the catalogue as it is now.
    fn renew(&mut self, files: &Files) -> Result<(), StoreError> {
        self.catalogue = files.catalogue_identity();
        self.index = open::index_for_reading(files)?;
        self.base = self.index.catalogue.state()?;
        Ok(())
    }

    /// Brings a reader up to date.
    fn refresh(&mut self, files: &Files) -> Result<(), StoreError> {
        let base = self.index.catalogue.state()?;
        if base != self.base {
            self.index.restart()?;
            self.base = base;
        }
        self.index.catch_up(files).map(|_| ())
    }

    /// Makes everything appended durable, and the catalogue up to date.
    fn flush(&mut self) -> Result<(), StoreError> {
        if let Some(log) = self.writer.as_ref().and_then(|writer| writer.log.as_ref()) {
            log.sync()?;
        }
        self.index.flush()
    }
}

impl Drop for FolderStore {
    fn drop(&mut self) {
        let mut shared = self.lock();
        if shared.writer.is_some() {
            // The next writer reads from the log what the catalogue lacks.
            let _ = shared.flush();
        }
    }
}

impl Store for FolderStore {
    fn append(&self, entry: &Entry<'_>) -> Result<Row, StoreError> {
        append::append(self, entry)
    }

    fn sync(&self) -> Result<(), StoreError> {
        let mut shared = self.lock();
        if shared.index.is_due() && shared.writer.is_some() {
            return shared.flush();
        }
        match shared.writer.as_ref().and_then(|writer| writer.log.as_ref()) {
            Some(log) => log.sync(),
            None => Ok(()),
        }
    }

    fn latest(&self, url: &str) -> Result<Option<Stored>, StoreError> {
        self.attempt(|| read::latest(self, url))
    }

    fn newest(&self, url: &str, limit: usize) -> Result<Vec<Row>, StoreError> {
        self.attempt(|| read::newest(self, url, limit))
    }

    fn history(&self, url: &str) -> Result<Vec<Row>, StoreError> {
        self.attempt(|| read::history(self, url))
    }

    fn read(&self, url: &str, number: u32) -> Result<Stored, StoreError> {
        self.attempt(|| read::entry(self, url, number))
    }

    fn urls(&self, prefix: &str, after: Option<&str>, limit: usize) -> Result<Vec<UrlRow>, StoreError> {
        self.attempt(|| self.look_up(|index| listing::urls(index, prefix, after, limit)))
    }

    fn changes(&self, since: u64, limit: usize) -> Result<Vec<Change>, StoreError> {
        self.attempt(|| feed::changes(self, since, limit))
    }

    fn totals(&self) -> Result<Totals, StoreError> {
        let state = self.attempt(|| self.look_up(|index| Ok(index.state.clone())))?;
        Ok(Totals {
            url_count: state.url_count,
            entry_count: state.entry_count,
            bytes_given: state.bytes_given,
            bytes_stored: self.files.total_length()?,
            figures: state.figures,
        })
    }

    fn compact(&self, progress: Progress<'_>) -> Result<Compacted, StoreError> {
        compact::compact(self, progress)
    }

    fn verify(&self, progress: Progress<'_>) -> Result<Verified, StoreError> {
        verify::verify(self, progress)
    }
}
