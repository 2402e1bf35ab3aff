//! What was fetched: a URL's answer at one time, byte for byte as it came.

use jiff::Timestamp;
use url::Url;

/// One answer of the Web, exactly as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capture {
    /// The address that was asked.
    pub url: Url,
    /// When it was asked.
    pub time: Timestamp,
    /// The HTTP status.
    pub status: u16,
    /// The header lines in order, names as sent; values are bytes because HTTP allows any.
    pub headers: Vec<(String, Vec<u8>)>,
    /// The body as it came.
    pub body: Vec<u8>,
}

impl Capture {
    /// The value of the first header of this name, whatever its case.
    pub fn header(&self, name: &str) -> Option<&[u8]> {
        self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_slice())
    }

    /// The charset that the `Content-Type` header names.
    pub fn charset(&self) -> Option<&str> {
        let value = std::str::from_utf8(self.header("content-type")?).ok()?;
        value.split(';').skip(1).find_map(|parameter| {
            let (name, value) = parameter.split_once('=')?;
            name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches(['"', '\'']))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn charset_of(content_type: &str) -> Option<String> {
        let headers = vec![("Content-type".to_owned(), content_type.as_bytes().to_vec())];
        let url = Url::parse("https://example.org/").expect("a valid address");
        let capture = Capture { url, time: Timestamp::UNIX_EPOCH, status: 200, headers, body: Vec::new() };
        capture.charset().map(str::to_owned)
    }

    #[test]
    fn the_charset_is_read_whatever_its_case_and_quotes() {
        assert_eq!(charset_of("text/html; Charset=\"GBK\"").as_deref(), Some("GBK"));
        assert_eq!(charset_of("text/html;boundary=x; charset=utf-8").as_deref(), Some("utf-8"));
        assert_eq!(charset_of("text/html"), None);
    }
}
