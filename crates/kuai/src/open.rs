//! Opens an archive by where it lies: a folder, or a database and an object store that many share.

use std::path::{Path, PathBuf};

use kuai_archive::{Archive, Error, Store};
use kuai_crawl::{Frontier, FrontierError};
use kuai_store::{FolderFrontier, FolderStore, MemoryStore, PostgresFrontier, PostgresStore, local_name};

pub use kuai_store::is_shared;

use crate::{CollectError, Methods};

/// What an archive is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// To read: any number of processes at a time, also while one writes. Nothing is made or changed.
    Read,
    /// To write: one process at a time in a folder, any number in a shared place. Where there is no archive, one is made.
    Write,
}

/// Opens the archive at a place: a folder, or `postgres://…` (docs/shared-archive.md).
pub fn open(place: &Path, access: Access) -> Result<Archive, Error> {
    Ok(Archive::new(open_store(place, access)?, Box::new(Methods::new())))
}

/// Opens the store of the archive at a place, for those who carry entries from one to another.
pub fn open_store(place: &Path, access: Access) -> Result<Box<dyn Store>, Error> {
    let address = place.to_string_lossy();
    Ok(match (is_shared(place), access) {
        (false, Access::Read) => Box::new(FolderStore::read(place)?),
        (false, Access::Write) => Box::new(FolderStore::create_or_open(place)?),
        (true, Access::Read) => Box::new(PostgresStore::read(&address)?),
        (true, Access::Write) => Box::new(PostgresStore::create_or_open(&address)?),
    })
}

/// The folder on this machine where what belongs to an archive lies beside it: the search index, site models, watches. That of an archive in a
/// folder is the folder itself.
pub fn local_folder(place: &Path) -> Result<PathBuf, Error> {
    if !is_shared(place) {
        return Ok(place.to_owned());
    }
    let name = local_name(&place.to_string_lossy())?;
    let given = |variable: &str| std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
    let data = || given("XDG_DATA_HOME").or_else(|| given("HOME").map(|home| home.join(".local/share")));
    let base = given("KUAI_LOCAL").or_else(|| data().map(|data| data.join("kuai")));
    Ok(base.unwrap_or_else(|| PathBuf::from("kuai-local")).join(name))
}

/// Where the search index of the archive with this folder lies.
pub fn search_folder(folder: &Path) -> PathBuf {
    folder.join("search")
}

/// An archive that lives as long as its value.
pub fn in_memory() -> Archive {
    Archive::new(Box::new(MemoryStore::new()), Box::new(Methods::new()))
}

/// Opens the archive at a place to write, with the frontier of a crawl beside it, which is begun where there is none. What is archived counts only as
/// long as the frontier's claims are ours.
pub fn open_crawl(place: &Path, crawl: &str) -> Result<(Archive, Box<dyn Frontier>), CollectError> {
    if !is_shared(place) {
        let archive = open(place, Access::Write)?;
        return Ok((archive, Box::new(FolderFrontier::open(place, crawl)?)));
    }
    let store = PostgresStore::create_or_open(&place.to_string_lossy()).map_err(Error::from)?;
    let frontier = PostgresFrontier::open(&store, crawl)?;
    Ok((Archive::new(Box::new(store), Box::new(Methods::new())), Box::new(frontier)))
}

/// Opens the frontier of a crawl beside the archive in a folder; begins it where there is none. The archive has to be open to write, which keeps
/// other writers out; several crawls may write to one.
pub fn open_frontier(folder: &Path, crawl: &str) -> Result<FolderFrontier, FrontierError> {
    FolderFrontier::open(folder, crawl)
}

/// A crawl's name, and its frontier.
pub type NamedFrontier = (String, Box<dyn Frontier>);

/// The frontiers of all crawls beside the archive at a place, by name, to read.
pub fn read_frontiers(place: &Path) -> Result<Vec<NamedFrontier>, CollectError> {
    let mut frontiers: Vec<NamedFrontier> = Vec::new();
    if is_shared(place) {
        let store = PostgresStore::read(&place.to_string_lossy()).map_err(Error::from)?;
        for name in PostgresFrontier::crawls(&store)? {
            let frontier = PostgresFrontier::read(&store, &name)?;
            frontiers.extend(frontier.map(|frontier| (name, Box::new(frontier) as Box<dyn Frontier>)));
        }
        return Ok(frontiers);
    }
    for name in FolderFrontier::crawls(place)? {
        let frontier = FolderFrontier::read(place, &name)?;
        frontiers.extend(frontier.map(|frontier| (name, Box::new(frontier) as Box<dyn Frontier>)));
    }
    Ok(frontiers)
}
