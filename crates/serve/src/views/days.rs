//! What happened on which day.

use std::collections::BTreeMap;

use jiff::ToSpan;
use jiff::civil::{Date, date};
use serde::Serialize;
use utoipa::ToSchema;

use crate::holdings::Day;

/// A day with captures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct DayCount {
    /// Like `2026-01-31`, in UTC.
    pub(crate) day: String,
    pub(crate) captures: u32,
    /// Versions whose content a reader sees to be another than before.
    pub(crate) content_changes: u32,
}

impl DayCount {
    /// A day by its number since 1970.
    pub(crate) fn new(number: i32, captures: u32, content_changes: u32) -> DayCount {
        let day = date(1970, 1, 1).checked_add(number.days()).map(|day| day.to_string()).unwrap_or_default();
        DayCount { day, captures, content_changes }
    }

    pub(crate) fn date(&self) -> Option<Date> {
        self.day.parse().ok()
    }
}

/// Days in order.
pub(crate) fn day_counts(days: &BTreeMap<i32, Day>) -> Vec<DayCount> {
    days.iter().map(|(number, day)| DayCount::new(*number, day.captures, day.changes)).collect()
}
