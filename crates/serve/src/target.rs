//! The address that a request is about, where the rest of its own address is that address.

use axum::http::Uri;
use kuai_page::Url;
use percent_encoding::percent_decode_str;

use crate::refusal::Refusal;

/// What follows a prefix in the path and query of a request.
pub(crate) fn rest<'a>(uri: &'a Uri, prefix: &str) -> &'a str {
    uri.path_and_query().map_or("", |whole| whole.as_str()).strip_prefix(prefix).unwrap_or_default()
}

/// Reads the address that a request is about.
pub(crate) fn address(text: &str) -> Result<Url, Refusal> {
    let bad =
        || Refusal::bad_request(format!("{text:?} is no address of the Web: write it like https://example.org/page"));
    let url = Url::parse(&with_scheme(text)).map_err(|_| bad())?;
    if url.has_host() && matches!(url.scheme(), "http" | "https") { Ok(url) } else { Err(bad()) }
}

/// People leave the scheme out, proxies join the slashes behind it, and some clients escape all of it.
fn with_scheme(text: &str) -> String {
    let lower = text.get(..9).unwrap_or(text).to_ascii_lowercase();
    if lower.starts_with("http%3a") || lower.starts_with("https%3a") {
        return percent_decode_str(text).decode_utf8_lossy().into_owned();
    }
    let first = text.split(['/', '?', '#']).next().unwrap_or_default();
    if first.ends_with(':') && text[first.len()..].starts_with("//") {
        return text.to_owned();
    }
    for scheme in ["http:/", "https:/"] {
        if lower.starts_with(scheme) {
            return format!("{scheme}/{}", &text[scheme.len()..]);
        }
    }
    format!("http://{text}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(address(text).ok().map(String::from).as_deref(), expected, "{text}");
    }

    #[test]
    fn an_address_is_read_as_people_and_proxies_write_it() {
        check("https://example.org/a?b=c&d", Some("https://example.org/a?b=c&d"));
        check("https:/example.org/a", Some("https://example.org/a"));
        check("example.org", Some("http://example.org/"));
        check("HTTP%3A%2F%2Fexample.org%2Fa", Some("http://example.org/a"));
        check("http://例子.example/?q=块", Some("http://xn--fsqu00a.example/?q=%E5%9D%97"));
        check(
            "httpbin.example/redirect?to=http://example.org/",
            Some("http://httpbin.example/redirect?to=http://example.org/"),
        );
    }

    #[test]
    fn what_is_no_address_of_the_web_is_refused() {
        for nonsense in ["", "http://", "javascript:alert(1)", "file:///etc/passwd", "http://[/"] {
            check(nonsense, None);
        }
    }
}
