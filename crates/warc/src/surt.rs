//! The key that an address is filed under in the indexes of Web archives: its host from right to left, and all of it brought to one form.
//!
//! Addresses that differ only in what seldom matters (scheme, `www.`, case, the order of parameters, session ids) share a key. The rules are those that
//! OpenWayback began with and pywb, cdxj-indexer and ReplayWeb.page keep to, so that they find what we index; they suit finding, not comparing.

use std::borrow::Cow;
use std::net::Ipv4Addr;

/// The key of an address: `http://www.Example.org:80/a/../B?y=2&x=1#top` is filed under `org,example)/b?x=1&y=2`.
///
/// Any text has one, and it is visible ASCII.
pub fn surt(url: &str) -> String {
    let url: String = url.trim().chars().filter(|letter| !matches!(letter, '\n' | '\r' | '\t')).collect();
    if url.is_empty() {
        return "-".to_owned();
    }
    let parts = Parts::of(&url);
    let path = unescape(parts.path);
    let mut key = match parts.host {
        "" => format!("{}:{}", parts.scheme, path_key(&path)),
        host => format!("{}{}){}", host_key(host), port_key(parts.scheme, parts.port), path_key(&normalise(&path))),
    };
    let query = query_key(parts.query);
    if !query.is_empty() {
        key.push('?');
        key.push_str(&query);
    }
    key
}

/// An address taken apart, as forgivingly as can be.
struct Parts<'a> {
    scheme: &'a str,
    host: &'a str,
    port: &'a str,
    path: &'a str,
    query: &'a str,
}

impl<'a> Parts<'a> {
    fn of(url: &'a str) -> Parts<'a> {
        let (scheme, rest) = split_scheme(url);
        let rest = rest.split('#').next().unwrap_or_default();
        let (before, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (authority, path) = match before.strip_prefix("//") {
            // Too many slashes before a host are a slip of somebody's hand.
            Some(after) if after.starts_with('/') && is_http(scheme) => split_authority(after.trim_start_matches('/')),
            Some(after) => split_authority(after),
            None if is_http(scheme) => split_authority(before.trim_start_matches('/')),
            None => ("", before),
        };
        let authority = authority.rsplit('@').next().unwrap_or_default();
        let (host, port) = split_port(authority);
        Parts { scheme, host, port, path, query }
    }
}

/// The scheme, and what stands behind its colon; an address without one is taken for HTTP, and of several the last is it.
fn split_scheme(url: &str) -> (&str, &str) {
    let mut rest = url;
    let mut scheme = "http";
    while let Some(after) = ["http://", "https://"].into_iter().find_map(|known| rest.strip_prefix(known)) {
        scheme = &rest[..rest.len() - after.len() - "://".len()];
        rest = after;
    }
    if rest.len() < url.len() {
        return (scheme, &url[url.len() - rest.len() - "//".len()..]);
    }
    match url.split_once(':') {
        Some((name, after)) if is_scheme(name) => (name, after),
        _ => ("http", url),
    }
}

fn is_scheme(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
}

fn is_http(scheme: &str) -> bool {
    scheme.starts_with("http")
}

fn split_authority(text: &str) -> (&str, &str) {
    text.split_at(text.find('/').unwrap_or(text.len()))
}

/// Host and port; an IPv6 address stands in brackets, which are dropped.
fn split_port(authority: &str) -> (&str, &str) {
    if let Some((host, after)) = authority.strip_prefix('[').and_then(|after| after.split_once(']')) {
        return (host, after.strip_prefix(':').unwrap_or_default());
    }
    authority.split_once(':').unwrap_or((authority, ""))
}

/// A port is told where it is not the usual one.
fn port_key(scheme: &str, port: &str) -> String {
    let usual = match scheme.to_ascii_lowercase().as_str() {
        "http" => 80,
        "https" => 443,
        _ => 0,
    };
    port.parse::<u16>()
        .ok()
        .filter(|port| *port != usual && *port != 0)
        .map_or(String::new(), |port| format!(":{port}"))
}

fn host_key(host: &str) -> String {
    let host = unescape(host);
    let host = to_ascii(&host).replace("..", ".");
    let host = host.trim_matches('.');
    let host = match ip(host) {
        Some(ip) => ip.to_string(),
        None => escape(host.to_ascii_lowercase().as_bytes()),
    };
    let parts: Vec<&str> = without_www(&host).split('.').rev().collect();
    parts.join(",")
}

/// A host of other letters in the form that DNS knows.
fn to_ascii(host: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(host);
    if text.is_ascii() {
        return text;
    }
    idna::domain_to_ascii(&text).map_or(text, Cow::Owned)
}

fn without_www(host: &str) -> &str {
    let after = host.strip_prefix("www").map(|after| after.trim_start_matches(|letter: char| letter.is_ascii_digit()));
    after.and_then(|after| after.strip_prefix('.')).unwrap_or(host)
}

/// An IPv4 address in any form that `inet_aton` reads from digits: one to four numbers, octal where they begin with 0, of which the last fills what is left.
fn ip(host: &str) -> Option<Ipv4Addr> {
    if !host.is_empty() && host.bytes().all(|byte| byte.is_ascii_digit()) {
        // One number is cut to 32 bits, as others do.
        let number = host.bytes().fold(0u32, |value, byte| value.wrapping_mul(10).wrapping_add(u32::from(byte - b'0')));
        return Some(Ipv4Addr::from(number));
    }
    let numbers: Vec<u32> = host.splitn(5, '.').map(number).collect::<Option<_>>()?;
    let (last, firsts) = numbers.split_last()?;
    if firsts.len() > 3 || firsts.iter().any(|first| *first > 0xFF) {
        return None;
    }
    let last_max = u32::MAX >> (8 * firsts.len());
    let high = firsts.iter().enumerate().fold(0, |value, (index, first)| value | first << (24 - 8 * index));
    (*last <= last_max).then(|| Ipv4Addr::from(high | last))
}

fn number(text: &str) -> Option<u32> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let radix = if text.len() > 1 && text.starts_with('0') { 8 } else { 10 };
    u32::from_str_radix(text, radix).ok().filter(|_| is_number)
}

fn path_key(path: &[u8]) -> String {
    let path = without_path_session(escape(path).to_ascii_lowercase());
    match path.strip_suffix('/') {
        Some(shorter) if !shorter.is_empty() => shorter.to_owned(),
        _ => path,
    }
}

/// Without `.`, `..` and doubled slashes. A `..` above the root stays.
fn normalise(path: &[u8]) -> Vec<u8> {
    let mut kept: Vec<&[u8]> = Vec::new();
    for part in path.split(|byte| *byte == b'/').skip(1) {
        match part {
            b"." => {}
            b".." if !kept.is_empty() => {
                kept.pop();
            }
            _ => kept.push(part),
        }
    }
    let last = kept.pop().unwrap_or_default();
    let mut normal = b"/".to_vec();
    for part in kept.into_iter().filter(|part| !part.is_empty()) {
        normal.extend_from_slice(part);
        normal.push(b'/');
    }
    normal.extend_from_slice(last);
    normal
}

/// Letters and digits of a session id of ASP.NET.
const ASP_ID: usize = 24;

/// In longer paths and queries nobody looks for session ids.
const SEARCHED_MAX: usize = 8 << 10;

/// Without the session ids that ASP.NET puts before a page: `/(S(…))/page.aspx`, `/(…)/page.aspx`.
fn without_path_session(mut path: String) -> String {
    for is_session in [is_named_session, is_bare_session] {
        let slashes = memchr::memrchr_iter(b'/', path.as_bytes()).filter(|_| path.len() <= SEARCHED_MAX);
        let found = slashes.into_iter().find_map(|slash| {
            let (part, page) = path[slash + 1..].split_once('/')?;
            (is_session(part) && is_asp_page(page)).then(|| [&path[..=slash], page].concat())
        });
        path = found.unwrap_or(path);
    }
    path
}

fn is_asp_page(path: &str) -> bool {
    let name = path.split('?').next().unwrap_or_default();
    name.get(1..).is_some_and(|name| name.contains(".aspx"))
}

/// `(S(…)F(…))`: each a letter and an id.
fn is_named_session(part: &str) -> bool {
    let Some(mut inner) = part.strip_prefix('(').and_then(|part| part.strip_suffix(')')) else { return false };
    let mut count = 0;
    while let Some(after) = inner.strip_prefix(|letter: char| letter.is_ascii_alphabetic()).and_then(after_id) {
        (inner, count) = (after, count + 1);
    }
    inner.is_empty() && count > 0
}

fn is_bare_session(part: &str) -> bool {
    after_id(part) == Some("")
}

/// What follows an id in brackets.
fn after_id(text: &str) -> Option<&str> {
    let (id, after) = text.strip_prefix('(')?.split_once(')')?;
    (id.len() == ASP_ID && id.bytes().all(|byte| byte.is_ascii_alphanumeric())).then_some(after)
}

fn query_key(query: &str) -> String {
    let query = escape(&unescape(query)).to_ascii_lowercase();
    let query = without_sessions(query);
    let mut parameters: Vec<(&str, Option<&str>)> = query.split('&').map(parameter).collect();
    parameters.sort();
    let written = parameters.into_iter().map(|(name, value)| match value {
        Some(value) => format!("{name}={value}"),
        None => name.to_owned(),
    });
    written.collect::<Vec<_>>().join("&")
}

fn parameter(text: &str) -> (&str, Option<&str>) {
    text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)))
}

/// How long the session id is that a query (in lower case) goes on with, judged by what stands before it.
type Session = fn(&str) -> Option<usize>;

/// The session ids that are known, in the order in which they are taken out.
const SESSIONS: [Session; 5] = [
    |text| fixed(text, "jsessionid=", 32),
    |text| fixed(text, "phpsessid=", 32),
    |text| fixed(text, "sid=", 32),
    |text| {
        let (name, value) = text.strip_prefix("aspsessionid")?.split_once('=')?;
        let is_id = |text: &str, length| {
            text.len() >= length && text.bytes().take(length).all(|byte| byte.is_ascii_lowercase())
        };
        (name.len() == 8 && is_id(name, 8) && is_id(value, ASP_ID)).then_some("aspsessionid".len() + 8 + 1 + ASP_ID)
    },
    |text| {
        let (first, rest) = text.strip_prefix("cfid=")?.split_once('&')?;
        let value = rest.strip_prefix("cftoken=")?.split('&').next()?;
        let length = "cfid=&cftoken=".len() + first.len() + value.len();
        (!first.is_empty() && !value.is_empty()).then_some(length)
    },
];

fn fixed(text: &str, name: &str, length: usize) -> Option<usize> {
    let value = text.strip_prefix(name)?.as_bytes().get(..length)?;
    value.iter().all(u8::is_ascii_alphanumeric).then_some(name.len() + length)
}

/// Takes the last session id of each kind out, with the `&` behind it.
fn without_sessions(mut query: String) -> String {
    if query.len() > SEARCHED_MAX {
        return query;
    }
    for session in SESSIONS {
        let found = (0..query.len()).rev().find_map(|at| {
            let end = at + session(&query[at..])?;
            match query.as_bytes().get(end) {
                None => Some((at, end)),
                Some(b'&') => Some((at, end + 1)),
                Some(_) => None,
            }
        });
        if let Some((start, end)) = found {
            query.replace_range(start..end, "");
        }
    }
    query
}

/// Without percent escapes, and without those that come to light when others are gone.
fn unescape(text: &str) -> Vec<u8> {
    let mut plain: Vec<u8> = Vec::with_capacity(text.len());
    for byte in text.bytes() {
        plain.push(byte);
        // A byte that comes to light may end an escape that began before it.
        while let [.., b'%', high, low] = plain.as_slice() {
            let digit = |byte: u8| char::from(byte).to_digit(16);
            let Some(value) = digit(*high).zip(digit(*low)) else { break };
            plain.truncate(plain.len() - 3);
            plain.push((value.0 * 16 + value.1) as u8);
        }
    }
    plain
}

/// Escapes what is no visible ASCII, `#` and `%`.
fn escape(bytes: &[u8]) -> String {
    let mut escaped = String::with_capacity(bytes.len());
    for byte in bytes {
        match byte {
            b'#' | b'%' => escaped.push_str(&format!("%{byte:02X}")),
            byte if byte.is_ascii_graphic() => escaped.push(char::from(*byte)),
            byte => escaped.push_str(&format!("%{byte:02X}")),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Addresses and the keys that the Python package `surt` 0.3.1 (which pywb and cdxj-indexer use) gives them.
    const KNOWN: &[(&str, &str)] = &[
        ("", "-"),
        ("http://example.org", "org,example)/"),
        ("http://www.Example.org:80/a/../B?y=2&x=1#top", "org,example)/b?x=1&y=2"),
        ("https://example.org:443/", "org,example)/"),
        ("https://example.org:8443/a/", "org,example:8443)/a"),
        ("http://www2.example.org/", "org,example)/"),
        ("http://wwwx.example.org/", "org,example,wwwx)/"),
        ("http://www.www.example.org/", "org,example,www)/"),
        ("example.org/Path", "org,example)/path"),
        ("http://https://example.org/x", "org,example)/x"),
        ("http:////example.org/x", "org,example)/x"),
        ("http:/example.org/x", "org,example)/x"),
        ("ftp://example.org/pub/", "org,example)/pub"),
        ("dns:www.example.org", "dns:www.example.org"),
        ("mailto:Someone@Example.org", "mailto:someone@example.org"),
        ("urn:uuid:AB", "urn:uuid:ab"),
        ("http://user:pass@example.org/", "org,example)/"),
        ("http://example.org:/", "org,example)/"),
        ("http://[::1]:8080/x", "::1:8080)/x"),
        ("http://3279880203/blah", "11,0,127,195)/blah"),
        ("http://127.1/", "1,0,0,127)/"),
        ("http://010.0.0.1/", "1,0,0,8)/"),
        ("http://1.2.3.4.5/", "5,4,3,2,1)/"),
        ("http://192.168.0.1:81/a", "1,0,168,192:81)/a"),
        ("http://1.2.3/", "3,0,2,1)/"),
        ("http://256.1.1.1/", "1,1,1,256)/"),
        ("http://0x7f.1/", "1,0x7f)/"),
        ("http://Bücher.example/", "example,xn--bcher-kva)/"),
        ("http://bücher.example/Ü", "example,xn--bcher-kva)/%c3%9c"),
        ("http://example.org/%41%2541%252541", "org,example)/aaa"),
        ("http://example.org/%2%35", "org,example)/%25"),
        ("http://example.org/a%20b c", "org,example)/a%20b%20c"),
        ("http://example.org/a%23b%25c", "org,example)/a%23b%25c"),
        ("http://example.org//a///b//", "org,example)/a/b"),
        ("http://example.org/../a/./b/..", "org,example)/../a"),
        ("http://example.org/a/b/../../../c", "org,example)/../c"),
        ("http://example.org/?", "org,example)/"),
        ("http://example.org/?&", "org,example)/?&"),
        ("http://example.org/?a", "org,example)/?a"),
        ("http://example.org/?a=&a&A=1", "org,example)/?a&a=&a=1"),
        ("http://example.org/?b=2&a=1&b=1&b", "org,example)/?a=1&b&b=1&b=2"),
        ("http://example.org?q", "org,example)/?q"),
        ("http://example.org/?q=%26x=1", "org,example)/?q=&x=1"),
        ("http://example.org/?q=a+b%20c", "org,example)/?q=a+b%20c"),
        ("http://example.org/?x=é", "org,example)/?x=%c3%a9"),
        ("http://example.org/x?a=b?c=d", "org,example)/x?a=b?c=d"),
        ("http://example.org/?jsessionid=0123456789abcdefghijklmnopqrstuv&x=1", "org,example)/?x=1"),
        ("http://example.org/?x=1&PHPSESSID=0123456789abcdefghijklmnopqrstuv", "org,example)/?&x=1"),
        (
            "http://example.org/?sid=0123456789abcdefghijklmnopqrstuv&sid=0123456789abcdefghijklmnopqrstuv",
            "org,example)/?&sid=0123456789abcdefghijklmnopqrstuv",
        ),
        (
            "http://example.org/?x=1&jsessionid=0123456789abcdefghijklmnopqrstuv0",
            "org,example)/?jsessionid=0123456789abcdefghijklmnopqrstuv0&x=1",
        ),
        ("http://example.org/?ASPSESSIONIDABCDEFGH=abcdefghijklmnopqrstuvwx&a=1", "org,example)/?a=1"),
        ("http://example.org/?cfid=12&cftoken=34&z=1", "org,example)/?z=1"),
        ("http://example.org/?z=1&cfid=12&cftoken=34", "org,example)/?&z=1"),
        ("http://example.org/(S(0123456789abcdefghijklmn))/Page.aspx", "org,example)/page.aspx"),
        ("http://example.org/a/(0123456789abcdefghijklmn)/b/page.aspx?x", "org,example)/a/b/page.aspx?x"),
        ("http://example.org/(S(0123456789abcdefghijklmn)F(0123456789abcdefghijklmn))/p.aspx", "org,example)/p.aspx"),
        ("http://example.org/(0123456789abcdefghijklmn)/p.html", "org,example)/(0123456789abcdefghijklmn)/p.html"),
        ("http://example.org/(0123456789abcdefghijklmn)/.aspx", "org,example)/(0123456789abcdefghijklmn)/.aspx"),
        (
            "http://example.org/;jsessionid=0123456789abcdefghijklmnopqrstuv",
            "org,example)/;jsessionid=0123456789abcdefghijklmnopqrstuv",
        ),
        ("http://example.org./", "org,example)/"),
        ("http://a..b.example.org/", "org,example,b,a)/"),
        ("http://.example.org/", "org,example)/"),
        ("http://www.example.org.:80/", "org,example)/"),
        ("  http://example.org/a\tb\n ", "org,example)/ab"),
        ("http://example.org/a\\b", "org,example)/a\\b"),
        ("HTTP://EXAMPLE.ORG/", "org,example)/"),
        ("http://xn--bcher-kva.example/", "example,xn--bcher-kva)/"),
        (
            "http://例え.テスト/ページ?q=検索",
            "xn--zckzah,xn--r8jz45g)/%e3%83%9a%e3%83%bc%e3%82%b8?q=%e6%a4%9c%e7%b4%a2",
        ),
        ("http://example.org/a;b=C,d", "org,example)/a;b=c,d"),
        ("http://example.org/~User/", "org,example)/~user"),
        ("http://example.org/a'b\"c<d>", "org,example)/a'b\"c<d>"),
        ("http://example.org:0/", "org,example)/"),
        ("http://www.com/", "com)/"),
        ("http://www/", "www)/"),
        ("//example.org/x", "org,example)/x"),
        ("/x/y", "x)/y"),
        ("screenshot:http://example.org/", "screenshot:http://example.org"),
        ("http://example.org/?__wb_method=post&a=B", "org,example)/?__wb_method=post&a=b"),
    ];

    #[test]
    fn keys_are_those_that_other_archives_use() {
        for (url, key) in KNOWN {
            assert_eq!(surt(url), *key, "{url}");
        }
    }

    #[test]
    fn long_addresses_take_no_long_time() {
        for part in ["%25", "/(0123456789abcdefghijklmn)", "/..", "?cfid=", "&sid=0", "a.", "[", "%2"] {
            let key = surt(&format!("http://example.org/{}", part.repeat(200_000)));
            assert!(key.starts_with("org,example)/"), "{part}");
        }
    }
}
