//! Shared archives for tests: a schema of its own in the Postgres that `scripts/shared-servers` runs, with objects in a folder or in S3.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use kuai_archive::{Change, Compacted, Entry, Progress, Row, Store, StoreError, Stored, Totals, UrlRow, Verified};
use kuai_store::PostgresStore;
use tempfile::TempDir;

/// Where objects lie.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Objects {
    Folder,
    S3,
}

/// A place for a shared archive that is gone with its value.
pub(crate) struct SharedPlace {
    pub(crate) address: String,
    folder: TempDir,
}

/// Places for shared archives, of every kind for which there is a server; says so where there is none.
pub(crate) fn shared_places() -> Vec<(Objects, SharedPlace)> {
    let kinds = [Objects::Folder, Objects::S3];
    kinds.into_iter().filter_map(|objects| Some((objects, SharedPlace::new(objects)?))).collect()
}

impl SharedPlace {
    /// `None` where there is no server, which only ./check minds.
    pub(crate) fn new(objects: Objects) -> Option<SharedPlace> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let postgres = server("KUAI_TEST_POSTGRES")?;
        let folder = tempfile::tempdir().unwrap();
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos();
        let name = format!("test_{}_{}_{since}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let objects = match objects {
            Objects::Folder => folder.path().display().to_string(),
            Objects::S3 => format!("{}/{name}", server("KUAI_TEST_S3")?),
        };
        Some(SharedPlace { address: format!("{postgres}?schema={name}&objects={objects}"), folder })
    }

    /// The folder of its objects, where they lie in one.
    pub(crate) fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }

    pub(crate) fn writer(&self) -> PostgresStore {
        PostgresStore::create_or_open(&self.address).unwrap()
    }

    pub(crate) fn reader(&self) -> PostgresStore {
        PostgresStore::read(&self.address).unwrap()
    }
}

/// The address of a server for tests.
fn server(name: &str) -> Option<String> {
    let address = std::env::var(name).ok();
    if address.is_none() {
        assert!(std::env::var_os("KUAI_TEST_REQUIRED").is_none(), "{name} is not set: run scripts/shared-servers");
        println!("SKIPPED: {name} is not set; `scripts/shared-servers cargo nextest run` runs this too");
    }
    address
}

/// A shared archive that is written by one process and read by another.
pub(crate) struct Apart {
    pub(crate) writer: PostgresStore,
    pub(crate) reader: PostgresStore,
}

impl Apart {
    fn ask<T>(&self, question: impl FnOnce(&PostgresStore) -> T) -> T {
        self.writer.sync().unwrap();
        question(&self.reader)
    }
}

impl Store for Apart {
    fn append(&self, entry: &Entry<'_>) -> Result<Row, StoreError> {
        self.writer.append(entry)
    }

    fn sync(&self) -> Result<(), StoreError> {
        self.writer.sync()
    }

    reads_by_asking!();

    fn compact(&self, progress: Progress<'_>) -> Result<Compacted, StoreError> {
        self.writer.compact(progress)
    }

    fn verify(&self, progress: Progress<'_>) -> Result<Verified, StoreError> {
        self.ask(|store| store.verify(progress))
    }
}
