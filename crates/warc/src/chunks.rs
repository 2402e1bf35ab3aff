//! HTTP's chunked transfer coding taken apart: what is data, and what frames it.

/// Tells data from framing in bytes that come bit by bit. Bytes that are no chunked body are said to be bad, from there on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chunks(State);

#[derive(Clone, Copy, Debug)]
enum State {
    Size { value: u64, digit_count: u8 },
    Extension { value: u64 },
    Data { left: u64 },
    DataEnd,
    Trailer,
    Bad,
}

const BEGIN: State = State::Size { value: 0, digit_count: 0 };

/// A size of more digits is no size.
const DIGITS_MAX: u8 = 15;

/// Splits a chunked body into its data and everything else, from which [`join_chunks`] makes it again; `None` where it is not chunked.
pub fn split_chunks(body: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let (mut data, mut framing) = (Vec::with_capacity(body.len()), Vec::new());
    let mut chunks = Chunks::new();
    chunks.feed(
        body,
        |part, is_data| if is_data { data.extend_from_slice(part) } else { framing.extend_from_slice(part) },
    );
    (!chunks.is_bad() && !framing.is_empty()).then_some((data, framing))
}

/// Puts data and framing together again as they came.
pub fn join_chunks(mut data: &[u8], framing: &[u8]) -> Vec<u8> {
    let mut body = Vec::with_capacity(data.len() + framing.len());
    let mut state = BEGIN;
    for byte in framing {
        body.push(*byte);
        state = state.step(*byte);
        if let State::Data { left } = state {
            let (chunk, rest) = data.split_at(data.len().min(usize::try_from(left).unwrap_or(usize::MAX)));
            body.extend_from_slice(chunk);
            (data, state) = (rest, State::DataEnd);
        }
    }
    body
}

impl Chunks {
    pub(crate) fn new() -> Chunks {
        Chunks(BEGIN)
    }

    pub(crate) fn is_bad(&self) -> bool {
        matches!(self.0, State::Bad)
    }

    /// Hands out the parts of `bytes` in order, and whether each is data.
    pub(crate) fn feed(&mut self, mut bytes: &[u8], mut out: impl FnMut(&[u8], bool)) {
        while let [first, rest @ ..] = bytes {
            if let State::Data { left } = self.0 {
                let (data, rest) = bytes.split_at(bytes.len().min(usize::try_from(left).unwrap_or(usize::MAX)));
                out(data, true);
                let left = left - data.len() as u64;
                self.0 = if left == 0 { State::DataEnd } else { State::Data { left } };
                bytes = rest;
            } else {
                self.0 = self.0.step(*first);
                out(&bytes[..1], false);
                bytes = rest;
            }
        }
    }
}

impl State {
    /// What follows a byte of framing.
    fn step(self, byte: u8) -> State {
        match (self, byte) {
            (State::Size { digit_count: 0, .. }, byte) if !byte.is_ascii_hexdigit() => State::Bad,
            (State::Size { value, .. } | State::Extension { value }, b'\n') => begin(value),
            (State::Size { value, .. }, b'\r' | b' ' | b'\t' | b';') => State::Extension { value },
            (State::Size { value, digit_count }, byte) => match char::from(byte).to_digit(16) {
                Some(digit) if digit_count < DIGITS_MAX => {
                    State::Size { value: value * 16 + u64::from(digit), digit_count: digit_count + 1 }
                }
                _ => State::Bad,
            },
            (State::Extension { value }, _) => State::Extension { value },
            (State::DataEnd, b'\r') => State::DataEnd,
            (State::DataEnd, b'\n') => BEGIN,
            (State::DataEnd | State::Bad, _) => State::Bad,
            (State::Trailer, _) => State::Trailer,
            (State::Data { left }, _) => State::Data { left },
        }
    }
}

fn begin(size: u64) -> State {
    if size == 0 { State::Trailer } else { State::Data { left: size } }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(body: &str, expected: Option<&str>) {
        let split = split_chunks(body.as_bytes());
        assert_eq!(split.as_ref().map(|(data, _)| String::from_utf8_lossy(data).into_owned()).as_deref(), expected);
        if let Some((data, framing)) = split {
            assert_eq!(String::from_utf8_lossy(&join_chunks(&data, &framing)), body);
        }
    }

    #[test]
    fn chunks_come_apart_and_together_again() {
        check("4\r\nWiki\r\nA;x=y\r\n0123456789\r\n0\r\nTrailer: t\r\n\r\n", Some("Wiki0123456789"));
        check("0\r\n\r\n", Some(""));
        check("3\nabc\n0\n\n", Some("abc"));
    }

    #[test]
    fn chunks_that_end_early_are_still_chunks() {
        check("8\r\nWiki", Some("Wiki"));
        check("4\r\nWiki\r\n", Some("Wiki"));
    }

    #[test]
    fn what_is_not_chunked_is_said_so() {
        check("<html>", None);
        check("4\r\nWikipedia", None);
        check("ffffffffffffffffffff\r\n", None);
        check("", None);
    }
}
