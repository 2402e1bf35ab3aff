//! What a page is about, as a set of terms: words of Latin letters and pairs of Chinese characters.
//!
//! In goes text; out come terms that can be compared without knowing the language's dictionary.

use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet};

/// A word, or two Chinese characters that stand together.
pub(super) type Term = u64;

/// Chinese characters that say how words hang together, not what they are about; sorted.
const EMPTY_CHARACTERS: [char; 53] = [
    '一', '上', '下', '不', '与', '个', '中', '为', '之', '也', '了', '于', '人', '他', '们', '会', '你', '個', '其',
    '到', '又', '及', '和', '在', '她', '它', '对', '将', '將', '對', '就', '已', '我', '或', '把', '於', '是', '更',
    '最', '會', '有', '為', '的', '着', '等', '而', '被', '还', '这', '這', '還', '那', '都',
];

/// Latin words that say nothing about a topic.
const EMPTY_WORDS: [&str; 46] = [
    "about", "after", "all", "and", "are", "but", "can", "com", "for", "from", "had", "has", "have", "her", "his",
    "how", "http", "https", "into", "its", "may", "more", "new", "not", "one", "our", "out", "over", "that", "the",
    "their", "they", "this", "two", "was", "were", "what", "when", "where", "who", "why", "will", "with", "www", "you",
    "your",
];

/// Their terms: a number is looked up faster than a word.
static EMPTY_TERMS: LazyLock<FxHashSet<Term>> =
    LazyLock::new(|| EMPTY_WORDS.iter().map(|word| term_of(word.as_bytes())).collect());

/// Marks terms of Latin letters, so that they are never taken for a pair of characters.
const WORD_BIT: u64 = 1 << 63;

/// Calls `take` for every term of a text, in order.
pub(super) fn each_term(text: &str, mut take: impl FnMut(Term)) {
    let mut previous: Option<char> = None;
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        if is_word_character(character) {
            let (word, after) = rest.split_at(word_length(rest));
            word_term(word).into_iter().for_each(&mut take);
            (previous, rest) = (None, after);
            continue;
        }
        let ideograph =
            (is_ideograph(character) && EMPTY_CHARACTERS.binary_search(&character).is_err()).then_some(character);
        if let (Some(first), Some(second)) = (previous, ideograph) {
            take(u64::from(u32::from(first)) << 32 | u64::from(u32::from(second)));
        }
        (previous, rest) = (ideograph, &rest[character.len_utf8()..]);
    }
}

/// The terms of a text.
pub(super) fn terms(text: &str) -> FxHashSet<Term> {
    let mut found = FxHashSet::default();
    each_term(text, |term| {
        found.insert(term);
    });
    found
}

/// The share of a text's terms that a set holds.
pub(super) fn share_in(text: &str, set: &FxHashSet<Term>) -> f64 {
    let mut own = Vec::new();
    each_term(text, |term| own.push(term));
    own.sort_unstable();
    own.dedup();
    if own.is_empty() { 0.0 } else { own.iter().filter(|term| set.contains(term)).count() as f64 / own.len() as f64 }
}

/// How many of the most frequent terms of the main text count as its topic, and how often each must occur.
// Decision: SPCOLA says "on the topic" without a measure; these were tried on the labelled Chinese pages.
const FREQUENT_TERMS_MAX: usize = 12;
const FREQUENT_COUNT_MIN: u32 = 3;

/// Terms up to which a text is too short to repeat what it is about, so that every term of it counts.
const SHORT_TEXT_TERMS_MAX: u32 = 120;

/// Distinct terms that room is made for; a text of some paragraphs has no more.
const DISTINCT_TERMS_EXPECTED: usize = 512;

/// What a page is about: the terms of its title that its text uses, and the most frequent terms of its text.
pub(super) fn topic<'a>(title: &str, main_text: impl Iterator<Item = &'a str>) -> FxHashSet<Term> {
    let mut counts: FxHashMap<Term, u32> =
        FxHashMap::with_capacity_and_hasher(DISTINCT_TERMS_EXPECTED, Default::default());
    for text in main_text {
        each_term(text, |term| *counts.entry(term).or_default() += 1);
    }
    let mut topic: FxHashSet<Term> = terms(title);
    topic.retain(|term| counts.is_empty() || counts.contains_key(term));
    if counts.values().sum::<u32>() <= SHORT_TEXT_TERMS_MAX {
        topic.extend(counts.into_keys());
        return topic;
    }
    let mut frequent: Vec<_> = counts.into_iter().filter(|&(_, count)| count >= FREQUENT_COUNT_MIN).collect();
    frequent.sort_unstable_by_key(|&(term, count)| (std::cmp::Reverse(count), term));
    topic.extend(frequent.into_iter().take(FREQUENT_TERMS_MAX).map(|(term, _)| term));
    topic
}

/// Whether a text has a term of the topic.
pub(super) fn touches(text: &str, topic: &FxHashSet<Term>) -> bool {
    let mut found = false;
    each_term(text, |term| found |= topic.contains(&term));
    found
}

/// How many bytes of a text belong to the word that it begins with.
fn word_length(text: &str) -> usize {
    let is_end = |byte: u8| !byte.is_ascii_alphanumeric();
    let latin = text.bytes().position(is_end).unwrap_or(text.len());
    match text.as_bytes().get(latin) {
        // Letters of other scripts may follow.
        Some(next) if !next.is_ascii() => {
            text[latin..].find(|next| !is_word_character(next)).map_or(text.len(), |length| latin + length)
        }
        _ => latin,
    }
}

fn is_word_character(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphanumeric();
    }
    !is_ideograph(character) && character.is_alphanumeric()
}

fn is_ideograph(character: char) -> bool {
    matches!(character, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Bytes of a word that are compared.
const WORD_BYTES_MAX: usize = 48;

/// Bytes of the longest empty word.
const EMPTY_WORD_BYTES_MAX: usize = 5;

/// A number for a word of at least three letters that means something; figures mean nothing by themselves.
fn word_term(word: &str) -> Option<Term> {
    let is_short = if word.is_ascii() { word.len() < 3 } else { word.chars().nth(2).is_none() };
    if is_short || word.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let term = term_of(&word.as_bytes()[..word.len().min(WORD_BYTES_MAX)]);
    // No empty word is longer.
    let is_empty = word.len() <= EMPTY_WORD_BYTES_MAX && EMPTY_TERMS.contains(&term);
    (!is_empty).then_some(term)
}

/// Folds eight bytes at a time, the same on every machine, so that labels are too. Letters are taken without the bit that tells their case.
fn term_of(word: &[u8]) -> Term {
    const CASE_BITS: u64 = u64::from_le_bytes([0x20; 8]);
    let fold = |hash: u64, bytes: &[u8]| {
        let mut eight = [0; 8];
        eight[..bytes.len()].copy_from_slice(bytes);
        let mixed = (hash ^ (u64::from_le_bytes(eight) | CASE_BITS)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed ^ mixed >> 32
    };
    word.chunks(8).fold(word.len() as u64, fold) | WORD_BIT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_characters_are_sorted() {
        assert!(EMPTY_CHARACTERS.is_sorted());
    }

    #[test]
    fn empty_words_are_no_terms_in_either_case() {
        for word in EMPTY_WORDS {
            assert!(terms(word).is_empty() && terms(&word.to_uppercase()).is_empty(), "{word}");
        }
    }

    #[test]
    fn words_and_pairs_of_characters_are_terms() {
        assert_eq!(terms("月球探测 Moon landing").len(), 5);
        assert_eq!(terms("的月 the 12"), FxHashSet::default());
        assert_eq!(terms("Moon"), terms("moon"));
    }

    #[test]
    fn the_topic_is_what_title_and_text_share_and_what_the_text_repeats() {
        let text = ["月球样品运回。", "土壤分析，土壤分析，土壤分析。", &"某某说法。".repeat(60)];
        let topic = topic("月球样品 某网", text.into_iter());
        assert!(touches("月球背面", &topic) && touches("火星土壤", &topic));
        assert!(!touches("某网首页", &topic));
    }
}
