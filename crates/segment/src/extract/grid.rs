//! The rows and columns of a table while it is read, and then as a pipe table.
//!
//! A cell over several columns or rows stands in its first place; the others are empty, so that columns stay columns
//! and no word is said twice.

/// A table being read.
#[derive(Default)]
pub(super) struct Grid {
    rows: Vec<Row>,
    /// By column: how many rows below still belong to a cell above.
    taken: Vec<u16>,
    /// The header, columns and rows of the open cell.
    cell: (bool, u16, u16),
    cell_count: usize,
    empty_count: usize,
}

#[derive(Default)]
struct Row {
    cells: Vec<String>,
    header_count: usize,
    cell_count: usize,
}

/// Empty cells that wide cells may leave, for each cell of the page and for the table; wider ones are cut short.
const EMPTY_PER_CELL_MAX: usize = 8;
const EMPTY_MAX: usize = 1_000;

impl Grid {
    pub(super) fn open_row(&mut self) {
        // Cells above also reach over the places behind the last cell of a row.
        let column = self.column();
        for rows in self.taken.iter_mut().skip(column).filter(|_| !self.rows.is_empty()) {
            *rows = rows.saturating_sub(1);
        }
        self.rows.push(Row::default());
    }

    pub(super) fn open_cell(&mut self, header: bool, columns: u16, rows: u16) {
        self.cell = (header, columns, rows);
    }

    pub(super) fn end_cell(&mut self, text: String) {
        let (header, columns, rows) = std::mem::take(&mut self.cell);
        if self.rows.is_empty() {
            self.open_row();
        }
        self.cell_count += 1;
        while self.is_taken() && self.push_empty() {}
        self.fill(text, rows);
        for _ in 1..columns {
            if !self.push_empty() {
                break;
            }
            let column = self.column();
            self.take_column(column - 1, rows);
        }
        if let Some(row) = self.rows.last_mut() {
            row.header_count += usize::from(header);
            row.cell_count += 1;
        }
    }

    fn column(&self) -> usize {
        self.rows.last().map_or(0, |row| row.cells.len())
    }

    fn is_taken(&self) -> bool {
        self.taken.get(self.column()).is_some_and(|rows| *rows > 0)
    }

    fn fill(&mut self, text: String, rows: u16) {
        let column = self.column();
        self.take_column(column, rows);
        if let Some(row) = self.rows.last_mut() {
            row.cells.push(text);
        }
    }

    fn take_column(&mut self, column: usize, rows: u16) {
        if self.taken.len() <= column {
            self.taken.resize(column + 1, 0);
        }
        self.taken[column] = rows.saturating_sub(1);
    }

    /// Whether there was room for an empty cell.
    fn push_empty(&mut self) -> bool {
        if self.empty_count >= EMPTY_MAX + self.cell_count * EMPTY_PER_CELL_MAX {
            return false;
        }
        self.empty_count += 1;
        let column = self.column();
        if let Some(rows) = self.taken.get_mut(column) {
            *rows = rows.saturating_sub(1);
        }
        if let Some(row) = self.rows.last_mut() {
            row.cells.push(String::new());
        }
        true
    }

    /// The table's lines; `None` where it has no cells.
    pub(super) fn finish(self) -> Option<String> {
        let rows: Vec<&Row> = self.rows.iter().filter(|row| !row.cells.is_empty()).collect();
        let first = rows.first()?;
        let columns = rows.iter().map(|row| row.cells.len()).max()?;
        // Headers beside the rows are no header above them.
        let has_side_headers = first.header_count < first.cell_count && rows.iter().any(|row| row.header_count > 0);
        let mut text = String::new();
        if has_side_headers {
            write_row(&mut text, &[], columns);
        }
        for (index, row) in rows.iter().enumerate() {
            let is_header = index == 0 && !has_side_headers;
            if index == 0 && has_side_headers {
                write_rule(&mut text, columns);
            }
            write_row(&mut text, &row.cells, if is_header { columns } else { 0 });
            if is_header {
                write_rule(&mut text, columns);
            }
        }
        text.pop();
        Some(text)
    }
}

/// Only the header needs all its columns; readers fill the others up.
fn write_row(text: &mut String, cells: &[String], columns: usize) {
    text.push('|');
    for cell in cells {
        text.extend([" ", cell, if cell.is_empty() { "|" } else { " |" }]);
    }
    text.extend(std::iter::repeat_n("  |", columns.saturating_sub(cells.len())));
    text.push('\n');
}

fn write_rule(text: &mut String, columns: usize) {
    text.push('|');
    text.extend(std::iter::repeat_n(" --- |", columns));
    text.push('\n');
}
