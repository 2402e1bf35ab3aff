//! The kept parts of a page as text: lines and blank lines as a browser would show them, cells parted by tabs.

use kuai_page::Gap;

use super::part::Part;
use super::walk::Sink;

/// Writes text.
#[derive(Default)]
pub(super) struct Text {
    out: String,
    /// Whether the border of a block stands before the next text.
    crossed_block: bool,
}

impl Text {
    pub(super) fn finish(self) -> String {
        self.out
    }
}

impl Sink for Text {
    fn open(&mut self, part: &Part<'_>) {
        self.crossed_block |= !part.is_inline();
    }

    fn close(&mut self, part: &Part<'_>) {
        self.crossed_block |= !part.is_inline();
        if matches!(part, Part::Pre { .. }) {
            self.out.truncate(self.out.trim_end_matches(['\n', '\r']).len());
        }
    }

    /// Code may end in line breaks of its own; the gap then adds only what is missing. A list that is styled to stand
    /// on one line is a list in the other formats, so its words are parted here too.
    fn gap(&mut self, gap: Gap, _: bool) {
        if self.out.is_empty() {
            return;
        }
        let gap = if self.crossed_block { gap.max(Gap::Space) } else { gap };
        match gap {
            Gap::None => {}
            Gap::Space if self.out.ends_with([' ', '\n', '\t']) => {}
            Gap::Space => self.out.push(' '),
            Gap::Cell => self.out.push('\t'),
            Gap::Line if self.out.ends_with('\n') => {}
            Gap::Line => self.out.push('\n'),
            Gap::Paragraph if self.out.ends_with("\n\n") => {}
            Gap::Paragraph if self.out.ends_with('\n') => self.out.push('\n'),
            Gap::Paragraph => self.out.push_str("\n\n"),
        }
    }

    fn text(&mut self, text: &str) {
        self.crossed_block = false;
        self.out.push_str(text);
    }

    fn formula(&mut self, tex: &str, display: bool) {
        let signs = if display { "$$" } else { "$" };
        self.out.extend([signs, tex, signs]);
    }

    fn reference(&mut self, _: &str, shown: &str) {
        self.out.push_str(shown);
    }

    fn end_paragraph(&mut self) {}

    fn rule(&mut self) {}

    fn image(&mut self, _: &str, _: &str) {}
}
