//! What a reader should know about how a page was read: limits hit, guesses made, bytes that did not decode.

use std::fmt;

/// Something remarkable about a page; never an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Note {
    /// The body was longer than the limit; only its beginning was parsed.
    ByteLimit,
    /// A limit of the parser was hit.
    Html(kuai_html::Note),
    /// There were more style sheets, style bytes or rules than the limits take.
    StyleLimit,
    /// Decoding lost bytes, so the raw body is kept beside the text.
    RawKept,
    /// The declared charset was wrong; another one fits the bytes.
    CharsetOverruled,
    /// The body does not look like text at all.
    Binary,
}

impl fmt::Display for Note {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Note::ByteLimit => "byte limit",
            Note::Html(kuai_html::Note::Depth) => "depth limit",
            Note::Html(kuai_html::Note::Nodes) => "node limit",
            Note::Html(kuai_html::Note::Attributes) => "attribute limit",
            Note::Html(kuai_html::Note::AttributeLength) => "attribute length limit",
            Note::Html(kuai_html::Note::Formatting) => "formatting limit",
            Note::StyleLimit => "style limit",
            Note::RawKept => "raw body kept",
            Note::CharsetOverruled => "declared charset overruled",
            Note::Binary => "not text",
        })
    }
}
