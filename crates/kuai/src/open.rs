//! Opens an archive by where it lies.

use std::path::Path;

use kuai_archive::{Archive, Error, Store};
use kuai_store::{FolderStore, MemoryStore};

use crate::Methods;

/// What an archive is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// To read: any number of processes at a time, also while one writes. Nothing is made or changed.
    Read,
    /// To write: one process at a time. A folder without an archive gets one.
    Write,
}

/// Opens the archive in a folder.
pub fn open(folder: &Path, access: Access) -> Result<Archive, Error> {
    let store: Box<dyn Store> = match access {
        Access::Read => Box::new(FolderStore::read(folder)?),
        Access::Write => Box::new(FolderStore::create_or_open(folder)?),
    };
    Ok(Archive::new(store, Box::new(Methods::new())))
}

/// An archive that lives as long as its value.
pub fn in_memory() -> Archive {
    Archive::new(Box::new(MemoryStore::new()), Box::new(Methods::new()))
}
