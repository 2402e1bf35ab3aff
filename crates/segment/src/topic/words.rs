//! Words of a text, English and the like by spaces, Chinese by phrases between punctuation: no dictionary is needed.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

/// What a word is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Script {
    /// Words stand between spaces.
    Spaced,
    /// Characters stand without spaces; two count as a word.
    Wide,
}

/// Whether a text has more words than this; two Chinese characters count as one.
pub(super) fn has_more_words(text: &str, words_max: usize) -> bool {
    let mut word_count = 0;
    segments(text).any(|(script, segment)| {
        word_count += words_in(script, segment);
        word_count > words_max
    })
}

/// The first distinct words of a text without stop words.
pub(super) fn trim(text: &str, words_max: usize) -> String {
    let mut kept: Vec<String> = Vec::new();
    let mut words_left = words_max;
    for (script, segment) in segments(text) {
        let is_stop = script == Script::Spaced && is_stop_word(&lower(segment));
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
    for (place, (script, segment)) in segments(text).enumerate() {
        match script {
            Script::Spaced => add(stem(lower(segment)), place),
            Script::Wide => {
                wide_characters += segment.chars().count();
                pairs(segment).for_each(|pair| add(pair.into(), place));
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
        let phrase = segments(text).map(|(_, segment)| segment).find(|segment| segment.contains(first))?;
        return Some(phrase.chars().take(words_max * 2).collect());
    }
    Some(often.iter().take(words_max).map(|(.., word)| *word).collect::<Vec<_>>().join(" "))
}

/// The words and Chinese phrases of a text, punctuation left out.
fn segments(text: &str) -> impl Iterator<Item = (Script, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let script = loop {
            // Nearly all that parts words is ASCII, and passed byte by byte.
            let parting = rest.bytes().position(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())?;
            rest = &rest[parting..];
            let character = rest.chars().next()?;
            match script_of(character) {
                Some(script) => break script,
                None => rest = &rest[character.len_utf8()..],
            }
        };
        let (segment, after) = rest.split_at(segment_length(rest, script));
        rest = after;
        Some((script, segment))
    })
}

/// How many bytes of a text are of this script, that of its first character.
fn segment_length(text: &str, script: Script) -> usize {
    let is_latin = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'\'';
    let latin = match script {
        Script::Spaced => text.bytes().position(|byte| !is_latin(byte)).unwrap_or(text.len()),
        Script::Wide => 0,
    };
    match text.as_bytes().get(latin) {
        Some(next) if !next.is_ascii() => {
            let goes_on = |character| script_of(character) == Some(script) || character == '\'';
            text[latin..].find(|character| !goes_on(character)).map_or(text.len(), |length| latin + length)
        }
        _ => latin,
    }
}

fn script_of(character: char) -> Option<Script> {
    if character.is_ascii() {
        return character.is_ascii_alphanumeric().then_some(Script::Spaced);
    }
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

/// Neighbouring characters of a text, two by two: `abc` gives `ab` and `bc`.
fn pairs(text: &str) -> impl Iterator<Item = &str> {
    let ends = text.char_indices().skip(1).map(|(place, character)| place + character.len_utf8());
    text.char_indices().zip(ends).map(|((start, _), end)| &text[start..end])
}

/// The word in lower case; most are, and are not copied.
fn lower(word: &str) -> Cow<'_, str> {
    let is_lower = word.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
    if is_lower { word.into() } else { word.to_lowercase().into() }
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
        assert!(has_more_words("用 Rust 写的网页，很快", 1 + 1 + 2));
        assert!(!has_more_words("用 Rust 写的网页，很快", 1 + 1 + 2 + 1));
        assert!(!has_more_words("don't stop", 2));
    }

    #[test]
    fn a_trimmed_text_has_each_word_once() {
        assert_eq!(trim("News, the news and News of 北京奥运会开幕式", 5), "News news 北京奥运会开");
    }
}
