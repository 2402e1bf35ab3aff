//! Frames of zstd files that are no record: skippable ones, the first of which may hold the file's dictionary.
//!
//! As the IIPC's "WARC-zstd" says: magic `0x184D2A5D`, a length, and the dictionary, itself packed or not.

use std::io::Read;

use crate::error::{Fault, Trouble};
use crate::source::Source;

/// How a frame begins.
pub(crate) const MAGIC: &[u8] = &[0x28, 0xB5, 0x2F, 0xFD];

/// How the frame with the dictionary begins.
pub(crate) const DICTIONARY_MAGIC: &[u8] = &[0x5D, 0x2A, 0x4D, 0x18];

/// Bytes before what a skippable frame holds: magic and length.
const HEAD: usize = 8;

/// Whether a frame begins here that decoders skip.
pub(crate) fn is_skippable(bytes: &[u8]) -> bool {
    matches!(bytes, [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..])
}

/// The dictionary that the file begins with, if it does.
pub(crate) fn dictionary<R: Read>(source: &mut Source<R>, bytes_max: usize) -> Result<Option<Vec<u8>>, Trouble> {
    if !source.peek(4)?.starts_with(DICTIONARY_MAGIC) {
        return Ok(None);
    }
    let length = take_head(source)?;
    if length > bytes_max as u64 {
        return Err(Fault::BadDictionary.into());
    }
    let mut held = Vec::new();
    while (held.len() as u64) < length {
        let ahead = source.fill()?;
        if ahead.is_empty() {
            return Err(Fault::CutShort.into());
        }
        let count = ahead.len().min(length as usize - held.len());
        held.extend_from_slice(&ahead[..count]);
        source.consume(count);
    }
    if !held.starts_with(MAGIC) {
        return Ok(Some(held));
    }
    let mut dictionary = Vec::with_capacity(bytes_max.min(held.len().saturating_mul(64)));
    zstd_safe::decompress(&mut dictionary, &held).map_err(|_| Fault::BadDictionary)?;
    Ok(Some(dictionary))
}

/// Goes on behind a skippable frame.
pub(crate) fn skip<R: Read>(source: &mut Source<R>) -> Result<(), Trouble> {
    let mut left = take_head(source)?;
    while left > 0 {
        let ahead = source.fill()?;
        if ahead.is_empty() {
            return Err(Fault::CutShort.into());
        }
        let count = ahead.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        source.consume(count);
        left -= count as u64;
    }
    Ok(())
}

/// How much a skippable frame holds; goes on behind its head.
fn take_head<R: Read>(source: &mut Source<R>) -> Result<u64, Trouble> {
    let head = source.peek(HEAD)?.first_chunk::<HEAD>().ok_or(Fault::CutShort)?;
    let length = u32::from_le_bytes([head[4], head[5], head[6], head[7]]);
    source.consume(HEAD);
    Ok(u64::from(length))
}
