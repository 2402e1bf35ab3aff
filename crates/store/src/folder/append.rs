//! Writes an entry: decides how its body is kept, finds what is new in it, and appends it to the newest log.

use std::sync::Arc;

use kuai_archive::{Entry, Row, StoreError, Stored};

use super::{FolderStore, Shared, Writer, read};
use crate::arrival::{Arrival, Prepared, prepare};
use crate::blob::{self, Kept};
use crate::entry;
use crate::facts::Facts;
use crate::files::Files;
use crate::index::Index;
use crate::lean::{self, Lean, Lender};
use crate::limits::{LOG_LENGTH_MAX, ROOT_MAX};
use crate::log::{LogWriter, Passed};
use crate::open_reels::OpenReel;
use crate::record::{self, BlobRecord, EntryRecord, Place, Record};
use crate::row::ReelRow;

pub(super) fn append(store: &FolderStore, entry: &Entry<'_>) -> Result<Row, StoreError> {
    let arrival = Arrival::new(entry)?;
    loop {
        let mut shared = store.lock();
        if shared.writer.is_none() {
            return Err(StoreError::ReadOnly { place: store.files.folder().to_owned() });
        }
        let written = match choose_reel(store, &mut shared, &arrival)? {
            Chosen::Open(chosen) => {
                let (row, open) = *chosen;
                write(store, &mut shared, &arrival, row, prepare(&arrival, open, &Lean::none()))?
            }
            Chosen::New { first_number, lean } => {
                // Nobody else knows of the reel yet, so the long work needs no lock.
                drop(shared);
                let prepared = prepare(&arrival, OpenReel::default(), &lean);
                shared = store.lock();
                if shared.index.newest_reel(entry.url)?.map_or(0, |row| row.next_number()) != first_number {
                    continue;
                }
                let row = ReelRow::new(shared.index.state.next_reel, entry.url, lean.root(), first_number);
                write(store, &mut shared, &arrival, row, prepared)?
            }
        };
        if shared.index.is_due() {
            shared.flush()?;
        }
        return Ok(written);
    }
}

/// The reel that an entry goes to.
enum Chosen {
    Open(Box<(ReelRow, OpenReel)>),
    /// One to be begun, after so many entries of the URL in earlier ones.
    New {
        first_number: u32,
        lean: Lean,
    },
}

/// The URL's newest reel, or a new one if that is full.
fn choose_reel(store: &FolderStore, shared: &mut Shared, arrival: &Arrival<'_>) -> Result<Chosen, StoreError> {
    let entry = arrival.entry;
    let newest = shared.index.newest_reel(entry.url)?;
    let first_number = newest.as_ref().map_or(0, ReelRow::next_number);
    if let Some(row) = newest {
        let open = open_reel(store, shared, &row)?;
        if !arrival.overfills(&open.reel) {
            return Ok(Chosen::Open(Box::new((row, open))));
        }
    }
    let lean = if arrival.has_text() { choose_lean(store, shared, entry)? } else { Lean::none() };
    Ok(Chosen::New { first_number, lean })
}

fn choose_lean(store: &FolderStore, shared: &mut Shared, entry: &Entry<'_>) -> Result<Lean, StoreError> {
    let mut familiar = shared.writer.as_mut().map(|writer| std::mem::take(&mut writer.familiar)).unwrap_or_default();
    let lean = lean::choose(&mut familiar, &FolderLender { store, shared }, entry);
    if let Some(writer) = &mut shared.writer {
        writer.familiar = familiar;
    }
    lean
}

/// Lends streams of the reels that a folder has.
struct FolderLender<'a> {
    store: &'a FolderStore,
    shared: &'a Shared,
}

impl Lender for FolderLender<'_> {
    fn roots_of(&self, host: &str, limit: usize) -> Result<Vec<u32>, StoreError> {
        self.shared.index.roots_of(host, limit)
    }

    fn lent_stream(&self, number: u32) -> Result<Arc<Vec<u8>>, StoreError> {
        if let Some(reel) = self.shared.writer.as_ref().and_then(|writer| writer.reels.get(number)) {
            return Ok(Arc::new(reel.stream[..reel.stream.len().min(ROOT_MAX)].to_vec()));
        }
        if let Some(stream) = self.store.roots.get(number, 1) {
            return Ok(Arc::new(stream[..stream.len().min(ROOT_MAX)].to_vec()));
        }
        match self.shared.index.reel(number)? {
            Some(row) => read::stream_up_to(self.store, &row, ROOT_MAX),
            None => Ok(Arc::default()),
        }
    }
}

/// The newest entry of a URL, from the reel that the next one will be written to.
pub(super) fn latest(store: &FolderStore, url: &str) -> Result<Option<Stored>, StoreError> {
    let mut shared = store.lock();
    let Some(row) = shared.index.newest_reel(url)? else { return Ok(None) };
    let open = open_reel(store, &mut shared, &row)?;
    let reel = &open.reel;
    let text = (!reel.facts.is_blob).then(|| reel.body());
    let stored = |body| Stored {
        row: reel.facts.row(row.next_number() - 1),
        head: reel.head.text(),
        body,
        notes: reel.notes.text(),
    };
    let latest = text.map(stored);
    if let Some(writer) = &mut shared.writer {
        writer.reels.put(row.number, open);
    }
    drop(shared);
    match latest {
        Some(latest) => Ok(Some(latest)),
        None => read::entry(store, url, row.next_number() - 1).map(Some),
    }
}

/// A reel ready for writing, from memory or played from the files.
fn open_reel(store: &FolderStore, shared: &mut Shared, row: &ReelRow) -> Result<OpenReel, StoreError> {
    if let Some(open) = shared.writer.as_mut().and_then(|writer| writer.reels.take(row.number)) {
        return Ok(open);
    }
    let reel = read::whole_reel(store, &shared.index, row)?;
    let prints = reel.prints();
    Ok(OpenReel { reel, prints })
}

/// Writes the entry, with the records that have to stand before it.
fn write(
    store: &FolderStore,
    shared: &mut Shared,
    arrival: &Arrival<'_>,
    row: ReelRow,
    prepared: Prepared,
) -> Result<Row, StoreError> {
    let Prepared { mut open, mut facts, parts, is_passing } = prepared;
    facts.sequence = shared.index.state.entry_count + 1;
    let (flags, payload) = entry::encode(&facts, &open.reel.facts, &parts);

    let is_new_body = !facts.has_same_body(&open.reel.facts);
    let is_new_blob = is_new_body && facts.is_blob && shared.index.blob(facts.hash)?.is_none();
    let kept = is_new_blob.then(|| blob::keep(arrival.entry.body));
    let mut records = Vec::new();
    if row.entry_count == 0 {
        records.push(Record::Reel { number: row.number, url: &row.url, root: row.root });
    }
    if let Some(Kept { codec, bytes }) = &kept {
        records.push(Record::Blob(BlobRecord { hash: facts.hash, codec: *codec, length: facts.body_length, bytes }));
    }
    records.push(Record::Entry(EntryRecord { reel: row.number, before: row.record, flags, payload: &payload }));
    let stored_length = shared.write_records(&store.files, &records)?;

    // Only now is the reel as the log has it; after a failure it is read again.
    open.reel.facts = Facts { stored_length, ..facts };
    open.reel.entry_count += 1;
    let written = open.reel.facts.row(row.next_number());
    if let Some(writer) = shared.writer.as_mut().filter(|_| !is_passing) {
        writer.reels.put(row.number, open);
    }
    Ok(written)
}

impl Shared {
    /// Appends records with one write and learns them; tells the length of the last. After a failure it is as if they
    /// had never been given.
    fn write_records(&mut self, files: &Files, records: &[Record<'_>]) -> Result<u64, StoreError> {
        let Shared { index, writer: Some(writer), .. } = self else {
            return Err(StoreError::ReadOnly { place: files.folder().to_owned() });
        };
        let log = writer.log_for_append(files, index)?;
        let start = log.place();
        let (mut bytes, mut passed) = (Vec::new(), Vec::new());
        for record in records {
            let place = Place { offset: start.offset + bytes.len() as u64, ..start };
            let sealed = record::seal(&record.to_bytes(place), place);
            bytes.extend_from_slice(&sealed);
            passed.push(Passed { place, length: sealed.len() as u64, record: *record });
        }
        log.append(&bytes, 1)?;
        for passed in &passed {
            if let Err(error) = index.learn(passed) {
                log.take_back(start, 1)?;
                index.restart()?;
                index.catch_up(files)?;
                let inconsistent = || crate::errors::damaged(files.folder(), "the catalogue does not fit to the logs");
                return Err(error.unwrap_or_else(inconsistent));
            }
        }
        Ok(passed.last().map_or(0, |passed| passed.length))
    }
}

impl Writer {
    /// The log that the next record goes to; a long one is sealed and the next begun.
    fn log_for_append(&mut self, files: &Files, index: &mut Index) -> Result<&mut LogWriter, StoreError> {
        if self.log.as_ref().is_some_and(|log| log.place().offset >= LOG_LENGTH_MAX) {
            self.seal_log(index)?;
        }
        if self.log.is_none() {
            let log = LogWriter::create(files, index.state.indexed.log, index.state.entry_count + 1)?;
            index.state.indexed = log.place();
            self.log = Some(log);
        }
        Ok(self.log.as_mut().expect("a log was made where there was none"))
    }

    /// Completes the newest log, if there is one.
    pub(super) fn seal_log(&mut self, index: &mut Index) -> Result<(), StoreError> {
        if let Some(log) = &mut self.log {
            log.seal()?;
            index.state.indexed = Place { log: log.number() + 1, offset: 0 };
            self.log = None;
        }
        Ok(())
    }
}
