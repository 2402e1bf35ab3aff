//! Doctypes: a name, a public and a system identifier, and whether the mistakes in them force quirks.

use super::scan::{find, find_either, is_space};
use super::{Buffers, Token, Tokenizer};
use crate::Span;
use crate::tree::Text;

/// A doctype as read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DoctypeToken {
    pub(crate) name: Option<Text>,
    pub(crate) public_id: Option<Text>,
    pub(crate) system_id: Option<Text>,
    pub(crate) force_quirks: bool,
}

impl Tokenizer<'_> {
    /// Reads from `<!doctype` to `>`.
    pub(super) fn read_doctype(&mut self, buffers: &mut Buffers<'_>) -> Token {
        self.at += 9;
        self.doctype = DoctypeToken::default();
        if self.doctype_parts(buffers).is_none() {
            self.doctype.force_quirks = true;
        }
        self.skip_spaces();
        if self.at == self.bytes.len() {
            self.doctype.force_quirks = true;
        }
        // Whatever stands between the last part and the `>` is dropped.
        self.at = (find(self.bytes, self.at, b'>') + 1).min(self.bytes.len());
        Token::Doctype
    }

    /// Reads the parts; `None` where a mistake forces quirks. Leaves `at` where skipping to `>` may start.
    fn doctype_parts(&mut self, buffers: &mut Buffers<'_>) -> Option<()> {
        self.skip_spaces();
        let name_start = self.at;
        while self.bytes.get(self.at).is_some_and(|&byte| !is_space(byte) && byte != b'>') {
            self.at += 1;
        }
        if self.at == name_start {
            return None;
        }
        self.doctype.name = Some(self.lower_case(name_start, self.at, buffers));
        self.skip_spaces();
        let keyword = self.bytes.get(self.at..self.at + 6).unwrap_or_default();
        if self.bytes.get(self.at).is_none_or(|&byte| byte == b'>') {
            return Some(());
        }
        if keyword.eq_ignore_ascii_case(b"public") {
            self.at += 6;
            self.skip_spaces();
            self.doctype.public_id = Some(self.quoted(buffers)?);
            self.skip_spaces();
            if self.bytes.get(self.at).is_none_or(|&byte| byte == b'>') {
                return Some(());
            }
        } else if keyword.eq_ignore_ascii_case(b"system") {
            self.at += 6;
            self.skip_spaces();
        } else {
            return None;
        }
        self.doctype.system_id = Some(self.quoted(buffers)?);
        Some(())
    }

    /// Reads a quoted identifier; a `>` cuts it short and forces quirks.
    fn quoted(&mut self, buffers: &mut Buffers<'_>) -> Option<Text> {
        let quote = self.bytes.get(self.at).copied().filter(|byte| matches!(byte, b'"' | b'\''))?;
        let start = self.at + 1;
        let end = find_either(self.bytes, start, quote, b'>');
        self.at = end;
        let text = self.cleaned(start, end, buffers);
        if self.bytes.get(end) == Some(&quote) {
            self.at += 1;
        } else {
            self.doctype.force_quirks = true;
        }
        Some(text)
    }

    fn skip_spaces(&mut self) {
        while self.bytes.get(self.at).is_some_and(|&byte| is_space(byte)) {
            self.at += 1;
        }
    }

    /// A name in lower case, NULs replaced; a span of the source if it stands so already.
    pub(super) fn lower_case(&mut self, start: usize, end: usize, buffers: &mut Buffers<'_>) -> Text {
        let name = &self.source[start..end];
        if !name.bytes().any(|byte| byte.is_ascii_uppercase() || byte == 0) {
            return Text::Source(Span::new(start as u32, end as u32));
        }
        let owned_start = buffers.owned.len();
        buffers.owned.extend(name.chars().map(|character| match character {
            '\0' => char::REPLACEMENT_CHARACTER,
            _ => character.to_ascii_lowercase(),
        }));
        Text::Owned(Span::new(owned_start as u32, buffers.owned.len() as u32))
    }
}
