//! Dates in addresses.

use jiff::tz::TimeZone;
use kuai_page::{Timestamp, Url};

use super::is_number;

/// How many years ahead calendars are followed. Decision: events are announced for the next few years and no more.
const YEARS_AHEAD_MAX: i16 = 5;

/// How many years back calendars are followed; only where a word says that it is one, since archives go back for centuries.
const YEARS_BACK_MAX: i16 = 30;

/// Words in names of parameters that hold dates.
const DATE_WORDS: [&str; 10] = ["year", "yr", "month", "date", "day", "week", "ym", "ymd", "cal", "calendar"];

/// Words in paths and queries of calendars.
const CALENDAR_WORDS: [&str; 9] =
    ["calendar", "cal", "calendars", "event", "events", "agenda", "schedule", "rili", "%E6%97%A5%E5%8E%86"];

/// The year that an address of a calendar is for, if nothing was written for it.
pub(super) fn far_year(url: &Url, now: Timestamp) -> Option<i16> {
    let this_year = now.to_zoned(TimeZone::UTC).year();
    let is_calendar = names_calendar(url);
    let is_far =
        |year: &i16| *year > this_year + YEARS_AHEAD_MAX || (is_calendar && *year < this_year - YEARS_BACK_MAX);
    year_of_query(url).filter(is_far).or_else(|| year_of_path(url, is_calendar).filter(is_far))
}

/// Whether an address holds a date, or is one of a calendar with numbers.
pub(super) fn is_dated(url: &Url) -> bool {
    let has_digit =
        || url.path().bytes().chain(url.query().unwrap_or_default().bytes()).any(|byte| byte.is_ascii_digit());
    year_of_query(url).is_some() || (names_calendar(url) && has_digit())
}

fn names_calendar(url: &Url) -> bool {
    let words = |text: &str| words_of(text).any(|word| is_one_of(word, &CALENDAR_WORDS));
    words(url.path()) || url.query().is_some_and(words)
}

fn year_of_query(url: &Url) -> Option<i16> {
    url.query()?.split('&').find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        let is_date = words_of(name).any(|word| is_one_of(word, &DATE_WORDS));
        is_date.then(|| year_of(value)).flatten()
    })
}

/// In paths only whole dates count, `2031-05-01`; numbers as segments, `2031/05`, only if the address is a calendar's.
fn year_of_path(url: &Url, is_calendar: bool) -> Option<i16> {
    let mut segments = url.path().split('/').peekable();
    std::iter::from_fn(|| Some((segments.next()?, segments.peek().copied().unwrap_or_default()))).find_map(
        |(segment, next)| {
            let is_date = segment.len() > 4 && segment.contains('-');
            let is_year = is_calendar && segment.len() == 4 && (next.is_empty() || is_month(next));
            (is_date || is_year).then(|| year_of(segment)).flatten()
        },
    )
}

/// The year of `2031`, `2031-05`, `2031-05-01`, `2031/05`, `203105` or `20310501`.
fn year_of(text: &str) -> Option<i16> {
    let (year, rest) = text.split_at_checked(4)?;
    let year: i16 = Some(year).filter(|year| is_number(year))?.parse().ok().filter(|year| *year >= 1000)?;
    let is_rest_of_date = match rest.as_bytes() {
        [] => true,
        [b'-' | b'/' | b'.', ..] => rest[1..].split(['-', '/', '.']).all(is_month_or_day),
        digits => is_number(rest) && matches!(digits.len(), 2 | 4) && is_month(&rest[..2]),
    };
    is_rest_of_date.then_some(year)
}

fn is_month(text: &str) -> bool {
    is_number(text) && text.len() <= 2 && text.parse().is_ok_and(|month: u8| (1..=12).contains(&month))
}

fn is_month_or_day(text: &str) -> bool {
    is_number(text) && text.len() <= 2 && text.parse().is_ok_and(|day: u8| (1..=31).contains(&day))
}

/// Letters and escapes that stand together.
fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !character.is_ascii_alphanumeric() && character != '%').filter(|word| !word.is_empty())
}

fn is_one_of(word: &str, words: &[&str]) -> bool {
    words.iter().any(|known| word.eq_ignore_ascii_case(known))
}
