//! Searches for single bytes; the inner loops of the tokenizer. All return the input's length where nothing is found.

use memchr::{memchr, memchr2};

/// The first `needle` at or after `from`.
#[inline]
pub(super) fn find(bytes: &[u8], from: usize, needle: u8) -> usize {
    memchr(needle, &bytes[from..]).map_or(bytes.len(), |found| from + found)
}

/// The first of two bytes at or after `from`.
#[inline]
pub(super) fn find_either(bytes: &[u8], from: usize, one: u8, other: u8) -> usize {
    memchr2(one, other, &bytes[from..]).map_or(bytes.len(), |found| from + found)
}

/// The white space of HTML, carriage return included.
#[inline]
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | 0x0C)
}
