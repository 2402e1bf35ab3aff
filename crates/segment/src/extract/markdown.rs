//! The kept parts of a page as Markdown (CommonMark with pipe tables).

use super::walk::{Part, Sink};

/// Writes Markdown.
#[derive(Default)]
pub(super) struct Markdown {
    out: String,
    /// The paragraph being written, without prefixes.
    line: String,
    /// Where in `line` each open link or emphasis begins.
    inline: Vec<(String, usize)>,
    containers: Vec<Container>,
    /// `#`s of the open heading.
    heading: u8,
    /// The text and language of the open code block.
    code: Option<(String, String)>,
    table: Option<Vec<Vec<String>>>,
}

/// What indents the lines inside it.
enum Container {
    Quote,
    List {
        ordered: bool,
        items: u32,
    },
    /// Its marker is written before its first line only.
    Item {
        marker: String,
        begun: bool,
    },
}

impl Markdown {
    pub(super) fn finish(mut self) -> String {
        self.end_paragraph();
        self.out.truncate(self.out.trim_end().len());
        self.out
    }

    fn end_paragraph(&mut self) {
        let reopened: Vec<String> = self.inline.iter().map(|(part, _)| part.clone()).collect();
        while let Some((part, start)) = self.inline.pop() {
            self.wrap(&part, start);
        }
        self.inline = reopened.into_iter().map(|part| (part, 0)).collect();
        let line = std::mem::take(&mut self.line);
        if self.table.is_some() {
            self.line = line;
        } else if !line.trim_matches(['\\', '\n', ' ']).is_empty() {
            let line = line.trim_end().trim_end_matches("\\\n").trim_end_matches('\n');
            let hashes = "#".repeat(self.heading.into());
            let space = if self.heading > 0 { " " } else { "" };
            self.write_block(&format!("{hashes}{space}{}", line.trim()));
        }
    }

    /// Writes lines under the open quotes and list items.
    fn write_block(&mut self, text: &str) {
        if !self.out.is_empty() && !self.begins_tight_item() {
            self.write_line("");
        }
        for line in text.lines() {
            self.write_line(line);
        }
    }

    /// Items of a list stand close together, and so does a list inside an item; only what begins a list of its own
    /// has a blank line before it.
    fn begins_tight_item(&self) -> bool {
        let fresh =
            self.containers.iter().position(|container| matches!(container, Container::Item { begun: false, .. }));
        let Some(around) = fresh.map(|index| &self.containers[..index]) else { return false };
        let follows_item = matches!(around.last(), Some(Container::List { items: 2.., .. }));
        follows_item || around.iter().any(|container| matches!(container, Container::Item { .. }))
    }

    fn write_line(&mut self, line: &str) {
        let start = self.out.len();
        for container in &mut self.containers {
            match container {
                Container::Quote => self.out.push_str("> "),
                Container::List { .. } => {}
                Container::Item { marker, begun: true } => self.out.extend(std::iter::repeat_n(' ', marker.len())),
                // A blank line before an item stands outside it.
                Container::Item { .. } if line.is_empty() => break,
                Container::Item { marker, begun } => {
                    self.out.push_str(marker);
                    *begun = true;
                }
            }
        }
        self.out.push_str(line);
        let end = self.out[start..].trim_end().len() + start;
        self.out.truncate(end);
        self.out.push('\n');
    }

    /// Encloses what was written since `start`; marks are written as `**`, `*`, a backtick or `](address)`.
    fn wrap(&mut self, part: &str, start: usize) {
        let written = self.line.split_off(start.min(self.line.len()));
        let inner = written.trim();
        if inner.is_empty() {
            self.line.push_str(&written);
            return;
        }
        let before = &written[..written.len() - written.trim_start().len()];
        let after = &written[written.trim_end().len()..];
        let opening = if part.starts_with(']') { "[" } else { part };
        self.line.extend([before, opening, inner, part, after]);
    }

    fn next_marker(&mut self) -> String {
        match self.containers.last_mut() {
            Some(Container::List { ordered, items }) => {
                *items += 1;
                if *ordered { format!("{items}. ") } else { "- ".to_owned() }
            }
            _ => "- ".to_owned(),
        }
    }

    /// A part inside its like says nothing new, and doubled signs would mean something else.
    fn open_inline(&mut self, part: &str) {
        let already_open = self.inline.iter().any(|(open, _)| open == part);
        self.inline.push((if already_open { String::new() } else { part.to_owned() }, self.line.len()));
    }

    fn end_cell(&mut self) {
        let cell = std::mem::take(&mut self.line);
        let cell = cell.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|");
        if let Some(row) = self.table.as_mut().and_then(|rows| rows.last_mut()) {
            row.push(cell);
        }
    }

    fn end_table(&mut self) {
        let Some(rows) = self.table.take() else { return };
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let mut text = String::new();
        for (index, row) in rows.iter().filter(|row| !row.is_empty()).enumerate() {
            text.push('|');
            for column in 0..columns {
                text.extend([" ", row.get(column).map_or("", String::as_str), " |"]);
            }
            text.push('\n');
            if index == 0 {
                text.push('|');
                text.extend(std::iter::repeat_n(" --- |", columns));
                text.push('\n');
            }
        }
        self.write_block(&text);
    }

    fn end_code(&mut self) {
        let Some((code, language)) = self.code.take() else { return };
        let code = code.trim_matches('\n');
        let longest_run = code.split(|character| character != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat(longest_run.max(2) + 1);
        self.write_block(&format!("{fence}{language}\n{code}\n{fence}"));
    }
}

impl Sink for Markdown {
    fn open(&mut self, part: &Part<'_>) {
        if !part.is_inline() {
            self.end_paragraph();
        }
        match part {
            Part::Heading(level) => self.heading = *level,
            Part::List { ordered } => self.containers.push(Container::List { ordered: *ordered, items: 0 }),
            Part::Item => {
                let marker = self.next_marker();
                self.containers.push(Container::Item { marker, begun: false });
            }
            Part::Quote => self.containers.push(Container::Quote),
            Part::Pre { language } => self.code = Some((String::new(), (*language).to_owned())),
            Part::Table => self.table = Some(Vec::new()),
            Part::Row => self.table.get_or_insert_default().push(Vec::new()),
            Part::Link(href) => self.inline.push((format!("]({})", address(href)), self.line.len())),
            Part::Strong => self.open_inline("**"),
            Part::Emphasis => self.open_inline("*"),
            Part::Code => self.open_inline("`"),
            Part::Cell { .. } | Part::Block => {}
        }
    }

    fn close(&mut self, part: &Part<'_>) {
        match part {
            Part::Link(_) | Part::Strong | Part::Emphasis | Part::Code => {
                if let Some((written, start)) = self.inline.pop() {
                    self.wrap(&written, start);
                }
                return;
            }
            Part::Cell { .. } => self.end_cell(),
            _ => self.end_paragraph(),
        }
        match part {
            Part::Heading(_) => self.heading = 0,
            Part::Pre { .. } => self.end_code(),
            Part::Table => self.end_table(),
            Part::List { .. } | Part::Item | Part::Quote => drop(self.containers.pop()),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        match &mut self.code {
            Some((code, _)) => code.push_str(text),
            None if self.inline.iter().any(|(part, _)| part == "`") => self.line.push_str(text),
            None => escape(text, &mut self.line),
        }
    }

    fn line_break(&mut self) {
        match &mut self.code {
            Some((code, _)) => code.push('\n'),
            None if self.heading > 0 || self.table.is_some() => self.line.push(' '),
            None if self.line.trim().is_empty() => {}
            None => self.line.push_str("\\\n"),
        }
    }

    fn rule(&mut self) {
        self.end_paragraph();
        self.write_block("---");
    }

    fn image(&mut self, source: &str, alt: &str) {
        self.line.extend(["![", alt, "](", &address(source), ")"]);
    }
}

/// Escapes what Markdown would take for markup, and no more, so that the text stays readable.
fn escape(text: &str, out: &mut String) {
    for character in text.chars() {
        if matches!(character, '\\' | '`' | '*' | '[' | ']' | '<') {
            out.push('\\');
        }
        out.push(character);
    }
}

/// An address as a link's target: in angle brackets where it would end the link early.
fn address(href: &str) -> String {
    let href = href.trim();
    if href.contains(|character: char| character.is_whitespace() || matches!(character, '(' | ')' | '<' | '>')) {
        let encoded: String = href.chars().filter(|character| !matches!(character, '<' | '>' | '\n' | '\r')).collect();
        format!("<{encoded}>")
    } else {
        href.to_owned()
    }
}
