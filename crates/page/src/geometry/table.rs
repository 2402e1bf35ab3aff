//! Table layout: columns from given and preferred widths, rows as high as their highest cell.

use kuai_html::{Dom, NodeId, NodeKind};

use super::engine::{Child, Engine, Role, Step, rect};
use super::model::{Edges, border_box};
use crate::{Display, Length, Styles};

/// The layout of a table.
pub(super) struct Table {
    cells: Vec<Cell>,
    next: usize,
    rows: Vec<Row>,
    /// Left edges of the columns in the border box, and one past the last.
    column_lefts: Vec<f32>,
    spacing: f32,
    edges: Edges,
    row_count: usize,
}

struct Cell {
    node: NodeId,
    row: usize,
    column: usize,
    column_span: usize,
    row_span: usize,
    height: f32,
}

struct Row {
    node: Option<NodeId>,
    group: Option<NodeId>,
    height: f32,
}

/// What is known of a column before widths are shared out.
#[derive(Clone, Copy, Default)]
struct Column {
    min: f32,
    max: f32,
    given: Option<f32>,
    percent: f32,
}

/// Columns of one table; cells further right share the last.
const COLUMNS_MAX: usize = 1000;

impl Table {
    /// Whether the element holds anything that makes a table.
    pub(super) fn suits(engine: &Engine<'_>, node: NodeId) -> bool {
        engine.dom.children(node).any(|child| {
            engine.dom.is_element(child)
                && matches!(
                    engine.styles.of(child).display,
                    Display::TableRowGroup | Display::TableRow | Display::TableCell
                )
        })
    }

    pub(super) fn new(engine: &Engine<'_>, node: NodeId, width: f32) -> Table {
        let style = engine.styles.of(node);
        let spacing = if style.border_collapse { 0.0 } else { style.border_spacing };
        let edges = Edges::of(style, width);
        let (cells, rows) = gather(engine.dom, engine.styles, node);
        let column_count = cells.iter().map(|cell| cell.column + cell.column_span).max().unwrap_or(1);
        let room = width - edges.across() - spacing * (column_count as f32 + 1.0);
        let columns = measure_columns(engine, &cells, column_count, spacing, style.table_fixed, node);
        let widths = share_out(&columns, room.max(0.0));
        let mut column_lefts = Vec::with_capacity(widths.len() + 1);
        let mut left = edges.left + spacing;
        for width in widths {
            column_lefts.push(left);
            left += width + spacing;
        }
        column_lefts.push(left);
        let row_count = rows.len();
        Table { cells, next: 0, rows, column_lefts, spacing, edges, row_count }
    }

    pub(super) fn step<'a>(&mut self, engine: &mut Engine<'a>, node: NodeId, positioned: NodeId) -> Step<'a> {
        let Some(cell) = self.cells.get(self.next) else {
            return Step::Done(self.finish(engine, node));
        };
        let right = self.column_lefts[(cell.column + cell.column_span).min(self.column_lefts.len() - 1)];
        let width = (right - self.column_lefts[cell.column] - self.spacing).max(0.0);
        let index = self.next;
        self.next += 1;
        engine.child(cell.node, Role::Item(index), width, width, positioned, None)
    }

    pub(super) fn take(&mut self, child: Child) {
        let Role::Item(index) = child.role else { return };
        let cell = &mut self.cells[index];
        cell.height = child.height;
        if cell.row_span == 1 {
            let row = &mut self.rows[cell.row];
            row.height = row.height.max(child.height);
        }
    }

    /// Sets row heights, and places cells, rows and groups of rows.
    fn finish(&mut self, engine: &mut Engine<'_>, node: NodeId) -> f32 {
        self.stretch_rows(engine);
        let mut tops = Vec::with_capacity(self.row_count + 1);
        let mut top = self.edges.top + self.spacing;
        for row in &self.rows {
            tops.push(top);
            top += row.height + self.spacing;
        }
        tops.push(top);
        let last_column = self.column_lefts.len() - 1;
        for cell in &self.cells {
            let left = self.column_lefts[cell.column];
            let right = self.column_lefts[(cell.column + cell.column_span).min(last_column)] - self.spacing;
            let bottom = tops[(cell.row + cell.row_span).min(self.row_count)] - self.spacing;
            let box_on_table = rect(left, tops[cell.row], right - left, (bottom - tops[cell.row]).max(cell.height));
            engine.place(cell.node, node, box_on_table);
        }
        let left = self.column_lefts[0];
        let width = self.column_lefts[last_column] - self.spacing - left;
        for (row, &top) in self.rows.iter().zip(&tops) {
            let box_on_table = rect(left, top, width, row.height);
            if let Some(node_of_row) = row.node {
                engine.place(node_of_row, node, box_on_table);
            }
            if let Some(group) = row.group {
                engine.extend(group, node, box_on_table);
            }
        }
        top - self.edges.top
    }

    /// Gives rows their own heights, and what cells over several rows need more to the last of them.
    fn stretch_rows(&mut self, engine: &Engine<'_>) {
        for row in &mut self.rows {
            let given = row.node.and_then(|node| engine.styles.of(node).height.fixed());
            row.height = row.height.max(given.unwrap_or(0.0));
        }
        for cell in self.cells.iter().filter(|cell| cell.row_span > 1) {
            let end = (cell.row + cell.row_span).min(self.row_count);
            let covered: f32 = self.rows[cell.row..end].iter().map(|row| row.height + self.spacing).sum();
            let missing = cell.height - (covered - self.spacing);
            if missing > 0.0 {
                self.rows[end - 1].height += missing;
            }
        }
    }
}

/// Finds the cells of a table with their places in its grid.
fn gather(dom: Dom<'_>, styles: &Styles, table: NodeId) -> (Vec<Cell>, Vec<Row>) {
    let mut grid = Grid { dom, cells: Vec::new(), rows: Vec::new(), occupied: Vec::new(), column: 0 };
    let shown = |node: NodeId| {
        dom.children(node).filter(move |&child| {
            dom.kind(child) == NodeKind::Element
                && styles.of(child).display != Display::None
                && !styles.of(child).is_absolute()
        })
    };
    for child in shown(table) {
        match styles.of(child).display {
            Display::TableRowGroup => {
                for row in shown(child) {
                    match styles.of(row).display {
                        Display::TableRow => grid.row(Some(row), Some(child), shown(row)),
                        _ => grid.row(None, Some(child), std::iter::once(row)),
                    }
                }
            }
            Display::TableRow => grid.row(Some(child), None, shown(child)),
            Display::TableColumn => {}
            Display::TableCell => grid.loose_cell(child),
            _ => {
                grid.row(None, None, std::iter::once(child));
                grid.span_all();
            }
        }
    }
    grid.settle();
    (grid.cells, grid.rows)
}

struct Grid<'a> {
    dom: Dom<'a>,
    cells: Vec<Cell>,
    rows: Vec<Row>,
    /// Per column, how many rows below the current one are taken by a cell from above.
    occupied: Vec<usize>,
    column: usize,
}

impl Grid<'_> {
    fn row(&mut self, node: Option<NodeId>, group: Option<NodeId>, cells: impl Iterator<Item = NodeId>) {
        if !self.rows.is_empty() {
            self.occupied.iter_mut().for_each(|rows| *rows = rows.saturating_sub(1));
        }
        self.rows.push(Row { node, group, height: 0.0 });
        self.column = 0;
        for cell in cells {
            self.cell(cell);
        }
    }

    /// A cell that stands in a table without a row: those beside it share one.
    fn loose_cell(&mut self, node: NodeId) {
        let shares_row = self.rows.last().is_some_and(|row| row.node.is_none() && row.group.is_none());
        if shares_row {
            self.cell(node);
        } else {
            self.row(None, None, std::iter::once(node));
        }
    }

    fn cell(&mut self, node: NodeId) {
        while self.column + 1 < COLUMNS_MAX && self.occupied.get(self.column).is_some_and(|&rows| rows > 0) {
            self.column += 1;
        }
        let span = |name: &str| {
            let value = self.dom.attribute(node, name).and_then(|value| value.trim().parse::<usize>().ok());
            value.filter(|&span| span > 0).unwrap_or(1)
        };
        let column_span = span("colspan").min(COLUMNS_MAX - self.column.min(COLUMNS_MAX - 1));
        let row_span = span("rowspan").min(10_000);
        let column = self.column.min(COLUMNS_MAX - 1);
        let end = column + column_span;
        if self.occupied.len() < end {
            self.occupied.resize(end, 0);
        }
        self.occupied[column..end].iter_mut().for_each(|rows| *rows = (*rows).max(row_span));
        self.cells.push(Cell { node, row: self.rows.len() - 1, column, column_span, row_span, height: 0.0 });
        self.column = end;
    }

    /// The last cell takes a whole row, as captions do.
    fn span_all(&mut self) {
        if let Some(cell) = self.cells.last_mut() {
            cell.column_span = 0;
        }
    }

    /// Cuts spans to the grid's size.
    fn settle(&mut self) {
        let column_count = self.cells.iter().map(|cell| cell.column + cell.column_span).max().unwrap_or(1).max(1);
        let row_count = self.rows.len();
        for cell in &mut self.cells {
            if cell.column_span == 0 {
                cell.column_span = column_count;
            }
            cell.row_span = cell.row_span.min(row_count - cell.row);
        }
    }
}

fn measure_columns(
    engine: &Engine<'_>,
    cells: &[Cell],
    column_count: usize,
    spacing: f32,
    is_fixed: bool,
    table: NodeId,
) -> Vec<Column> {
    let mut columns = vec![Column::default(); column_count.max(1)];
    read_column_elements(engine, table, &mut columns);
    for cell in cells.iter().filter(|cell| cell.column_span == 1) {
        let column = &mut columns[cell.column];
        let (given, percent) = given(engine, cell.node);
        let facts = engine.facts[cell.node.index()];
        // Columns of a fixed table take their widths from the first row.
        if !is_fixed {
            column.min = column.min.max(facts.min);
            column.max = column.max.max(facts.max);
        }
        if !is_fixed || cell.row == 0 {
            column.given = match (column.given, given) {
                (Some(one), Some(other)) => Some(one.max(other)),
                (one, other) => one.or(other),
            };
            column.percent = column.percent.max(percent);
        }
    }
    for cell in cells.iter().filter(|cell| cell.column_span > 1) {
        spread(engine, cell, &mut columns, spacing, is_fixed);
    }
    columns
}

/// Widths that `col` elements give.
fn read_column_elements(engine: &Engine<'_>, table: NodeId, columns: &mut [Column]) {
    let dom = engine.dom;
    let is_column = |node: &NodeId| dom.is_element(*node) && engine.styles.of(*node).display == Display::TableColumn;
    let mut index = 0;
    for child in dom.children(table).filter(is_column) {
        let mut inner: Vec<NodeId> = dom.children(child).filter(is_column).collect();
        if inner.is_empty() {
            inner.push(child);
        }
        for node in inner {
            let span = dom.attribute(node, "span").and_then(|span| span.trim().parse::<usize>().ok()).unwrap_or(1);
            for column in columns.iter_mut().skip(index).take(span.max(1)) {
                (column.given, column.percent) = given(engine, node);
            }
            index = index.saturating_add(span.max(1));
        }
    }
}

/// The width a cell is given: pixels as a border box, per cent.
fn given(engine: &Engine<'_>, node: NodeId) -> (Option<f32>, f32) {
    let style = engine.styles.of(node);
    let edges = Edges::of(style, 0.0).across();
    match style.width {
        Length::Fixed { px, percent: 0.0 } => (Some(border_box(style, px, edges)), 0.0),
        Length::Fixed { percent, .. } => (None, percent.max(0.0)),
        Length::Auto => (None, 0.0),
    }
}

/// Shares what a cell over several columns needs more than they have.
fn spread(engine: &Engine<'_>, cell: &Cell, columns: &mut [Column], spacing: f32, is_fixed: bool) {
    let end = (cell.column + cell.column_span).min(columns.len());
    let spanned = &mut columns[cell.column..end];
    let count = spanned.len() as f32;
    let facts = engine.facts[cell.node.index()];
    let gaps = spacing * (count - 1.0);
    let have_max: f32 = spanned.iter().map(|column| column.max).sum();
    let have_min: f32 = spanned.iter().map(|column| column.min).sum();
    let (given, percent) = given(engine, cell.node);
    let have_percent: f32 = spanned.iter().map(|column| column.percent).sum();
    let open = spanned.iter().filter(|column| column.percent == 0.0).count() as f32;
    let more_max = if is_fixed { 0.0 } else { (facts.max - gaps - have_max).max(0.0) };
    let more_min = if is_fixed { 0.0 } else { (facts.min - gaps - have_min).max(0.0) };
    let free = spanned.iter().filter(|column| column.given.is_none()).count() as f32;
    let have_given: f32 = spanned.iter().filter_map(|column| column.given).sum();
    for column in spanned.iter_mut() {
        let share = if have_max > 0.0 { column.max / have_max } else { 1.0 / count };
        column.max += more_max * share;
        column.min += more_min * share;
        if percent > have_percent && column.percent == 0.0 {
            column.percent = (percent - have_percent) / open;
        } else if let Some(given) = given.filter(|_| column.given.is_none() && column.percent == 0.0) {
            let wanted = (given - gaps - have_given) / free;
            if is_fixed || have_max == 0.0 {
                column.given = Some(wanted.max(0.0));
            } else {
                column.max = column.max.max(wanted);
            }
        }
    }
}

/// Shares a table's width out among its columns: per cents, given widths, then the rest by preferred width.
fn share_out(columns: &[Column], room: f32) -> Vec<f32> {
    let percent_total: f32 = columns.iter().map(|column| column.percent).sum();
    let percent_scale = if percent_total > 100.0 { 100.0 / percent_total } else { 1.0 };
    let mut widths: Vec<f32> = columns
        .iter()
        .map(|column| match (column.percent, column.given) {
            (percent, _) if percent > 0.0 => (percent * percent_scale * room / 100.0).max(column.min),
            (_, Some(given)) => given.max(column.min),
            _ => 0.0,
        })
        .collect();
    let is_open = |column: &Column| column.percent == 0.0 && column.given.is_none();
    let taken: f32 = widths.iter().sum();
    let open_min: f32 = columns.iter().filter(|column| is_open(column)).map(|column| column.min).sum();
    let open_max: f32 = columns.iter().filter(|column| is_open(column)).map(|column| column.max).sum();
    let open_count = columns.iter().filter(|column| is_open(column)).count() as f32;
    let left = room - taken;
    if open_count > 0.0 {
        for (width, column) in widths.iter_mut().zip(columns).filter(|(_, column)| is_open(column)) {
            *width = if left >= open_max {
                let share = if open_max > 0.0 { column.max / open_max } else { 1.0 / open_count };
                column.max + (left - open_max) * share
            } else if left > open_min && open_max > open_min {
                column.min + (column.max - column.min) * (left - open_min) / (open_max - open_min)
            } else {
                column.min
            };
        }
    }
    let total: f32 = widths.iter().sum();
    let must_grow = open_count == 0.0 && total < room;
    if (must_grow || total > room + 0.5) && total > 0.0 {
        rescale(&mut widths, columns, room, total);
    }
    widths
}

/// Stretches columns to the room, or presses them as far as their smallest widths allow.
fn rescale(widths: &mut [f32], columns: &[Column], room: f32, total: f32) {
    if total < room {
        let is_given = |column: &Column| column.percent == 0.0;
        let given: f32 =
            widths.iter().zip(columns).filter(|(_, column)| is_given(column)).map(|(width, _)| width).sum();
        let (base, only_given) = if given > 0.0 { (given, true) } else { (total, false) };
        for (width, column) in widths.iter_mut().zip(columns) {
            if !only_given || is_given(column) {
                *width += *width * (room - total) / base;
            }
        }
        return;
    }
    let slack: f32 = widths.iter().zip(columns).map(|(width, column)| (width - column.min).max(0.0)).sum();
    let press = if slack > 0.0 { ((total - room) / slack).min(1.0) } else { 0.0 };
    for (width, column) in widths.iter_mut().zip(columns) {
        *width -= (*width - column.min).max(0.0) * press;
    }
}
