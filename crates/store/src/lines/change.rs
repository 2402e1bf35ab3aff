//! How one line becomes another: a date, a length, or a token within it.
//!
//! Every kind is only taken where it leads back to the very same bytes.

use super::token::{self, Alphabet};
use super::{Circumstances, Line};
use crate::http_date;
use crate::varint::{Cursor, put_number, put_signed};

/// The value becomes the HTTP date of the entry.
const DATE: u8 = 0;
/// The value becomes the length of the body.
const LENGTH: u8 = 1;
/// The value becomes an HTTP date near that of the entry: signed distance in seconds.
const NEAR_DATE: u8 = 2;
/// A token changes that changed in the same shape before.
const SAME_SHAPE: u8 = 3;
/// A token changes: begins at, ends before the line's end by, and is as long as this.
const RAW: u8 = 4;
const HEX: u8 = 5;
const BASE64: u8 = 6;

/// Which part of a line changes, and what is there afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    alphabet: Alphabet,
    /// Bytes of the line before that stay at its beginning and at its end.
    kept_before: usize,
    kept_after: usize,
    /// Bytes between them now.
    length: usize,
}

/// How a line changes.
pub(super) enum Change<'a> {
    Date { distance: i64 },
    Length,
    Token { shape: Shape, token: &'a [u8], is_known: bool },
}

impl<'a> Change<'a> {
    /// How `old` becomes `new`.
    pub(super) fn between(old: &Line, new: &'a [u8], circumstances: Circumstances) -> Change<'a> {
        if let Some(value) = value_in_place(&old.text, new) {
            if let Some(second) = http_date::read(value)
                && let Some(distance) = second.checked_sub(circumstances.second)
            {
                return Change::Date { distance };
            }
            if value == circumstances.body_length.to_string().as_bytes() {
                return Change::Length;
            }
        }
        let (shape, token) = changed_token(&old.text, new);
        Change::Token { shape, token, is_known: old.shape == Some(shape) }
    }

    pub(super) fn kind(&self) -> u8 {
        match self {
            Change::Date { distance: 0 } => DATE,
            Change::Date { .. } => NEAR_DATE,
            Change::Length => LENGTH,
            Change::Token { is_known: true, .. } => SAME_SHAPE,
            Change::Token { shape, .. } => match shape.alphabet {
                Alphabet::Any => RAW,
                Alphabet::Hex => HEX,
                Alphabet::Base64 => BASE64,
            },
        }
    }

    /// Puts what the kind does not say.
    pub(super) fn put(&self, operations: &mut Vec<u8>, values: &mut Vec<u8>) {
        match self {
            Change::Date { distance: 0 } | Change::Length => {}
            Change::Date { distance } => put_signed(values, *distance),
            Change::Token { shape, token, is_known } => {
                if !is_known {
                    for length in [shape.kept_before, shape.kept_after, shape.length] {
                        put_number(operations, length as u64);
                    }
                }
                token::pack(shape.alphabet, token, values);
            }
        }
    }
}

/// Changes a line by what [`Change::put`] wrote.
pub(super) fn apply(
    line: &mut Line,
    kind: u8,
    operations: &mut Cursor<'_>,
    values: &mut Cursor<'_>,
    circumstances: Circumstances,
) -> Option<()> {
    let shape = match kind {
        DATE => return set_value(line, &http_date::write(circumstances.second)?),
        NEAR_DATE => {
            let second = circumstances.second.checked_add(values.signed()?)?;
            return set_value(line, &http_date::write(second)?);
        }
        LENGTH => return set_value(line, &circumstances.body_length.to_string()),
        SAME_SHAPE => line.shape?,
        RAW => read_shape(Alphabet::Any, operations)?,
        HEX => read_shape(Alphabet::Hex, operations)?,
        BASE64 => read_shape(Alphabet::Base64, operations)?,
        _ => return None,
    };
    let token = token::unpack(shape.alphabet, shape.length, values)?;
    let end = line.text.len().checked_sub(shape.kept_after).filter(|end| *end >= shape.kept_before)?;
    line.text.splice(shape.kept_before..end, token);
    line.shape = Some(shape);
    Some(())
}

fn read_shape(alphabet: Alphabet, operations: &mut Cursor<'_>) -> Option<Shape> {
    let (kept_before, kept_after) = (operations.length()?, operations.length()?);
    Some(Shape { alphabet, kept_before, kept_after, length: operations.length()? })
}

/// Where the value of a header line lies: after `: `, before the line's end.
fn value_of(line: &[u8]) -> Option<std::ops::Range<usize>> {
    let start = line.windows(2).position(|pair| pair == b": ")? + 2;
    let end = line.strip_suffix(b"\n").map_or(line.len(), |line| line.strip_suffix(b"\r").unwrap_or(line).len());
    (start <= end).then_some(start..end)
}

/// The value of `new` if it differs from `old` in nothing else.
fn value_in_place<'a>(old: &[u8], new: &'a [u8]) -> Option<&'a [u8]> {
    let value = value_of(old)?;
    let middle = new.strip_prefix(&old[..value.start])?;
    middle.strip_suffix(&old[value.end..])
}

fn set_value(line: &mut Line, value: &str) -> Option<()> {
    let place = value_of(&line.text)?;
    line.text.splice(place, value.bytes());
    Some(())
}

/// The part in which two lines differ, widened to whole tokens so that shapes repeat.
fn changed_token<'a>(old: &[u8], new: &'a [u8]) -> (Shape, &'a [u8]) {
    let mut kept_before = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    while kept_before > 0 && token::is_token_byte(new[kept_before - 1]) {
        kept_before -= 1;
    }
    let ends = old[kept_before..].iter().rev().zip(new[kept_before..].iter().rev());
    let mut kept_after = ends.take_while(|(a, b)| a == b).count();
    while kept_after > 0 && token::is_token_byte(new[new.len() - kept_after]) {
        kept_after -= 1;
    }
    let token = &new[kept_before..new.len() - kept_after];
    (Shape { alphabet: Alphabet::of(token), kept_before, kept_after, length: token.len() }, token)
}
