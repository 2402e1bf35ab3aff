//! How many nodes and attributes a page may have, so that room for them is made once and no larger than needed: a tree is mostly its two lists.

use pulp::Arch;

/// How many nodes and attributes a source may have, guessed from pairs of bytes. Scripts that write markup make it too many,
/// tags that are left out too few.
pub(super) struct Expected {
    pub(super) nodes: usize,
    pub(super) attributes: usize,
}

/// The root, the elements that every page has, and what a small page is off by.
const NODES_MIN: usize = 16;
/// One in so many more than counted, for elements without tags. Pages that have few nodes for their length can spare more, and so
/// need not grow.
const MARGIN: usize = 64;
/// One in so many more than counted, at most, where a page has few nodes for its length.
const SPARE: usize = 8;
/// At one node in so many bytes, or more, a page has many.
const BYTES_A_NODE: usize = 16;
/// Bytes counted at once: whole vectors, and fewer than a byte can count.
const PIECE: usize = 224;

impl Expected {
    /// Counts starts of tags, ends of tags that text follows, and quotes that open a value.
    pub(super) fn of(source: &[u8]) -> Self {
        let mut expected = Arch::new().dispatch(|| Self::counted(source));
        let spare = (source.len() / BYTES_A_NODE).saturating_sub(expected.nodes);
        expected.nodes += (expected.nodes / MARGIN).max(spare.min(expected.nodes / SPARE));
        expected.attributes += expected.attributes / MARGIN;
        expected
    }

    /// Compiled for each kind of processor, so it must be inlined. Counts of a byte each, over pieces that cannot overflow them, are what
    /// the compiler turns into vector code.
    #[inline(always)]
    fn counted(source: &[u8]) -> Self {
        let mut expected = Expected { nodes: NODES_MIN, attributes: NODES_MIN };
        let followers = source.get(1..).unwrap_or_default();
        for (bytes, followers) in source.chunks(PIECE).zip(followers.chunks(PIECE)) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_texts_and_quoted_values_are_expected() {
        let source = "<p id='a'>one<b class=\"x\">two</b></p>\n<br>".repeat(100);
        let expected = Expected::of(source.as_bytes());
        let with_margin = |count: usize| count + count / MARGIN;
        assert_eq!(expected.nodes, with_margin(NODES_MIN + 100 * 3 + 100 * 3));
        assert_eq!(expected.attributes, with_margin(NODES_MIN + 100 * 2));
    }

    #[test]
    fn a_page_of_few_nodes_has_room_for_elements_without_tags() {
        let source = "<p>".repeat(1000) + &"text ".repeat(10_000);
        assert!(Expected::of(source.as_bytes()).nodes > 1000 + 1000 / SPARE);
    }

    #[test]
    fn nothing_is_expected_of_nothing() {
        assert_eq!(Expected::of(b"").nodes, NODES_MIN);
        assert_eq!(Expected::of(b"<").nodes, NODES_MIN);
    }
}
