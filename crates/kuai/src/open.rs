//! Opens an archive by where it lies.

use std::path::{Path, PathBuf};

use kuai_archive::{Archive, Error, Store};
use kuai_crawl::FrontierError;
use kuai_store::{FolderFrontier, FolderStore, MemoryStore};

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

/// Where the search index of the archive in a folder lies.
pub fn search_folder(folder: &Path) -> PathBuf {
    folder.join("search")
}

/// An archive that lives as long as its value.
pub fn in_memory() -> Archive {
    Archive::new(Box::new(MemoryStore::new()), Box::new(Methods::new()))
}

/// Opens the frontier of a crawl beside the archive in a folder; begins it where there is none. The archive has to be open to
/// write, which keeps other writers out.
pub fn open_frontier(folder: &Path, crawl: &str) -> Result<FolderFrontier, FrontierError> {
    FolderFrontier::open(folder, crawl)
}

/// The frontiers of all crawls beside the archive in a folder, by name, to read.
pub fn read_frontiers(folder: &Path) -> Result<Vec<(String, FolderFrontier)>, FrontierError> {
    let mut frontiers = Vec::new();
    for name in FolderFrontier::crawls(folder)? {
        frontiers.extend(FolderFrontier::read(folder, &name)?.map(|frontier| (name, frontier)));
    }
    Ok(frontiers)
}
