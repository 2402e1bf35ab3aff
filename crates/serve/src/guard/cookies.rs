//! Cookies: how they are read and written. Those of a host are shared by all its ports, so each server's have a name of their own.

use axum::http::{HeaderMap, HeaderValue, header};

/// The value of a cookie.
pub(super) fn read<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.into_iter().find(|(known, _)| *known == name).map(|(_, value)| value)
}

/// A cookie that no script reads and no other site has sent with a request; nothing for `seconds` takes it back.
pub(super) fn write(name: &str, value: &str, seconds: i64, is_secure: bool) -> Option<HeaderValue> {
    let secure = if is_secure { "; Secure" } else { "" };
    HeaderValue::from_str(&format!("{name}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age={seconds}{secure}")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_is_found_among_others_by_its_whole_name() {
        let mut headers = HeaderMap::new();
        headers.append(header::COOKIE, HeaderValue::from_static("kuai_80800=x; a=b"));
        headers.append(header::COOKIE, HeaderValue::from_static("c=d;kuai_8080=1.a=.b"));
        assert_eq!(read(&headers, "kuai_8080"), Some("1.a=.b"));
        assert_eq!(read(&headers, "kuai"), None);
    }
}
