//! How many words a text has, which of them say something, and which it has most.

use std::borrow::Cow;

use kuai_page::{Script, character_pairs, is_stop_character, is_stop_word, lower_case, script_of, words};
use rustc_hash::FxHashMap;

/// Whether a text has more words than this; two Chinese characters count as one.
pub(super) fn has_more_words(text: &str, words_max: usize) -> bool {
    let mut word_count = 0;
    words(text).any(|(script, segment)| {
        word_count += words_in(script, segment);
        word_count > words_max
    })
}

/// The first distinct words of a text without stop words.
pub(super) fn trim(text: &str, words_max: usize) -> String {
    let mut kept: Vec<String> = Vec::new();
    let mut words_left = words_max;
    for (script, segment) in words(text) {
        let is_stop = script == Script::Spaced && is_stop_word(&lower_case(segment));
        if is_stop || kept.iter().any(|word| word == segment) {
            continue;
        }
        kept.push(match script {
            Script::Spaced => segment.to_owned(),
            Script::Wide => segment.chars().take(words_left * 2).collect(),
        });
        words_left = words_left.saturating_sub(words_in(script, segment));
        if words_left == 0 {
            break;
        }
    }
    kept.join(" ")
}

/// Bytes of text for each word that was not said before, about.
const BYTES_PER_NEW_WORD: usize = 16;

/// The words of a text that occur often, most frequent first; of a Chinese text the phrase with its most frequent pair of
/// characters. `None` where nothing occurs often enough.
pub(super) fn frequent(text: &str, words_max: usize, occurrences_min: usize) -> Option<String> {
    let mut counts: FxHashMap<Cow<'_, str>, (usize, usize)> =
        FxHashMap::with_capacity_and_hasher(text.len() / BYTES_PER_NEW_WORD, Default::default());
    let mut add = |word, place| counts.entry(word).or_insert((0, place)).0 += 1;
    let mut wide_characters = 0;
    for (place, (script, segment)) in words(text).enumerate() {
        match script {
            Script::Spaced => add(stem(lower_case(segment)), place),
            Script::Wide => {
                wide_characters += segment.chars().count();
                character_pairs(segment).for_each(|pair| add(pair.into(), place));
            }
        }
    }
    let is_wide = wide_characters * 3 > text.len() / 2;
    let is_candidate = |word: &str| {
        is_wide_text(word) == is_wide && !is_stop_word(word) && !word.chars().any(is_stop_character) && word.len() > 1
    };
    let mut often: Vec<_> = counts
        .iter()
        .filter(|(word, (count, _))| *count >= occurrences_min && is_candidate(word))
        .map(|(word, &(count, place))| (std::cmp::Reverse(count), place, &**word))
        .collect();
    often.sort_unstable();
    let (.., first) = often.first()?;
    if is_wide {
        let phrase = words(text).map(|(_, segment)| segment).find(|segment| segment.contains(first))?;
        return Some(phrase.chars().take(words_max * 2).collect());
    }
    Some(often.iter().take(words_max).map(|(.., word)| *word).collect::<Vec<_>>().join(" "))
}

fn is_wide_text(word: &str) -> bool {
    word.chars().next().and_then(script_of) == Some(Script::Wide)
}

fn words_in(script: Script, segment: &str) -> usize {
    match script {
        Script::Spaced => 1,
        Script::Wide => segment.chars().count().div_ceil(2),
    }
}

/// Folds the plural, which is what matters for counting.
fn stem(word: Cow<'_, str>) -> Cow<'_, str> {
    let is_plural = word.len() > 4 && word.ends_with('s') && !word.ends_with("ss");
    match word {
        Cow::Borrowed(word) if is_plural => Cow::Borrowed(&word[..word.len() - 1]),
        Cow::Owned(mut word) if is_plural => {
            word.pop();
            Cow::Owned(word)
        }
        word => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_chinese_characters_are_a_word() {
        assert!(has_more_words("用 Rust 写的网页，很快", 1 + 1 + 2));
        assert!(!has_more_words("用 Rust 写的网页，很快", 1 + 1 + 2 + 1));
        assert!(!has_more_words("don't stop", 2));
    }

    #[test]
    fn a_trimmed_text_has_each_word_once() {
        assert_eq!(trim("News, the news and News of 北京奥运会开幕式", 5), "News news 北京奥运会开");
    }
}
