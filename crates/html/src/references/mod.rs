//! Character references (`&amp;`, `&#8364;`): from the bytes after an ampersand to the characters they stand for.
//!
//! Names are matched as long as possible, as the standard asks; the search narrows a range of the sorted table
//! one byte at a time, so its cost is bounded by the longest name.

mod table;

use std::ops::Range;
use table::REFERENCES;

/// What a reference stands for, and how many bytes of the source it takes, ampersand included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reference {
    pub(crate) value: Value,
    pub(crate) length: usize,
}

/// The characters a reference stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// By name; one or two characters.
    Named(&'static str),
    /// By number.
    Character(char),
}

impl Value {
    /// Appends the characters to `text`.
    pub(crate) fn push_to(self, text: &mut String) {
        match self {
            Value::Named(characters) => text.push_str(characters),
            Value::Character(character) => text.push(character),
        }
    }
}

/// Reads the reference at the start of `bytes`, which begin with `&`; `None` if the ampersand is mere text.
pub(crate) fn read(bytes: &[u8], in_attribute: bool) -> Option<Reference> {
    match bytes.get(1) {
        Some(b'#') => numeric(bytes),
        Some(byte) if byte.is_ascii_alphabetic() => frequent(bytes).or_else(|| named(bytes, in_attribute)),
        _ => None,
    }
}

/// The few names that make up nearly all references of the Web, found without a search.
fn frequent(bytes: &[u8]) -> Option<Reference> {
    let (characters, length) = match &bytes[1..] {
        [b'a', b'm', b'p', b';', ..] => ("&", 5),
        [b'n', b'b', b's', b'p', b';', ..] => ("\u{a0}", 6),
        [b'l', b't', b';', ..] => ("<", 4),
        [b'g', b't', b';', ..] => (">", 4),
        [b'q', b'u', b'o', b't', b';', ..] => ("\"", 6),
        _ => return None,
    };
    Some(Reference { value: Value::Named(characters), length })
}

fn named(bytes: &[u8], in_attribute: bool) -> Option<Reference> {
    let (characters, length) = longest_name(&bytes[1..])?;
    let length = length + 1;
    // Old addresses such as `?a=1&copy=2` must survive in attributes.
    let unfinished = bytes[length - 1] != b';';
    let goes_on = bytes.get(length).is_some_and(|&byte| byte == b'=' || byte.is_ascii_alphanumeric());
    if in_attribute && unfinished && goes_on {
        return None;
    }
    Some(Reference { value: Value::Named(characters), length })
}

/// The longest name of the table that `bytes` start with: its value and its length.
fn longest_name(bytes: &[u8]) -> Option<(&'static str, usize)> {
    let mut range = names_starting_with(*bytes.first()?);
    let mut longest = None;
    for (position, &byte) in bytes.iter().enumerate() {
        if position > 0 {
            range = narrow(range, position, byte);
        }
        let &(name, characters) = REFERENCES[range.clone()].first()?;
        // The shortest of the names that share a prefix sorts first.
        if name.len() == position + 1 {
            longest = Some((characters, name.len()));
        } else if range.len() == 1 {
            let rest = name.as_bytes();
            return if bytes.starts_with(rest) { Some((characters, rest.len())) } else { longest };
        }
        if byte == b';' {
            break;
        }
        let next = bytes.get(position + 1);
        if !next.is_some_and(|&next| next.is_ascii_alphanumeric() || next == b';') {
            break;
        }
        if narrow(range.clone(), position + 1, bytes[position + 1]).is_empty() {
            break;
        }
    }
    longest
}

/// The part of `range` whose names have `byte` at `position`.
fn narrow(range: Range<usize>, position: usize, byte: u8) -> Range<usize> {
    let names = &REFERENCES[range.clone()];
    let at = |name: &str| name.as_bytes().get(position).copied().unwrap_or(0);
    let start = names.partition_point(|(name, _)| at(name) < byte);
    let count = names[start..].partition_point(|(name, _)| at(name) == byte);
    range.start + start..range.start + start + count
}

/// Names by their first byte, so that the search starts near its end.
fn names_starting_with(byte: u8) -> Range<usize> {
    static STARTS: [u16; 129] = {
        let mut starts = [0; 129];
        let mut byte = 0;
        let mut index = 0;
        while byte < 129 {
            while index < REFERENCES.len() && (REFERENCES[index].0.as_bytes()[0] as usize) < byte {
                index += 1;
            }
            starts[byte] = index as u16;
            byte += 1;
        }
        starts
    };
    match byte {
        0..=127 => STARTS[byte as usize] as usize..STARTS[byte as usize + 1] as usize,
        _ => 0..0,
    }
}

fn numeric(bytes: &[u8]) -> Option<Reference> {
    let (digits_start, radix) = match bytes.get(2) {
        Some(b'x' | b'X') => (3, 16),
        _ => (2, 10),
    };
    let mut at = digits_start;
    let mut code: u32 = 0;
    while let Some(digit) = bytes.get(at).and_then(|&byte| (byte as char).to_digit(radix)) {
        code = code.saturating_mul(radix).saturating_add(digit);
        at += 1;
    }
    if at == digits_start {
        return None;
    }
    let length = if bytes.get(at) == Some(&b';') { at + 1 } else { at };
    Some(Reference { value: Value::Character(character(code)), length })
}

/// The character that a page means by this number.
fn character(code: u32) -> char {
    match code {
        0 => char::REPLACEMENT_CHARACTER,
        // Numbers that only make sense in windows-1252 are read as such; 0 marks the holes of that encoding.
        0x80..=0x9F => match WINDOWS_1252[(code - 0x80) as usize] {
            '\0' => char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
            known => known,
        },
        _ => char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
    }
}

#[rustfmt::skip]
static WINDOWS_1252: [char; 32] = [
    '€', '\0', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\0', 'Ž', '\0',
    '\0', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\0', 'ž', 'Ÿ',
];

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: &str, in_attribute: bool, expected: Option<(&str, usize)>) {
        let found = read(input.as_bytes(), in_attribute).map(|reference| {
            let mut text = String::new();
            reference.value.push_to(&mut text);
            (text, reference.length)
        });
        assert_eq!(found, expected.map(|(text, length)| (text.to_owned(), length)), "{input}");
    }

    #[test]
    fn the_longest_name_wins() {
        check("&notin;", false, Some(("∉", 7)));
        check("&notit;", false, Some(("¬", 4)));
        check("&not", false, Some(("¬", 4)));
        check("&amp;amp;", false, Some(("&", 5)));
        check("&Abreve", false, None);
        check("&", false, None);
        check("& ", false, None);
    }

    #[test]
    fn an_unfinished_name_in_an_attribute_is_text_when_letters_follow() {
        check("&copy=2", true, None);
        check("&copy2", true, None);
        check("&copy", true, Some(("©", 5)));
        check("&copy;=2", true, Some(("©", 6)));
        check("&copy=2", false, Some(("©", 5)));
    }

    #[test]
    fn numbers_are_read_as_browsers_read_them() {
        check("&#65;", false, Some(("A", 5)));
        check("&#x41", false, Some(("A", 5)));
        check("&#128;", false, Some(("€", 6)));
        check("&#129;", false, Some(("\u{81}", 6)));
        check("&#0;", false, Some(("\u{fffd}", 4)));
        check("&#xD800;", false, Some(("\u{fffd}", 8)));
        check("&#99999999999999999999;", false, Some(("\u{fffd}", 23)));
        check("&#;", false, None);
        check("&#x;", false, None);
    }

    #[test]
    fn every_name_of_the_table_is_found() {
        for (name, characters) in REFERENCES {
            check(&format!("&{name}"), false, Some((characters, name.len() + 1)));
        }
    }
}
