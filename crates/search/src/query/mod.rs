//! What people ask for: words, phrases, fields, and how they are joined.

mod compile;
mod lex;
mod parse;

pub(crate) use compile::{Wanted, compile};
pub use lex::QueryError;
pub use parse::Query;

use kuai_page::Label;

use crate::language::Language;

/// Bytes of a query.
const QUERY_BYTES_MAX: usize = 4096;

/// Words, phrases and fields of a query.
const PARTS_MAX: usize = 64;

/// Brackets around brackets.
const DEPTH_MAX: usize = 16;

/// How many of the words that merely stand side by side have to be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strictness {
    /// Of four words one may be missing, of eight two.
    Most,
    /// At least half.
    Half,
    /// At least one.
    Any,
}

impl Strictness {
    /// How many of so many words are enough.
    fn enough(self, words: usize) -> usize {
        match self {
            Strictness::Most => words - words / 4,
            Strictness::Half => words.div_ceil(2),
            Strictness::Any => words.min(1),
        }
    }
}

/// A part of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    /// A word as it was typed.
    Word(String),
    /// Words that follow each other.
    Phrase(String),
    /// What a block has to be besides.
    Field(Filter),
    /// All that is required, nothing that is left out, and most of the words.
    All { words: Vec<Node>, required: Vec<Node>, left_out: Vec<Node> },
    /// Any of these.
    Any(Vec<Node>),
}

/// What a block has to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Filter {
    /// Of this label.
    Kind(Label),
    /// No links, adverts, copyright lines or noise.
    Content,
    /// On this host, or one below it.
    Site(String),
    /// On a page whose address begins so.
    UrlPrefix(String),
    /// In this language.
    Language(Language),
    /// About this, in these words.
    Topic(String),
    /// On a page with these words in its title.
    Title(String),
}
