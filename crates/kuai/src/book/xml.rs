//! Text inside XML.

use std::borrow::Cow;

/// Text as it stands between tags and in quoted values; characters that no XML may hold are left out.
pub(crate) fn escape(text: &str) -> Cow<'_, str> {
    let is_plain = |character: char| !matches!(character, '&' | '<' | '>' | '"') && is_allowed(character);
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in text.chars().filter(|character| is_allowed(*character)) {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            other => escaped.push(other),
        }
    }
    Cow::Owned(escaped)
}

/// Whether XML 1.0 may hold a character at all.
fn is_allowed(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' '..='\u{FFFD}' | '\u{10000}'..)
}
