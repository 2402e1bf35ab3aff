//! Leads: what lines begin with that stand in a text and are none of it, and words that tell such lines anywhere (channels, policies), read once
//! from `leads.txt`.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// What the words at the beginning of a line tell of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lead {
    /// Sends the reader to other texts.
    Pointer,
    /// The same where a link follows; else it may head a part of the text.
    Reference,
    /// Says before a colon where something is from.
    Credit,
    /// Says when the text was published, and under what.
    Filing,
    /// Asks to pass the text on.
    Share,
    /// Asks to follow or to subscribe.
    Invitation,
    /// Says who answers for the text.
    Disclaimer,
}

const NAMES: [(&str, Lead); 7] = [
    ("pointer", Lead::Pointer),
    ("reference", Lead::Reference),
    ("credit", Lead::Credit),
    ("filing", Lead::Filing),
    ("share", Lead::Share),
    ("invitation", Lead::Invitation),
    ("disclaimer", Lead::Disclaimer),
];

/// A line with a lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Led<'a> {
    pub(super) lead: Lead,
    /// The words of the lead, as the list has them.
    pub(super) words: &'static str,
    /// What follows them.
    pub(super) rest: &'a str,
}

/// The longest lead that a line begins with, signs before it left out.
pub(super) fn led(line: &str) -> Option<Led<'_>> {
    let line = line.trim_start_matches(|character: char| !character.is_alphanumeric());
    let (words, lead, rest) = found_in(&LEADS.words, line)?;
    Some(Led { lead, words, rest })
}

/// Whether a text names something that one follows or subscribes to.
pub(super) fn names_channel(text: &str) -> bool {
    names_one(&LEADS.channels, text)
}

/// Bytes of a text in which policies are looked for.
const POLICY_BYTES_MAX: usize = 600;

/// How many of the words that policies on data use a text says near its beginning, each once.
pub(super) fn policy_words(text: &str) -> u32 {
    let mut said = Vec::new();
    for words in found_all(&LEADS.policies, &text[..text.floor_char_boundary(POLICY_BYTES_MAX)]) {
        if !said.contains(&words) {
            said.push(words);
        }
    }
    said.len() as u32
}

fn names_one(names: &Openings<()>, text: &str) -> bool {
    found_all(names, text).next().is_some()
}

/// The words that a text says, where each word of it begins.
fn found_all<'a>(names: &'a Openings<()>, text: &'a str) -> impl Iterator<Item = &'static str> + 'a {
    let words = text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty());
    // A word is a part of the text, so what follows it can be read from where it begins.
    words.filter_map(|word| {
        let from = word.as_ptr() as usize - text.as_ptr() as usize;
        found_in(names, &text[from..]).map(|(words, ..)| words)
    })
}

/// The longest of the words that a text begins with, and what follows them.
fn found_in<'a, T: Copy>(names: &Openings<T>, text: &'a str) -> Option<(&'static str, T, &'a str)> {
    let candidates = names.get(&opening_of(text)?)?;
    candidates.iter().find_map(|&(words, value)| Some((words, value, after(text, words)?)))
}

/// What follows these words in a text that begins with them, in any case.
fn after<'a>(text: &'a str, words: &str) -> Option<&'a str> {
    let mut rest = text.chars();
    words.chars().all(|wanted| rest.next().is_some_and(|found| folded(found) == wanted)).then_some(())?;
    let goes_on = rest.clone().next().is_some_and(char::is_alphanumeric);
    (!goes_on || words.chars().next_back().is_some_and(is_unparted)).then_some(rest.as_str())
}

pub(super) fn folded(character: char) -> char {
    match character {
        // Most are, and asking for all cases of a letter is dear.
        ascii if ascii.is_ascii() => ascii.to_ascii_lowercase(),
        '’' => '\'',
        other => other.to_lowercase().next().unwrap_or(other),
    }
}

/// Whether words with this character are written without spaces between them.
pub(super) fn is_unparted(character: char) -> bool {
    matches!(character, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}

/// Its first two characters: few leads have the same.
type Opening = [char; 2];

fn opening_of(text: &str) -> Option<Opening> {
    let mut characters = text.chars().map(folded);
    Some([characters.next()?, characters.next()?])
}

/// Words by how they begin, of each beginning the longest first.
type Openings<T> = FxHashMap<Opening, Vec<(&'static str, T)>>;

#[derive(Default)]
struct Leads {
    words: Openings<Lead>,
    channels: Openings<()>,
    policies: Openings<()>,
}

static LEADS: LazyLock<Leads> = LazyLock::new(|| read(include_str!("leads.txt")));

fn read(source: &'static str) -> Leads {
    let mut leads = Leads::default();
    let mut section = "";
    for line in source.lines().filter(|line| !line.starts_with('#')) {
        if let Some(head) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = head;
            continue;
        }
        let lead = NAMES.iter().find(|(known, _)| *known == section).map(|(_, lead)| *lead);
        for words in line.split(',').map(str::trim) {
            match (section, lead) {
                ("channel", _) => keep(&mut leads.channels, words, ()),
                ("policy", _) => keep(&mut leads.policies, words, ()),
                (_, Some(lead)) => keep(&mut leads.words, words, lead),
                _ => {}
            }
        }
    }
    leads
}

fn keep<T>(names: &mut Openings<T>, words: &'static str, value: T) {
    if let Some(opening) = opening_of(words) {
        let candidates = names.entry(opening).or_default();
        let place = candidates.partition_point(|(longer, _)| longer.len() >= words.len());
        candidates.insert(place, (words, value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_lead_counts_in_any_case_and_behind_signs() {
        let found = led("» READ MORE: The keeper who left").expect("it is led");
        assert_eq!((found.lead, found.words, found.rest), (Lead::Pointer, "read more", ": The keeper who left"));
        assert_eq!(led("À LIRE AUSSI").map(|found| found.words), Some("à lire aussi"));
        assert_eq!(led("Don’t miss the lamp").map(|found| found.lead), Some(Lead::Pointer));
        assert_eq!(led("Related articles").map(|found| found.rest), Some(""));
    }

    #[test]
    fn words_that_only_begin_like_a_lead_are_none() {
        for line in ["", "R", "…", "Photosynthesis: how plants live", "Relatedness: a measure", "Sourcebook: a review"]
        {
            assert_eq!(led(line), None, "{line}");
        }
        assert_eq!(led("责任编辑王小明").map(|found| found.rest), Some("王小明"));
    }

    #[test]
    fn channels_are_whole_words() {
        assert!(names_channel("Follow the harbour on Facebook!") && names_channel("Join our mailing list."));
        assert!(!names_channel("Follow the threadsman") && !names_channel(""));
    }

    #[test]
    fn every_section_of_the_list_is_read() {
        let read = &*LEADS;
        for (name, lead) in NAMES {
            assert!(read.words.values().flatten().any(|(_, known)| *known == lead), "{name}");
        }
        assert!(names_channel("newsletter") && policy_words("cookies, and cookies again") == 1);
        let leads = read.words.values().flatten().map(|(words, _)| *words);
        let names = [&read.channels, &read.policies].map(|names| names.values().flatten().map(|(words, ())| *words));
        let mut all = leads.chain(names.into_iter().flatten());
        assert!(all.all(|words| words.chars().all(|character| folded(character) == character)), "not folded");
    }
}
