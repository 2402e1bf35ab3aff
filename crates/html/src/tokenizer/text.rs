//! Text between tags: found as one run, decoded only where it holds references, NULs or carriage returns.

use super::scan::{find, find_either, is_space};
use super::{Buffers, Token, Tokenizer};
use crate::Span;
use crate::references;
use crate::room;
use crate::tree::Text;

/// Whether references in a piece of source are decoded, and by which rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InAttribute {
    No,
    Yes,
}

impl Tokenizer<'_> {
    /// Reads text up to the next tag; the first byte is text even if it is `<`.
    pub(super) fn text(&mut self, buffers: &mut Buffers<'_>) -> Token {
        if self.split_text {
            return self.split_piece(buffers);
        }
        let start = self.at;
        if self.bytes[start] == 0 {
            return self.null();
        }
        if start >= self.text_ahead.0 {
            self.text_ahead = self.text_end(start);
        }
        let (end, has_reference) = self.text_ahead;
        let end = match self.has_odd(start, end) {
            true => find(&self.bytes[..end], start, 0),
            false => end,
        };
        self.at = end;
        if has_reference || self.next_odd < end {
            return Token::Text(self.decoded(start, end, Some(InAttribute::No), buffers));
        }
        Token::Text(Text::Source(Span::new(start as u32, end as u32)))
    }

    fn null(&mut self) -> Token {
        self.at += 1;
        Token::Null
    }

    /// Where the text that starts here ends, and whether it may hold references.
    #[inline]
    fn text_end(&self, start: usize) -> (usize, bool) {
        let mut has_reference = self.bytes[start] == b'&';
        let mut at = start + 1;
        loop {
            at = find_either(self.bytes, at, b'<', b'&');
            match self.bytes.get(at) {
                None => return (at, has_reference),
                Some(b'&') => has_reference = true,
                Some(_) => match self.bytes.get(at + 1) {
                    Some(b'!' | b'?') => return (at, has_reference),
                    Some(b'/') if at + 2 < self.bytes.len() => return (at, has_reference),
                    Some(byte) if byte.is_ascii_alphabetic() => return (at, has_reference),
                    _ => {}
                },
            }
            at += 1;
        }
    }

    /// A piece of text that is white space through and through, or has none; a reference is a piece by itself.
    fn split_piece(&mut self, buffers: &mut Buffers<'_>) -> Token {
        let start = self.at;
        let first = self.bytes[start];
        if first == 0 {
            return self.null();
        }
        if first == b'&' {
            let length = references::read(&self.bytes[start..], false).map_or(1, |reference| reference.length);
            self.at += length;
            return Token::Text(self.decoded(start, self.at, Some(InAttribute::No), buffers));
        }
        let rest = &self.bytes[start + 1..];
        let length = match is_space(first) {
            true => rest.iter().position(|&byte| !is_space(byte)),
            false => rest.iter().position(|&byte| is_space(byte) || matches!(byte, b'<' | b'&' | 0)),
        };
        self.at = start + 1 + length.unwrap_or(rest.len());
        Token::Text(self.cleaned(start, self.at, buffers))
    }

    /// Copies the source between two offsets to the owned buffer: line ends made `\n`, NULs replaced, and
    /// references decoded by the rule given, if any.
    pub(super) fn decoded(
        &mut self,
        start: usize,
        end: usize,
        references: Option<InAttribute>,
        buffers: &mut Buffers<'_>,
    ) -> Text {
        let bytes = &self.bytes[start..end];
        let source = &self.source[start..end];
        let owned_start = buffers.owned.len();
        // No reference stands for more bytes than it is written with, but for a few of three bytes.
        room::make_for(buffers.owned, bytes.len());
        let mut copied = 0;
        let mut at = 0;
        // A byte that no reference rule looks at stands in for `&` where references are left alone.
        let ampersand = if references.is_some() { b'&' } else { b'\r' };
        while let Some(found) = memchr::memchr3(ampersand, b'\r', 0, &bytes[at..]) {
            at += found;
            match bytes[at] {
                b'\r' => {
                    buffers.owned.push_str(&source[copied..at]);
                    buffers.owned.push('\n');
                    at += if bytes.get(at + 1) == Some(&b'\n') { 2 } else { 1 };
                    copied = at;
                }
                0 => {
                    buffers.owned.push_str(&source[copied..at]);
                    buffers.owned.push(char::REPLACEMENT_CHARACTER);
                    at += 1;
                    copied = at;
                }
                _ => match references::read(&bytes[at..], references == Some(InAttribute::Yes)) {
                    Some(reference) => {
                        buffers.owned.push_str(&source[copied..at]);
                        reference.value.push_to(buffers.owned);
                        at += reference.length;
                        copied = at;
                    }
                    None => at += 1,
                },
            }
        }
        if copied == 0 {
            return Text::Source(Span::new(start as u32, end as u32));
        }
        buffers.owned.push_str(&source[copied..]);
        Text::Owned(Span::new(owned_start as u32, buffers.owned.len() as u32))
    }
}
