//! The names of a document: which ids, classes and tags occur in it, to pass over rules that cannot match.

use kuai_html::Quirks;

use super::selector::{Name, is_never};
use super::skim::comment_length;

/// The names that occur in a document. May take a name for present that is not, never the other way round.
pub(super) struct Vocabulary {
    bits: Box<[u64]>,
    quirks: Quirks,
}

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
        let bytes = selectors.as_bytes();
        let (mut position, mut depth, mut may) = (0, 0_usize, true);
        while let Some(&byte) = bytes.get(position) {
            position += match byte {
                b',' if depth == 0 => {
                    if may {
                        return true;
                    }
                    may = true;
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
                    may = may && self.has_word(kind, &word);
                    1 + word.length
                }
                b':' => {
                    let (is_possible, length) = pseudo(&bytes[position..], body);
                    may = may && is_possible;
                    length
                }
                byte if byte.is_ascii_alphabetic() || !byte.is_ascii() || matches!(byte, b'_' | b'-' | b'\\') => {
                    let word = Word::read(&bytes[position..]);
                    // What stands before `|` is a namespace.
                    let is_tag = bytes.get(position + word.length) != Some(&b'|');
                    may = may && (!is_tag || self.has_word(Kind::Tag, &word));
                    word.length.max(1)
                }
                _ => 1,
            };
        }
        may
    }

    fn has_word(&self, kind: Kind, word: &Word) -> bool {
        let Some((name, lower)) = word.names else { return true };
        match (kind, self.quirks) {
            // Elements of SVG keep their capitals.
            (Kind::Tag, _) => self.has(kind, lower) || self.has(kind, name),
            (_, Quirks::Full) => self.has(kind, lower),
            _ => self.has(kind, name),
        }
    }
}

fn place(kind: Kind, name: Name) -> usize {
    let salted = name.0 ^ ((kind as u64 + 1) << 56);
    (salted.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - BITS.trailing_zeros())) as usize
}

/// A name in a selector.
struct Word {
    /// As written and in lower case; `None` where it is escaped by number, which is left to the parser.
    names: Option<(Name, Name)>,
    length: usize,
}

impl Word {
    fn read(bytes: &[u8]) -> Word {
        let (mut name, mut lower) = (Name::EMPTY, Name::EMPTY);
        let mut length = 0;
        let mut is_plain = true;
        while let Some(&byte) = bytes.get(length) {
            let byte = match byte {
                byte if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_') || !byte.is_ascii() => byte,
                // The parser puts another character for it.
                0 => {
                    is_plain = false;
                    byte
                }
                b'\\' => {
                    length += 1;
                    let escaped = bytes.get(length).copied().unwrap_or(0);
                    is_plain &= escaped.is_ascii_graphic() && !escaped.is_ascii_hexdigit();
                    escaped
                }
                _ => break,
            };
            name = name.with(byte);
            lower = lower.with(byte.to_ascii_lowercase());
            length += 1;
        }
        Word { names: is_plain.then_some((name, lower)), length: length.min(bytes.len()) }
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
