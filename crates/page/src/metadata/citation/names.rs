//! Names of authors as citations need them: family and given names, without titles; bodies whole.

use super::Name;
use crate::metadata::person::{PARTICLES, is_rank, is_title};
use crate::text::one_line;

/// Words that only names of bodies have.
const BODY_WORDS: &[&str] = &[
    "the",
    "of",
    "and",
    "for",
    "&",
    "inc",
    "ltd",
    "llc",
    "gmbh",
    "ag",
    "university",
    "institute",
    "team",
    "staff",
    "news",
    "office",
    "agency",
    "editorial",
    "editors",
    "association",
    "department",
    "ministry",
    "redaktion",
    "redacción",
    "redazione",
    "foundation",
    "society",
    "council",
    "group",
    "media",
    "press",
    "company",
    "magazine",
    "network",
    "center",
    "centre",
    "committee",
    "school",
    "und",
    "der",
];

/// Titles before a name.
const TITLES_BEFORE: &[&str] = &["dr", "prof", "mr", "mrs", "ms", "sir", "dame", "rev"];

/// The parts of a name, as far as it tells them.
pub(super) fn parts(name: &str) -> Name {
    let name = without_titles(&one_line(name));
    if let Some((family, given)) = name.split_once([',', '，']) {
        let is_plain = !given.trim().is_empty() && !given.contains([',', '，']);
        if is_plain {
            return Name::Person { family: family.trim().to_owned(), given: given.trim().to_owned() };
        }
    }
    let words: Vec<&str> = name.split(' ').collect();
    let is_latin = name.chars().all(|character| character < '\u{250}' || ('\u{1e00}'..'\u{2100}').contains(&character));
    if !is_latin || is_body(&words) || !(2..=6).contains(&words.len()) {
        return Name::Whole(name);
    }
    let ranks = words.iter().rev().take_while(|word| is_rank(word)).count();
    let last = words.len() - ranks;
    let Some(before_last) = words.get(..last.saturating_sub(1)).filter(|before| !before.is_empty()) else {
        return Name::Whole(name);
    };
    let particles = before_last.iter().rev().take_while(|word| PARTICLES.contains(word)).count();
    let first_of_family = (before_last.len() - particles).max(1);
    Name::Person { family: words[first_of_family..].join(" "), given: words[..first_of_family].join(" ") }
}

/// Whether words, none of them a particle, are those of a body.
fn is_body(words: &[&str]) -> bool {
    let is_word = |word: &&str| BODY_WORDS.contains(&word.trim_end_matches('.').to_lowercase().as_str());
    words.iter().any(|word| is_word(word) && !PARTICLES.contains(word))
}

/// A name without degrees behind it and titles before it; a rank (`Jr.`) stays.
fn without_titles(name: &str) -> String {
    let (first, behind) = name.split_once(',').unwrap_or((name, ""));
    let behind = behind.split(',').map(str::trim).filter(|part| !part.is_empty());
    // Behind a single word, which is a family name, stands a given name first.
    let is_family = !first.trim().contains(' ');
    let behind =
        behind.enumerate().filter(|(index, part)| is_rank(part) || (is_family && *index == 0) || !is_degree(part));
    let (ranks, others): (Vec<&str>, Vec<&str>) = behind.map(|(_, part)| part).partition(|part| is_rank(part));
    let mut words: Vec<&str> = first.split_whitespace().collect();
    let is_title_before = |word: &str| TITLES_BEFORE.contains(&word.trim_end_matches('.').to_lowercase().as_str());
    while words.len() > 2 && is_title_before(words[0]) {
        words.remove(0);
    }
    let is_loud = words.iter().all(|word| is_capital(word));
    while words.len() > 2 && !is_loud && words.last().is_some_and(|word| is_capital(word) && !is_rank(word)) {
        words.pop();
    }
    words.extend(ranks);
    std::iter::once(words.join(" ")).chain(others.into_iter().map(str::to_owned)).collect::<Vec<_>>().join(", ")
}

/// Whether a part behind a comma is a degree: a word of mostly capitals, or more of them.
fn is_degree(part: &str) -> bool {
    part.split_whitespace().all(is_title)
}

/// Whether a word is of two capitals or more and nothing else: `CPP`, `RN`.
fn is_capital(word: &str) -> bool {
    word.chars().count() > 1 && word.chars().all(|letter| letter.is_uppercase() || matches!(letter, '®' | '™'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, family: &str, given: &str) {
        let person = Name::Person { family: family.to_owned(), given: given.to_owned() };
        assert_eq!(parts(name), person, "{name}");
    }

    #[test]
    fn degrees_and_titles_are_no_parts_of_a_name() {
        check("Ines Holm, MS, RD, FAND", "Holm", "Ines");
        check("Ines Holm, CEPF®", "Holm", "Ines");
        check("Dr. Ines Holm, Ph.D.", "Holm", "Ines");
        check("Ines M. Holm CPP, PSP", "Holm", "Ines M.");
        check("Holm, Ines", "Holm", "Ines");
        check("HOLM, INES", "HOLM", "INES");
        check("INES HOLM", "HOLM", "INES");
    }

    #[test]
    fn a_rank_belongs_to_the_family_name() {
        check("Jan Holm Jr.", "Holm Jr.", "Jan");
        check("Jan van der Berg III", "van der Berg III", "Jan");
        check("Jan Holm, Jr.", "Holm Jr.", "Jan");
    }

    #[test]
    fn bodies_and_single_names_are_kept_whole() {
        for name in ["The Fog Office", "Fog News", "Fog", "王小明", "Jr. III", "Harbour of Fog"] {
            assert_eq!(parts(name), Name::Whole(name.to_owned()), "{name}");
        }
    }
}
