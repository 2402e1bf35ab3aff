//! Room for the nodes and attributes of a page, made once and no larger than needed: a list that doubles as it grows takes
//! three times its size at the worst moment, and a tree is mostly its two lists.

/// How many nodes and attributes a source may have, guessed from pairs of bytes. Scripts that write markup make it too many,
/// tags that are left out too few.
pub(super) struct Expected {
    pub(super) nodes: usize,
    pub(super) attributes: usize,
}

/// The root, the elements that every page has, and what a small page is off by.
const NODES_MIN: usize = 16;

impl Expected {
    /// Counts starts of tags, ends of tags that text follows, and quotes that open a value.
    pub(super) fn of(source: &[u8]) -> Self {
        let mut expected = Expected { nodes: NODES_MIN, attributes: NODES_MIN };
        let followers = source.get(1..).unwrap_or_default();
        // Counts of a byte each, over pieces that cannot overflow them, are what the compiler turns into vector code.
        for (bytes, followers) in source.chunks(255).zip(followers.chunks(255)) {
            let (mut nodes, mut attributes) = (0_u8, 0_u8);
            for (&byte, &follower) in bytes.iter().zip(followers) {
                let starts_tag = (byte == b'<') & ((follower | 0x20).wrapping_sub(b'a') < 26);
                let starts_text = (byte == b'>') & (follower != b'<');
                nodes += u8::from(starts_tag | starts_text);
                attributes += u8::from((byte == b'=') & ((follower == b'"') | (follower == b'\'')));
            }
            expected.nodes += usize::from(nodes);
            expected.attributes += usize::from(attributes);
        }
        expected
    }
}

/// Makes room for one more where there is none, by a quarter of what is there.
#[inline]
pub(super) fn make<T>(list: &mut Vec<T>) {
    if list.len() == list.capacity() {
        list.reserve_exact(list.len() / 4 + NODES_MIN);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_texts_and_quoted_values_are_expected() {
        let source = "<p id='a'>one<b class=\"x\">two</b></p>\n<br>".repeat(100);
        let expected = Expected::of(source.as_bytes());
        assert_eq!(expected.nodes, NODES_MIN + 100 * 3 + 100 * 3);
        assert_eq!(expected.attributes, NODES_MIN + 100 * 2);
    }

    #[test]
    fn nothing_is_expected_of_nothing() {
        assert_eq!(Expected::of(b"").nodes, NODES_MIN);
        assert_eq!(Expected::of(b"<").nodes, NODES_MIN);
    }
}
