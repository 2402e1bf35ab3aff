//! Reads a question: the words that matter, the time that is meant, and what kind of thing would answer it.

use kuai_page::{Timestamp, month_number};

use crate::tokens::is_ideograph;

/// Bytes of a question.
const QUESTION_BYTES_MAX: usize = 1024;

/// A question that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Question {
    /// What is left without the words that only ask.
    pub(crate) words: Vec<String>,
    /// The time that it names: its first and its last second.
    pub(crate) period: Option<(Timestamp, Timestamp)>,
    /// The year that it names, as it was written.
    pub(crate) year: Option<String>,
    pub(crate) expects: Expects,
}

/// What kind of thing would answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expects {
    Name,
    Number,
    Date,
    Anything,
}

/// Words that only ask, or join others.
const ASKING: [&str; 62] = [
    "a",
    "an",
    "the",
    "of",
    "in",
    "on",
    "at",
    "to",
    "for",
    "from",
    "by",
    "with",
    "and",
    "or",
    "is",
    "are",
    "was",
    "were",
    "be",
    "been",
    "do",
    "does",
    "did",
    "has",
    "have",
    "had",
    "who",
    "whom",
    "whose",
    "what",
    "which",
    "when",
    "where",
    "why",
    "how",
    "many",
    "much",
    "long",
    "often",
    "it",
    "its",
    "this",
    "that",
    "there",
    "then",
    "now",
    "today",
    "currently",
    "year",
    "s",
    "can",
    "could",
    "will",
    "would",
    "should",
    "i",
    "you",
    "we",
    "they",
    "as",
    "about",
    "tell",
];

/// What Chinese asks with, longest first.
const ASKING_CHINESE: [&str; 24] = [
    "什么时候",
    "多少",
    "什么",
    "哪里",
    "哪儿",
    "哪个",
    "哪些",
    "哪年",
    "何时",
    "怎么",
    "怎样",
    "为什么",
    "谁",
    "几",
    "吗",
    "呢",
    "年时",
    "现在",
    "的",
    "是",
    "在",
    "了",
    "有",
    "？",
];

/// Reads a question.
pub(crate) fn read(question: &str) -> Question {
    let question = &question[..question.floor_char_boundary(QUESTION_BYTES_MAX)];
    let expects = expects(question);
    let (period, year, rest) = take_time(question);
    let chinese = ASKING_CHINESE.iter().fold(rest, |rest, asking| match rest.chars().any(is_ideograph) {
        true => rest.replace(asking, " "),
        false => rest,
    });
    let split = chinese.split(|letter: char| !letter.is_alphanumeric());
    let words = split.filter(|word| !word.is_empty() && !ASKING.contains(&word.to_lowercase().as_str()));
    Question { words: words.map(str::to_owned).collect(), period, year, expects }
}

fn expects(question: &str) -> Expects {
    let lower = question.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    match () {
        () if has(&[
            "how many",
            "how much",
            "how long",
            "how often",
            "how old",
            "how high",
            "how far",
            "多少",
            "几",
        ]) =>
        {
            Expects::Number
        }
        () if has(&["who ", "whom ", "whose ", "谁"]) => Expects::Name,
        () if has(&["when ", "which year", "what year", "what date", "什么时候", "何时", "哪年"]) => {
            Expects::Date
        }
        () => Expects::Anything,
    }
}

/// Takes the time out of a question: `in 2019`, `in March 2019`, `on 2019-03-31`, `2019年3月`.
fn take_time(question: &str) -> (Option<(Timestamp, Timestamp)>, Option<String>, String) {
    let Some((start, year)) = find_year(question) else { return (None, None, question.to_owned()) };
    let after = &question[start + 4..];
    let (length, month, day) = match after.strip_prefix(['-', '年']) {
        Some(rest) => {
            let separator = after.len() - rest.len();
            let (month_length, month) = leading_number(rest);
            let tail = &rest[month_length..];
            let (mark, tail) = match tail.strip_prefix(['-', '月']) {
                Some(inner) if month.is_some() => (tail.len() - inner.len(), inner),
                _ => (0, ""),
            };
            let (day_length, day) = leading_number(tail);
            (4 + separator + month_length + mark + day_length, month, day)
        }
        None => (4, None, None),
    };
    let before = &question[..start];
    let last_word = before.trim_end().rsplit(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
    let named = month_number(last_word).and_then(|month| u32::try_from(month).ok());
    let before = if named.is_some() { before.trim_end().strip_suffix(last_word).unwrap_or(before) } else { before };
    let rest = format!("{before} {}", &question[start + length..]);
    let written = question[start..start + 4].to_owned();
    (period(year, named.or(month), day), Some(written), rest)
}

/// The first four digits that stand alone and can be a year.
fn find_year(question: &str) -> Option<(usize, i32)> {
    let bytes = question.as_bytes();
    let is_digit = |place: usize| bytes.get(place).is_some_and(u8::is_ascii_digit);
    (0..bytes.len()).find_map(|start| {
        let alone = (start..start + 4).all(is_digit) && !is_digit(start + 4) && (start == 0 || !is_digit(start - 1));
        let year: i32 = if alone { question.get(start..start + 4)?.parse().ok()? } else { return None };
        (1990..2100).contains(&year).then_some((start, year))
    })
}

fn leading_number(text: &str) -> (usize, Option<u32>) {
    let length = text.bytes().take_while(u8::is_ascii_digit).count().min(2);
    (length, text[..length].parse().ok())
}

/// The first and the last second of a year, a month or a day.
fn period(year: i32, month: Option<u32>, day: Option<u32>) -> Option<(Timestamp, Timestamp)> {
    let first =
        |year: i32, month: u32, day: u32| format!("{year:04}-{month:02}-{day:02}T00:00:00Z").parse::<Timestamp>().ok();
    let (start, end) = match (month, day) {
        (Some(month), Some(day)) => {
            let start = first(year, month, day)?;
            (start, start.as_second() + 86_400)
        }
        (Some(month), None) => {
            let next = if month == 12 { first(year + 1, 1, 1) } else { first(year, month + 1, 1) };
            (first(year, month, 1)?, next?.as_second())
        }
        _ => (first(year, 1, 1)?, first(year + 1, 1, 1)?.as_second()),
    };
    Some((start, Timestamp::from_second(end - 1).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(question: &str, words: &str, period: &str, expects: Expects) {
        let read = read(question);
        let told = read.period.map_or(String::new(), |(from, to)| format!("{from} {to}"));
        assert_eq!(
            (read.words.join(" ").as_str(), told.as_str(), read.expects),
            (words, period, expects),
            "{question}"
        );
    }

    #[test]
    fn the_words_that_matter_are_left() {
        check("Who is the director of the museum?", "director museum", "", Expects::Name);
        check("How many stairs does the keeper climb?", "stairs keeper climb", "", Expects::Number);
        check("守塔人是谁？", "守塔人", "", Expects::Name);
    }

    #[test]
    fn a_time_is_taken_out() {
        check("Who was director in 2019?", "director", "2019-01-01T00:00:00Z 2019-12-31T23:59:59Z", Expects::Name);
        check(
            "what did a ticket cost in December 2020",
            "ticket cost",
            "2020-12-01T00:00:00Z 2020-12-31T23:59:59Z",
            Expects::Anything,
        );
        check("price on 2021-03-04", "price", "2021-03-04T00:00:00Z 2021-03-04T23:59:59Z", Expects::Anything);
        check("2019年3月馆长是谁", "馆长", "2019-03-01T00:00:00Z 2019-03-31T23:59:59Z", Expects::Name);
        check("bus 12345 route", "bus 12345 route", "", Expects::Anything);
    }
}
