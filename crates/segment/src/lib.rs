//! Finds, labels and names the blocks of a page, and extracts what people want from them.
//!
//! Every method reads the same [`Page`](kuai_page::Page) and answers in spans of its source, so any two can be
//! compared, drawn, stored and scored by the same code. [`METHODS`] lists them once for everybody.
//!
//! ```
//! use kuai_page::Page;
//! use kuai_segment::{extract, method};
//!
//! let page = Page::from_html("<title>Moon</title><ul><li><a href=/>Home</a></ul><p>The moon is far away, they say.");
//! let method = method("spcola").unwrap();
//! let tree = method.segmenter(&method.defaults()).segment(&page);
//! assert_eq!(extract(&page, &tree, method).text, "The moon is far away, they say.");
//! ```

mod blocks;
mod cues;
mod extract;
mod features;
mod label;
mod length;
mod methods;
mod model;
mod page_type;
mod places;
mod segmenter;
mod site;
mod topic;

pub use blocks::{BlockStyle, Candidates};
pub use extract::{Extract, Image, PageKind, Unit, Wanted, extract, extract_wanted, html, images, markdown, text};
pub use features::bounds;
pub use label::label;
pub use methods::{
    DEFAULT_METHOD, FeatureElement, FeatureUnit, Features, METHODS, Method, Parameter, Settings, SettingsError,
    features, method,
};
pub use page_type::{PageType, TypeGuess};
pub use segmenter::{Judged, Segmenter};
pub use site::{
    Cleaned, Example, Found, LearnError, Learnt, Lesson, Misfit, ModelFileError, SiteModel, proposed_answers,
    said_blocks,
};
