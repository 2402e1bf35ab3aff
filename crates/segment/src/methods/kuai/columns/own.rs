//! Columns of a unit's own text.

use kuai_page::Tag;

use super::super::head::Head;
use super::super::outline::{Outline, Unit};
use super::super::reading::hash_words;
use super::copies::Copies;
use super::{columns, log};

columns!(NAMES, write(unit: &Unit, tag: Tag, title_recall: f32, copies: u8) {
    "length" => log(unit.text.length),
    "link" => unit.text.link,
    "tag" => tag_class(tag),
    "title_recall" => title_recall,
    "copies" => copies,
});

/// How much a unit shares with the title and the description.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Overlap {
    pub(super) title_recall: f32,
    pub(super) title_precision: f32,
    pub(super) description_recall: f32,
}

/// What must be known of all units first.
pub(super) struct Own {
    title_recalls: Vec<f32>,
    /// The words of the page's title.
    pub(super) title_words: Vec<u32>,
}

impl Own {
    pub(super) fn of(head: &Head<'_>, overlaps: &[Overlap]) -> Own {
        Own {
            title_recalls: overlaps.iter().map(|overlap| overlap.title_recall).collect(),
            title_words: hash_words(&head.title[..head.title.floor_char_boundary(2_000)]),
        }
    }

    pub(super) fn write_unit(&self, outline: &Outline, copies: &Copies, index: usize, row: &mut Vec<f32>) {
        let unit = &outline.units[index];
        write(unit, outline.tag_of(unit), self.title_recalls[index], copies.all[index], row);
    }
}

/// What each unit shares with the title and the description.
pub(super) fn overlaps(outline: &Outline, head: &Head<'_>) -> Vec<Overlap> {
    let title = Wanted::new(&head.title);
    let description = Wanted::new(head.description);
    let overlap = |unit: &Unit| {
        let words = outline.words_of(unit);
        let count = words.len().max(1) as f32;
        let (recall, found) = title.found_in(words);
        Overlap {
            title_recall: recall,
            title_precision: found / count,
            description_recall: description.found_in(words).0,
        }
    };
    outline.units.iter().map(overlap).collect()
}

/// Words of a title or description at most.
const WANTED_MAX: usize = 64;

/// The distinct words of a short text, to be found in others.
struct Wanted {
    words: Vec<u32>,
    /// Which last bits the words have, to say no at once.
    endings: [u64; ENDINGS / 64],
}

/// How many endings of words are told apart.
const ENDINGS: usize = 1 << 10;

impl Wanted {
    fn new(text: &str) -> Wanted {
        let mut words = hash_words(&text[..text.floor_char_boundary(2_000)]);
        words.sort_unstable();
        words.dedup();
        words.truncate(WANTED_MAX);
        let mut endings = [0; ENDINGS / 64];
        for word in &words {
            let ending = *word as usize % ENDINGS;
            endings[ending / 64] |= 1 << (ending % 64);
        }
        Wanted { words, endings }
    }

    fn may_have(&self, word: u32) -> bool {
        let ending = word as usize % ENDINGS;
        self.endings[ending / 64] >> (ending % 64) & 1 == 1
    }

    /// The share of the words that are there, and their number.
    fn found_in(&self, words: &[u32]) -> (f32, f32) {
        let mut found = 0_u64;
        for word in words.iter().filter(|&&word| self.may_have(word)) {
            if let Ok(place) = self.words.binary_search(word) {
                found |= 1 << place;
            }
        }
        let count = found.count_ones() as f32;
        (count / self.words.len().max(1) as f32, count)
    }
}

fn tag_class(tag: Tag) -> u8 {
    use Tag::*;
    match tag {
        P => 1,
        Div => 2,
        Li => 3,
        Td | Th => 4,
        H1 => 5,
        H2 => 6,
        H3 => 7,
        H4 | H5 | H6 => 8,
        Pre => 9,
        Blockquote => 10,
        Figcaption | Caption => 11,
        Dt => 12,
        Dd => 13,
        Button => 14,
        Label => 15,
        Section | Article => 16,
        Body => 17,
        Summary => 18,
        Unknown => 19,
        Noscript => 20,
        _ => 0,
    }
}
