//! A time in a view: RFC 3339 for programs, as short as may be for people.

use std::fmt;
use std::time::Duration;

use kuai::Timestamp;
use serde::{Serialize, Serializer};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, Schema, SchemaFormat, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::refusal::Refusal;
use crate::stamp::{latest, stamp};

/// See above.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Time(pub(crate) Timestamp);

impl Time {
    /// `2026-01-31`
    pub(crate) fn day(self) -> String {
        self.0.strftime("%Y-%m-%d").to_string()
    }

    /// `2026-01-31 23:59`
    pub(crate) fn minute(self) -> String {
        self.0.strftime("%Y-%m-%d %H:%M").to_string()
    }

    /// `20260131235959`
    pub(crate) fn stamp(self) -> String {
        stamp(self.0)
    }

    pub(crate) fn second(self) -> i64 {
        self.0.as_second()
    }

    /// Reads a time that a visitor wrote: a day, digits as web archives have them, or RFC 3339. A day stands for its end, and a second too: captures have
    /// parts of seconds, which digits do not tell.
    pub(crate) fn until(text: &str) -> Result<Time, Refusal> {
        let text = text.trim();
        let is_digits = text.len() <= 14 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        let time = if is_digits { latest(&text.replace('-', "")).map(end_of_second) } else { text.parse().ok() };
        let bad = || Refusal::bad_request(format!("{text:?} is no time: write it like 2026-01-31 or 20260131235959"));
        time.map(Time).ok_or_else(bad)
    }
}

fn end_of_second(time: Timestamp) -> Timestamp {
    time.saturating_add(Duration::from_nanos(999_999_999)).unwrap_or(time)
}

impl From<Timestamp> for Time {
    fn from(time: Timestamp) -> Time {
        Time(time)
    }
}

impl fmt::Display for Time {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&self.0)
    }
}

impl PartialSchema for Time {
    fn schema() -> RefOr<Schema> {
        let format = SchemaFormat::KnownFormat(KnownFormat::DateTime);
        ObjectBuilder::new().schema_type(Type::String).format(Some(format)).into()
    }
}

impl ToSchema for Time {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_visitor_writes_a_time_in_many_ways() {
        let told = |text: &str| Time::until(text).ok().map(Time::second);
        for text in ["2024-02-29", "20240229", "20240229235959", "2024-02-29T23:59:59Z"] {
            assert_eq!(told(text), Some(1_709_251_199), "{text}");
        }
        for nonsense in ["", "-", "yesterday", "2024-13-01", "99999999999999"] {
            assert_eq!(told(nonsense), None, "{nonsense}");
        }
    }
}
