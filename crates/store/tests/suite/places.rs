//! The folder store in every state in which it may be asked: freshly written, opened again, looked at by another, compacted.

use std::sync::Mutex;

use kuai_archive::{Change, Compacted, Entry, Progress, Row, Store, StoreError, Stored, Totals, UrlRow, Verified};
use kuai_store::FolderStore;
use tempfile::TempDir;

/// What happens between writing and reading.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Between {
    /// The same store is asked.
    Nothing,
    /// The store is opened again for writing.
    Reopen,
    /// A reader that was there from the start is asked.
    Reader,
    /// The store is compacted after some of the writes.
    Compact,
    /// The catalogue is lost.
    LoseCatalogue,
}

/// All of them.
pub(crate) const BETWEEN: [Between; 5] =
    [Between::Nothing, Between::Reopen, Between::Reader, Between::Compact, Between::LoseCatalogue];

/// A store in a folder of its own to which something happens after writing.
pub(crate) struct Place {
    folder: TempDir,
    between: Between,
    held: Mutex<Held>,
}

struct Held {
    writer: Option<FolderStore>,
    reader: FolderStore,
    write_count: usize,
    is_touched: bool,
}

impl Place {
    pub(crate) fn new(between: Between) -> Place {
        let folder = tempfile::tempdir().unwrap();
        let writer = FolderStore::create_or_open(folder.path()).unwrap();
        let reader = FolderStore::read(folder.path()).unwrap();
        let held = Held { writer: Some(writer), reader, write_count: 0, is_touched: false };
        Place { folder, between, held: Mutex::new(held) }
    }

    fn ask<T>(&self, question: impl FnOnce(&FolderStore) -> T) -> T {
        let mut held = self.held.lock().unwrap();
        let is_touched = std::mem::take(&mut held.is_touched);
        match self.between {
            Between::Reader => return question(&held.reader),
            Between::Reopen if is_touched => self.reopen(&mut held, false),
            Between::LoseCatalogue if is_touched => self.reopen(&mut held, true),
            _ => {}
        }
        question(held.writer.as_ref().unwrap())
    }

    fn reopen(&self, held: &mut Held, loses_catalogue: bool) {
        held.writer = None;
        if loses_catalogue {
            std::fs::remove_file(self.folder.path().join("catalogue.sqlite")).unwrap();
        }
        held.writer = Some(FolderStore::open(self.folder.path()).unwrap());
    }
}

impl Store for Place {
    fn append(&self, entry: &Entry<'_>) -> Result<Row, StoreError> {
        let mut held = self.held.lock().unwrap();
        held.is_touched = true;
        held.write_count += 1;
        let writer = held.writer.as_ref().unwrap();
        if matches!(self.between, Between::Compact) && (held.write_count == 7 || held.write_count % 150 == 20) {
            writer.compact(&mut |_, _| true).unwrap();
        }
        writer.append(entry)
    }

    fn sync(&self) -> Result<(), StoreError> {
        self.held.lock().unwrap().writer.as_ref().unwrap().sync()
    }

    reads_by_asking!();

    fn compact(&self, progress: Progress<'_>) -> Result<Compacted, StoreError> {
        let mut held = self.held.lock().unwrap();
        held.is_touched = true;
        held.writer.as_ref().unwrap().compact(progress)
    }

    fn verify(&self, progress: Progress<'_>) -> Result<Verified, StoreError> {
        self.ask(|store| store.verify(progress))
    }
}
