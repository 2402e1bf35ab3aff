//! Times of the day as pages write them behind a date: `10:00`, `3:05 p.m.`, `下午3:05`, each with a zone or without.

use jiff::civil::Time;

use super::date::number;

/// What may stand between a date and its time.
const BETWEEN: [&str; 11] = ["at ", "um ", "à ", "às ", "alle ", "om ", "kl. ", "o godz. ", "saat ", "| ", "- "];

/// `10:00`, `10:00:30.5`, `100030`, each with `Z`, `GMT`, `+08:00`, `+0800`, `+08` or no zone.
pub(super) fn time_and_zone(text: &str) -> Option<(Time, String)> {
    let is_space = |sign: char| matches!(sign, ',' | ' ' | '\u{a0}' | '\u{3000}');
    let text = text.trim_start_matches(is_space).trim_start_matches(['T', 't']).trim_start_matches(is_space);
    let text = BETWEEN.iter().find_map(|word| text.strip_prefix(word)).unwrap_or(text);
    let text = without_week_day(text).trim_start_matches(is_space);
    let (time, rest) = match number(text, 6..=6) {
        Some((digits, rest)) => (time(digits / 10_000, digits / 100 % 100, digits % 100)?, rest),
        None => clock(text)?,
    };
    Some((time, zone(rest.trim_start())))
}

/// A text without a Chinese day of the week at its start: `星期二`, `（周二）`.
fn without_week_day(text: &str) -> &str {
    let inner = text.trim_start_matches(['(', '（']);
    let day = ["星期", "周", "週", "礼拜"].iter().find_map(|week| inner.strip_prefix(week));
    let rest = day.and_then(|day| day.strip_prefix(['一', '二', '三', '四', '五', '六', '日', '天']));
    rest.map_or(text, |rest| rest.trim_start_matches([')', '）']))
}

fn clock(text: &str) -> Option<(Time, &str)> {
    let (half, text) = chinese_half(text);
    let (hour, rest) = number(text, 1..=2)?;
    let (minute, rest) = number(rest.strip_prefix([':', '：'])?, 2..=2)?;
    let seconds = rest.strip_prefix(':').and_then(|rest| number(rest, 2..=2));
    let (second, rest) = seconds.unwrap_or((0, rest));
    let fraction_end = match rest.strip_prefix('.') {
        Some(fraction) => 1 + fraction.bytes().take_while(u8::is_ascii_digit).count(),
        None => 0,
    };
    let (behind, rest) = english_half(&rest[fraction_end..]);
    Some((time(in_half(hour, half.or(behind)), minute, second)?, rest))
}

/// The halves of the day.
#[derive(Clone, Copy)]
enum Half {
    Morning,
    Afternoon,
}

fn in_half(hour: i32, half: Option<Half>) -> i32 {
    match half {
        Some(Half::Morning) if hour <= 12 => hour % 12,
        Some(Half::Afternoon) if hour <= 12 => hour % 12 + 12,
        _ => hour,
    }
}

fn chinese_half(text: &str) -> (Option<Half>, &str) {
    let strip = |words: &[&str]| words.iter().find_map(|word| text.strip_prefix(word));
    if let Some(rest) = strip(&["上午", "早上", "凌晨", "清晨", "午前"]) {
        return (Some(Half::Morning), rest.trim_start());
    }
    let rest = strip(&["下午", "晚上", "傍晚", "午后", "午後"]);
    rest.map_or((None, text), |rest| (Some(Half::Afternoon), rest.trim_start()))
}

fn english_half(rest: &str) -> (Option<Half>, &str) {
    let trimmed = rest.trim_start();
    let strip = |words: [&str; 2]| {
        let begins = |word: &&str| trimmed.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
        words.into_iter().find(|word| begins(word)).map(|word| &trimmed[word.len()..])
    };
    match (strip(["a.m.", "am"]), strip(["p.m.", "pm"])) {
        (Some(after), _) => (Some(Half::Morning), after),
        (_, Some(after)) => (Some(Half::Afternoon), after),
        _ => (None, rest),
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

fn time(hour: i32, minute: i32, second: i32) -> Option<Time> {
    let small = |number: i32| i8::try_from(number).ok();
    // A leap second is a time of the day too; it is written as the one before it.
    Time::new(small(hour)?, small(minute)?, small(second.min(59))?, 0).ok()
}
