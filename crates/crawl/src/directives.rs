//! What a page or its answer asks of crawlers: `<meta name=robots>` and `X-Robots-Tag`.
//!
//! Rules that name another agent are not ours, rules that we do not know are passed over, and nothing that is asked once
//! is taken back by another place.

use std::ops::{BitOr, BitOrAssign};

/// The name by which sites address us, in robots.txt and in directives.
pub const AGENT: &str = "kuai";

/// Rules of the form `name: value`, which would otherwise read as the name of an agent.
/// Decision: `unavailable_after` is not obeyed: an archive keeps what was there, and the date is in the page.
const VALUED_RULES: [&str; 4] = ["unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"];

/// What crawlers are asked not to do with a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Directives {
    /// The page is not to be found by searching.
    pub is_noindex: bool,
    /// The page's links are not to be followed.
    pub is_nofollow: bool,
    /// No copy of the page is to be shown.
    pub is_noarchive: bool,
}

impl Directives {
    /// Reads all `X-Robots-Tag` lines of an answer.
    ///
    /// ```
    /// use kuai_crawl::Directives;
    ///
    /// let headers = [("X-Robots-Tag".to_owned(), b"otherbot: noindex, kuai: nofollow".to_vec())];
    /// let found = Directives::of_headers(&headers);
    /// assert!(found.is_nofollow && !found.is_noindex);
    /// ```
    pub fn of_headers(headers: &[(String, Vec<u8>)]) -> Directives {
        let ours = headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case("x-robots-tag"));
        ours.fold(Directives::default(), |found, (_, value)| found | of_header(&String::from_utf8_lossy(value)))
    }

    /// Reads one `<meta name=… content=…>`; other names than `robots` and our own ask nothing of us.
    pub fn of_meta(name: &str, content: &str) -> Directives {
        if name.eq_ignore_ascii_case("robots") || name.eq_ignore_ascii_case(AGENT) {
            content.split(',').fold(Directives::default(), |found, rule| found | of_rule(rule))
        } else {
            Directives::default()
        }
    }
}

impl BitOr for Directives {
    type Output = Directives;

    fn bitor(self, other: Directives) -> Directives {
        Directives {
            is_noindex: self.is_noindex | other.is_noindex,
            is_nofollow: self.is_nofollow | other.is_nofollow,
            is_noarchive: self.is_noarchive | other.is_noarchive,
        }
    }
}

impl BitOrAssign for Directives {
    fn bitor_assign(&mut self, other: Directives) {
        *self = *self | other;
    }
}

/// An agent's name holds for the rules after it, up to the next name.
fn of_header(value: &str) -> Directives {
    let mut found = Directives::default();
    let mut is_ours = true;
    for part in value.split(',') {
        let rule = match part.split_once(':') {
            Some((name, _)) if is_one_of(name, &VALUED_RULES) => continue,
            Some((agent, rule)) => {
                is_ours = is_one_of(agent, &[AGENT, "*"]);
                rule
            }
            None => part,
        };
        if is_ours {
            found |= of_rule(rule);
        }
    }
    found
}

fn of_rule(rule: &str) -> Directives {
    let none = is_one_of(rule, &["none"]);
    Directives {
        is_noindex: none || is_one_of(rule, &["noindex"]),
        is_nofollow: none || is_one_of(rule, &["nofollow"]),
        is_noarchive: is_one_of(rule, &["noarchive"]),
    }
}

fn is_one_of(word: &str, words: &[&str]) -> bool {
    words.iter().any(|known| word.trim().eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOINDEX: Directives = Directives { is_noindex: true, is_nofollow: false, is_noarchive: false };
    const NOFOLLOW: Directives = Directives { is_noindex: false, is_nofollow: true, is_noarchive: false };
    const NOARCHIVE: Directives = Directives { is_noindex: false, is_nofollow: false, is_noarchive: true };
    const NOTHING: Directives = Directives { is_noindex: false, is_nofollow: false, is_noarchive: false };

    fn check(value: &[u8], expected: Directives) {
        let headers = [("x-Robots-tag".to_owned(), value.to_vec())];
        assert_eq!(Directives::of_headers(&headers), expected, "{}", String::from_utf8_lossy(value));
    }

    #[test]
    fn rules_are_read_whatever_their_case_and_spaces() {
        check(b"noindex", NOINDEX);
        check(b" NoFollow , noArchive", NOFOLLOW | NOARCHIVE);
        check(b"none", NOINDEX | NOFOLLOW);
        check(b"all, index, follow, noimageindex", NOTHING);
        check(b"\xff\xfe,\0noindex,nofollow", NOFOLLOW);
    }

    #[test]
    fn rules_for_other_agents_are_not_ours() {
        check(b"googlebot: noindex, nofollow", NOTHING);
        check(b"KUAI: noindex, nofollow", NOINDEX | NOFOLLOW);
        check(b"*: noindex", NOINDEX);
        check(b"googlebot: noindex, kuai: noarchive", NOARCHIVE);
    }

    #[test]
    fn a_rule_with_a_value_is_no_agent() {
        check(b"unavailable_after: 25 Jun 2010 15:00:00 PST, noindex", NOINDEX);
        check(b"max-snippet:20, nofollow", NOFOLLOW);
    }

    #[test]
    fn all_lines_count() {
        let line = |value: &str| ("X-Robots-Tag".to_owned(), value.as_bytes().to_vec());
        assert_eq!(Directives::of_headers(&[line("noindex"), line("nofollow")]), NOINDEX | NOFOLLOW);
        assert_eq!(Directives::of_headers(&[("Robots".to_owned(), b"noindex".to_vec())]), NOTHING);
    }

    #[test]
    fn only_robots_and_our_own_meta_name_count() {
        assert_eq!(Directives::of_meta("ROBOTS", "noindex,follow"), NOINDEX);
        assert_eq!(Directives::of_meta("kuai", "nofollow"), NOFOLLOW);
        assert_eq!(Directives::of_meta("googlebot", "nofollow"), NOTHING);
    }
}
