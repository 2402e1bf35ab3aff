//! The unpacked bytes of a file: what its gzip members or zstd frames hold, one after the other, or the file itself.
//!
//! The first bytes tell which it is. A plain file is one member; every member ends where its packing says.

use std::io::Read;

use crc32fast::Hasher as Checksum;
use flate2::{Decompress, FlushDecompress, Status};
use zstd_safe::{DCtx, InBuffer, OutBuffer, ResetDirective};

use crate::Limits;
use crate::error::{Fault, Trouble};
use crate::gzip;
use crate::source::Source;
use crate::zstd_frame;

/// Unpacked bytes in memory at once.
const UNPACKED: usize = 64 << 10;

/// Bytes of a member that are unpacked to see whether a record begins there.
const TRIAL: usize = 4 << 10;

/// How a record begins, whatever its version.
pub(crate) const RECORD_START: &[u8] = b"WARC/1.";

/// How records are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Packing {
    /// Not at all.
    Plain,
    /// As gzip members.
    Gzip,
    /// As zstd frames, perhaps with a dictionary in a frame before them.
    Zstd,
}

pub(crate) struct Members<R> {
    source: Source<R>,
    packing: Option<Packing>,
    limits: Limits,
    /// Whether a member is being read, and whether it turned out to be damaged.
    is_open: bool,
    is_broken: bool,
    /// Where the member begins in the file, and how much of it was taken.
    offset: u64,
    inside: u64,
    unpacked: Box<[u8]>,
    start: usize,
    end: usize,
    inflate: Decompress,
    checksum: Checksum,
    zstd: DCtx<'static>,
}

impl<R: Read> Members<R> {
    pub(crate) fn new(reader: R, limits: Limits) -> Members<R> {
        Members {
            source: Source::new(reader),
            packing: None,
            limits,
            is_open: false,
            is_broken: false,
            offset: 0,
            inside: 0,
            unpacked: vec![0; UNPACKED].into_boxed_slice(),
            start: 0,
            end: 0,
            inflate: Decompress::new(false),
            checksum: Checksum::new(),
            zstd: DCtx::create(),
        }
    }

    /// How the file is packed, once it was looked at.
    pub(crate) fn packing(&self) -> Option<Packing> {
        self.packing
    }

    /// Where in the file the next byte comes from: for packed ones, where their member begins.
    pub(crate) fn offset(&self) -> u64 {
        if self.packing == Some(Packing::Plain) { self.source.offset() } else { self.offset }
    }

    /// How many unpacked bytes of the member lie before the next byte.
    pub(crate) fn inside(&self) -> u64 {
        self.inside
    }

    /// How far into the file was read.
    pub(crate) fn file_offset(&self) -> u64 {
        self.source.offset()
    }

    /// Whether what is left of the member cannot be unpacked.
    pub(crate) fn is_broken(&self) -> bool {
        self.is_broken
    }

    /// Goes to the next member; false at the end of the file.
    pub(crate) fn open_next(&mut self) -> Result<bool, Trouble> {
        self.close();
        let opened = self.open();
        self.is_broken = opened.is_err();
        opened
    }

    fn open(&mut self) -> Result<bool, Trouble> {
        let packing = match self.packing {
            Some(packing) => packing,
            None => self.detect()?,
        };
        self.offset = self.source.offset();
        if self.source.fill()?.is_empty() {
            return Ok(false);
        }
        self.is_open = true;
        match packing {
            Packing::Plain => {}
            Packing::Gzip => self.open_gzip()?,
            Packing::Zstd => return self.open_zstd(),
        }
        Ok(true)
    }

    /// The next unpacked bytes; empty where the member ends, and before the first one.
    pub(crate) fn fill(&mut self) -> Result<&[u8], Trouble> {
        if self.packing == Some(Packing::Plain) && self.is_open {
            return Ok(self.source.fill()?);
        }
        while self.start == self.end && self.is_open {
            (self.start, self.end) = (0, 0);
            let unpacked = match self.packing {
                Some(Packing::Gzip) => self.inflate_more(),
                _ => self.unpack_more(),
            };
            self.is_broken = unpacked.is_err();
            unpacked?;
        }
        Ok(&self.unpacked[self.start..self.end])
    }

    /// Goes on behind so many of the bytes that [`Members::fill`] gave.
    pub(crate) fn consume(&mut self, count: usize) {
        self.inside += count as u64;
        match self.packing {
            Some(Packing::Plain) => self.source.consume(count),
            _ => self.start = (self.start + count).min(self.end),
        }
    }

    /// Copies some of the next unpacked bytes; 0 where the member ends.
    pub(crate) fn read(&mut self, out: &mut [u8]) -> Result<usize, Trouble> {
        let bytes = self.fill()?;
        let count = bytes.len().min(out.len());
        out[..count].copy_from_slice(&bytes[..count]);
        self.consume(count);
        Ok(count)
    }

    /// The next byte; `None` where the member ends.
    pub(crate) fn next_byte(&mut self) -> Result<Option<u8>, Trouble> {
        Ok(self.fill()?.first().copied())
    }

    /// After damage: goes to the next place of the file where a record begins; false where there is none. What was read behind
    /// `from` is looked through again, as far as it is still there, because a damaged length or member runs on into its neighbours.
    pub(crate) fn resynchronise(&mut self, from: u64) -> Result<bool, Trouble> {
        self.close();
        self.source.seek(from);
        loop {
            let Some(at) = self.find_candidate()? else { return Ok(false) };
            self.source.consume(at);
            if self.begins_record()? {
                return Ok(true);
            }
            self.source.consume(1);
        }
    }

    /// Where, in the bytes ahead, something stands that a record's packing may begin with; goes on until there is one.
    fn find_candidate(&mut self) -> Result<Option<usize>, Trouble> {
        let magic: &[u8] = match self.packing {
            Some(Packing::Gzip) => gzip::MAGIC,
            Some(Packing::Zstd) => zstd_frame::MAGIC,
            _ => b"\nWARC/1.",
        };
        loop {
            let ahead = self.source.peek(TRIAL)?;
            if ahead.is_empty() {
                return Ok(None);
            }
            if let Some(at) = memchr::memmem::find(ahead, magic) {
                return Ok(Some(at));
            }
            let passed = ahead.len().saturating_sub(magic.len() - 1).max(1);
            self.source.consume(passed);
        }
    }

    /// Whether a record begins at the next byte, judged by its first unpacked ones.
    fn begins_record(&mut self) -> Result<bool, Trouble> {
        let packing = self.packing;
        if packing == Some(Packing::Plain) {
            self.source.consume(1);
            return Ok(true);
        }
        let ahead = self.source.peek(TRIAL)?;
        let mut first = [0; RECORD_START.len()];
        match packing {
            Some(Packing::Gzip) => {
                let Some(head) = gzip::head_length(ahead) else { return Ok(false) };
                self.inflate.reset(false);
                let unpacked = self.inflate.decompress(&ahead[head..], &mut first, FlushDecompress::None);
                Ok(unpacked.is_ok() && first == RECORD_START)
            }
            _ => {
                reset(&mut self.zstd)?;
                let (mut input, mut output) = (InBuffer::around(ahead), OutBuffer::around(&mut first[..]));
                let unpacked = self.zstd.decompress_stream(&mut output, &mut input);
                Ok(unpacked.is_ok() && first == RECORD_START)
            }
        }
    }

    fn close(&mut self) {
        (self.is_open, self.is_broken) = (false, false);
        (self.start, self.end, self.inside) = (0, 0, 0);
    }

    fn detect(&mut self) -> Result<Packing, Trouble> {
        let first = self.source.peek(4)?;
        let packing = match first {
            first if first.starts_with(gzip::MAGIC) => Packing::Gzip,
            first if first.starts_with(zstd_frame::MAGIC) || zstd_frame::is_skippable(first) => Packing::Zstd,
            _ => Packing::Plain,
        };
        self.packing = Some(packing);
        if packing == Packing::Zstd {
            let dictionary = zstd_frame::dictionary(&mut self.source, self.limits.dictionary_bytes_max)?;
            let loaded = dictionary.map(|dictionary| self.zstd.load_dictionary(&dictionary)).transpose();
            loaded.map_err(|_| Fault::BadDictionary)?;
        }
        Ok(packing)
    }

    fn open_gzip(&mut self) -> Result<(), Trouble> {
        let ahead = self.source.peek(gzip::HEAD_BYTES_MAX)?;
        let Some(head) = gzip::head_length(ahead) else {
            let is_cut = gzip::MAGIC.starts_with(&ahead[..ahead.len().min(3)]) || ahead.starts_with(gzip::MAGIC);
            return Err(if is_cut { Fault::CutShort.into() } else { Fault::NoRecord.into() });
        };
        self.source.consume(head);
        self.inflate.reset(false);
        self.checksum.reset();
        Ok(())
    }

    fn inflate_more(&mut self) -> Result<(), Trouble> {
        let packed = self.source.fill()?;
        if packed.is_empty() {
            return Err(Fault::CutShort.into());
        }
        let (before_in, before_out) = (self.inflate.total_in(), self.inflate.total_out());
        let status = self.inflate.decompress(packed, &mut self.unpacked, FlushDecompress::None);
        let status = status.map_err(|_| Fault::BadGzip)?;
        self.end = (self.inflate.total_out() - before_out) as usize;
        let taken = (self.inflate.total_in() - before_in) as usize;
        self.checksum.update(&self.unpacked[..self.end]);
        self.source.consume(taken);
        match status {
            Status::StreamEnd => self.end_gzip(),
            _ if taken == 0 && self.end == 0 => Err(Fault::BadGzip.into()),
            _ => Ok(()),
        }
    }

    /// What follows a member: its checksum and its length.
    fn end_gzip(&mut self) -> Result<(), Trouble> {
        let checksum = std::mem::take(&mut self.checksum).finalize();
        // The standard says: the length modulo 2^32.
        let length = self.inflate.total_out() as u32;
        let expected = [checksum.to_le_bytes(), length.to_le_bytes()].concat();
        let ahead = self.source.peek(expected.len())?;
        let found = ahead.get(..expected.len()).ok_or(Fault::CutShort)?;
        if found != expected {
            return Err(Fault::BadGzip.into());
        }
        self.source.consume(expected.len());
        self.is_open = false;
        Ok(())
    }

    fn open_zstd(&mut self) -> Result<bool, Trouble> {
        while zstd_frame::is_skippable(self.source.peek(4)?) {
            zstd_frame::skip(&mut self.source)?;
            self.offset = self.source.offset();
        }
        let ahead = self.source.peek(4)?;
        if ahead.is_empty() {
            self.close();
            return Ok(false);
        }
        if !ahead.starts_with(zstd_frame::MAGIC) {
            let is_cut = zstd_frame::MAGIC.starts_with(&ahead[..ahead.len().min(4)]);
            return Err(if is_cut { Fault::CutShort.into() } else { Fault::NoRecord.into() });
        }
        reset(&mut self.zstd)?;
        Ok(true)
    }

    fn unpack_more(&mut self) -> Result<(), Trouble> {
        let packed = self.source.fill()?;
        let is_last = packed.is_empty();
        let (mut input, mut output) = (InBuffer::around(packed), OutBuffer::around(&mut self.unpacked[..]));
        let left = self.zstd.decompress_stream(&mut output, &mut input).map_err(|_| Fault::BadZstd)?;
        let (taken, given) = (input.pos(), output.pos());
        self.end = given;
        self.source.consume(taken);
        match left {
            0 => self.is_open = false,
            _ if given == 0 && is_last => return Err(Fault::CutShort.into()),
            _ => {}
        }
        Ok(())
    }
}

/// Begins a new frame; the dictionary stays.
fn reset(zstd: &mut DCtx<'_>) -> Result<(), Trouble> {
    zstd.reset(ResetDirective::SessionOnly).map_err(|_| Fault::BadZstd)?;
    Ok(())
}
