//! Changes of a head or of notes as a part of a record: as they are, or as a zstd frame where they are long.

use std::borrow::Cow;
use std::sync::LazyLock;

use crate::frame::{self, Digest};
use crate::varint::{Cursor, put_number};

/// What the first head of a reel leans on: lines that many servers send.
pub(crate) const TYPICAL_HEAD: &[u8] = include_bytes!("typical_head.txt");
/// Shorter changes are not tried as a frame.
const FRAME_FROM: usize = 48;
/// A frame leans on no more of a body than this.
const PREFIX_MAX: usize = 256 << 10;
const HEAD_LEVEL: i32 = 9;

/// Puts `length << 1 | is a frame`, the raw length of a frame, and the bytes; long ones are tried as the frame that
/// `compress` makes of them.
fn put_part(out: &mut Vec<u8>, changes: &[u8], compress: impl FnOnce(&[u8]) -> Vec<u8>) {
    if changes.len() >= FRAME_FROM {
        let frame = compress(changes);
        if frame.len() + 2 < changes.len() {
            put_number(out, (frame.len() as u64) << 1 | 1);
            put_number(out, changes.len() as u64);
            out.extend_from_slice(&frame);
            return;
        }
    }
    put_number(out, (changes.len() as u64) << 1);
    out.extend_from_slice(changes);
}

/// Puts the changes of a head, which lean on [`TYPICAL_HEAD`].
pub(crate) fn put_head(out: &mut Vec<u8>, changes: &[u8]) {
    static DIGEST: LazyLock<Digest> = LazyLock::new(|| Digest::of(TYPICAL_HEAD, HEAD_LEVEL));
    put_part(out, changes, |changes| DIGEST.compress(changes));
}

/// Puts the changes of notes.
pub(crate) fn put_notes(out: &mut Vec<u8>, changes: &[u8], prefix: &[u8], level: i32) {
    put_part(out, changes, |changes| frame::compress(changes, bounded(prefix), level));
}

/// A part as it stands in its record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part<'a> {
    bytes: &'a [u8],
    /// The raw length of a frame.
    frame_length: Option<usize>,
}

impl<'a> Part<'a> {
    /// Takes what was put.
    pub(crate) fn take(cursor: &mut Cursor<'a>, length_max: usize) -> Option<Part<'a>> {
        let length = cursor.length()?;
        let frame_length = if length & 1 == 1 { Some(cursor.length().filter(|raw| *raw <= length_max)?) } else { None };
        Some(Part { bytes: cursor.take(length >> 1)?, frame_length })
    }

    /// The changes; `prefix` is asked for only if they lean on it.
    pub(crate) fn open(&self, prefix: impl FnOnce() -> Cow<'a, [u8]>) -> Option<Cow<'a, [u8]>> {
        match self.frame_length {
            None => Some(Cow::Borrowed(self.bytes)),
            Some(length) => frame::decompress(self.bytes, length, bounded(&prefix())).map(Cow::Owned),
        }
    }
}

fn bounded(prefix: &[u8]) -> &[u8] {
    &prefix[..prefix.len().min(PREFIX_MAX)]
}
