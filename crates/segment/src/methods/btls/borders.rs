//! Where a content block begins and ends in the source: at tag borders, at the same depth on both sides where the page
//! allows it.

use std::ops::Range;

use kuai_page::Span;

use super::pieces::{PieceKind, Pieces};
use super::rows::{Row, is_container};

/// Finds the borders of content blocks. Looks at the tags around a block only, so that all blocks of a page take linear
/// time together.
pub(super) struct Borders<'a> {
    source: &'a str,
    rows: &'a [Row],
    body_start: usize,
}

/// The tags between two rows.
struct Gap {
    start: usize,
    end: usize,
    depth_at_start: u32,
}

impl<'a> Borders<'a> {
    pub(super) fn new(source: &'a str, rows: &'a [Row], body_start: usize) -> Borders<'a> {
        Borders { source, rows, body_start }
    }

    /// The span of some rows with the tags that belong to them.
    pub(super) fn span(&self, rows: Range<usize>) -> Span {
        let depth_before = self.rows[rows.start].gap_depth_min;
        let depth_after = self.rows.get(rows.end).map_or(0, |row| row.gap_depth_min);
        let inner_gaps = self.rows[rows.start + 1..rows.end].iter().map(|row| row.gap_depth_min);
        let inner_depth = inner_gaps.chain([self.rows[rows.start].depth]).min().unwrap_or(0);
        // What the block's own tags close and open lies at this depth; below it are tags of what is around it.
        let level = depth_before.max(depth_after).min(inner_depth);
        let start = self.opening(self.gap(rows.start), level.max(depth_before));
        let end = self.closing(self.gap(rows.end), level.max(depth_after));
        Span::new(start as u32, end as u32)
    }

    /// The gap before a row, or behind the last.
    fn gap(&self, index: usize) -> Gap {
        let before = index.checked_sub(1).map(|before| &self.rows[before]);
        Gap {
            start: before.map_or(self.body_start, |row| row.end),
            end: self.rows.get(index).map_or(self.source.len(), |row| row.start),
            depth_at_start: before.map_or(0, |row| row.end_depth),
        }
    }

    /// The first tag behind which the depth stays at `level` or deeper, or the text itself.
    fn opening(&self, gap: Gap, level: u32) -> usize {
        let mut depth = gap.depth_at_start;
        let mut opening = None;
        for piece in Pieces::new(self.source, gap.start, gap.end) {
            match piece.kind {
                PieceKind::Start(tag) => {
                    let is_container = is_container(tag);
                    if is_container && depth < level {
                        opening = None;
                    } else {
                        opening = opening.or(Some(piece.start));
                    }
                    depth += u32::from(is_container);
                }
                PieceKind::End(tag) if is_container(tag) => {
                    depth = depth.saturating_sub(1);
                    if depth <= level {
                        opening = None;
                    }
                }
                _ => {}
            }
        }
        opening.unwrap_or(gap.end)
    }

    /// The end of the tags that close what was open, down to `level`.
    fn closing(&self, gap: Gap, level: u32) -> usize {
        let mut depth = gap.depth_at_start;
        let mut closing = gap.start;
        for piece in Pieces::new(self.source, gap.start, gap.end) {
            match piece.kind {
                PieceKind::Start(_) => break,
                PieceKind::End(tag) if is_container(tag) => {
                    if depth <= level {
                        break;
                    }
                    depth -= 1;
                    closing = piece.end;
                }
                PieceKind::End(tag) if is_page(tag) => break,
                PieceKind::End(_) => closing = piece.end,
                PieceKind::Text | PieceKind::Skipped => {}
            }
        }
        closing
    }
}

fn is_page(tag: kuai_page::Tag) -> bool {
    matches!(tag, kuai_page::Tag::Body | kuai_page::Tag::Html)
}
