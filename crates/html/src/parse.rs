//! The front door: parses documents and fragments into a tree.

use crate::builder::{Builder, Context};
use crate::{Limits, Note, Tree};

/// How to parse.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Whether the page is read as by a browser that runs scripts (`noscript` is then raw text).
    pub scripting: bool,
    /// Whether the content of a chosen `option` is copied into the `selectedcontent` of its `select`, as the standard does
    /// for display. Off unless asked for: a page would hold text twice that its source holds once, and a tree whose nodes
    /// are spans of the source has no place for the second.
    pub mirror_selected: bool,
    /// Whether the tree is to be as browsers come to show the page, where the page itself tells how: parts that it streams behind its end
    /// stand where its script would put them, and raw text that is left open in a `noscript` (`<iframe />`) ends with that instead
    /// of taking the rest of the page. Off unless asked for: the standard's tree, without scripts, has neither.
    pub as_shown: bool,
    /// Bounds.
    pub limits: Limits,
}

/// Parses a whole document into `tree`, whose memory is used again. The notes say which limits it ran into.
///
/// Spans are 32 bits wide: of a source beyond 4 GiB only the first 4 GiB are read.
pub fn parse(source: &str, options: &Options, tree: &mut Tree) -> Vec<Note> {
    Builder::new(readable(source), options, tree).run()
}

/// Parses the content of an element, as `innerHTML` does. The tree's document holds an implied `html` element, and
/// that holds the fragment.
pub fn parse_fragment(source: &str, context: &Context<'_>, options: &Options, tree: &mut Tree) -> Vec<Note> {
    Builder::for_fragment(readable(source), context, options, tree).run()
}

/// What 32-bit offsets can name; the highest value stands for "none".
fn readable(source: &str) -> &str {
    let length = source.floor_char_boundary(source.len().min(u32::MAX as usize - 1));
    &source[..length]
}
