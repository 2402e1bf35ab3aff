//! One address for one page: drops from an address what does not change the answer.
//!
//! The address that comes out is the one that is fetched, so nothing that may matter is dropped: parameters keep their order,
//! `index.html`, `www.`, final slashes and double ones stay. Doing it twice changes nothing.

use kuai_page::Url;
use url::Position;

use crate::escapes::{has_escapes, push_normal};

/// Parameters that tell a site where its visitor came from, and nothing else.
const TRACKING: [&str; 46] = [
    "__hsfp",
    "__hssc",
    "__hstc",
    "__s",
    "_ga",
    "_gl",
    "_hsenc",
    "_hsmi",
    "_openstat",
    "bd_vid",
    "dclid",
    "epik",
    "fb_action_ids",
    "fb_action_types",
    "fb_source",
    "fbclid",
    "gad_source",
    "gbraid",
    "gclid",
    "gclsrc",
    "hmci",
    "hmcu",
    "hmkw",
    "hmpl",
    "hmsr",
    "hsctatracking",
    "igshid",
    "li_fat_id",
    "mc_cid",
    "mc_eid",
    "mkt_tok",
    "msclkid",
    "pk_campaign",
    "pk_kwd",
    "rb_clickid",
    "s_cid",
    "spm",
    "srsltid",
    "tdsourcetag",
    "ttclid",
    "twclid",
    "vero_id",
    "wbraid",
    "wickedid",
    "yclid",
    "ysclid",
];

/// Beginnings of such parameters.
const TRACKING_PREFIXES: [&str; 2] = ["utm_", "mtm_"];

/// Parameters that hold a visitor's session, whatever their value.
const SESSIONS: [&str; 5] = ["phpsessid", "jsessionid", "cftoken", "oscsid", "zenid"];

/// Parameters that hold a session where the value looks like one, and may hold anything else: `sid` is the story of old
/// news systems.
const MAYBE_SESSIONS: [&str; 8] =
    ["sid", "session", "sessionid", "session_id", "sess", "sessid", "session-id", "sessionkey"];

/// How long the value of a session is at least.
const SESSION_BYTES_MIN: usize = 16;

/// The canonical form of an address.
///
/// Beside what [`Url`] does by itself (case of the host, default ports, dot segments) it drops the fragment, credentials, an
/// empty query, tracking parameters, session ids and the final dot of a host, and writes percent escapes in one way.
///
/// ```
/// use kuai_crawl::canonical;
/// use kuai_page::Url;
///
/// let url = Url::parse("HTTP://me:secret@Example.org:80/a/../%7eb?utm_source=x&id=2&PHPSESSID=1#top").expect("valid");
/// assert_eq!(canonical(&url).as_str(), "http://example.org/~b?id=2");
/// ```
pub fn canonical(url: &Url) -> Url {
    let mut url = url.clone();
    if url.cannot_be_a_base() {
        return url;
    }
    url.set_fragment(None);
    strip_authority(&mut url);
    if let Some(text) = rewritten(&url)
        && let Ok(rewritten) = Url::parse(&text)
    {
        return rewritten;
    }
    url
}

/// Whether a text looks like the name of a session: long, of letters and digits mixed.
pub(crate) fn looks_like_session(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
    let signs = value.bytes().filter(|byte| matches!(byte, b'-' | b'_' | b'.' | b'!')).count();
    value.len() >= SESSION_BYTES_MIN && digits >= 3 && letters >= 3 && digits + letters + signs == value.len()
}

fn strip_authority(url: &mut Url) {
    if !url.username().is_empty() || url.password().is_some() {
        // These fail for addresses that can have no credentials, and then there is nothing to strip.
        let _ = url.set_username("");
        let _ = url.set_password(None);
    }
    if let Some(host) = url.host_str().and_then(|host| host.strip_suffix('.')) {
        let host = host.trim_end_matches('.').to_owned();
        if !host.is_empty() {
            let _ = url.set_host(Some(&host));
        }
    }
}

/// The address with path and query in normal form, if that is another.
fn rewritten(url: &Url) -> Option<String> {
    let (path, query) = (url.path(), url.query());
    let path_is_normal = !has_escapes(path) && memchr::memchr(b';', path.as_bytes()).is_none();
    if path_is_normal && query.is_none() {
        return None;
    }
    let text = url.as_str();
    let mut normal = String::with_capacity(text.len());
    normal.push_str(&url[..Position::BeforePath]);
    push_path(&mut normal, path);
    push_query(&mut normal, query.unwrap_or_default());
    (normal != text).then_some(normal)
}

/// Appends a path without `;jsessionid=…`.
fn push_path(normal: &mut String, path: &str) {
    for (index, segment) in path.split('/').enumerate() {
        if index > 0 {
            normal.push('/');
        }
        for (index, piece) in segment.split(';').enumerate() {
            let is_session = index > 0 && starts_with_word(piece, "jsessionid=");
            if !is_session {
                normal.push_str(if index > 0 { ";" } else { "" });
                push_normal(normal, piece.as_bytes(), |_| false);
            }
        }
    }
}

/// Appends the parameters that matter. Decision: in their order, which some sites read.
fn push_query(normal: &mut String, query: &str) {
    let mut mark = '?';
    for parameter in query.split('&') {
        // Judged as it will be written, so that a canonical address stays as it is.
        let mut written = String::new();
        push_normal(&mut written, parameter.as_bytes(), |_| false);
        let (name, value) = written.split_once('=').unwrap_or((&written, ""));
        if !written.is_empty() && !is_tracking(name) && !is_session(name, value) {
            normal.push(mark);
            normal.push_str(&written);
            mark = '&';
        }
    }
}

fn is_tracking(name: &str) -> bool {
    TRACKING_PREFIXES.iter().any(|prefix| starts_with_word(name, prefix))
        || TRACKING.iter().any(|known| name.eq_ignore_ascii_case(known))
}

fn is_session(name: &str, value: &str) -> bool {
    let is_one_of = |names: &[&str]| names.iter().any(|known| name.eq_ignore_ascii_case(known));
    starts_with_word(name, "aspsessionid")
        || is_one_of(&SESSIONS)
        || (is_one_of(&MAYBE_SESSIONS) && looks_like_session(value))
        // vBulletin's `s` is a digest; other sites search with it.
        || (name == "s" && value.len() == 32 && looks_like_session(value))
}

fn starts_with_word(text: &str, word: &str) -> bool {
    text.as_bytes().get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(address: &str, expected: &str) {
        let found = canonical(&Url::parse(address).expect("a valid address"));
        assert_eq!(found.as_str(), expected, "{address}");
        assert_eq!(canonical(&found), found, "twice {address}");
    }

    fn check_same(address: &str) {
        check(address, address);
    }

    #[test]
    fn case_port_dots_and_fragments_do_not_matter() {
        check("HTTP://Example.ORG:80/a/./b/../c#d", "http://example.org/a/c");
        check("https://example.org:443", "https://example.org/");
        check("https://example.org.:8443/", "https://example.org:8443/");
        check("http://example.org/?#", "http://example.org/");
        check_same("http://example.org:8080/A//b/index.html");
    }

    #[test]
    fn credentials_are_stripped() {
        check("http://me:secret@example.org/", "http://example.org/");
        check("http://me@example.org/@x", "http://example.org/@x");
    }

    #[test]
    fn hosts_in_other_scripts_have_one_form() {
        check("http://例子.测试/", "http://xn--fsqu00a.xn--0zwm56d/");
        check("http://XN--FSQU00A.xn--0zwm56d/", "http://xn--fsqu00a.xn--0zwm56d/");
    }

    #[test]
    fn tracking_is_dropped_and_the_rest_keeps_its_order() {
        check("http://e.org/?utm_source=a&b=2&UTM_Medium=x&a=1&fbclid=y", "http://e.org/?b=2&a=1");
        check("http://e.org/?spm=a2g0o.1&id=3&", "http://e.org/?id=3");
        check("http://e.org/?gclid=1", "http://e.org/");
        check_same("http://e.org/?b=2&a=1&a=0&empty=&bare");
    }

    #[test]
    fn session_ids_are_dropped() {
        check("http://e.org/a;jsessionid=0A1B.node1?x=1", "http://e.org/a?x=1");
        check("http://e.org/a;v=2;JSESSIONID=0A1B/b", "http://e.org/a;v=2/b");
        check("http://e.org/?PHPSESSID=abc&q=1", "http://e.org/?q=1");
        check("http://e.org/?ASPSESSIONIDQQABCD=abc", "http://e.org/");
        check("http://e.org/?f=1&sid=0a1b2c3d4e5f60718293a4b5c6d7e8f9", "http://e.org/?f=1");
        check("http://e.org/?s=0a1b2c3d4e5f60718293a4b5c6d7e8f9", "http://e.org/");
    }

    #[test]
    fn what_only_resembles_a_session_stays() {
        check_same("http://e.org/article?sid=05/08/12/0412");
        check_same("http://e.org/article?sid=1234567890123456789");
        check_same("http://e.org/?s=search+words");
        check_same("http://e.org/talks?session=keynote");
        check_same("http://e.org/?resid=0a1b2c3d4e5f60718293a4b5c6d7e8f9");
    }

    #[test]
    fn escapes_have_one_form_and_bad_ones_stay() {
        check("http://e.org/%7euser/%e6%b1%89?q=%41%2f", "http://e.org/~user/%E6%B1%89?q=A%2F");
        check_same("http://e.org/%zz%4?%");
        check_same("http://e.org/%%32e/x");
        check("http://e.org/a%2E%2e/b", "http://e.org/a../b");
    }

    #[test]
    fn other_schemes_are_left_alone() {
        check_same("mailto:someone@example.org?utm_source=x");
    }
}
