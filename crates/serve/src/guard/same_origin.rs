//! Whether a request that changes something was made by our own pages, or by a program, and not by a page of somebody else.

use axum::http::{HeaderMap, Method, header};

/// Whether a request may change something, or does not try to. Every browser says where a request comes from that could change anything; programs
/// say nothing. The side of archived pages is another origin and may not.
pub(super) fn may_act(method: &Method, headers: &HeaderMap, main: &str) -> bool {
    if matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS) {
        return true;
    }
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let is_ours = text("sec-fetch-site").is_none_or(|from| matches!(from, "same-origin" | "none"));
    let is_from_ours = text(header::ORIGIN.as_str()).is_none_or(|origin| origin == main);
    is_ours && is_from_ours
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn check(method: Method, site: &'static str, origin: &'static str, expected: bool) {
        let mut headers = HeaderMap::new();
        for (name, value) in [("sec-fetch-site", site), ("origin", origin)] {
            if !value.is_empty() {
                headers.insert(name, HeaderValue::from_static(value));
            }
        }
        let may = may_act(&method, &headers, "http://127.0.0.1:8080");
        assert_eq!(may, expected, "{method} {site} {origin}");
    }

    #[test]
    fn only_our_own_pages_and_programs_may_act() {
        let ours = "http://127.0.0.1:8080";
        check(Method::POST, "same-origin", ours, true);
        check(Method::POST, "", ours, true);
        check(Method::POST, "", "", true);
        check(Method::POST, "none", "", true);
        check(Method::POST, "same-site", "http://127.0.0.1:8081", false);
        check(Method::POST, "", "http://127.0.0.1:8081", false);
        check(Method::DELETE, "cross-site", "", false);
        check(Method::POST, "cross-site", "null", false);
        check(Method::POST, "", "null", false);
        check(Method::PUT, "same-origin", "http://evil.example", false);
        check(Method::GET, "cross-site", "http://evil.example", true);
    }
}
