//! How many addresses of one shape a host has yielded.
//!
//! The shape of an address is what is left when numbers and values are taken out: `/item?id=` for `/item?id=7`. Addresses that
//! have neither are pages of their own and are not counted. Memory is bounded: where shapes are many, the rare ones are
//! forgotten, and a count is low by at most the number of addresses over [`SHAPES_MAX`].

use std::fmt::Write as _;
use std::hash::BuildHasher;

use kuai_page::Url;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::{Trap, calendar};
use crate::canonical::looks_like_session;

/// The shapes that are counted at a time.
const SHAPES_MAX: usize = 4_096;

/// Names of parameters that turn pages.
const PAGING_WORDS: [&str; 8] = ["page", "p", "pg", "paged", "pagenum", "start", "offset", "from"];

/// How many parameters make a search or a filter, whose combinations are without end.
const FILTER_PARAMETERS_MIN: usize = 3;

/// How many addresses of one shape are let through, by what the shape looks like.
///
/// Decision: numbers alone prove nothing, as a site may well have a hundred thousand items; what can be combined or turned
/// without end has less.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrapLimits {
    /// `/item/#`, `/item?id=`.
    pub numbered: u32,
    /// `/list?page=`.
    pub paging: u32,
    /// Three parameters or more.
    pub filter: u32,
    /// Dates, and numbers in a calendar: about five years of days.
    pub calendar: u32,
    /// Values that look like sessions under names that say so.
    pub session: u32,
}

impl Default for TrapLimits {
    fn default() -> TrapLimits {
        TrapLimits { numbered: 200_000, paging: 10_000, filter: 10_000, calendar: 2_000, session: 200 }
    }
}

/// Counts the addresses that one host yields.
///
/// ```
/// use kuai_crawl::{TrapLimits, TrapWatch};
/// use kuai_page::Url;
///
/// let mut watch = TrapWatch::new(TrapLimits { calendar: 2, ..TrapLimits::default() });
/// let mut note = |day| watch.note(&Url::parse(&format!("https://example.org/cal?date=2026-05-{day}")).expect("valid"));
/// assert!(note("01").is_ok() && note("02").is_ok());
/// assert_eq!(note("03").unwrap_err().to_string(), "more than 2 addresses like /cal?date=");
/// ```
#[derive(Clone, Debug, Default)]
pub struct TrapWatch {
    limits: TrapLimits,
    /// How many addresses there were, by the hash of their shape.
    counts: FxHashMap<u64, u32>,
}

impl TrapWatch {
    /// Counts against these limits.
    pub fn new(limits: TrapLimits) -> TrapWatch {
        TrapWatch { limits, counts: FxHashMap::default() }
    }

    /// Counts an address that was not seen before, or says that there were enough like it.
    pub fn note(&mut self, url: &Url) -> Result<(), Trap> {
        let Some(shape) = shape_of(url) else { return Ok(()) };
        let key = FxBuildHasher.hash_one(&shape);
        if self.counts.len() >= SHAPES_MAX && !self.counts.contains_key(&key) {
            self.forget_rare();
        }
        let page_max = self.limit_of(url);
        let count = self.counts.entry(key).or_default();
        if *count >= page_max {
            return Err(Trap::EndlessShape { shape, page_max });
        }
        *count += 1;
        Ok(())
    }

    /// Takes the same from all counts until some are gone. It happens once for at least [`SHAPES_MAX`] addresses, so its
    /// cost is spread over them.
    fn forget_rare(&mut self) {
        let least = self.counts.values().copied().min().unwrap_or_default().max(1);
        self.counts.retain(|_, count| {
            *count = count.saturating_sub(least);
            *count > 0
        });
    }

    fn limit_of(&self, url: &Url) -> u32 {
        let query = url.query().unwrap_or_default();
        let has = |test: fn(&str, &str) -> bool| parameters(query).any(|(name, value)| test(name, value));
        if has(is_session) || url.path().contains("/(S(") {
            self.limits.session
        } else if calendar::is_dated(url) {
            self.limits.calendar
        } else if parameters(query).count() >= FILTER_PARAMETERS_MIN {
            self.limits.filter
        } else if has(|name, _| PAGING_WORDS.iter().any(|word| name.eq_ignore_ascii_case(word))) {
            self.limits.paging
        } else {
            self.limits.numbered
        }
    }
}

/// What is left of an address without its numbers and values, if it has any.
fn shape_of(url: &Url) -> Option<String> {
    let path = url.path();
    let query = url.query().unwrap_or_default();
    if query.is_empty() && !path.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let mut shape = String::with_capacity(path.len() + query.len());
    for character in path.chars() {
        match character {
            '0'..='9' if shape.ends_with('#') => {}
            '0'..='9' => shape.push('#'),
            other => shape.push(other),
        }
    }
    // Sorted, because parameters in every order are one trap and not many.
    let mut names: Vec<_> = parameters(query).map(|(name, _)| name).collect();
    names.sort_unstable();
    names.dedup();
    for (index, name) in names.iter().enumerate() {
        let mark = if index == 0 { '?' } else { '&' };
        let _ = write!(shape, "{mark}{name}=");
    }
    Some(shape)
}

fn parameters(query: &str) -> impl Iterator<Item = (&str, &str)> {
    let parameters = query.split('&').filter(|parameter| !parameter.is_empty());
    parameters.map(|parameter| parameter.split_once('=').unwrap_or((parameter, "")))
}

/// Decision: long mixed values under other names are taken for names of pages, as digests and UUIDs often are.
fn is_session(name: &str, value: &str) -> bool {
    let name = name.to_ascii_lowercase();
    (name.contains("sess") || name.ends_with("sid") || name.contains("token")) && looks_like_session(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: TrapLimits = TrapLimits { numbered: 5, paging: 4, filter: 3, calendar: 2, session: 1 };

    /// How many of the addresses that `target` makes of the numbers from 1 are let through.
    fn count(limits: TrapLimits, number_max: u32, target: impl Fn(u32) -> String) -> usize {
        let mut watch = TrapWatch::new(limits);
        let addresses = (1..=number_max).map(|number| format!("https://example.org{}", target(number)));
        addresses.filter(|address| watch.note(&Url::parse(address).expect("a valid address")).is_ok()).count()
    }

    #[test]
    fn a_shape_is_bounded_by_what_it_looks_like() {
        assert_eq!(count(LIMITS, 9, |number| format!("/item/{number}")), 5);
        assert_eq!(count(LIMITS, 9, |number| format!("/item?id={number}")), 5);
        assert_eq!(count(LIMITS, 9, |number| format!("/list?page={number}")), 4);
        assert_eq!(count(LIMITS, 9, |number| format!("/?a={number}&b=x&c=y")), 3);
        assert_eq!(count(LIMITS, 9, |number| format!("/?month=2026-0{number}")), 2);
        assert_eq!(count(LIMITS, 9, |number| format!("/calendar/{number}")), 2);
        assert_eq!(count(LIMITS, 9, |number| format!("/?mysess=0a1b2c3d4e5f6071829{number}")), 1);
    }

    #[test]
    fn an_endless_calendar_ends() {
        let day = |number: u32| {
            format!("/?year={}&month={}&day={}", 2000 + number / 372, number / 31 % 12 + 1, number % 31 + 1)
        };
        assert_eq!(count(TrapLimits::default(), 20_000, day), 2_000);
    }

    #[test]
    fn a_hundred_thousand_items_are_let_through() {
        assert_eq!(count(TrapLimits::default(), 100_000, |number| format!("/item?id={number}")), 100_000);
    }

    #[test]
    fn pages_with_names_are_never_counted() {
        let word =
            |number: u32| (0..5).map(|place| char::from(b'a' + (number >> (4 * place) & 15) as u8)).collect::<String>();
        assert_eq!(count(LIMITS, 10_000, |number| format!("/wiki/{}", word(number))), 10_000);
    }

    #[test]
    fn parameters_in_every_order_are_one_shape() {
        let url = |address: &str| Url::parse(address).expect("a valid address");
        let expected = Some("/x#/y?a=&b=".to_owned());
        assert_eq!(shape_of(&url("http://e.org/x12/y?b=1&a=2&b=3")), expected);
        assert_eq!(shape_of(&url("http://e.org/x3/y?a=7&&b")), expected);
        assert_eq!(shape_of(&url("http://e.org/x/y")), None);
    }

    #[test]
    fn memory_is_bounded_and_a_trap_among_many_shapes_is_still_found() {
        let mut watch = TrapWatch::new(LIMITS);
        let mut refused_count = 0;
        for number in 0..3 * SHAPES_MAX {
            let name: String = (0..8).map(|place| char::from(b'a' + (number >> (2 * place) & 3) as u8)).collect();
            let rare = Url::parse(&format!("https://example.org/{name}?v=1")).expect("a valid address");
            let often = Url::parse(&format!("https://example.org/n/{number}")).expect("a valid address");
            assert!(watch.note(&rare).is_ok());
            refused_count += usize::from(watch.note(&often).is_err());
            assert!(watch.counts.len() <= SHAPES_MAX);
        }
        assert!(refused_count > 2 * SHAPES_MAX, "{refused_count}");
    }
}
