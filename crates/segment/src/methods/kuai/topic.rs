//! What a page is about, as terms: words, and pairs of Chinese characters. Links that have such a term are on its topic.

use rustc_hash::FxHashSet;

use super::groups::Group;
use super::outline::{Outline, Unit};
use super::reading::{NUMBER, WIDE, wide_hash};
use super::stops::{is_stop, is_wide_stop_hash};
use super::tables::pair;

/// How many of the most frequent terms of the main text count as its topic, and how often each must occur.
const FREQUENT_MAX: usize = 12;
const FREQUENT_COUNT_MIN: usize = 3;
/// Terms up to which a text is too short to repeat what it is about, so that every term of it counts.
const SHORT_TEXT_MAX: usize = 120;
/// Units of main text that are read.
const UNITS_MAX: usize = 400;

/// The terms that a page is about.
pub(super) struct Topic(FxHashSet<u32>);

impl Topic {
    /// The terms of its title that its main text uses, and the most frequent ones of the text.
    pub(super) fn of(outline: &Outline, groups: &[Group], title: &[u32]) -> Topic {
        let main = || {
            let groups = groups.iter().filter(|group| group.is_main);
            groups.flat_map(|group| &outline.units[group.units.clone()]).take(UNITS_MAX)
        };
        // All of them in order, not counted in a map: on a page of text that map would be larger than the page.
        let mut of_text = Vec::with_capacity(main().map(|unit| unit.text.words as usize).sum());
        main().for_each(|unit| of_text.extend(terms(&outline.all_words_of(unit))));
        of_text.sort_unstable();
        let is_used = |term: &u32| of_text.is_empty() || of_text.binary_search(term).is_ok();
        let mut topic: FxHashSet<u32> = terms(title).filter(is_used).collect();
        if of_text.len() <= SHORT_TEXT_MAX {
            topic.extend(of_text);
            return Topic(topic);
        }
        let same = of_text.chunk_by(u32::eq).map(|same| (same[0], same.len()));
        let mut frequent: Vec<_> = same.filter(|&(_, count)| count >= FREQUENT_COUNT_MIN).collect();
        frequent.sort_unstable_by_key(|&(term, count)| (std::cmp::Reverse(count), term));
        topic.extend(frequent.into_iter().take(FREQUENT_MAX).map(|(term, _)| term));
        Topic(topic)
    }

    /// Whether a unit has a term of the topic.
    pub(super) fn touches(&self, outline: &Outline, unit: &Unit) -> bool {
        terms(&outline.all_words_of(unit)).any(|term| self.0.contains(&term))
    }
}

/// The terms among words: no stop words, no numbers.
fn terms(words: &[u32]) -> impl Iterator<Item = u32> {
    let is_empty = |word: u32| is_wide_stop_hash(word, wide_hash);
    words.iter().enumerate().filter_map(move |(index, &word)| {
        if word & WIDE == 0 {
            return (word & NUMBER == 0 && !is_stop(word)).then_some(word);
        }
        let next = words.get(index + 1).copied().filter(|next| next & WIDE != 0)?;
        (!is_empty(word) && !is_empty(next)).then(|| pair(word, next))
    })
}
