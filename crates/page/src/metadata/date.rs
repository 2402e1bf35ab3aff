//! Dates as pages write them, brought into one form where there is no doubt what they say.
//!
//! In: `2024-01-31T10:00:00+08:00`, `2024/1/31 10:00`, `20240131`, `2024年1月31日`, `Wed, 31 Jan 2024 10:00:00 GMT`,
//! `January 31, 2024`. Out: `2024-01-31`, with a time `2024-01-31T10:00:00`, with a zone `2024-01-31T10:00:00+08:00`.

use jiff::civil::{Date, Time};

/// Longer than any date.
const LENGTH_MAX: usize = 80;

/// Years a page of the Web, or the paper it describes, may have.
const YEARS: std::ops::RangeInclusive<i32> = 1000..=2100;

/// The date in one form, or `None` where it is none or may be read in two ways (`01/02/2024`).
pub(super) fn normalise(text: &str) -> Option<String> {
    let text = text.trim();
    if text.is_empty() || text.len() > LENGTH_MAX {
        return None;
    }
    let (date, rest) =
        year_first(text).or_else(|| compact(text)).or_else(|| named_month(text)).or_else(|| year_last(text))?;
    let date = date.strftime("%Y-%m-%d").to_string();
    let rest = rest.trim_start_matches([',', ' ', 'T', 't', '\u{a0}']);
    match time_and_zone(rest) {
        Some((time, zone)) => Some(format!("{date}T{}{zone}", time.strftime("%H:%M:%S"))),
        None => Some(date),
    }
}

/// The first date in a short text: `发布时间：2024年1月31日 10:00`, `Updated on January 31, 2024`.
pub(super) fn find(text: &str) -> Option<String> {
    let mut before = ' ';
    for (place, character) in text.char_indices() {
        let begins_word = !before.is_ascii_alphanumeric() && !matches!(before, '-' | '/' | '.' | ':' | '#');
        before = character;
        let may_begin = character.is_ascii_digit() || character.is_ascii_uppercase();
        if begins_word && may_begin {
            let rest = &text[place..];
            let rest = &rest[..rest.floor_char_boundary(LENGTH_MAX)];
            if !is_version(rest)
                && let Some(date) = normalise(rest)
            {
                return Some(date);
            }
        }
    }
    None
}

/// Eight digits in a text are an order number sooner than a day.
fn is_version(text: &str) -> bool {
    text.bytes().take(8).all(|byte| byte.is_ascii_digit()) && text.len() >= 8
}

/// `2024-01-31`, `2024/1/31`, `2024.1.31`, `2024年1月31日`.
fn year_first(text: &str) -> Option<(Date, &str)> {
    let (year, rest) = number(text, 4..=4)?;
    let rest = rest.strip_prefix(['-', '/', '.', '年'])?;
    let (month, rest) = number(rest.trim_start(), 1..=2)?;
    let rest = rest.strip_prefix(['-', '/', '.', '月'])?;
    let (day, rest) = number(rest.trim_start(), 1..=2)?;
    Some((date(year, month, day)?, rest.strip_prefix('日').unwrap_or(rest)))
}

/// `20240131`.
fn compact(text: &str) -> Option<(Date, &str)> {
    let (_, rest) = number(text, 8..=8)?;
    let part = |from: usize, to: usize| text[from..to].parse().ok();
    Some((date(part(0, 4)?, part(4, 6)?, part(6, 8)?)?, rest))
}

/// `31/01/2024` and `01/31/2024`, where only one of the two can be the month.
fn year_last(text: &str) -> Option<(Date, &str)> {
    let (first, rest) = number(text, 1..=2)?;
    let (second, rest) = number(rest.strip_prefix(['/', '.', '-'])?, 1..=2)?;
    let (year, rest) = number(rest.strip_prefix(['/', '.', '-'])?, 4..=4)?;
    let (day, month) = match (first, second) {
        (first, second) if first > 12 || first == second => (first, second),
        (first, second) if second > 12 => (second, first),
        _ => return None,
    };
    Some((date(year, month, day)?, rest))
}

/// `Wed, 31 Jan 2024`, `31 January 2024`, `January 31st, 2024`, in English as the mail standards have it.
fn named_month(text: &str) -> Option<(Date, &str)> {
    let mut month = None;
    let mut day = None;
    let mut rest = text;
    while !rest.is_empty() {
        rest = rest.trim_start_matches([' ', ',', '.', '-']);
        if let Some((year, after)) = number(rest, 4..=4) {
            return Some((date(year, month?, day?)?, after));
        }
        if let Some((found, after)) = number(rest, 1..=2) {
            day = Some(found);
            rest = ["st", "nd", "rd", "th"].iter().find_map(|ending| after.strip_prefix(ending)).unwrap_or(after);
            continue;
        }
        let word_end = rest.find(|character: char| !character.is_ascii_alphabetic()).unwrap_or(rest.len());
        let word = &rest[..word_end];
        if let Some(found) = month_number(word) {
            month = Some(found);
        } else if !is_week_day(word) {
            return None;
        }
        rest = &rest[word_end..];
    }
    None
}

/// The number of a month, from 1, by its English name or at least three of its first letters.
pub fn month_number(word: &str) -> Option<i32> {
    const MONTHS: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    MONTHS.iter().position(|month| begins(month, word)).map(|index| index as i32 + 1)
}

fn is_week_day(word: &str) -> bool {
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"].iter().any(|day| begins(day, word))
}

/// Whether the word is this name or its beginning, of three letters at least.
fn begins(name: &str, word: &str) -> bool {
    word.len() >= 3 && name.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}

/// `10:00`, `10:00:30.5`, `100030`, each with `Z`, `GMT`, `+08:00`, `+0800`, `+08` or no zone.
fn time_and_zone(text: &str) -> Option<(Time, String)> {
    let (time, rest) = match number(text, 6..=6) {
        Some((digits, rest)) => (time(digits / 10_000, digits / 100 % 100, digits % 100)?, rest),
        None => clock(text)?,
    };
    Some((time, zone(rest.trim_start())))
}

fn clock(text: &str) -> Option<(Time, &str)> {
    let (hour, rest) = number(text, 1..=2)?;
    let (minute, rest) = number(rest.strip_prefix(':')?, 2..=2)?;
    let seconds = rest.strip_prefix(':').and_then(|rest| number(rest, 2..=2));
    let (second, rest) = seconds.unwrap_or((0, rest));
    let fraction_end = match rest.strip_prefix('.') {
        Some(fraction) => 1 + fraction.bytes().take_while(u8::is_ascii_digit).count(),
        None => 0,
    };
    let rest = &rest[fraction_end..];
    let (hour, rest) = half_of_day(hour, rest);
    Some((time(hour, minute, second)?, rest))
}

fn half_of_day(hour: i32, rest: &str) -> (i32, &str) {
    let trimmed = rest.trim_start();
    let half = trimmed.get(..2).map(str::to_ascii_lowercase);
    match half.as_deref() {
        Some("am") if hour <= 12 => (hour % 12, &trimmed[2..]),
        Some("pm") if hour <= 12 => (hour % 12 + 12, &trimmed[2..]),
        _ => (hour, rest),
    }
}

/// The zone as RFC 3339 writes it; empty where there is none, or one that we cannot place.
fn zone(text: &str) -> String {
    if begins_with_word(text, &["Z", "z", "GMT", "UTC"]) {
        return "Z".to_owned();
    }
    offset(text).unwrap_or_default()
}

/// `+08:00` of `+08:00`, `+0800` and `+08`.
fn offset(text: &str) -> Option<String> {
    let sign = text.chars().next().filter(|sign| matches!(sign, '+' | '-'))?;
    let (hours, minutes, rest) = match number(&text[1..], 4..=4) {
        Some((both, rest)) => (both / 100, both % 100, rest),
        None => {
            let (hours, rest) = number(&text[1..], 2..=2)?;
            let (minutes, rest) = rest.strip_prefix(':').and_then(|rest| number(rest, 2..=2)).unwrap_or((0, rest));
            (hours, minutes, rest)
        }
    };
    let ends = !rest.starts_with(|next: char| next.is_alphanumeric());
    (ends && hours <= 14 && minutes <= 59).then(|| format!("{sign}{hours:02}:{minutes:02}"))
}

fn begins_with_word(text: &str, words: &[&str]) -> bool {
    let rests = words.iter().filter_map(|word| text.strip_prefix(word));
    rests.into_iter().any(|rest| !rest.starts_with(|next: char| next.is_alphanumeric() || matches!(next, '+' | '-')))
}

/// A number of so many digits, no more, and what follows it.
fn number(text: &str, digits: std::ops::RangeInclusive<usize>) -> Option<(i32, &str)> {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    if !digits.contains(&length) {
        return None;
    }
    Some((text[..length].parse().ok()?, &text[length..]))
}

fn date(year: i32, month: i32, day: i32) -> Option<Date> {
    let date = Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()?;
    YEARS.contains(&year).then_some(date)
}

fn time(hour: i32, minute: i32, second: i32) -> Option<Time> {
    let small = |number: i32| i8::try_from(number).ok();
    // A leap second is a time of the day too; it is written as the one before it.
    Time::new(small(hour)?, small(minute)?, small(second.min(59))?, 0).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(normalise(text).as_deref(), Some(expected), "{text:?}");
    }

    #[test]
    fn dates_come_out_in_one_form() {
        for text in ["2024-01-31", "2024/1/31", "20240131", "2024年1月31日", "January 31, 2024", "31 Jan 2024"] {
            check(text, "2024-01-31");
        }
        check("Jan. 31st, 2024", "2024-01-31");
        check("31/01/2024", "2024-01-31");
        check("01/31/2024", "2024-01-31");
    }

    #[test]
    fn a_date_is_found_in_a_line() {
        let check = |text: &str, expected: Option<&str>| assert_eq!(find(text).as_deref(), expected, "{text}");
        check("发布时间：2024年1月31日 10:00 来源：报", Some("2024-01-31T10:00:00"));
        check("Updated on Wednesday, January 31, 2024 by us", Some("2024-01-31"));
        check("Posted 31 Jan 2024", Some("2024-01-31"));
        check("Order 20240131 of version 1.2.2024", None);
        check("In 2024 we sold 31 of May", None);
        check("see 10.1000/2024-01-31", None);
    }

    #[test]
    fn times_and_zones_are_kept() {
        check("2024-01-31T10:00:30.123Z", "2024-01-31T10:00:30Z");
        check("2024-01-31 10:00", "2024-01-31T10:00:00");
        check("2024-01-31T10:00:00+0800", "2024-01-31T10:00:00+08:00");
        check("2024-01-31T10:00-05", "2024-01-31T10:00:00-05:00");
        check("20240131T100030Z", "2024-01-31T10:00:30Z");
        check("Wed, 31 Jan 2024 10:00:00 GMT", "2024-01-31T10:00:00Z");
        check("January 31, 2024 3:05 PM", "2024-01-31T15:05:00");
        check("2024年1月31日 09:08", "2024-01-31T09:08:00");
    }

    #[test]
    fn a_zone_that_is_none_is_left_out() {
        check("2024-01-31 10:00 +8小", "2024-01-31T10:00:00");
        check("2024-01-31T10:00+a€", "2024-01-31T10:00:00");
        check("2024-01-31T10:00+99:00", "2024-01-31T10:00:00");
        check("2024-01-31 10:00 -08小时", "2024-01-31T10:00:00");
        check("2024-01-31 10:00 GMT+8", "2024-01-31T10:00:00");
        check("2024-01-31 10:00 +0800 Berlin", "2024-01-31T10:00:00+08:00");
    }

    #[test]
    fn what_is_no_date_or_two_is_left_alone() {
        for text in ["", "today", "01/02/2024", "2024-13-01", "2024-02-30", "9999-01-01", "12345", "May", "2024", "汉"]
        {
            assert_eq!(normalise(text), None, "{text:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_without_panic(text in "(2024-01-31 10:00)?([0-9]{1,4}|[-/:. TZ+年月日]|Jan|pm|汉|é|€){0,12}") {
            normalise(&text);
            find(&text);
        }
    }
}
