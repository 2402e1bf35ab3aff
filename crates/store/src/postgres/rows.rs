//! Rows of the tables as values.

use jiff::Timestamp;
use kuai_archive::{ContentHash, FIGURES_MAX, Figures, Row};
use tokio_postgres::Row as Columns;

use super::objects::Span;
use crate::record::Root;
use crate::row::{ObjectPlace, Packed, ReelRow};

/// The columns of [`row`], in its order.
macro_rules! row_columns {
    () => {
        "entry.number, entry.sequence, entry.second, entry.nanosecond, entry.hash, entry.body_length, entry.stored_length, entry.figures"
    };
}
/// The columns of [`reel`], in its order.
macro_rules! reel_columns {
    () => {
        "reel.number, reel.first_number, reel.entry_count, reel.root, reel.root_length, reel.packed_count, reel.object, reel.place, reel.length"
    };
}
pub(super) use {reel_columns, row_columns};

/// How many columns [`row`] takes.
pub(super) const ROW_COLUMN_COUNT: usize = 8;
/// How many columns [`reel`] takes.
pub(super) const REEL_COLUMN_COUNT: usize = 9;

/// The row of a listing, from this column on.
pub(super) fn row(columns: &Columns, from: usize) -> Row {
    Row {
        number: columns.get::<_, i32>(from) as u32,
        sequence: columns.get::<_, i64>(from + 1) as u64,
        time: time(columns, from + 2),
        hash: hash(columns, from + 4),
        body_length: columns.get::<_, i64>(from + 5) as u64,
        stored_length: columns.get::<_, i64>(from + 6) as u64,
        figures: figures(columns.get(from + 7)),
    }
}

/// What is known of a reel of a URL, from this column on.
pub(super) fn reel(columns: &Columns, from: usize, url: &str) -> ReelRow {
    let number = |column: usize| columns.get::<_, i64>(from + column) as u32;
    let count = |column: usize| columns.get::<_, i32>(from + column) as u32;
    let root: Option<i64> = columns.get(from + 3);
    let object: Option<i64> = columns.get(from + 6);
    let packed = object.map(|object| Packed {
        object: ObjectPlace {
            pack: object as u32,
            offset: columns.get::<_, i64>(from + 7) as u64,
            length: columns.get::<_, i64>(from + 8) as u64,
        },
        entry_count: count(5),
    });
    let root = root.map(|reel| Root { reel: reel as u32, length: count(4) });
    ReelRow { entry_count: count(2), packed, ..ReelRow::new(number(0), url, root, count(1)) }
}

/// Bytes of an object, from three columns.
pub(super) fn span(columns: &Columns, from: usize) -> Option<Span> {
    let object: Option<i64> = columns.get(from);
    object.map(|object| Span {
        object: object as u32,
        place: columns.get::<_, i64>(from + 1) as u64,
        length: columns.get::<_, i64>(from + 2) as u64,
    })
}

/// A time, from two columns.
pub(super) fn time(columns: &Columns, from: usize) -> Timestamp {
    let (second, nanosecond): (i64, i32) = (columns.get(from), columns.get(from + 1));
    Timestamp::new(second, nanosecond).unwrap_or(Timestamp::UNIX_EPOCH)
}

/// A time as two columns. The second is the one before, so that the nanoseconds are never negative.
pub(super) fn second_and_nanosecond(time: Timestamp) -> (i64, i32) {
    let nanosecond = time.as_nanosecond();
    (nanosecond.div_euclid(1_000_000_000) as i64, nanosecond.rem_euclid(1_000_000_000) as i32)
}

/// Figures as a column, without the zeros at the end.
pub(super) fn figures_column(figures: &Figures) -> Vec<i64> {
    let length = FIGURES_MAX - figures.iter().rev().take_while(|figure| **figure == 0).count();
    figures[..length].iter().map(|figure| i64::from(*figure)).collect()
}

fn figures(column: Vec<i64>) -> Figures {
    std::array::from_fn(|index| column.get(index).map_or(0, |figure| *figure as u32))
}

pub(super) fn hash(columns: &Columns, column: usize) -> ContentHash {
    let bytes: &[u8] = columns.get(column);
    ContentHash(bytes.try_into().unwrap_or_default())
}
