//! What stands between two runs of text, gathered while the walk passes the borders between them.
//!
//! Borders only ever widen the gap that is pending, and giving out a run uses it up.

/// What stands between a run of text and the one before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Gap {
    /// Nothing.
    #[default]
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

impl Gap {
    /// Bytes of text that it stands for, at most.
    pub const BYTES_MAX: usize = 2;
}

/// How an element parts the text inside it from the text around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Not at all.
    Inline,
    /// A form control: by a space.
    Control,
    /// `br`.
    Break,
    /// A block: it has lines of its own.
    Block,
    /// A paragraph or heading: blank lines around it.
    Paragraph,
    /// A cell of a table row.
    Cell,
}

/// The gap that is pending at a place of the walk.
#[derive(Clone, Debug, Default)]
pub(super) struct Spacing {
    gap: Gap,
    /// How many runs began a new line so far.
    line_count: u32,
    /// The table cells that are open.
    cells: Vec<Cell>,
    /// How many of them, from the outermost, have text already.
    started_count: usize,
}

#[derive(Clone, Copy, Debug)]
struct Cell {
    /// What was pending before the cell, for a cell that stays empty.
    gap_before: Gap,
    /// `line_count` at the cell's first text.
    first_line: u32,
}

impl Spacing {
    pub(super) fn enter(&mut self, part: Part) {
        if part == Part::Cell {
            self.cells.push(Cell { gap_before: self.gap, first_line: 0 });
            self.gap = self.gap.max(Gap::Cell);
        } else {
            self.border(part);
        }
    }

    pub(super) fn leave(&mut self, part: Part) {
        match part {
            Part::Cell => self.leave_cell(),
            Part::Break => {}
            _ => self.border(part),
        }
    }

    /// White space that collapses to a space, or to a line break where those are kept.
    pub(super) fn space(&mut self, is_break: bool) {
        self.gap = self.gap.max(if is_break { Gap::Line } else { Gap::Space });
    }

    /// A run of text follows: what stands before it.
    pub(super) fn take(&mut self) -> Gap {
        let gap = std::mem::take(&mut self.gap);
        self.line_count += u32::from(gap >= Gap::Line);
        for cell in &mut self.cells[self.started_count..] {
            cell.first_line = self.line_count;
        }
        self.started_count = self.cells.len();
        gap
    }

    fn border(&mut self, part: Part) {
        let border = match part {
            Part::Inline | Part::Cell => Gap::None,
            Part::Control => Gap::Space,
            // A break after text ends its line; on an empty line it leaves a blank one.
            Part::Break if self.gap >= Gap::Line => Gap::Paragraph,
            Part::Break | Part::Block => Gap::Line,
            Part::Paragraph => Gap::Paragraph,
        };
        // `<td><p>` begins on the cell's own line: only text within the cell can be parted by lines.
        if self.gap != Gap::Cell {
            self.gap = self.gap.max(border);
        }
    }

    /// Cells of one line stand side by side; what follows a cell of many lines begins a new one, since cells like
    /// that are there for layout.
    fn leave_cell(&mut self) {
        let Some(cell) = self.cells.pop() else { return };
        let has_text = self.started_count > self.cells.len();
        self.started_count = self.started_count.min(self.cells.len());
        self.gap = if !has_text {
            cell.gap_before
        } else if self.line_count > cell.first_line {
            Gap::Line
        } else {
            Gap::None
        };
    }
}
