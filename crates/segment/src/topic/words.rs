//! Words of a text, English and the like by spaces, Chinese by phrases between punctuation: no dictionary is needed.

use std::collections::HashMap;

/// What a word is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Script {
    /// Words stand between spaces.
    Spaced,
    /// Characters stand without spaces; two count as a word.
    Wide,
}

/// How many words a text has; two Chinese characters count as one.
pub(super) fn count_words(text: &str) -> usize {
    segments(text).map(|(script, segment)| words_in(script, segment)).sum()
}

/// The first distinct words of a text without stop words.
pub(super) fn trim(text: &str, words_max: usize) -> String {
    let mut kept: Vec<String> = Vec::new();
    let mut words_left = words_max;
    for (script, segment) in segments(text) {
        let is_stop = script == Script::Spaced && is_stop_word(&segment.to_lowercase());
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

/// The words of a text that occur often, most frequent first; of a Chinese text the phrase with its most frequent pair of
/// characters. `None` where nothing occurs often enough.
pub(super) fn frequent(text: &str, words_max: usize, occurrences_min: usize) -> Option<String> {
    let mut counts: HashMap<String, (usize, usize)> = HashMap::new();
    let mut add = |word: String, place: usize| counts.entry(word).or_insert((0, place)).0 += 1;
    let mut wide_characters = 0;
    for (place, (script, segment)) in segments(text).enumerate() {
        match script {
            Script::Spaced => add(stem(&segment.to_lowercase()), place),
            Script::Wide => {
                wide_characters += segment.chars().count();
                let next = segment.chars().skip(1);
                segment.chars().zip(next).for_each(|(one, other)| add(String::from_iter([one, other]), place));
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
        .map(|(word, &(count, place))| (std::cmp::Reverse(count), place, word.as_str()))
        .collect();
    often.sort_unstable();
    let (.., first) = often.first()?;
    if is_wide {
        let phrase = segments(text).map(|(_, segment)| segment).find(|segment| segment.contains(first))?;
        return Some(phrase.chars().take(words_max * 2).collect());
    }
    Some(often.iter().take(words_max).map(|(.., word)| *word).collect::<Vec<_>>().join(" "))
}

/// The words and Chinese phrases of a text, punctuation left out.
fn segments(text: &str) -> impl Iterator<Item = (Script, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|character| script_of(character).is_none());
        let script = script_of(rest.chars().next()?)?;
        let end =
            rest.find(|character| script_of(character) != Some(script) && character != '\'').unwrap_or(rest.len());
        let (segment, after) = rest.split_at(end);
        rest = after;
        Some((script, segment))
    })
}

fn script_of(character: char) -> Option<Script> {
    match character {
        '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}' => {
            Some(Script::Wide)
        }
        _ if character.is_alphanumeric() => Some(Script::Spaced),
        _ => None,
    }
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
fn stem(word: &str) -> String {
    match word.strip_suffix('s') {
        Some(stem) if stem.len() > 3 && !stem.ends_with('s') => stem.to_owned(),
        _ => word.to_owned(),
    }
}

fn is_stop_word(word: &str) -> bool {
    word.chars().all(|character| character.is_ascii_digit()) || STOP_WORDS.binary_search(&word).is_ok()
}

fn is_stop_character(character: char) -> bool {
    "的了是在和与及或也就都而着被把让给这那我你他她它们不有为之其于以一个".contains(character)
}

/// Words that say nothing about a topic, sorted.
const STOP_WORDS: &[&str] = &[
    "a", "about", "after", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by",
    "can", "could", "did", "do", "for", "from", "had", "has", "have", "he", "her", "his", "how", "i", "if", "in",
    "into", "is", "it", "its", "may", "more", "most", "my", "no", "not", "of", "on", "one", "or", "other", "our",
    "out", "over", "s", "said", "she", "should", "so", "some", "such", "t", "than", "that", "the", "their", "them",
    "then", "there", "these", "they", "this", "those", "to", "up", "was", "we", "were", "what", "when", "where",
    "which", "while", "who", "will", "with", "would", "you", "your",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_words_are_sorted() {
        assert!(STOP_WORDS.is_sorted());
    }

    #[test]
    fn two_chinese_characters_are_a_word() {
        assert_eq!(count_words("用 Rust 写的网页，很快"), 1 + 1 + 2 + 1);
        assert_eq!(count_words("don't stop"), 2);
    }

    #[test]
    fn a_trimmed_text_has_each_word_once() {
        assert_eq!(trim("News, the news and News of 北京奥运会开幕式", 5), "News news 北京奥运会开");
    }
}
