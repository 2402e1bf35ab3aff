//! The payload of an entry: its facts as steps, and the parts from which head, notes and body are played.
//!
//! It says nothing about where it lies, so compaction can carry it from a log into a pack as it is.

use std::borrow::Cow;

use crate::facts::{Facts, flag};
use crate::limits::{HEAD_LENGTH_MAX, NOTES_LENGTH_MAX};
use crate::part::{Part, TYPICAL_HEAD, put_part};
use crate::reel::{Added, Reel};
use crate::varint::{Cursor, put_bytes};

/// Changes take more than the document they lead to by their operations only.
const CHANGES_FACTOR: usize = 2;

/// The parts of a stored entry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parts<'a> {
    head: Part<'a>,
    notes: Option<Part<'a>>,
    /// Recipe and frame of a body that is new and kept as text.
    body: Option<(&'a [u8], &'a [u8])>,
}

/// The changes of an entry in the open, as a pack keeps them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Changes {
    pub(crate) head: Vec<u8>,
    pub(crate) notes: Vec<u8>,
    pub(crate) recipe: Vec<u8>,
}

/// The flags and the payload of an entry that follows `before`. `added` is there if the body is new and kept as text;
/// `notes_prefix` is what long changes of the notes lean on.
pub(crate) fn encode(
    facts: &Facts,
    before: &Facts,
    head_changes: &[u8],
    notes_changes: &[u8],
    added: Option<&Added>,
    notes_prefix: &[u8],
) -> (u8, Vec<u8>) {
    let mut flags = facts.flags(before);
    let mut payload = Vec::new();
    facts.put(before, &mut payload);
    put_part(&mut payload, head_changes, TYPICAL_HEAD);
    if !notes_changes.is_empty() {
        flags |= flag::NOTES;
        put_part(&mut payload, notes_changes, notes_prefix);
    }
    if let Some(added) = added {
        put_bytes(&mut payload, &added.recipe);
        payload.extend_from_slice(&added.frame);
    }
    (flags, payload)
}

/// What long changes of the notes lean on: the notes before, or the body where there are none.
pub(crate) fn notes_prefix(before: &Reel, body: impl FnOnce() -> Vec<u8>) -> Vec<u8> {
    let notes = before.notes.text();
    if notes.is_empty() { body() } else { notes }
}

/// The facts of a payload, and its parts.
pub(crate) fn decode<'a>(flags: u8, payload: &'a [u8], before: &Facts) -> Option<(Facts, Parts<'a>)> {
    let mut cursor = Cursor::new(payload);
    let facts = Facts::take(flags, before, &mut cursor)?;
    let head = Part::take(&mut cursor, CHANGES_FACTOR * HEAD_LENGTH_MAX)?;
    let has_notes = flags & flag::NOTES != 0;
    let notes = if has_notes { Some(Part::take(&mut cursor, CHANGES_FACTOR * NOTES_LENGTH_MAX)?) } else { None };
    let has_text = flags & (flag::SAME_BODY | flag::BLOB) == 0;
    let body = if has_text { Some((cursor.bytes()?, cursor.rest())) } else { None };
    Some((facts, Parts { head, notes, body }))
}

/// Plays an entry: the reel becomes what it was after the entry was written. The first frame leans on `root`.
pub(crate) fn play(reel: &mut Reel, flags: u8, payload: &[u8], stored_length: u64, root: &[u8]) -> Option<Changes> {
    let (mut facts, parts) = decode(flags, payload, &reel.facts)?;
    facts.stored_length = stored_length;
    if let Some((recipe, frame)) = parts.body {
        reel.play(recipe, frame, root)?;
    }
    let head = parts.head.open(|| Cow::Borrowed(TYPICAL_HEAD))?;
    reel.head.decode(&head, facts.circumstances())?;
    let mut changes = Changes { head: head.into_owned(), ..Changes::default() };
    if let Some(notes) = parts.notes {
        let prefix = || {
            let body = || if facts.is_blob { Vec::new() } else { reel.body() };
            Cow::Owned(notes_prefix(reel, body))
        };
        changes.notes = notes.open(prefix)?.into_owned();
        reel.notes.decode(&changes.notes, facts.circumstances())?;
    }
    changes.recipe = parts.body.map(|(recipe, _)| recipe.to_vec()).unwrap_or_default();
    reel.facts = facts;
    reel.entry_count += 1;
    Some(changes)
}
