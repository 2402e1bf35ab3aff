//! What a page is about, as terms: words, and pairs of Chinese characters. Links that have such a term are on its topic.

use rustc_hash::{FxHashMap, FxHashSet};

use super::groups::Group;
use super::outline::{Outline, Unit};
use super::reading::{NUMBER, WIDE, wide_hash};
use super::stops::{is_stop, is_wide_stop_hash};
use super::tables::pair;

/// How many of the most frequent terms of the main text count as its topic, and how often each must occur.
const FREQUENT_MAX: usize = 12;
const FREQUENT_COUNT_MIN: u32 = 3;
/// Terms up to which a text is too short to repeat what it is about, so that every term of it counts.
const SHORT_TEXT_MAX: u32 = 120;
/// Units of main text that are read.
const UNITS_MAX: usize = 400;

/// The terms that a page is about.
pub(super) struct Topic(FxHashSet<u32>);

impl Topic {
    /// The terms of its title that its main text uses, and the most frequent ones of the text.
    pub(super) fn of(outline: &Outline, groups: &[Group], title: &[u32]) -> Topic {
        let mut counts: FxHashMap<u32, u32> = FxHashMap::default();
        let main = groups.iter().filter(|group| group.is_main).flat_map(|group| &outline.units[group.units.clone()]);
        for unit in main.take(UNITS_MAX) {
            terms(outline.words_of(unit)).for_each(|term| *counts.entry(term).or_default() += 1);
        }
        let mut topic: FxHashSet<u32> =
            terms(title).filter(|term| counts.is_empty() || counts.contains_key(term)).collect();
        if counts.values().sum::<u32>() <= SHORT_TEXT_MAX {
            topic.extend(counts.into_keys());
            return Topic(topic);
        }
        let mut frequent: Vec<_> = counts.into_iter().filter(|&(_, count)| count >= FREQUENT_COUNT_MIN).collect();
        frequent.sort_unstable_by_key(|&(term, count)| (std::cmp::Reverse(count), term));
        topic.extend(frequent.into_iter().take(FREQUENT_MAX).map(|(term, _)| term));
        Topic(topic)
    }

    /// Whether a unit has a term of the topic.
    pub(super) fn touches(&self, outline: &Outline, unit: &Unit) -> bool {
        terms(outline.words_of(unit)).any(|term| self.0.contains(&term))
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
