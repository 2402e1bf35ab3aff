//! White space as HTML shows it: any run of it is one space.

/// Bytes that are looked at together.
const STEP: usize = 32;

/// A text without its outer white space, in stretches between which one space stands.
///
/// ASCII white space is exactly what HTML collapses: a no-break or an ideographic space stays.
///
/// ```
/// use kuai_page::collapsed;
///
/// let stretches: Vec<_> = collapsed("  one two\n  three ").collect();
/// assert_eq!(stretches, ["one two", "three"]);
/// ```
pub fn collapsed(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text.trim_ascii();
    std::iter::from_fn(move || {
        let (stretch, after) = rest.split_at(plain_length(rest.as_bytes()));
        rest = after.trim_ascii_start();
        (!stretch.is_empty()).then_some(stretch)
    })
}

/// Adds a text to another, white space collapsed.
pub fn push_collapsed(out: &mut String, text: &str) {
    for (index, stretch) in collapsed(text).enumerate() {
        if index > 0 {
            out.push(' ');
        }
        out.push_str(stretch);
    }
}

/// How many bytes stand before white space that is more than one space. The last byte is none.
fn plain_length(bytes: &[u8]) -> usize {
    let mut place = 0;
    while bytes[place..].first_chunk().is_some_and(is_surely_plain) {
        place += STEP;
    }
    let is_end = |pair: &[u8]| pair[0].is_ascii_whitespace() && (pair[0] != b' ' || pair[1].is_ascii_whitespace());
    bytes[place..].windows(2).position(is_end).map_or(bytes.len(), |length| place + length)
}

/// Whether white space among the first bytes is surely single spaces; the last byte is only what stands behind them. Without a
/// branch for each byte: words end where no processor foresees it.
fn is_surely_plain(bytes: &[u8; STEP + 1]) -> bool {
    let pairs = bytes.iter().zip(&bytes[1..]);
    !pairs.fold(false, |doubt, (&byte, &next)| doubt | (byte < b' ') | ((byte == b' ') & (next <= b' ')))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn collapsing_is_joining_words_with_spaces(text in "([a ]{0,40}|[\\t\\n\\r\\x0b\\x0c\u{a0}\u{3000}]|汉字){0,9}") {
            let mut out = String::new();
            push_collapsed(&mut out, &text);
            prop_assert_eq!(out, text.split_ascii_whitespace().collect::<Vec<_>>().join(" "));
        }
    }
}
