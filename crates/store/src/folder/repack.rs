//! Makes the objects of a new pack: a reel with the entries that logs have of it, a blob pressed harder.
//!
//! Every object is opened again and compared, entry by entry, with what it was made from.

use kuai_archive::{ContentHash, StoreError};

use super::{FolderStore, read};
use crate::blob;
use crate::entry::Changes;
use crate::errors::damaged;
use crate::facts::Facts;
use crate::files::FileId;
use crate::frame;
use crate::history::{self, StoredEntry, wrong_entry};
use crate::limits::{PACK_BLOB_MAX, PACK_ROOT_MAX, TAIL_ENTRIES_MAX, TAIL_SHARE_MAX};
use crate::pack::{ListedKind, Object, PackedPart};
use crate::playback::{self, Next};
use crate::record::{BlobRecord, Codec, Place, Root};
use crate::reel::Reel;
use crate::row::{BlobPlace, ObjectPlace, ReelRow};
use crate::varint::Cursor;

/// Packs are written once and read often.
const BLOB_LEVEL: i32 = 19;

/// An object on its way into a pack.
pub(super) struct NewObject {
    pub(super) bytes: Vec<u8>,
    pub(super) entry_count: u32,
}

/// The object of a reel with the entries at these places.
pub(super) fn reel(store: &FolderStore, number: u32, places: &[Place]) -> Result<(NewObject, ListedKind), StoreError> {
    let row = read::reel_row(store, number)?;
    let old = row.packed.map(|packed| Object::read(&store.files, packed.object)).transpose()?;
    let mut since = old.as_ref().map(|object| object.tail(&store.files)).transpose()?.unwrap_or_default();
    for place in places {
        since.push(history::read_entry(&store.files, &row, *place)?.0);
    }
    let source = Source { store, row: &row, old, since };
    let played = source.play()?;
    let bytes = match &source.old {
        Some(object) if !is_long(&source.since, object) => object.with_tail(&source.since),
        _ => played.packed_part(store, &row)?.to_bytes(&[]),
    };
    played.check(store, &row, &bytes)?;
    let entry_count = played.facts.len() as u32;
    let kind = ListedKind::Reel { number, url: row.url.clone(), first_number: row.first_number, entry_count };
    Ok((NewObject { bytes, entry_count }, kind))
}

/// A blob of a log as a pack keeps it.
pub(super) fn blob(store: &FolderStore, hash: ContentHash, place: Place) -> Result<Vec<u8>, StoreError> {
    let (file, bytes) = blob::read_kept(&store.files, BlobPlace::Log(place))?;
    let kept = BlobRecord::take(&mut Cursor::new(&bytes));
    let body = kept.as_ref().and_then(blob::open);
    let Some((kept, body)) = kept.zip(body).filter(|(kept, _)| kept.hash == hash) else {
        return Err(damaged(&store.files.path(file), format!("blob {hash}")));
    };
    if kept.codec == Codec::Zstd && body.len() <= PACK_BLOB_MAX {
        let pressed = BlobRecord { bytes: &frame::compress(&body, b"", BLOB_LEVEL), ..kept };
        if pressed.bytes.len() < kept.bytes.len() && blob::open(&pressed).is_some() {
            let mut bytes = Vec::new();
            pressed.put(&mut bytes);
            return Ok(bytes);
        }
    }
    Ok(bytes)
}

/// Whether a tail is so long that it is worth pressing the whole reel again.
fn is_long(tail: &[StoredEntry], object: &Object) -> bool {
    let length: usize = tail.iter().map(|entry| entry.payload.len()).sum();
    tail.len() > TAIL_ENTRIES_MAX || length * TAIL_SHARE_MAX > object.bytes().len()
}

/// What a new object is made from.
struct Source<'a> {
    store: &'a FolderStore,
    row: &'a ReelRow,
    old: Option<Object>,
    since: Vec<StoredEntry>,
}

/// Everything that a reel has.
#[derive(Default)]
struct Played {
    facts: Vec<Facts>,
    changes: Vec<Changes>,
    reel: Reel,
}

impl Source<'_> {
    fn play(&self) -> Result<Played, StoreError> {
        let mut played = Played::default();
        let root_stream = |root| read::find_root_stream(self.store, root);
        let (mut facts, mut all_changes) = (Vec::new(), Vec::new());
        let mut keep = |reel: &Reel, changes: Changes, _: FileId| {
            facts.push(reel.facts.clone());
            all_changes.push(changes);
            Ok(Next::GoOn)
        };
        let files = &self.store.files;
        if let Some(object) = &self.old {
            playback::play_packed(files, self.row, object, &root_stream, &mut played.reel, &mut keep)?;
        }
        playback::play_since(files, self.row, &self.since, &root_stream, &mut played.reel, &mut keep)?;
        Ok(Played { facts, changes: all_changes, ..played })
    }
}

impl Played {
    fn packed_part(&self, store: &FolderStore, row: &ReelRow) -> Result<PackedPart, StoreError> {
        let (root, root_stream) = match row.root {
            Some(root) if !self.reel.stream.is_empty() => longer_root(store, root)?,
            root => (root, Vec::new()),
        };
        Ok(PackedPart {
            facts: self.facts.clone(),
            changes: self.changes.clone(),
            stream: self.reel.stream.clone(),
            root,
            root_stream,
        })
    }

    /// Opens a new object and compares it with what it was made from.
    fn check(&self, store: &FolderStore, row: &ReelRow, bytes: &[u8]) -> Result<(), StoreError> {
        let place = ObjectPlace { pack: 0, offset: 0, length: bytes.len() as u64 };
        let wrong = |index: usize| wrong_entry(&store.files, FileId::Pack(0), row, index);
        let object = Object::new(bytes.to_vec(), place).ok_or_else(|| wrong(0))?;
        object.check(&store.files)?;
        let copy = Source { store, row, since: object.tail(&store.files)?, old: Some(object) };
        let mut reel = Reel::default();
        let mut compare = |reel: &Reel, changes: Changes, _: FileId| {
            let index = reel.entry_count as usize - 1;
            let is_same = self.facts.get(index) == Some(&reel.facts) && self.changes.get(index) == Some(&changes);
            let is_whole = reel.facts.is_blob || playback::checked_body(reel).is_some();
            if is_same && is_whole { Ok(Next::GoOn) } else { Err(wrong(index)) }
        };
        let root_stream = |root| read::find_root_stream(store, root);
        if let Some(object) = &copy.old {
            playback::play_packed(&store.files, row, object, &root_stream, &mut reel, &mut compare)?;
        }
        playback::play_since(&store.files, row, &copy.since, &root_stream, &mut reel, &mut compare)?;
        if reel.entry_count as usize == self.facts.len() { Ok(()) } else { Err(wrong(reel.entry_count as usize)) }
    }
}

/// The same root with as much of its stream as there is now and as a pack may lean on.
fn longer_root(store: &FolderStore, root: Root) -> Result<(Option<Root>, Vec<u8>), StoreError> {
    let row = read::reel_row(store, root.reel)?;
    let stream = read::stream_up_to(store, &row, PACK_ROOT_MAX)?;
    let longer = Root { length: stream.len() as u32, ..root };
    Ok((Some(longer), stream.to_vec()))
}
