//! Plays a stored reel entry by entry, wherever its entries lie: in a pack, in the tail there, in logs.

use std::sync::Arc;

use kuai_archive::{ContentHash, StoreError};

use crate::entry::{self, Changes};
use crate::errors::damaged;
use crate::facts::Facts;
use crate::files::{FileId, Files, Source};
use crate::history::{StoredEntry, logged_entries, wrong_entry};
use crate::pack::Object;
use crate::recipe;
use crate::record::Root;
use crate::reel::Reel;
use crate::row::ReelRow;

/// Gives the beginning of another reel's stream, at least as much of it as the root says.
pub(crate) type RootStream<'a> = &'a dyn Fn(Root) -> Result<Arc<Vec<u8>>, StoreError>;

/// What is seen after each entry: the reel as it then was, the entry's changes, and the file that has it.
pub(crate) type Visit<'a> = &'a mut dyn FnMut(&Reel, Changes, FileId) -> Result<Next, StoreError>;

/// Whether to play on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    GoOn,
    Stop,
}

/// Plays the entries of a reel until `visit` stops it; the reel as it then was.
pub(crate) fn play(
    files: &Files,
    row: &ReelRow,
    root_stream: RootStream<'_>,
    visit: Visit<'_>,
) -> Result<Reel, StoreError> {
    let mut reel = Reel::default();
    let mut since = Vec::new();
    if let Some(packed) = row.packed {
        let object = Object::read(files, packed.object)?;
        if object.entry_count() != packed.entry_count {
            let what = format!("the object at {} is not that of {}", packed.object.offset, row.url);
            return Err(damaged(&files.path(FileId::Pack(packed.object.pack)), what));
        }
        if play_packed(files, row, &object, root_stream, &mut reel, visit)? == Next::Stop {
            return Ok(reel);
        }
        since = object.tail(files)?;
    }
    since.extend(logged_entries(files, row)?);
    play_since(files, row, &since, root_stream, &mut reel, visit)?;
    Ok(reel)
}

/// Plays the packed part of an object.
pub(crate) fn play_packed(
    files: &dyn Source,
    row: &ReelRow,
    object: &Object,
    root_stream: RootStream<'_>,
    reel: &mut Reel,
    visit: Visit<'_>,
) -> Result<Next, StoreError> {
    let file = FileId::Pack(object.place().pack);
    let (facts, changes) = (object.facts(files)?, object.changes(files)?);
    let mut needed_length = 0;
    for (facts, changes) in facts.into_iter().zip(changes) {
        let wrong = || wrong_entry(files, file, row, reel.entry_count as usize);
        let steps = recipe::decode(&changes.recipe).ok_or_else(wrong)?;
        needed_length += recipe::fresh_length(&steps).ok_or_else(wrong)?;
        object.fill_stream(files, &mut reel.stream, needed_length, root_stream)?;
        let is_new_text = !facts.is_blob && !facts.has_same_body(&reel.facts);
        let body = if is_new_text { reel.follow(&steps) } else { Some(()) };
        let lines = body.and_then(|()| follow_lines(reel, &facts, &changes));
        lines.ok_or_else(|| wrong_entry(files, file, row, reel.entry_count as usize))?;
        reel.facts = facts;
        reel.entry_count += 1;
        if visit(reel, changes, file)? == Next::Stop {
            return Ok(Next::Stop);
        }
    }
    // What follows leans on the whole stream, even where nothing packed has needed its end.
    object.fill_stream(files, &mut reel.stream, object.stream_length(), root_stream)?;
    Ok(Next::GoOn)
}

/// Plays entries as logs have them.
pub(crate) fn play_since(
    files: &dyn Source,
    row: &ReelRow,
    since: &[StoredEntry],
    root_stream: RootStream<'_>,
    reel: &mut Reel,
    visit: Visit<'_>,
) -> Result<Next, StoreError> {
    for entry in since {
        let (root, length) = match row.root {
            Some(root) if reel.stream.is_empty() => (root_stream(root)?, root.length as usize),
            _ => (Arc::default(), 0),
        };
        let changes = entry::play(reel, entry.flags, &entry.payload, entry.stored_length, &root[..length]);
        let changes = changes.ok_or_else(|| wrong_entry(files, entry.file, row, reel.entry_count as usize))?;
        if visit(reel, changes, entry.file)? == Next::Stop {
            return Ok(Next::Stop);
        }
    }
    Ok(Next::GoOn)
}

/// The newest text body of a reel, checked against the hash of the newest entry; `None` if they differ.
pub(crate) fn checked_body(reel: &Reel) -> Option<Vec<u8>> {
    let body = reel.body();
    (ContentHash::of(&body) == reel.facts.hash).then_some(body)
}

fn follow_lines(reel: &mut Reel, facts: &Facts, changes: &Changes) -> Option<()> {
    reel.head.decode(&changes.head, facts.circumstances())?;
    reel.notes.decode(&changes.notes, facts.circumstances())
}
