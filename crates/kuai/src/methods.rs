//! The methods of `segment`, as the archive asks for them.

use std::sync::OnceLock;

use kuai_archive::Cutter;
use kuai_page::{BlockTree, Page, Span};
use kuai_segment::{Judged, METHODS, Method, Segmenter, Settings};

/// The method by which archived pages are cut where no rule names another: the block-based Web archive's own.
pub const ARCHIVE_METHOD: &str = "bwap";

/// Every method, made on first use.
pub struct Methods {
    segmenters: Vec<OnceLock<Box<dyn Segmenter>>>,
}

impl Methods {
    /// All methods.
    pub fn new() -> Methods {
        Methods { segmenters: METHODS.iter().map(|_| OnceLock::new()).collect() }
    }

    fn segmenter(&self, method: &str) -> Option<&dyn Segmenter> {
        let index = METHODS.iter().position(|known| known.name == method)?;
        let make = || METHODS[index].segmenter(&settings(&METHODS[index]));
        Some(&**self.segmenters[index].get_or_init(make))
    }

    /// What the method of this name takes for main text; `None` where there is none.
    pub fn judge(&self, page: &Page, method: &str) -> Option<Judged> {
        Some(self.segmenter(method)?.judge(page))
    }
}

impl Default for Methods {
    fn default() -> Methods {
        Methods::new()
    }
}

impl Cutter for Methods {
    fn cut(&self, page: &Page, method: &str) -> Option<BlockTree> {
        Some(self.segmenter(method)?.cut(page))
    }

    fn topic(&self, page: &Page, method: &str, block: Span) -> Option<String> {
        self.segmenter(method)?.topic(page, block)
    }

    fn default_method(&self) -> &str {
        ARCHIVE_METHOD
    }
}

/// Words of the topics that are kept with blocks: enough to know a block by, and few enough to keep many.
const TOPIC_WORDS_MAX: f64 = 5.0;

/// The defaults of a method, with topics of the archive's length where it gives any.
fn settings(method: &'static Method) -> Settings {
    let mut settings = method.defaults();
    // A method without topics has no such parameter.
    let _ = settings.set("topic_words_max", TOPIC_WORDS_MAX);
    settings
}
