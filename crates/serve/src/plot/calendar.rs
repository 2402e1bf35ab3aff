//! Days of years as a heat map: a column a week, a row a day, darker the more was captured, in another colour where the content changed.

use jiff::civil::{Date, date};

use crate::views::DayCount;
use crate::words::Words;

/// Pixels of a day, and from one to the next.
const CELL: i32 = 8;
const STEP: i32 = 10;

/// Pixels above the days, for the names of months, and beside them.
const TOP: i32 = 16;
const LEFT: i32 = 2;

/// Years that are drawn, the latest ones.
const YEARS_MAX: usize = 15;

/// A year that something happened in.
pub(crate) struct CalendarYear {
    pub(crate) year: i16,
    pub(crate) width: i32,
    pub(crate) height: i32,
    /// The first day of each month: where its name stands, and its number.
    pub(crate) months: Vec<(i32, i8)>,
    /// The lines between months, drawn by one path.
    pub(crate) grid: String,
    pub(crate) cells: Vec<Cell>,
    pub(crate) captures: u64,
    pub(crate) changes: u64,
}

/// A day that something happened on.
pub(crate) struct Cell {
    pub(crate) x: i32,
    pub(crate) y: i32,
    pub(crate) size: i32,
    /// Which colour: `c1` to `c4` by captures, `n1` to `n4` where the content changed.
    pub(crate) class: &'static str,
    pub(crate) day: String,
    pub(crate) captures: u32,
    pub(crate) changes: u32,
}

impl Cell {
    /// What happened on the day, in words.
    pub(crate) fn told(&self, w: &Words) -> String {
        let [captures, changes] = [(w.captures, self.captures), (w.content_changes, self.changes)]
            .map(|(phrase, count)| w.count(phrase, count));
        format!("{}: {captures}{}{changes}", self.day, w.comma)
    }
}

/// Draws days, the latest year first.
pub(crate) fn calendar(days: &[DayCount]) -> Vec<CalendarYear> {
    let mut years: Vec<CalendarYear> = Vec::new();
    for (count, day) in days.iter().rev().filter_map(|count| Some((count, count.date()?))) {
        if years.last().is_none_or(|year| year.year != day.year()) {
            if years.len() == YEARS_MAX {
                break;
            }
            years.push(CalendarYear::empty(day.year()));
        }
        let year = years.last_mut().expect("one was just put there");
        year.captures += u64::from(count.captures);
        year.changes += u64::from(count.content_changes);
        let (column, row) = place(day);
        let (captures, changes) = (count.captures, count.content_changes);
        let (x, y) = (LEFT + column * STEP, TOP + row * STEP);
        year.cells.push(Cell {
            x,
            y,
            size: CELL,
            class: class(captures, changes),
            day: count.day.clone(),
            captures,
            changes,
        });
    }
    years
}

impl CalendarYear {
    fn empty(year: i16) -> CalendarYear {
        let firsts = (1..=12).map(|month| date(year, month, 1));
        let months = firsts.clone().map(|first| (LEFT + place(first).0 * STEP, first.month())).collect();
        let grid = firsts.skip(1).map(edge).collect();
        let (weeks, height) = (place(date(year, 12, 31)).0 + 1, TOP + 7 * STEP);
        CalendarYear {
            year,
            width: LEFT * 2 + weeks * STEP,
            height,
            months,
            grid,
            cells: Vec::new(),
            captures: 0,
            changes: 0,
        }
    }
}

/// The column and the row of a day.
fn place(day: Date) -> (i32, i32) {
    let row = i32::from(day.weekday().to_monday_zero_offset());
    let first_row = i32::from(day.first_of_year().weekday().to_monday_zero_offset());
    ((i32::from(day.day_of_year()) - 1 + first_row) / 7, row)
}

/// The line before the first day of a month.
fn edge(first: Date) -> String {
    let (column, row) = place(first);
    let (x, y) = (LEFT + column * STEP - 1, TOP + row * STEP - 1);
    let (above, below) = (TOP - 1, TOP + 7 * STEP - 1);
    match row {
        0 => format!("M{x} {above}V{below}"),
        _ => format!("M{} {above}V{y}H{x}V{below}", x + STEP),
    }
}

fn class(captures: u32, changes: u32) -> &'static str {
    match (changes, captures) {
        (0, 0..=1) => "c1",
        (0, 2..=4) => "c2",
        (0, 5..=15) => "c3",
        (0, _) => "c4",
        (1, _) => "n1",
        (2..=4, _) => "n2",
        (5..=15, _) => "n3",
        _ => "n4",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_stands_in_the_column_of_its_week() {
        // 1 January 2024 was a Monday, 31 December 2024 a Tuesday.
        assert_eq!(place(date(2024, 1, 1)), (0, 0));
        assert_eq!(place(date(2024, 1, 8)), (1, 0));
        assert_eq!(place(date(2024, 12, 31)), (52, 1));
        assert_eq!(place(date(2023, 1, 1)), (0, 6));
    }

    #[test]
    fn years_come_latest_first_and_changes_have_their_own_colour() {
        let days = [(19_000, 1, 0), (19_723, 1, 0), (19_724, 3, 1)];
        let years = calendar(&days.map(|(day, captures, changes)| DayCount::new(day, captures, changes)));
        assert_eq!(years.iter().map(|year| year.year).collect::<Vec<_>>(), [2024, 2022]);
        let classes: Vec<_> = years[0].cells.iter().map(|cell| (cell.day.as_str(), cell.class)).collect();
        assert_eq!(classes, [("2024-01-02", "n1"), ("2024-01-01", "c1")]);
        assert_eq!((years[0].captures, years[0].changes), (4, 1));
    }
}
