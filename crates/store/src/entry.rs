//! The payload of an entry: its facts as steps, and the parts from which head, notes and body are played.
//!
//! It says nothing about where it lies, so compaction can carry it from a log into a pack as it is.

use std::borrow::Cow;

use crate::facts::{Facts, flag};
use crate::limits::{HEAD_LENGTH_MAX, NOTES_LENGTH_MAX};
use crate::part::{Part, TYPICAL_HEAD, put_head, put_notes};
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

/// The parts of an entry as its payload has them, after the facts.
#[derive(Debug)]
pub(crate) struct EncodedParts {
    has_notes: bool,
    bytes: Vec<u8>,
}

impl EncodedParts {
    /// `added` is there if the body is new and kept as text; `notes_prefix` is what long changes of the notes lean on, or
    /// an end of it.
    pub(crate) fn new(
        head_changes: &[u8],
        notes_changes: &[u8],
        added: Option<&Added>,
        notes_prefix: &[u8],
        notes_level: i32,
    ) -> EncodedParts {
        let has_notes = !notes_changes.is_empty();
        let mut bytes = Vec::new();
        put_head(&mut bytes, head_changes);
        if has_notes {
            put_notes(&mut bytes, notes_changes, notes_prefix, notes_level);
        }
        if let Some(added) = added {
            put_bytes(&mut bytes, &added.recipe);
            bytes.extend_from_slice(&added.frame);
        }
        EncodedParts { has_notes, bytes }
    }
}

/// The flags and the payload of an entry that follows `before`.
pub(crate) fn encode(facts: &Facts, before: &Facts, parts: &EncodedParts) -> (u8, Vec<u8>) {
    let flags = facts.flags(before) | if parts.has_notes { flag::NOTES } else { 0 };
    let mut payload = Vec::new();
    facts.put(before, &mut payload);
    payload.extend_from_slice(&parts.bytes);
    (flags, payload)
}

/// What long changes of the notes lean on: the notes before, or the body where there are none.
pub(crate) fn notes_prefix<'a>(before: &Reel, body: impl FnOnce() -> Cow<'a, [u8]>) -> Cow<'a, [u8]> {
    let notes = before.notes.text();
    if notes.is_empty() { body() } else { Cow::Owned(notes) }
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
            let body = || Cow::Owned(if facts.is_blob { Vec::new() } else { reel.body() });
            notes_prefix(reel, body)
        };
        changes.notes = notes.open(prefix)?.into_owned();
        reel.notes.decode(&changes.notes, facts.circumstances())?;
    }
    changes.recipe = parts.body.map(|(recipe, _)| recipe.to_vec()).unwrap_or_default();
    reel.facts = facts;
    reel.entry_count += 1;
    Some(changes)
}
