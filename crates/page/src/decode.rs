//! STAND-IN: bytes to text and back.

use encoding_rs::{Encoding, UTF_8};

/// What told us the charset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// A byte-order mark.
    ByteOrderMark,
    /// The HTTP header.
    Http,
    /// The page's own `<meta>`.
    Meta,
    /// The bytes themselves.
    Detected,
}

/// A body as text.
#[derive(Clone, Debug)]
pub struct Decoded {
    /// The text, without byte-order mark.
    pub text: String,
    /// The charset it was read by.
    pub encoding: &'static Encoding,
    /// What told us so.
    pub evidence: Evidence,
    /// Whether a byte-order mark stood before the text.
    pub bom: bool,
    /// Whether [`encode`] gives the body back.
    pub lossless: bool,
    /// Whether the declared charset was wrong.
    pub overruled: bool,
}

/// Decodes a body.
pub fn decode(body: &[u8], _http_charset: Option<&str>) -> Decoded {
    let text = String::from_utf8_lossy(body).into_owned();
    let lossless = text.as_bytes() == body;
    Decoded { text, encoding: UTF_8, evidence: Evidence::Detected, bom: false, lossless, overruled: false }
}

/// Turns text back into the bytes of this charset, where every character has a place in it.
pub fn encode(text: &str, _encoding: &'static Encoding, _bom: bool) -> Option<Vec<u8>> {
    Some(text.as_bytes().to_vec())
}
