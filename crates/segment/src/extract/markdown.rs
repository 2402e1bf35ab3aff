//! The kept parts of a page as Markdown: CommonMark with pipe tables, footnotes, definition lists and formulas.

use kuai_page::Gap;

use super::grid::Grid;
use super::markdown_list::{ClosedList, List, Marker};
use super::markdown_marks::{EMPHASIS, Emphasis, Marks, STRIKE, STRONG};
use super::markdown_text::{BREAK, address, code_span, escape, escape_line_start, fence, heading, trim};
use super::part::{Numbers, Part};
use super::walk::Sink;

/// Writes Markdown.
#[derive(Default)]
pub(super) struct Markdown {
    out: String,
    /// The paragraph, heading or cell being written, without prefixes and emphasis.
    line: String,
    /// The emphasis in `line`.
    marks: Marks,
    /// Where in `line` the open inline code begins.
    code_start: Option<usize>,
    /// Where the last inline code begins and ends, and what it says: more code right behind it belongs to it.
    last_code: Option<(usize, usize, String)>,
    containers: Vec<Container>,
    /// How many containers were around what was written last.
    last_depth: usize,
    /// The list that this was the end of.
    last_list: Option<ClosedList>,
    /// `#`s of the open heading.
    heading: usize,
    /// The text and language of the open code block.
    code: Option<(String, String)>,
    table: Option<Grid>,
    /// Tables inside it; their rows are rows of it.
    inner_tables: u32,
    in_term: bool,
    /// Whether the last thing written is a term or a meaning, which a meaning can follow.
    after_term: bool,
}

/// What indents the lines inside it.
enum Container {
    /// Too deep to be shown.
    Flat,
    Quote {
        is_begun: bool,
    },
    List(List),
    /// Its marker is written before its first line only; further lines are indented.
    Item {
        marker: String,
        indent: usize,
        is_begun: bool,
        is_tight: bool,
    },
}

/// What stands before the meaning of a term.
const MEANING_MARKER: &str = ": ";

impl Container {
    /// Whether it is a meaning below its term.
    fn is_meaning(&self) -> bool {
        matches!(self, Container::Item { marker, .. } if marker == MEANING_MARKER)
    }
}

/// Quotes and lists that are shown inside each other: no reader follows more, and each costs an indent a line.
const CONTAINERS_MAX: usize = 24;

impl Markdown {
    pub(super) fn finish(mut self) -> String {
        self.end_paragraph();
        self.out.truncate(self.out.trim_end().len());
        self.out
    }

    /// The line with its emphasis, and an empty one in its place.
    fn take_line(&mut self) -> String {
        let line = std::mem::take(&mut self.line);
        self.last_code = None;
        self.marks.write(line)
    }

    /// Writes lines under the open quotes and list items.
    fn write_block(&mut self, text: &str) {
        if !self.out.is_empty() && !self.begins_tight_item() {
            self.write_line("");
        }
        for line in text.split('\n') {
            self.write_line(line);
        }
        self.after_term = false;
        self.last_list = None;
        self.last_depth = self.containers.len();
    }

    /// Items of a list stand close together, and so does a list inside an item; only what begins a list of its own
    /// has a blank line before it.
    fn begins_tight_item(&self) -> bool {
        let fresh = self.containers.iter().find_map(|container| match container {
            Container::Item { is_begun: false, is_tight, .. } => Some(*is_tight),
            _ => None,
        });
        fresh.unwrap_or(false)
    }

    fn write_line(&mut self, line: &str) {
        let start = self.out.len();
        for container in &mut self.containers {
            match container {
                Container::Flat => {}
                // A blank line before a quote stands outside it.
                Container::Quote { is_begun: false } if line.is_empty() => break,
                Container::Quote { is_begun } => {
                    self.out.push_str("> ");
                    *is_begun = true;
                }
                Container::List(list) => self.out.extend(std::iter::repeat_n(' ', list.indent)),
                Container::Item { indent, is_begun: true, .. } => self.out.extend(std::iter::repeat_n(' ', *indent)),
                // A blank line before an item stands outside it.
                Container::Item { .. } if line.is_empty() => break,
                Container::Item { marker, is_begun, .. } => {
                    self.out.push_str(marker);
                    *is_begun = true;
                }
            }
        }
        self.out.push_str(line);
        if line.is_empty() {
            let end = self.out[start..].trim_end().len() + start;
            self.out.truncate(end);
        }
        self.out.push('\n');
    }

    fn open_block(&mut self, part: &Part<'_>) {
        let follows_term = std::mem::take(&mut self.after_term);
        match part {
            Part::Heading(level) => self.heading = usize::from(*level),
            Part::List { numbers } => self.open_list(numbers.as_ref()),
            Part::Item { number } => self.open_item(*number),
            Part::Quote => self.push(Container::Quote { is_begun: false }),
            Part::Meaning => self.open_meaning(follows_term),
            Part::Note(name) => {
                let marker = format!("[^{name}]: ");
                self.push(Container::Item { marker, indent: 4, is_begun: false, is_tight: false });
            }
            Part::Pre { language } => self.code = Some((String::new(), (*language).to_owned())),
            Part::Table => self.table = Some(Grid::default()),
            Part::Term => self.in_term = true,
            _ => {}
        }
    }

    fn close_block(&mut self, part: &Part<'_>) {
        match part {
            Part::Heading(_) => self.heading = 0,
            Part::List { .. } => self.close_list(),
            Part::Item { .. } | Part::Quote | Part::Note(_) => {
                self.containers.pop();
                self.after_term = false;
            }
            Part::Meaning => self.after_term = self.containers.pop().is_some_and(|container| container.is_meaning()),
            Part::Pre { .. } => self.end_code(),
            Part::Term => self.in_term = false,
            _ => {}
        }
    }

    fn push(&mut self, container: Container) {
        self.last_list = None;
        let is_deep = self.containers.len() >= CONTAINERS_MAX;
        self.containers.push(if is_deep { Container::Flat } else { container });
    }

    fn open_list(&mut self, numbers: Option<&Numbers<'_>>) {
        let around = match self.containers.last() {
            Some(Container::List(list)) => Some(list),
            _ => None,
        };
        let list = List::open(numbers, self.containers.len(), around, self.last_list.as_ref());
        self.push(Container::List(list));
    }

    fn close_list(&mut self) {
        if let Some(Container::List(list)) = self.containers.pop() {
            self.last_list = list.close(self.containers.len());
        }
        self.after_term = false;
    }

    fn open_item(&mut self, number: Option<i32>) {
        let follows_item = self.last_depth > self.containers.len();
        let in_item = self.containers.iter().any(|container| match container {
            Container::Item { .. } => true,
            Container::List(list) => list.indent > 0,
            _ => false,
        });
        let marker = match self.containers.last_mut() {
            Some(Container::List(list)) => list.next_marker(number),
            _ => Marker { text: "- ".to_owned(), is_first: true, interrupts: true },
        };
        // Outside of items, a list has a blank line before it.
        let is_tight = if marker.is_first { in_item && marker.interrupts } else { follows_item };
        self.push(Container::Item { indent: marker.text.len(), marker: marker.text, is_begun: false, is_tight });
    }

    /// A meaning follows its term directly; without one, or inside another, it is text like any other.
    fn open_meaning(&mut self, follows_term: bool) {
        let is_inside = self.containers.iter().any(Container::is_meaning);
        let container = if follows_term && !is_inside {
            Container::Item { marker: MEANING_MARKER.to_owned(), indent: 2, is_begun: false, is_tight: true }
        } else {
            Container::Flat
        };
        self.push(container);
    }

    fn end_code(&mut self) {
        let Some((code, language)) = self.code.take() else { return };
        let code = code.trim_matches(['\n', '\r']);
        let fence = fence(code);
        self.write_block(&format!("{fence}{language}\n{code}\n{fence}"));
    }

    /// Where what is inside a cell would begin a line of its own.
    fn break_cell(&mut self) {
        if !self.line.is_empty() && !self.line.ends_with("<br>") {
            self.outside_code(|markdown| markdown.line.push_str("<br>"));
        }
    }

    fn end_cell(&mut self) {
        let line = self.take_line();
        let cell = line.trim().trim_end_matches("<br>").replace('|', "\\|");
        if let Some(table) = &mut self.table {
            table.end_cell(cell);
        }
    }

    /// Rows above a caption are told above it, as a table of their own.
    fn end_caption(&mut self) {
        let line = self.take_line();
        let caption = escape_line_start(line.trim().trim_end_matches("<br>"));
        self.end_table();
        self.write_block(&caption);
        self.table = Some(Grid::default());
    }

    fn end_table(&mut self) {
        if let Some(rows) = self.table.take().and_then(Grid::finish) {
            self.write_block(&rows);
        }
    }

    fn open_inline(&mut self, part: &Part<'_>) {
        match part {
            Part::Link(_) => self.outside_code(|markdown| {
                markdown.escape_exclamation();
                markdown.line.push('[');
            }),
            _ if self.code_start.is_some() => {}
            Part::Strong => self.open_emphasis(STRONG),
            Part::Emphasis => self.open_emphasis(EMPHASIS),
            Part::Strike => self.open_emphasis(STRIKE),
            Part::Code => self.open_code(),
            Part::Below => self.line.push_str("<sub>"),
            Part::Above => self.line.push_str("<sup>"),
            _ => {}
        }
    }

    fn close_inline(&mut self, part: &Part<'_>) {
        match part {
            Part::Code => self.close_code(),
            Part::Link(href) => self.outside_code(|markdown| markdown.line.extend(["](", &address(href), ")"])),
            _ if self.code_start.is_some() => {}
            Part::Below => self.line.push_str("</sub>"),
            Part::Above => self.line.push_str("</sup>"),
            _ => self.marks.close(self.line.len()),
        }
    }

    /// Writes what inline code cannot hold: the code ends before it and goes on behind it.
    fn outside_code(&mut self, write: impl FnOnce(&mut Markdown)) {
        let is_in_code = self.code_start.is_some();
        self.close_code();
        write(self);
        self.code_start = is_in_code.then_some(self.line.len());
    }

    fn close_code(&mut self) {
        let Some(start) = self.code_start.take() else { return };
        let code = self.line.split_off(start);
        self.line.push_str(&code_span(&code));
        self.last_code = Some((start, self.line.len(), code));
    }

    /// Before a link, it would make an image of it.
    fn escape_exclamation(&mut self) {
        if !self.line.ends_with('!') {
            return;
        }
        let place = self.line.len() - 1;
        self.line.insert(place, '\\');
        self.marks.shift(place);
    }

    fn open_code(&mut self) {
        match self.last_code.take() {
            Some((start, end, code)) if end == self.line.len() && self.marks.last_place <= start => {
                self.line.truncate(start);
                self.line.push_str(&code);
                self.code_start = Some(start);
            }
            _ => self.code_start = Some(self.line.len()),
        }
    }

    /// A heading is emphasised as it is.
    fn open_emphasis(&mut self, emphasis: Emphasis) {
        if self.heading > 0 {
            self.marks.open_untold();
        } else {
            self.marks.open(emphasis, self.line.len());
        }
    }
}

impl Sink for Markdown {
    fn open(&mut self, part: &Part<'_>) {
        if part.is_inline() {
            self.open_inline(part);
        } else if let Some(table) = &mut self.table {
            match part {
                Part::Table => self.inner_tables += 1,
                Part::Row => table.open_row(),
                Part::Cell { header, columns, rows } => table.open_cell(*header, *columns, *rows),
                _ => self.break_cell(),
            }
        } else {
            self.end_paragraph();
            self.open_block(part);
        }
    }

    fn close(&mut self, part: &Part<'_>) {
        match part {
            _ if part.is_inline() => self.close_inline(part),
            Part::Table if self.inner_tables > 0 => self.inner_tables -= 1,
            Part::Table => self.end_table(),
            Part::Cell { .. } => self.end_cell(),
            Part::TableCaption => self.end_caption(),
            _ if self.table.is_some() => self.break_cell(),
            _ => {
                self.end_paragraph();
                self.close_block(part);
            }
        }
    }

    fn gap(&mut self, gap: Gap, is_break: bool) {
        let is_one_line = self.heading > 0 || self.in_term;
        match gap {
            Gap::None => {}
            _ if self.line.is_empty() => {}
            Gap::Space => self.line.push(' '),
            _ if self.table.is_some() => self.break_cell(),
            _ if is_one_line => self.line.push(' '),
            _ if is_break => self.outside_code(|markdown| markdown.line.push_str(BREAK)),
            _ => self.end_paragraph(),
        }
    }

    fn text(&mut self, text: &str) {
        if let Some((code, _)) = &mut self.code {
            code.push_str(text);
        } else if self.code_start.is_some() {
            self.line.push_str(text);
        } else if self.table.is_some() && text.contains('\n') {
            for (index, line) in text.split('\n').enumerate() {
                if index > 0 {
                    self.break_cell();
                }
                escape(line.trim_end_matches('\r'), &mut self.line);
            }
        } else {
            escape(text, &mut self.line);
        }
    }

    fn formula(&mut self, tex: &str, display: bool) {
        let tex: Vec<&str> = tex.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        if display && self.table.is_none() && self.heading == 0 {
            self.end_paragraph();
            self.write_block(&format!("$$\n{}\n$$", tex.join("\n")));
        } else {
            let tex = tex.join(" ");
            self.line.extend(["$", &tex, "$"]);
        }
    }

    /// It stays in its paragraph.
    fn raw_formula(&mut self, _: &str, tex: &str, display: bool) {
        let sign = if display && self.table.is_none() && self.heading == 0 { "$$" } else { "$" };
        self.line.extend([sign, tex, sign]);
    }

    fn reference(&mut self, name: &str, shown: &str) {
        if self.code_start.is_some() {
            self.line.push_str(shown);
        } else {
            self.line.extend(["[^", name, "]"]);
        }
    }

    fn end_paragraph(&mut self) {
        if self.table.is_some() {
            self.break_cell();
            return;
        }
        let line = self.take_line();
        let text = trim(&line);
        if text.is_empty() {
            return;
        }
        if self.heading > 0 {
            self.write_block(&heading(self.heading, text));
        } else {
            self.write_block(&escape_line_start(text));
            self.after_term = self.in_term;
        }
    }

    fn numbers_items(&self) -> bool {
        true
    }

    fn rule(&mut self) {
        if self.table.is_none() && self.heading == 0 {
            self.end_paragraph();
            self.write_block("***");
        }
    }

    fn image(&mut self, source: &str, alt: &str) {
        if self.code_start.is_some() {
            return;
        }
        let alt = alt.split_whitespace().collect::<Vec<_>>().join(" ");
        self.line.push_str("![");
        escape(&alt, &mut self.line);
        self.line.extend(["](", &address(source), ")"]);
    }
}
