//! Addresses of archived things: `/web/20260131235959im_/https://example.org/logo.png`.

use kuai_page::{Timestamp, Url};

use super::modifier::Modifier;
use crate::refusal::Refusal;
use crate::stamp::{earliest, stamp};
use crate::target::address;

/// What the stable addresses of mementos begin with.
pub(crate) const WEB: &str = "/web/";

/// What is asked for, and from where on this server it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReplayAddress {
    /// `/web/`, or the token between two slashes, from which archived pages may read each other.
    pub(crate) prefix: String,
    /// The digits as they were given; none for the latest.
    pub(crate) digits: String,
    pub(crate) modifier: Modifier,
    pub(crate) url: Url,
}

impl ReplayAddress {
    /// Reads what stands behind the prefix.
    pub(crate) fn read(prefix: &str, rest: &str) -> Result<ReplayAddress, Refusal> {
        let (digits, modifier, text) = parts(rest).unwrap_or(("", Modifier::Whole, rest));
        if !digits.is_empty() && earliest(digits).is_none() {
            let detail =
                format!("{digits} is no time: write it like 20260131235959, or its first digits from the year on");
            return Err(Refusal::bad_request(detail));
        }
        Ok(ReplayAddress { prefix: prefix.to_owned(), digits: digits.to_owned(), modifier, url: address(text)? })
    }

    /// The time that was asked for.
    pub(crate) fn time(&self) -> Timestamp {
        earliest(&self.digits).unwrap_or(Timestamp::MAX)
    }

    /// The same way to another thing, as it was at the same time.
    pub(crate) fn way_to(&self, digits: &str, modifier: Modifier, url: &Url) -> String {
        format!("{}{digits}{}/{url}", self.prefix, modifier.letters())
    }
}

/// The stable address of a memento on its origin.
pub(crate) fn memento_path(time: Timestamp, letters: &str, url: &Url) -> String {
    format!("{WEB}{}{letters}/{url}", stamp(time))
}

/// Digits, letters and address; `None` where it is an address from the start.
fn parts(rest: &str) -> Option<(&str, Modifier, &str)> {
    let (head, text) = rest.split_once('/')?;
    let (digits, letters) = head.split_at(head.bytes().take_while(u8::is_ascii_digit).count());
    let modifier = Modifier::read(letters).filter(|_| !head.is_empty())?;
    Some((digits, modifier, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rest: &str, expected: Option<(&str, Modifier, &str)>) {
        let read = ReplayAddress::read(WEB, rest).ok();
        let told = read.as_ref().map(|read| (read.digits.as_str(), read.modifier, read.url.as_str()));
        assert_eq!(told, expected, "{rest}");
    }

    #[test]
    fn an_address_has_a_time_and_letters_or_not() {
        check("20260131235959/https://e.org/a?b", Some(("20260131235959", Modifier::Whole, "https://e.org/a?b")));
        check("2026im_/e.org", Some(("2026", Modifier::Image, "http://e.org/")));
        check("id_/https://e.org/", Some(("", Modifier::Raw, "https://e.org/")));
        check("https://e.org/2026/", Some(("", Modifier::Whole, "https://e.org/2026/")));
        check("2026.example/x", Some(("", Modifier::Whole, "http://2026.example/x")));
    }

    #[test]
    fn nonsense_is_refused() {
        for rest in ["", "20261399/https://e.org/", "2026/", "2026mp_/javascript:alert(1)", "123/https://e.org/"] {
            check(rest, None);
        }
    }
}
