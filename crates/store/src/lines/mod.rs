//! Heads and notes as changes against the document before: lines are copied, dropped, changed or inserted.
//!
//! Any bytes are a document: lines keep their ends, and the last one may have none. The changes are operations
//! (`copied lines << 3 | kind`, then what the kind needs) and, apart from them, the values that they take; operations that are
//! the same as the last time are not written again.

mod align;
mod change;
mod token;

use align::{Edit, align};
use change::{Change, Shape};

use crate::varint::{Cursor, put_number};

/// What `Date` and `Content-Length` lines often follow from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Circumstances {
    pub(crate) second: i64,
    pub(crate) body_length: u64,
}

/// The newest document, and what is known of how it changes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lines {
    lines: Vec<Line>,
    /// The operations of the last changes.
    operations: Vec<u8>,
}

/// A line with its end.
#[derive(Clone, Debug, Default)]
struct Line {
    text: Vec<u8>,
    /// How its token last changed.
    shape: Option<Shape>,
}

/// The kind of an operation that drops or inserts lines; the others change one (see [`change`]).
const SPAN: u8 = 7;

impl Lines {
    /// The document.
    pub(crate) fn text(&self) -> Vec<u8> {
        let mut text = Vec::with_capacity(self.lines.iter().map(|line| line.text.len()).sum());
        self.lines.iter().for_each(|line| text.extend_from_slice(&line.text));
        text
    }

    /// About how many bytes of memory this takes.
    pub(crate) fn weight(&self) -> usize {
        let lines = self.lines.iter().map(|line| line.text.capacity() + size_of::<Line>());
        lines.sum::<usize>() + self.operations.capacity()
    }

    /// Writes how `text` differs from the document, and becomes it. Nothing is written where they are the same.
    pub(crate) fn encode(&mut self, text: &[u8], circumstances: Circumstances) -> Vec<u8> {
        let changes = self.changes_to(text, circumstances);
        self.decode(&changes, circumstances).expect("changes just written can be read");
        assert!(self.text() == text, "changes just written lead to the document");
        changes
    }

    /// Reads what [`Lines::encode`] wrote; `None` on anything it cannot have written.
    pub(crate) fn decode(&mut self, changes: &[u8], circumstances: Circumstances) -> Option<()> {
        if changes.is_empty() {
            return Some(());
        }
        let mut values = Cursor::new(changes);
        let length = values.length()?;
        if length > 0 {
            self.operations = values.take(length)?.to_vec();
        }
        let mut operations = Cursor::new(&self.operations);
        let mut old = std::mem::take(&mut self.lines).into_iter();
        let mut new = Vec::with_capacity(old.len());
        while !operations.is_at_end() {
            let operation = operations.number()?;
            for _ in 0..operation >> 3 {
                new.push(old.next()?);
            }
            let kind = (operation & 7) as u8;
            if kind == SPAN {
                apply_span(&mut operations, &mut values, &mut old, &mut new)?;
            } else {
                let mut line = old.next()?;
                change::apply(&mut line, kind, &mut operations, &mut values, circumstances)?;
                new.push(line);
            }
        }
        new.extend(old);
        self.lines = new;
        values.is_at_end().then_some(())
    }

    fn changes_to(&self, text: &[u8], circumstances: Circumstances) -> Vec<u8> {
        let new: Vec<&[u8]> = split_lines(text).collect();
        let (mut operations, mut values) = (Vec::new(), Vec::new());
        let mut copied = 0u64;
        let operation = |kind: u8, operations: &mut Vec<u8>, copied: &mut u64| {
            put_number(operations, *copied << 3 | u64::from(kind));
            *copied = 0;
        };
        for edit in align(&self.lines, &new) {
            match edit {
                Edit::Copy { count } => copied += count as u64,
                Edit::Drop { count } => {
                    operation(SPAN, &mut operations, &mut copied);
                    put_number(&mut operations, (count as u64) << 1);
                }
                Edit::Insert { from, count } => {
                    let text = new[from..from + count].concat();
                    operation(SPAN, &mut operations, &mut copied);
                    put_number(&mut operations, (text.len() as u64) << 1 | 1);
                    values.extend_from_slice(&text);
                }
                Edit::Change { old_line, new_line } => {
                    let change = Change::between(&self.lines[old_line], new[new_line], circumstances);
                    operation(change.kind(), &mut operations, &mut copied);
                    change.put(&mut operations, &mut values);
                }
            }
        }
        joined(&operations, &self.operations, &values)
    }
}

/// Operations and values as one; nothing for no operations.
fn joined(operations: &[u8], operations_before: &[u8], values: &[u8]) -> Vec<u8> {
    if operations.is_empty() {
        return Vec::new();
    }
    let mut changes = Vec::with_capacity(operations.len() + values.len() + 2);
    if operations == operations_before {
        put_number(&mut changes, 0);
    } else {
        put_number(&mut changes, operations.len() as u64);
        changes.extend_from_slice(operations);
    }
    changes.extend_from_slice(values);
    changes
}

/// Drops lines, or inserts some.
fn apply_span(
    operations: &mut Cursor<'_>,
    values: &mut Cursor<'_>,
    old: &mut impl Iterator<Item = Line>,
    new: &mut Vec<Line>,
) -> Option<()> {
    let span = operations.number()?;
    let length = usize::try_from(span >> 1).ok()?;
    if span & 1 == 0 {
        (0..length).try_for_each(|_| old.next().map(|_| ()))
    } else {
        let inserted = split_lines(values.take(length)?);
        new.extend(inserted.map(|text| Line { text: text.to_vec(), shape: None }));
        Some(())
    }
}

/// The lines of a text with their ends.
fn split_lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split_inclusive(|byte| *byte == b'\n')
}

#[cfg(test)]
mod tests;
