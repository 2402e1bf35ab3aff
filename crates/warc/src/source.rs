//! The bytes of a file as they lie there, a window at a time: counted, looked ahead at, and read again from a little before.

use std::io::{self, ErrorKind, Read};

/// Bytes in memory at once.
const WINDOW: usize = 256 << 10;

/// Bytes that were read already and are kept, to look through again after damage.
const BEHIND: usize = 96 << 10;

/// A window onto a file.
pub(crate) struct Source<R> {
    reader: R,
    window: Box<[u8]>,
    /// The next byte, and the end of what is there.
    start: usize,
    end: usize,
    /// Where in the file the window begins.
    window_offset: u64,
    is_at_end: bool,
}

impl<R: Read> Source<R> {
    pub(crate) fn new(reader: R) -> Source<R> {
        let window = vec![0; WINDOW].into_boxed_slice();
        Source { reader, window, start: 0, end: 0, window_offset: 0, is_at_end: false }
    }

    /// Where in the file the next byte lies.
    pub(crate) fn offset(&self) -> u64 {
        self.window_offset + self.start as u64
    }

    /// What lies ahead; empty at the end of the file only.
    pub(crate) fn fill(&mut self) -> io::Result<&[u8]> {
        if self.start == self.end {
            self.refill()?;
        }
        Ok(self.ahead())
    }

    /// Like [`Source::fill`], and at least `count` bytes unless the file ends before.
    pub(crate) fn peek(&mut self, count: usize) -> io::Result<&[u8]> {
        while self.ahead().len() < count.min(WINDOW - BEHIND) && !self.is_at_end {
            self.refill()?;
        }
        Ok(self.ahead())
    }

    /// What of it is in memory already.
    pub(crate) fn ahead(&self) -> &[u8] {
        &self.window[self.start..self.end]
    }

    /// Goes on behind so many of the bytes ahead.
    pub(crate) fn consume(&mut self, count: usize) {
        self.start = (self.start + count).min(self.end);
    }

    /// Goes to an offset that was read or looked at already, or as near to it as memory reaches.
    pub(crate) fn seek(&mut self, offset: u64) {
        let start = offset.saturating_sub(self.window_offset);
        self.start = self.end.min(usize::try_from(start).unwrap_or(usize::MAX));
    }

    fn refill(&mut self) -> io::Result<()> {
        if self.end == WINDOW {
            let dropped = self.start.saturating_sub(BEHIND);
            self.window.copy_within(dropped..self.end, 0);
            self.window_offset += dropped as u64;
            self.start -= dropped;
            self.end -= dropped;
        }
        loop {
            match self.reader.read(&mut self.window[self.end..]) {
                Ok(0) => self.is_at_end = true,
                Ok(count) => self.end += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            }
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_file_is_read_whole_and_a_little_of_it_again() {
        let bytes: Vec<u8> = (0..1_000_000u32).map(|at| (at / 7) as u8).collect();
        let mut source = Source::new(bytes.as_slice());
        let mut read = Vec::new();
        while let Ok(ahead @ [_, ..]) = source.fill() {
            let count = ahead.len().min(10_007);
            read.extend_from_slice(&ahead[..count]);
            source.consume(count);
        }
        assert!(read == bytes);
        source.seek(950_000);
        assert_eq!(source.offset(), 950_000);
        assert!(source.peek(50_000).unwrap() == &bytes[950_000..]);
        source.seek(0);
        assert!(source.offset() > 0, "a window has an end");
    }
}
