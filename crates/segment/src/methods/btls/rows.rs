//! The lines of a page that hold text, each with its number among all lines, its length and its depth.
//!
//! The paper's tables (row depth, row-block lengths) say nothing beyond this: a row block is zero exactly where
//! as many lines in a row hold no text, which the numbers tell.

use kuai_page::Tag;
use memchr::{memchr, memchr_iter};

use super::pieces::{Piece, PieceKind, Pieces};
use crate::length::length;

/// A line with text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// Its number among all lines, blank ones counted.
    pub(super) number: u32,
    /// Characters that are not white space; a word of a space-separated script counts [`WORD_LENGTH`].
    pub(super) length: u32,
    /// Depth of its first text.
    pub(super) depth: u32,
    /// Depth of its last text.
    pub(super) end_depth: u32,
    /// The least depth since the row before.
    pub(super) gap_depth_min: u32,
    /// Whether it stands in a heading.
    pub(super) is_heading: bool,
    /// Where its text starts.
    pub(super) start: usize,
    /// Where its text ends.
    pub(super) end: usize,
}

/// What a word counts.
// Decision: a Chinese word has mostly two characters, so the paper's limits of 9 and 15 become 4 and 7 words.
const WORD_LENGTH: u32 = 2;

/// Bytes from which a line is broken at block-level tags.
// Decision: lines people write are shorter; minified pages and those put together by templates have longer ones.
const LINE_BYTES_MAX: usize = 400;

/// The rows of a page and where its body starts.
pub(super) fn rows(source: &str, block_rows: u32) -> (Vec<Row>, usize) {
    let mut reader = RowReader::new(source, block_rows);
    for piece in Pieces::new(source, 0, source.len()) {
        match piece.kind {
            PieceKind::Text => reader.text(piece),
            PieceKind::Start(Tag::Body) => {
                reader = RowReader { body_start: piece.end, ..RowReader::new(source, block_rows) }
            }
            PieceKind::Start(tag) => reader.start_tag(tag, piece),
            PieceKind::End(tag) => reader.end_tag(tag, piece),
            PieceKind::Skipped => reader.blank_lines(piece),
        }
    }
    reader.end_row();
    (reader.rows, reader.body_start)
}

struct RowReader<'a> {
    source: &'a [u8],
    block_rows: u32,
    rows: Vec<Row>,
    body_start: usize,
    number: u32,
    depth: u32,
    gap_depth_min: u32,
    in_heading: bool,
    /// The row being read, if it holds text so far.
    open: Option<Row>,
    /// Up to here it is known whether the line is long.
    line_end: usize,
    is_long_line: bool,
}

impl<'a> RowReader<'a> {
    fn new(source: &'a str, block_rows: u32) -> RowReader<'a> {
        RowReader {
            source: source.as_bytes(),
            block_rows,
            rows: Vec::new(),
            body_start: 0,
            number: 0,
            depth: 0,
            gap_depth_min: 0,
            in_heading: false,
            open: None,
            line_end: 0,
            is_long_line: false,
        }
    }

    fn end_row(&mut self) {
        if let Some(row) = self.open.take() {
            self.rows.push(row);
            self.number += 1;
            self.gap_depth_min = self.depth;
        }
    }

    fn new_line(&mut self) {
        if self.open.is_some() { self.end_row() } else { self.number += 1 }
    }

    fn blank_lines(&mut self, piece: Piece) {
        let count = memchr_iter(b'\n', &self.source[piece.start..piece.end]).count() as u32;
        if count > 0 {
            self.end_row();
            self.number += count;
        }
    }

    /// Splits text into lines.
    fn text(&mut self, piece: Piece) {
        let mut start = piece.start;
        loop {
            let rest = &self.source[start..piece.end];
            let blank = rest.iter().position(|&byte| byte > b' ' || byte == b'\n').unwrap_or(rest.len());
            start += blank;
            match self.source[start..piece.end].first() {
                None => return,
                Some(b'\n') => {
                    self.new_line();
                    start += 1;
                }
                Some(_) => {
                    let line = &self.source[start..piece.end];
                    let line_length = memchr(b'\n', line).unwrap_or(line.len());
                    self.line_text(start, start + line_length);
                    start += line_length;
                }
            }
        }
    }

    fn line_text(&mut self, start: usize, end: usize) {
        let text = &self.source[start..end];
        if text[0] == b'&' && is_blank_entities(text) {
            return;
        }
        let (depth, is_heading) = (self.depth, self.in_heading);
        let (number, gap_depth_min) = (self.number, self.gap_depth_min);
        let row = self.open.get_or_insert(Row {
            number,
            length: 0,
            depth,
            end_depth: depth,
            gap_depth_min,
            is_heading,
            start,
            end,
        });
        row.length += length(text, WORD_LENGTH);
        row.end = end;
        row.end_depth = depth;
    }

    fn start_tag(&mut self, tag: Tag, piece: Piece) {
        self.break_line(tag, piece);
        if is_container(tag) {
            self.depth += 1;
        }
        self.in_heading |= is_heading(tag);
    }

    fn end_tag(&mut self, tag: Tag, piece: Piece) {
        self.break_line(tag, piece);
        if is_container(tag) {
            // A stray end tag closes nothing.
            self.depth = self.depth.saturating_sub(1);
            self.gap_depth_min = self.gap_depth_min.min(self.depth);
        }
        self.in_heading &= !is_heading(tag);
    }

    /// A block-level tag of a long line stands on a line of its own.
    // Decision: a heading always does, with a row block of blank lines around it, so that it is a block of its own.
    fn break_line(&mut self, tag: Tag, piece: Piece) {
        if is_heading(tag) {
            self.end_row();
            self.number += self.block_rows;
        } else if breaks_line(tag) && self.is_in_long_line(piece.start) {
            self.end_row();
            self.number += 1;
        }
    }

    fn is_in_long_line(&mut self, position: usize) -> bool {
        if position >= self.line_end {
            let rest = &self.source[position..];
            let line_length = memchr(b'\n', rest).unwrap_or(rest.len());
            self.line_end = position + line_length.max(1);
            self.is_long_line = line_length > LINE_BYTES_MAX;
        }
        self.is_long_line
    }
}

/// Whether a text that starts with a reference is nothing but no-break spaces.
fn is_blank_entities(text: &[u8]) -> bool {
    let mut rest = text.trim_ascii();
    while let Some(next) = rest.strip_prefix(b"&nbsp;").or(rest.strip_prefix(b"&#160;")) {
        rest = next.trim_ascii_start();
    }
    rest.is_empty()
}

/// Elements that count for the depth.
// Decision: only those that hold blocks and need an end tag. `li`, `p` and `td` go unclosed on real pages and would make
// the depth drift, and inline elements say nothing about where a block stands.
pub(super) fn is_container(tag: Tag) -> bool {
    use Tag::*;
    matches!(
        tag,
        Div | Ul
            | Ol
            | Dl
            | Dir
            | Menu
            | Table
            | Section
            | Article
            | Aside
            | Nav
            | Header
            | Footer
            | Main
            | Form
            | Fieldset
            | Blockquote
            | Center
            | Figure
            | Details
            | Search
    )
}

fn is_heading(tag: Tag) -> bool {
    use Tag::*;
    matches!(tag, H1 | H2 | H3 | H4 | H5 | H6)
}

/// Decision: the rows of a table belong together, so `tr` and its like break no line, while cells do.
fn breaks_line(tag: Tag) -> bool {
    use Tag::*;
    is_container(tag) || matches!(tag, P | Li | Dt | Dd | Td | Th | Hr | Br | Pre | Figcaption | Summary | Caption)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &[(u32, u32, u32)]) {
        let (rows, _) = rows(source, 3);
        let found: Vec<_> = rows.iter().map(|row| (row.number, row.length, row.depth)).collect();
        assert_eq!(found, expected, "{source:?}");
    }

    #[test]
    fn a_row_knows_its_line_its_length_and_its_depth() {
        check("<div>\n<ul>\n<span>\n文章分类\n</span>\n</ul>\n一\n</div>\n二", &[(3, 4, 2), (6, 1, 1), (8, 1, 0)]);
    }

    #[test]
    fn what_is_no_text_leaves_blank_lines() {
        check("一\n<script>\nx\n</script>\n&nbsp;\n二", &[(0, 1, 0), (5, 1, 0)]);
        check("<title>x</title><p\nclass=a\n>一", &[(0, 1, 0)]);
        check("头<body>一", &[(0, 1, 0)]);
    }

    #[test]
    fn long_lines_are_broken_at_block_level_tags() {
        let items = "<li>一二</li>".repeat(100);
        let (rows, _) = rows(&format!("<ul>{items}</ul>"), 3);
        assert_eq!(rows.len(), 100);
        assert_eq!((rows[0].number, rows[1].number, rows[1].length), (2, 5, 2));
    }

    #[test]
    fn a_heading_stands_alone() {
        check("<h2>一</h2>二", &[(3, 1, 0), (7, 1, 0)]);
    }
}
