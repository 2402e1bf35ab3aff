//! The records of a log: a reel begins, an entry came in, a blob was seen for the first time, the log ends.
//!
//! Each is `length, checksum, kind and flags, …`. The checksum is seeded with the log's number and the record's offset,
//! so that a stale block of the disk never passes for a record.

use kuai_archive::ContentHash;

use crate::varint::{Cursor, put_bytes, put_number};

const KIND_REEL: u8 = 0;
const KIND_ENTRY: u8 = 1;
const KIND_BLOB: u8 = 2;
const KIND_END: u8 = 3;
/// The kind takes the low bits of the first byte, an entry's flags the others.
const KIND_BITS: u32 = 2;

const CHECKSUM_LENGTH: usize = 4;
/// A record's length and checksum take at most this much.
pub(crate) const ENVELOPE_MAX: usize = 10 + CHECKSUM_LENGTH;

/// Where a record begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) log: u32,
    pub(crate) offset: u64,
}

/// What the first frame of a reel leans on: the beginning of another reel's stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Root {
    pub(crate) reel: u32,
    pub(crate) length: u32,
}

/// How the bytes of a blob are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Codec {
    Raw,
    Zstd,
}

/// What a record says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Record<'a> {
    Reel {
        number: u32,
        url: &'a str,
        root: Option<Root>,
    },
    Entry(EntryRecord<'a>),
    Blob(BlobRecord<'a>),
    /// The log is complete with this many entries.
    End {
        entry_count: u64,
    },
}

/// An entry of a reel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EntryRecord<'a> {
    pub(crate) reel: u32,
    /// The record of the reel's entry before, if it is in a log.
    pub(crate) before: Option<Place>,
    pub(crate) flags: u8,
    /// Facts and parts, see [`crate::entry`].
    pub(crate) payload: &'a [u8],
}

/// A blob.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BlobRecord<'a> {
    pub(crate) hash: ContentHash,
    pub(crate) codec: Codec,
    pub(crate) length: u64,
    pub(crate) bytes: &'a [u8],
}

impl<'a> Record<'a> {
    /// The record's body as it stands at a place.
    pub(crate) fn to_bytes(self, place: Place) -> Vec<u8> {
        let mut out = Vec::new();
        match self {
            Record::Reel { number, url, root } => {
                out.push(KIND_REEL);
                put_number(&mut out, u64::from(number));
                put_bytes(&mut out, url.as_bytes());
                put_root(&mut out, root);
            }
            Record::Entry(entry) => {
                out.push(KIND_ENTRY | entry.flags << KIND_BITS);
                put_number(&mut out, u64::from(entry.reel));
                put_place_before(&mut out, entry.before, place);
                out.extend_from_slice(entry.payload);
            }
            Record::Blob(blob) => {
                out.push(KIND_BLOB);
                blob.put(&mut out);
            }
            Record::End { entry_count } => {
                out.push(KIND_END);
                put_number(&mut out, entry_count);
            }
        }
        out
    }

    /// Reads a record's body; `None` for what [`Record::to_bytes`] cannot have written.
    pub(crate) fn from_bytes(bytes: &'a [u8], place: Place) -> Option<Record<'a>> {
        let mut cursor = Cursor::new(bytes);
        let first = cursor.byte()?;
        Some(match first & ((1 << KIND_BITS) - 1) {
            KIND_REEL => {
                let number = cursor.number32()?;
                let url = std::str::from_utf8(cursor.bytes()?).ok()?;
                Record::Reel { number, url, root: take_root(&mut cursor)? }
            }
            KIND_ENTRY => {
                let reel = cursor.number32()?;
                let before = take_place_before(&mut cursor, place)?;
                Record::Entry(EntryRecord { reel, before, flags: first >> KIND_BITS, payload: cursor.rest() })
            }
            KIND_BLOB => Record::Blob(BlobRecord::take(&mut cursor)?),
            _ => Record::End { entry_count: cursor.number()? },
        })
    }
}

impl<'a> BlobRecord<'a> {
    /// Puts hash, codec, length and bytes.
    pub(crate) fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.hash.0);
        out.push(self.codec as u8);
        put_number(out, self.length);
        out.extend_from_slice(self.bytes);
    }

    /// Takes what [`BlobRecord::put`] put, to the end.
    pub(crate) fn take(cursor: &mut Cursor<'a>) -> Option<BlobRecord<'a>> {
        let hash = ContentHash(cursor.array()?);
        let codec = match cursor.byte()? {
            0 => Codec::Raw,
            1 => Codec::Zstd,
            _ => return None,
        };
        Some(BlobRecord { hash, codec, length: cursor.number()?, bytes: cursor.rest() })
    }
}

/// Puts length and checksum before a record's body.
pub(crate) fn seal(body: &[u8], place: Place) -> Vec<u8> {
    let mut record = Vec::with_capacity(body.len() + ENVELOPE_MAX);
    put_number(&mut record, body.len() as u64);
    let checksum = checksum(&record, body, place);
    record.extend_from_slice(&checksum.to_le_bytes());
    record.extend_from_slice(body);
    record
}

/// How long the record is that begins with these bytes; `None` where no record can begin so.
pub(crate) fn sealed_length(bytes: &[u8]) -> Option<usize> {
    let mut cursor = Cursor::new(bytes);
    // A length of 0 would let the zeros that file systems leave after a crash pass for records.
    let length = cursor.length().filter(|length| *length > 0)?;
    (bytes.len() - cursor.rest().len()).checked_add(CHECKSUM_LENGTH)?.checked_add(length)
}

/// The body of a whole record; `None` if it is not what [`seal`] wrote for this place.
pub(crate) fn open(record: &[u8], place: Place) -> Option<&[u8]> {
    let mut cursor = Cursor::new(record);
    let length = cursor.length().filter(|length| *length > 0)?;
    let length_bytes = &record[..record.len() - cursor.rest().len()];
    let expected = u32::from_le_bytes(cursor.array()?);
    let body = cursor.take(length)?;
    (checksum(length_bytes, body, place) == expected).then_some(body)
}

/// Puts a root: reel and one, or 0 for none; then its length.
pub(crate) fn put_root(out: &mut Vec<u8>, root: Option<Root>) {
    put_number(out, root.map_or(0, |root| u64::from(root.reel) + 1));
    if let Some(root) = root {
        put_number(out, u64::from(root.length));
    }
}

/// Takes what [`put_root`] put.
pub(crate) fn take_root(cursor: &mut Cursor<'_>) -> Option<Option<Root>> {
    Some(match cursor.number()?.checked_sub(1) {
        None => None,
        Some(reel) => Some(Root { reel: u32::try_from(reel).ok()?, length: cursor.number32()? }),
    })
}

fn checksum(length_bytes: &[u8], body: &[u8], place: Place) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&place.log.to_le_bytes());
    hasher.update(&place.offset.to_le_bytes());
    hasher.update(length_bytes);
    hasher.update(body);
    hasher.finalize()
}

/// 0 for none; `distance << 1` within the log; `logs back << 1 | 1, offset` in an earlier one.
fn put_place_before(out: &mut Vec<u8>, before: Option<Place>, place: Place) {
    match before {
        None => put_number(out, 0),
        Some(before) if before.log == place.log => put_number(out, (place.offset - before.offset) << 1),
        Some(before) => {
            put_number(out, u64::from(place.log - before.log) << 1 | 1);
            put_number(out, before.offset);
        }
    }
}

fn take_place_before(cursor: &mut Cursor<'_>, place: Place) -> Option<Option<Place>> {
    let step = cursor.number()?;
    Some(match (step >> 1, step & 1) {
        (0, 0) => None,
        (distance, 0) => Some(Place { log: place.log, offset: place.offset.checked_sub(distance)? }),
        (logs, _) => {
            let log = place.log.checked_sub(u32::try_from(logs).ok()?)?;
            Some(Place { log, offset: cursor.number()? })
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: Place = Place { log: 3, offset: 1000 };

    fn check(record: Record<'_>) {
        let body = record.to_bytes(PLACE);
        let sealed = seal(&body, PLACE);
        assert_eq!(sealed_length(&sealed), Some(sealed.len()));
        assert_eq!(open(&sealed, PLACE), Some(&body[..]));
        assert_eq!(Record::from_bytes(&body, PLACE), Some(record));
        assert_eq!(open(&sealed, Place { log: 4, ..PLACE }), None);
        assert_eq!(open(&sealed, Place { offset: 1001, ..PLACE }), None);
        for place in 0..sealed.len() {
            let mut damaged = sealed.clone();
            damaged[place] ^= 0x10;
            assert_eq!(open(&damaged, PLACE), None);
        }
    }

    #[test]
    fn records_come_back_and_damage_is_seen() {
        check(Record::Reel { number: 7, url: "https://example.org/", root: Some(Root { reel: 0, length: 5 }) });
        check(Record::Reel { number: 0, url: "", root: None });
        for before in [None, Some(Place { log: 3, offset: 10 }), Some(Place { log: 1, offset: 5000 })] {
            check(Record::Entry(EntryRecord { reel: 300, before, flags: 63, payload: b"payload" }));
        }
        let hash = ContentHash::of(b"x");
        check(Record::Blob(BlobRecord { hash, codec: Codec::Zstd, length: 900, bytes: b"bytes" }));
        check(Record::End { entry_count: 12 });
    }

    #[test]
    fn zeros_are_no_record() {
        assert_eq!(sealed_length(&[0; 64]), None);
        assert_eq!(open(&[0; 64], PLACE), None);
    }
}
