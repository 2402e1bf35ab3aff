//! The methods of `segment`, as the archive asks for them.

use std::sync::OnceLock;

use kuai_archive::Cutter;
use kuai_page::{BlockTree, Page};
use kuai_segment::{METHODS, Segmenter};

/// The method by which archived pages are cut where no rule names another: the block-based Web archive's own.
pub const ARCHIVE_METHOD: &str = "bwap";

/// Every method at its defaults, made on first use.
pub struct Methods {
    segmenters: Vec<OnceLock<Box<dyn Segmenter>>>,
}

impl Methods {
    /// All methods.
    pub fn new() -> Methods {
        Methods { segmenters: METHODS.iter().map(|_| OnceLock::new()).collect() }
    }
}

impl Default for Methods {
    fn default() -> Methods {
        Methods::new()
    }
}

impl Cutter for Methods {
    fn cut(&self, page: &Page, method: &str) -> Option<BlockTree> {
        let index = METHODS.iter().position(|known| known.name == method)?;
        let segmenter = self.segmenters[index].get_or_init(|| METHODS[index].segmenter(&METHODS[index].defaults()));
        Some(segmenter.segment(page))
    }

    fn default_method(&self) -> &str {
        ARCHIVE_METHOD
    }
}
