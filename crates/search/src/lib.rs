//! Finds blocks in the history of pages: an index of words that follows the archive's change feed.
//!
//! A document of the index is a **lifetime**: a text at an address, from the capture that first showed it to the first that did not. So a
//! block that stayed the same through five hundred captures is one hit with a life span, and what stood at any time can be told.
//! Texts are not kept twice: what a hit says is read from the archive.
//!
//! Knows nothing of methods nor SQL. The index can be thrown away: [`Index::follow`] makes it again.

mod ask;
mod discover;
mod error;
mod facets;
mod follow;
mod hits;
mod index;
mod language;
mod lifetimes;
mod links;
mod listing;
mod packed;
mod pages;
mod period;
mod query;
mod rank;
mod ranks;
mod said;
mod schema;
mod search;
mod snippet;
mod standing;
mod target;
mod tokens;
mod topics;
mod unended;
mod view;
mod walk;
mod when;

pub use ask::Reply;
pub use discover::{Extent, Finding};
pub use error::Error;
pub use facets::Facets;
pub use follow::Followed;
pub use index::{Index, Opened};
pub use language::Language;
pub use links::{PageLink, links_in, links_out};
pub use listing::Listed;
pub use period::Period;
pub use query::{Filter, Query, QueryError};
pub use rank::{Ranked, rank};
pub use said::BlockId;
pub use search::{Answer, Hit, Request};
pub use snippet::Snippet;
pub use target::{Target, target};
pub use tokens::{DictionaryError, Token, Tokenizer};
pub use topics::{TopicCount, YearTopics};
pub use walk::Going;
pub use when::{Spell, When};
