//! Folds the ways to write a word into one: width, case, marks, ligatures, traditional forms.

use std::collections::HashMap;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;

use super::bounded;

/// Pairs of a traditional and a simplified ideograph; `scripts/traditional-table` makes them.
const TRADITIONAL: &str = include_str!("traditional.txt");

static SIMPLIFIED: LazyLock<HashMap<char, char>> = LazyLock::new(|| {
    let pair = |pair: &'static str| {
        let mut letters = pair.chars();
        Some((letters.next()?, letters.next()?))
    };
    TRADITIONAL.split_whitespace().filter_map(pair).collect()
});

/// A word in one width and in small letters; numbers without what groups their digits. Marks are left to the stemmers, which need them.
pub(super) fn word(word: &str) -> String {
    let word = bounded(word);
    let folded = match word.is_ascii() {
        true => word.to_ascii_lowercase(),
        false => word.nfkc().flat_map(char::to_lowercase).collect(),
    };
    if folded.contains(',') { folded.replace(',', "") } else { folded }
}

/// A word without the marks on its letters, and with two letters for one where people write either.
pub(super) fn without_marks(word: &str) -> String {
    let is_kept = |letter: &char| !('\u{300}'..='\u{36F}').contains(letter);
    let mut folded = String::with_capacity(word.len());
    for letter in word.nfd().filter(is_kept) {
        match letter {
            'ß' => folded.push_str("ss"),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            'ø' => folded.push('o'),
            'đ' | 'ð' => folded.push('d'),
            'ł' => folded.push('l'),
            'ı' => folded.push('i'),
            'ς' => folded.push('σ'),
            letter => folded.push(letter),
        }
    }
    folded.nfc().collect()
}

/// The simplified form of an ideograph.
pub(super) fn ideograph(letter: char) -> char {
    // Letters that Unicode has twice for the sake of older sets are one.
    let letter =
        if ('\u{F900}'..='\u{FAFF}').contains(&letter) { letter.nfkc().next().unwrap_or(letter) } else { letter };
    SIMPLIFIED.get(&letter).copied().unwrap_or(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_twice_gives_what_folding_once_does() {
        assert!(SIMPLIFIED.len() > 2_500);
        assert!(SIMPLIFIED.values().all(|letter| !SIMPLIFIED.contains_key(letter)));
    }

    #[test]
    fn marks_fall_and_ligatures_part() {
        assert_eq!(without_marks("ærø žluťoučký åß"), "aero zlutoucky ass");
    }
}
