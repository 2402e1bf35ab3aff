//! The candidates of a `srcset`: `small.png 1x, large.png 2x`.

use super::super::modifier::Modifier;
use super::links::Links;

/// A `srcset` whose pictures lead into the archive.
pub(super) fn source_set(value: &str, links: &Links<'_>) -> String {
    let mut candidates = Vec::new();
    let mut rest = value;
    loop {
        rest = rest.trim_start_matches(|character: char| character.is_ascii_whitespace() || character == ',');
        if rest.is_empty() {
            return candidates.join(", ");
        }
        let end = rest.find(|character: char| character.is_ascii_whitespace()).unwrap_or(rest.len());
        let (address, behind) = rest.split_at(end);
        let bare = address.trim_end_matches(',');
        let (descriptors, behind) = if bare.len() < address.len() { ("", behind) } else { descriptors(behind) };
        let link = links.to(bare, Modifier::Image).unwrap_or_else(|| bare.to_owned());
        candidates.push(format!("{link} {}", descriptors.trim()).trim_end().to_owned());
        rest = behind;
    }
}

/// What is said about a candidate, up to the comma behind it; a comma in brackets is none.
fn descriptors(text: &str) -> (&str, &str) {
    let mut depth = 0_usize;
    for (at, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => return (&text[..at], &text[at + 1..]),
            _ => {}
        }
    }
    (text, "")
}
