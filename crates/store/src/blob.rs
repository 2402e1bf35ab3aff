//! Bodies that are kept whole, once for all URLs, and compressed only where that pays.

use kuai_archive::{ContentHash, StoreError};

use crate::errors::damaged;
use crate::files::{FileId, Files};
use crate::frame;
use crate::limits::BODY_LENGTH_MAX;
use crate::log;
use crate::record::{BlobRecord, Codec, Record};
use crate::row::BlobPlace;
use crate::varint::Cursor;

/// A blob is tried at a level that costs next to nothing …
const TRIAL_LEVEL: i32 = 1;
/// … and compressed if that saves one byte in so many.
const WORTH_ONE_IN: usize = 33;
const LEVEL: i32 = 3;

/// The bytes of a blob as they are kept.
pub(crate) struct Kept {
    pub(crate) codec: Codec,
    pub(crate) bytes: Vec<u8>,
}

/// Compresses a body if it is worth it.
pub(crate) fn keep(body: &[u8]) -> Kept {
    let trial = frame::compress(body, b"", TRIAL_LEVEL);
    if trial.len() + body.len() / WORTH_ONE_IN < body.len() {
        return Kept { codec: Codec::Zstd, bytes: frame::compress(body, b"", LEVEL) };
    }
    Kept { codec: Codec::Raw, bytes: body.to_vec() }
}

/// The body that a blob keeps, checked against its hash; `None` if it is damaged.
pub(crate) fn open(blob: &BlobRecord<'_>) -> Option<Vec<u8>> {
    let length = usize::try_from(blob.length).ok().filter(|length| *length <= BODY_LENGTH_MAX)?;
    let body = match blob.codec {
        Codec::Raw => blob.bytes.to_vec(),
        Codec::Zstd => frame::decompress(blob.bytes, length, b"")?,
    };
    (body.len() == length && ContentHash::of(&body) == blob.hash).then_some(body)
}

/// Reads a blob from where it lies.
pub(crate) fn read(files: &Files, hash: ContentHash, place: BlobPlace) -> Result<Vec<u8>, StoreError> {
    let (file, bytes) = read_kept(files, place)?;
    let blob = BlobRecord::take(&mut Cursor::new(&bytes)).filter(|blob| blob.hash == hash);
    blob.and_then(|blob| open(&blob)).ok_or_else(|| damaged(&files.path(file), format!("blob {hash}")))
}

/// A blob as it is kept: hash, codec, length and bytes. Nothing of it is checked but a record's checksum.
pub(crate) fn read_kept(files: &Files, place: BlobPlace) -> Result<(FileId, Vec<u8>), StoreError> {
    match place {
        BlobPlace::Pack(object) => {
            let file = FileId::Pack(object.pack);
            Ok((file, files.read(file, object.offset, object.length as usize)?))
        }
        BlobPlace::Log(place) => {
            let file = FileId::Log(place.log);
            let (body, _) = log::read_record(files, place)?;
            let Some(Record::Blob(blob)) = Record::from_bytes(&body, place) else {
                return Err(damaged(&files.path(file), format!("record at {} is no blob", place.offset)));
            };
            let mut kept = Vec::with_capacity(body.len());
            blob.put(&mut kept);
            Ok((file, kept))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(body: &[u8], codec: Codec) {
        let (kept, hash) = (keep(body), ContentHash::of(body));
        assert_eq!(kept.codec, codec);
        let blob = BlobRecord { hash, codec, length: body.len() as u64, bytes: &kept.bytes };
        assert_eq!(open(&blob).as_deref(), Some(body));
        assert_eq!(open(&BlobRecord { length: blob.length + 1, ..blob }), None);
        assert_eq!(open(&BlobRecord { hash: ContentHash::of(b"other"), ..blob }), None);
    }

    #[test]
    fn only_what_shrinks_is_compressed() {
        check(&b"body { color: red }".repeat(50), Codec::Zstd);
        check(b"", Codec::Raw);
        check(b"short", Codec::Raw);
    }
}
