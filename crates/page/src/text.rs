//! STAND-IN: text as a browser would show it.

use kuai_html::{Dom, NodeId, Span};

use crate::Styles;

/// What stands between a run of text and the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gap {
    /// Nothing.
    None,
    /// A space.
    Space,
    /// A table cell's border.
    Cell,
    /// A line break.
    Line,
    /// A blank line.
    Paragraph,
}

/// A text node with its place in the flow of the page.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// The text node.
    pub node: NodeId,
    /// Its span.
    pub span: Span,
    /// What stands before it.
    pub gap: Gap,
    /// Whether a browser would not show it.
    pub hidden: bool,
}

/// What text to give.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextOptions {
    /// Whether parts that a browser would not show are given too.
    pub hidden: bool,
}

/// The text runs of a page in document order.
#[derive(Clone, Debug, Default)]
pub struct Flow {
    runs: Vec<Run>,
}

impl Flow {
    /// Reads the flow off a document.
    pub fn read(_dom: Dom<'_>, _styles: &Styles) -> Flow {
        Flow::default()
    }

    /// All runs, in document order.
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// The text of a span.
    pub fn text(&self, _dom: Dom<'_>, _span: Span, _options: TextOptions) -> String {
        String::new()
    }
}

/// Characters of a span, white space left out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// All.
    pub characters: usize,
    /// In links.
    pub link_characters: usize,
}
impl Flow {
    /// Counts.
    pub fn count(&self, _span: Span) -> Counts {
        Counts::default()
    }
    /// Join.
    pub fn join(&self, _dom: Dom<'_>, _keep: impl FnMut(&Run) -> bool) -> String {
        String::new()
    }
}
