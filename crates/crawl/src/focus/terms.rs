//! The terms that topics are made of: English words in lower case, without stop words and endings; pairs of Chinese characters.
//!
//! Names of programmers are read as what they say: `HashMap` and `hash_map` are both `hash` and `map`.

use kuai_page::{Script, character_pairs, is_stop_character, is_stop_word, words};

/// Terms of one text that are read, at most.
const TERMS_MAX: usize = 20_000;

/// Letters of a word that are read, at most; what is longer is no word but data.
const LETTERS_MAX: usize = 40;

/// Hands every term of a text to `take`, in order, and tells how many there are.
pub(super) fn for_each_term(text: &str, mut take: impl FnMut(&str)) -> usize {
    let mut term_count = 0;
    let mut lower = String::new();
    for (script, word) in words(text) {
        if term_count >= TERMS_MAX {
            break;
        }
        let mut count = |term: &str| {
            take(term);
            term_count += 1;
        };
        match script {
            Script::Spaced => {
                for part in humps(word) {
                    stem(part, &mut lower).map(&mut count);
                }
            }
            Script::Wide => character_pairs(word).filter(|pair| !pair.contains(is_stop_character)).for_each(&mut count),
        }
    }
    term_count
}

/// The parts of a name that is written together: `HashMap` gives `Hash` and `Map`.
fn humps(word: &str) -> impl Iterator<Item = &str> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let end = hump_end(rest);
        let (part, after) = rest.split_at(end);
        rest = after;
        Some(part).filter(|part| !part.is_empty())
    })
}

fn hump_end(word: &str) -> usize {
    let bytes = word.as_bytes();
    let is_border = |pair: &[u8]| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase();
    bytes.windows(2).position(is_border).map_or(word.len(), |place| place + 1)
}

/// The word without its ending, written to `lower`; `None` for what says nothing.
fn stem<'a>(word: &str, lower: &'a mut String) -> Option<&'a str> {
    if word.len() > LETTERS_MAX {
        return None;
    }
    lower.clear();
    lower.extend(word.chars().flat_map(char::to_lowercase));
    let word = lower.trim_end_matches("'s").trim_matches('\'');
    if word.len() < 2 || is_stop_word(word) {
        return None;
    }
    Some(without_ending(without_plural(word)))
}

/// Letters that must be left of a word when its ending is gone.
const STEM_MIN: usize = 3;

fn without_plural(word: &str) -> &str {
    let cut = |length: usize| &word[..word.len() - length];
    match word {
        _ if !word.is_ascii() || word.len() <= STEM_MIN => word,
        _ if word.ends_with("ss") || word.ends_with("us") || word.ends_with("is") => word,
        _ if ["sses", "xes", "ches", "shes"].iter().any(|ending| word.ends_with(ending)) => cut(2),
        _ if word.ends_with('s') => cut(1),
        _ => word,
    }
}

/// Folds `locking` and `locked` into `lock`, and `mapping` into `map`.
fn without_ending(word: &str) -> &str {
    let stem = word.strip_suffix("ing").or_else(|| word.strip_suffix("ed"));
    let Some(stem) = stem.filter(|stem| stem.is_ascii() && stem.len() >= STEM_MIN && has_vowel(stem)) else {
        return word;
    };
    let [.., before, last] = stem.as_bytes() else { return stem };
    let is_doubled = before == last && !matches!(last, b'l' | b's' | b'z') && stem.len() > STEM_MIN;
    if is_doubled { &stem[..stem.len() - 1] } else { stem }
}

fn has_vowel(stem: &str) -> bool {
    stem.contains(['a', 'e', 'i', 'o', 'u', 'y'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let mut terms = Vec::new();
        let count = for_each_term(text, |term| terms.push(term.to_owned()));
        assert_eq!(terms, expected, "{text}");
        assert_eq!(count, terms.len());
    }

    #[test]
    fn words_are_folded_to_what_they_share() {
        check("Locking, locked locks and the lock's", &["lock", "lock", "lock", "lock"]);
        check("mapping maps mutexes classes passing", &["map", "map", "mutex", "class", "pass"]);
        check("string bring this is red", &["string", "bring", "red"]);
    }

    #[test]
    fn names_are_read_as_what_they_say() {
        check("HashMap::hash_map unordered_set", &["hash", "map", "hash", "map", "unorder", "set"]);
    }

    #[test]
    fn chinese_is_read_in_pairs_of_characters() {
        check("图层蒙版的Rust 2024", &["图层", "层蒙", "蒙版", "rust"]);
    }

    #[test]
    fn data_is_no_word() {
        check(&"x".repeat(100), &[]);
        let many = "ab ".repeat(TERMS_MAX + 10);
        assert_eq!(for_each_term(&many, |_| {}), TERMS_MAX);
    }
}
