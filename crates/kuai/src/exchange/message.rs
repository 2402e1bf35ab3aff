//! A capture as the HTTP message that it came in, byte for byte; and back.

use kuai_page::{Capture, Request, Timestamp, Url};
use kuai_warc::{head_length, is_chunked, join_chunks, split_chunks};

type Headers = Vec<(String, Vec<u8>)>;

/// Reads an answer; `None` where it has no status line.
pub(super) fn read_answer(url: Url, time: Timestamp, head: &[u8], body: Vec<u8>) -> Option<Capture> {
    let (first, headers) = read_head(head)?;
    let mut words = first.splitn(3, ' ');
    let (protocol, status) = (words.next()?.to_owned(), words.next()?.trim().parse().ok()?);
    let reason = words.next().unwrap_or_default().to_owned();
    let chunks = if is_chunked(head) { split_chunks(&body) } else { None };
    let (body, framing) = chunks.unwrap_or((body, Vec::new()));
    let mut capture = Capture { protocol, status, reason, headers, ..Capture::new(url, time, body) };
    if plain_head(&capture) != head || !framing.is_empty() {
        capture.wire = [head, &framing].concat();
    }
    Some(capture)
}

/// The head and the payload of an answer as they came.
pub(super) fn answer(capture: &Capture) -> (Vec<u8>, Vec<u8>) {
    if capture.wire.is_empty() {
        return (plain_head(capture), capture.body.clone());
    }
    let (head, framing) = capture.wire.split_at(head_length(&capture.wire).unwrap_or(capture.wire.len()));
    let payload = if framing.is_empty() { capture.body.clone() } else { join_chunks(&capture.body, framing) };
    (head.to_vec(), payload)
}

/// Reads what was asked.
pub(super) fn read_request(head: &[u8]) -> Option<Request> {
    let (first, headers) = read_head(head)?;
    Some(Request { method: first.split(' ').next()?.to_owned(), headers })
}

/// What was asked, as HTTP/1.1 sends it; `None` where nothing is known of it.
pub(super) fn request(capture: &Capture) -> Option<Vec<u8>> {
    if capture.request.headers.is_empty() {
        return None;
    }
    let path = &capture.url[url::Position::BeforePath..url::Position::AfterQuery];
    let mut head = format!("{} {path} HTTP/1.1\r\n", capture.request.method).into_bytes();
    write_headers(&capture.request.headers, &mut head);
    Some(head)
}

/// The head that a capture's fields give.
fn plain_head(capture: &Capture) -> Vec<u8> {
    let mut head = format!("{} {} {}\r\n", capture.protocol, capture.status, capture.reason).into_bytes();
    write_headers(&capture.headers, &mut head);
    head
}

fn write_headers(headers: &Headers, head: &mut Vec<u8>) {
    for (name, value) in headers {
        head.extend_from_slice(&[name.as_bytes(), b": ", value, b"\r\n"].concat());
    }
    head.extend_from_slice(b"\r\n");
}

/// The first line and the headers, as well as they can be read: what is odd about them is in [`Capture::wire`].
fn read_head(head: &[u8]) -> Option<(String, Headers)> {
    let mut lines = head.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    let first = String::from_utf8_lossy(lines.next()?).replace('\r', " ");
    let mut headers: Headers = Vec::new();
    for line in lines.take_while(|line| !line.is_empty()) {
        let line: Vec<u8> = line.iter().map(|byte| if *byte == b'\r' { b' ' } else { *byte }).collect();
        match memchr::memchr(b':', &line) {
            _ if line[0].is_ascii_whitespace() => {
                if let Some((_, value)) = headers.last_mut() {
                    value.extend_from_slice(&[b" ", line.trim_ascii()].concat());
                }
            }
            Some(at) if at > 0 => {
                let value = line[at + 1..].strip_prefix(b" ").unwrap_or(&line[at + 1..]);
                headers.push((String::from_utf8_lossy(&line[..at]).into_owned(), value.to_vec()));
            }
            _ => {}
        }
    }
    Some((first, headers))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(message: &[u8], body: &[u8], is_plain: bool) -> Capture {
        let url = Url::parse("https://example.org/a?b").expect("valid");
        let (head, payload) = message.split_at(head_length(message).expect("it has a head"));
        let capture = read_answer(url, Timestamp::UNIX_EPOCH, head, payload.to_vec()).expect("an answer");
        assert_eq!(capture.body, body);
        assert_eq!(capture.wire.is_empty(), is_plain, "{}", String::from_utf8_lossy(message));
        assert_eq!(answer(&capture), (head.to_vec(), payload.to_vec()));
        capture
    }

    #[test]
    fn every_answer_comes_back_byte_for_byte() {
        check(b"HTTP/1.1 200 OK\r\nServer: nginx\r\nX:  two\r\n\r\nHello", b"Hello", true);
        check(b"HTTP/1.1 200\r\nserver:nginx\r\n\r\nHello", b"Hello", false);
        check(b"HTTP/1.0 404 Not Found\nA: b\n\nHello", b"Hello", false);
        check(b"HTTP/1.1 200 OK\r\nno header\r\n: x\r\nA: b\r\n  c\r\nB: \xFF\r\n\r\n", b"", false);
        check(b"HTTP/1.1 200 \xE4\r\n\xC3: b\rc\r\n\r\n", b"", false);
    }

    #[test]
    fn a_chunked_body_is_kept_unchunked() {
        let message = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x\r\nHello\r\n0\r\n\r\n";
        check(message, b"Hello", false);
        check(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n<p>Hello", b"<p>Hello", true);
    }

    #[test]
    fn what_is_no_answer_is_none() {
        let url = Url::parse("https://example.org/").expect("valid");
        assert!(read_answer(url, Timestamp::UNIX_EPOCH, b"garbage\r\n\r\n", Vec::new()).is_none());
    }
}
