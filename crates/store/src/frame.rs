//! zstd frames that lean on a raw prefix, kept without their magic number: what is around them has length and checksum.
//!
//! Contexts are kept for each thread, because making one takes longer than most of our frames. The calls with a
//! dictionary are used for the prefix (`ref_prefix` would tie a context to one prefix for good); they take it as raw
//! content unless it begins like a trained dictionary, which [`raw`] rules out on both sides.

use std::cell::RefCell;
use std::fmt;

use zstd_safe::{CCtx, CDict, DCtx, DParameter, FrameFormat, SafeResult};

const MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];
const DICTIONARY_MAGIC: [u8; 4] = [0x37, 0xA4, 0x30, 0xEC];

thread_local! {
    static COMPRESSOR: RefCell<CCtx<'static>> = RefCell::new(CCtx::create());
    static DECOMPRESSOR: RefCell<DCtx<'static>> = RefCell::new(magicless());
}

/// Compresses bytes into one frame that only `prefix` opens again.
pub(crate) fn compress(bytes: &[u8], prefix: &[u8], level: i32) -> Vec<u8> {
    framed(bytes, |context, frame| context.compress_using_dict(frame, bytes, raw(prefix), level))
}

/// A prefix that was read once for many frames; they open like those of [`compress`].
pub(crate) struct Digest(CDict<'static>);

impl Digest {
    pub(crate) fn of(prefix: &[u8], level: i32) -> Digest {
        Digest(CDict::create(raw(prefix), level))
    }

    /// Compresses bytes into one frame that only the prefix opens again.
    pub(crate) fn compress(&self, bytes: &[u8]) -> Vec<u8> {
        framed(bytes, |context, frame| context.compress_using_cdict(frame, bytes, &self.0))
    }

    /// How many bytes of memory this takes.
    pub(crate) fn weight(&self) -> usize {
        self.0.sizeof()
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Digest of {} B", self.weight())
    }
}

/// Opens a frame of exactly `length` bytes.
pub(crate) fn decompress(frame: &[u8], length: usize, prefix: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = vec![0; length];
    fill(frame, &mut bytes, prefix)?;
    Some(bytes)
}

/// Opens a frame of exactly `length` bytes at the end of `stream`, of which the last `prefix_length` are its prefix.
pub(crate) fn decompress_onto(stream: &mut Vec<u8>, frame: &[u8], length: usize, prefix_length: usize) -> Option<()> {
    let place = stream.len();
    stream.resize(place + length, 0);
    let (done, fresh) = stream.split_at_mut(place);
    fill(frame, fresh, done.get(place.checked_sub(prefix_length)?..)?)
}

/// Gives back what compressing at a high level holds in memory.
pub(crate) fn forget_compressor() {
    COMPRESSOR.with_borrow_mut(|context| *context = CCtx::create());
}

/// The frame that `compress` makes of the bytes, without its magic number.
fn framed(bytes: &[u8], compress: impl FnOnce(&mut CCtx<'static>, &mut Vec<u8>) -> SafeResult) -> Vec<u8> {
    let mut frame = Vec::with_capacity(zstd_safe::compress_bound(bytes.len()));
    COMPRESSOR.with_borrow_mut(|context| compress(context, &mut frame)).expect("the frame has room for the worst case");
    assert!(frame.starts_with(&MAGIC), "zstd frames begin with their magic number");
    frame.drain(..MAGIC.len());
    frame
}

fn fill(frame: &[u8], bytes: &mut [u8], prefix: &[u8]) -> Option<()> {
    let opened = DECOMPRESSOR.with_borrow_mut(|context| context.decompress_using_dict(bytes, frame, raw(prefix)));
    (opened.ok()? == bytes.len()).then_some(())
}

fn raw(prefix: &[u8]) -> &[u8] {
    if prefix.starts_with(&DICTIONARY_MAGIC) { &prefix[1..] } else { prefix }
}

fn magicless() -> DCtx<'static> {
    let mut context = DCtx::create();
    context.set_parameter(DParameter::Format(FrameFormat::Magicless)).expect("zstd knows frames without magic");
    context
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_opens_with_its_prefix() {
        let (prefix, bytes) = (b"a text about this and that".repeat(20), b"more about this and that".repeat(9));
        let alone = compress(&bytes, b"", 9);
        let leaning = compress(&bytes, &prefix, 9);
        assert!(leaning.len() < alone.len());
        assert_eq!(decompress(&leaning, bytes.len(), &prefix).as_deref(), Some(&bytes[..]));
        assert_ne!(decompress(&leaning, bytes.len(), b"").as_deref(), Some(&bytes[..]));
        assert_eq!(decompress(&leaning, bytes.len() + 1, &prefix), None);
    }

    #[test]
    fn a_prefix_that_begins_like_a_dictionary_is_raw_all_the_same() {
        let prefix = [&DICTIONARY_MAGIC[..], b"some raw content"].concat();
        let frame = compress(b"some raw content again", &prefix, 9);
        assert_eq!(decompress(&frame, 22, &prefix).as_deref(), Some(&b"some raw content again"[..]));
    }

    #[test]
    fn a_frame_made_with_a_digest_opens_like_any_other() {
        for prefix in [b"a text about this and that".repeat(20_000), [&DICTIONARY_MAGIC[..], b"about this"].concat()] {
            let digest = Digest::of(&prefix, 3);
            for bytes in [b"more about this and that".repeat(9), b"more about this and that".repeat(9000), Vec::new()] {
                let frame = digest.compress(&bytes);
                assert_eq!(decompress(&frame, bytes.len(), &prefix).as_deref(), Some(&bytes[..]));
            }
        }
    }

    #[test]
    fn a_frame_that_leans_on_nothing_opens_with_any_prefix() {
        let bytes = b"more about this and that".repeat(9);
        let frame = compress(&bytes, b"", 3);
        assert_eq!(decompress(&frame, bytes.len(), b"something else").as_deref(), Some(&bytes[..]));
    }

    #[test]
    fn a_frame_opens_onto_the_stream_it_leans_on() {
        let mut stream = b"first part, ".repeat(10);
        let frame = compress(b"first part again", &stream[60..], 9);
        decompress_onto(&mut stream, &frame, 16, 60).expect("the frame is whole");
        assert!(stream.ends_with(b"first part again"));
    }
}
