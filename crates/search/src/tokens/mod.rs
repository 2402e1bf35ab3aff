//! Cuts a text into tokens: what is looked for, and where it stands.
//!
//! A word of a script with spaces is one token at one position, folded and stemmed by its language. A letter of a script without
//! spaces takes one position, and a word of such letters stands at its first one. So a phrase is a run of positions in any script, and in
//! a text of several.

mod chinese;
mod fold;
mod stem;

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;

use chinese::Chinese;
pub use chinese::DictionaryError;

use crate::language::Language;

/// Letters of a word that count; what is longer is no word that anybody looks for.
const WORD_LETTERS_MAX: usize = 64;

/// A piece of a text as it is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The folded word.
    pub text: String,
    /// Where it stands among the tokens of the text.
    pub position: usize,
    /// How many positions it takes: more than one for a word of a script without spaces.
    pub width: usize,
    /// The bytes of the text that it was made of.
    pub span: Range<usize>,
}

/// Cuts texts into tokens.
#[derive(Debug, Default)]
pub struct Tokenizer {
    chinese: Chinese,
}

/// For what a text is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// To be found: words, and the shorter words inside them.
    Index,
    /// To look for it: words only.
    Query,
}

impl Tokenizer {
    /// With words of one's own: a line each, as jieba has them (`word [frequency [tag]]`).
    pub fn with_dictionary(words: &str) -> Result<Tokenizer, DictionaryError> {
        Ok(Tokenizer { chinese: Chinese::with_dictionary(words)? })
    }

    /// The tokens of a text that is to be found, in the order of their positions.
    pub fn tokens(&self, text: &str, language: Language) -> Vec<Token> {
        self.cut(text, language, Cut::Index)
    }

    pub(crate) fn cut(&self, text: &str, language: Language, cut: Cut) -> Vec<Token> {
        let mut tokens = Vec::new();
        let mut position = 0;
        let stemmer = language.stemmer();
        for run in runs(text) {
            let part = &text[run.span.clone()];
            position += match run.script {
                Script::Words => {
                    let text = stem::stem(&fold::word(part), stemmer);
                    tokens.push(Token { text, position, width: 1, span: run.span });
                    1
                }
                Script::Letters => {
                    let text = fold::word(part);
                    tokens.push(Token { text, position, width: 1, span: run.span });
                    1
                }
                Script::Ideographs => self.chinese.cut(part, run.span.start, position, cut, &mut tokens),
            };
        }
        tokens
    }
}

/// A text as it is compared letter by letter: in one width and small letters, ideographs simplified, and with one space for each stretch of white
/// space, none beside an ideograph or beside signs that stand at one.
pub(crate) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut is_apart = false;
    for word in text.split_whitespace() {
        if is_apart && !is_ideographic(word.chars()) {
            plain.push(' ');
        }
        is_apart = !is_ideographic(word.chars().rev());
        plain.extend(word.nfkc().flat_map(char::to_lowercase).map(fold::ideograph));
    }
    plain
}

/// Whether letters begin with an ideograph, whatever signs stand before it: `，值` and `（值` do, as writers put spaces there or not.
fn is_ideographic(mut letters: impl Iterator<Item = char>) -> bool {
    letters.find(|letter| letter.is_alphanumeric()).is_some_and(is_ideograph)
}

/// How a stretch of text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Script {
    /// With spaces between the words.
    Words,
    /// Without spaces: each letter is a token.
    Letters,
    /// In ideographs.
    Ideographs,
}

/// A stretch of one script: a word, a letter, or any number of ideographs.
struct Run {
    script: Script,
    span: Range<usize>,
}

/// The stretches of a text, in order, without what stands between them.
fn runs(text: &str) -> impl Iterator<Item = Run> {
    let mut place = 0;
    std::iter::from_fn(move || {
        let rest = &text[place..];
        let (skipped, script) = rest.char_indices().find_map(|(index, letter)| Some((index, script_of(letter)?)))?;
        let start = place + skipped;
        place = start + run_length(&text[start..], script);
        Some(Run { script, span: start..place })
    })
}

/// Bytes of the run that a text begins with.
fn run_length(text: &str, script: Script) -> usize {
    let mut letters = text.char_indices().peekable();
    let mut count = 0;
    let mut before = None;
    while let Some((index, letter)) = letters.next() {
        let next = letters.peek().map(|(_, next)| *next);
        let goes_on = match script {
            Script::Letters => count < 1 || is_mark(letter),
            Script::Ideographs => script_of(letter) == Some(script),
            Script::Words => {
                script_of(letter) == Some(script) || is_mark(letter) || is_inside_number(before, letter, next)
            }
        };
        if !goes_on {
            return index;
        }
        count += 1;
        before = Some(letter);
    }
    text.len()
}

fn script_of(letter: char) -> Option<Script> {
    match letter {
        _ if letter.is_ascii() => letter.is_ascii_alphanumeric().then_some(Script::Words),
        _ if is_ideograph(letter) => Some(Script::Ideographs),
        _ if is_spaceless(letter) => Some(Script::Letters),
        // Some marks are said to be letters; where there is no letter before them they mark nothing.
        _ => (letter.is_alphanumeric() && !is_mark(letter)).then_some(Script::Words),
    }
}

/// Chinese characters, and the signs that stand for one.
pub(crate) fn is_ideograph(letter: char) -> bool {
    matches!(letter, '々' | '〇' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3FFFD}')
}

/// Letters of other scripts without spaces: kana, Thai, Lao, Myanmar, Khmer.
fn is_spaceless(letter: char) -> bool {
    letter.is_alphanumeric()
        && matches!(letter, '\u{3040}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}' | '\u{FF66}'..='\u{FF9D}'
            | '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}')
}

/// Marks that belong to the letter before them.
fn is_mark(letter: char) -> bool {
    unicode_normalization::char::is_combining_mark(letter)
}

/// Whether a point or comma stands between two digits: `3.14`, `1,000`.
fn is_inside_number(before: Option<char>, letter: char, next: Option<char>) -> bool {
    let is_digit = |letter: Option<char>| letter.is_some_and(|letter| letter.is_numeric());
    matches!(letter, '.' | ',' | '．' | '，') && is_digit(before) && is_digit(next)
}

/// The letters of a word that count.
fn bounded(word: &str) -> &str {
    word.char_indices().nth(WORD_LETTERS_MAX).map_or(word, |(end, _)| &word[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, language: &str, expected: &str) {
        let language = Language::of_code(language).unwrap_or_default();
        let tokens = Tokenizer::default().tokens(text, language);
        let shown: Vec<String> = tokens.iter().map(|token| format!("{}@{}", token.text, token.position)).collect();
        assert_eq!(shown.join(" "), expected);
        assert!(tokens.iter().all(|token| !text[token.span.clone()].is_empty()));
    }

    #[test]
    fn english_is_stemmed_and_other_languages_by_their_own_rules() {
        check("The keepers were running", "en", "the@0 keeper@1 were@2 run@3");
        check("Die Häuser der Stadt", "de", "die@0 haus@1 der@2 stadt@3");
        check("running", "", "running@0");
    }

    #[test]
    fn a_chinese_word_stands_at_its_first_letter() {
        check("我们学习编程", "zh", "我们@0 学习@2 编程@4");
    }

    #[test]
    fn the_words_inside_a_long_word_are_found_too() {
        check("中华人民共和国", "zh", "中华@0 中华人民共和国@0 华人@1 人民@2 共和@4 共和国@4");
    }

    #[test]
    fn scripts_follow_each_other_without_a_gap() {
        check("用Rust写代码 2024年", "zh", "用@0 rust@1 写@2 代码@3 2024@5 年@6");
    }

    #[test]
    fn forms_are_folded() {
        check("ＫＵＡＩ　１２３ Café STRASSE straße", "", "kuai@0 123@1 cafe@2 strasse@3 strasse@4");
        check("漢語詞典", "zh", "汉语@0 词典@2");
    }

    #[test]
    fn numbers_keep_their_points_and_lose_their_commas() {
        check("π is 3.14, not 1,000,000.", "", "π@0 is@1 3.14@2 not@3 1000000@4");
        check("version 1.92.0.", "", "version@0 1.92.0@1");
    }

    #[test]
    fn kana_is_taken_letter_by_letter() {
        check("カタカナ", "ja", "カ@0 タ@1 カ@2 ナ@3");
    }

    #[test]
    fn no_token_is_empty_whatever_letter_it_is_made_of() {
        let tokenizer = Tokenizer::default();
        let english = Language::of_code("en").expect("English is known");
        for letter in '\u{0}'..=char::MAX {
            let tokens = tokenizer.tokens(&format!("{letter} a{letter}1"), english);
            assert!(tokens.iter().all(|token| !token.text.is_empty()), "{letter:?}: {tokens:?}");
        }
    }

    #[test]
    fn an_endless_word_is_cut() {
        let tokens = Tokenizer::default().tokens(&"a".repeat(100_000), Language::default());
        assert_eq!(tokens[0].text.len(), WORD_LETTERS_MAX);
    }
}
