//! An alert in words: a line for a subject, and a text for people.

use std::fmt::Write as _;

use kuai_archive::{WordChange, WordSide};

use super::alert::{Alert, AlertBlock, Happening};

/// Letters of unchanged text that are shown on each side of a difference.
const CONTEXT_LETTERS: usize = 60;

/// `The keeper: 2 blocks changed, 1 appeared`.
pub fn subject_line(alert: &Alert) -> String {
    let count = |happening| alert.blocks.iter().filter(|block| block.happening == happening).count();
    let mut counts: Vec<String> = Vec::new();
    for happening in [Happening::Changed, Happening::Appeared, Happening::Vanished] {
        let noun = match (counts.is_empty(), count(happening)) {
            (_, 0) => continue,
            (false, _) => "",
            (true, 1) => " block",
            (true, _) => " blocks",
        };
        counts.push(format!("{}{noun} {}", count(happening), happening.name()));
    }
    if alert.more > 0 {
        counts.push(format!("{} more", alert.more));
    }
    let name = if alert.title.is_empty() { &alert.url } else { &alert.title };
    format!("{}: {}", one_line(name), counts.join(", "))
}

/// Which captures were compared, and what became of each block.
pub fn body(alert: &Alert) -> String {
    let mut body = format!("{}\n{}\n", alert.url, times(alert));
    for block in &alert.blocks {
        let _ = write!(body, "\n{}\n", head(block));
        for line in marked(&block.words).lines() {
            let _ = writeln!(body, "  {line}");
        }
    }
    if alert.more > 0 {
        let _ = writeln!(body, "\nand {} more", alert.more);
    }
    body
}

/// `2026-01-01T12:00:00Z → 2026-01-04T12:00:00Z`.
pub(super) fn times(alert: &Alert) -> String {
    match alert.before {
        Some(before) => format!("{before} → {}", alert.time),
        None => format!("first seen {}", alert.time),
    }
}

/// `changed  main  about The keeper of the light`.
pub(super) fn head(block: &AlertBlock) -> String {
    let kind = block.label.map_or("outside all blocks", |label| label.name());
    let about = block.topic.as_ref().map_or(String::new(), |topic| format!("  about {}", one_line(topic)));
    format!("{}  {kind}{about}", block.happening.name())
}

/// Long unchanged text left out, with `…` in its place.
pub(super) fn elided(words: &[WordChange]) -> Vec<WordChange> {
    let last = words.len().saturating_sub(1);
    let elide = |(place, change): (usize, &WordChange)| match change.side {
        WordSide::Both => WordChange { side: change.side, text: shortened(&change.text, place > 0, place < last) },
        WordSide::Old | WordSide::New => change.clone(),
    };
    words.iter().enumerate().map(elide).collect()
}

/// The ends of a text that lie beside a difference.
fn shortened(text: &str, keeps_start: bool, keeps_end: bool) -> String {
    let length = text.chars().count();
    let kept = CONTEXT_LETTERS * (usize::from(keeps_start) + usize::from(keeps_end));
    if length <= kept + 1 {
        return text.to_owned();
    }
    let start: String = text.chars().take(if keeps_start { CONTEXT_LETTERS } else { 0 }).collect();
    let end: String = text.chars().skip(length - if keeps_end { CONTEXT_LETTERS } else { 0 }).collect();
    format!("{start}…{end}")
}

/// Differences marked as `[-gone-]` and `{+new+}`.
fn marked(words: &[WordChange]) -> String {
    let mark = |change: &WordChange| match change.side {
        WordSide::Both => change.text.clone(),
        WordSide::Old => format!("[-{}-]", change.text),
        WordSide::New => format!("{{+{}+}}", change.text),
    };
    elided(words).iter().map(mark).collect()
}

/// A text without line ends and other control characters.
pub(super) fn one_line(text: &str) -> String {
    let plain: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}
