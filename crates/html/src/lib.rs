//! HTML as the standard reads it, with the place of every node in the source.

mod limits;
mod parse;
mod span;
mod tag;
mod tree;

pub use limits::{Limits, Note};
pub use parse::{Options, parse};
pub use span::Span;
pub use tag::Tag;
pub use tree::{Attribute, Dom, Edge, Namespace, NodeId, NodeKind, Origin, Quirks, Tree, Walk};
