//! Text in which tags mean nothing: titles, styles, scripts, CDATA sections.

use super::scan::{find, find_either, is_space};
use super::text::InAttribute;
use super::{Buffers, Content, Token, Tokenizer};
use crate::Tag;

impl Tokenizer<'_> {
    /// Reads the raw text that lies ahead; `None` if there is none, and markup goes on.
    pub(super) fn raw_content(&mut self, buffers: &mut Buffers<'_>) -> Option<Token> {
        let start = self.at;
        let content = std::mem::replace(&mut self.content, Content::Data);
        let (end, next) = match content {
            Content::Data => return None,
            Content::Rcdata(tag) | Content::RawText(tag) => once(self.raw_text_end(start, tag)),
            Content::Script => once(self.script_end(start)),
            Content::PlainText => once(self.bytes.len()),
            Content::Cdata => self.cdata_end(start),
        };
        self.token_start = start;
        self.at = next;
        if start == end {
            return None;
        }
        Some(match content {
            Content::Cdata => self.cdata(start, end, next, buffers),
            Content::Rcdata(_) => Token::Text(self.decoded(start, end, Some(InAttribute::No), buffers)),
            _ => Token::Text(self.cleaned(start, end, buffers)),
        })
    }

    /// A run of a CDATA section; a NUL in it is a token by itself, after which the section goes on.
    fn cdata(&mut self, start: usize, end: usize, next: usize, buffers: &mut Buffers<'_>) -> Token {
        let null = find(&self.bytes[..end], start, 0);
        if null == end {
            self.at = next;
            return Token::Text(self.cleaned(start, end, buffers));
        }
        self.content = Content::Cdata;
        if null == start {
            self.at = start + 1;
            return Token::Null;
        }
        self.at = null;
        Token::Text(self.cleaned(start, null, buffers))
    }

    fn cdata_end(&self, start: usize) -> (usize, usize) {
        let mut at = start;
        loop {
            at = find(self.bytes, at, b']');
            if at == self.bytes.len() {
                return (at, at);
            }
            if self.bytes[at..].starts_with(b"]]>") {
                return (at, at + 3);
            }
            at += 1;
        }
    }

    /// Where the end tag of this name starts, or the end tag that bounds all raw text.
    fn raw_text_end(&self, start: usize, tag: Tag) -> usize {
        let is_bound = |at| self.raw_text_in_noscript && self.is_end_tag(at, Tag::Noscript);
        let mut at = start;
        loop {
            at = find(self.bytes, at, b'<');
            if at == self.bytes.len() || self.is_end_tag(at, tag) || is_bound(at) {
                return at;
            }
            at += 1;
        }
    }

    /// Whether the end tag of this name starts at the `<` at `at`.
    fn is_end_tag(&self, at: usize, tag: Tag) -> bool {
        tag != Tag::Unknown && self.bytes.get(at + 1) == Some(&b'/') && self.is_name(at + 2, tag.name())
    }

    /// Whether this name stands at `at`, and ends there.
    fn is_name(&self, at: usize, name: &str) -> bool {
        let end = at + name.len();
        self.bytes.get(at..end).is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()))
            && self.bytes.get(end).is_some_and(|&byte| is_space(byte) || matches!(byte, b'/' | b'>'))
    }

    /// Where the `</script>` that ends the script starts: not one that lies in `<!-- <script> … -->`.
    fn script_end(&self, start: usize) -> usize {
        #[derive(PartialEq)]
        enum State {
            Plain,
            Escaped,
            DoubleEscaped,
        }
        let bytes = self.bytes;
        let mut state = State::Plain;
        let mut at = start;
        loop {
            at = match state {
                State::Plain => find(bytes, at, b'<'),
                _ => find_either(bytes, at, b'<', b'-'),
            };
            let Some(&byte) = bytes.get(at) else { return at };
            if byte == b'-' {
                let dashes = bytes[at..].iter().take_while(|&&byte| byte == b'-').count();
                at += dashes;
                if dashes >= 2 && bytes.get(at) == Some(&b'>') {
                    state = State::Plain;
                }
                continue;
            }
            match state {
                State::DoubleEscaped if self.is_end_tag(at, Tag::Script) => state = State::Escaped,
                State::Plain | State::Escaped if self.is_end_tag(at, Tag::Script) => return at,
                State::Plain if bytes[at..].starts_with(b"<!--") => {
                    state = State::Escaped;
                    // The dashes count for an arrow that closes the comment at once.
                    at += 1;
                }
                State::Escaped if self.is_name(at + 1, "script") => state = State::DoubleEscaped,
                _ => {}
            }
            at += 1;
        }
    }
}

fn once(end: usize) -> (usize, usize) {
    (end, end)
}
