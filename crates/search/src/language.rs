//! The language of a text, as far as search cares: by what rules its words are stemmed, and what to call it.

use std::fmt;
use std::sync::LazyLock;

use frostem::{Algorithm, Stemmer};
use whatlang::{Detector, Lang};

use crate::tokens::is_ideograph;

/// Letters of a text that are looked at; more say nothing new.
const LETTERS_SEEN: usize = 300;

/// Letters that a text has to have before it is asked for its language.
const LETTERS_MIN: usize = 20;

/// Asking about fewer languages is faster.
static DETECTOR: LazyLock<Detector> =
    LazyLock::new(|| Detector::with_allowlist(LANGUAGES.iter().map(|(_, detected, _)| *detected).collect()));

/// A language by its code of two letters; the default is none that we know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Language(&'static str);

/// The languages that are told apart: code, what is detected, what stems their words.
static LANGUAGES: [(&str, Lang, Option<Algorithm>); 24] = [
    ("ar", Lang::Ara, None),
    ("cs", Lang::Ces, None),
    ("da", Lang::Dan, Some(Algorithm::Danish)),
    ("de", Lang::Deu, Some(Algorithm::German)),
    ("el", Lang::Ell, Some(Algorithm::Greek)),
    ("en", Lang::Eng, Some(Algorithm::English)),
    ("es", Lang::Spa, Some(Algorithm::Spanish)),
    ("fi", Lang::Fin, Some(Algorithm::Finnish)),
    ("fr", Lang::Fra, Some(Algorithm::French)),
    ("he", Lang::Heb, None),
    ("hu", Lang::Hun, Some(Algorithm::Hungarian)),
    ("it", Lang::Ita, Some(Algorithm::Italian)),
    ("ja", Lang::Jpn, None),
    ("ko", Lang::Kor, None),
    ("nb", Lang::Nob, Some(Algorithm::Norwegian)),
    ("nl", Lang::Nld, Some(Algorithm::Dutch)),
    ("pl", Lang::Pol, Some(Algorithm::Polish)),
    ("pt", Lang::Por, Some(Algorithm::Portuguese)),
    ("ro", Lang::Ron, Some(Algorithm::Romanian)),
    ("ru", Lang::Rus, Some(Algorithm::Russian)),
    ("sv", Lang::Swe, Some(Algorithm::Swedish)),
    ("tr", Lang::Tur, Some(Algorithm::Turkish)),
    ("uk", Lang::Ukr, None),
    ("zh", Lang::Cmn, None),
];

impl Language {
    /// The language with this code.
    pub fn of_code(code: &str) -> Option<Language> {
        LANGUAGES.iter().find(|(known, ..)| *known == code).map(|(known, ..)| Language(known))
    }

    /// The language of a text, where it is plain to see.
    pub fn of_text(text: &str) -> Option<Language> {
        let end = text.char_indices().nth(LETTERS_SEEN).map_or(text.len(), |(end, _)| end);
        let seen = &text[..end];
        let letters = seen.chars().filter(|letter| letter.is_alphabetic()).count();
        if letters < LETTERS_MIN {
            return None;
        }
        let ideographs = seen.chars().filter(|letter| is_ideograph(*letter)).count();
        let has_kana = seen.chars().any(|letter| ('\u{3040}'..='\u{30FF}').contains(&letter));
        if ideographs * 2 > letters && !has_kana {
            return Language::of_code("zh");
        }
        let found = DETECTOR.detect(seen).filter(|found| found.is_reliable())?;
        LANGUAGES.iter().find(|(_, detected, _)| *detected == found.lang()).map(|(code, ..)| Language(code))
    }

    /// Its code; empty for the default.
    pub fn code(self) -> &'static str {
        self.0
    }

    /// What stems its words.
    pub(crate) fn stemmer(self) -> Option<Stemmer> {
        let (_, _, algorithm) = LANGUAGES.iter().find(|(code, ..)| *code == self.0)?;
        algorithm.map(Stemmer::new)
    }
}

impl fmt::Display for Language {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_texts_are_told_apart() {
        let code = |text| Language::of_text(text).map(Language::code);
        assert_eq!(code("The lighthouse keeper climbs two hundred steps every evening to light the lamp."), Some("en"));
        assert_eq!(
            code("Der Leuchtturmwärter steigt jeden Abend zweihundert Stufen hinauf und zündet die Lampe an."),
            Some("de")
        );
        assert_eq!(code("每天晚上，守塔人都要爬上两百级台阶，点亮那盏油灯，让过往的船只看见。"), Some("zh"));
        assert_eq!(code("Home"), None);
    }
}
