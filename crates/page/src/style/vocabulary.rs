//! The names of a document: which ids, classes and tags occur in it, to pass over rules that cannot match.

use std::borrow::Cow;

use kuai_html::Quirks;

use super::aspects::Aspects;
use super::selector::{Name, is_never};
use super::skim::comment_length;

/// The names that occur in a document. May take a name for present that is not, never the other way round.
pub(super) struct Vocabulary {
    bits: Box<[u64]>,
    quirks: Quirks,
}

/// The bytes of names that are not escaped.
static IS_NAME: [bool; 256] = {
    let mut is_name = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let char = byte as u8;
        is_name[byte] = char.is_ascii_alphanumeric() || char == b'-' || char == b'_' || !char.is_ascii();
        byte += 1;
    }
    is_name
};

/// What a name stands for in a selector.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Id,
    Class,
    Tag,
}

/// Bits of the table: 4 kB, in which the few thousand names of a large page leave most unset.
const BITS: u32 = 1 << 15;

impl Vocabulary {
    pub(super) fn new(quirks: Quirks) -> Vocabulary {
        Vocabulary { bits: vec![0; BITS as usize / 64].into(), quirks }
    }

    pub(super) fn insert(&mut self, kind: Kind, name: Name) {
        let place = place(kind, name);
        self.bits[place / 64] |= 1 << (place % 64);
    }

    fn has(&self, kind: Kind, name: Name) -> bool {
        let place = place(kind, name);
        self.bits[place / 64] & (1 << (place % 64)) != 0
    }

    /// Whether a rule can have any effect: all names outside parentheses of one of its selectors occur, no
    /// element is hovered over and the like, and of pseudo-elements only `::after` matters, when it clears floats.
    pub(super) fn may_match(&self, selectors: &str, body: &str) -> bool {
        any_selector(selectors, body, self.quirks, |kind, name| self.has(kind, name), |_, _| true)
    }
}

/// The names of the elements of which something is asked, with the aspects of their style that it is.
pub(super) struct AskedNames {
    aspects: Box<[Aspects]>,
    quirks: Quirks,
}

impl AskedNames {
    pub(super) fn new(quirks: Quirks) -> AskedNames {
        AskedNames { aspects: vec![Aspects::NONE; BITS as usize].into(), quirks }
    }

    pub(super) fn insert(&mut self, kind: Kind, name: Name, aspects: Aspects) {
        self.aspects[place(kind, name)] |= aspects;
    }

    /// Whether a rule about some aspects may be about an element of which one of them is asked, whatever it says of others. Pseudo-elements are none.
    pub(super) fn may_ask(&self, selectors: &str, about: Aspects) -> bool {
        let has = |kind: Kind, name: Name| !(self.aspects[place(kind, name)] & about).is_empty();
        any_selector(selectors, "", self.quirks, |_, _| true, has)
    }
}

/// Whether one selector of a list has only names of which the first question holds, in its last part of which the second does too.
fn any_selector(
    selectors: &str,
    body: &str,
    quirks: Quirks,
    occurs: impl Fn(Kind, Name) -> bool,
    is_last: impl Fn(Kind, Name) -> bool,
) -> bool {
    let bytes = selectors.as_bytes();
    let (mut position, mut depth, mut may, mut may_last) = (0, 0_usize, true, true);
    while let Some(&byte) = bytes.get(position) {
        position += match byte {
            b',' if depth == 0 => {
                if may && may_last {
                    return true;
                }
                (may, may_last) = (true, true);
                1
            }
            b'(' | b'[' => {
                depth += 1;
                1
            }
            b')' | b']' => {
                depth = depth.saturating_sub(1);
                1
            }
            b'"' | b'\'' => quoted_length(&bytes[position..]),
            b'/' if bytes.get(position + 1) == Some(&b'*') => comment_length(&bytes[position..]),
            b'\\' if depth > 0 => 2,
            _ if depth > 0 => 1,
            b'.' | b'#' => {
                let word = Word::read(&bytes[position + 1..]);
                let kind = if byte == b'.' { Kind::Class } else { Kind::Id };
                may = may && word.has(kind, quirks, &occurs);
                may_last = may && may_last && word.has(kind, quirks, &is_last);
                1 + word.length
            }
            b':' => {
                let (is_possible, length) = pseudo(&bytes[position..], body);
                may = may && is_possible;
                length
            }
            byte if byte == b'\\' || (IS_NAME[usize::from(byte)] && !byte.is_ascii_digit()) => {
                let word = Word::read(&bytes[position..]);
                // What stands before `|` is a namespace.
                if bytes.get(position + word.length) != Some(&b'|') {
                    may = may && word.has(Kind::Tag, quirks, &occurs);
                    may_last = may && may_last && word.has(Kind::Tag, quirks, &is_last);
                }
                word.length.max(1)
            }
            // What comes is asked of another element.
            byte if byte.is_ascii_whitespace() || matches!(byte, b'>' | b'+' | b'~') => {
                may_last = true;
                1
            }
            _ => 1,
        };
    }
    may && may_last
}

fn place(kind: Kind, name: Name) -> usize {
    let salted = name.0 ^ ((kind as u64 + 1) << 56);
    (salted.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - BITS.trailing_zeros())) as usize
}

/// A name in a selector.
struct Word<'s> {
    bytes: &'s [u8],
    length: usize,
    has_escapes: bool,
}

impl<'s> Word<'s> {
    fn read(bytes: &'s [u8]) -> Word<'s> {
        let (mut length, mut has_escapes) = (0, false);
        while let Some(&byte) = bytes.get(length) {
            length += match byte {
                b'\\' => 2,
                // The parser puts another character for a 0.
                0 => 1,
                byte if IS_NAME[usize::from(byte)] => {
                    length += 1;
                    continue;
                }
                _ => break,
            };
            has_escapes = true;
        }
        let length = length.min(bytes.len());
        Word { bytes: &bytes[..length], length, has_escapes }
    }

    /// Whether a question holds of the name, as the page's mode has it; it does where the name is left to the parser.
    fn has(&self, kind: Kind, quirks: Quirks, question: impl Fn(Kind, Name) -> bool) -> bool {
        let Some(written) = self.written() else { return true };
        let in_any_case = || question(kind, Name::folded_bytes(&written));
        let as_written = || question(kind, Name::of_bytes(written.iter().copied()));
        match (kind, quirks) {
            // Elements of SVG keep their capitals.
            (Kind::Tag, _) => in_any_case() || as_written(),
            (_, Quirks::Full) => in_any_case(),
            _ => as_written(),
        }
    }

    /// The name without escapes; `None` where a character is escaped by number.
    fn written(&self) -> Option<Cow<'s, [u8]>> {
        if !self.has_escapes {
            return Some(Cow::Borrowed(self.bytes));
        }
        let mut written = Vec::with_capacity(self.length);
        let mut bytes = self.bytes.iter().copied();
        while let Some(byte) = bytes.next() {
            match byte {
                0 => return None,
                b'\\' => {
                    written.push(bytes.next().filter(|byte| byte.is_ascii_graphic() && !byte.is_ascii_hexdigit())?)
                }
                byte => written.push(byte),
            }
        }
        Some(Cow::Owned(written))
    }
}

/// Whether a selector with this pseudo-class or -element can have any effect, and the length of its name with colons.
fn pseudo(bytes: &[u8], body: &str) -> (bool, usize) {
    let is_element = bytes.get(1) == Some(&b':');
    let start = if is_element { 2 } else { 1 };
    let rest = &bytes[start..];
    let length = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-').count();
    let name = &rest[..length];
    let is_function = rest.get(length) == Some(&b'(');
    let is = |word: &str| name.eq_ignore_ascii_case(word.as_bytes());
    let is_possible = if matches!(rest.get(length), Some(b'\\')) {
        true
    } else if is("after") {
        names_clear(body)
    } else if is_element {
        false
    } else {
        is_function || !(is("before") || is("first-line") || is("first-letter") || is_never(name))
    };
    (is_possible, start + length)
}

/// Whether the property `clear` may stand in a block.
fn names_clear(body: &str) -> bool {
    body.as_bytes().windows(5).any(|window| window.eq_ignore_ascii_case(b"clear"))
}

fn quoted_length(rest: &[u8]) -> usize {
    let mut index = 1;
    while let Some(&byte) = rest.get(index) {
        index += if byte == b'\\' { 2 } else { 1 };
        if byte == rest[0] {
            break;
        }
    }
    index.min(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(selectors: &str, expected: bool) {
        let mut vocabulary = Vocabulary::new(Quirks::No);
        for (kind, name) in [(Kind::Id, "main"), (Kind::Class, "a:b"), (Kind::Class, "Big"), (Kind::Tag, "div")] {
            vocabulary.insert(kind, Name::from(name));
        }
        assert_eq!(vocabulary.may_match(selectors, "Clear: both"), expected, "{selectors}");
    }

    #[test]
    fn only_names_of_the_document_may_match() {
        for selectors in ["*", "DIV#main", ".x, .Big", r".a\:b > div", ".Big:not(.x)", "[x='.y'].Big", r".\31 0"] {
            check(selectors, true);
        }
        for selectors in [".x", ".big", "div .x", "#main p", ".Big:not(.x) .y", ".x:not(.Big, div)", "#Big"] {
            check(selectors, false);
        }
    }

    #[test]
    fn states_and_most_pseudo_elements_have_no_effect() {
        for selectors in ["div:after", "div::after", "div:first-child", "div:not(:hover)", "div:hover, div"] {
            check(selectors, true);
        }
        for selectors in ["div:hover", "div:Focus .Big", "div::before", "div:before", "div::part(x)"] {
            check(selectors, false);
        }
    }
}
