//! The trait that every method implements.

use kuai_page::{BlockTree, Page, Span};

/// Cuts pages into blocks. Never fails, and gives the same tree for the same page.
pub trait Segmenter: Send + Sync {
    /// The blocks of this page, without topics; any page has at least one unless its source is empty.
    fn cut(&self, page: &Page) -> BlockTree;

    /// What a block of this page is about; `None` where it shows no text, and from methods that name no topics.
    fn topic(&self, _page: &Page, _block: Span) -> Option<String> {
        None
    }

    /// The blocks of this page, each with its topic. Whoever keeps few topics cuts and asks for those alone.
    fn segment(&self, page: &Page) -> BlockTree {
        let mut tree = self.cut(page);
        for (span, _, topic) in tree.blocks_mut() {
            *topic = self.topic(page, span);
        }
        tree
    }
}
