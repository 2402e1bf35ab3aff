//! The words of a text: English and the like stand between spaces, Chinese is cut at punctuation, so no dictionary is needed.

use std::borrow::Cow;

/// What a word is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Script {
    /// Words stand between spaces.
    Spaced,
    /// Characters stand without spaces; two count as a word.
    Wide,
}

/// The words and Chinese phrases of a text, punctuation left out.
///
/// ```
/// use kuai_page::{Script, words};
///
/// let found: Vec<_> = words("Blocks, 网页分块!").collect();
/// assert_eq!(found, [(Script::Spaced, "Blocks"), (Script::Wide, "网页分块")]);
/// ```
pub fn words(text: &str) -> impl Iterator<Item = (Script, &str)> {
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
        let (word, after) = rest.split_at(word_length(rest, script));
        rest = after;
        Some((script, word))
    })
}

/// How many bytes of a text are of this script, that of its first character.
fn word_length(text: &str, script: Script) -> usize {
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

/// What words with this character are made of; `None` for what stands between words.
pub fn script_of(character: char) -> Option<Script> {
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

/// Neighbouring characters of a text, two by two: `abc` gives `ab` and `bc`.
pub fn character_pairs(text: &str) -> impl Iterator<Item = &str> {
    let ends = text.char_indices().skip(1).map(|(place, character)| place + character.len_utf8());
    text.char_indices().zip(ends).map(|((start, _), end)| &text[start..end])
}

/// The word in lower case; most are, and are not copied.
pub fn lower_case(word: &str) -> Cow<'_, str> {
    let is_lower = word.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
    if is_lower { word.into() } else { word.to_lowercase().into() }
}

/// Whether a word, in lower case, says nothing about a topic: a number, or one that stands in every English text.
pub fn is_stop_word(word: &str) -> bool {
    word.chars().all(|character| character.is_ascii_digit()) || STOP_WORDS.binary_search(&word).is_ok()
}

/// Whether a Chinese character says nothing about a topic.
pub fn is_stop_character(character: char) -> bool {
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
    fn scripts_part_words() {
        let found: Vec<_> = words("don't 用Rust写，très\tvite").map(|(_, word)| word).collect();
        assert_eq!(found, ["don't", "用", "Rust", "写", "très", "vite"]);
        assert_eq!(character_pairs("一二三").collect::<Vec<_>>(), ["一二", "二三"]);
    }
}
