//! The measures of WLES: how many of a page's noise blocks were removed, and how many of the removed blocks are noise.
//!
//! Decision: only blocks of text count. In the paper tags are noise blocks, too; they are always removed and would flatter every method.

use kuai_page::Page;
use kuai_segment::said_blocks;

use super::Score;

/// Blocks of one page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoiseBlocks {
    /// Those that are noise.
    pub noise: usize,
    /// Those that were removed.
    pub removed: usize,
    /// Those that were removed and are noise.
    pub both: usize,
}

impl NoiseBlocks {
    /// Recall and precision; a page without noise of which nothing was removed is perfect.
    pub fn score(self) -> Score {
        let share = |whole: usize| if whole == 0 { 1.0 } else { self.both as f64 / whole as f64 };
        Score::new(share(self.removed), share(self.noise))
    }

    /// The lower of recall and precision.
    pub fn worse(self) -> f64 {
        let score = self.score();
        score.precision.min(score.recall)
    }
}

/// Judges a text by the text blocks of the page that it leaves out.
pub fn noise_blocks(page: &Page, gold: &str, answer: &str) -> NoiseBlocks {
    let mut count = NoiseBlocks::default();
    for (wanted, kept) in said_blocks(page, gold).into_iter().zip(said_blocks(page, answer)) {
        let (is_noise, is_removed) = (wanted == Some(false), kept == Some(false));
        count.noise += usize::from(is_noise);
        count.removed += usize::from(is_removed);
        count.both += usize::from(is_noise && is_removed);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_text_count_and_tags_do_not() {
        let page = Page::from_html("<ul><li>Home page<li>About us</ul><p>The text, in two blocks.</p><p>Imprint here");
        let count = |answer| noise_blocks(&page, "The text, in two blocks.", answer);
        assert_eq!(count("The text, in two blocks."), NoiseBlocks { noise: 3, removed: 3, both: 3 });
        assert_eq!(count("The text, in two blocks. Imprint here"), NoiseBlocks { noise: 3, removed: 2, both: 2 });
        assert_eq!(count("in two blocks."), NoiseBlocks { noise: 3, removed: 4, both: 3 });
        assert_eq!(count("in two blocks.").worse(), 0.75);
    }

    #[test]
    fn a_page_without_noise_is_perfect_when_left_alone() {
        let page = Page::from_html("<p>Nothing but text.");
        assert_eq!(noise_blocks(&page, "Nothing but text.", "Nothing but text.").worse(), 1.0);
    }
}
