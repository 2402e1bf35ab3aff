//! The files of an archive: their names, and open handles of those that are read.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use kuai_archive::StoreError;

use crate::errors::{damaged, io_error};

/// The file that says what the folder is, and on which the writer holds its lock.
pub(crate) const MARKER: &str = "kuai-archive";
/// The catalogue's file.
pub(crate) const CATALOGUE: &str = "catalogue.sqlite";
/// The file of crawls, which is no part of the archive.
pub(crate) const FRONTIER: &str = "frontier.sqlite";
/// The folder of site models, which are no part of the archive either.
const SITES: &str = "sites";
/// The folder of the search index, which can be made again.
const SEARCH: &str = "search";
/// The folder of watches, which are no part of the archive.
const WATCH: &str = "watch";
/// The ending of files that are not finished.
pub(crate) const UNFINISHED: &str = "tmp";
/// At most so many files are held open.
const HANDLES_MAX: usize = 64;

/// A numbered file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum FileId {
    Log(u32),
    Pack(u32),
}

/// Where spans of logs and packs are read from, and what they are called when something is wrong with them.
pub(crate) trait Source {
    /// Reads a span that must be there.
    fn read(&self, id: FileId, offset: u64, length: usize) -> Result<Vec<u8>, StoreError>;

    /// The place of a log or pack, for people.
    fn path(&self, id: FileId) -> PathBuf;
}

/// What lies in the folder.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    /// Numbers of logs and of packs, rising.
    pub(crate) logs: Vec<u32>,
    pub(crate) packs: Vec<u32>,
    /// Files that a crash left unfinished.
    pub(crate) unfinished: Vec<PathBuf>,
    /// Files that are not ours.
    pub(crate) foreign: Vec<PathBuf>,
}

/// The folder of an archive and its open files.
#[derive(Debug)]
pub(crate) struct Files {
    folder: PathBuf,
    handles: Mutex<HashMap<FileId, Arc<File>>>,
}

impl Files {
    pub(crate) fn new(folder: &Path) -> Files {
        Files { folder: folder.to_owned(), handles: Mutex::default() }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn path(&self, id: FileId) -> PathBuf {
        self.folder.join(match id {
            FileId::Log(number) => format!("{number:08}.log"),
            FileId::Pack(number) => format!("{number:08}.pack"),
        })
    }

    /// An open handle for reading.
    pub(crate) fn open(&self, id: FileId) -> Result<Arc<File>, StoreError> {
        let mut handles = self.handles.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = handles.get(&id) {
            return Ok(Arc::clone(file));
        }
        let path = self.path(id);
        let file = Arc::new(File::open(&path).map_err(io_error("open", &path))?);
        if handles.len() >= HANDLES_MAX {
            handles.clear();
        }
        handles.insert(id, Arc::clone(&file));
        Ok(file)
    }

    /// Reads a span that must be there.
    pub(crate) fn read(&self, id: FileId, offset: u64, length: usize) -> Result<Vec<u8>, StoreError> {
        let file_length = self.length(id)?;
        // Looked at first: a damaged catalogue may name any length, and memory is taken for all of it.
        let is_there = offset.checked_add(length as u64).is_some_and(|end| end <= file_length);
        let bytes = if is_there { self.read_up_to(id, offset, length)? } else { Vec::new() };
        if bytes.len() < length {
            return Err(damaged(&self.path(id), format!("it ends within {length} bytes at {offset}")));
        }
        Ok(bytes)
    }

    /// Reads as much of a span as the file has.
    pub(crate) fn read_up_to(&self, id: FileId, offset: u64, length: usize) -> Result<Vec<u8>, StoreError> {
        let (file, mut bytes, mut done) = (self.open(id)?, vec![0; length], 0);
        while done < length {
            match file.read_at(&mut bytes[done..], offset + done as u64) {
                Ok(0) => break,
                Ok(count) => done += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(io_error("read", &self.path(id))(error)),
            }
        }
        bytes.truncate(done);
        Ok(bytes)
    }

    pub(crate) fn length(&self, id: FileId) -> Result<u64, StoreError> {
        let path = self.path(id);
        Ok(self.open(id)?.metadata().map_err(io_error("look at", &path))?.len())
    }

    /// Deletes a file; one that is gone already is as good.
    pub(crate) fn delete(&self, id: FileId) -> Result<(), StoreError> {
        self.handles.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
        delete(&self.path(id))
    }

    /// Makes names that were added, changed or deleted in the folder durable.
    pub(crate) fn sync_folder(&self) -> Result<(), StoreError> {
        File::open(&self.folder).and_then(|folder| folder.sync_all()).map_err(io_error("sync", &self.folder))
    }

    pub(crate) fn list(&self) -> Result<Listing, StoreError> {
        let mut listing = Listing::default();
        let entries = fs::read_dir(&self.folder).map_err(io_error("list", &self.folder))?;
        for entry in entries {
            listing.add(entry.map_err(io_error("list", &self.folder))?.path());
        }
        listing.logs.sort_unstable();
        listing.packs.sort_unstable();
        listing.foreign.sort();
        Ok(listing)
    }

    /// Which file is the catalogue now; another one after a writer had to make it anew.
    pub(crate) fn catalogue_identity(&self) -> Option<(u64, u64)> {
        let file = fs::metadata(self.folder.join(CATALOGUE)).ok()?;
        Some((file.dev(), file.ino()))
    }

    /// Bytes of all our files together.
    pub(crate) fn total_length(&self) -> Result<u64, StoreError> {
        let listing = self.list()?;
        let logs = listing.logs.iter().map(|number| self.path(FileId::Log(*number)));
        let packs = listing.packs.iter().map(|number| self.path(FileId::Pack(*number)));
        let others = [MARKER, CATALOGUE].into_iter().map(|name| self.folder.join(name));
        // A file may vanish between listing and looking; it counts as nothing then.
        Ok(logs.chain(packs).chain(others).filter_map(|path| fs::metadata(path).ok()).map(|file| file.len()).sum())
    }
}

impl Source for Files {
    fn read(&self, id: FileId, offset: u64, length: usize) -> Result<Vec<u8>, StoreError> {
        Files::read(self, id, offset, length)
    }

    fn path(&self, id: FileId) -> PathBuf {
        Files::path(self, id)
    }
}

impl Listing {
    fn add(&mut self, path: PathBuf) {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or("");
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or("");
        let number = if stem.len() >= 8 { stem.parse::<u32>().ok() } else { None };
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
        match (ending, number) {
            ("log", Some(number)) => self.logs.push(number),
            ("pack", Some(number)) => self.packs.push(number),
            (UNFINISHED, _) => self.unfinished.push(path),
            _ if [MARKER, SITES, SEARCH, WATCH].contains(&name)
                || name.starts_with(CATALOGUE)
                || name.starts_with(FRONTIER) => {}
            _ => self.foreign.push(path),
        }
    }
}

/// Deletes a file; one that is gone already is as good.
pub(crate) fn delete(path: &Path) -> Result<(), StoreError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(io_error("delete", path)(error)),
        _ => Ok(()),
    }
}
