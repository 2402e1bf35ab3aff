//! Writes records, each packed on its own, so that any of them can be read by where it begins.

use std::io::{self, ErrorKind, Read, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use zstd_safe::{CCtx, CParameter, InBuffer, OutBuffer, ResetDirective, zstd_sys::ZSTD_EndDirective};

use crate::{Digest, Fields, Packing, zstd_frame};

/// Bytes copied or packed at once.
const PART: usize = 64 << 10;

/// Writes the records of a file.
pub struct Writer<W: Write> {
    out: Counted<W>,
    packing: Packing,
    zstd: CCtx<'static>,
}

impl<W: Write> Writer<W> {
    /// Writes to a new file.
    pub fn new(out: W, packing: Packing) -> Writer<W> {
        Writer { out: Counted { out, offset: 0 }, packing, zstd: CCtx::create() }
    }

    /// Writes a zstd file whose frames lean on a dictionary, which stands in its first one.
    pub fn with_dictionary(out: W, dictionary: &[u8]) -> io::Result<Writer<W>> {
        let mut writer = Writer::new(out, Packing::Zstd);
        let length = u32::try_from(dictionary.len()).map_err(|_| invalid("the dictionary is too long"))?;
        writer.out.write_all(zstd_frame::DICTIONARY_MAGIC)?;
        writer.out.write_all(&length.to_le_bytes())?;
        writer.out.write_all(dictionary)?;
        writer.zstd.load_dictionary(dictionary).map_err(|_| invalid("not a zstd dictionary"))?;
        Ok(writer)
    }

    /// Writes a record of WARC 1.1 and answers where it begins. A `Content-Length` is added where the fields have none.
    ///
    /// Fails where the block is not `length` bytes long, or a field would not come back as it is.
    pub fn write(&mut self, fields: &Fields, length: u64, block: impl Read) -> io::Result<u64> {
        let offset = self.out.offset;
        let head = head(fields, length)?;
        match self.packing {
            Packing::Plain => write_record(&mut self.out, &head, length, block)?,
            Packing::Gzip => {
                let mut member = GzEncoder::new(&mut self.out, Compression::default());
                write_record(&mut member, &head, length, block)?;
                member.finish()?;
            }
            Packing::Zstd => {
                let mut frame = Frame::new(&mut self.zstd, &mut self.out)?;
                write_record(&mut frame, &head, length, block)?;
                frame.finish()?;
            }
        }
        Ok(offset)
    }

    /// How many bytes the file has so far.
    pub fn offset(&self) -> u64 {
        self.out.offset
    }

    /// Gives back what was written to, flushed.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out.out)
    }
}

impl Fields {
    /// With the SHA-1 digests of a block and of the payload that is its end, as nearly all tools write them.
    pub fn with_digests(self, block: &[u8], payload: Option<&[u8]>) -> Fields {
        let fields = match payload {
            Some(payload) => self.with("WARC-Payload-Digest", Digest::sha1(payload).to_string()),
            None => self,
        };
        fields.with("WARC-Block-Digest", Digest::sha1(block).to_string())
    }
}

/// The lines before a block.
fn head(fields: &Fields, length: u64) -> io::Result<Vec<u8>> {
    let mut head = b"WARC/1.1\r\n".to_vec();
    for (name, value) in fields.iter() {
        let is_name = !name.is_empty() && name.iter().all(|byte| byte.is_ascii_graphic() && *byte != b':');
        let is_value = value.trim_ascii() == value && !value.iter().any(|byte| matches!(byte, b'\r' | b'\n'));
        if !is_name || !is_value {
            return Err(invalid("not a named field that can be read back"));
        }
        head.extend_from_slice(&[name, b": ", value, b"\r\n"].concat());
    }
    match fields.get("Content-Length").map(|_| fields.content_length()) {
        None => head.extend_from_slice(format!("Content-Length: {length}\r\n").as_bytes()),
        Some(said) if said == Some(length) => {}
        Some(_) => return Err(invalid("Content-Length is not that of the block")),
    }
    head.extend_from_slice(b"\r\n");
    Ok(head)
}

fn write_record(out: &mut impl Write, head: &[u8], length: u64, block: impl Read) -> io::Result<()> {
    out.write_all(head)?;
    // One byte more than there should be, to see that there is none.
    let copied = io::copy(&mut block.take(length.saturating_add(1)), out)?;
    if copied != length {
        return Err(invalid("the block is not as long as was said"));
    }
    out.write_all(b"\r\n\r\n")
}

fn invalid(what: &'static str) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, what)
}

/// What counts the bytes that go through it.
struct Counted<W> {
    out: W,
    offset: u64,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.out.write(bytes)?;
        self.offset += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A zstd frame on its way out.
struct Frame<'a, W: Write> {
    zstd: &'a mut CCtx<'static>,
    out: &'a mut W,
    packed: Vec<u8>,
}

impl<'a, W: Write> Frame<'a, W> {
    fn new(zstd: &'a mut CCtx<'static>, out: &'a mut W) -> io::Result<Frame<'a, W>> {
        zstd.reset(ResetDirective::SessionOnly).map_err(zstd_error)?;
        zstd.set_parameter(CParameter::ChecksumFlag(true)).map_err(zstd_error)?;
        Ok(Frame { zstd, out, packed: vec![0; PART] })
    }

    fn press(&mut self, bytes: &[u8], directive: ZSTD_EndDirective) -> io::Result<()> {
        let mut input = InBuffer::around(bytes);
        loop {
            let mut output = OutBuffer::around(&mut self.packed[..]);
            let left = self.zstd.compress_stream2(&mut output, &mut input, directive).map_err(zstd_error)?;
            let count = output.pos();
            self.out.write_all(&self.packed[..count])?;
            let is_done = match directive {
                ZSTD_EndDirective::ZSTD_e_end => left == 0,
                _ => input.pos() == bytes.len(),
            };
            if is_done {
                return Ok(());
            }
        }
    }

    fn finish(mut self) -> io::Result<()> {
        self.press(&[], ZSTD_EndDirective::ZSTD_e_end)
    }
}

impl<W: Write> Write for Frame<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.press(bytes, ZSTD_EndDirective::ZSTD_e_continue)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn zstd_error(code: usize) -> io::Error {
    io::Error::other(zstd_safe::get_error_name(code))
}
