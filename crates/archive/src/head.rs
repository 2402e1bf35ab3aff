//! A capture's request and answer without their bodies, as the lines that HTTP would send; and back.
//!
//! `GET`, the request's header lines, an empty line, `HTTP/1.1 200 OK`, the answer's header lines; where they are not enough, an empty
//! line and the answer as it came, but for the body.

use kuai_page::{Capture, Request};

use crate::Error;

type Headers = Vec<(String, Vec<u8>)>;

/// What stands between two lines.
const LINE_END: &[u8] = b"\r\n";

/// Writes the head of a capture; fails where a part could not be told from its neighbours any more.
pub(crate) fn write(capture: &Capture) -> Result<Vec<u8>, Error> {
    let mut lines = vec![one_line(capture.request.method.as_bytes())?.to_vec()];
    header_lines(&capture.request.headers, &mut lines)?;
    lines.push(Vec::new());
    let status_line = format!("{} {} {}", one_word(&capture.protocol)?, capture.status, capture.reason);
    lines.push(one_line(status_line.as_bytes())?.to_vec());
    header_lines(&capture.headers, &mut lines)?;
    if !capture.wire.is_empty() {
        lines.extend([Vec::new(), capture.wire.clone()]);
    }
    Ok(lines.join(LINE_END))
}

/// What a head says.
pub(crate) struct Head {
    pub(crate) request: Request,
    pub(crate) protocol: String,
    pub(crate) status: u16,
    pub(crate) reason: String,
    pub(crate) headers: Headers,
    pub(crate) wire: Vec<u8>,
}

/// Reads what [`write`] wrote; `None` for anything else.
pub(crate) fn read(head: &[u8]) -> Option<Head> {
    let (asked, answer) = split_at_empty_line(head)?;
    let (answer, wire) = split_at_empty_line(answer).unwrap_or((answer, &[]));
    let mut lines = split_lines(asked);
    let request = Request { method: text(lines.next()?)?, headers: read_headers(lines)? };
    let mut lines = split_lines(answer);
    let status_line = text(lines.next()?)?;
    let mut words = status_line.splitn(3, ' ');
    let (protocol, status, reason) = (words.next()?.to_owned(), words.next()?.parse().ok()?, words.next()?.to_owned());
    Some(Head { request, protocol, status, reason, headers: read_headers(lines)?, wire: wire.to_vec() })
}

fn split_at_empty_line(head: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = memchr::memmem::find(head, b"\r\n\r\n")?;
    Some((&head[..at], &head[at + 4..]))
}

fn header_lines(headers: &Headers, lines: &mut Vec<Vec<u8>>) -> Result<(), Error> {
    for (name, value) in headers {
        if name.is_empty() || name.contains(':') {
            return Err(Error::BadHeader { line: name.clone() });
        }
        let line = [name.as_bytes(), b": ", value].concat();
        lines.push(one_line(&line)?.to_vec());
    }
    Ok(())
}

fn one_line(line: &[u8]) -> Result<&[u8], Error> {
    match line.iter().any(|byte| matches!(byte, b'\r' | b'\n')) {
        true => Err(Error::BadHeader { line: String::from_utf8_lossy(line).into_owned() }),
        false => Ok(line),
    }
}

fn one_word(word: &str) -> Result<&str, Error> {
    match word.contains(' ') {
        true => Err(Error::BadHeader { line: word.to_owned() }),
        false => Ok(word),
    }
}

fn split_lines(head: &[u8]) -> impl Iterator<Item = &[u8]> {
    // Values hold neither CR nor LF, so every LF ends a line and has its CR before it.
    head.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line))
}

fn read_headers<'a>(lines: impl Iterator<Item = &'a [u8]>) -> Option<Headers> {
    lines
        .map(|line| {
            let at = line.windows(2).position(|pair| pair == b": ")?;
            Some((text(&line[..at])?, line[at + 2..].to_vec()))
        })
        .collect()
}

fn text(bytes: &[u8]) -> Option<String> {
    String::from_utf8(bytes.to_vec()).ok()
}

#[cfg(test)]
mod tests {
    use kuai_page::{Timestamp, Url};

    use super::*;

    fn capture() -> Capture {
        Capture::new(Url::parse("https://example.org/").expect("valid"), Timestamp::UNIX_EPOCH, Vec::new())
    }

    #[test]
    fn a_head_comes_back_as_it_was() {
        let mut capture = capture();
        capture.request.headers = vec![("Accept".to_owned(), b"*/*".to_vec())];
        capture.headers = vec![("X-Odd".to_owned(), vec![b'a', 0xFF, b':']), ("Empty".to_owned(), Vec::new())];
        let head = read(&write(&capture).expect("writes")).expect("reads");
        assert_eq!((head.request, head.headers), (capture.request, capture.headers));
        assert_eq!((head.protocol.as_str(), head.status, head.reason.as_str()), ("HTTP/1.1", 200, "OK"));
    }

    #[test]
    fn what_the_lines_cannot_say_stands_behind_them() {
        let wire = b"HTTP/1.1 200\r\nServer:x\r\n\r\n5\r\n\r\n0\r\n\r\n".to_vec();
        for headers in [vec![], vec![("Server".to_owned(), b"x".to_vec())]] {
            let capture = Capture { headers, wire: wire.clone(), ..capture() };
            let head = read(&write(&capture).expect("writes")).expect("reads");
            assert_eq!((head.headers, head.wire), (capture.headers, capture.wire));
        }
    }

    #[test]
    fn a_header_with_a_line_break_is_refused() {
        let mut capture = capture();
        capture.headers = vec![("X".to_owned(), b"a\r\nSet-Cookie: b".to_vec())];
        assert!(matches!(write(&capture), Err(Error::BadHeader { .. })));
    }
}
