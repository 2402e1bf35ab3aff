//! Turns any bytes from the Web into a [`Page`] whose every part knows which bytes of the source it came
//! from, and defines the words that all other crates speak: capture, page, span, block, layout, version.
//!
//! Nothing here does I/O, fails or panics: what goes wrong with a page is told by its [`Note`]s.
//!
//! ```
//! use kuai_page::Page;
//!
//! let page = Page::from_html("<title>Hello</title><p>One <a href='/two'>two</a>");
//! assert_eq!(page.metadata().title.as_deref(), Some("Hello"));
//! ```

mod block;
mod capture;
mod decode;
mod geometry;
mod limits;
mod links;
mod metadata;
mod note;
mod page;
mod style;
mod text;
mod version;
mod words;

pub use block::{Block, BlockTree, Label};
pub use capture::{Capture, Request};
pub use decode::{Decoded, Evidence, decode, encode};
pub use encoding_rs::Encoding;
pub use geometry::{Boxes, Rect, Tier};
pub use jiff::{Error as TimeError, Timestamp};
pub use kuai_html::{Attribute, Dom, Edge, Namespace, NodeId, NodeKind, Origin, Quirks, Span, Tag, room};
pub use limits::Limits;
pub use links::{Anchor, Link, LinkKind};
pub use metadata::{Citation, CitationKind, Feed, Metadata, Name, Refresh, month_number};
pub use note::Note;
pub use page::Page;
pub use style::{
    Clear, Color, Display, FlexDirection, Float, Hidden, Justify, Length, LineHeight, ListStyle, Position, Sides,
    Style, StyleSheet, Styles, TextAlign, Track, Typeface, WhiteSpace,
};
pub use text::{Count, Flow, Gap, Piece, Run, TextOptions, collapsed, count_characters, push_collapsed};
pub use url::Url;
pub use version::{CutBlock, Layout, Version};
pub use words::{Script, character_pairs, is_stop_character, is_stop_word, lower_case, script_of, words};
