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
mod tests {
    use super::*;

    fn url(target: &str) -> Url {
        Url::parse(&format!("https://example.org{target}")).expect("a valid address")
    }

    /// Whether these are allowed and those are not.
    fn check(robots: &str, allowed: &[&str], disallowed: &[&str]) {
        let read = Robots::read(robots.as_bytes(), "kuai");
        for target in allowed {
            assert!(read.allows(&url(target)), "{robots:?} should allow {target}");
        }
        for target in disallowed {
            assert!(!read.allows(&url(target)), "{robots:?} should not allow {target}");
        }
    }

    #[test]
    fn the_longest_pattern_decides_and_of_equal_ones_the_one_that_allows() {
        check("User-agent: *\nDisallow: /a\nAllow: /a/b", &["/", "/b", "/a/b", "/a/b/c"], &["/a", "/ab", "/a/c"]);
        check("User-agent: *\nAllow: /a\nDisallow: /a", &["/a"], &[]);
        check("User-agent: *\nAllow: /$\nDisallow: /", &["/", "/robots.txt"], &["/a", "/?a"]);
        check("User-agent: *\nAllow: /fish\nDisallow: /fish$", &["/fishes"], &["/fish"]);
    }

    #[test]
    fn stars_and_ends_are_understood() {
        check("User-agent: *\nDisallow: /*.gif$", &["/a.gif?x", "/gif"], &["/a.gif", "/a/b.gif.gif"]);
        check("User-agent: *\nDisallow: *?id=", &["/a?ids"], &["/a?id=1", "/?id="]);
        check("User-agent: *\nDisallow: /a*/b*c", &["/ab/c"], &["/a/bc", "/axx/b/c"]);
        check("User-agent: *\nDisallow: /a$b", &["/a"], &["/a$b"]);
    }

    #[test]
    fn our_groups_are_merged_and_come_before_those_for_everyone() {
        let robots =
            "User-agent: KUAI/2.0\nDisallow: /a\n\nUser-agent: *\nDisallow: /\n\nUser-agent: kuai\nDisallow: /b";
        check(robots, &["/c"], &["/a", "/b"]);
        check("User-agent: kuaiku\nDisallow: /", &["/"], &[]);
        check("User-agent: kuai\nUser-agent: *\nDisallow: /a", &["/b"], &["/a"]);
        check("User-agent: *\nDisallow: /\nUser-agent: kuai\nDisallow:", &["/a"], &[]);
        check("Disallow: /a\nUser-agent: *\nDisallow: /b", &["/a"], &["/b"]);
    }

    #[test]
    fn sitemaps_and_unknown_lines_end_no_group() {
        check("User-agent: kuai\nSitemap: https://example.org/s\nHost: x\nUser-agent: b\nDisallow: /a", &[], &["/a"]);
    }

    #[test]
    fn escapes_are_compared_by_what_they_mean() {
        check(
            "User-agent: *\nDisallow: /%7euser\nDisallow: /汉\nDisallow: /a%2fb",
            &["/a/b"],
            &["/~user", "/%E6%B1%89", "/a%2Fb"],
        );
        check("User-agent: *\nDisallow: /~x\nDisallow: /%2A", &["/y"], &["/%7Ex", "/*"]);
        check("User-agent: *\nDisallow: /a b\nDisallow: /?q='", &["/a"], &["/a%20b", "/?q=%27"]);
    }

    #[test]
    fn lines_are_read_however_they_are_written() {
        check("\u{feff}uSER-aGENT : * # all\r\n\r\ndisallow:/a# no\rDISALLOW :  /b  ", &["/c"], &["/a", "/b"]);
        check("User-agent: *\nDisallow: private", &["/x"], &["/private"]);
        check("User-agent: *\nDisallow\nDisallow /x\n: /y\n:::", &["/x", "/y"], &[]);
    }

    #[test]
    fn an_empty_or_binary_file_allows_everything() {
        check("", &["/"], &[]);
        let junk: Vec<u8> = (0..100_000_u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        assert!(Robots::read(&junk, "kuai").allows(&url("/a")));
        check("<!DOCTYPE html><title>Not found</title><p>User-agent: *<p>Disallow: /", &["/a"], &[]);
    }

    #[test]
    fn what_lies_beyond_500_kib_is_not_read() {
        let padding = "#".repeat(ROBOTS_BYTES_MAX - 40);
        check(
            &format!("User-agent: *\nDisallow: /a\n{padding}\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\nDisallow: /b"),
            &["/b"],
            &["/a"],
        );
        let many: String = (0..60_000).map(|number| format!("Disallow: /{number}\n")).collect();
        assert!(many.len() > 600 * 1024);
        check(&format!("User-agent: *\n{many}"), &["/x"], &["/0", "/19999"]);
    }

    #[test]
    fn a_delay_is_read_and_bounded() {
        let delay =
            |value: &str| Robots::read(format!("User-agent: *\nCrawl-delay: {value}").as_bytes(), "kuai").crawl_delay();
        assert_eq!(delay("2"), Some(Duration::from_secs(2)));
        assert_eq!(delay("0.5"), Some(Duration::from_millis(500)));
        assert_eq!(delay("1e300"), Some(CRAWL_DELAY_MAX));
        assert_eq!(delay("inf"), Some(CRAWL_DELAY_MAX));
        for nonsense in ["-1", "nan", "soon", "", "1 s"] {
            assert_eq!(delay(nonsense), None, "{nonsense}");
        }
        let other = Robots::read(b"User-agent: a\nCrawl-delay: 9\nUser-agent: kuai\nDisallow: /x", "kuai");
        assert_eq!(other.crawl_delay(), None);
    }

    #[test]
    fn sitemaps_are_listed_for_every_agent() {
        let text = b"Sitemap: https://example.org/a.xml\nUser-agent: x\nSITEMAP:http://b.example/\nSitemap: /relative\nSitemap: file:///x";
        let robots = Robots::read(text, "kuai");
        assert_eq!(
            robots.sitemaps().iter().map(Url::as_str).collect::<Vec<_>>(),
            ["https://example.org/a.xml", "http://b.example/"]
        );
    }

    #[test]
    fn everything_and_nothing_mean_what_they_say() {
        assert!(Robots::everything().allows(&url("/a?b")));
        assert!(!Robots::nothing().allows(&url("/a?b")) && !Robots::nothing().allows(&url("/")));
    }

    #[test]
    fn answers_are_judged_as_the_rfc_says() {
        let check = |answer, expected| assert_eq!(judge_robots(answer, Duration::ZERO), expected, "{answer:?}");
        let disallow = RobotsOutcome::DisallowAll { ask_again_after: ROBOTS_ASKED_AGAIN_AFTER };
        check(RobotsAnswer::Status(200), RobotsOutcome::Read);
        for status in [301, 400, 401, 403, 404, 410, 451] {
            check(RobotsAnswer::Status(status), RobotsOutcome::AllowAll);
        }
        for status in [100, 429, 500, 503, 599, 999] {
            check(RobotsAnswer::Status(status), disallow);
        }
        check(RobotsAnswer::Unreachable, disallow);
        check(RobotsAnswer::TooManyRedirects, RobotsOutcome::AllowAll);
    }

    #[test]
    fn a_site_that_fails_for_a_month_counts_as_having_no_rules() {
        let late = judge_robots(RobotsAnswer::Unreachable, ROBOTS_GIVEN_UP_AFTER);
        assert_eq!(late, RobotsOutcome::AllowAll);
    }
}
