//! Patterns in which `*` stands for any run of bytes.

/// Whether a pattern matches the whole text, in time linear in both.
///
/// The pieces between stars are looked for one after the other, each as early as it comes: an earlier place never leaves
/// less for the pieces after it, so nothing has to be tried again.
pub(crate) fn matches_whole(pattern: &str, text: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else { return pattern == text };
    let (middle, last) = rest.rsplit_once('*').unwrap_or(("", rest));
    let Some(text) = text.strip_prefix(first).and_then(|text| text.strip_suffix(last)) else { return false };
    let mut text = text.as_bytes();
    middle.split('*').all(|piece| match memchr::memmem::find(text, piece.as_bytes()) {
        Some(place) => {
            text = &text[place + piece.len()..];
            true
        }
        None => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_anything() {
        let check = |pattern: &str, text: &str, expected| {
            assert_eq!(matches_whole(pattern, text), expected, "{pattern} {text}")
        };
        check("", "", true);
        check("a", "ab", false);
        check("*", "", true);
        check("a*", "a", true);
        check("a*a", "a", false);
        check("a*b*c", "a-b-b-c", true);
        check("a*b*c", "a-c-b", false);
        check("*b*b*", "b", false);
        check("**b**", "abc", true);
        check("汉*字", "汉 x 字", true);
    }
}
