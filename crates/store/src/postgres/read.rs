//! Reads entries and rows. What a compaction moves meanwhile is looked for again.

use std::sync::Arc;

use kuai_archive::{ContentHash, Row, StoreError, Stored};

use super::commit::host_key;
use super::objects::Span;
use super::rows::{self, REEL_COLUMN_COUNT, ROW_COLUMN_COUNT, reel_columns, row_columns};
use super::{Core, Fault, item};
use crate::blob;
use crate::errors::{damaged, is_vanished};
use crate::files::{FileId, Source};
use crate::history::{StoredEntry, wrong_entry};
use crate::key::key_of;
use crate::pack::Object;
use crate::playback::{self, Next, Visit};
use crate::record::{BlobRecord, Root};
use crate::reel::Reel;
use crate::row::ReelRow;
use crate::varint::Cursor;

/// How often something is looked for again when it vanishes; each time a whole compaction has gone by.
const ATTEMPTS_MAX: usize = 5;
/// Entries of a root that are read at a time; the first ones are mostly enough.
const ROOT_ENTRIES: usize = 4;

/// A reel that can be played.
pub(super) struct Playable {
    pub(super) row: ReelRow,
    pub(super) address: i64,
}

/// Does something that reads objects, again if one of them vanished because a compaction replaced it.
pub(super) fn attempt<T>(work: impl Fn() -> Result<T, Fault>) -> Result<T, Fault> {
    let mut attempt = 1;
    loop {
        match work() {
            Err(Fault::Vanished) if attempt < ATTEMPTS_MAX => {}
            Err(Fault::Store(error)) if is_vanished(&error) && attempt < ATTEMPTS_MAX => {}
            done => return done,
        }
        attempt += 1;
    }
}

/// All rows of a URL.
pub(super) fn history(core: &Core, url: &str) -> Result<Vec<Row>, Fault> {
    let mut rows = newest(core, url, usize::MAX)?;
    rows.reverse();
    Ok(rows)
}

/// The newest rows of a URL, newest first.
pub(super) fn newest(core: &Core, url: &str, limit: usize) -> Result<Vec<Row>, Fault> {
    const NEWEST: &str = concat!(
        "SELECT ",
        row_columns!(),
        " FROM address JOIN entry ON entry.address = address.id WHERE address.key = $1 ORDER BY entry.number DESC LIMIT $2"
    );
    let key = key_of(url);
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let found = core.database.run(|session| session.query(NEWEST, &[&&key.0[..], &limit]))?;
    Ok(found.iter().map(|columns| rows::row(columns, 0)).collect())
}

/// The entry of a URL that arrived last.
pub(super) fn latest(core: &Core, url: &str) -> Result<Option<Stored>, Fault> {
    match newest(core, url, 1)?.first() {
        Some(row) => entry(core, url, row.number).map(Some),
        None => Ok(None),
    }
}

/// An entry, checked against its hash.
pub(super) fn entry(core: &Core, url: &str, number: u32) -> Result<Stored, Fault> {
    attempt(|| read_entry(core, url, number))
}

fn read_entry(core: &Core, url: &str, number: u32) -> Result<Stored, Fault> {
    const ENTRY: &str = concat!(
        "SELECT ",
        row_columns!(),
        ", ",
        reel_columns!(),
        ", address.id FROM address JOIN entry ON entry.address = address.id JOIN reel ON reel.number = entry.reel
         WHERE address.key = $1 AND entry.number = $2"
    );
    let (key, number_column) = (key_of(url), i32::try_from(number).unwrap_or(-1));
    let found = core.database.run(|session| session.query_opt(ENTRY, &[&&key.0[..], &number_column]))?;
    let Some(columns) = found else {
        return Err(StoreError::NoEntry { url: url.to_owned(), number }.into());
    };
    let row = rows::row(&columns, 0);
    let playable = Playable {
        row: rows::reel(&columns, ROW_COLUMN_COUNT, url),
        address: columns.get(ROW_COLUMN_COUNT + REEL_COLUMN_COUNT),
    };
    let index = number - playable.row.first_number;
    let mut file = FileId::Log(0);
    let reel = play(core, &playable, index + 1, usize::MAX, &mut |_, _, from| {
        file = from;
        Ok(Next::GoOn)
    })?;
    let wrong = || Fault::Store(wrong_entry(&core.objects, file, &playable.row, index as usize));
    let body = match reel.facts.is_blob {
        true => blob_body(core, reel.facts.hash)?,
        false => playback::checked_body(&reel).ok_or_else(wrong)?,
    };
    if reel.facts.hash != row.hash || reel.entry_count != index + 1 {
        return Err(wrong());
    }
    Ok(Stored { row, head: reel.head.text(), body, notes: reel.notes.text() })
}

/// Plays the first so many entries of a reel, until `visit` stops it. Those that are in no pack are read so many at a time.
pub(super) fn play(
    core: &Core,
    playable: &Playable,
    count: u32,
    read_count: usize,
    visit: Visit<'_>,
) -> Result<Reel, Fault> {
    let Playable { row, address } = playable;
    let packed_count = row.packed_count().min(count);
    let spans = spans(core, *address, row.first_number + packed_count, row.first_number + count)?;
    let root_stream = |root: Root| {
        let stream = root_stream(core, root);
        stream.map_err(|fault| fault.of_store("read", &core.shown))
    };
    let mut reel = Reel::default();
    if let Some(packed) = row.packed {
        let object = Object::read(&core.objects, packed.object)?;
        if object.entry_count() != packed.entry_count {
            let what = format!("the object at {} is not that of {}", packed.object.offset, row.url);
            return Err(damaged(&core.objects.path(FileId::Pack(packed.object.pack)), what).into());
        }
        let visit = &mut stopping(count, visit);
        let tail = object.tail(&core.objects)?;
        if playback::play_packed(&core.objects, row, &object, &root_stream, &mut reel, visit)? == Next::Stop
            || playback::play_since(&core.objects, row, &tail, &root_stream, &mut reel, visit)? == Next::Stop
        {
            return Ok(reel);
        }
    }
    for chunk in spans.chunks(read_count.min(spans.len().max(1))) {
        let since = items(core, row, reel.entry_count, chunk)?;
        if playback::play_since(&core.objects, row, &since, &root_stream, &mut reel, visit)? == Next::Stop {
            break;
        }
    }
    Ok(reel)
}

/// A visit that stops after so many entries, as packs have those that came after as well.
fn stopping<'a>(
    count: u32,
    visit: Visit<'a>,
) -> impl FnMut(&Reel, crate::entry::Changes, FileId) -> Result<Next, StoreError> + 'a {
    move |reel, changes, file| {
        let next = visit(reel, changes, file)?;
        Ok(if reel.entry_count >= count { Next::Stop } else { next })
    }
}

/// Where entries lie that are in no pack.
fn spans(core: &Core, address: i64, from: u32, to: u32) -> Result<Vec<Span>, Fault> {
    if from >= to {
        return Ok(Vec::new());
    }
    let (from_column, to_column) = (from as i32, to as i32);
    let found = core.database.run(|session| {
        session.query(
            "SELECT object, place, length FROM entry WHERE address = $1 AND number >= $2 AND number < $3 ORDER BY number",
            &[&address, &from_column, &to_column],
        )
    })?;
    let spans: Vec<Span> = found.iter().filter_map(|columns| rows::span(columns, 0)).collect();
    // Otherwise the row of the reel is older than a compaction.
    if spans.len() == (to - from) as usize { Ok(spans) } else { Err(Fault::Vanished) }
}

/// Reads entries of a reel, from this one on.
fn items(core: &Core, row: &ReelRow, first_index: u32, spans: &[Span]) -> Result<Vec<StoredEntry>, Fault> {
    let object = spans.first().map_or(0, |span| span.object);
    let read = core.objects.read_all(spans).map_err(|fault| core.objects.error(fault, object))?;
    let entries = read.into_iter().zip(spans).zip(first_index..).map(|((bytes, span), index)| {
        let wrong = || {
            let number = row.first_number + index;
            let what = format!("entry {number} of {} at {}", row.url, span.place);
            Fault::Store(damaged(&core.objects.path(FileId::Log(span.object)), what))
        };
        item::take(bytes, row.number, index, span.object).ok_or_else(wrong)
    });
    entries.collect()
}

/// The entries of a reel that are in no pack.
pub(super) fn unpacked(core: &Core, row: &ReelRow, address: i64) -> Result<Vec<StoredEntry>, Fault> {
    let spans = spans(core, address, row.first_number + row.packed_count(), row.next_number())?;
    items(core, row, row.packed_count(), &spans)
}

/// A reel as its newest entry left it.
pub(super) fn whole_reel(core: &Core, url: &str, number: u32) -> Result<Reel, Fault> {
    let mut playable = playable(core, number)?;
    playable.row.url = url.to_owned();
    play(core, &playable, playable.row.entry_count, usize::MAX, &mut |_, _, _| Ok(Next::GoOn))
}

/// The row of a reel that must be there.
pub(super) fn playable(core: &Core, number: u32) -> Result<Playable, Fault> {
    const REEL: &str = concat!(
        "SELECT ",
        reel_columns!(),
        ", address.id, address.url FROM reel JOIN address ON address.id = reel.address WHERE reel.number = $1"
    );
    let number_column = i64::from(number);
    let found = core.database.run(|session| session.query_opt(REEL, &[&number_column]))?;
    let missing = || Fault::Store(damaged(core.place(), format!("reel {number} is missing")));
    let columns = found.ok_or_else(missing)?;
    let url: &str = columns.get(REEL_COLUMN_COUNT + 1);
    Ok(Playable { row: rows::reel(&columns, 0, url), address: columns.get(REEL_COLUMN_COUNT) })
}

/// The newest reels of a host that lean on none.
pub(super) fn roots_of(core: &Core, host: &str, limit: usize) -> Result<Vec<u32>, Fault> {
    let (key, limit) = (host_key(host), limit as i64);
    let found = core.database.run(|session| {
        session.query(
            "SELECT number FROM reel WHERE host_key = $1 AND root IS NULL ORDER BY number DESC LIMIT $2",
            &[&key, &limit],
        )
    })?;
    Ok(found.iter().map(|columns| columns.get::<_, i64>(0) as u32).collect())
}

/// The beginning of a reel's stream that another leans on.
pub(super) fn root_stream(core: &Core, root: Root) -> Result<Arc<Vec<u8>>, Fault> {
    let length = root.length as usize;
    if let Some(stream) = core.roots.get(root.reel, length) {
        return Ok(stream);
    }
    let stream = attempt(|| stream_up_to(core, root.reel, length))?;
    if stream.len() < length {
        return Err(damaged(core.place(), format!("reel {} is shorter than what leans on it", root.reel)).into());
    }
    Ok(stream)
}

/// This much of a reel's stream, or what there is of it. The reel leans on none.
pub(super) fn stream_up_to(core: &Core, number: u32, length: usize) -> Result<Arc<Vec<u8>>, Fault> {
    let playable = playable(core, number)?;
    if playable.row.root.is_some() {
        return Err(damaged(core.place(), format!("reel {number} is a root and leans on another")).into());
    }
    let reel = play(core, &playable, playable.row.entry_count, ROOT_ENTRIES, &mut |reel, _, _| {
        Ok(if reel.stream.len() >= length { Next::Stop } else { Next::GoOn })
    })?;
    let mut stream = reel.stream;
    stream.truncate(length);
    let stream = Arc::new(stream);
    core.roots.put(number, Arc::clone(&stream));
    Ok(stream)
}

pub(super) fn has_blob(core: &Core, hash: ContentHash) -> Result<bool, Fault> {
    let found =
        core.database.run(|session| session.query_opt("SELECT 1 FROM blob WHERE hash = $1", &[&&hash.0[..]]))?;
    Ok(found.is_some())
}

/// A body that is kept as a blob.
pub(super) fn blob_body(core: &Core, hash: ContentHash) -> Result<Vec<u8>, Fault> {
    let found = core
        .database
        .run(|session| session.query_opt("SELECT object, place, length FROM blob WHERE hash = $1", &[&&hash.0[..]]))?;
    let missing = || Fault::Store(damaged(core.place(), format!("blob {hash} is missing")));
    let span = found.and_then(|columns| rows::span(&columns, 0)).ok_or_else(missing)?;
    let bytes = core.objects.read(FileId::Pack(span.object), span.place, span.length as usize)?;
    let wrong = || Fault::Store(damaged(&core.objects.path(FileId::Pack(span.object)), format!("blob {hash}")));
    open_blob(&bytes, hash).ok_or_else(wrong)
}

/// The body that a blob keeps, checked against its hash.
pub(super) fn open_blob(bytes: &[u8], hash: ContentHash) -> Option<Vec<u8>> {
    let kept = BlobRecord::take(&mut Cursor::new(bytes)).filter(|kept| kept.hash == hash)?;
    blob::open(&kept)
}
