//! Writes a pack under a name of its own until it is whole and durable.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use kuai_archive::StoreError;

use super::directory::{Directory, HEADER_LENGTH, Listed, ListedKind, header};
use crate::errors::{damaged, io_error};
use crate::files::{self, FileId, Files, UNFINISHED};
use crate::row::ObjectPlace;

/// A pack that is being written.
#[derive(Debug)]
pub(crate) struct PackWriter<'a> {
    files: &'a Files,
    number: u32,
    path: PathBuf,
    file: BufWriter<File>,
    end: u64,
    /// Of everything written.
    hasher: blake3::Hasher,
    pub(crate) directory: Directory,
    is_finished: bool,
}

impl<'a> PackWriter<'a> {
    pub(crate) fn create(files: &'a Files, number: u32) -> Result<PackWriter<'a>, StoreError> {
        let path = files.path(FileId::Pack(number)).with_added_extension(UNFINISHED);
        let file = File::create(&path).map_err(io_error("make", &path))?;
        let mut writer = PackWriter {
            files,
            number,
            path,
            file: BufWriter::new(file),
            end: HEADER_LENGTH as u64,
            hasher: blake3::Hasher::new(),
            directory: Directory::default(),
            is_finished: false,
        };
        writer.write(&header(number))?;
        Ok(writer)
    }

    /// Bytes so far.
    pub(crate) fn length(&self) -> u64 {
        self.end
    }

    /// Adds an object; tells where it will lie.
    pub(crate) fn add(&mut self, kind: ListedKind, bytes: &[u8]) -> Result<ObjectPlace, StoreError> {
        self.write(bytes)?;
        let place = ObjectPlace { pack: self.number, offset: self.end, length: bytes.len() as u64 };
        self.end += place.length;
        self.directory.objects.push(Listed { length: place.length, kind });
        Ok(place)
    }

    /// Makes the pack durable, reads it back, and gives it its name.
    pub(crate) fn finish(mut self) -> Result<(), StoreError> {
        let end = self.directory.to_end(self.end);
        self.write(&end)?;
        let synced = self.file.flush().and_then(|()| self.file.get_ref().sync_all());
        synced.map_err(io_error("write", &self.path))?;
        self.read_back()?;
        let path = self.files.path(FileId::Pack(self.number));
        fs::rename(&self.path, &path).map_err(io_error("rename", &self.path))?;
        self.is_finished = true;
        self.files.sync_folder()?;
        Directory::read(self.files, self.number).map(|_| ())
    }

    /// Compares the file with what was written to it.
    fn read_back(&self) -> Result<(), StoreError> {
        let mut hasher = blake3::Hasher::new();
        let file = File::open(&self.path).map_err(io_error("open", &self.path))?;
        hasher.update_reader(file).map_err(io_error("read", &self.path))?;
        if hasher.finalize() == self.hasher.finalize() {
            return Ok(());
        }
        Err(damaged(&self.path, "it does not read as it was written"))
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.hasher.update(bytes);
        self.file.write_all(bytes).map_err(io_error("write", &self.path))
    }
}

impl Drop for PackWriter<'_> {
    fn drop(&mut self) {
        if !self.is_finished {
            // If this fails, the next writer of the archive removes it.
            let _ = files::delete(&self.path);
        }
    }
}
