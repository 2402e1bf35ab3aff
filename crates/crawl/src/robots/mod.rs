//! What robots.txt allows us, after RFC 9309.
//!
//! In come the bytes as they came; out comes what the groups for our agent say, all of them merged, or those for everyone
//! where none is for us. The longest pattern decides, and of equal ones the one that allows. Bytes that make no sense are
//! passed over, and whatever comes after [`ROBOTS_BYTES_MAX`] is not read.

use std::cmp::Reverse;
use std::time::Duration;

use kuai_page::Url;

use crate::escapes::push_normal;
use crate::wildcard::matches_whole;

/// What is read of a robots.txt: 500 KiB, the least that the RFC asks for.
pub const ROBOTS_BYTES_MAX: usize = 500 * 1024;

/// How long an answer may be used before robots.txt is asked for again.
pub const ROBOTS_KEPT_FOR: Duration = Duration::from_secs(24 * 60 * 60);

/// How many redirects of robots.txt are followed.
pub const ROBOTS_REDIRECTS_MAX: usize = 5;

/// How long to wait before asking again for a robots.txt that could not be had.
/// Decision: the RFC sets no time; half an hour spares a server in trouble and loses little of a crawl.
pub const ROBOTS_ASKED_AGAIN_AFTER: Duration = Duration::from_secs(30 * 60);

/// How long a robots.txt is out of reach before its site counts as having none.
/// Decision: the thirty days that the RFC gives as its example.
pub const ROBOTS_GIVEN_UP_AFTER: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// The longest delay that a site can ask for; more would be a polite way of never coming back.
const CRAWL_DELAY_MAX: Duration = Duration::from_secs(300);

/// The sitemaps that are read from one robots.txt.
const SITEMAPS_MAX: usize = 1_000;

/// What a site allows us.
///
/// ```
/// use kuai_crawl::Robots;
/// use kuai_page::Url;
///
/// let robots = Robots::read(b"User-agent: *\nDisallow: /private\nAllow: /private/open$", "kuai");
/// let allows = |address| robots.allows(&Url::parse(address).expect("a valid address"));
/// assert!(allows("https://example.org/private/open"));
/// assert!(!allows("https://example.org/private/open/more"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Robots {
    /// The longest first, and of equal ones those that allow.
    rules: Vec<Rule>,
    crawl_delay: Option<Duration>,
    sitemaps: Vec<Url>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule {
    /// Escapes in normal form, to be matched in whole.
    pattern: String,
    /// How long it was as written, which decides between patterns.
    octet_count: usize,
    is_allowed: bool,
}

/// How asking for robots.txt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RobotsAnswer {
    /// With this status, after any redirects.
    Status(u16),
    /// With more than [`ROBOTS_REDIRECTS_MAX`] redirects, or ones in a circle.
    TooManyRedirects,
    /// Without an answer: no name, no connection, no time left.
    Unreachable,
}

/// What the end of asking means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RobotsOutcome {
    /// The body is to be read.
    Read,
    /// There are no rules: everything is allowed.
    AllowAll,
    /// Nothing is allowed until robots.txt was asked for again, after this long.
    DisallowAll {
        /// The wait.
        ask_again_after: Duration,
    },
}

/// Says what an answer to robots.txt means, as RFC 9309 does, for a site that has been failing for some time.
///
/// Decision: 429 asks us to slow down, so it counts as out of reach and not as missing, although it is a 4xx. What has no
/// meaning for robots.txt (1xx, a status out of range) counts as out of reach as well: in doubt nothing is fetched.
pub fn judge_robots(answer: RobotsAnswer, failing_for: Duration) -> RobotsOutcome {
    match answer {
        RobotsAnswer::Status(200..=299) => RobotsOutcome::Read,
        // A redirect that still stands leads nowhere that can be followed.
        RobotsAnswer::Status(300..=428 | 430..=499) | RobotsAnswer::TooManyRedirects => RobotsOutcome::AllowAll,
        _ if failing_for >= ROBOTS_GIVEN_UP_AFTER => RobotsOutcome::AllowAll,
        _ => RobotsOutcome::DisallowAll { ask_again_after: ROBOTS_ASKED_AGAIN_AFTER },
    }
}

impl Robots {
    /// Reads a robots.txt for an agent, which is the product's name alone: `kuai`.
    pub fn read(bytes: &[u8], agent: &str) -> Robots {
        let mut reader = Reader::new(agent);
        let bytes = &bytes[..bytes.len().min(ROBOTS_BYTES_MAX)];
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        for line in bytes.split(|byte| matches!(byte, b'\r' | b'\n')) {
            if let Some((key, value)) = key_and_value(line) {
                reader.line(key, value);
            }
        }
        reader.finish()
    }

    /// Allows everything, as a site without rules does.
    pub fn everything() -> Robots {
        Robots::default()
    }

    /// Allows nothing, as long as the rules could not be had.
    pub fn nothing() -> Robots {
        Robots { rules: vec![Rule::new(b"/", false)], ..Robots::default() }
    }

    /// Whether the page may be fetched. robots.txt itself always may.
    pub fn allows(&self, url: &Url) -> bool {
        if self.rules.is_empty() || url.path() == "/robots.txt" {
            return true;
        }
        let target = normal_target(url);
        let rule = self.rules.iter().find(|rule| matches_whole(&rule.pattern, &target));
        rule.is_none_or(|rule| rule.is_allowed)
    }

    /// The time that is to pass between two requests, where the site asks for one.
    pub fn crawl_delay(&self) -> Option<Duration> {
        self.crawl_delay
    }

    /// The sitemaps that the site names, for whichever agent.
    pub fn sitemaps(&self) -> &[Url] {
        &self.sitemaps
    }
}

impl Rule {
    /// A pattern means what it names and all that begins so, unless it ends with `$`.
    fn new(value: &[u8], is_allowed: bool) -> Rule {
        let (start, is_anchored) = value.strip_suffix(b"$").map_or((value, false), |start| (start, true));
        let mut pattern = String::with_capacity(value.len() + 2);
        // Decision: `Disallow: private` means `/private`; as written it could match nothing.
        if !matches!(start.first(), Some(b'/' | b'*')) {
            pattern.push('/');
        }
        push_normal(&mut pattern, start, |byte| byte != b'*' && must_escape(byte));
        let octet_count = pattern.len() + usize::from(is_anchored);
        if !is_anchored {
            pattern.push('*');
        }
        Rule { pattern, octet_count, is_allowed }
    }
}

/// What one kind of groups says.
#[derive(Default)]
struct Group {
    is_there: bool,
    rules: Vec<Rule>,
    crawl_delay: Option<Duration>,
}

struct Reader<'a> {
    agent: &'a str,
    ours: Group,
    everyone: Group,
    sitemaps: Vec<Url>,
    /// Whether the group being read is for us, or for everyone.
    is_ours: bool,
    is_everyone: bool,
    /// Whether the line before named an agent, so that another name joins it.
    in_names: bool,
}

impl<'a> Reader<'a> {
    fn new(agent: &'a str) -> Reader<'a> {
        Reader {
            agent,
            ours: Group::default(),
            everyone: Group::default(),
            sitemaps: Vec::new(),
            is_ours: false,
            is_everyone: false,
            in_names: false,
        }
    }

    fn line(&mut self, key: &[u8], value: &[u8]) {
        let is = |name: &str| key.eq_ignore_ascii_case(name.as_bytes());
        if is("user-agent") || is("useragent") {
            self.name(value);
        } else if is("allow") {
            self.rule(value, true);
        } else if is("disallow") {
            self.rule(value, false);
        } else if is("crawl-delay") {
            self.delay(value);
        } else if is("sitemap") {
            self.sitemap(value);
        }
    }

    fn name(&mut self, value: &[u8]) {
        if !self.in_names {
            (self.is_ours, self.is_everyone) = (false, false);
        }
        self.in_names = true;
        let product_end = value.iter().position(|byte| !byte.is_ascii_alphabetic() && !matches!(byte, b'-' | b'_'));
        let product = &value[..product_end.unwrap_or(value.len())];
        self.is_ours |= !product.is_empty() && product.eq_ignore_ascii_case(self.agent.as_bytes());
        self.is_everyone |= matches!(value, [b'*'] | [b'*', b' ' | b'\t', ..]);
        self.ours.is_there |= self.is_ours;
    }

    fn rule(&mut self, value: &[u8], is_allowed: bool) {
        self.in_names = false;
        // An empty pattern matches nothing.
        if !value.is_empty() {
            self.each_group(|group| group.rules.push(Rule::new(value, is_allowed)));
        }
    }

    /// Decision: `Crawl-delay` belongs to a group as rules do, and of several the longest counts.
    fn delay(&mut self, value: &[u8]) {
        self.in_names = false;
        let seconds = std::str::from_utf8(value).ok().and_then(|value| value.parse::<f64>().ok());
        let Some(seconds) = seconds.filter(|seconds| *seconds >= 0.0) else { return };
        let delay = Duration::try_from_secs_f64(seconds).unwrap_or(CRAWL_DELAY_MAX).min(CRAWL_DELAY_MAX);
        self.each_group(|group| group.crawl_delay = group.crawl_delay.max(Some(delay)));
    }

    /// Sitemaps belong to no group and end none.
    fn sitemap(&mut self, value: &[u8]) {
        let url = std::str::from_utf8(value).ok().and_then(|value| Url::parse(value).ok());
        if let Some(url) = url.filter(|url| matches!(url.scheme(), "http" | "https"))
            && self.sitemaps.len() < SITEMAPS_MAX
            && !self.sitemaps.contains(&url)
        {
            self.sitemaps.push(url);
        }
    }

    fn each_group(&mut self, change: impl Fn(&mut Group)) {
        if self.is_ours {
            change(&mut self.ours);
        }
        if self.is_everyone {
            change(&mut self.everyone);
        }
    }

    fn finish(self) -> Robots {
        let group = if self.ours.is_there { self.ours } else { self.everyone };
        let mut rules = group.rules;
        rules.sort_by(|one, other| {
            let order = |rule: &Rule| (Reverse(rule.octet_count), !rule.is_allowed);
            order(one).cmp(&order(other)).then_with(|| one.pattern.cmp(&other.pattern))
        });
        rules.dedup();
        Robots { rules, crawl_delay: group.crawl_delay, sitemaps: self.sitemaps }
    }
}

/// The two sides of a line, comment and white space stripped.
fn key_and_value(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = line.split(|&byte| byte == b'#').next().unwrap_or(line);
    let colon = memchr::memchr(b':', line)?;
    Some((line[..colon].trim_ascii(), line[colon + 1..].trim_ascii()))
}

/// Path and query as patterns are matched with them.
fn normal_target(url: &Url) -> String {
    let mut target = String::with_capacity(url.as_str().len());
    push_normal(&mut target, url.path().as_bytes(), must_escape);
    if let Some(query) = url.query() {
        target.push('?');
        push_normal(&mut target, query.as_bytes(), must_escape);
    }
    target
}

/// What is escaped on both sides: what no address holds bare, and the two signs that mean something in patterns.
fn must_escape(byte: u8) -> bool {
    matches!(byte, 0..=b' ' | b'"' | b'\'' | b'<' | b'>' | b'^' | b'`' | b'{' | b'|' | b'}' | b'*' | b'$' | 0x7f)
}

#[cfg(test)]
mod tests;
