//! A reel as one object of a pack.
//!
//! The packed part has the facts of its entries in columns, their changes, and the stream in long frames; the tail has
//! entries since, as a log had them. Each section has a checksum behind it, so that a reader takes only what it needs.

use kuai_archive::StoreError;

use crate::entry::Changes;
use crate::errors::damaged;
use crate::facts::{FIELD_COUNT, Facts, Field, flag};
use crate::files::{FileId, Source};
use crate::frame;
use crate::history::StoredEntry;
use crate::part::TYPICAL_HEAD;
use crate::playback::RootStream;
use crate::record::{Root, put_root, take_root};
use crate::row::ObjectPlace;
use crate::varint::{Cursor, put_bytes, put_number};

/// Packs are written once and read often. Calibrated on dev: 12 takes 5 % more.
const LEVEL: i32 = 19;
/// The stream is cut into frames of this length; a last one of less than half joins the one before.
const FRAME_LENGTH: usize = 512 << 10;
/// Part of the format: frames after the first lean on at most this much of the stream before them.
const PREFIX_MAX: usize = 1 << 20;
/// Objects are read by a guess of where the rows end first.
const ROWS_GUESS: usize = 4096;
/// No section of an object opens to more than this.
const SECTION_MAX: usize = 1 << 30;
const CHECKSUM_LENGTH: usize = 4;

/// Everything that the packed part of an object is made from.
#[derive(Debug, Default)]
pub(crate) struct PackedPart {
    pub(crate) facts: Vec<Facts>,
    pub(crate) changes: Vec<Changes>,
    pub(crate) stream: Vec<u8>,
    /// What the first frame leans on, and the bytes of that.
    pub(crate) root: Option<Root>,
    pub(crate) root_stream: Vec<u8>,
}

/// An object that was read.
#[derive(Debug)]
pub(crate) struct Object {
    bytes: Vec<u8>,
    header: Header,
    place: ObjectPlace,
}

/// What stands at the front of an object.
#[derive(Clone, Debug, Default)]
struct Header {
    packed_count: u32,
    tail_count: u32,
    root: Option<Root>,
    /// What the frames of rows, changes and stream open to.
    rows_length: usize,
    changes_length: usize,
    stream_lengths: Vec<usize>,
    /// Lengths of the sections as they stand one after another: rows, tail, changes, and the frames of the stream.
    sections: Vec<usize>,
    /// Where the first section begins.
    end: usize,
}

const ROWS: usize = 0;
const TAIL: usize = 1;
const CHANGES: usize = 2;
const STREAM: usize = 3;

impl PackedPart {
    /// The object, with these entries since.
    pub(crate) fn to_bytes(&self, tail: &[StoredEntry]) -> Vec<u8> {
        let ((rows, hashes), changes) = (self.rows(), self.changes());
        let mut header = Header {
            packed_count: self.facts.len() as u32,
            tail_count: tail.len() as u32,
            root: self.root,
            rows_length: rows.len(),
            changes_length: changes.len(),
            ..Header::default()
        };
        let mut row_section = Vec::new();
        put_bytes(&mut row_section, &frame::compress(&rows, b"", LEVEL));
        row_section.extend_from_slice(&hashes);
        let mut sections = vec![row_section, tail_section(tail), frame::compress(&changes, TYPICAL_HEAD, LEVEL)];
        let mut start = 0;
        while start < self.stream.len() {
            let end = frame_end(start, self.stream.len());
            let prefix =
                if start == 0 { &self.root_stream } else { &self.stream[start.saturating_sub(PREFIX_MAX)..start] };
            sections.push(frame::compress(&self.stream[start..end], prefix, LEVEL));
            header.stream_lengths.push(end - start);
            start = end;
        }
        joined(header, &sections.iter().map(Vec::as_slice).collect::<Vec<_>>())
    }

    /// The columns of facts, and apart from them the hashes, because nothing compresses those.
    fn rows(&self) -> (Vec<u8>, Vec<u8>) {
        let (mut flags, mut columns, mut lengths) = (Vec::new(), <[Vec<u8>; FIELD_COUNT]>::default(), Vec::new());
        let nothing = Facts::default();
        let before = std::iter::once(&nothing).chain(&self.facts);
        for ((facts, before), changes) in self.facts.iter().zip(before).zip(&self.changes) {
            let notes = if changes.notes.is_empty() { 0 } else { flag::NOTES };
            flags.push(facts.flags(before) | notes);
            facts.put(before, &mut columns);
            put_number(&mut lengths, facts.stored_length);
        }
        let mut rows = Vec::new();
        put_bytes(&mut rows, &flags);
        put_bytes(&mut rows, &lengths);
        columns[..Field::Hash as usize].iter().for_each(|column| put_bytes(&mut rows, column));
        (rows, std::mem::take(&mut columns[Field::Hash as usize]))
    }

    fn changes(&self) -> Vec<u8> {
        let parts: [fn(&Changes) -> &Vec<u8>; 3] = [|entry| &entry.head, |entry| &entry.notes, |entry| &entry.recipe];
        let mut out = Vec::new();
        for part in parts {
            let (mut lengths, mut bytes) = (Vec::new(), Vec::new());
            for entry in &self.changes {
                put_number(&mut lengths, part(entry).len() as u64);
                bytes.extend_from_slice(part(entry));
            }
            put_bytes(&mut out, &lengths);
            put_bytes(&mut out, &bytes);
        }
        out
    }
}

impl Object {
    /// Reads all of an object.
    pub(crate) fn read(files: &dyn Source, place: ObjectPlace) -> Result<Object, StoreError> {
        let bytes = files.read(FileId::Pack(place.pack), place.offset, place.length as usize)?;
        Object::new(bytes, place).ok_or_else(|| Object::damage(files, place, "header"))
    }

    /// Reads as much of an object as its facts need.
    pub(crate) fn read_rows(files: &dyn Source, place: ObjectPlace) -> Result<Object, StoreError> {
        let id = FileId::Pack(place.pack);
        let guess = files.read(id, place.offset, ROWS_GUESS.min(place.length as usize))?;
        let object = Object::new(guess, place).or_else(|| {
            // The header itself may be longer than the guess.
            let bytes = files.read(id, place.offset, place.length as usize).ok()?;
            Object::new(bytes, place)
        });
        let mut object = object.ok_or_else(|| Object::damage(files, place, "header"))?;
        let needed = object.header.span(CHANGES).start;
        if needed > object.bytes.len() {
            object.bytes = files.read(id, place.offset, needed.min(place.length as usize))?;
        }
        Ok(object)
    }

    /// Takes an object from its bytes; `None` if its header is damaged.
    pub(crate) fn new(bytes: Vec<u8>, place: ObjectPlace) -> Option<Object> {
        let header = Header::take(&bytes)?;
        (header.length() as u64 == place.length).then_some(Object { bytes, header, place })
    }

    pub(crate) fn entry_count(&self) -> u32 {
        self.header.packed_count + self.header.tail_count
    }

    pub(crate) fn root(&self) -> Option<Root> {
        self.header.root
    }

    pub(crate) fn place(&self) -> ObjectPlace {
        self.place
    }

    /// The facts of the packed part.
    pub(crate) fn facts(&self, files: &dyn Source) -> Result<Vec<Facts>, StoreError> {
        let section = self.section(ROWS).ok_or_else(|| Object::damage(files, self.place, "rows"))?;
        self.read_facts(section).ok_or_else(|| Object::damage(files, self.place, "rows"))
    }

    /// The changes of the packed part.
    pub(crate) fn changes(&self, files: &dyn Source) -> Result<Vec<Changes>, StoreError> {
        let section = self.section(CHANGES).ok_or_else(|| Object::damage(files, self.place, "changes"))?;
        self.read_changes(section).ok_or_else(|| Object::damage(files, self.place, "changes"))
    }

    /// The entries since.
    pub(crate) fn tail(&self, files: &dyn Source) -> Result<Vec<StoredEntry>, StoreError> {
        let section = self.section(TAIL).ok_or_else(|| Object::damage(files, self.place, "tail"))?;
        self.read_tail(section).ok_or_else(|| Object::damage(files, self.place, "tail"))
    }

    /// Opens frames onto the stream until it has `length` bytes.
    pub(crate) fn fill_stream(
        &self,
        files: &dyn Source,
        stream: &mut Vec<u8>,
        length: usize,
        root_stream: RootStream<'_>,
    ) -> Result<(), StoreError> {
        let (mut start, mut index) = (0, 0);
        while stream.len() < length {
            let wrong = || Object::damage(files, self.place, "stream");
            let frame_length = *self.header.stream_lengths.get(index).ok_or_else(wrong)?;
            if start == stream.len() {
                let frame = self.section(STREAM + index).ok_or_else(wrong)?;
                let opened = match (start, self.header.root) {
                    (0, Some(root)) => {
                        let lent = root_stream(root)?;
                        frame::decompress(frame, frame_length, &lent[..root.length as usize])
                            .map(|bytes| *stream = bytes)
                    }
                    _ => frame::decompress_onto(stream, frame, frame_length, start.min(PREFIX_MAX)),
                };
                opened.ok_or_else(wrong)?;
            }
            start += frame_length;
            index += 1;
        }
        Ok(())
    }

    /// The whole stream's length.
    pub(crate) fn stream_length(&self) -> usize {
        self.header.stream_lengths.iter().sum()
    }

    /// The same packed part with another tail.
    pub(crate) fn with_tail(&self, tail: &[StoredEntry]) -> Vec<u8> {
        let mut header = self.header.clone();
        header.tail_count = tail.len() as u32;
        let tail = tail_section(tail);
        let section = |index: usize| if index == TAIL { &tail[..] } else { &self.bytes[self.header.span(index)] };
        let sections: Vec<&[u8]> = (0..self.header.sections.len()).map(section).collect();
        joined(header, &sections)
    }

    /// Checks every section.
    pub(crate) fn check(&self, files: &dyn Source) -> Result<(), StoreError> {
        let is_whole = (0..self.header.sections.len()).all(|index| self.section(index).is_some());
        if is_whole { Ok(()) } else { Err(Object::damage(files, self.place, "a section")) }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn damage(files: &dyn Source, place: ObjectPlace, what: &str) -> StoreError {
        damaged(&files.path(FileId::Pack(place.pack)), format!("{what} of the object at {}", place.offset))
    }

    /// A section, if its checksum is right.
    fn section(&self, index: usize) -> Option<&[u8]> {
        let span = self.header.span(index);
        let checksum = self.bytes.get(span.end..span.end + CHECKSUM_LENGTH)?;
        let section = self.bytes.get(span)?;
        (crc32fast::hash(section).to_le_bytes() == checksum).then_some(section)
    }

    fn read_facts(&self, section: &[u8]) -> Option<Vec<Facts>> {
        let mut section = Cursor::new(section);
        let rows = frame::decompress(section.bytes()?, self.header.rows_length, b"")?;
        let mut rows = Cursor::new(&rows);
        let (mut flags, mut lengths) = (Cursor::new(rows.bytes()?), Cursor::new(rows.bytes()?));
        let mut columns = [section; FIELD_COUNT];
        for column in &mut columns[..Field::Hash as usize] {
            *column = Cursor::new(rows.bytes()?);
        }
        let mut facts: Vec<Facts> = Vec::new();
        let nothing = Facts::default();
        for _ in 0..self.header.packed_count {
            let mut taken = Facts::take(flags.byte()?, facts.last().unwrap_or(&nothing), &mut columns)?;
            taken.stored_length = lengths.number()?;
            facts.push(taken);
        }
        Some(facts)
    }

    fn read_changes(&self, section: &[u8]) -> Option<Vec<Changes>> {
        let changes = frame::decompress(section, self.header.changes_length, TYPICAL_HEAD)?;
        let mut cursor = Cursor::new(&changes);
        let mut columns = Vec::new();
        for _ in 0..3 {
            columns.push((Cursor::new(cursor.bytes()?), Cursor::new(cursor.bytes()?)));
        }
        let mut part = |index: usize| {
            let (lengths, bytes) = &mut columns[index];
            let length = lengths.length()?;
            bytes.take(length).map(<[u8]>::to_vec)
        };
        (0..self.header.packed_count)
            .map(|_| Some(Changes { head: part(0)?, notes: part(1)?, recipe: part(2)? }))
            .collect()
    }

    fn read_tail(&self, section: &[u8]) -> Option<Vec<StoredEntry>> {
        let mut cursor = Cursor::new(section);
        let file = FileId::Pack(self.place.pack);
        (0..self.header.tail_count)
            .map(|_| {
                let (flags, stored_length) = (cursor.byte()?, cursor.number()?);
                Some(StoredEntry { flags, stored_length, payload: cursor.bytes()?.to_vec(), file })
            })
            .collect()
    }
}

impl Header {
    fn to_bytes(&self) -> Vec<u8> {
        let mut fields = Vec::new();
        put_number(&mut fields, u64::from(self.packed_count));
        put_number(&mut fields, u64::from(self.tail_count));
        put_root(&mut fields, self.root);
        for length in [self.rows_length, self.changes_length].iter().chain(&self.sections[..STREAM]) {
            put_number(&mut fields, *length as u64);
        }
        for (length, section) in self.stream_lengths.iter().zip(&self.sections[STREAM..]) {
            put_number(&mut fields, *length as u64);
            put_number(&mut fields, *section as u64);
        }
        let mut bytes = Vec::new();
        put_bytes(&mut bytes, &fields);
        let checksum = crc32fast::hash(&bytes);
        bytes.extend_from_slice(&checksum.to_le_bytes());
        bytes
    }

    fn take(bytes: &[u8]) -> Option<Header> {
        let mut cursor = Cursor::new(bytes);
        let mut fields = Cursor::new(cursor.bytes()?);
        let length = bytes.len() - cursor.rest().len();
        let checksum: [u8; CHECKSUM_LENGTH] = cursor.array()?;
        if crc32fast::hash(&bytes[..length]).to_le_bytes() != checksum {
            return None;
        }
        let bounded = |fields: &mut Cursor<'_>| fields.length().filter(|length| *length <= SECTION_MAX);
        let (packed_count, tail_count, root) = (fields.number32()?, fields.number32()?, take_root(&mut fields)?);
        let (rows_length, changes_length) = (bounded(&mut fields)?, bounded(&mut fields)?);
        let mut sections = vec![bounded(&mut fields)?, bounded(&mut fields)?, bounded(&mut fields)?];
        let mut stream_lengths = Vec::new();
        while !fields.is_at_end() {
            stream_lengths.push(bounded(&mut fields)?);
            sections.push(bounded(&mut fields)?);
        }
        let end = length + CHECKSUM_LENGTH;
        Some(Header { packed_count, tail_count, root, rows_length, changes_length, stream_lengths, sections, end })
    }

    /// Where a section lies, without its checksum.
    fn span(&self, index: usize) -> std::ops::Range<usize> {
        let start = self.end + self.sections[..index].iter().map(|length| length + CHECKSUM_LENGTH).sum::<usize>();
        start..start + self.sections[index]
    }

    /// The length of the whole object.
    fn length(&self) -> usize {
        self.span(self.sections.len() - 1).end + CHECKSUM_LENGTH
    }
}

/// Header and sections as one.
fn joined(mut header: Header, sections: &[&[u8]]) -> Vec<u8> {
    header.sections = sections.iter().map(|section| section.len()).collect();
    let mut bytes = header.to_bytes();
    for section in sections {
        bytes.extend_from_slice(section);
        bytes.extend_from_slice(&crc32fast::hash(section).to_le_bytes());
    }
    bytes
}

fn tail_section(tail: &[StoredEntry]) -> Vec<u8> {
    let mut out = Vec::new();
    for entry in tail {
        out.push(entry.flags);
        put_number(&mut out, entry.stored_length);
        put_bytes(&mut out, &entry.payload);
    }
    out
}

/// Where the frame ends that starts here.
fn frame_end(start: usize, stream_length: usize) -> usize {
    if stream_length - start < FRAME_LENGTH * 3 / 2 { stream_length } else { start + FRAME_LENGTH }
}
