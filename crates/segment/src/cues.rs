//! Cue words: what blocks say, and what their authors call them, read once from `cues.txt`.
//!
//! In goes the text of a block or the class, id and role of an element; out comes a [`CueSet`].

use std::ops::{BitAnd, BitOr};
use std::sync::OnceLock;

use kuai_page::{Dom, NodeId, Tag};
use rustc_hash::FxHashMap;

/// What a cue word speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cue {
    Copyright,
    Related,
    /// Lists of what is popular, new or elsewhere: links that have nothing to do with the page.
    Hot,
    Navigation,
    Advert,
    Comment,
    Meta,
    /// Share buttons, logins, dialogs: what one does with a page, not what it says.
    Share,
    /// The lowest part of a page or article.
    Footer,
    Header,
    Sidebar,
    /// The text itself.
    Content,
    /// What heads a statement of rights, which may be as long as a text.
    Statement,
}

/// By number.
const NAMES: [(&str, Cue); 13] = [
    ("copyright", Cue::Copyright),
    ("related", Cue::Related),
    ("hot", Cue::Hot),
    ("navigation", Cue::Navigation),
    ("advert", Cue::Advert),
    ("comment", Cue::Comment),
    ("meta", Cue::Meta),
    ("share", Cue::Share),
    ("footer", Cue::Footer),
    ("header", Cue::Header),
    ("sidebar", Cue::Sidebar),
    ("content", Cue::Content),
    ("statement", Cue::Statement),
];

/// Some cues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CueSet(u16);

impl CueSet {
    pub(crate) const EMPTY: CueSet = CueSet(0);

    pub(crate) const fn of(cue: Cue) -> CueSet {
        CueSet(1 << cue as u16)
    }

    pub(crate) const fn all(cues: &[Cue]) -> CueSet {
        let mut set = CueSet::EMPTY;
        let mut index = 0;
        while index < cues.len() {
            set.0 |= CueSet::of(cues[index]).0;
            index += 1;
        }
        set
    }

    /// The cue whose number this is: `cue as usize`.
    pub(crate) fn from_bit(bit: usize) -> CueSet {
        CueSet(1 << bit)
    }

    pub(crate) fn has(self, cue: Cue) -> bool {
        self.0 & CueSet::of(cue).0 != 0
    }

    pub(crate) fn meets(self, other: CueSet) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) fn without(self, cue: Cue) -> CueSet {
        CueSet(self.0 & !CueSet::of(cue).0)
    }

    pub(crate) fn len(self) -> u32 {
        self.0.count_ones()
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = Cue> {
        let mut bits = self.0;
        std::iter::from_fn(move || {
            let (_, cue) = NAMES.get(bits.trailing_zeros() as usize)?;
            bits &= bits - 1;
            Some(*cue)
        })
    }
}

impl BitOr for CueSet {
    type Output = CueSet;

    fn bitor(self, other: CueSet) -> CueSet {
        CueSet(self.0 | other.0)
    }
}

impl BitAnd for CueSet {
    type Output = CueSet;

    fn bitand(self, other: CueSet) -> CueSet {
        CueSet(self.0 & other.0)
    }
}

/// The cues that a text gives, and how many of its characters belong to cue words.
pub(crate) fn text_cues(text: &str) -> (CueSet, u32) {
    let table = table();
    let bytes = text.as_bytes();
    let mut found = CueSet::EMPTY;
    let mut cue_characters = 0;
    let mut skip_until = 0;
    for (place, opening) in openings(bytes) {
        let bucket = bucket_of(opening);
        if place < skip_until || !table.is_filled[bucket] {
            continue;
        }
        for (word, cue) in table.text[bucket].iter().filter(|(word, _)| begins_with_word(&bytes[place..], word)) {
            found = found | CueSet::of(*cue);
            if place + word.len() > skip_until {
                cue_characters += word.chars().count() as u32;
                skip_until = place + word.len();
            }
        }
    }
    (found, cue_characters)
}

/// The places where a cue word can begin, with the [opening](opening_of) there: at every Latin word, and at every character
/// that is no ASCII.
fn openings(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut place = 0;
    std::iter::from_fn(move || {
        place += bytes[place..].iter().position(|byte| byte.is_ascii_alphanumeric() || *byte >= 0xC0)?;
        let (start, opening) = (place, opening_of(&bytes[place..]));
        place += opening.len();
        Some((start, opening))
    })
}

/// The Latin word that a text begins with, or its first character where that is no ASCII. Cue words are whole words, so a text
/// begins with a cue word only if both have the same opening.
fn opening_of(text: &[u8]) -> &[u8] {
    let is_latin = text.first().is_some_and(u8::is_ascii);
    let goes_on = |byte: &u8| if is_latin { byte.is_ascii_alphanumeric() } else { (0x80..0xC0).contains(byte) };
    let end = text.iter().skip(1).position(|byte| !goes_on(byte)).map_or(text.len(), |length| length + 1);
    &text[..end]
}

/// The cues that an element's tag, role, class and id give.
pub(crate) fn name_cues(dom: Dom<'_>, node: NodeId) -> CueSet {
    let mut found = tag_cues(dom.tag(node));
    for attribute in dom.attributes(node) {
        if matches!(attribute.name, "class" | "id" | "role") {
            found = found | cues_of_names(attribute.value.as_bytes());
        }
    }
    found
}

/// The parts of names that are cues, each with what it tells.
pub(crate) fn cue_names() -> impl Iterator<Item = (&'static [u8], CueSet)> {
    table().name.iter().map(|(&name, &cues)| (name, cues))
}

/// The cues that an element's tag gives.
pub(crate) fn tag_cues(tag: Tag) -> CueSet {
    match tag {
        Tag::Nav | Tag::Menu => CueSet::of(Cue::Navigation),
        Tag::Footer => CueSet::of(Cue::Footer),
        Tag::Header => CueSet::of(Cue::Header),
        Tag::Aside => CueSet::of(Cue::Sidebar),
        Tag::Article | Tag::Main => CueSet::of(Cue::Content),
        Tag::Button | Tag::Select | Tag::Dialog => CueSet::of(Cue::Share),
        _ => CueSet::EMPTY,
    }
}

/// Longest name part that is looked up; no cue is longer.
const NAME_BYTES_MAX: usize = 24;

fn name_cue(word: &[u8]) -> CueSet {
    if !table().name_lengths.may_have(word) {
        return CueSet::EMPTY;
    }
    let mut lower = [0; NAME_BYTES_MAX];
    let Some(lower) = lower.get_mut(..word.len()) else { return CueSet::EMPTY };
    lower.copy_from_slice(word);
    lower.make_ascii_lowercase();
    table().name.get(&*lower).copied().unwrap_or_default()
}

/// The cues of class names or ids, part by part: `postMeta-2` gives those of `post` and `Meta`. Parts with figures among their letters are
/// made by machines and mean nothing: `Ee5Ad` is no advertisement.
fn cues_of_names(names: &[u8]) -> CueSet {
    let mut found = CueSet::EMPTY;
    for part in names.split(|byte| !byte.is_ascii_alphanumeric()).map(without_end_figures) {
        if part.iter().all(u8::is_ascii_lowercase) {
            found = found | name_cue(part);
        } else if part.iter().all(u8::is_ascii_alphabetic) {
            found = split_at_case(part).fold(found, |found, word| found | name_cue(word));
        }
    }
    found
}

fn without_end_figures(part: &[u8]) -> &[u8] {
    let length = part.iter().rposition(|byte| !byte.is_ascii_digit()).map_or(0, |last| last + 1);
    &part[..length]
}

fn split_at_case(part: &[u8]) -> impl Iterator<Item = &[u8]> {
    part.chunk_by(|before, after| !(before.is_ascii_lowercase() && after.is_ascii_uppercase()))
}

/// Whether the text begins with this lower-case word, and the word ends there if it is of Latin letters.
fn begins_with_word(text: &[u8], word: &str) -> bool {
    let Some((head, rest)) = text.split_at_checked(word.len()) else { return false };
    let is_latin = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    head.eq_ignore_ascii_case(word.as_bytes()) && !(is_latin(head.last()) && is_latin(rest.first()))
}

struct Table {
    /// By the [bucket](bucket_of) of their openings, longest first.
    text: Vec<Vec<(&'static str, Cue)>>,
    /// Which buckets hold words: small enough to stay at hand while a text is read.
    is_filled: Vec<bool>,
    name: FxHashMap<&'static [u8], CueSet>,
    name_lengths: NameLengths,
}

/// For each letter how long the names are that begin with it, a bit a length: most parts of names are no cue, and are told so at once.
#[derive(Default)]
struct NameLengths([u32; 32]);

impl NameLengths {
    fn add(&mut self, name: &[u8]) {
        if let Some(first) = name.first() {
            self.0[NameLengths::place(*first)] |= 1 << name.len().min(31);
        }
    }

    fn may_have(&self, name: &[u8]) -> bool {
        name.first().is_some_and(|first| self.0[NameLengths::place(*first)] >> name.len().min(31) & 1 == 1)
    }

    /// The same for a letter in either case.
    fn place(first: u8) -> usize {
        usize::from(first) % 32
    }
}

/// Several times as many as there are words, so that most places of a text are passed with one look.
const BUCKETS: usize = 4096;

/// Where words with this opening are kept, in either case: by its length, its first two bytes and its last.
fn bucket_of(opening: &[u8]) -> usize {
    let places = [0, 1, opening.len().saturating_sub(1)];
    let bytes = places.map(|place| opening.get(place).map_or(0, |byte| usize::from(byte.to_ascii_lowercase())));
    bytes.into_iter().fold(opening.len(), |hash, byte| hash * 31 + byte) % BUCKETS
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| read(include_str!("cues.txt")))
}

fn read(source: &'static str) -> Table {
    let mut table = Table {
        text: vec![Vec::new(); BUCKETS],
        is_filled: Vec::new(),
        name: FxHashMap::default(),
        name_lengths: NameLengths::default(),
    };
    let mut section = None;
    for line in source.lines().filter(|line| !line.starts_with('#')) {
        if let Some(head) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = head.split_once(' ').and_then(|(place, kind)| Some((place, cue_of(kind)?)));
            continue;
        }
        let Some((place, cue)) = section else { continue };
        for word in line.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            match place {
                "text" => table.text[bucket_of(opening_of(word.as_bytes()))].push((word, cue)),
                _ => {
                    table.name_lengths.add(word.as_bytes());
                    let cues = table.name.entry(word.as_bytes()).or_default();
                    *cues = *cues | CueSet::of(cue);
                }
            }
        }
    }
    table.is_filled = table.text.iter().map(|words| !words.is_empty()).collect();
    for words in &mut table.text {
        words.sort_by_key(|(word, _)| std::cmp::Reverse(word.len()));
    }
    table
}

fn cue_of(name: &str) -> Option<Cue> {
    NAMES.iter().find(|(known, _)| *known == name).map(|(_, cue)| *cue)
}

#[cfg(test)]
mod tests {
    use kuai_page::Page;

    use super::*;

    fn cues(text: &str) -> Vec<Cue> {
        text_cues(text).0.iter().collect()
    }

    fn names(html: &str) -> Vec<Cue> {
        let page = Page::from_html(html);
        let dom = page.dom();
        let body = dom.body().expect("every page has a body");
        name_cues(dom, dom.first_child(body).expect("an element was given")).iter().collect()
    }

    #[test]
    fn words_are_found_in_either_script_and_in_any_case() {
        assert_eq!(cues("京ICP备12345号"), [Cue::Copyright]);
        assert_eq!(cues("版權所有"), [Cue::Copyright]);
        assert_eq!(cues("Related Articles"), [Cue::Related]);
        assert_eq!(cues("責任編輯：某人"), [Cue::Meta]);
    }

    #[test]
    fn latin_words_count_only_when_whole() {
        assert_eq!(cues("commentary on sharecropping"), []);
        assert_eq!(cues("3 comments"), [Cue::Comment]);
    }

    #[test]
    fn the_characters_of_cue_words_are_counted_once() {
        assert_eq!(text_cues("相关阅读：月亮").1, 4);
    }

    #[test]
    fn names_are_cut_at_case_and_punctuation() {
        assert_eq!(names("<div class='postComments'>x"), [Cue::Comment, Cue::Content]);
        assert_eq!(names("<div id=site_nav-2>x"), [Cue::Navigation]);
        assert_eq!(names("<div class='navy styles_article__Ee5Ad'>x"), [Cue::Content]);
        assert_eq!(names("<footer>x"), [Cue::Footer]);
    }

    #[test]
    fn every_word_can_be_found() {
        for (word, cue) in table().text.iter().flatten() {
            assert!(text_cues(word).0.has(*cue), "{word}");
        }
    }

    #[test]
    fn cues_are_named_in_the_order_of_their_numbers() {
        assert!(NAMES.iter().enumerate().all(|(number, (_, cue))| *cue as usize == number));
    }

    #[test]
    fn every_section_of_the_file_is_a_known_kind() {
        for line in include_str!("cues.txt").lines().filter(|line| line.starts_with('[')) {
            let kind = line.trim_matches(['[', ']']).split_once(' ').map(|(_, kind)| kind);
            assert!(kind.and_then(cue_of).is_some(), "{line}");
        }
    }
}
