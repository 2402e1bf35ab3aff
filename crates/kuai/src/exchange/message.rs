//! A capture as the HTTP message that it came in, byte for byte; and back.

use kuai_crawl::{FetchLimits, decoded_body};
use kuai_page::{Capture, Request, Timestamp, Url};
use kuai_warc::{head_length, is_chunked, join_chunks, split_chunks};

type Headers = Vec<(String, Vec<u8>)>;

/// Reads an answer; `None` where it has no status line. A page that came packed is kept unpacked, so that it can be cut into blocks; its packed bytes
/// are then in [`Capture::wire`], and the headers that became untrue have other names.
pub(super) fn read_answer(url: Url, time: Timestamp, head: &[u8], payload: Vec<u8>) -> Option<Capture> {
    let (first, headers) = read_head(head)?;
    let mut words = first.splitn(3, ' ');
    let (protocol, status) = (words.next()?.to_owned(), words.next()?.trim().parse().ok()?);
    let reason = words.next().unwrap_or_default().to_owned();
    let mut capture = Capture { protocol, status, reason, headers, ..Capture::new(url, time, Vec::new()) };
    let chunks = if is_chunked(head) { split_chunks(&payload) } else { None };
    let data = chunks.as_ref().map_or(payload.as_slice(), |(data, _)| data);
    if let Some(page) = unpacked_page(&capture, data) {
        capture.wire = [head, AS_IT_CAME, &payload].concat();
        rename_untrue(&mut capture.headers);
        capture.body = page;
        return Some(capture);
    }
    let (body, framing) = chunks.unwrap_or((payload, Vec::new()));
    capture.body = body;
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
    let (head, rest) = capture.wire.split_at(head_length(&capture.wire).unwrap_or(capture.wire.len()));
    let payload = match rest.strip_prefix(AS_IT_CAME) {
        Some(payload) => payload.to_vec(),
        None if rest.is_empty() => capture.body.clone(),
        None => join_chunks(&capture.body, rest),
    };
    (head.to_vec(), payload)
}

/// Stands in [`Capture::wire`] behind the head where the whole payload follows as it came. What frames chunks begins with a digit.
const AS_IT_CAME: &[u8] = b"=";

/// Longer pages are not cut into blocks, so they stay as they came.
const PAGE_BYTES_MAX: usize = 2 << 20;

/// The page that came packed in an answer.
fn unpacked_page(capture: &Capture, data: &[u8]) -> Option<Vec<u8>> {
    let content_type = capture.header("content-type").unwrap_or(b"text/html").to_ascii_lowercase();
    if !content_type.starts_with(b"text/html") && !content_type.starts_with(b"application/xhtml+xml") {
        return None;
    }
    let codings = capture.headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case("content-encoding"));
    let limits = FetchLimits { body_bytes: PAGE_BYTES_MAX, ..FetchLimits::default() };
    decoded_body(data, codings.map(|(_, value)| value.as_slice()), &limits)
}

/// Gives the headers that do not describe an unpacked body the names that a crawl gives them.
fn rename_untrue(headers: &mut Headers) {
    const UNTRUE: [&str; 3] = ["content-encoding", "content-length", "transfer-encoding"];
    for (name, _) in headers.iter_mut().filter(|(name, _)| UNTRUE.iter().any(|known| name.eq_ignore_ascii_case(known)))
    {
        name.insert_str(0, "x-orig-");
    }
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
    fn a_packed_page_is_kept_unpacked_and_comes_back_packed() {
        let packed = |bytes: &[u8]| {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
            std::io::Write::write_all(&mut encoder, bytes).expect("memory can be written");
            encoder.finish().expect("memory can be written")
        };
        let head = |lines: &str| {
            format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n{lines}\r\n").into_bytes()
        };
        let page = packed(b"<p>Hello</p>");
        let capture = check(&[head("Content-Length: 32\r\n"), page.clone()].concat(), b"<p>Hello</p>", false);
        assert_eq!(capture.header("content-encoding"), None);
        assert_eq!(capture.header("x-orig-content-encoding"), Some(&b"gzip"[..]));
        let chunk = [format!("{:x}\r\n", page.len()).as_bytes(), &page, b"\r\n0\r\n\r\n"].concat();
        check(&[head("Transfer-Encoding: chunked\r\n"), chunk].concat(), b"<p>Hello</p>", false);
        let lie = [head(""), b"<p>Hello</p>".to_vec()].concat();
        check(&lie, b"<p>Hello</p>", true);
        let style =
            [&b"HTTP/1.1 200 OK\r\nContent-Type: text/css\r\nContent-Encoding: gzip\r\n\r\n"[..], &page].concat();
        check(&style, &page, true);
    }

    #[test]
    fn what_is_no_answer_is_none() {
        let url = Url::parse("https://example.org/").expect("valid");
        assert!(read_answer(url, Timestamp::UNIX_EPOCH, b"garbage\r\n\r\n", Vec::new()).is_none());
    }
}
