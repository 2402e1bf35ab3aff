//! Chinese, cut into words by jieba after traditional forms were folded.

use std::fmt;
use std::sync::OnceLock;

use jieba_rs::Jieba;

use super::{Cut, Token, fold};

/// jieba, read when the first ideograph comes: its dictionary takes longer to read than most searches do.
#[derive(Default)]
pub(super) struct Chinese {
    words: String,
    jieba: OnceLock<Jieba>,
}

/// Words of one's own that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("line {line} of the dictionary: {what}")]
pub struct DictionaryError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub what: String,
}

/// Bytes of a dictionary of one's own.
const DICTIONARY_BYTES_MAX: usize = 16 << 20;

impl Chinese {
    pub(super) fn with_dictionary(words: &str) -> Result<Chinese, DictionaryError> {
        check(words)?;
        let words = words.chars().map(fold::ideograph).collect();
        Ok(Chinese { words, jieba: OnceLock::new() })
    }

    /// Adds the words of a run of ideographs that begins at a byte and a position of its text. Says how many positions the run takes.
    pub(super) fn cut(&self, run: &str, start: usize, position: usize, cut: Cut, tokens: &mut Vec<Token>) -> usize {
        let places: Vec<usize> = run.char_indices().map(|(place, _)| place).chain([run.len()]).collect();
        let folded: String = run.chars().map(fold::ideograph).collect();
        let jieba = self.jieba.get_or_init(|| read(&self.words));
        let words = match cut {
            Cut::Index => jieba.cut_for_search(&folded, true),
            Cut::Query => jieba.cut(&folded, true),
        };
        let token = |word: jieba_rs::Token<'_>| Token {
            text: word.word.to_owned(),
            position: position + word.start,
            width: word.end - word.start,
            span: start + places[word.start]..start + places[word.end],
        };
        let before = tokens.len();
        tokens.extend(words.into_iter().map(token));
        tokens[before..].sort_by_key(|token| (token.position, token.width));
        places.len() - 1
    }
}

/// The usual dictionary and one's own words.
fn read(words: &str) -> Jieba {
    let mut jieba = Jieba::new();
    jieba.load_dict(&mut words.as_bytes()).expect("the words were checked when they came in");
    jieba
}

/// Whether jieba will take the words.
fn check(words: &str) -> Result<(), DictionaryError> {
    let wrong = |line: usize, what: &str| Err(DictionaryError { line: line + 1, what: what.to_owned() });
    if words.len() > DICTIONARY_BYTES_MAX {
        return wrong(0, "longer than 16 MiB");
    }
    for (line, text) in words.lines().enumerate() {
        let mut fields = text.split_whitespace();
        match (fields.next(), fields.next()) {
            (None, _) => return wrong(line, "there is no word in it"),
            (Some(_), Some(frequency)) if frequency.parse::<u32>().is_err() => {
                return wrong(line, "the frequency behind the word is no number");
            }
            _ => {}
        }
    }
    let taken = Jieba::empty().load_dict(&mut words.as_bytes());
    taken.or_else(|error| wrong(0, &error.to_string()))
}

impl fmt::Debug for Chinese {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Chinese").field("words", &self.words.lines().count()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use crate::language::Language;
    use crate::tokens::Tokenizer;

    #[test]
    fn a_word_of_ones_own_stays_whole() {
        let cut = |tokenizer: &Tokenizer| -> Vec<String> {
            tokenizer.tokens("快取塊機", Language::default()).into_iter().map(|token| token.text).collect()
        };
        assert!(!cut(&Tokenizer::default()).contains(&"快取块机".to_owned()));
        let tokenizer = Tokenizer::with_dictionary("快取塊機 100000\n").expect("a good dictionary");
        assert!(cut(&tokenizer).contains(&"快取块机".to_owned()));
    }

    #[test]
    fn a_bad_dictionary_is_refused_by_its_line() {
        let refused = |words: &str| Tokenizer::with_dictionary(words).err().map(|error| error.to_string());
        assert_eq!(
            refused("块 3\n机 viel\n").as_deref(),
            Some("line 2 of the dictionary: the frequency behind the word is no number")
        );
        assert_eq!(refused("块\n\n").as_deref(), Some("line 2 of the dictionary: there is no word in it"));
        assert_eq!(refused("块 3 n"), None);
    }
}
