//! The stem of a word, by the rules of its language.

use frostem::Stemmer;

use super::fold::without_marks;

/// The stem of a folded word; the word itself in a language without rules. Marks go last, as stems depend on them.
pub(super) fn stem(word: &str, stemmer: Option<Stemmer>) -> String {
    let has_digit = word.bytes().any(|byte| byte.is_ascii_digit());
    let stem = match stemmer.filter(|_| !has_digit) {
        Some(stemmer) => stemmer.stem(word),
        None => word.into(),
    };
    if stem.is_ascii() { stem.into_owned() } else { without_marks(&stem) }
}
