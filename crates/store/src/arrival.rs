//! An entry on its way into a store: how its body is kept, which reel has room for it, and what of it is new there.
//!
//! Nothing is written here; what comes out is the reel as it will be, and the parts of the record that makes it so.

use std::borrow::Cow;

use kuai_archive::{ContentHash, Entry, Form, StoreError};

use crate::entry::{self, EncodedParts};
use crate::facts::Facts;
use crate::familiar::LIGHT_LEVEL;
use crate::lean::Lean;
use crate::limits::{
    BODY_LENGTH_MAX, FRAME_LEVEL, HEAD_LENGTH_MAX, NOTES_LENGTH_MAX, REEL_BODIES_MAX, REEL_ENTRIES_MAX,
    REEL_LENGTH_MAX, TEXT_LENGTH_MAX, URL_LENGTH_MAX,
};
use crate::open_reels::OpenReel;
use crate::reel::{Added, Reel};

/// An entry on its way into a store.
#[derive(Clone, Copy)]
pub(crate) struct Arrival<'a> {
    pub(crate) entry: &'a Entry<'a>,
    pub(crate) hash: ContentHash,
    pub(crate) is_text: bool,
}

/// An entry as it will stand in its record, but for its place among the others.
pub(crate) struct Prepared {
    pub(crate) open: OpenReel,
    pub(crate) facts: Facts,
    pub(crate) parts: EncodedParts,
    /// Whether the reel is unlikely to be asked for again soon: one of many of its host, and no root of others.
    pub(crate) is_passing: bool,
}

impl<'a> Arrival<'a> {
    /// Refuses what is larger than a store takes.
    pub(crate) fn new(entry: &'a Entry<'a>) -> Result<Arrival<'a>, StoreError> {
        check_lengths(entry)?;
        let is_text = entry.form != Form::Blob && entry.body.len() <= TEXT_LENGTH_MAX;
        Ok(Arrival { entry, hash: ContentHash::of(entry.body), is_text })
    }

    /// Whether the entry has text, so that its reel has use for a root if it begins with it. Only the first frame leans on one.
    pub(crate) fn has_text(&self) -> bool {
        self.is_text && !self.entry.body.is_empty()
    }

    /// Whether a reel has no room for the entry, so that it goes to a new one.
    pub(crate) fn overfills(&self, reel: &Reel) -> bool {
        let adds_text = self.is_text && self.hash != reel.facts.hash;
        let length_max = REEL_LENGTH_MAX.max(REEL_BODIES_MAX * self.entry.body.len());
        reel.entry_count >= REEL_ENTRIES_MAX || adds_text && reel.stream.len() > length_max
    }
}

/// Adds the entry to its reel in memory, and presses what it adds.
pub(crate) fn prepare(arrival: &Arrival<'_>, mut open: OpenReel, lean: &Lean) -> Prepared {
    let entry = arrival.entry;
    let facts = facts_of(arrival, &open.reel);
    let is_new_text = !facts.is_blob && !facts.has_same_body(&open.reel.facts);
    let is_passing = lean.is_light() && lean.root().is_some();
    let first_frame = |fresh: &[u8]| lean.frame(fresh);
    let added = is_new_text.then(|| match is_passing && lean.is_hasty() {
        true => Added::whole(entry.body, first_frame),
        false => open.reel.add(entry.body, &mut open.prints, first_frame),
    });
    let notes_prefix = if lean.is_light() {
        Cow::Borrowed(&b""[..])
    } else {
        entry::notes_prefix(&open.reel, || Cow::Borrowed(if facts.is_blob { b"" } else { entry.body }))
    };
    let head_changes = open.reel.head.encode(entry.head, facts.circumstances());
    let notes_changes = open.reel.notes.encode(entry.notes, facts.circumstances());
    let notes_level = if lean.is_light() { LIGHT_LEVEL } else { FRAME_LEVEL };
    let parts = EncodedParts::new(&head_changes, &notes_changes, added.as_ref(), &notes_prefix, notes_level);
    Prepared { open, facts, parts, is_passing }
}

/// The facts of an entry; its sequence number is told when it is written.
fn facts_of(arrival: &Arrival<'_>, reel: &Reel) -> Facts {
    let Arrival { entry, hash, is_text } = *arrival;
    // A body that is there already stays as it is kept, whatever is asked for now.
    let is_repeat = reel.entry_count > 0 && hash == reel.facts.hash;
    Facts {
        sequence: 0,
        time: entry.time,
        hash,
        is_blob: if is_repeat { reel.facts.is_blob } else { !is_text },
        body_length: entry.body.len() as u64,
        head_length: entry.head.len() as u64,
        figures: entry.figures,
        stored_length: 0,
    }
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
