//! The tokenizer: from the source to tags, text, comments and doctypes, as the standard cuts them.
//!
//! It is pulled by the builder (or by [`crate::tokens`]), one token at a time. A token's strings are spans of the
//! source; only where a reference, a NUL, a carriage return or upper case changed them do they go to a buffer.
//! Every byte is looked at a bounded number of times.

mod comments;
mod doctype;
mod raw_text;
mod scan;
mod tags;
mod text;

use crate::tree::{Attributes, Text};
use crate::{Limits, Span, Tag};
pub(crate) use doctype::DoctypeToken;
use scan::find_either;
use tags::Duplicates;

/// A token; the details of tags and doctypes lie in [`Tokenizer::tag`] and [`Tokenizer::doctype`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    Text(Text),
    /// A NUL between tags, which some insertion modes drop and others replace.
    Null,
    StartTag,
    EndTag,
    Comment(Text),
    Doctype,
    End,
}

/// What the text after a start tag is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Markup.
    Data,
    /// Text with references up to the end tag of this name.
    Rcdata(Tag),
    /// Text up to the end tag of this name.
    RawText(Tag),
    /// A script, which may hold `<!-- <script> -->`.
    Script,
    /// Text up to the end of the source.
    PlainText,
    /// Text up to `]]>`.
    Cdata,
}

/// A start or end tag.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TagToken {
    pub(crate) tag: Tag,
    pub(crate) name: Text,
    pub(crate) attributes_start: u32,
    pub(crate) attributes_count: u32,
    pub(crate) self_closing: bool,
}

/// Where tokens leave what is not a span of the source.
pub(crate) struct Buffers<'b> {
    pub(crate) attributes: &'b mut Attributes,
    pub(crate) owned: &'b mut String,
}

impl Buffers<'_> {
    /// Keeps a copy of a string.
    fn own(&mut self, string: &str) -> Text {
        let start = self.owned.len() as u32;
        self.owned.push_str(string);
        Text::Owned(Span::new(start, self.owned.len() as u32))
    }
}

/// Which limits were hit.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LimitsHit {
    pub(crate) attributes: bool,
    pub(crate) attribute_length: bool,
}

/// The state between two tokens.
pub(crate) struct Tokenizer<'a> {
    source: &'a str,
    bytes: &'a [u8],
    /// Where the next token starts.
    at: usize,
    /// The next NUL or carriage return at or after `at`, or the source's length.
    next_odd: usize,
    /// Where the last token started.
    token_start: usize,
    /// The end of the text last looked at, and whether it may hold references: text that NULs cut into many
    /// tokens is searched for its end once.
    text_ahead: (usize, bool),
    pub(crate) content: Content,
    /// Whether raw text ends where a `noscript` ends, too.
    pub(crate) raw_text_in_noscript: bool,
    /// Whether `<![CDATA[` opens a section: inside SVG and MathML.
    pub(crate) cdata_allowed: bool,
    /// Whether text is cut into runs of white space and of other characters.
    pub(crate) split_text: bool,
    pub(crate) tag: TagToken,
    pub(crate) doctype: DoctypeToken,
    pub(crate) limits_hit: LimitsHit,
    limits: Limits,
    duplicates: Duplicates,
}

impl<'a> Tokenizer<'a> {
    /// A tokenizer at the start of `source`.
    pub(crate) fn new(source: &'a str, limits: &Limits) -> Self {
        let bytes = source.as_bytes();
        Tokenizer {
            source,
            bytes,
            at: 0,
            next_odd: find_either(bytes, 0, 0, b'\r'),
            token_start: 0,
            text_ahead: (0, false),
            content: Content::Data,
            raw_text_in_noscript: false,
            cdata_allowed: false,
            split_text: false,
            tag: TagToken {
                tag: Tag::Unknown,
                name: Text::EMPTY,
                attributes_start: 0,
                attributes_count: 0,
                self_closing: false,
            },
            doctype: DoctypeToken::default(),
            limits_hit: LimitsHit::default(),
            limits: *limits,
            duplicates: Duplicates::default(),
        }
    }

    /// The span of the last token.
    pub(crate) fn span(&self) -> Span {
        Span::new(self.token_start as u32, self.at as u32)
    }

    /// Reads the next token; at the end of the source, [`Token::End`] for ever.
    #[inline]
    pub(crate) fn next(&mut self, buffers: &mut Buffers<'_>) -> Token {
        if self.content != Content::Data
            && let Some(token) = self.raw_content(buffers)
        {
            return token;
        }
        loop {
            self.token_start = self.at;
            let token = match self.bytes.get(self.at) {
                None => return Token::End,
                Some(b'<') => self.markup(buffers),
                Some(_) => Some(self.text(buffers)),
            };
            if let Some(token) = token {
                return token;
            }
        }
    }

    /// Reads what starts with `<`; `None` where the standard drops it (`</>`, an empty CDATA section).
    fn markup(&mut self, buffers: &mut Buffers<'_>) -> Option<Token> {
        match self.bytes.get(self.at + 1) {
            Some(byte) if byte.is_ascii_alphabetic() => Some(self.start_tag(buffers)),
            Some(b'/') => match self.bytes.get(self.at + 2) {
                Some(byte) if byte.is_ascii_alphabetic() => Some(self.end_tag(buffers)),
                Some(b'>') => {
                    self.at += 3;
                    None
                }
                Some(_) => Some(self.bogus_comment(self.at + 2, buffers)),
                None => Some(self.text(buffers)),
            },
            Some(b'!') => self.declaration(buffers),
            Some(b'?') => Some(self.bogus_comment(self.at + 1, buffers)),
            _ => Some(self.text(buffers)),
        }
    }

    /// Reads what starts with `<!`.
    fn declaration(&mut self, buffers: &mut Buffers<'_>) -> Option<Token> {
        let rest = &self.bytes[self.at + 2..];
        if rest.starts_with(b"--") {
            return Some(self.comment(buffers));
        }
        if rest.len() >= 7 && rest[..7].eq_ignore_ascii_case(b"doctype") {
            return Some(self.read_doctype(buffers));
        }
        if self.cdata_allowed && rest.starts_with(b"[CDATA[") {
            self.at += 9;
            self.content = Content::Cdata;
            return self.raw_content(buffers);
        }
        Some(self.bogus_comment(self.at + 2, buffers))
    }

    /// Whether a NUL or carriage return stands before `end`; `from` may only grow from call to call.
    fn has_odd(&mut self, from: usize, end: usize) -> bool {
        if self.next_odd < from {
            self.next_odd = find_either(self.bytes, from, 0, b'\r');
        }
        self.next_odd < end
    }

    /// The source between two offsets, with NULs replaced and line ends made `\n`.
    fn cleaned(&mut self, start: usize, end: usize, buffers: &mut Buffers<'_>) -> Text {
        if !self.has_odd(start, end) {
            return Text::Source(Span::new(start as u32, end as u32));
        }
        self.decoded(start, end, None, buffers)
    }
}
