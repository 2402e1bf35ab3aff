//! An archive in memory whose pages are cut by paragraph, without any method.

use kuai_archive::{Archive, Cutter};
use kuai_page::{BlockTree, Page, Span};
use kuai_store::MemoryStore;

/// One block a page, which the archive cuts into paragraphs.
struct Whole;

impl Cutter for Whole {
    fn cut(&self, page: &Page, _: &str) -> Option<BlockTree> {
        Some(BlockTree::from_spans([page.span()]))
    }

    fn topic(&self, _: &Page, _: &str, _: Span) -> Option<String> {
        None
    }

    fn default_method(&self) -> &str {
        "whole"
    }
}

/// An empty archive.
pub(crate) fn archive() -> Archive {
    Archive::new(Box::new(MemoryStore::new()), Box::new(Whole))
}
