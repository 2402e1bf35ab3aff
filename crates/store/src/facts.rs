//! What is known of an entry without its content, written as steps from the entry before.
//!
//! The same steps stand in a record of a log, one after another, and in a pack, every field in a column of its own.

use jiff::Timestamp;
use kuai_archive::{ContentHash, FIGURES_MAX, Figures, Row};

use crate::lines::Circumstances;
use crate::varint::{Cursor, put_number, put_signed};

const NANOSECONDS_IN_SECOND: i128 = 1_000_000_000;

/// Which optional fields an entry has. Six bits, because a record keeps its kind in the other two.
pub(crate) mod flag {
    /// The body is that of the entry before.
    pub(crate) const SAME_BODY: u8 = 1;
    /// The body is kept as a blob.
    pub(crate) const BLOB: u8 = 2;
    /// The time is not a whole second.
    pub(crate) const NANOSECOND: u8 = 4;
    /// Some figure differs from the entry before.
    pub(crate) const FIGURES: u8 = 8;
    /// The head is not as long as that of the entry before.
    pub(crate) const HEAD_LENGTH: u8 = 16;
    /// The notes differ from the entry before; they are no fact, but share the byte.
    pub(crate) const NOTES: u8 = 32;
}

/// What is known of an entry without its content. The first entry of a reel takes its steps from the default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Facts {
    pub(crate) sequence: u64,
    pub(crate) time: Timestamp,
    pub(crate) hash: ContentHash,
    pub(crate) is_blob: bool,
    pub(crate) body_length: u64,
    pub(crate) head_length: u64,
    pub(crate) figures: Figures,
    /// Bytes of the record; not among the steps, because a record knows how long it is.
    pub(crate) stored_length: u64,
}

/// The fields that steps are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    Sequence,
    Time,
    Nanosecond,
    BodyLength,
    HeadLength,
    Figures,
    Hash,
}

/// How many [`Field`]s there are.
pub(crate) const FIELD_COUNT: usize = 7;

/// Where steps are written to.
pub(crate) trait FieldSink {
    fn field(&mut self, field: Field) -> &mut Vec<u8>;
}

/// Where steps are read from.
pub(crate) trait FieldSource<'a> {
    fn field(&mut self, field: Field) -> &mut Cursor<'a>;
}

impl FieldSink for Vec<u8> {
    fn field(&mut self, _field: Field) -> &mut Vec<u8> {
        self
    }
}

impl FieldSink for [Vec<u8>; FIELD_COUNT] {
    fn field(&mut self, field: Field) -> &mut Vec<u8> {
        &mut self[field as usize]
    }
}

impl<'a> FieldSource<'a> for Cursor<'a> {
    fn field(&mut self, _field: Field) -> &mut Cursor<'a> {
        self
    }
}

impl<'a> FieldSource<'a> for [Cursor<'a>; FIELD_COUNT] {
    fn field(&mut self, field: Field) -> &mut Cursor<'a> {
        &mut self[field as usize]
    }
}

impl Default for Facts {
    fn default() -> Facts {
        Facts {
            sequence: 0,
            time: Timestamp::UNIX_EPOCH,
            hash: ContentHash([0; 16]),
            is_blob: false,
            body_length: 0,
            head_length: 0,
            figures: [0; FIGURES_MAX],
            stored_length: 0,
        }
    }
}

impl Facts {
    /// Which fields [`Facts::put`] writes.
    pub(crate) fn flags(&self, before: &Facts) -> u8 {
        let mut flags = 0;
        let mut set = |flag: u8, is_set: bool| flags |= if is_set { flag } else { 0 };
        set(flag::SAME_BODY, self.has_same_body(before));
        set(flag::BLOB, self.is_blob);
        set(flag::NANOSECOND, split_time(self.time).1 != 0);
        set(flag::FIGURES, self.figures != before.figures);
        set(flag::HEAD_LENGTH, self.head_length != before.head_length);
        flags
    }

    /// Writes the steps from the entry before.
    pub(crate) fn put(&self, before: &Facts, out: &mut impl FieldSink) {
        let (second, nanosecond) = split_time(self.time);
        put_number(out.field(Field::Sequence), self.sequence - before.sequence);
        put_signed(out.field(Field::Time), second - split_time(before.time).0);
        if nanosecond != 0 {
            put_number(out.field(Field::Nanosecond), nanosecond);
        }
        if !self.has_same_body(before) {
            put_step(out.field(Field::BodyLength), self.body_length, before.body_length);
        }
        if self.head_length != before.head_length {
            put_step(out.field(Field::HeadLength), self.head_length, before.head_length);
        }
        if self.figures != before.figures {
            put_figures(out.field(Field::Figures), &self.figures, &before.figures);
        }
        if !self.has_same_body(before) {
            out.field(Field::Hash).extend_from_slice(&self.hash.0);
        }
    }

    /// Reads what [`Facts::put`] wrote; the stored length is left at 0.
    pub(crate) fn take<'a>(flags: u8, before: &Facts, from: &mut impl FieldSource<'a>) -> Option<Facts> {
        let has = |flag: u8| flags & flag != 0;
        let sequence = before.sequence.checked_add(from.field(Field::Sequence).number()?)?;
        let second = split_time(before.time).0.checked_add(from.field(Field::Time).signed()?)?;
        let nanosecond = if has(flag::NANOSECOND) { from.field(Field::Nanosecond).number()? } else { 0 };
        let time = joined_time(second, nanosecond)?;
        let mut facts = Facts { sequence, time, is_blob: has(flag::BLOB), stored_length: 0, ..before.clone() };
        if !has(flag::SAME_BODY) {
            facts.body_length = take_step(from.field(Field::BodyLength), before.body_length)?;
        }
        if has(flag::HEAD_LENGTH) {
            facts.head_length = take_step(from.field(Field::HeadLength), before.head_length)?;
        }
        if has(flag::FIGURES) {
            take_figures(from.field(Field::Figures), &mut facts.figures)?;
        }
        if !has(flag::SAME_BODY) {
            facts.hash = ContentHash(from.field(Field::Hash).array()?);
        }
        Some(facts)
    }

    /// Whether the body need not be written again.
    pub(crate) fn has_same_body(&self, before: &Facts) -> bool {
        self.hash == before.hash && self.is_blob == before.is_blob
    }

    /// What header lines may follow from.
    pub(crate) fn circumstances(&self) -> Circumstances {
        Circumstances { second: split_time(self.time).0, body_length: self.body_length }
    }

    /// The row of a listing.
    pub(crate) fn row(&self, number: u32) -> Row {
        Row {
            number,
            sequence: self.sequence,
            time: self.time,
            hash: self.hash,
            body_length: self.body_length,
            stored_length: self.stored_length,
            figures: self.figures,
        }
    }

    /// All fields in one, for the catalogue.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let nothing = Facts::default();
        let mut bytes = vec![self.flags(&nothing)];
        self.put(&nothing, &mut bytes);
        put_number(&mut bytes, self.stored_length);
        bytes
    }

    /// Reads what [`Facts::to_bytes`] wrote.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Facts> {
        let mut cursor = Cursor::new(bytes);
        let flags = cursor.byte()?;
        let mut facts = Facts::take(flags, &Facts::default(), &mut cursor)?;
        facts.stored_length = cursor.number()?;
        Some(facts)
    }
}

/// Writes a time that stands alone.
pub(crate) fn put_time(out: &mut Vec<u8>, time: Timestamp) {
    let (second, nanosecond) = split_time(time);
    put_signed(out, second);
    put_number(out, nanosecond);
}

/// Reads what [`put_time`] wrote.
pub(crate) fn take_time(cursor: &mut Cursor<'_>) -> Option<Timestamp> {
    let second = cursor.signed()?;
    joined_time(second, cursor.number()?)
}

/// The whole seconds before a time, and the nanoseconds after those.
fn split_time(time: Timestamp) -> (i64, u64) {
    let nanosecond = time.as_nanosecond();
    let second = nanosecond.div_euclid(NANOSECONDS_IN_SECOND);
    (second as i64, nanosecond.rem_euclid(NANOSECONDS_IN_SECOND) as u64)
}

fn joined_time(second: i64, nanosecond: u64) -> Option<Timestamp> {
    Timestamp::from_nanosecond(i128::from(second) * NANOSECONDS_IN_SECOND + i128::from(nanosecond)).ok()
}

fn put_step(out: &mut Vec<u8>, number: u64, before: u64) {
    put_signed(out, number.wrapping_sub(before) as i64);
}

fn take_step(cursor: &mut Cursor<'_>, before: u64) -> Option<u64> {
    before.checked_add_signed(cursor.signed()?)
}

/// Writes which figures differ, and by how much.
fn put_figures(out: &mut Vec<u8>, figures: &Figures, before: &Figures) {
    let differs = |index: &usize| figures[*index] != before[*index];
    let mask = (0..FIGURES_MAX).filter(differs).fold(0, |mask, index| mask | 1 << index);
    put_number(out, mask);
    for index in (0..FIGURES_MAX).filter(differs) {
        put_signed(out, i64::from(figures[index]) - i64::from(before[index]));
    }
}

fn take_figures(cursor: &mut Cursor<'_>, figures: &mut Figures) -> Option<()> {
    let mask = cursor.number()?;
    for (index, figure) in figures.iter_mut().enumerate() {
        if mask >> index & 1 == 1 {
            *figure = u32::try_from(i64::from(*figure).checked_add(cursor.signed()?)?).ok()?;
        }
    }
    (mask >> FIGURES_MAX == 0).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(sequence: u64, nanosecond: i128, body: &[u8], figure: u32) -> Facts {
        let mut figures = [7; FIGURES_MAX];
        figures[3] = figure;
        Facts {
            sequence,
            time: Timestamp::from_nanosecond(nanosecond).expect("a time within the calendar"),
            hash: ContentHash::of(body),
            is_blob: figure == 9,
            body_length: body.len() as u64,
            head_length: u64::from(figure % 2),
            figures,
            stored_length: 0,
        }
    }

    #[test]
    fn steps_lead_from_one_entry_to_the_next() {
        let entries = [
            facts(5, -1, b"one", 1),
            facts(9, 1_700_000_000_000_000_000, b"one", u32::MAX),
            facts(10, 3, b"", 0),
            facts(11, 1_000_000_003, b"", 9),
        ];
        let mut before = Facts::default();
        for entry in entries {
            let mut out = Vec::new();
            entry.put(&before, &mut out);
            let mut cursor = Cursor::new(&out);
            assert_eq!(Facts::take(entry.flags(&before), &before, &mut cursor), Some(entry.clone()));
            assert!(cursor.is_at_end());
            assert_eq!(Facts::from_bytes(&entry.to_bytes()), Some(entry.clone()));
            before = entry;
        }
    }
}
