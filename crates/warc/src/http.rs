//! Where the headers of an HTTP message end, and the one of them that says how its body came.

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
    const NAME: &[u8] = b"transfer-encoding:";
    head.split(|byte| *byte == b'\n').any(|line| {
        let value = line.get(NAME.len()..).filter(|_| line[..NAME.len()].eq_ignore_ascii_case(NAME));
        value.is_some_and(|value| value.trim_ascii().to_ascii_lowercase().ends_with(b"chunked"))
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
