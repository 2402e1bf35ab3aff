//! What stands around a link: a stretch of the page's text on both sides of it, whatever blocks it runs over.
//!
//! Blocks are cut for what they are, not for their links: one may be a bare link whose description is the next block, another a whole list
//! of links on several subjects. A stretch is as long beside every link.

use super::FocusBlock;

/// Bytes of text on each side of a link that tell what it is about.
const REACH_BYTES: usize = 200;

/// The text of a page, to be read around its links.
pub(super) struct Surroundings {
    text: String,
    /// Where each block begins.
    starts: Vec<usize>,
}

impl Surroundings {
    /// The texts of the blocks one after another.
    pub(super) fn new(blocks: &[FocusBlock<'_>]) -> Surroundings {
        let mut surroundings = Surroundings { text: String::new(), starts: Vec::with_capacity(blocks.len()) };
        for block in blocks {
            surroundings.starts.push(surroundings.text.len());
            surroundings.text.push_str(block.text);
            surroundings.text.push('\n');
        }
        surroundings
    }

    /// What stands around each link of a block, in the order of its links. A link that the block's text does not hold, such as a
    /// picture, stands where the one before it ends.
    pub(super) fn of_links(&self, block_index: usize, block: &FocusBlock<'_>) -> impl Iterator<Item = &str> {
        let mut place = self.starts[block_index];
        let block_end = place + block.text.len();
        block.links.iter().map(move |link| {
            let found = self.text[place..block_end].find(link.text);
            let start = found.map_or(place, |found| place + found);
            place = found.map_or(place, |_| start + link.text.len());
            let before = self.text.floor_char_boundary(start.saturating_sub(REACH_BYTES));
            let after = self.text.floor_char_boundary((place + REACH_BYTES).min(self.text.len()));
            &self.text[before..after]
        })
    }
}

#[cfg(test)]
mod tests {
    use kuai_page::{Span, Url};

    use super::*;
    use crate::focus::FocusLink;

    fn check(blocks: &[(&str, &[&str])], block_index: usize, expected: &[&str]) {
        let url = Url::parse("http://a.example/").unwrap();
        let blocks: Vec<FocusBlock<'_>> = blocks
            .iter()
            .map(|&(text, links)| FocusBlock {
                span: Span::new(0, 1),
                label: None,
                text,
                links: links.iter().map(|text| FocusLink { url: &url, text }).collect(),
            })
            .collect();
        let surroundings = Surroundings::new(&blocks);
        assert_eq!(surroundings.of_links(block_index, &blocks[block_index]).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_bare_link_is_read_with_the_blocks_beside_it() {
        let blocks: [(&str, &[&str]); 3] = [("Data", &[]), ("Sort", &["Sort"]), ("Puts rows in order", &[])];
        check(&blocks, 1, &["Data\nSort\nPuts rows in order\n"]);
    }

    #[test]
    fn a_link_of_a_long_list_is_read_with_what_is_near() {
        let text = format!("one {0} here {0} here", "层".repeat(REACH_BYTES));
        let (before, after) = ("层".repeat(67), "层".repeat(66));
        check(&[(&text, &["here", "here"])], 0, &[&format!("{before} here {after}"), &format!("{before} here\n")]);
    }

    #[test]
    fn a_link_without_words_in_its_block_stands_where_the_last_one_ended() {
        check(&[("one two", &["one", "picture"])], 0, &["one two\n", "one two\n"]);
    }
}
