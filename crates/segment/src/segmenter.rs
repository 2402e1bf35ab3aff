//! The trait that every method implements.

use kuai_page::{BlockTree, Page};

/// Cuts pages into blocks. Never fails, and gives the same tree for the same page.
pub trait Segmenter: Send + Sync {
    /// The blocks of this page; any page has at least one unless its source is empty.
    fn segment(&self, page: &Page) -> BlockTree;
}
