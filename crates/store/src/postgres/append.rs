//! Takes an entry into the batch: finds what is new in it, and puts that among the batch's bytes.

use std::sync::{Arc, MutexGuard, PoisonError};

use kuai_archive::{ContentHash, Entry, Row, StoreError, Stored};

use super::batch::Pending;
use super::desk::{Desk, Writer};
use super::{Core, Fault, item, read};
use crate::arrival::{Arrival, Prepared, prepare};
use crate::blob;
use crate::entry;
use crate::facts::Facts;
use crate::lean::{self, Lean, Lender};
use crate::limits::ROOT_MAX;
use crate::open_reels::OpenReel;
use crate::record::BlobRecord;
use crate::row::ReelRow;

pub(super) fn append(core: &Core, writer: &Writer, entry: &Entry<'_>) -> Result<Row, Fault> {
    let arrival = Arrival::new(entry)?;
    if entry.url.contains('\0') {
        let what = "an address with a zero byte cannot be kept".to_owned();
        return Err(StoreError::WrongFormat { place: core.place().to_owned(), what }.into());
    }
    loop {
        let (desk, open) = open_newest(core, writer, entry.url)?;
        let count = desk.batch.held[entry.url].entry_count;
        drop(desk);
        // The long work is done while others append.
        let open = open.filter(|open| !arrival.overfills(&open.reel));
        let is_new_reel = open.is_none();
        let lean = if is_new_reel && arrival.has_text() { choose_lean(core, writer, entry)? } else { Lean::none() };
        let prepared = prepare(&arrival, open.unwrap_or_default(), &lean);
        let is_new_blob = prepared.facts.is_blob
            && !prepared.facts.has_same_body(&prepared.open.reel.facts)
            && !read::has_blob(core, arrival.hash)?;
        let kept = is_new_blob.then(|| blob::keep(entry.body));

        let mut desk = writer.hold(core, entry.url)?;
        if desk.batch.held[entry.url].entry_count != count {
            continue;
        }
        if is_new_reel {
            let number = desk.new_number(core)?;
            desk.begin_reel(entry.url, number, &lean);
        }
        if let Some(kept) = &kept {
            desk.put_blob(arrival.hash, entry.body.len() as u64, kept);
        }
        let row = desk.put(entry.url, prepared);
        let is_full = desk.batch.is_full();
        drop(desk);
        if is_full {
            writer.flush(core)?;
        }
        return Ok(row);
    }
}

/// The newest entry of a URL, from the reel that the next one will be written to.
pub(super) fn latest(core: &Core, writer: &Writer, url: &str) -> Result<Option<Stored>, Fault> {
    let (mut desk, open) = open_newest(core, writer, url)?;
    let Some(open) = open else { return Ok(None) };
    let (held, reel) = (&desk.batch.held[url], &open.reel);
    let number = held.entry_count - 1;
    let is_blob = reel.facts.is_blob;
    let sequence = if held.has_pending() { 0 } else { held.sequence };
    let mut stored = Stored {
        row: Row { sequence, ..reel.facts.row(number) },
        head: reel.head.text(),
        body: if is_blob { Vec::new() } else { reel.body() },
        notes: reel.notes.text(),
    };
    let hash = reel.facts.hash;
    let pending_blob = desk.blob(hash);
    if let Some(newest) = desk.batch.held[url].newest_reel().map(|reel| reel.number) {
        desk.reels.put(newest, open);
    }
    drop(desk);
    if is_blob {
        stored.body = match pending_blob {
            Some(body) => body,
            None => read::blob_body(core, hash)?,
        };
    }
    Ok(Some(stored))
}

/// The newest reel of a URL ready for writing, from memory or played from objects; none for a new URL.
fn open_newest<'a>(
    core: &Core,
    writer: &'a Writer,
    url: &str,
) -> Result<(MutexGuard<'a, Desk>, Option<OpenReel>), Fault> {
    loop {
        let mut desk = writer.hold(core, url)?;
        let held = &desk.batch.held[url];
        let (is_pending, newest) = (held.has_pending(), held.newest_reel().cloned());
        let Some(newest) = newest else { return Ok((desk, None)) };
        let open = desk.reels.take(newest.number);
        if let Some(open) = open.filter(|open| open.reel.entry_count == newest.entry_count) {
            return Ok((desk, Some(open)));
        }
        drop(desk);
        if is_pending {
            // It is not held in memory any more; it can be read when it is committed.
            writer.flush(core)?;
            continue;
        }
        let reel = read::attempt(|| read::whole_reel(core, url, newest.number))?;
        let prints = reel.prints();
        writer.desk().reels.put(newest.number, OpenReel { reel, prints });
    }
}

fn choose_lean(core: &Core, writer: &Writer, entry: &Entry<'_>) -> Result<Lean, Fault> {
    let mut familiar = writer.familiar.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(lean::choose(&mut familiar, &SharedLender { core }, entry)?)
}

/// Lends streams of the reels that are committed.
struct SharedLender<'a> {
    core: &'a Core,
}

impl Lender for SharedLender<'_> {
    fn roots_of(&self, host: &str, limit: usize) -> Result<Vec<u32>, StoreError> {
        read::roots_of(self.core, host, limit).map_err(|fault| fault.of_store("read", &self.core.shown))
    }

    fn lent_stream(&self, number: u32) -> Result<Arc<Vec<u8>>, StoreError> {
        if let Some(stream) = self.core.roots.get(number, 1) {
            return Ok(Arc::new(stream[..stream.len().min(ROOT_MAX)].to_vec()));
        }
        let stream = read::attempt(|| read::stream_up_to(self.core, number, ROOT_MAX));
        stream.map_err(|fault| fault.of_store("read", &self.core.shown))
    }
}

impl Desk {
    fn begin_reel(&mut self, url: &str, number: u32, lean: &Lean) {
        let held = self.batch.held.get_mut(url).expect("the address is held");
        held.reels.push(ReelRow::new(number, url, lean.root(), held.entry_count));
        if held.entry_count == 0 {
            held.id = i64::from(number);
        }
    }

    fn put_blob(&mut self, hash: ContentHash, length: u64, kept: &blob::Kept) {
        if self.batch.blobs.iter().any(|(known, _)| *known == hash) {
            return;
        }
        let place = self.batch.blob_bytes.len();
        BlobRecord { hash, codec: kept.codec, length, bytes: &kept.bytes }.put(&mut self.batch.blob_bytes);
        self.batch.blobs.push((hash, place));
    }

    /// A blob that is not committed yet.
    fn blob(&self, hash: ContentHash) -> Option<Vec<u8>> {
        let index = self.batch.blobs.iter().position(|(known, _)| *known == hash)?;
        let start = self.batch.blobs[index].1;
        let end = self.batch.blobs.get(index + 1).map_or(self.batch.blob_bytes.len(), |(_, next)| *next);
        read::open_blob(&self.batch.blob_bytes[start..end], hash)
    }

    /// Puts the entry behind the others of the batch, and its reel among the open ones.
    fn put(&mut self, url: &str, prepared: Prepared) -> Row {
        let Prepared { mut open, mut facts, parts, is_passing } = prepared;
        let index = open.reel.entry_count;
        // Its number in the feed is known only when it is committed, and lies in the database; this one only has to grow.
        facts.sequence = u64::from(index) + 1;
        let (flags, payload) = entry::encode(&facts, &open.reel.facts, &parts);
        let held = self.batch.held.get_mut(url).expect("the address is held");
        if held.reels.is_empty() {
            held.reels.extend(held.committed_reel.clone());
        }
        let reel = held.reels.last_mut().expect("a reel was begun or is there");
        let (reel_number, number, place) = (reel.number, held.entry_count, self.batch.bytes.len() as u64);
        let stored_length = item::put(&mut self.batch.bytes, reel_number, index, flags, &payload);
        let facts = Facts { stored_length, ..facts };
        reel.entry_count += 1;
        held.entry_count += 1;
        held.first = held.first.min(facts.time);
        held.last = held.last.max(facts.time);
        let row = Row { sequence: 0, ..facts.row(number) };
        open.reel.facts = facts.clone();
        open.reel.entry_count += 1;
        self.batch.entries.push(Pending { url: url.to_owned(), number, reel: reel_number, facts, place });
        if !is_passing {
            self.reels.put(reel_number, open);
        }
        row
    }
}
