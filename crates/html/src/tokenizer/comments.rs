//! Comments, and what the standard reads as one: `<!ELEMENT>`, `<?xml ?>`, `</ >`.

use super::scan::find;
use super::{Buffers, Token, Tokenizer};

impl Tokenizer<'_> {
    /// Reads from `<!--` to `-->` or one of its mistakes.
    pub(super) fn comment(&mut self, buffers: &mut Buffers<'_>) -> Token {
        let start = self.at + 4;
        let (content_end, end) = self.comment_end(start);
        self.at = end;
        Token::Comment(self.cleaned(start, content_end, buffers))
    }

    /// Where the content of the comment ends, and where the comment does.
    fn comment_end(&self, start: usize) -> (usize, usize) {
        let bytes = self.bytes;
        if bytes[start..].starts_with(b">") {
            return (start, start + 1);
        }
        if bytes[start..].starts_with(b"->") {
            return (start, start + 2);
        }
        let mut at = find(bytes, start, b'-');
        while at < bytes.len() {
            if bytes.get(at + 1) == Some(&b'-') {
                match &bytes[at + 2..] {
                    [b'>', ..] => return (at, at + 3),
                    [b'!', b'>', ..] => return (at, at + 4),
                    _ => {}
                }
                at += 1;
            } else {
                at = find(bytes, at + 1, b'-');
            }
        }
        // At the end of the source, what could have begun the comment's end is no part of its content.
        let content = &bytes[start..];
        let cut = match content {
            [.., b'-', b'-', b'!'] => 3,
            [.., b'-', b'-'] => 2,
            [.., b'-'] => 1,
            _ => 0,
        };
        (bytes.len() - cut, bytes.len())
    }

    /// Reads up to the next `>`; the comment's text starts at `content_start`.
    pub(super) fn bogus_comment(&mut self, content_start: usize, buffers: &mut Buffers<'_>) -> Token {
        let end = find(self.bytes, content_start, b'>');
        self.at = (end + 1).min(self.bytes.len());
        Token::Comment(self.cleaned(content_start, end, buffers))
    }
}
