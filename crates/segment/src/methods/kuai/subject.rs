//! What a page says it is about: the words of its title and of its description, to be found in its units.

use super::head::Head;
use super::reading::hash_words;

/// Bytes of a title or description that are read.
const BYTES_MAX: usize = 2_000;
/// Words of a title or description at most.
const WORDS_MAX: usize = 64;
/// How many endings of words are told apart.
const ENDINGS: usize = 1 << 10;

pub(super) struct Subject {
    pub(super) title: Wanted,
    pub(super) description: Wanted,
    /// The words of the title as they stand there.
    pub(super) title_words: Vec<u32>,
}

impl Subject {
    pub(super) fn of(head: &Head<'_>) -> Subject {
        let words_of = |text: &str| hash_words(&text[..text.floor_char_boundary(BYTES_MAX)]);
        let title_words = words_of(&head.title);
        Subject {
            title: Wanted::new(title_words.clone()),
            description: Wanted::new(words_of(head.description)),
            title_words,
        }
    }
}

/// The distinct words of a short text, to be found in others.
pub(super) struct Wanted {
    words: Vec<u32>,
    /// Which last bits the words have, to say no at once.
    endings: [u64; ENDINGS / 64],
}

impl Wanted {
    fn new(mut words: Vec<u32>) -> Wanted {
        words.sort_unstable();
        words.dedup();
        words.truncate(WORDS_MAX);
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

    /// How many of the words are there.
    pub(super) fn count_in(&self, words: &[u32]) -> u8 {
        let mut found = 0_u64;
        for word in words.iter().filter(|&&word| self.may_have(word)) {
            if let Ok(place) = self.words.binary_search(word) {
                found |= 1 << place;
            }
        }
        found.count_ones() as u8
    }

    /// Which share of the words so many are.
    pub(super) fn share(&self, count: u8) -> f32 {
        f32::from(count) / self.words.len().max(1) as f32
    }
}
