//! Times as web archives write them (`20260131235959`, or the beginning of that) and as HTTP does (`Sat, 31 Jan 2026 23:59:59 GMT`).

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use kuai_page::Timestamp;

/// Digits from year to second.
const DIGITS: usize = 14;

const HTTP_FORM: &str = "%a, %d %b %Y %H:%M:%S GMT";

/// A time in 14 digits.
pub(crate) fn stamp(time: Timestamp) -> String {
    time.strftime("%Y%m%d%H%M%S").to_string()
}

/// The time that digits stand for; those that are missing are filled so that it is the earliest.
pub(crate) fn earliest(digits: &str) -> Option<Timestamp> {
    read(digits, "00000101000000")
}

/// As [`earliest`], but the latest.
pub(crate) fn latest(digits: &str) -> Option<Timestamp> {
    // The month may have fewer days than 31.
    ["99991231235959", "99991230235959", "99991229235959", "99991228235959"]
        .iter()
        .find_map(|filling| read(digits, filling))
}

/// A time as HTTP writes it.
pub(crate) fn http_date(time: Timestamp) -> String {
    time.strftime(HTTP_FORM).to_string()
}

/// Reads a time as HTTP writes it, and as RFC 7089 asks for it: no other form.
pub(crate) fn read_http_date(text: &str) -> Option<Timestamp> {
    at(DateTime::strptime(HTTP_FORM, text.trim()).ok()?)
}

fn read(digits: &str, filling: &str) -> Option<Timestamp> {
    let is_stamp = (4..=DIGITS).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    let whole = is_stamp.then(|| format!("{digits}{}", &filling[digits.len()..]))?;
    at(DateTime::strptime("%Y%m%d%H%M%S", &whole).ok()?)
}

fn at(time: DateTime) -> Option<Timestamp> {
    Some(time.to_zoned(TimeZone::UTC).ok()?.timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_for_a_time_or_for_the_ends_of_a_span() {
        let told = |time: Option<Timestamp>| time.map(|time| time.to_string());
        assert_eq!(told(earliest("20260131235959")).as_deref(), Some("2026-01-31T23:59:59Z"));
        assert_eq!(told(earliest("2026")).as_deref(), Some("2026-01-01T00:00:00Z"));
        assert_eq!(told(latest("202602")).as_deref(), Some("2026-02-28T23:59:59Z"));
        assert_eq!(told(latest("2024022912")).as_deref(), Some("2024-02-29T12:59:59Z"));
        for nonsense in ["", "202", "2026013123595900", "20261301000000", "2026-01-31", "２０２６"] {
            assert_eq!((earliest(nonsense), latest(nonsense)), (None, None), "{nonsense}");
        }
    }

    #[test]
    fn a_stamp_comes_back() {
        let time: Timestamp = "2026-01-31T23:59:59Z".parse().expect("a time");
        assert_eq!(earliest(&stamp(time)), Some(time));
        assert_eq!(read_http_date(&http_date(time)), Some(time));
        assert_eq!(http_date(time), "Sat, 31 Jan 2026 23:59:59 GMT");
    }

    #[test]
    fn only_the_form_of_http_is_a_date() {
        for nonsense in ["", "yesterday", "2026-01-31", "Sat, 31 Jan 2026 23:59:59", "Sat, 31 Jan 2026 25:59:59 GMT"] {
            assert_eq!(read_http_date(nonsense), None, "{nonsense}");
        }
    }
}
