//! Characters that nobody sees and that part words for all who search, quote or count them.

use std::borrow::Cow;

/// The text without what is not seen: soft hyphens, places where a line may break, marks of byte order and control characters.
///
/// Joiners stay, since letters look otherwise without them, and so do places to break in scripts that part words by them.
pub(super) fn seen(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unseen) {
        return Cow::Borrowed(text);
    }
    let mut before = ' ';
    let is_kept = |character: &char| {
        let is_border = *character == '\u{200b}' && is_unspaced(before);
        let is_kept = is_border || !is_unseen(*character);
        before = if is_kept { *character } else { before };
        is_kept
    };
    Cow::Owned(text.chars().filter(is_kept).collect())
}

fn is_unseen(character: char) -> bool {
    match character {
        '\u{ad}' | '\u{200b}' | '\u{2060}' | '\u{feff}' => true,
        character => character < ' ' && !character.is_ascii_whitespace(),
    }
}

/// Thai, Lao, Burmese and Khmer: no spaces between words.
fn is_unspaced(character: char) -> bool {
    matches!(character, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_sees_is_gone_and_what_shapes_words_stays() {
        assert_eq!(seen("Leucht\u{ad}turm\u{200b}wärter\u{feff}\u{8}\n"), "Leuchtturmwärter\n");
        assert_eq!(seen("می\u{200c}خواهم"), "می\u{200c}خواهم");
        assert_eq!(seen("ប្រទេស\u{200b}កម្ពុជា"), "ប្រទេស\u{200b}កម្ពុជា");
    }
}
