//! Undoes the compression of a body, within bounds of size and growth.

use std::io::{self, Read};

use flate2::bufread::{DeflateDecoder, GzDecoder, ZlibDecoder};
use zstd_safe::{DCtx, DParameter, InBuffer, OutBuffer};

use super::FetchLimits;

/// What is asked for: what [`Coding`] can undo.
pub(super) const ACCEPT_ENCODING: &str = "gzip, deflate, br, zstd";

/// A way in which a body is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    Gzip,
    Deflate,
    Brotli,
    Zstd,
}

/// A body after decoding.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Decoded {
    /// As the server holds it.
    Plain(Vec<u8>),
    /// The body is not what its header says; nothing is known but the bytes themselves.
    Lie,
    /// It grows beyond the ratio.
    Bomb,
    /// It grows beyond the largest body.
    TooLarge,
}

/// The codings that the values of `Content-Encoding` name, in the order they were applied; `None` if one is unknown.
pub(super) fn codings<'a>(values: impl Iterator<Item = &'a [u8]>) -> Option<Vec<Coding>> {
    let names = values.flat_map(|value| value.split(|&byte| byte == b',')).map(<[u8]>::trim_ascii);
    let mut codings = Vec::new();
    for name in names.filter(|name| !name.is_empty() && !name.eq_ignore_ascii_case(b"identity")) {
        codings.push(match name.to_ascii_lowercase().as_slice() {
            b"gzip" | b"x-gzip" => Coding::Gzip,
            b"deflate" => Coding::Deflate,
            b"br" => Coding::Brotli,
            b"zstd" => Coding::Zstd,
            _ => return None,
        });
    }
    (codings.len() <= CODINGS_MAX).then_some(codings)
}

/// A body without the codings that the values of its `Content-Encoding` name; `None` where they name none, and where it cannot be had within the limits.
pub fn decoded_body<'a>(raw: &[u8], values: impl Iterator<Item = &'a [u8]>, limits: &FetchLimits) -> Option<Vec<u8>> {
    let codings = codings(values).filter(|codings| !codings.is_empty())?;
    match decode(raw, &codings, limits) {
        Decoded::Plain(body) => Some(body),
        Decoded::Lie | Decoded::Bomb | Decoded::TooLarge => None,
    }
}

/// Codings applied one after the other that are undone. More than one is a mistake already.
const CODINGS_MAX: usize = 3;

/// Undoes the codings, the last one first.
pub(super) fn decode(raw: &[u8], codings: &[Coding], limits: &FetchLimits) -> Decoded {
    // Small bodies may grow as they like: a page of one repeated line is no attack.
    let grown_max = raw.len().saturating_mul(limits.ratio).max(GROWTH_FREE);
    let bytes_max = grown_max.min(limits.body_bytes);
    let mut body = None;
    for &coding in codings.iter().rev() {
        match undo(coding, body.as_deref().unwrap_or(raw), bytes_max) {
            Ok(plain) if plain.len() <= bytes_max => body = Some(plain),
            Ok(_) if bytes_max == grown_max => return Decoded::Bomb,
            Ok(_) => return Decoded::TooLarge,
            Err(_) => return Decoded::Lie,
        }
    }
    Decoded::Plain(body.unwrap_or_else(|| raw.to_vec()))
}

/// Bytes that any body may grow to.
const GROWTH_FREE: usize = 1 << 20;

/// Undoes one coding; stops one byte after `bytes_max`.
fn undo(coding: Coding, coded: &[u8], bytes_max: usize) -> io::Result<Vec<u8>> {
    match coding {
        Coding::Gzip => gunzip(coded, bytes_max),
        // The header's word means zlib's frame, but servers that send the bare stream are as old as the word.
        Coding::Deflate => read_bounded(ZlibDecoder::new(coded), coded.len(), bytes_max)
            .or_else(|_| read_bounded(DeflateDecoder::new(coded), coded.len(), bytes_max)),
        Coding::Brotli => {
            read_bounded(brotli_decompressor::Decompressor::new(coded, BROTLI_BUFFER), coded.len(), bytes_max)
        }
        Coding::Zstd => unzstd(coded, bytes_max),
    }
}

const BROTLI_BUFFER: usize = 4096;

fn read_bounded(decoder: impl Read, coded_len: usize, bytes_max: usize) -> io::Result<Vec<u8>> {
    let mut plain = Vec::with_capacity(guess(coded_len, bytes_max));
    decoder.take(bytes_max as u64 + 1).read_to_end(&mut plain)?;
    Ok(plain)
}

/// Room for a page that shrank to a quarter, as pages do.
fn guess(coded_len: usize, bytes_max: usize) -> usize {
    coded_len.saturating_mul(4).min(bytes_max) + 1
}

/// A gzip body may be several files one after the other; what follows the last one is ignored, as browsers do.
fn gunzip(coded: &[u8], bytes_max: usize) -> io::Result<Vec<u8>> {
    let mut decoder = GzDecoder::new(coded);
    let mut plain = Vec::with_capacity(guess(coded.len(), bytes_max));
    loop {
        let room = (bytes_max + 1).saturating_sub(plain.len());
        decoder.by_ref().take(room as u64).read_to_end(&mut plain)?;
        let rest = decoder.into_inner();
        if plain.len() > bytes_max || !rest.starts_with(GZIP_MAGIC) {
            return Ok(plain);
        }
        decoder = GzDecoder::new(rest);
    }
}

const GZIP_MAGIC: &[u8] = b"\x1f\x8b";

fn unzstd(coded: &[u8], bytes_max: usize) -> io::Result<Vec<u8>> {
    let broken = |code| io::Error::new(io::ErrorKind::InvalidData, zstd_safe::get_error_name(code));
    let mut context = DCtx::create();
    context.set_parameter(DParameter::WindowLogMax(ZSTD_WINDOW_LOG_MAX)).map_err(broken)?;
    let mut plain = Vec::with_capacity(guess(coded.len(), bytes_max));
    let mut input = InBuffer::around(coded);
    loop {
        let place = plain.len();
        let mut output = OutBuffer::around_pos(&mut plain, place);
        let missing = context.decompress_stream(&mut output, &mut input).map_err(broken)?;
        let (full, ended) = (plain.len() == plain.capacity(), input.pos == coded.len());
        if plain.len() > bytes_max || (ended && missing == 0) {
            return Ok(plain);
        }
        if ended && !full {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if full {
            plain.reserve(plain.len().min(bytes_max));
        }
    }
}

/// 8 MiB, which is what RFC 9659 allows on the Web.
const ZSTD_WINDOW_LOG_MAX: u32 = 23;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codings_are_read_in_order_from_all_lines() {
        let read = |lines: &[&str]| codings(lines.iter().map(|line| line.as_bytes()));
        assert_eq!(read(&["gzip, BR", "x-gzip"]), Some(vec![Coding::Gzip, Coding::Brotli, Coding::Gzip]));
        assert_eq!(read(&["identity", ""]), Some(vec![]));
        assert_eq!(read(&["gzip, rot13"]), None);
        assert_eq!(read(&["gzip,gzip,gzip,gzip"]), None);
    }
}
