//! The logs: appended to record by record, sealed when they are long, and read forward or record by record.
//!
//! Only the newest log is written to, and only its end may be torn.

use std::cell::Cell;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use kuai_archive::StoreError;

use crate::errors::{damaged, io_error};
use crate::files::{FileId, Files};
use crate::record::{self, ENVELOPE_MAX, Place, Record};

const MAGIC: &[u8; 8] = b"kuai log";
const FORMAT: u8 = 1;
/// Magic, format, number, first sequence number and their checksum.
pub(crate) const HEADER_LENGTH: usize = 8 + 1 + 4 + 8 + 4;
/// Records are read by a guess of their length first.
const RECORD_GUESS: usize = 1024;
/// How much of a log is held while it is read forward.
const WINDOW_LENGTH: usize = 1 << 20;

/// The newest log, open for writing.
#[derive(Debug)]
pub(crate) struct LogWriter {
    file: File,
    path: PathBuf,
    number: u32,
    end: u64,
    entry_count: u64,
    /// A write failed and what it left could not be cut off.
    is_broken: bool,
    /// The disk failed to make something durable. What it then has is not known, and it does not say so twice.
    is_unsure: Cell<bool>,
}

/// How a forward reading of a log ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// At the file's end.
    Open,
    /// At the record that says that the log is complete.
    Sealed,
    /// At bytes that are no record.
    Torn,
}

/// A record that was read on the way through a log.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Passed<'a> {
    pub(crate) place: Place,
    /// Bytes with length and checksum.
    pub(crate) length: u64,
    pub(crate) record: Record<'a>,
}

impl LogWriter {
    /// Makes a log whose first entry has this sequence number. It is durable, with its name, before anything is in it.
    pub(crate) fn create(files: &Files, number: u32, first_sequence: u64) -> Result<LogWriter, StoreError> {
        let path = files.path(FileId::Log(number));
        let file = File::options().write(true).create_new(true).open(&path).map_err(io_error("make", &path))?;
        let header = header(number, first_sequence);
        let made = file.write_all_at(&header, 0).and_then(|()| file.sync_all()).map_err(io_error("write", &path));
        if let Err(error) = made.and_then(|()| files.sync_folder()) {
            // Whatever became of it, no log without a whole header stays behind.
            let _ = files.delete(FileId::Log(number));
            return Err(error);
        }
        Ok(LogWriter {
            file,
            path,
            number,
            end: header.len() as u64,
            entry_count: 0,
            is_broken: false,
            is_unsure: Cell::new(false),
        })
    }

    /// Goes on after the last whole record; what lies behind it is cut off.
    pub(crate) fn resume(files: &Files, number: u32, end: u64, entry_count: u64) -> Result<LogWriter, StoreError> {
        let path = files.path(FileId::Log(number));
        let file = File::options().write(true).open(&path).map_err(io_error("open", &path))?;
        if file.metadata().map_err(io_error("look at", &path))?.len() != end {
            file.set_len(end).and_then(|()| file.sync_all()).map_err(io_error("cut", &path))?;
        }
        Ok(LogWriter { file, path, number, end, entry_count, is_broken: false, is_unsure: Cell::new(false) })
    }

    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    pub(crate) fn entry_count(&self) -> u64 {
        self.entry_count
    }

    /// Where the next record goes.
    pub(crate) fn place(&self) -> Place {
        Place { log: self.number, offset: self.end }
    }

    /// Appends whole records with one write; after a failure nothing of them is there.
    pub(crate) fn append(&mut self, records: &[u8], entry_count: u64) -> Result<(), StoreError> {
        if self.is_broken {
            self.cut_off_rest()?;
        }
        if let Err(error) = self.file.write_all_at(records, self.end) {
            self.is_broken = true;
            let _ = self.cut_off_rest();
            return Err(io_error("write", &self.path)(error));
        }
        self.end += records.len() as u64;
        self.entry_count += entry_count;
        Ok(())
    }

    /// Cuts off what was appended since it ended here.
    pub(crate) fn take_back(&mut self, end: Place, entry_count: u64) -> Result<(), StoreError> {
        self.end = end.offset;
        self.entry_count -= entry_count;
        self.is_broken = true;
        self.cut_off_rest()
    }

    pub(crate) fn sync(&self) -> Result<(), StoreError> {
        let synced = if self.is_unsure.get() {
            Err(io::Error::other("an earlier attempt failed, open the archive again"))
        } else {
            self.file.sync_data()
        };
        synced.map_err(|error| {
            self.is_unsure.set(true);
            io_error("sync", &self.path)(error)
        })
    }

    /// Says that the log is complete, durably.
    pub(crate) fn seal(&mut self) -> Result<(), StoreError> {
        let place = self.place();
        let body = Record::End { entry_count: self.entry_count }.to_bytes(place);
        self.append(&record::seal(&body, place), 0)?;
        self.sync()
    }

    fn cut_off_rest(&mut self) -> Result<(), StoreError> {
        self.file.set_len(self.end).map_err(io_error("cut", &self.path))?;
        self.is_broken = false;
        Ok(())
    }
}

/// The sequence number of a log's first entry, from its header.
pub(crate) fn first_sequence(files: &Files, number: u32) -> Result<u64, StoreError> {
    let id = FileId::Log(number);
    let found = files.read_up_to(id, 0, HEADER_LENGTH)?;
    let sequence = found.get(13..21).and_then(|bytes| bytes.try_into().ok()).map(u64::from_le_bytes);
    sequence.filter(|sequence| header(number, *sequence) == found).ok_or_else(|| damaged(&files.path(id), "log header"))
}

/// The body of the record at a place, checked.
pub(crate) fn read_record(files: &Files, place: Place) -> Result<(Vec<u8>, u64), StoreError> {
    let id = FileId::Log(place.log);
    let wrong = || damaged(&files.path(id), format!("record at {}", place.offset));
    let mut bytes = files.read_up_to(id, place.offset, RECORD_GUESS)?;
    let length = record::sealed_length(&bytes).ok_or_else(wrong)?;
    if length > bytes.len() {
        // A length that reaches beyond the file is a damaged one.
        bytes = files.read(id, place.offset, length).map_err(|error| match error {
            StoreError::Damaged { .. } => wrong(),
            other => other,
        })?;
    }
    let body = record::open(&bytes, place).ok_or_else(wrong)?;
    Ok((body.to_vec(), length as u64))
}

/// Reads a log forward from a record on and gives each record to `visit`, which answers whether to go on. Tells where
/// reading ended and why.
pub(crate) fn pass_through(
    files: &Files,
    log: u32,
    from: u64,
    visit: &mut dyn FnMut(Passed<'_>) -> Result<bool, StoreError>,
) -> Result<(u64, End), StoreError> {
    let file_length = files.length(FileId::Log(log))?;
    let mut window = Window { files, log, start: from, bytes: Vec::new() };
    let mut offset = from;
    while offset < file_length {
        let left = file_length - offset;
        let length = record::sealed_length(window.read(offset, left.min(ENVELOPE_MAX as u64))?);
        let Some(length) = length.map(|length| length as u64).filter(|length| *length <= left) else {
            return Ok((offset, End::Torn));
        };
        let place = Place { log, offset };
        let body = record::open(window.read(offset, length)?, place);
        let Some(record) = body.and_then(|body| Record::from_bytes(body, place)) else {
            return Ok((offset, End::Torn));
        };
        offset += length;
        let goes_on = visit(Passed { place, length, record })?;
        if matches!(record, Record::End { .. }) {
            return Ok((offset, End::Sealed));
        }
        if !goes_on {
            break;
        }
    }
    Ok((offset, End::Open))
}

/// The part of a log that is being read forward.
struct Window<'a> {
    files: &'a Files,
    log: u32,
    start: u64,
    bytes: Vec<u8>,
}

impl Window<'_> {
    /// The bytes at an offset, as many of them as the file has.
    fn read(&mut self, offset: u64, length: u64) -> Result<&[u8], StoreError> {
        if offset + length > self.start + self.bytes.len() as u64 {
            self.bytes = self.files.read_up_to(FileId::Log(self.log), offset, WINDOW_LENGTH.max(length as usize))?;
            self.start = offset;
        }
        Ok(&self.bytes[(offset - self.start) as usize..])
    }
}

fn header(number: u32, first_sequence: u64) -> Vec<u8> {
    let mut header = MAGIC.to_vec();
    header.push(FORMAT);
    header.extend_from_slice(&number.to_le_bytes());
    header.extend_from_slice(&first_sequence.to_le_bytes());
    let checksum = crc32fast::hash(&header);
    header.extend_from_slice(&checksum.to_le_bytes());
    header
}
