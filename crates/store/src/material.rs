//! Makes the object of a reel for a pack, from the object that it has and the entries that came since.
//!
//! Every object is opened again and compared, entry by entry, with what it was made from.

use std::sync::Arc;

use kuai_archive::StoreError;

use crate::entry::Changes;
use crate::facts::Facts;
use crate::files::{FileId, Source};
use crate::history::{StoredEntry, wrong_entry};
use crate::limits::{PACK_ROOT_MAX, TAIL_ENTRIES_MAX, TAIL_SHARE_MAX};
use crate::pack::{Object, PackedPart};
use crate::playback::{self, Next, RootStream};
use crate::record::Root;
use crate::reel::Reel;
use crate::row::{ObjectPlace, ReelRow};

/// An object on its way into a pack.
pub(crate) struct NewObject {
    pub(crate) bytes: Vec<u8>,
    pub(crate) entry_count: u32,
}

/// Gives as much of a reel's stream as there is, up to a length.
pub(crate) type StreamUpTo<'a> = &'a dyn Fn(u32, usize) -> Result<Arc<Vec<u8>>, StoreError>;

/// What a new object is made from.
pub(crate) struct Material<'a> {
    pub(crate) files: &'a dyn Source,
    pub(crate) row: &'a ReelRow,
    pub(crate) old: Option<Object>,
    /// The entries that the packed part of the old object has not, its tail among them.
    pub(crate) since: Vec<StoredEntry>,
    pub(crate) root_stream: RootStream<'a>,
    pub(crate) stream_up_to: StreamUpTo<'a>,
}

/// Everything that a reel has.
#[derive(Default)]
struct Played {
    facts: Vec<Facts>,
    changes: Vec<Changes>,
    reel: Reel,
}

impl Material<'_> {
    /// The object: everything pressed again, or, where little came since, with a longer tail.
    pub(crate) fn to_object(&self) -> Result<NewObject, StoreError> {
        let played = self.play()?;
        let bytes = match &self.old {
            Some(object) if !is_long(&self.since, object) => object.with_tail(&self.since),
            _ => self.packed_part(&played)?.to_bytes(&[]),
        };
        self.check(&played, &bytes)?;
        Ok(NewObject { bytes, entry_count: played.facts.len() as u32 })
    }

    fn play(&self) -> Result<Played, StoreError> {
        let mut reel = Reel::default();
        let (mut facts, mut all_changes) = (Vec::new(), Vec::new());
        let mut keep = |reel: &Reel, changes: Changes, _: FileId| {
            facts.push(reel.facts.clone());
            all_changes.push(changes);
            Ok(Next::GoOn)
        };
        if let Some(object) = &self.old {
            playback::play_packed(self.files, self.row, object, self.root_stream, &mut reel, &mut keep)?;
        }
        playback::play_since(self.files, self.row, &self.since, self.root_stream, &mut reel, &mut keep)?;
        Ok(Played { facts, changes: all_changes, reel })
    }

    fn packed_part(&self, played: &Played) -> Result<PackedPart, StoreError> {
        let (root, root_stream) = match self.row.root {
            Some(root) if !played.reel.stream.is_empty() => self.longer_root(root)?,
            root => (root, Vec::new()),
        };
        Ok(PackedPart {
            facts: played.facts.clone(),
            changes: played.changes.clone(),
            stream: played.reel.stream.clone(),
            root,
            root_stream,
        })
    }

    /// The same root with as much of its stream as there is now and as a pack may lean on.
    fn longer_root(&self, root: Root) -> Result<(Option<Root>, Vec<u8>), StoreError> {
        let stream = (self.stream_up_to)(root.reel, PACK_ROOT_MAX)?;
        let longer = Root { length: stream.len() as u32, ..root };
        Ok((Some(longer), stream.to_vec()))
    }

    /// Opens a new object and compares it with what it was made from.
    fn check(&self, played: &Played, bytes: &[u8]) -> Result<(), StoreError> {
        let place = ObjectPlace { pack: 0, offset: 0, length: bytes.len() as u64 };
        let wrong = |index: usize| wrong_entry(self.files, FileId::Pack(0), self.row, index);
        let object = Object::new(bytes.to_vec(), place).ok_or_else(|| wrong(0))?;
        object.check(self.files)?;
        let tail = object.tail(self.files)?;
        let mut reel = Reel::default();
        let mut compare = |reel: &Reel, changes: Changes, _: FileId| {
            let index = reel.entry_count as usize - 1;
            let is_same = played.facts.get(index) == Some(&reel.facts) && played.changes.get(index) == Some(&changes);
            let is_whole = reel.facts.is_blob || playback::checked_body(reel).is_some();
            if is_same && is_whole { Ok(Next::GoOn) } else { Err(wrong(index)) }
        };
        playback::play_packed(self.files, self.row, &object, self.root_stream, &mut reel, &mut compare)?;
        playback::play_since(self.files, self.row, &tail, self.root_stream, &mut reel, &mut compare)?;
        if reel.entry_count as usize == played.facts.len() { Ok(()) } else { Err(wrong(reel.entry_count as usize)) }
    }
}

/// Whether a tail is so long that it is worth pressing the whole reel again.
fn is_long(tail: &[StoredEntry], object: &Object) -> bool {
    let length: usize = tail.iter().map(|entry| entry.payload.len()).sum();
    tail.len() > TAIL_ENTRIES_MAX || length * TAIL_SHARE_MAX > object.bytes().len()
}
