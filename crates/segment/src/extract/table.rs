//! What a table is for: data in rows and columns, the layout of a page, or the lines of a program.

use kuai_page::{Dom, NodeId, Tag};

use super::line_number;

/// What a table is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TableUse {
    Data,
    Layout,
    /// A program, a row a line, with its line numbers in a column.
    Program,
}

/// Nodes looked at before a table is judged by what was seen.
const LOOK_MAX: usize = 4_000;

/// Paragraphs, lists and the like in one cell; where more than a tenth of the cells of a table without headers hold more, it is for layout.
const CELL_BLOCKS_MAX: u32 = 3;
const FULL_CELLS_PER_CELL_MAX: f32 = 0.1;

/// Judges a table. A table around another is layout, and the look stops at the inner one, so nesting costs nothing.
pub(super) fn use_of(dom: Dom<'_>, table: NodeId) -> TableUse {
    if dom.attribute(table, "role").is_some_and(|role| matches!(role.trim(), "presentation" | "none")) {
        return TableUse::Layout;
    }
    let mut seen = Seen::default();
    for node in dom.descendants(table).take(LOOK_MAX) {
        if !seen.note(dom, node) {
            return TableUse::Layout;
        }
    }
    seen.judge()
}

#[derive(Default)]
struct Seen {
    row_of_last_cell: Option<NodeId>,
    row_count: u32,
    has_columns: bool,
    /// Headers, or a caption: what only tables of data have.
    is_marked: bool,
    has_line_numbers: bool,
    has_pre: bool,
    /// Whether the look is in a header or caption: they may hold headings of their own.
    in_header: bool,
    cells: u32,
    /// Cells that hold too much.
    full_cells: u32,
    /// Blocks in the cell that is looked at.
    cell_blocks: u32,
}

impl Seen {
    /// Whether the table may still hold data.
    fn note(&mut self, dom: Dom<'_>, node: NodeId) -> bool {
        match dom.tag(node) {
            Tag::Table | Tag::Form | Tag::Article | Tag::Section | Tag::Nav => return false,
            Tag::H1 | Tag::H2 | Tag::H3 => return self.in_header,
            tag @ (Tag::Td | Tag::Th) => {
                let row = dom.parent(node);
                self.has_columns |= row == self.row_of_last_cell;
                self.row_count += u32::from(row != self.row_of_last_cell);
                self.row_of_last_cell = row;
                self.in_header = tag == Tag::Th;
                self.is_marked |= self.in_header;
                self.has_line_numbers |= line_number::is_line_number(dom, node);
                self.cells += 1;
                self.cell_blocks = 0;
            }
            Tag::Caption => (self.in_header, self.is_marked) = (true, true),
            Tag::Thead => self.is_marked = true,
            Tag::Pre => self.has_pre = true,
            Tag::Div if is_wrapper(dom, node) => {}
            Tag::P | Tag::Ul | Tag::Ol | Tag::Dl | Tag::Div | Tag::Blockquote => {
                self.cell_blocks += 1;
                self.full_cells += u32::from(self.cell_blocks == CELL_BLOCKS_MAX + 1);
            }
            _ => {}
        }
        true
    }

    fn judge(&self) -> TableUse {
        if self.has_line_numbers {
            return if self.has_pre { TableUse::Layout } else { TableUse::Program };
        }
        let is_full = self.full_cells as f32 > FULL_CELLS_PER_CELL_MAX * self.cells as f32;
        let looks_like_data = self.is_marked || (self.row_count > 1 && !is_full);
        if self.has_columns && looks_like_data { TableUse::Data } else { TableUse::Layout }
    }
}

/// Whether an element holds nothing but one other.
fn is_wrapper(dom: Dom<'_>, node: NodeId) -> bool {
    let mut inside = dom.children(node).filter(|&child| !dom.is_text(child) || !dom.text(child).trim().is_empty());
    inside.next().is_some_and(|first| dom.is_element(first)) && inside.next().is_none()
}
