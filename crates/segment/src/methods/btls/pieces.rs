//! Cuts a source into text, tags and what is neither, by its bytes alone: the string model of BTLS.
//!
//! Faster and coarser than the tokenizer of the standard. Pieces follow one another without a hole, and each byte is
//! looked at a fixed number of times.

use kuai_page::Tag;
use memchr::{memchr, memchr3, memmem};

/// A piece of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) kind: PieceKind,
    pub(super) start: usize,
    pub(super) end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PieceKind {
    Text,
    Start(Tag),
    End(Tag),
    /// Comments, declarations, and scripts, styles and their like without their tags.
    Skipped,
}

/// Iterates over the pieces of a source.
pub(super) struct Pieces<'a> {
    source: &'a [u8],
    position: usize,
    /// The element whose content is no text of the page and comes next.
    raw: Option<Tag>,
}

impl<'a> Pieces<'a> {
    /// The pieces of a source from `position`, the border of a piece, to `end`.
    pub(super) fn new(source: &'a str, position: usize, end: usize) -> Pieces<'a> {
        Pieces { source: &source.as_bytes()[..end], position, raw: None }
    }

    fn piece(&mut self, kind: PieceKind, end: usize) -> Option<Piece> {
        let start = std::mem::replace(&mut self.position, end);
        Some(Piece { kind, start, end })
    }

    fn after(&self, found: Option<usize>, from: usize, length: usize) -> usize {
        found.map_or(self.source.len(), |found| from + found + length)
    }

    fn text(&mut self) -> Option<Piece> {
        let end = self.after(memchr(b'<', &self.source[self.position + 1..]), self.position + 1, 0);
        self.piece(PieceKind::Text, end)
    }

    fn declaration(&mut self) -> Option<Piece> {
        let from = self.position + 2;
        let rest = self.source.get(from..).unwrap_or_default();
        let end = if rest.starts_with(b"--") {
            // `<!-->` is a whole comment, so its dashes count twice.
            self.after(memmem::find(rest, b"-->"), from, 3)
        } else {
            self.after(memchr(b'>', rest), from, 1)
        };
        self.piece(PieceKind::Skipped, end)
    }

    fn tag(&mut self, name_start: usize) -> (Tag, usize) {
        let name = &self.source[name_start..];
        let name = &name[..name.iter().position(|&byte| ends_name(byte)).unwrap_or(name.len())];
        (tag_of(name), tag_end(self.source, name_start + name.len()))
    }

    /// From the start tag of an element of raw text to its end tag.
    fn raw_text(&mut self, tag: Tag) -> Option<Piece> {
        let mut end = self.position;
        while let Some(found) = memchr(b'<', &self.source[end..]) {
            end += found;
            let rest = &self.source[end + 1..];
            let name = tag.name().as_bytes();
            if rest.first() == Some(&b'/')
                && rest[1..].get(..name.len()).is_some_and(|it| it.eq_ignore_ascii_case(name))
            {
                return self.piece(PieceKind::Skipped, end);
            }
            end += 1;
        }
        self.piece(PieceKind::Skipped, self.source.len())
    }
}

impl Iterator for Pieces<'_> {
    type Item = Piece;

    #[inline]
    fn next(&mut self) -> Option<Piece> {
        if let Some(tag) = self.raw.take() {
            return self.raw_text(tag);
        }
        let first = *self.source.get(self.position)?;
        if first != b'<' {
            return self.text();
        }
        match self.source.get(self.position + 1) {
            Some(byte) if byte.is_ascii_alphabetic() => {
                let (tag, end) = self.tag(self.position + 1);
                self.raw = Some(tag).filter(|&tag| is_raw(tag));
                self.piece(PieceKind::Start(tag), end)
            }
            Some(b'/') if self.source.get(self.position + 2).is_some_and(u8::is_ascii_alphabetic) => {
                let (tag, end) = self.tag(self.position + 2);
                self.piece(PieceKind::End(tag), end)
            }
            Some(b'!' | b'?' | b'/') => self.declaration(),
            _ => self.text(),
        }
    }
}

fn ends_name(byte: u8) -> bool {
    matches!(byte, b'>' | b'/' | b'<') || byte <= b' '
}

/// The longest name that HTML knows fits.
const NAME_BYTES_MAX: usize = 16;

fn tag_of(name: &[u8]) -> Tag {
    let mut lower = [0; NAME_BYTES_MAX];
    let Some(lower) = lower.get_mut(..name.len()) else { return Tag::Unknown };
    lower.copy_from_slice(name);
    lower.make_ascii_lowercase();
    std::str::from_utf8(lower).map_or(Tag::Unknown, Tag::from_name)
}

/// The end of the tag whose name ends at `from`. A quoted value may hold `>`; a quote that opens no value means nothing.
#[inline]
fn tag_end(source: &[u8], from: usize) -> usize {
    let mut position = from;
    while let Some(found) = memchr3(b'>', b'"', b'\'', &source[position..]) {
        let at = position + found;
        position = at + 1;
        let quote = source[at];
        if quote == b'>' {
            return position;
        }
        if source[..at].last() == Some(&b'=') {
            match memchr(quote, &source[position..]) {
                Some(found) => position += found + 1,
                None => break,
            }
        }
    }
    source.len()
}

/// Elements whose content is no text of the page.
fn is_raw(tag: Tag) -> bool {
    use Tag::*;
    matches!(tag, Script | Style | Title | Noscript | Textarea | Iframe | Noembed | Noframes | Xmp)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &[(PieceKind, &str)]) {
        let pieces: Vec<_> = Pieces::new(source, 0, source.len()).collect();
        let found: Vec<_> = pieces.iter().map(|piece| (piece.kind, &source[piece.start..piece.end])).collect();
        assert_eq!(found, expected);
        assert_eq!(found.iter().map(|(_, text)| *text).collect::<String>(), source);
    }

    #[test]
    fn text_and_tags_follow_one_another() {
        use PieceKind::*;
        check(
            "a<DIV class='>'>b</div >c",
            &[(Text, "a"), (Start(Tag::Div), "<DIV class='>'>"), (Text, "b"), (End(Tag::Div), "</div >"), (Text, "c")],
        );
        check("1 < 2", &[(Text, "1 "), (Text, "< 2")]);
        check("<!-- > --><p", &[(Skipped, "<!-- > -->"), (Start(Tag::P), "<p")]);
        check("<p title=it's>x", &[(Start(Tag::P), "<p title=it's>"), (Text, "x")]);
    }

    #[test]
    fn scripts_are_skipped_to_their_end_tag() {
        use PieceKind::*;
        check(
            "<script>a<b</Script>c<style>",
            &[
                (Start(Tag::Script), "<script>"),
                (Skipped, "a<b"),
                (End(Tag::Script), "</Script>"),
                (Text, "c"),
                (Start(Tag::Style), "<style>"),
                (Skipped, ""),
            ],
        );
    }
}
