//! Addresses that a crawl could follow for ever, told before they are fetched.
//!
//! [`check_trap`] looks at one address alone; [`TrapWatch`] counts how many addresses of one shape a host has yielded. Both lean
//! to letting pages through: a trap costs a bounded number of pages, a page wrongly left out is lost. What they refuse, they
//! refuse with a reason that can be shown.

mod calendar;
mod watch;

use std::fmt;

use kuai_page::{Timestamp, Url};

pub use watch::{TrapLimits, TrapWatch};

/// The longest address that is followed. Browsers and servers of old stopped at 2,083; real pages stay far below.
const ADDRESS_BYTES_MAX: usize = 2_048;

/// The longest query: 110 Chinese characters, escaped.
const QUERY_BYTES_MAX: usize = 1_024;

/// The most segments of a path; the deepest of the 44,771 pages of our local web has 13.
const SEGMENTS_MAX: usize = 20;

/// The most parameters of a query; forms with more are searches.
const PARAMETERS_MAX: usize = 24;

/// How often a run of segments comes before it is a circle. Twice happens on honest sites.
const REPEATS_MIN: usize = 3;

/// The longest run of segments that is looked for.
const PERIOD_MAX: usize = 4;

/// Why an address looks like a trap.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Trap {
    /// The address is too long.
    LongAddress {
        /// Its length.
        byte_count: usize,
    },
    /// The query is too long.
    LongQuery {
        /// Its length.
        byte_count: usize,
    },
    /// The path has too many segments.
    DeepPath {
        /// How many.
        segment_count: usize,
    },
    /// The query has too many parameters.
    ManyParameters {
        /// How many.
        parameter_count: usize,
    },
    /// The path goes in a circle.
    RepeatedSegments {
        /// What comes again and again: `a/b`.
        segments: String,
    },
    /// The query says one thing again and again.
    RepeatedParameter {
        /// Name and value.
        parameter: String,
    },
    /// The page is of a calendar, and of a time that nothing was written for.
    FarDate {
        /// The year.
        year: i16,
    },
    /// The host has yielded too many addresses that differ in numbers or values only.
    EndlessShape {
        /// What they have in common: `/calendar?month=&year=`.
        shape: String,
        /// How many are let through.
        page_max: u32,
    },
}

impl fmt::Display for Trap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trap::LongAddress { byte_count } => write!(f, "an address of {byte_count} bytes"),
            Trap::LongQuery { byte_count } => write!(f, "a query of {byte_count} bytes"),
            Trap::DeepPath { segment_count } => write!(f, "a path of {segment_count} segments"),
            Trap::ManyParameters { parameter_count } => write!(f, "a query of {parameter_count} parameters"),
            Trap::RepeatedSegments { segments } => write!(f, "a path that repeats {segments}"),
            Trap::RepeatedParameter { parameter } => write!(f, "a query that repeats {parameter}"),
            Trap::FarDate { year } => write!(f, "a calendar page of the year {year}"),
            Trap::EndlessShape { shape, page_max } => write!(f, "more than {page_max} addresses like {shape}"),
        }
    }
}

/// Whether an address looks like a trap by itself.
///
/// ```
/// use kuai_crawl::check_trap;
/// use kuai_page::{Timestamp, Url};
///
/// let url = Url::parse("https://example.org/a/b/a/b/a/b/").expect("a valid address");
/// let trap = check_trap(&url, Timestamp::UNIX_EPOCH).expect("a trap");
/// assert_eq!(trap.to_string(), "a path that repeats a/b");
/// ```
pub fn check_trap(url: &Url, now: Timestamp) -> Option<Trap> {
    let byte_count = url.as_str().len();
    if byte_count > ADDRESS_BYTES_MAX {
        return Some(Trap::LongAddress { byte_count });
    }
    check_path(url.path())
        .or_else(|| url.query().and_then(check_query))
        .or_else(|| calendar::far_year(url, now).map(|year| Trap::FarDate { year }))
}

fn check_path(path: &str) -> Option<Trap> {
    let mut segments = [""; SEGMENTS_MAX];
    let mut segment_count = 0;
    for segment in path.trim_matches('/').split('/') {
        if let Some(place) = segments.get_mut(segment_count) {
            *place = segment;
        }
        segment_count += 1;
    }
    if segment_count > SEGMENTS_MAX {
        return Some(Trap::DeepPath { segment_count });
    }
    let repeated = repeated_run(&segments[..segment_count])?;
    Some(Trap::RepeatedSegments { segments: repeated.join("/") })
}

/// The run of segments that comes [`REPEATS_MIN`] times in a row. Runs of numbers alone do not count: `/11/11/11` is a day.
fn repeated_run<'a, 'b>(segments: &'a [&'b str]) -> Option<&'a [&'b str]> {
    (1..=PERIOD_MAX).find_map(|period| {
        let mut same_count = 0;
        (period..segments.len()).find_map(|index| {
            same_count = if segments[index] == segments[index - period] { same_count + 1 } else { 0 };
            let run = &segments[index + 1 - period..=index];
            let is_circle = same_count >= period * (REPEATS_MIN - 1) && !run.iter().all(|segment| is_number(segment));
            is_circle.then_some(run)
        })
    })
}

fn check_query(query: &str) -> Option<Trap> {
    if query.len() > QUERY_BYTES_MAX {
        return Some(Trap::LongQuery { byte_count: query.len() });
    }
    let parameter_count = query.split('&').count();
    if parameter_count > PARAMETERS_MAX {
        return Some(Trap::ManyParameters { parameter_count });
    }
    let times = |parameter: &str| query.split('&').filter(|other| *other == parameter).count();
    let repeated = query.split('&').find(|parameter| !parameter.is_empty() && times(parameter) >= REPEATS_MIN)?;
    Some(Trap::RepeatedParameter { parameter: repeated.to_owned() })
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(target: &str, expected: Option<&str>) {
        let now: Timestamp = "2026-06-01T00:00:00Z".parse().expect("a time");
        let url = Url::parse(&format!("https://example.org{target}")).expect("a valid address");
        assert_eq!(check_trap(&url, now).map(|trap| trap.to_string()).as_deref(), expected, "{target}");
    }

    #[test]
    fn a_path_that_goes_in_circles_is_a_trap() {
        check("/a/a/a/", Some("a path that repeats a"));
        check("/x/a/b/a/b/a/b", Some("a path that repeats a/b"));
        check("/a/b/c/a/b/c/a/b/c", Some("a path that repeats a/b/c"));
    }

    #[test]
    fn honest_paths_are_none() {
        check("/", None);
        check("/a/a/b/a/a/", None);
        check("/a/b/a/b/", None);
        check("/2011/11/11/11/", None);
        check("/std/option/enum.Option.html", None);
    }

    #[test]
    fn long_and_deep_addresses_are_traps() {
        check(&format!("/{}", "x".repeat(2_100)), Some("an address of 2120 bytes"));
        check(&format!("/?q={}", "x".repeat(1_100)), Some("a query of 1102 bytes"));
        let path: String = (0..21).map(|number| format!("/{number}")).collect();
        check(&path, Some("a path of 21 segments"));
        let query: Vec<_> = (0..25).map(|number| format!("p{number}=1")).collect();
        check(&format!("/?{}", query.join("&")), Some("a query of 25 parameters"));
        check("/?a=1&b&a=1&a=1", Some("a query that repeats a=1"));
        check("/?id=1&id=2&id=3", None);
    }

    #[test]
    fn a_calendar_far_ahead_or_long_ago_is_a_trap() {
        check("/?month=2040-05", Some("a calendar page of the year 2040"));
        check("/?year=2032&month=3", Some("a calendar page of the year 2032"));
        check("/events/2050/01/", Some("a calendar page of the year 2050"));
        check("/calendar?date=19700101", Some("a calendar page of the year 1970"));
        check("/day/2099-01-01", Some("a calendar page of the year 2099"));
    }

    #[test]
    fn dates_of_today_and_of_history_are_none() {
        check("/?month=2027-05", None);
        check("/events/2026/01/", None);
        check("/books?year=1850", None);
        check("/1895/03/01/", None);
        check("/thread/9999/12", None);
        check("/plan-2050", None);
        check("/?update=2099", None);
    }
}
