//! Dates as pages write them, brought into one form where there is no doubt what they say.
//!
//! In: `2024-01-31T10:00:00+08:00`, `2024/1/31 10:00`, `20240131`, `2024年1月31日`, `Wed, 31 Jan 2024 10:00:00 GMT`,
//! `January 31, 2024`, `31. Januar 2024`. Out: `2024-01-31`, with a time `2024-01-31T10:00:00`, with a zone `2024-01-31T10:00:00+08:00`.

use jiff::civil::Date;

use super::{clock, months};

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
    read(text).map(|(date, _)| date)
}

/// The date in one form, where a program has filled it in: the first day of its clock is what it writes where it knows none.
pub(super) fn filled(text: &str) -> Option<String> {
    normalise(text).filter(|date| !date.starts_with("1970-01-01"))
}

/// The date of two figures for the year that a text begins with: `18-03-08 23:16`.
pub(super) fn of_short_year(text: &str) -> Option<String> {
    let (year, rest) = number(text, 2..=2)?;
    let with_century = format!("20{year:02}{}", &rest[..rest.floor_char_boundary(LENGTH_MAX)]);
    year_first(&with_century)
        .and_then(|_| normalise(with_century.trim_end_matches(|sign: char| !sign.is_ascii_digit())))
}

/// The date that a text begins with, in one form, and what stands behind its day.
fn read(text: &str) -> Option<(String, &str)> {
    let (day, rest) =
        year_first(text).or_else(|| compact(text)).or_else(|| named_month(text)).or_else(|| year_last(text))?;
    let date = day.strftime("%Y-%m-%d").to_string();
    match clock::time_and_zone(rest) {
        Some((time, zone)) => Some((format!("{date}T{}{zone}", time.strftime("%H:%M:%S")), rest)),
        None => Some((date, rest)),
    }
}

/// A date in a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Dated<'a> {
    /// What stands before it.
    pub(super) before: &'a str,
    /// The date in one form.
    pub(super) date: String,
    /// What stands behind its day.
    pub(super) after: &'a str,
}

/// The first date in a short text: `发布时间：2024年1月31日 10:00`, `Updated on January 31, 2024`.
pub(super) fn find(text: &str) -> Option<Dated<'_>> {
    let mut before = ' ';
    for (place, character) in text.char_indices() {
        let begins_word = !before.is_ascii_alphanumeric() && !matches!(before, '-' | '/' | '.' | ':' | '#');
        before = character;
        let may_begin = character.is_ascii_digit() || character.is_ascii_uppercase();
        if begins_word && may_begin {
            let rest = &text[place..];
            let rest = &rest[..rest.floor_char_boundary(LENGTH_MAX)];
            if !is_version(rest)
                && let Some((date, after)) = read(rest)
            {
                let after = &text[place + rest.len() - after.len()..];
                return Some(Dated { before: &text[..place], date, after });
            }
        }
    }
    None
}

/// Eight digits in a text are an order number sooner than a day.
fn is_version(text: &str) -> bool {
    text.bytes().take(8).all(|byte| byte.is_ascii_digit()) && text.len() >= 8
}

/// `2024-01-31`, `2024/1/31`, `2024.1.31`, `2024年1月31日`, `2024年1月31号`.
fn year_first(text: &str) -> Option<(Date, &str)> {
    let (year, rest) = number(text, 4..=4)?;
    let rest = rest.strip_prefix(['-', '/', '.', '年'])?;
    let (month, rest) = number(rest.trim_start(), 1..=2)?;
    let rest = rest.strip_prefix(['-', '/', '.', '月'])?;
    let (day, rest) = number(rest.trim_start(), 1..=2)?;
    Some((date(year, month, day)?, rest.strip_prefix(['日', '号']).unwrap_or(rest)))
}

/// `20240131`.
fn compact(text: &str) -> Option<(Date, &str)> {
    let (_, rest) = number(text, 8..=8)?;
    let part = |from: usize, to: usize| text[from..to].parse().ok();
    Some((date(part(0, 4)?, part(4, 6)?, part(6, 8)?)?, rest))
}

/// `31/01/2024` and `01/31/2024`, where only one of the two can be the month; `31.01.2024`, where the day comes first.
fn year_last(text: &str) -> Option<(Date, &str)> {
    let (first, rest) = number(text, 1..=2)?;
    let is_dotted = rest.starts_with('.');
    let (second, rest) = number(rest.strip_prefix(['/', '.', '-'])?.trim_start(), 1..=2)?;
    let (year, rest) = number(rest.strip_prefix(['/', '.', '-'])?.trim_start(), 4..=4)?;
    let (day, month) = match (first, second) {
        (first, second) if is_dotted || first > 12 || first == second => (first, second),
        (first, second) if second > 12 => (second, first),
        _ => return None,
    };
    Some((date(year, month, day)?, rest))
}

/// `Wed, 31 Jan 2024`, `31 January 2024`, `January 31st, 2024`, `31. Januar 2024`, `31 de enero de 2024`.
fn named_month(text: &str) -> Option<(Date, &str)> {
    let mut month = None;
    let mut day = None;
    let mut rest = text;
    for _ in 0..WORDS_MAX {
        rest = rest.trim_start_matches([' ', ',', '.', '-', '\u{a0}']);
        if let Some((year, after)) = number(rest, 4..=4) {
            return Some((date(year, month?, day?)?, after));
        }
        if let Some((found, after)) = number(rest, 1..=2) {
            day = Some(found);
            rest = ORDINALS.iter().find_map(|ending| after.strip_prefix(ending)).unwrap_or(after);
            continue;
        }
        let word_end = rest.find(|character: char| !character.is_alphabetic()).unwrap_or(rest.len());
        let word = &rest[..word_end];
        if let Some(found) = months::named(word) {
            month = Some(found);
        } else if !months::is_filler(word) {
            return None;
        }
        rest = &rest[word_end..];
    }
    None
}

/// Words and numbers of the longest date.
const WORDS_MAX: usize = 8;

/// Endings of the number of a day.
const ORDINALS: [&str; 7] = ["st", "nd", "rd", "th", "er", "º", "ª"];

/// A number of so many digits, no more, and what follows it.
pub(super) fn number(text: &str, digits: std::ops::RangeInclusive<usize>) -> Option<(i32, &str)> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(normalise(text).as_deref(), Some(expected), "{text:?}");
    }

    #[test]
    fn dates_come_out_in_one_form() {
        for text in
            ["2024-01-31", "2024/1/31", "20240131", "2024年1月31日", "2024年1月31号", "January 31, 2024", "31 Jan 2024"]
        {
            check(text, "2024-01-31");
        }
        check("Jan. 31st, 2024", "2024-01-31");
        check("31/01/2024", "2024-01-31");
        check("01/31/2024", "2024-01-31");
        check("31.01.2024", "2024-01-31");
        check("11.12.2021", "2021-12-11");
        for text in [
            "31. Januar 2024",
            "31 janvier 2024",
            "31 de enero de 2024",
            "31 января 2024",
            "31 Ocak 2024",
            "31 stycznia 2024",
        ] {
            check(text, "2024-01-31");
        }
        check("1er août 2024", "2024-08-01");
    }

    #[test]
    fn a_date_is_found_in_a_line() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(find(text).map(|found| found.date).as_deref(), expected, "{text}");
        };
        check("发布时间：2024年1月31日 10:00 来源：报", Some("2024-01-31T10:00:00"));
        check("Updated on Wednesday, January 31, 2024 by us", Some("2024-01-31"));
        check("Posted 31 Jan 2024", Some("2024-01-31"));
        check("Order 20240131 of version 1.2.20", None);
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
        check("2024年1月31日 上午10:20", "2024-01-31T10:20:00");
        check("2024年1月31日 星期三 下午3:20", "2024-01-31T15:20:00");
        check("January 31, 2024 at 3:05 p.m.", "2024-01-31T15:05:00");
        check("31.01.2024, 15:05 Uhr", "2024-01-31T15:05:00");
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
        fn any_text_is_read_without_panic(text in "(2024-01-31 10:00)?([0-9]{1,4}|[-/:. TZ+年月日]|Jan|pm|汉|é|€|\\.|上午|p.m|é|年){0,12}") {
            normalise(&text);
            find(&text);
        }
    }
}
