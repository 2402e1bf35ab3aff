//! Compaction: entries of sealed logs become objects of a pack, which are verified before anything points to them.
//!
//! It goes round by round, some logs a round, and takes along packs that are small or mostly dead. The lock is held only to
//! look up rows and to switch to the new pack; a round that is stopped or killed leaves nothing that counts.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::PoisonError;

use kuai_archive::{Compacted, ContentHash, Progress, StoreError};

use super::repack;
use super::{FolderStore, read};
use crate::blob;
use crate::catalogue::Switch;
use crate::errors::damaged;
use crate::files::{FileId, Files};
use crate::frame;
use crate::host::host_of;
use crate::limits::{PACK_ALONE_FROM, PACK_OVERHEAD, PACK_SMALL, ROUND_LENGTH_MAX};
use crate::log::{self, End, HEADER_LENGTH};
use crate::pack::{Directory, ListedKind, Object, PackWriter};
use crate::record::{BlobRecord, Place, Record};
use crate::row::{BlobPlace, ObjectPlace, Packed};
use crate::varint::Cursor;

pub(super) fn compact(store: &FolderStore, progress: Progress<'_>) -> Result<Compacted, StoreError> {
    let _alone = store.compaction.lock().unwrap_or_else(PoisonError::into_inner);
    let mut compacted = Compacted { bytes_before: store.files.total_length()?, ..Compacted::default() };
    let entry_count = seal_newest_log(store)?;
    let mut may_reclaim = true;
    while let Some(round) = next_round(store, may_reclaim)? {
        // One round reclaims every pack that is worth it, so a second one could only go in circles.
        may_reclaim = round.has_logs();
        match run(store, &round, &mut |done| progress(compacted.entry_count + done, entry_count))? {
            Some(count) => compacted.entry_count += count,
            None => break,
        }
    }
    frame::forget_compressor();
    compacted.bytes_after = store.files.total_length()?;
    Ok(compacted)
}

/// The logs that one round packs; none where only packs are to be reclaimed.
struct Round {
    first_log: u32,
    logs_through: u32,
}

impl Round {
    fn has_logs(&self) -> bool {
        self.logs_through >= self.first_log
    }
}

/// What the logs of a round have: the records of each reel's entries in order, and blobs.
#[derive(Default)]
struct Gathered {
    reels: BTreeMap<u32, Vec<Place>>,
    blobs: Vec<(ContentHash, Place)>,
}

/// Completes the newest log; tells how many entries are in logs.
fn seal_newest_log(store: &FolderStore) -> Result<u64, StoreError> {
    let mut shared = store.lock();
    let shared = &mut *shared;
    let Some(writer) = &mut shared.writer else {
        return Err(StoreError::ReadOnly { place: store.files.folder().to_owned() });
    };
    if writer.log.as_ref().is_some_and(|log| log.entry_count() > 0) {
        writer.seal_log(&mut shared.index)?;
    }
    shared.flush()?;
    let state = &shared.index.state;
    if state.indexed.log == state.first_log {
        return Ok(0);
    }
    Ok(state.entry_count + 1 - log::first_sequence(&store.files, state.first_log)?)
}

/// The oldest sealed logs, as many as a round takes, or a round without any if a pack is mostly dead.
fn next_round(store: &FolderStore, may_reclaim: bool) -> Result<Option<Round>, StoreError> {
    let (first_log, newest_log) = store.look_up(|index| Ok((index.state.first_log, index.state.indexed.log)))?;
    let (mut logs_through, mut length) = (first_log - 1, 0);
    for log in first_log..newest_log {
        length += store.files.length(FileId::Log(log))?;
        if length > ROUND_LENGTH_MAX && logs_through >= first_log {
            break;
        }
        logs_through = log;
    }
    let round = Round { first_log, logs_through };
    let is_due = round.has_logs() || may_reclaim && packs(store)?.iter().any(PackState::is_mostly_dead);
    Ok(is_due.then_some(round))
}

/// Writes one pack and switches to it; the number of entries that came from logs, or `None` if it was stopped.
fn run(store: &FolderStore, round: &Round, goes_on: &mut dyn FnMut(u64) -> bool) -> Result<Option<u64>, StoreError> {
    let gathered = gather(&store.files, round)?;
    let number = store.files.list()?.packs.last().map_or(1, |newest| newest + 1);
    let mut writer = PackWriter::create(&store.files, number)?;
    let mut switch = Switch { new_pack: number, first_log: round.logs_through + 1, ..Switch::default() };
    let mut done = 0;
    for reel in in_order_of_hosts(store, &gathered)? {
        let places = &gathered.reels[&reel];
        let (object, kind) = repack::reel(store, reel, places)?;
        let place = writer.add(kind, &object.bytes)?;
        switch.reels.push((reel, Packed { object: place, entry_count: object.entry_count }));
        done += places.len() as u64;
        if !goes_on(done) {
            return Ok(None);
        }
    }
    for (hash, place) in &gathered.blobs {
        let bytes = repack::blob(store, *hash, *place)?;
        switch.blobs.push((*hash, writer.add(ListedKind::Blob { hash: *hash }, &bytes)?));
    }
    take_packs_along(store, &mut writer, &mut switch)?;
    finish(store, writer, round, &switch)?;
    Ok(Some(done))
}

fn gather(files: &Files, round: &Round) -> Result<Gathered, StoreError> {
    let mut gathered = Gathered::default();
    for log in round.first_log..=round.logs_through {
        log::first_sequence(files, log)?;
        let (offset, end) = log::pass_through(files, log, HEADER_LENGTH as u64, &mut |passed| {
            match passed.record {
                Record::Reel { number, .. } => drop(gathered.reels.entry(number).or_default()),
                Record::Entry(entry) => gathered.reels.entry(entry.reel).or_default().push(passed.place),
                Record::Blob(blob) => gathered.blobs.push((blob.hash, passed.place)),
                Record::End { .. } => {}
            }
            Ok(true)
        })?;
        if end != End::Sealed {
            return Err(damaged(&files.path(FileId::Log(log)), format!("record at {offset}")));
        }
    }
    Ok(gathered)
}

/// The reels of a round, those of a host beside each other and roots first, so that they are read together too.
fn in_order_of_hosts(store: &FolderStore, gathered: &Gathered) -> Result<Vec<u32>, StoreError> {
    let mut keys = Vec::with_capacity(gathered.reels.len());
    for number in gathered.reels.keys() {
        let row = read::reel_row(store, *number)?;
        keys.push((host_of(&row.url).to_owned(), row.root.is_some(), *number));
    }
    keys.sort_unstable();
    Ok(keys.into_iter().map(|(_, _, number)| number).collect())
}

/// A pack as it is before the round.
struct PackState {
    number: u32,
    length: u64,
    live_length: u64,
}

/// All packs of the archive, oldest first.
fn packs(store: &FolderStore) -> Result<Vec<PackState>, StoreError> {
    let (numbers, live) = store.look_up(|index| Ok((index.catalogue.packs()?, index.catalogue.live_lengths()?)))?;
    let live: HashMap<u32, u64> = live.into_iter().collect();
    let look_at = |number: u32| {
        let live_length = live.get(&number).copied().unwrap_or(0);
        Ok(PackState { number, length: store.files.length(FileId::Pack(number))?, live_length })
    };
    numbers.into_iter().map(look_at).collect()
}

impl PackState {
    /// Whether less than half of it is live; of a small pack the directory alone may be half.
    fn is_mostly_dead(&self) -> bool {
        self.live_length * 2 + PACK_OVERHEAD < self.length
    }
}

/// Copies what is live of packs that are mostly dead, or no larger than what the round has written: so there are never many.
fn take_packs_along(store: &FolderStore, writer: &mut PackWriter<'_>, switch: &mut Switch) -> Result<(), StoreError> {
    let rewritten: HashSet<u32> = switch.reels.iter().map(|(reel, _)| *reel).collect();
    for mut pack in packs(store)?.into_iter().rev() {
        let directory = Directory::read(&store.files, pack.number)?;
        pack.live_length -= superseded_length(store, pack.number, &directory, &rewritten)?;
        let is_small = pack.length <= writer.length().clamp(PACK_SMALL, PACK_ALONE_FROM);
        if is_small || pack.is_mostly_dead() {
            copy_live(store, pack.number, &directory, &rewritten, writer, switch)?;
            switch.gone_packs.push(pack.number);
        }
    }
    Ok(())
}

/// Bytes of a pack that are live so far, but which the round replaces.
fn superseded_length(
    store: &FolderStore,
    pack: u32,
    directory: &Directory,
    rewritten: &HashSet<u32>,
) -> Result<u64, StoreError> {
    let mut length = 0;
    for (offset, listed) in directory.placed() {
        let place = ObjectPlace { pack, offset, length: listed.length };
        if let ListedKind::Reel { number, .. } = &listed.kind
            && rewritten.contains(number)
            && read::reel_row(store, *number)?.packed.is_some_and(|packed| packed.object == place)
        {
            length += listed.length;
        }
    }
    Ok(length)
}

fn copy_live(
    store: &FolderStore,
    pack: u32,
    directory: &Directory,
    rewritten: &HashSet<u32>,
    writer: &mut PackWriter<'_>,
    switch: &mut Switch,
) -> Result<(), StoreError> {
    for (offset, listed) in directory.placed() {
        let place = ObjectPlace { pack, offset, length: listed.length };
        match &listed.kind {
            ListedKind::Reel { number, .. } => {
                let packed = read::reel_row(store, *number)?.packed.filter(|packed| packed.object == place);
                if let (Some(packed), false) = (packed, rewritten.contains(number)) {
                    let object = Object::read(&store.files, place)?;
                    object.check(&store.files)?;
                    let object_place = writer.add(listed.kind.clone(), object.bytes())?;
                    switch.reels.push((*number, Packed { object: object_place, ..packed }));
                }
            }
            ListedKind::Blob { hash } => {
                if store.look_up(|index| index.blob(*hash))? == Some(BlobPlace::Pack(place)) {
                    let (file, bytes) = blob::read_kept(&store.files, BlobPlace::Pack(place))?;
                    let kept = BlobRecord::take(&mut Cursor::new(&bytes)).filter(|kept| kept.hash == *hash);
                    if kept.and_then(|kept| blob::open(&kept)).is_none() {
                        return Err(damaged(&store.files.path(file), format!("blob {hash}")));
                    }
                    switch.blobs.push((*hash, writer.add(listed.kind.clone(), &bytes)?));
                }
            }
        }
    }
    Ok(())
}

/// Makes the pack durable, points to it, and deletes what it replaces.
fn finish(store: &FolderStore, mut writer: PackWriter<'_>, round: &Round, switch: &Switch) -> Result<(), StoreError> {
    writer.directory.logs_through = round.logs_through;
    writer.directory.next_reel = store.look_up(|index| Ok(index.state.next_reel))?;
    writer.finish()?;
    let mut shared = store.lock();
    // Objects may lean on streams that are still in the newest log.
    shared.flush()?;
    shared.index.catalogue.switch(switch)?;
    shared.index.state.first_log = switch.first_log;
    drop(shared);
    for log in round.first_log..=round.logs_through {
        store.files.delete(FileId::Log(log))?;
    }
    for pack in &switch.gone_packs {
        store.files.delete(FileId::Pack(*pack))?;
    }
    Ok(())
}
