//! Noise inside text: phrases that a site puts between the words of its pages, as "read this on our mobile site".

use rustc_hash::FxHashMap;

use super::reading::Reading;
use super::text_block::{fingerprint, push_words, text_blocks};

/// Phrases of a model.
const PHRASES_MAX: usize = 1_000;
/// Characters of a phrase.
const PHRASE_CHARACTERS_MAX: usize = 400;
/// Fewer words stand anywhere by chance.
const PHRASE_WORDS_MIN: usize = 2;

/// The phrases of a site.
#[derive(Clone, Debug, Default)]
pub(super) struct Phrases {
    list: Vec<String>,
    /// By the words of the first block: all words, and how many blocks they are.
    by_first: FxHashMap<u64, Vec<(u64, usize)>>,
}

impl Phrases {
    /// Phrases as listed; those that are too long or too many are left out.
    pub(super) fn from_list(list: impl IntoIterator<Item = String>) -> Phrases {
        let mut phrases = Phrases::default();
        for phrase in list {
            phrases.add(phrase);
        }
        phrases
    }

    pub(super) fn list(&self) -> &[String] {
        &self.list
    }

    fn add(&mut self, phrase: String) {
        let (first, all, block_count, word_count) = prints(text_blocks(&phrase));
        let is_fit = word_count >= PHRASE_WORDS_MIN && phrase.chars().count() <= PHRASE_CHARACTERS_MAX;
        let same_first = self.by_first.entry(first).or_default();
        if is_fit && self.list.len() < PHRASES_MAX && !same_first.contains(&(all, block_count)) {
            same_first.push((all, block_count));
            self.list.push(phrase);
        }
    }

    /// How many blocks from this one on, of those before `end`, are a phrase.
    pub(super) fn at(&self, reading: &Reading<'_>, block: usize, end: usize) -> Option<usize> {
        if self.by_first.is_empty() {
            return None;
        }
        let words = |blocks: std::ops::Range<usize>| {
            let (first, last) = (&reading.blocks[blocks.start], &reading.blocks[blocks.end - 1]);
            fingerprint(&reading.words[first.words.start..last.words.end])
        };
        let same_first = self.by_first.get(&words(block..block + 1))?;
        let fits = |(all, count): &&(u64, usize)| block + count <= end && words(block..block + count) == *all;
        same_first.iter().filter(fits).map(|(_, count)| *count).max()
    }
}

/// Of a phrase: its first block's words, all its words, and how many blocks and words it has.
fn prints<'t>(blocks: impl Iterator<Item = &'t str>) -> (u64, u64, usize, usize) {
    let (mut words, mut first, mut count) = (Vec::new(), None, 0);
    for block in blocks {
        push_words(block, &mut words);
        first.get_or_insert_with(|| fingerprint(&words));
        count += 1;
    }
    (first.unwrap_or_default(), fingerprint(&words), count, words.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::areas::Place;
    use kuai_page::Page;

    #[test]
    fn a_phrase_of_several_blocks_is_found_whole_or_not_at_all() {
        let phrases = Phrases::from_list(["（本章未完，请翻页）".to_owned(), "x".to_owned()]);
        assert_eq!(phrases.list().len(), 1);
        let page = Page::from_html("<p>他走了。（本章未完，请翻页）他来了。（本章未完，真的）x");
        let reading = Reading::of(&page, |_, _| Place::ROOT);
        let end = reading.blocks.len();
        let found: Vec<_> = (0..end).map(|block| phrases.at(&reading, block, end)).collect();
        assert_eq!(found.iter().flatten().count(), 1, "{found:?}");
        assert_eq!(found[1], Some(2), "{found:?}");
        assert_eq!(phrases.at(&reading, 1, 2), None);
    }
}
