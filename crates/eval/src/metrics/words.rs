//! Bags of words and of four-word shingles: how much of the text is there, and how much too much.
//!
//! A word is a run of letters, digits and underscores; every Chinese or Japanese character is a word of its own.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::Score;

/// Words in a shingle.
const SHINGLE_WORDS: usize = 4;

/// What two bags share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overlap {
    /// In both.
    pub shared: usize,
    /// In the answer.
    pub answered: usize,
    /// In the gold.
    pub wanted: usize,
}

impl Overlap {
    /// Precision, recall and F1. Nothing answered where nothing was wanted is perfect.
    pub fn score(self) -> Score {
        match (self.wanted, self.answered) {
            (0, 0) => Score::new(1.0, 1.0),
            _ => Score::of_counts(self.shared, self.answered, self.wanted),
        }
    }
}

/// The words that gold and answer share, letter case folded.
pub fn word_overlap(gold: &str, answer: &str) -> Overlap {
    let bag = |text: &str| bag(words(text).map(|word| hash(&word.to_lowercase())));
    overlap(&bag(gold), &bag(answer))
}

/// The shingles that gold and answer share.
pub fn shingle_overlap(gold: &str, answer: &str) -> Overlap {
    let bag = |text: &str| {
        let words: Vec<u64> = words(text).map(|word| hash(&word)).collect();
        let whole = (!words.is_empty() && words.len() < SHINGLE_WORDS).then(|| hash(&words.as_slice()));
        bag(words.windows(SHINGLE_WORDS).map(|shingle| hash(&shingle)).chain(whole))
    };
    overlap(&bag(gold), &bag(answer))
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn bag(items: impl Iterator<Item = u64>) -> HashMap<u64, usize> {
    let mut counts = HashMap::new();
    for item in items {
        *counts.entry(item).or_default() += 1;
    }
    counts
}

fn overlap(gold: &HashMap<u64, usize>, answer: &HashMap<u64, usize>) -> Overlap {
    let shared = gold.iter().map(|(item, &count)| count.min(answer.get(item).copied().unwrap_or(0))).sum();
    Overlap { shared, answered: answer.values().sum(), wanted: gold.values().sum() }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.find(|character: char| is_word(character))?;
        rest = &rest[start..];
        let first = rest.chars().next()?;
        let end = if is_cjk(first) {
            first.len_utf8()
        } else {
            rest.find(|character: char| !is_word(character) || is_cjk(character)).unwrap_or(rest.len())
        };
        let (word, after) = rest.split_at(end);
        rest = after;
        Some(word)
    })
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

fn is_cjk(character: char) -> bool {
    matches!(character, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chinese_character_is_a_word() {
        let found: Vec<_> = words("GB 2312是1980年的_标准。").collect();
        assert_eq!(found, ["GB", "2312", "是", "1980", "年", "的", "_", "标", "准"]);
    }

    #[test]
    fn words_count_as_often_as_they_stand() {
        let overlap = word_overlap("a a b", "A a a c");
        assert_eq!(overlap, Overlap { shared: 2, answered: 4, wanted: 3 });
    }

    #[test]
    fn a_text_shorter_than_a_shingle_is_one() {
        assert_eq!(shingle_overlap("one two", "one two").score().f, 1.0);
        assert_eq!(shingle_overlap("one two", "one").score().f, 0.0);
        assert_eq!(shingle_overlap("", "").score().f, 1.0);
    }
}
