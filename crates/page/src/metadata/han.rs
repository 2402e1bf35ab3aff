//! Chinese characters: what is written in them is parted and named by other rules.

/// Whether this is one.
pub(super) fn is_han(character: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&character)
}
