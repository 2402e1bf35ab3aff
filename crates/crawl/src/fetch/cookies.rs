//! Cookies, kept in memory for as long as the fetcher lives, each given back only to the host that set it.
//!
//! Sites that count visits or remember a consent need them; nothing else does. So a cookie's `Domain` is ignored: no host ever
//! sees what another one set.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use jiff::fmt::rfc2822;
use kuai_page::{Timestamp, Url};

/// Cookies by host.
#[derive(Debug, Default)]
pub(super) struct Jar {
    hosts: Mutex<HashMap<String, Vec<Cookie>>>,
}

#[derive(Debug)]
struct Cookie {
    /// `name=value`, as it goes back.
    pair: String,
    name_len: usize,
    path: String,
    secure: bool,
    /// For ever, if it names no end.
    expires: Option<Timestamp>,
}

/// Hosts that have cookies; a crawl of more forgets some.
const HOSTS_MAX: usize = 4096;
/// Cookies of one host.
const COOKIES_MAX: usize = 50;
/// Bytes of one `Set-Cookie`.
const COOKIE_BYTES_MAX: usize = 4096;

impl Jar {
    /// The `Cookie` header for an address.
    pub(super) fn header(&self, url: &Url, now: Timestamp) -> Option<String> {
        let hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        let cookies = hosts.get(url.host_str()?)?.iter().filter(|cookie| cookie.goes_to(url, now));
        let pairs: Vec<&str> = cookies.map(|cookie| cookie.pair.as_str()).collect();
        (!pairs.is_empty()).then(|| pairs.join("; "))
    }

    /// Keeps what the `Set-Cookie` headers of an answer say.
    pub(super) fn keep<'a>(&self, url: &Url, values: impl Iterator<Item = &'a [u8]>, now: Timestamp) {
        let mut values = values.peekable();
        let (Some(host), Some(_)) = (url.host_str(), values.peek()) else { return };
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        if hosts.len() >= HOSTS_MAX
            && !hosts.contains_key(host)
            && let Some(forgotten) = hosts.keys().next().cloned()
        {
            hosts.remove(&forgotten);
        }
        let cookies = hosts.entry(host.to_owned()).or_default();
        for cookie in values.filter_map(|value| Cookie::read(value, url, now)) {
            cookies.retain(|old| old.name() != cookie.name() || old.path != cookie.path);
            if cookie.lives(now) {
                cookies.push(cookie);
            }
        }
        cookies.retain(|cookie| cookie.lives(now));
        let surplus = cookies.len().saturating_sub(COOKIES_MAX);
        cookies.drain(..surplus);
    }
}

impl Cookie {
    fn read(value: &[u8], url: &Url, now: Timestamp) -> Option<Cookie> {
        let value = std::str::from_utf8(value).ok().filter(|value| value.len() <= COOKIE_BYTES_MAX)?;
        let mut parts = value.split(';').map(str::trim);
        let (name, content) = parts.next()?.split_once('=')?;
        let (name, content) = (name.trim(), content.trim());
        if name.is_empty() || !content.bytes().chain(name.bytes()).all(|byte| matches!(byte, b' '..=b'~')) {
            return None;
        }
        let mut cookie = Cookie {
            pair: format!("{name}={content}"),
            name_len: name.len(),
            path: default_path(url).to_owned(),
            secure: false,
            expires: None,
        };
        let mut age = None;
        for part in parts {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            match key.trim().to_ascii_lowercase().as_str() {
                "path" if value.starts_with('/') => cookie.path = value.to_owned(),
                "secure" => cookie.secure = true,
                "expires" => cookie.expires = http_date(value),
                "max-age" => age = value.trim().parse::<i64>().ok(),
                _ => {}
            }
        }
        // An age says more than a date, whichever comes first.
        if let Some(seconds) = age {
            let seconds = seconds.clamp(0, AGE_MAX_SECONDS);
            cookie.expires = Timestamp::from_second(now.as_second().saturating_add(seconds)).ok();
        }
        Some(cookie)
    }

    fn name(&self) -> &str {
        &self.pair[..self.name_len]
    }

    fn lives(&self, now: Timestamp) -> bool {
        self.expires.is_none_or(|expires| expires > now)
    }

    fn goes_to(&self, url: &Url, now: Timestamp) -> bool {
        let below = url.path().strip_prefix(self.path.as_str());
        let path_matches =
            below.is_some_and(|rest| rest.is_empty() || self.path.ends_with('/') || rest.starts_with('/'));
        path_matches && self.lives(now) && (!self.secure || url.scheme() == "https")
    }
}

/// 400 days, beyond which RFC 6265 in its new form keeps no cookie.
const AGE_MAX_SECONDS: i64 = 400 * 24 * 60 * 60;

/// The folder of the page that set the cookie.
fn default_path(url: &Url) -> &str {
    match url.path().rfind('/') {
        Some(place) if place > 0 => &url.path()[..place],
        _ => "/",
    }
}

/// `Wed, 21 Oct 2026 07:28:00 GMT`, also with the dashes of old servers.
fn http_date(value: &str) -> Option<Timestamp> {
    rfc2822::DateTimeParser::new().parse_timestamp(value.trim().replace('-', " ")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "http://a.example/shop/page";

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    /// What goes to `url` at second 100 after the page set cookies at second 0.
    fn sent(set: &[&str], url: &str) -> Option<String> {
        let jar = Jar::default();
        jar.keep(&Url::parse(PAGE).unwrap(), set.iter().map(|value| value.as_bytes()), at(0));
        jar.header(&Url::parse(url).unwrap(), at(100))
    }

    #[test]
    fn a_cookie_goes_back_to_its_host_and_folder_only() {
        let set = &["a=1; HttpOnly", "b=2; Path=/", "c=3; Path=/other; Domain=example"];
        assert_eq!(sent(set, "http://a.example/shop/2").as_deref(), Some("a=1; b=2"));
        assert_eq!(sent(set, "http://a.example/shopping").as_deref(), Some("b=2"));
        assert_eq!(sent(set, "http://a.example/other/x").as_deref(), Some("b=2; c=3"));
        assert_eq!(sent(set, "http://b.example/shop/2"), None);
    }

    #[test]
    fn a_secure_cookie_is_not_sent_in_the_open() {
        assert_eq!(sent(&["a=1; Secure"], PAGE), None);
        assert_eq!(sent(&["a=1; Secure"], "https://a.example/shop/page").as_deref(), Some("a=1"));
    }

    #[test]
    fn a_cookie_ends_when_it_says() {
        assert_eq!(sent(&["a=1; Max-Age=99"], PAGE), None);
        assert_eq!(sent(&["a=1; Max-Age=101; Expires=Thu, 01 Jan 1970 00:00:01 GMT"], PAGE).as_deref(), Some("a=1"));
        assert_eq!(sent(&["a=1; Expires=Thu, 01-Jan-1970 00:01:00 GMT"], PAGE), None);
        assert_eq!(sent(&["a=1; Expires=Thu, 01 Jan 1970 00:02:00 GMT"], PAGE).as_deref(), Some("a=1"));
        assert_eq!(sent(&["a=1", "a=; Max-Age=0"], PAGE), None);
        assert_eq!(sent(&["a=1; Max-Age=9223372036854775807"], PAGE).as_deref(), Some("a=1"));
    }

    #[test]
    fn the_jar_is_bounded_and_takes_nothing_odd() {
        let many: Vec<String> = (0..80).map(|index| format!("n{index}=v")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let header = sent(&many, PAGE).unwrap();
        assert_eq!((header.split("; ").count(), header.starts_with("n30=v")), (COOKIES_MAX, true));
        assert_eq!(sent(&["a=\u{1}", "=1", "a", "", "ä=1", &format!("a={}", "x".repeat(5000))], PAGE), None);
        let jar = Jar::default();
        for index in 0..HOSTS_MAX + 10 {
            jar.keep(
                &Url::parse(&format!("http://h{index}.example/")).unwrap(),
                [b"a=1".as_slice()].into_iter(),
                at(0),
            );
        }
        assert_eq!(jar.hosts.lock().unwrap().len(), HOSTS_MAX);
    }
}
