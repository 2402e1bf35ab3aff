//! Tells pages, which are cut into blocks, from everything else, which is kept whole.

use kuai_page::Capture;

use crate::history::is_success;

/// Bytes at the start of a body that are looked at where no header says what it is.
const SNIFF_BYTES: usize = 1024;

/// Longer bodies are kept whole: nobody reads pages of this size, and cutting one takes up to twenty times as much memory.
const PAGE_BYTES_MAX: usize = 2 << 20;

/// Whether a capture is a page: HTML that the server gave for what was asked, and not too long to be read.
pub fn is_page(capture: &Capture) -> bool {
    if !is_success(capture.status) || capture.body.len() > PAGE_BYTES_MAX || is_packed(capture) {
        return false;
    }
    match capture.header("content-type") {
        Some(content_type) => is_html_type(content_type),
        None => is_html(&capture.body),
    }
}

/// Whether the body is still packed as it came over the wire: nothing in it can be cut.
fn is_packed(capture: &Capture) -> bool {
    let coding = capture.header("content-encoding").unwrap_or_default().trim_ascii();
    !coding.is_empty() && !coding.eq_ignore_ascii_case(b"identity") && !is_html(&capture.body)
}

fn is_html_type(content_type: &[u8]) -> bool {
    let essence = content_type.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
    essence.eq_ignore_ascii_case(b"text/html") || essence.eq_ignore_ascii_case(b"application/xhtml+xml")
}

/// Whether a body without a type looks like HTML: its first visible thing is a tag, and no other known beginning.
fn is_html(body: &[u8]) -> bool {
    let start = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body).trim_ascii_start();
    let start = &start[..start.len().min(SNIFF_BYTES)];
    let is_other = [b"<?xml".as_slice(), b"<svg", b"<rss", b"<feed"].iter().any(|other| starts_with(start, other));
    let is_utf16 = body.starts_with(b"\xFF\xFE<\0") || body.starts_with(b"\xFE\xFF\0<");
    let is_xhtml = starts_with(start, b"<?xml") && contains(start, b"<html");
    is_utf16
        || is_xhtml
        || (!is_other && start.first() == Some(&b'<') && !start.contains(&0))
        || contains(start, b"<html")
        || contains(start, b"<!doctype html")
}

fn starts_with(bytes: &[u8], start: &[u8]) -> bool {
    bytes.get(..start.len()).is_some_and(|bytes| bytes.eq_ignore_ascii_case(start))
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window.eq_ignore_ascii_case(part))
}

#[cfg(test)]
mod tests {
    use kuai_page::{Timestamp, Url};

    use super::*;

    fn check(body: &[u8], content_type: Option<&str>, expected: bool) {
        let url = Url::parse("https://example.org/").expect("valid");
        let mut capture = Capture::new(url, Timestamp::UNIX_EPOCH, body.to_vec());
        capture.headers.extend(content_type.map(|value| ("Content-Type".to_owned(), value.as_bytes().to_vec())));
        assert_eq!(is_page(&capture), expected, "{:?} {content_type:?}", String::from_utf8_lossy(body));
    }

    #[test]
    fn the_header_decides_where_there_is_one() {
        check(b"plain", Some("Text/HTML; charset=gbk"), true);
        check(b"<p>", Some("text/plain"), false);
    }

    #[test]
    fn a_body_that_is_still_packed_is_no_page() {
        let url = Url::parse("https://example.org/").expect("valid");
        let mut capture = Capture::new(url, Timestamp::UNIX_EPOCH, b"\x1F\x8B\x08 and so on".to_vec());
        let line = |name: &str, value: &str| (name.to_owned(), value.as_bytes().to_vec());
        capture.headers = vec![line("Content-Type", "text/html"), line("Content-Encoding", "gzip")];
        assert!(!is_page(&capture));
        capture.body = b"<p>unpacked, whatever the header says".to_vec();
        assert!(is_page(&capture));
    }

    #[test]
    fn without_a_header_the_first_bytes_decide() {
        check(b"\n<!-- hi --><p>x", None, true);
        check(b"\xEF\xBB\xBF<!DOCTYPE html>", None, true);
        check(b"<?xml version='1.0'?><html xmlns='x'>", None, true);
        check(b"<?xml version='1.0'?><rss>", None, false);
        check(b"\x89PNG\r\n", None, false);
        check(b"{}", None, false);
        check(b"", None, false);
    }
}
