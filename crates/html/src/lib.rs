//! HTML as the standard reads it, with the place of every node in the source.

mod builder;
mod limits;
mod parse;
mod references;
mod span;
mod tag;
mod tokenizer;
mod tokens;
mod tree;

pub use builder::Context;
pub use limits::{Limits, Note};
pub use parse::{Options, parse, parse_fragment};
pub use span::Span;
pub use tag::Tag;
pub use tokenizer::Content;
pub use tokens::{DoctypeText, TagText, Token, TokenAttribute, TokenKind, TokenOptions, Tokens, tokens, tokens_with};
pub use tree::{Attribute, Doctype, Dom, Edge, Namespace, NodeId, NodeKind, Origin, Quirks, Tree, Walk};
