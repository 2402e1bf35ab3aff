//! Text blocks: stretches of text that end where WLES ends them, and the words in them by which texts are compared.

use std::hash::Hasher;

use kuai_page::{Script, lower_case, words};
use rustc_hash::FxHasher;

/// After which characters a block ends, unless another of them follows.
const END_MARKS: &str = ".!?;,>}')，。！？》；…、”’）";

/// The text blocks of a text, in order; together they are the text.
pub(super) fn text_blocks(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (block, after) = rest.split_at(block_length(rest));
        rest = after;
        (!block.is_empty()).then_some(block)
    })
}

fn block_length(text: &str) -> usize {
    let mut after_mark = false;
    for (place, character) in text.char_indices() {
        let is_mark = is_end_mark(character);
        if after_mark && !is_mark {
            return place;
        }
        after_mark = is_mark;
    }
    text.len()
}

fn is_end_mark(character: char) -> bool {
    match character {
        '\0'..='\x7f' => matches!(character, '.' | '!' | '?' | ';' | ',' | '>' | '}' | '\'' | ')'),
        _ => END_MARKS.contains(character),
    }
}

/// The words of a text as numbers, in lower case. Every Chinese character is a word, and white space, quotes and other punctuation
/// count for nothing: they differ between a page and what was copied from it.
pub(super) fn push_words(text: &str, out: &mut Vec<u64>) {
    for (script, word) in words(text) {
        match script {
            // One apostrophe parts words and another does not, though people mean the same.
            Script::Spaced => {
                let parts = word.split('\'').filter(|part| !part.is_empty());
                out.extend(parts.map(|part| hash(lower_case(part).as_bytes())));
            }
            Script::Wide => out.extend(word.chars().map(u64::from)),
        }
    }
}

/// A text in few bits: equal for texts of the same words.
pub(super) fn fingerprint(words: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    words.iter().for_each(|word| hasher.write_u64(*word));
    hasher.finish()
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    // Chinese characters are numbers of their own, far below these.
    hasher.finish() | 1 << 63
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(text_blocks(text).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_block_ends_after_its_last_end_mark() {
        check(
            "此为书之首篇，故所记多务本之意，乃入道之门、积德之基。",
            &["此为书之首篇，", "故所记多务本之意，", "乃入道之门、", "积德之基。"],
        );
        check("Really?! Yes.", &["Really?!", " Yes."]);
        check("no mark", &["no mark"]);
        check("", &[]);
    }

    #[test]
    fn words_are_the_same_whatever_stands_between_them() {
        let words = |text| {
            let mut words = Vec::new();
            push_words(text, &mut words);
            words
        };
        assert_eq!(words("“Don’t,  he said”"), words("\"Don't\", he\nSaid"));
        assert_eq!(words("学而 时习之"), words("学而时习之。"));
    }
}
