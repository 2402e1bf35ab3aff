//! Opens an archive: checks what the folder is, takes the lock, tidies up after a crash, and learns what the catalogue lacks.

use std::fs::{self, File, TryLockError};
use std::path::Path;

use kuai_archive::StoreError;

use super::{FolderStore, Writer, rebuild};
use crate::catalogue::Catalogue;
use crate::errors::{damaged, io_error};
use crate::familiar::FamiliarHosts;
use crate::files::{self, CATALOGUE, FileId, Files, MARKER, UNFINISHED};
use crate::index::Index;
use crate::log::{self, End, LogWriter};
use crate::open_reels::OpenReels;

const MARKER_TEXT: &str = "kuai archive, format 1\n";

/// Makes folder and marker where there are none. A folder that holds something else is left alone.
pub(super) fn create(folder: &Path) -> Result<(), StoreError> {
    let marker = folder.join(MARKER);
    if marker.exists() {
        return Ok(());
    }
    fs::create_dir_all(folder).map_err(io_error("make", folder))?;
    let files = Files::new(folder);
    let listing = files.list()?;
    if !(listing.logs.is_empty() && listing.packs.is_empty() && listing.foreign.is_empty()) {
        let what = "it holds files, but no kuai archive; choose an empty folder".to_owned();
        return Err(StoreError::WrongFormat { place: folder.to_owned(), what });
    }
    let unfinished = marker.with_added_extension(UNFINISHED);
    fs::write(&unfinished, MARKER_TEXT).map_err(io_error("write", &unfinished))?;
    File::open(&unfinished).and_then(|file| file.sync_all()).map_err(io_error("sync", &unfinished))?;
    fs::rename(&unfinished, &marker).map_err(io_error("make", &marker))?;
    files.sync_folder()
}

pub(super) fn for_writing(folder: &Path) -> Result<FolderStore, StoreError> {
    let lock = locked_marker(folder)?;
    let files = Files::new(folder);
    for path in files.list()?.unfinished {
        files::delete(&path)?;
    }
    let mut index = open_catalogue(&files)?;
    tidy_up(&files, &index)?;
    let log = match index.catch_up_and_flush(&files)? {
        End::Sealed => None,
        End::Torn if index.state.indexed.offset == 0 => {
            // The log was being made when the process ended, so nothing can be in it.
            files.delete(FileId::Log(index.state.indexed.log))?;
            None
        }
        End::Open | End::Torn => Some(resume_log(&files, &index)?),
    };
    Ok(FolderStore::new(
        files,
        index,
        Some(Writer { _lock: lock, log, reels: OpenReels::default(), familiar: FamiliarHosts::default() }),
    ))
}

pub(super) fn for_reading(folder: &Path) -> Result<FolderStore, StoreError> {
    open_marker(folder)?;
    let files = Files::new(folder);
    let index = index_for_reading(&files)?;
    Ok(FolderStore::new(files, index, None))
}

/// What a reader begins with; what the catalogue lacks is kept in memory.
pub(super) fn index_for_reading(files: &Files) -> Result<Index, StoreError> {
    let path = files.folder().join(CATALOGUE);
    match Catalogue::open(&path, false) {
        Err(StoreError::Damaged { .. }) => {
            let catalogue = Catalogue::in_memory(&path)?;
            rebuild::from_packs(files, &catalogue)?;
            let mut index = Index::new(catalogue)?;
            index.catch_up_and_flush(files)?;
            Ok(index)
        }
        catalogue => Index::new(catalogue?),
    }
}

/// The catalogue; made anew from packs and logs if it is missing or damaged.
fn open_catalogue(files: &Files) -> Result<Index, StoreError> {
    let path = files.folder().join(CATALOGUE);
    match Catalogue::open(&path, true) {
        Err(StoreError::Damaged { .. }) => {
            rebuild::replace_catalogue(files)?;
            Index::new(Catalogue::open(&path, true)?)
        }
        catalogue => Index::new(catalogue?),
    }
}

/// Removes what a crashed compaction left: packs that nothing points to, and logs whose entries are in packs.
fn tidy_up(files: &Files, index: &Index) -> Result<(), StoreError> {
    let (listing, packs) = (files.list()?, index.catalogue.packs()?);
    for pack in listing.packs.into_iter().filter(|pack| !packs.contains(pack)) {
        files.delete(FileId::Pack(pack))?;
    }
    for log in listing.logs.into_iter().filter(|log| *log < index.state.first_log) {
        files.delete(FileId::Log(log))?;
    }
    Ok(())
}

/// Goes on with the newest log; a torn end is cut off.
fn resume_log(files: &Files, index: &Index) -> Result<LogWriter, StoreError> {
    let end = index.state.indexed;
    let entries_before = log::first_sequence(files, end.log)? - 1;
    LogWriter::resume(files, end.log, end.offset, index.state.entry_count - entries_before)
}

fn locked_marker(folder: &Path) -> Result<File, StoreError> {
    let marker = open_marker(folder)?;
    match marker.try_lock() {
        Ok(()) => Ok(marker),
        Err(TryLockError::WouldBlock) => Err(StoreError::Locked { place: folder.to_owned() }),
        Err(TryLockError::Error(error)) => Err(io_error("lock", &folder.join(MARKER))(error)),
    }
}

/// Opens the marker and checks what it says.
fn open_marker(folder: &Path) -> Result<File, StoreError> {
    let path = folder.join(MARKER);
    let marker = match File::open(&path) {
        Err(error) if matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => {
            return Err(StoreError::NoArchive { place: folder.to_owned() });
        }
        marker => marker.map_err(io_error("open", &path))?,
    };
    let text = fs::read(&path).map_err(io_error("read", &path))?;
    if text == MARKER_TEXT.as_bytes() {
        return Ok(marker);
    }
    let text = String::from_utf8_lossy(&text);
    match text.starts_with("kuai archive, format ") {
        true => {
            let what = format!("it is a {}, which this kuai does not know", text.trim_end());
            Err(StoreError::WrongFormat { place: folder.to_owned(), what })
        }
        false => Err(damaged(&path, "it does not say which format the archive has")),
    }
}
