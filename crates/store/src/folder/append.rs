//! Writes an entry: decides how its body is kept, finds what is new in it, and appends it to the newest log.

use std::sync::Arc;

use kuai_archive::{ContentHash, Entry, Form, Row, StoreError, Stored};

use super::{FolderStore, Shared, Writer, read};
use crate::blob::{self, Kept};
use crate::entry;
use crate::facts::Facts;
use crate::files::Files;
use crate::frame;
use crate::host::host_of;
use crate::index::Index;
use crate::limits::{
    BODY_LENGTH_MAX, HEAD_LENGTH_MAX, LOG_LENGTH_MAX, NOTES_LENGTH_MAX, REEL_BODIES_MAX, REEL_ENTRIES_MAX,
    REEL_LENGTH_MAX, ROOT_MAX, TEXT_LENGTH_MAX, URL_LENGTH_MAX,
};
use crate::log::{LogWriter, Passed};
use crate::open_reels::OpenReel;
use crate::record::{self, BlobRecord, EntryRecord, Place, Record, Root};
use crate::reel::{Prints, Reel};
use crate::row::ReelRow;

/// How many reels of a host are tried as the root of a new one.
const ROOT_TRIALS: usize = 4;
/// How much of a body is compressed to try a root.
const TRIAL_LENGTH: usize = 64 << 10;
const TRIAL_LEVEL: i32 = 3;
/// A root must save one byte in so many. Calibrated on dev, where 1 in 5 takes 1 % more.
const ROOT_WORTH_ONE_IN: usize = 20;

pub(super) fn append(store: &FolderStore, entry: &Entry<'_>) -> Result<Row, StoreError> {
    check_lengths(entry)?;
    let is_text = entry.form == Form::Text && entry.body.len() <= TEXT_LENGTH_MAX;
    let arrival = Arrival { entry, hash: ContentHash::of(entry.body), is_text };
    let mut shared = store.lock();
    if shared.writer.is_none() {
        return Err(StoreError::ReadOnly { place: store.files.folder().to_owned() });
    }
    let chosen = choose_reel(store, &mut shared, &arrival)?;
    let row = write(store, &mut shared, &arrival, chosen)?;
    if shared.index.is_due() {
        shared.flush()?;
    }
    Ok(row)
}

/// An entry on its way into the store.
struct Arrival<'a> {
    entry: &'a Entry<'a>,
    hash: ContentHash,
    is_text: bool,
}

/// The reel that an entry goes to.
struct Chosen {
    row: ReelRow,
    open: OpenReel,
    /// What the first frame of a new reel leans on.
    root_stream: Arc<Vec<u8>>,
    is_new: bool,
}

fn check_lengths(entry: &Entry<'_>) -> Result<(), StoreError> {
    let lengths = [
        ("the address", entry.url.len(), URL_LENGTH_MAX),
        ("the head", entry.head.len(), HEAD_LENGTH_MAX),
        ("the notes", entry.notes.len(), NOTES_LENGTH_MAX),
        ("the body", entry.body.len(), BODY_LENGTH_MAX),
    ];
    match lengths.into_iter().find(|(_, length, length_max)| length > length_max) {
        None => Ok(()),
        Some((what, length, length_max)) => Err(StoreError::TooLarge {
            url: entry.url.chars().take(200).collect(),
            what,
            length: length as u64,
            length_max: length_max as u64,
        }),
    }
}

/// The URL's newest reel, or a new one if that is full.
fn choose_reel(store: &FolderStore, shared: &mut Shared, arrival: &Arrival<'_>) -> Result<Chosen, StoreError> {
    let Arrival { entry, hash, is_text } = *arrival;
    let newest = shared.index.newest_reel(entry.url)?;
    let first_number = newest.as_ref().map_or(0, ReelRow::next_number);
    if let Some(row) = newest {
        let open = open_reel(store, shared, &row)?;
        let adds_text = is_text && hash != open.reel.facts.hash;
        let length_max = REEL_LENGTH_MAX.max(REEL_BODIES_MAX * entry.body.len());
        let is_full = open.reel.entry_count >= REEL_ENTRIES_MAX || adds_text && open.reel.stream.len() > length_max;
        if !is_full {
            return Ok(Chosen { row, open, root_stream: Arc::default(), is_new: false });
        }
    }
    // Only the first frame leans on a root, so a reel that does not begin with text has no use for one.
    let has_text = is_text && !entry.body.is_empty();
    let (root, root_stream) = if has_text { choose_root(store, shared, entry)? } else { (None, Arc::default()) };
    let row = ReelRow::new(shared.index.state.next_reel, entry.url, root, first_number);
    let open = OpenReel { reel: Reel::default(), prints: Prints::default() };
    Ok(Chosen { row, open, root_stream, is_new: true })
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

/// The reel of the host that shortens a body most, if that is worth it, and what it lends.
fn choose_root(
    store: &FolderStore,
    shared: &Shared,
    entry: &Entry<'_>,
) -> Result<(Option<Root>, Arc<Vec<u8>>), StoreError> {
    let sample = &entry.body[..entry.body.len().min(TRIAL_LENGTH)];
    let alone = frame::compress(sample, b"", TRIAL_LEVEL).len();
    let (mut best_length, mut best) = (alone - alone / ROOT_WORTH_ONE_IN, (None, Arc::default()));
    for reel in shared.index.roots_of(host_of(entry.url), ROOT_TRIALS)? {
        let stream = lent_stream(store, shared, reel)?;
        let length = frame::compress(sample, &stream, TRIAL_LEVEL).len();
        if length < best_length {
            (best_length, best) = (length, (Some(Root { reel, length: stream.len() as u32 }), stream));
        }
    }
    Ok(best)
}

/// As much of a reel's stream as it may lend.
fn lent_stream(store: &FolderStore, shared: &Shared, number: u32) -> Result<Arc<Vec<u8>>, StoreError> {
    if let Some(reel) = shared.writer.as_ref().and_then(|writer| writer.reels.get(number)) {
        return Ok(Arc::new(reel.stream[..reel.stream.len().min(ROOT_MAX)].to_vec()));
    }
    if let Some(stream) = store.roots.get(number, 1) {
        return Ok(Arc::new(stream[..stream.len().min(ROOT_MAX)].to_vec()));
    }
    match shared.index.reel(number)? {
        Some(row) => read::stream_up_to(store, &row, ROOT_MAX),
        None => Ok(Arc::default()),
    }
}

/// Writes the entry, with the records that have to stand before it.
fn write(store: &FolderStore, shared: &mut Shared, arrival: &Arrival<'_>, chosen: Chosen) -> Result<Row, StoreError> {
    let Chosen { row, mut open, root_stream, is_new } = chosen;
    let entry = arrival.entry;
    let facts = facts_of(arrival, &open.reel, shared.index.state.entry_count + 1);
    let is_new_body = !facts.has_same_body(&open.reel.facts);
    let added = (is_new_body && !facts.is_blob).then(|| open.reel.add(entry.body, &mut open.prints, &root_stream));
    let head_changes = open.reel.head.encode(entry.head, facts.circumstances());
    let notes_prefix = entry::notes_prefix(&open.reel, || if facts.is_blob { Vec::new() } else { entry.body.to_vec() });
    let notes_changes = open.reel.notes.encode(entry.notes, facts.circumstances());
    let (flags, payload) =
        entry::encode(&facts, &open.reel.facts, &head_changes, &notes_changes, added.as_ref(), &notes_prefix);

    let is_new_blob = is_new_body && facts.is_blob && shared.index.blob(facts.hash)?.is_none();
    let kept = is_new_blob.then(|| blob::keep(entry.body));
    let mut records = Vec::new();
    if is_new {
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
    if let Some(writer) = &mut shared.writer {
        writer.reels.put(row.number, open);
    }
    Ok(written)
}

fn facts_of(arrival: &Arrival<'_>, reel: &Reel, sequence: u64) -> Facts {
    let Arrival { entry, hash, is_text } = *arrival;
    // A body that is there already stays as it is kept, whatever is asked for now.
    let is_repeat = reel.entry_count > 0 && hash == reel.facts.hash;
    Facts {
        sequence,
        time: entry.time,
        hash,
        is_blob: if is_repeat { reel.facts.is_blob } else { !is_text },
        body_length: entry.body.len() as u64,
        head_length: entry.head.len() as u64,
        figures: entry.figures,
        stored_length: 0,
    }
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
