//! Where the headers of an HTTP message end, and what some of them say.

/// How long the status line and headers are, the empty line behind them included; `None` if they do not end here.
pub fn head_length(message: &[u8]) -> Option<usize> {
    memchr::memchr_iter(b'\n', message).find_map(|at| match &message[at + 1..] {
        [b'\n', ..] => Some(at + 2),
        [b'\r', b'\n', ..] => Some(at + 3),
        _ => None,
    })
}

/// Whether a head says that the body is chunked.
pub fn is_chunked(head: &[u8]) -> bool {
    values(head, "transfer-encoding").any(|value| value.to_ascii_lowercase().ends_with(b"chunked"))
}

/// The value of the first header of this name, whatever its case.
pub(crate) fn header<'a>(head: &'a [u8], name: &str) -> Option<&'a [u8]> {
    values(head, name).next()
}

/// The status of an answer.
pub(crate) fn status(head: &[u8]) -> Option<u16> {
    let line = head.split(|byte| *byte == b'\n').next()?;
    let word = line.split(|byte| *byte == b' ').nth(1)?;
    std::str::from_utf8(word.trim_ascii()).ok()?.parse().ok()
}

fn values<'a>(head: &'a [u8], name: &str) -> impl Iterator<Item = &'a [u8]> {
    head.split(|byte| *byte == b'\n').filter_map(move |line| {
        let (known, value) = line.split_at_checked(name.len())?;
        let value = value.strip_prefix(b":").filter(|_| known.eq_ignore_ascii_case(name.as_bytes()))?;
        Some(value.trim_ascii())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_ends_behind_its_empty_line() {
        assert_eq!(head_length(b"HTTP/1.1 200 OK\r\nA: b\r\n\r\nbody"), Some(25));
        assert_eq!(head_length(b"HTTP/1.0 200 OK\n\nbody\n\n"), Some(17));
        assert_eq!(head_length(b"HTTP/1.1 200 OK\r\nA: b\r\n"), None);
    }

    #[test]
    fn only_the_right_header_says_chunked() {
        assert!(is_chunked(b"HTTP/1.1 200 OK\r\nTRANSFER-encoding: gzip, Chunked \r\n\r\n"));
        assert!(!is_chunked(b"HTTP/1.1 200 OK\r\nX-Orig-Transfer-Encoding: chunked\r\n\r\n"));
    }
}
