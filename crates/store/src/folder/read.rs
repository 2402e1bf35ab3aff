//! Reads entries and rows.

use std::sync::Arc;

use kuai_archive::{Row, StoreError, Stored};

use super::FolderStore;
use crate::blob;
use crate::errors::damaged;
use crate::files::CATALOGUE;
use crate::history::{self, wrong_entry};
use crate::index::Index;
use crate::playback::{self, Next};
use crate::record::Root;
use crate::reel::Reel;
use crate::row::ReelRow;

/// All rows of a URL.
pub(super) fn history(store: &FolderStore, url: &str) -> Result<Vec<Row>, StoreError> {
    let reels = store.look_up(|index| index.reels_of(url))?;
    let mut rows = Vec::new();
    for reel in reels {
        rows.extend(rows_of(store, &reel)?);
    }
    Ok(rows)
}

/// The newest rows of a URL, newest first.
pub(super) fn newest(store: &FolderStore, url: &str, limit: usize) -> Result<Vec<Row>, StoreError> {
    let mut rows: Vec<Row> = Vec::new();
    let mut next = Some(u32::MAX);
    while let (Some(number), true) = (next, rows.len() < limit) {
        let Some(reel) = store.look_up(|index| index.reel_at(url, number))? else { break };
        if limit == 1 && reel.entry_count > 0 {
            return Ok(vec![reel.newest.row(reel.next_number() - 1)]);
        }
        rows.extend(rows_of(store, &reel)?.into_iter().rev());
        next = reel.first_number.checked_sub(1);
    }
    rows.truncate(limit);
    Ok(rows)
}

/// An entry, checked against its hash.
pub(super) fn entry(store: &FolderStore, url: &str, number: u32) -> Result<Stored, StoreError> {
    let reel = store.look_up(|index| index.reel_at(url, number))?;
    let Some(row) = reel.filter(|reel| number < reel.next_number()) else {
        return Err(StoreError::NoEntry { url: url.to_owned(), number });
    };
    let wanted = number - row.first_number + 1;
    let mut file = None;
    let reel = playback::play(&store.files, &row, &|root| find_root_stream(store, root), &mut |reel, _, from| {
        file = Some(from);
        Ok(if reel.entry_count == wanted { Next::Stop } else { Next::GoOn })
    })?;
    let body = match (reel.facts.is_blob, file) {
        (true, _) => read_blob(store, &reel)?,
        (false, Some(file)) => {
            playback::checked_body(&reel).ok_or_else(|| wrong_entry(&store.files, file, &row, wanted as usize - 1))?
        }
        (false, None) => Vec::new(),
    };
    Ok(Stored { row: reel.facts.row(number), head: reel.head.text(), body, notes: reel.notes.text() })
}

/// The body of a reel's newest entry, which is kept as a blob.
pub(super) fn read_blob(store: &FolderStore, reel: &Reel) -> Result<Vec<u8>, StoreError> {
    let hash = reel.facts.hash;
    let place = store.look_up(|index| index.blob(hash))?;
    let place =
        place.ok_or_else(|| damaged(&store.files.folder().join(CATALOGUE), format!("blob {hash} is missing")))?;
    blob::read(&store.files, hash, place)
}

/// A reel as its newest entry left it.
pub(super) fn whole_reel(store: &FolderStore, index: &Index, row: &ReelRow) -> Result<Reel, StoreError> {
    playback::play(&store.files, row, &|root| root_stream(store, index, root), &mut |_, _, _| Ok(Next::GoOn))
}

/// The beginning of a reel's stream that another leans on.
pub(super) fn root_stream(store: &FolderStore, index: &Index, root: Root) -> Result<Arc<Vec<u8>>, StoreError> {
    beginning(store, root.reel, root.length as usize, |number| index.reel(number))
}

/// Like [`root_stream`], for those who do not hold the lock.
pub(super) fn find_root_stream(store: &FolderStore, root: Root) -> Result<Arc<Vec<u8>>, StoreError> {
    beginning(store, root.reel, root.length as usize, |number| store.look_up(|index| index.reel(number)))
}

/// At least this much of a reel's stream, from memory or played from the files.
fn beginning(
    store: &FolderStore,
    number: u32,
    length: usize,
    row: impl FnOnce(u32) -> Result<Option<ReelRow>, StoreError>,
) -> Result<Arc<Vec<u8>>, StoreError> {
    if let Some(stream) = store.roots.get(number, length) {
        return Ok(stream);
    }
    let row = row(number)?.ok_or_else(|| unknown_reel(store, number))?;
    let stream = stream_up_to(store, &row, length)?;
    if stream.len() < length {
        return Err(damaged(store.files.folder(), format!("reel {number} is shorter than what leans on it")));
    }
    Ok(stream)
}

/// This much of a reel's stream, or what there is of it. The reel leans on none.
pub(super) fn stream_up_to(store: &FolderStore, row: &ReelRow, length: usize) -> Result<Arc<Vec<u8>>, StoreError> {
    let no_root = |_| Err(damaged(store.files.folder(), format!("reel {} is a root and leans on another", row.number)));
    let reel = playback::play(&store.files, row, &no_root, &mut |reel, _, _| {
        Ok(if reel.stream.len() >= length { Next::Stop } else { Next::GoOn })
    })?;
    let mut stream = reel.stream;
    stream.truncate(length);
    let stream = Arc::new(stream);
    store.roots.put(row.number, Arc::clone(&stream));
    Ok(stream)
}

fn rows_of(store: &FolderStore, reel: &ReelRow) -> Result<Vec<Row>, StoreError> {
    let facts = history::facts(&store.files, reel)?;
    Ok(facts.iter().zip(reel.first_number..).map(|(facts, number)| facts.row(number)).collect())
}

fn unknown_reel(store: &FolderStore, number: u32) -> StoreError {
    damaged(&store.files.folder().join(CATALOGUE), format!("reel {number} is missing"))
}
