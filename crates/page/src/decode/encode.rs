//! Text back into the bytes of a charset.

use encoding_rs::{Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE};

/// Turns text back into the bytes of this charset, where every character has a place in it.
///
/// ```
/// use kuai_page::{Encoding, encode};
///
/// let gbk = Encoding::for_label(b"gb2312").expect("a charset of the Web");
/// assert_eq!(encode("块", gbk, false).as_deref(), Some(&b"\xbf\xe9"[..]));
/// assert_eq!(encode("🧱", gbk, false), None);
/// ```
pub fn encode(text: &str, encoding: &'static Encoding, bom: bool) -> Option<Vec<u8>> {
    if encoding == UTF_8 {
        let mark: &[u8] = if bom { b"\xef\xbb\xbf" } else { b"" };
        return Some([mark, text.as_bytes()].concat());
    }
    if encoding == UTF_16LE {
        return Some(encode_utf_16(text, bom, u16::to_le_bytes));
    }
    if encoding == UTF_16BE {
        return Some(encode_utf_16(text, bom, u16::to_be_bytes));
    }
    if encoding == REPLACEMENT {
        return None;
    }
    let (bytes, _, unmappable) = encoding.encode(text);
    (!unmappable).then(|| bytes.into_owned())
}

fn encode_utf_16(text: &str, bom: bool, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(2 * text.len() + 2);
    let mark = bom.then_some(0xfeff);
    bytes.extend(mark.into_iter().chain(text.encode_utf16()).flat_map(to_bytes));
    bytes
}
