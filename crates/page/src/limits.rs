//! Bounds on what a page may ask of us, and the notes left where one was hit.

/// How much of a page is taken. The defaults hold every sane page many times over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the body that are read; a longer body is kept raw and only its beginning is parsed.
    pub bytes: usize,
    /// Depth, nodes and attributes of the document.
    pub html: kuai_html::Limits,
    /// Style sheets that are read.
    pub style_sheets: usize,
    /// Bytes of all style sheets together.
    pub style_bytes: usize,
    /// Style rules (one per selector) of all style sheets together.
    pub style_rules: usize,
    /// Steps of matching rules against elements, besides a fixed number for every node.
    pub style_steps: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            bytes: 64 << 20,
            html: kuai_html::Limits::default(),
            style_sheets: 1024,
            style_bytes: 4 << 20,
            style_rules: 50_000,
            style_steps: 10_000_000,
        }
    }
}
