//! What authors call their elements: tags, words of classes and ids, roles. Hashed, since only tables are asked about them.

use std::hash::Hasher;

use kuai_page::{Attribute, Dom, NodeId, Tag};
use rustc_hash::FxHasher;

/// Bytes of an attribute's value that are read.
const VALUE_BYTES_MAX: usize = 200;
/// Bytes of a role, a label or the like that are read.
const SHORT_VALUE_BYTES_MAX: usize = 60;
/// Words read of a class or id.
const WORDS_MAX: usize = 12;
/// Words read of a role, a label or the like.
const SHORT_WORDS_MAX: usize = 4;
/// Names kept of the inline elements of a unit.
const INLINE_NAMES_MAX: usize = 12;
/// Classes that make a shape.
const SHAPE_CLASSES_MAX: usize = 3;

/// Kinds of elements that matter to all text in them, as bits of [`super::outline::Element::around`].
pub(super) mod around {
    pub(crate) const NAMES: [&str; 18] = [
        "nav",
        "header",
        "footer",
        "aside",
        "form",
        "article",
        "main",
        "table",
        "list",
        "blockquote",
        "figure",
        "noscript",
        "button",
        "label",
        "dialog",
        "section",
        "details",
        "hidden",
    ];
    pub(crate) const NAV: u32 = 1;
    pub(crate) const ARTICLE: u32 = 1 << 5;
    pub(crate) const MAIN: u32 = 1 << 6;
    pub(crate) const HIDDEN: u32 = 1 << 17;
}

/// What goes from an element to those in it.
pub(super) const INHERITED: u32 = u32::MAX;

/// What is read of an element.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Names {
    pub(super) shape: u32,
    /// What it is, see [`around`].
    pub(super) own: u32,
    /// Its names among those of the page.
    pub(super) range: (u32, u32),
}

/// Elements that were read before, by all that is read of them: most elements of a page are like one a little before.
#[derive(Debug)]
pub(super) struct Known {
    slots: [(u64, Names); KNOWN_MAX],
}

impl Default for Known {
    fn default() -> Known {
        Known { slots: [(0, Names::default()); KNOWN_MAX] }
    }
}

/// Elements that are kept in mind.
const KNOWN_MAX: usize = 128;

const SEED: u32 = 0x811c_9dc5;

/// The hash of a word of a class or id, in lower case.
pub(super) fn word_of_name(word: &[u8]) -> u32 {
    hash(word, SEED)
}

/// One step of FNV-1a.
#[inline]
pub(super) fn mix(hash: u32, byte: u8) -> u32 {
    (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
}

fn hash(bytes: &[u8], seed: u32) -> u32 {
    bytes.iter().fold(seed, |hash, &byte| mix(hash, byte))
}

/// The names of a block-level element, read behind those that are there unless they are known.
pub(super) fn read(dom: Dom<'_>, node: NodeId, tag: Tag, known: &mut Known, names: &mut Vec<u32>) -> Names {
    let key = key_of(dom, node);
    let slot = &mut known.slots[key as usize % KNOWN_MAX];
    if slot.0 != key {
        *slot = (key, read_new(dom, node, tag, names));
    }
    slot.1
}

/// All that is read of an element, hashed; never 0.
fn key_of(dom: Dom<'_>, node: NodeId) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(dom.name(node).as_bytes());
    for attribute in attributes(dom, node) {
        hasher.write(attribute.name.as_bytes());
        hasher.write(attribute.value.as_bytes());
    }
    hasher.finish() | 1 << 63
}

/// The attributes of an element that anything is read of: what makes its key is all that its names can depend on.
fn attributes(dom: Dom<'_>, node: NodeId) -> impl Iterator<Item = Attribute<'_>> {
    dom.attributes(node).filter(|attribute| is_read(attribute.name))
}

fn is_read(attribute: &str) -> bool {
    matches!(
        attribute,
        "class"
            | "id"
            | "style"
            | "hidden"
            | "role"
            | "itemprop"
            | "itemtype"
            | "property"
            | "aria-hidden"
            | "aria-label"
            | "data-testid"
            | "data-component"
    )
}

fn read_new(dom: Dom<'_>, node: NodeId, tag: Tag, names: &mut Vec<u32>) -> Names {
    let start = names.len();
    names.push(hash(dom.name(node).as_bytes(), mix(SEED, b'<')));
    let mut own = kind_of(tag);
    let mut shape = (tag as u32).wrapping_mul(0x9e37_79b9) ^ names[start];
    for attribute in attributes(dom, node) {
        match attribute.name {
            "class" => shape ^= shape_of(attribute.value),
            "style" if is_hiding(attribute.value) => own |= around::HIDDEN,
            "hidden" => own |= around::HIDDEN,
            "aria-hidden" if attribute.value == "true" => own |= around::HIDDEN,
            "role" if attribute.value == "main" => own |= around::MAIN,
            "role" if attribute.value == "navigation" => own |= around::NAV,
            _ => {}
        }
        read_attribute(attribute.name, attribute.value, SEED, start, names);
    }
    Names { shape, own, range: (start as u32, names.len() as u32) }
}

/// Reads the names of an inline element, unless the unit that begins at `start` has enough.
pub(super) fn read_inline(dom: Dom<'_>, node: NodeId, start: u32, names: &mut Vec<u32>) {
    if names.len() - start as usize >= INLINE_NAMES_MAX {
        return;
    }
    let seed = mix(SEED, b'i');
    push(hash(dom.name(node).as_bytes(), mix(seed, b'<')), start as usize, names);
    for attribute in dom.attributes(node) {
        read_attribute(attribute.name, attribute.value, seed, start as usize, names);
    }
    names.truncate(start as usize + INLINE_NAMES_MAX);
}

fn read_attribute(name: &str, value: &str, seed: u32, start: usize, names: &mut Vec<u32>) {
    let short = &value.as_bytes()[..value.len().min(SHORT_VALUE_BYTES_MAX)];
    match name {
        "class" | "id" => {
            words(&value.as_bytes()[..value.len().min(VALUE_BYTES_MAX)], WORDS_MAX, seed, start, names);
        }
        "role" | "itemprop" => words(short, SHORT_WORDS_MAX, mix(seed, b'@'), start, names),
        "itemtype" => {
            let last = value.rsplit('/').next().unwrap_or("").as_bytes();
            words(&last[..last.len().min(SHORT_VALUE_BYTES_MAX)], SHORT_WORDS_MAX, mix(seed, b'@'), start, names);
        }
        "data-testid" | "data-component" | "aria-label" | "property" => {
            words(short, SHORT_WORDS_MAX, seed, start, names);
        }
        _ => {}
    }
}

/// Pushes the hashes of the words of a name: letters, cut where small letters are followed by a capital one. Single letters
/// say nothing.
fn words(value: &[u8], max: usize, seed: u32, start: usize, names: &mut Vec<u32>) {
    let mut count = 0;
    let mut place = 0;
    while place < value.len() && count < max {
        if !value[place].is_ascii_alphabetic() {
            place += 1;
            continue;
        }
        let end = word_end(value, place);
        if end - place > 1 {
            let hash = value[place..end].iter().fold(seed, |hash, byte| mix(hash, byte.to_ascii_lowercase()));
            push(hash, start, names);
            count += 1;
        }
        place = end;
    }
}

/// `navBar` is two words, `HTMLPage` too, `NAV` one.
fn word_end(value: &[u8], start: usize) -> usize {
    let upper = value[start..].iter().take_while(|byte| byte.is_ascii_uppercase()).count();
    let lower_at = start + upper;
    let lower = value[lower_at..].iter().take_while(|byte| byte.is_ascii_lowercase()).count();
    match (upper, lower) {
        (_, 0) => lower_at,
        (0 | 1, _) => lower_at + lower,
        // The last capital letter begins the next word.
        _ => lower_at - 1,
    }
}

fn push(hash: u32, start: usize, names: &mut Vec<u32>) {
    if !names[start..].contains(&hash) {
        names.push(hash);
    }
}

/// Digits are left out, so that `item-1` and `item-2` are alike, and the order of classes does not matter.
fn shape_of(classes: &str) -> u32 {
    let hash_of = |class: &str| class.bytes().filter(|byte| !byte.is_ascii_digit()).fold(SEED, mix);
    classes.split_ascii_whitespace().take(SHAPE_CLASSES_MAX).map(hash_of).fold(0, |sum, hash| sum ^ hash.rotate_left(7))
}

fn is_hiding(style: &str) -> bool {
    let mut declarations = style.split(';').filter_map(|declaration| declaration.split_once(':'));
    declarations.any(|(property, value)| {
        let says = |name: &str, hiding: &str| {
            property.trim().eq_ignore_ascii_case(name)
                && value.trim().get(..hiding.len()).is_some_and(|value| value.eq_ignore_ascii_case(hiding))
        };
        says("display", "none") || says("visibility", "hidden")
    })
}

fn kind_of(tag: Tag) -> u32 {
    let name = match tag {
        Tag::Ul | Tag::Ol => "list",
        tag => tag.name(),
    };
    around::NAMES.iter().position(|kind| *kind == name).map_or(0, |place| 1 << place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_where_case_or_punctuation_parts_them() {
        let mut found = Vec::new();
        words(b"navBar HTMLPage post-item_2 x", WORDS_MAX, SEED, 0, &mut found);
        let wanted = ["nav", "bar", "html", "page", "post", "item"];
        assert_eq!(found, wanted.map(|word| word_of_name(word.as_bytes())));
    }

    #[test]
    fn items_that_differ_by_a_number_have_one_shape() {
        assert_eq!(shape_of("item item-1"), shape_of("item-23 item"));
        assert_ne!(shape_of("item"), shape_of("teaser"));
    }

    #[test]
    fn styles_that_hide_are_seen() {
        assert!(is_hiding("color: red; DISPLAY : none"));
        assert!(!is_hiding("display: block; visibility: visible"));
    }
}
