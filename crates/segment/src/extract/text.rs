//! The kept parts of a page as text: lines and blank lines as a browser would show them, cells parted by tabs.

use kuai_page::{Gap, room};

use super::part::Part;
use super::walk::Sink;

/// Writes text.
#[derive(Default)]
pub(super) struct Text {
    out: String,
    /// Whether a table is open, but none of its cells.
    between_cells: bool,
    in_cell: bool,
    /// Cells of the open row so far.
    cell_count: usize,
}

impl Text {
    pub(super) fn finish(self) -> String {
        self.out
    }

    fn begin_line(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.out.push('\n');
        }
    }
}

impl Sink for Text {
    fn open(&mut self, part: &Part<'_>) {
        match part {
            Part::Table => self.between_cells = true,
            Part::Row => {
                self.cell_count = 0;
                self.begin_line();
            }
            Part::TableCaption => {
                self.begin_line();
                self.between_cells = false;
            }
            Part::Cell { .. } => {
                self.out.extend((self.cell_count > 0).then_some('\t'));
                self.cell_count += 1;
                (self.in_cell, self.between_cells) = (true, false);
            }
            _ => {}
        }
    }

    fn close(&mut self, part: &Part<'_>) {
        match part {
            Part::Pre { .. } => self.out.truncate(self.out.trim_end_matches(['\n', '\r']).len()),
            Part::Cell { .. } => (self.in_cell, self.between_cells) = (false, true),
            Part::TableCaption => self.between_cells = true,
            Part::Table => self.between_cells = false,
            _ => {}
        }
    }

    /// Code may end in line breaks of its own; the gap then adds only what is missing. A row is a line.
    fn gap(&mut self, gap: Gap, _: bool) {
        if self.out.is_empty() || self.between_cells {
            return;
        }
        let gap = if self.in_cell { gap.min(Gap::Space) } else { gap };
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
        room::make_for(&mut self.out, text.len() + Gap::BYTES_MAX);
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
