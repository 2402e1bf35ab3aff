//! Reads records one after the other. Damage is told where it is, skipped, and what follows is read.

use std::io::{self, Read};

use crate::check::Check;
use crate::error::{Fault, Trouble};
use crate::fields::{Fields, RecordType};
use crate::members::{Members, Packing, RECORD_START};
use crate::{Error, Limits, gzip, http, zstd_frame};

/// Bytes passed over at once.
const SKIP: usize = 16 << 10;

/// A first line is this long at most.
const FIRST_LINE_MAX: u64 = 4 << 10;

/// Reads the records of a file, packed or not; how it is packed shows in its first bytes.
pub struct Reader<R> {
    members: Members<R>,
    limits: Limits,
    state: State,
}

/// Where a reader stands.
enum State {
    /// Behind a record, or at the beginning.
    Between,
    /// In a record's block.
    Inside(Box<Open>),
    /// In or behind something damaged that begins at this offset.
    Damaged { offset: u64, fault: Fault },
    /// At the end, or where nothing more can be read.
    Ended,
}

/// A record whose block is being read.
struct Open {
    offset: u64,
    left: u64,
    check: Check,
}

/// Where a record begins.
#[derive(Clone, Copy)]
struct Start {
    offset: u64,
    inside: u64,
    /// Whether its first line was read already.
    is_behind_line: bool,
}

/// A record: its named fields, and its block to [`Read`].
pub struct Record<'a, R> {
    reader: &'a mut Reader<R>,
    start: Start,
    fields: Fields,
    length: u64,
    /// What was read of the payload together with the head.
    ahead: Vec<u8>,
}

impl<R: Read> Reader<R> {
    /// Reads a file from its beginning.
    pub fn new(reader: R) -> Reader<R> {
        Reader::with_limits(reader, Limits::default())
    }

    /// Likewise, with other bounds.
    pub fn with_limits(reader: R, limits: Limits) -> Reader<R> {
        Reader { members: Members::new(reader, limits), limits, state: State::Between }
    }

    /// The next record; `None` at the end of the file. After [`Error::Damaged`] ask again, for what follows.
    ///
    /// What was not read of the record before is read here and checked, and may turn out to be damaged.
    pub fn next_record(&mut self) -> Option<Result<Record<'_, R>, Error>> {
        let begun = self.finish().and_then(|()| self.begin());
        match begun {
            Ok(Some((start, fields, length))) => {
                Some(Ok(Record { reader: self, start, fields, length, ahead: Vec::new() }))
            }
            Ok(None) => {
                self.state = State::Ended;
                None
            }
            Err(error) => Some(Err(error)),
        }
    }

    /// How the file is packed; `None` before the first record was asked for.
    pub fn packing(&self) -> Option<Packing> {
        self.members.packing()
    }

    /// How far into the file was read, for showing progress.
    pub fn position(&self) -> u64 {
        self.members.file_offset()
    }

    /// Goes to the next record and opens it.
    fn begin(&mut self) -> Result<Option<(Start, Fields, u64)>, Error> {
        let found = match self.state {
            State::Ended => return Ok(None),
            State::Damaged { offset, .. } => self.recover(offset)?,
            State::Between | State::Inside(_) => None,
        };
        self.state = State::Between;
        let start = match found {
            Some(start) => Some(start),
            None => self.go_to_start()?,
        };
        let Some(start) = start else { return Ok(None) };
        let (fields, left) =
            self.read_fields(start.is_behind_line).map_err(|trouble| self.damaged(trouble, start.offset))?;
        let check = Check::new(&fields, self.limits.http_head_bytes_max);
        self.state = State::Inside(Box::new(Open { offset: start.offset, left, check }));
        Ok(Some((start, fields, left)))
    }

    /// Goes to the next byte that is no line end, into the next member where one ends; `None` at the end of the file.
    fn go_to_start(&mut self) -> Result<Option<Start>, Error> {
        loop {
            let (offset, inside) = (self.members.offset(), self.members.inside());
            match self.members.next_byte() {
                Ok(Some(byte)) if is_line_end(byte) => self.members.consume(1),
                Ok(Some(_)) => return Ok(Some(Start { offset, inside, is_behind_line: false })),
                Ok(None) if !self.open_next()? => return Ok(None),
                Ok(None) => {}
                Err(trouble) => return Err(self.damaged(trouble, offset)),
            }
        }
    }

    fn open_next(&mut self) -> Result<bool, Error> {
        let opened = self.members.open_next();
        let offset = self.members.offset();
        opened.map_err(|trouble| self.damaged(trouble, offset))
    }

    /// The named fields, and the length of the block.
    fn read_fields(&mut self, is_behind_line: bool) -> Result<(Fields, u64), Trouble> {
        let mut left = self.limits.fields_bytes_max as u64;
        if !is_behind_line {
            check_first_line(&self.read_line(&mut left, Fault::NoRecord)?)?;
        }
        let mut fields = Fields::default();
        loop {
            let line = self.read_line(&mut left, Fault::FieldsTooLong)?;
            if line.is_empty() {
                break;
            }
            fields.read_line(&line)?;
        }
        let length = fields.content_length().ok_or(Fault::NoLength)?;
        Ok((fields, length))
    }

    /// A line without its end. `left` is what it may be long, and fails as `too_long` where it is longer.
    fn read_line(&mut self, left: &mut u64, too_long: Fault) -> Result<Vec<u8>, Trouble> {
        let mut line = Vec::new();
        loop {
            let bytes = self.members.fill()?;
            if bytes.is_empty() {
                return Err(Fault::CutShort.into());
            }
            let end = memchr::memchr(b'\n', bytes);
            let count = end.map_or(bytes.len(), |at| at + 1);
            *left = left.checked_sub(count as u64).ok_or(too_long)?;
            line.extend_from_slice(&bytes[..count]);
            self.members.consume(count);
            if end.is_some() {
                line.pop();
                line.pop_if(|byte| *byte == b'\r');
                return Ok(line);
            }
        }
    }

    /// Reads on in the block; 0 at its end.
    fn read_block(&mut self, out: &mut [u8]) -> Result<usize, Error> {
        let State::Inside(open) = &mut self.state else { return Ok(0) };
        let count_max = out.len().min(usize::try_from(open.left).unwrap_or(usize::MAX));
        let offset = open.offset;
        match self.members.read(&mut out[..count_max]) {
            Ok(0) if count_max > 0 => Err(self.damaged(Fault::CutShort.into(), offset)),
            Ok(count) => {
                open.left -= count as u64;
                open.check.update(&out[..count]);
                Ok(count)
            }
            Err(trouble) => Err(self.damaged(trouble, offset)),
        }
    }

    /// Adds the next bytes of the open record to `out`, as many as are unpacked already; how many, 0 at its end.
    fn append_block(&mut self, out: &mut Vec<u8>) -> Result<usize, Error> {
        let State::Inside(open) = &mut self.state else { return Ok(0) };
        let left = usize::try_from(open.left).unwrap_or(usize::MAX);
        let offset = open.offset;
        if left == 0 {
            return Ok(0);
        }
        let bytes = match self.members.fill() {
            Ok([]) => return Err(self.damaged(Fault::CutShort.into(), offset)),
            Ok(bytes) => &bytes[..bytes.len().min(left)],
            Err(trouble) => return Err(self.damaged(trouble, offset)),
        };
        let count = bytes.len();
        out.extend_from_slice(bytes);
        open.check.update(bytes);
        open.left -= count as u64;
        self.members.consume(count);
        Ok(count)
    }

    /// Reads what is left of the open record, and checks its end and its digests.
    fn finish(&mut self) -> Result<(), Error> {
        let mut passed = [0; SKIP];
        while self.read_block(&mut passed)? > 0 {}
        let open = match std::mem::replace(&mut self.state, State::Between) {
            State::Inside(open) => open,
            other => {
                self.state = other;
                return Ok(());
            }
        };
        self.read_record_end().map_err(|trouble| self.damaged(trouble, open.offset))?;
        // The place where the next record begins is known, so a wrong digest costs this one only.
        open.check.finish().map_err(|fault| Error::Damaged { offset: open.offset, fault })
    }

    /// Two line ends stand behind a block. Decision: one will do, and so will none where the file or the member ends, as others read it too.
    fn read_record_end(&mut self) -> Result<(), Trouble> {
        let mut line_ends = 0;
        loop {
            match self.members.next_byte()? {
                Some(byte) if is_line_end(byte) => line_ends += usize::from(byte == b'\n'),
                Some(byte) if line_ends > 0 && byte == RECORD_START[0] => return Ok(()),
                Some(_) => return Err(Fault::WrongLength.into()),
                None => return Ok(()),
            }
            self.members.consume(1);
        }
    }

    /// Keeps in mind what was damaged, so that the next call goes on behind it.
    fn damaged(&mut self, trouble: Trouble, offset: u64) -> Error {
        self.state = match trouble {
            Trouble::Fault(fault) => State::Damaged { offset, fault },
            Trouble::Io(_) => State::Ended,
        };
        trouble.at(offset)
    }

    /// Goes on behind damage: to the next record of the same member if that can be unpacked, else to where the next member begins.
    fn recover(&mut self, offset: u64) -> Result<Option<Start>, Error> {
        let is_packed = self.members.packing().is_some_and(|packing| packing != Packing::Plain);
        if is_packed && !self.members.is_broken() {
            match self.find_line() {
                Ok(found) => return Ok(found),
                Err(Trouble::Fault(_)) => {}
                Err(trouble) => return Err(self.damaged(trouble, offset)),
            }
        }
        self.members.resynchronise(offset + 1).map_err(|trouble| self.damaged(trouble, offset))?;
        Ok(None)
    }

    /// The next first line of a record in this member; `None` if there is none.
    fn find_line(&mut self) -> Result<Option<Start>, Trouble> {
        loop {
            let start = Start { offset: self.members.offset(), inside: self.members.inside(), is_behind_line: true };
            let mut left = FIRST_LINE_MAX;
            match self.read_line(&mut left, Fault::NoRecord) {
                Ok(line) if check_first_line(&line).is_ok() => return Ok(Some(start)),
                Ok(_) => {}
                // Too long for one that we look for: on to its end.
                Err(Trouble::Fault(Fault::NoRecord)) => self.skip_line()?,
                Err(Trouble::Fault(Fault::CutShort)) if !self.members.is_broken() => return Ok(None),
                Err(trouble) => return Err(trouble),
            }
        }
    }

    fn skip_line(&mut self) -> Result<(), Trouble> {
        loop {
            let bytes = self.members.fill()?;
            let (end, count) = (memchr::memchr(b'\n', bytes), bytes.len());
            self.members.consume(end.map_or(count, |at| at + 1));
            if end.is_some() || count == 0 {
                return Ok(());
            }
        }
    }
}

impl<R: Read> Record<'_, R> {
    /// Where in the file the record begins; where it is packed, its gzip member or zstd frame.
    pub fn offset(&self) -> u64 {
        self.start.offset
    }

    /// How many unpacked bytes of that member lie before it: 0 where every record has its own.
    pub fn inside(&self) -> u64 {
        self.start.inside
    }

    /// The named fields.
    pub fn fields(&self) -> &Fields {
        &self.fields
    }

    /// What the record is.
    pub fn record_type(&self) -> RecordType {
        self.fields.record_type()
    }

    /// Bytes of the block.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The status line (or request line) and headers that the block begins with, byte for byte, the empty line included; empty where the
    /// block is no HTTP message. To be called before anything of the block is read; what is read after it is the payload.
    pub fn http_head(&mut self) -> Result<Vec<u8>, Error> {
        let mut head = Vec::new();
        let mut part = [0; SKIP];
        while self.fields.is_http() {
            let count = self.reader.read_block(&mut part)?;
            head.extend_from_slice(&part[..count]);
            if let Some(length) = http::head_length(&head) {
                self.ahead = head.split_off(length);
                break;
            }
            if head.len() > self.reader.limits.http_head_bytes_max {
                return Err(Error::Damaged { offset: self.start.offset, fault: Fault::HttpHeadTooLong });
            }
            if count == 0 {
                break;
            }
        }
        Ok(head)
    }

    /// Reads what is left of the block, and tells whether the record is whole and its digests are right; also if reading told so already.
    pub fn finish(self) -> Result<(), Error> {
        match self.reader.state {
            State::Damaged { offset, fault } => Err(Error::Damaged { offset, fault }),
            _ => self.reader.finish(),
        }
    }
}

impl<R: Read> Read for Record<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if !self.ahead.is_empty() {
            let count = self.ahead.len().min(out.len());
            out[..count].copy_from_slice(&self.ahead[..count]);
            self.ahead.drain(..count);
            return Ok(count);
        }
        self.reader.read_block(out).map_err(invalid)
    }

    /// Takes what is unpacked as it lies there: the room for it need not be cleared first.
    fn read_to_end(&mut self, out: &mut Vec<u8>) -> io::Result<usize> {
        let length_before = out.len();
        out.append(&mut self.ahead);
        while self.reader.append_block(out).map_err(invalid)? > 0 {}
        Ok(out.len() - length_before)
    }
}

fn invalid(error: Error) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n')
}

fn check_first_line(line: &[u8]) -> Result<(), Fault> {
    match line {
        line if line.starts_with(RECORD_START) => Ok(()),
        line if line.starts_with(gzip::MAGIC) || line.starts_with(zstd_frame::MAGIC) => Err(Fault::PackedTwice),
        _ => Err(Fault::NoRecord),
    }
}
