//! Bounds on what a page may ask of the parser, and the notes left where one was hit.

/// How much of a page is taken. The defaults hold every sane page many times over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Elements open at once; what is nested deeper becomes a sibling at this depth.
    pub depth: usize,
    /// Nodes in all; the rest of the page is left unparsed.
    pub nodes: usize,
    /// Attributes of one element; further ones are dropped.
    pub attributes: usize,
    /// Bytes of one attribute's value that are kept.
    pub attribute_length: usize,
    /// Formatting elements (`b`, `font`, …) left open at once that later blocks reopen; the oldest are forgotten.
    pub formatting: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { depth: 512, nodes: 4_000_000, attributes: 512, attribute_length: 16 << 20, formatting: 256 }
    }
}

/// A limit that a page ran into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Note {
    /// Elements were nested deeper than [`Limits::depth`].
    Depth,
    /// There were more nodes than [`Limits::nodes`].
    Nodes,
    /// An element had more attributes than [`Limits::attributes`].
    Attributes,
    /// An attribute's value was longer than [`Limits::attribute_length`].
    AttributeLength,
    /// More formatting elements were left open than [`Limits::formatting`].
    Formatting,
}
