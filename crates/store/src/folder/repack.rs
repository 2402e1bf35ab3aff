//! Makes the objects of a new pack: a reel with the entries that logs have of it, a blob pressed harder.

use kuai_archive::{ContentHash, StoreError};

use super::{FolderStore, read};
use crate::blob;
use crate::errors::damaged;
use crate::frame;
use crate::history;
use crate::limits::PACK_BLOB_MAX;
use crate::material::{Material, NewObject};
use crate::pack::{ListedKind, Object};
use crate::record::{BlobRecord, Codec, Place};
use crate::row::BlobPlace;
use crate::varint::Cursor;

/// Packs are written once and read often.
const BLOB_LEVEL: i32 = 19;

/// The object of a reel with the entries at these places.
pub(super) fn reel(store: &FolderStore, number: u32, places: &[Place]) -> Result<(NewObject, ListedKind), StoreError> {
    let row = read::reel_row(store, number)?;
    let old = row.packed.map(|packed| Object::read(&store.files, packed.object)).transpose()?;
    let mut since = old.as_ref().map(|object| object.tail(&store.files)).transpose()?.unwrap_or_default();
    for place in places {
        since.push(history::read_entry(&store.files, &row, *place)?.0);
    }
    let material = Material {
        files: &store.files,
        row: &row,
        old,
        since,
        root_stream: &|root| read::find_root_stream(store, root),
        stream_up_to: &|number, length| read::stream_up_to(store, &read::reel_row(store, number)?, length),
    };
    let object = material.to_object()?;
    let entry_count = object.entry_count;
    let kind = ListedKind::Reel { number, url: row.url.clone(), first_number: row.first_number, entry_count };
    Ok((object, kind))
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
