//! The directory of a pack: what its objects are, and how far the archive was when it was made.
//!
//! With it the catalogue can be made anew. It stands behind the objects and is found by the trailer at the file's end.

use kuai_archive::{ContentHash, StoreError};

use crate::errors::damaged;
use crate::files::{FileId, Files};
use crate::frame;
use crate::varint::{Cursor, put_bytes, put_number};

const MAGIC: &[u8; 8] = b"kuai pak";
const FORMAT: u8 = 1;
/// Magic, format and number.
pub(super) const HEADER_LENGTH: usize = 8 + 1 + 4;
/// Offset, length and raw length of the directory, its hash, and the magic.
const TRAILER_LENGTH: usize = 8 + 8 + 8 + 16 + 8;
const LEVEL: i32 = 19;
const DIRECTORY_MAX: u64 = 1 << 32;

/// What a pack has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Directory {
    /// Everything in logs up to this number is in this pack or in an earlier one.
    pub(crate) logs_through: u32,
    /// The number that the next reel had.
    pub(crate) next_reel: u32,
    pub(crate) objects: Vec<Listed>,
}

/// An object of a pack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Listed {
    pub(crate) length: u64,
    pub(crate) kind: ListedKind,
}

/// What an object is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ListedKind {
    Reel { number: u32, url: String, first_number: u32, entry_count: u32 },
    Blob { hash: ContentHash },
}

impl Directory {
    /// Reads the directory of a pack and checks all that is not an object.
    pub(crate) fn read(files: &Files, pack: u32) -> Result<Directory, StoreError> {
        let id = FileId::Pack(pack);
        let wrong = |what: &str| damaged(&files.path(id), what);
        let length = files.length(id)?;
        let trailer_at =
            length.checked_sub(TRAILER_LENGTH as u64).ok_or_else(|| wrong("it is too short for a pack"))?;
        if files.read_up_to(id, 0, HEADER_LENGTH)? != header(pack) {
            return Err(wrong("pack header"));
        }
        let trailer = files.read(id, trailer_at, TRAILER_LENGTH)?;
        let trailer = Trailer::take(&trailer).filter(|trailer| trailer.fits(trailer_at));
        let trailer = trailer.ok_or_else(|| wrong("pack trailer"))?;
        let frame = files.read(id, trailer.offset, trailer.length as usize)?;
        if ContentHash::of(&frame) != trailer.hash {
            return Err(wrong("pack directory: the hash differs"));
        }
        let bytes = frame::decompress(&frame, trailer.raw_length as usize, b"");
        let directory = bytes.and_then(|bytes| Directory::from_bytes(&bytes)).filter(|directory| {
            let objects: u64 = directory.objects.iter().map(|object| object.length).sum();
            HEADER_LENGTH as u64 + objects == trailer.offset
        });
        directory.ok_or_else(|| wrong("pack directory"))
    }

    /// Each object with its offset.
    pub(crate) fn placed(&self) -> impl Iterator<Item = (u64, &Listed)> {
        self.objects.iter().scan(HEADER_LENGTH as u64, |offset, object| {
            let start = *offset;
            *offset += object.length;
            Some((start, object))
        })
    }

    /// Directory and trailer, for a pack whose objects end at `offset`.
    pub(super) fn to_end(&self, offset: u64) -> Vec<u8> {
        let bytes = self.to_bytes();
        let mut end = frame::compress(&bytes, b"", LEVEL);
        let (length, hash) = (end.len() as u64, ContentHash::of(&end));
        for number in [offset, length, bytes.len() as u64] {
            end.extend_from_slice(&number.to_le_bytes());
        }
        end.extend_from_slice(&hash.0);
        end.extend_from_slice(MAGIC);
        end
    }

    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        put_number(&mut bytes, u64::from(self.logs_through));
        put_number(&mut bytes, u64::from(self.next_reel));
        for object in &self.objects {
            match &object.kind {
                ListedKind::Reel { number, url, first_number, entry_count } => {
                    put_number(&mut bytes, object.length << 1);
                    put_number(&mut bytes, u64::from(*number));
                    put_bytes(&mut bytes, url.as_bytes());
                    put_number(&mut bytes, u64::from(*first_number));
                    put_number(&mut bytes, u64::from(*entry_count));
                }
                ListedKind::Blob { hash } => {
                    put_number(&mut bytes, object.length << 1 | 1);
                    bytes.extend_from_slice(&hash.0);
                }
            }
        }
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Option<Directory> {
        let mut cursor = Cursor::new(bytes);
        let (logs_through, next_reel, mut objects) = (cursor.number32()?, cursor.number32()?, Vec::new());
        while !cursor.is_at_end() {
            let length = cursor.number()?;
            let kind = if length & 1 == 1 {
                ListedKind::Blob { hash: ContentHash(cursor.array()?) }
            } else {
                ListedKind::Reel {
                    number: cursor.number32()?,
                    url: String::from_utf8(cursor.bytes()?.to_vec()).ok()?,
                    first_number: cursor.number32()?,
                    entry_count: cursor.number32()?,
                }
            };
            objects.push(Listed { length: length >> 1, kind });
        }
        Some(Directory { logs_through, next_reel, objects })
    }
}

/// What a pack begins with.
pub(super) fn header(pack: u32) -> Vec<u8> {
    let mut header = MAGIC.to_vec();
    header.push(FORMAT);
    header.extend_from_slice(&pack.to_le_bytes());
    header
}

struct Trailer {
    offset: u64,
    length: u64,
    raw_length: u64,
    hash: ContentHash,
}

impl Trailer {
    fn take(bytes: &[u8]) -> Option<Trailer> {
        let mut cursor = Cursor::new(bytes);
        let mut number = || cursor.array().map(u64::from_le_bytes);
        let (offset, length, raw_length) = (number()?, number()?, number()?);
        let hash = ContentHash(cursor.array()?);
        (cursor.rest() == MAGIC).then_some(Trailer { offset, length, raw_length, hash })
    }

    fn fits(&self, trailer_at: u64) -> bool {
        self.offset.checked_add(self.length) == Some(trailer_at) && self.raw_length <= DIRECTORY_MAX
    }
}
