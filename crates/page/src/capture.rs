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
    /// What was asked.
    pub request: Request,
    /// The protocol of the answer: `HTTP/1.1`.
    pub protocol: String,
    /// The HTTP status.
    pub status: u16,
    /// What the answer said beside the status: `OK`; HTTP/2 says nothing.
    pub reason: String,
    /// The header lines in order, names as sent; values are bytes because HTTP allows any.
    pub headers: Vec<(String, Vec<u8>)>,
    /// The body as it came.
    pub body: Vec<u8>,
    /// The whole answer but for the body, where the fields above cannot give its bytes back: an odd head, what framed chunks. Mostly empty.
    pub wire: Vec<u8>,
}

/// What was asked of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The HTTP method.
    pub method: String,
    /// The header lines as sent, where they are known.
    pub headers: Vec<(String, Vec<u8>)>,
}

impl Default for Request {
    fn default() -> Request {
        Request { method: "GET".to_owned(), headers: Vec::new() }
    }
}

impl Capture {
    /// A body that came as the plain answer `HTTP/1.1 200 OK` to a plain request.
    pub fn new(url: Url, time: Timestamp, body: Vec<u8>) -> Capture {
        Capture {
            url,
            time,
            request: Request::default(),
            protocol: "HTTP/1.1".to_owned(),
            status: 200,
            reason: "OK".to_owned(),
            headers: Vec::new(),
            body,
            wire: Vec::new(),
        }
    }

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
        let capture = Capture { headers, ..Capture::new(url, Timestamp::UNIX_EPOCH, Vec::new()) };
        capture.charset().map(str::to_owned)
    }

    #[test]
    fn the_charset_is_read_whatever_its_case_and_quotes() {
        assert_eq!(charset_of("text/html; Charset=\"GBK\"").as_deref(), Some("GBK"));
        assert_eq!(charset_of("text/html;boundary=x; charset=utf-8").as_deref(), Some("utf-8"));
        assert_eq!(charset_of("text/html"), None);
    }
}
