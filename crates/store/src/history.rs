//! The stored entries of a reel, and the facts of all of them.
//!
//! Listing reads no head, notes, recipe or frame: facts stand at the front of records and in columns of their own in packs.

use kuai_archive::StoreError;

use crate::errors::damaged;
use crate::facts::Facts;
use crate::files::{FileId, Files, Source};
use crate::log;
use crate::pack::Object;
use crate::record::{Place, Record};
use crate::row::ReelRow;
use crate::varint::Cursor;

/// An entry as it stands in a log, or in the tail of an object.
#[derive(Clone, Debug)]
pub(crate) struct StoredEntry {
    pub(crate) flags: u8,
    pub(crate) stored_length: u64,
    pub(crate) payload: Vec<u8>,
    /// The log or pack that it was read from.
    pub(crate) file: FileId,
}

/// The entries of a reel that lie in logs, oldest first.
pub(crate) fn logged_entries(files: &Files, reel: &ReelRow) -> Result<Vec<StoredEntry>, StoreError> {
    let count = reel.entry_count - reel.packed_count();
    let mut entries = Vec::with_capacity(count as usize);
    let mut next = reel.record;
    for _ in 0..count {
        let place = next.ok_or_else(|| broken_chain(files, reel))?;
        let (entry, before) = read_entry(files, reel, place)?;
        entries.push(entry);
        next = before;
    }
    entries.reverse();
    Ok(entries)
}

/// The facts of all entries of a reel in order.
pub(crate) fn facts(files: &Files, reel: &ReelRow) -> Result<Vec<Facts>, StoreError> {
    let mut facts = packed_facts(files, reel)?;
    extend_facts(files, reel, &mut facts, &logged_entries(files, reel)?)?;
    Ok(facts)
}

/// The facts of the entries of a reel that lie in a pack.
pub(crate) fn packed_facts(files: &Files, reel: &ReelRow) -> Result<Vec<Facts>, StoreError> {
    let Some(packed) = reel.packed else { return Ok(Vec::new()) };
    let object = Object::read_rows(files, packed.object)?;
    let mut facts = object.facts(files)?;
    extend_facts(files, reel, &mut facts, &object.tail(files)?)?;
    Ok(facts)
}

/// Adds the facts of entries as logs have them.
fn extend_facts(
    files: &Files,
    reel: &ReelRow,
    facts: &mut Vec<Facts>,
    entries: &[StoredEntry],
) -> Result<(), StoreError> {
    let nothing = Facts::default();
    for entry in entries {
        let before = facts.last().unwrap_or(&nothing);
        let taken = Facts::take(entry.flags, before, &mut Cursor::new(&entry.payload));
        let mut taken = taken.ok_or_else(|| wrong_entry(files, entry.file, reel, facts.len()))?;
        taken.stored_length = entry.stored_length;
        facts.push(taken);
    }
    Ok(())
}

/// The error for an entry that cannot be read though its checksum is right, or whose hash is wrong.
pub(crate) fn wrong_entry(files: &dyn Source, file: FileId, reel: &ReelRow, index: usize) -> StoreError {
    let number = reel.first_number as usize + index;
    damaged(&files.path(file), format!("entry {number} of {} does not come back as it was given", reel.url))
}

/// Reads an entry, and where the entry before lies.
pub(crate) fn read_entry(
    files: &Files,
    reel: &ReelRow,
    place: Place,
) -> Result<(StoredEntry, Option<Place>), StoreError> {
    let (body, stored_length) = log::read_record(files, place)?;
    match Record::from_bytes(&body, place) {
        Some(Record::Entry(entry)) if entry.reel == reel.number => {
            let payload = entry.payload.to_vec();
            Ok((StoredEntry { flags: entry.flags, stored_length, payload, file: FileId::Log(place.log) }, entry.before))
        }
        _ => Err(damaged(
            &files.path(FileId::Log(place.log)),
            format!("record at {} is no entry of {}", place.offset, reel.url),
        )),
    }
}

fn broken_chain(files: &Files, reel: &ReelRow) -> StoreError {
    let log = reel.record.map_or(0, |place| place.log);
    damaged(&files.path(FileId::Log(log)), format!("the entries of {} do not lead back to the first", reel.url))
}
