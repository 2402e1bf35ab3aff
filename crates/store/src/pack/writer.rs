//! Writes a pack under a name of its own until it is whole and durable.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use kuai_archive::StoreError;

use super::directory::{Directory, HEADER_LENGTH, Listed, ListedKind, header};
use crate::errors::io_error;
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
    pub(crate) directory: Directory,
    is_finished: bool,
}

impl<'a> PackWriter<'a> {
    pub(crate) fn create(files: &'a Files, number: u32) -> Result<PackWriter<'a>, StoreError> {
        let path = files.path(FileId::Pack(number)).with_added_extension(UNFINISHED);
        let file = File::create(&path).map_err(io_error("make", &path))?;
        let directory = Directory::default();
        let end = HEADER_LENGTH as u64;
        let mut writer =
            PackWriter { files, number, path, file: BufWriter::new(file), end, directory, is_finished: false };
        writer.write(&header(number))?;
        Ok(writer)
    }

    pub(crate) fn number(&self) -> u32 {
        self.number
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

    /// Makes the pack durable, reads its directory back, and gives it its name.
    pub(crate) fn finish(mut self) -> Result<(), StoreError> {
        let end = self.directory.to_end(self.end);
        self.write(&end)?;
        let synced = self.file.flush().and_then(|()| self.file.get_ref().sync_all());
        synced.map_err(io_error("write", &self.path))?;
        let path = self.files.path(FileId::Pack(self.number));
        fs::rename(&self.path, &path).map_err(io_error("rename", &self.path))?;
        self.is_finished = true;
        self.files.sync_folder()?;
        Directory::read(self.files, self.number).map(|_| ())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
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
