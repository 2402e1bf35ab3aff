//! What the bytes themselves say of their charset, and when that is proof enough to overrule a label.
//!
//! Bytes in, a charset out. A label is overruled only where the bytes could hardly be what it says: a few broken
//! bytes in a page (cut, or spliced from two) prove nothing.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use crate::text::count_bytes;

/// How much of a body the detector is fed at most, and how many bytes above 0x7f among it: as many as two screens of
/// Chinese have. The detector is slow (2 MB/s of Chinese), and more does not change its mind.
const DETECTED_BYTES: usize = 1 << 20;
const DETECTED_WIDE_BYTES: usize = 4096;

/// How much of a body is looked at for the zeros of UTF-16.
const UTF_16_SAMPLE_BYTES: usize = 4096;

/// Fewer broken sequences than this are an accident, whatever the rest looks like.
const BROKEN_MIN: usize = 4;

/// How the non-ASCII bytes of a body fit UTF-8.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Utf8Shape {
    /// Characters of two bytes.
    pub(super) short: usize,
    /// Characters of three or four bytes.
    pub(super) long: usize,
    /// Places where the bytes are not UTF-8.
    pub(super) broken: usize,
}

impl Utf8Shape {
    pub(super) fn of(body: &[u8]) -> Utf8Shape {
        let mut shape = Utf8Shape::default();
        let mut rest = body;
        while !rest.is_empty() {
            // Several times as fast as `utf8_chunks`, which looks at each byte.
            let (valid, broken) = match std::str::from_utf8(rest) {
                Ok(_) => (rest.len(), 0),
                Err(error) => (error.valid_up_to(), error.error_len().unwrap_or(rest.len() - error.valid_up_to())),
            };
            let long = count_bytes(&rest[..valid], |byte| byte >= 0xe0) as usize;
            shape.short += count_bytes(&rest[..valid], |byte| byte >= 0xc0) as usize - long;
            shape.long += long;
            shape.broken += usize::from(broken > 0);
            rest = &rest[valid + broken..];
        }
        shape
    }

    fn whole(self) -> usize {
        self.short + self.long
    }
}

/// UTF-16 without a byte-order mark: the ASCII of its markup leaves a zero in every other byte.
pub(super) fn utf_16_by_zeros(body: &[u8]) -> Option<&'static Encoding> {
    let sample = &body[..body.len().min(UTF_16_SAMPLE_BYTES) & !1];
    memchr::memchr(0, sample)?;
    let count = |zero: usize, ascii: usize| {
        sample.chunks_exact(2).filter(|pair| pair[zero] == 0 && matches!(pair[ascii], b'\t'..=b'~')).count()
    };
    let (little, big) = (count(1, 0), count(0, 1));
    // Markup makes up a fifth of any page, and the other order shows only where a character ends in 00.
    let enough = sample.len() / 2 / 5;
    if little > enough.max(3) && little > 8 * big {
        Some(UTF_16LE)
    } else if big > enough.max(3) && big > 8 * little {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// Whether a body that is valid UTF-8 throughout, but labelled otherwise, is UTF-8 beyond doubt.
///
/// Text of another charset passes for UTF-8 by accident the more easily the more of its bytes lie above 0x7f. In
/// windows-1252 a single `Ã©` is proof; a short GBK word may well be valid UTF-8.
pub(super) fn is_surely_utf_8(shape: Utf8Shape, labelled: &'static Encoding) -> bool {
    let score_min = if labelled == WINDOWS_1252 {
        1
    } else if labelled.is_single_byte() {
        2
    } else {
        6
    };
    shape.broken == 0 && shape.short + 2 * shape.long >= score_min
}

/// The charset of a body labelled UTF-8 that is not, where the bytes prove it.
pub(super) fn instead_of_utf_8(body: &[u8], shape: Utf8Shape) -> Option<&'static Encoding> {
    if shape.broken < BROKEN_MIN || shape.broken <= shape.whole() {
        return None;
    }
    let found = detect(body);
    if found == UTF_8 {
        None
    } else if found.is_single_byte() {
        (shape.broken > 8 * shape.whole()).then_some(found)
    } else {
        fits(body, found).then_some(found)
    }
}

/// The charset of a body labelled windows-1252 that is East Asian, where the bytes prove it: any bytes are valid in
/// a Latin charset, but text in common two-byte characters throughout is no accident.
pub(super) fn instead_of_latin(body: &[u8]) -> Option<&'static Encoding> {
    east_asian_pairs(body).filter(|&pairs| pairs >= EAST_ASIAN_PAIRS_MIN)?;
    Some(detect(body)).filter(|found| !found.is_single_byte() && fits(body, found))
}

/// The charset of a body that decoded badly by its label, where the bytes prove it. Single-byte charsets fit
/// anything, so fitting proves nothing of them.
pub(super) fn instead_of_legacy(body: &[u8], decoded: &str) -> Option<&'static Encoding> {
    if is_nearly_whole(decoded) {
        return None;
    }
    Some(detect(body)).filter(|found| !found.is_single_byte() && fits(body, found))
}

/// The charset of a body without a label.
pub(super) fn unlabelled(body: &[u8], shape: Utf8Shape) -> &'static Encoding {
    // A cut or spliced page of UTF-8 stays UTF-8: its broken places are few.
    if shape.broken > 0 && shape.broken * 20 <= shape.whole() {
        return UTF_8;
    }
    detect(body)
}

fn detect(body: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    let wide = body.iter().take(DETECTED_BYTES).enumerate().filter(|(_, byte)| **byte >= 0x80);
    let enough = wide.map(|(at, _)| at).nth(DETECTED_WIDE_BYTES);
    let sample = &body[..enough.unwrap_or(body.len().min(DETECTED_BYTES))];
    detector.feed(sample, sample.len() == body.len());
    detector.guess(None, Utf8Detection::Deny)
}

/// One malformed sequence in this many characters is forgiven: pages are cut within a character.
const MALFORMED_SHARE: usize = 200;

/// Whether the body decodes by this charset with next to no malformed sequences.
fn fits(body: &[u8], encoding: &'static Encoding) -> bool {
    let (text, malformed) = encoding.decode_without_bom_handling(body);
    !malformed || is_nearly_whole(&text)
}

fn is_nearly_whole(text: &str) -> bool {
    let wide = text.chars().filter(|character| !character.is_ascii()).count();
    let malformed = text.chars().filter(|&character| character == char::REPLACEMENT_CHARACTER).count();
    malformed * MALFORMED_SHARE <= wide
}

/// As many common two-byte characters as a short paragraph has.
const EAST_ASIAN_PAIRS_MIN: usize = 24;

/// How many two-byte characters a body holds, if all its bytes above 0x7f stand in such pairs and nearly all of the
/// pairs lie where the charsets of East Asia keep their common characters.
fn east_asian_pairs(body: &[u8]) -> Option<usize> {
    let mut pairs = 0;
    let mut common = 0;
    let mut bytes = body.iter().copied();
    while let Some(lead) = bytes.next() {
        if lead < 0x80 {
            continue;
        }
        let trail = bytes.next()?;
        if lead == 0x80 || lead == 0xff || trail < 0x40 {
            return None;
        }
        pairs += 1;
        // Punctuation and level one: GB 2312 and EUC-KR 0xa1-0xd7, Big5 0xa1-0xc6; Shift_JIS 0x81-0x97.
        common += usize::from(matches!(lead, 0x81..=0x97 | 0xa1..=0xd7));
    }
    (common * 10 >= pairs * 9).then_some(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shape_counts_characters_by_length_and_broken_places() {
        assert_eq!(Utf8Shape::of("aé块🧱".as_bytes()), Utf8Shape { short: 1, long: 2, broken: 0 });
        assert_eq!(Utf8Shape::of(b"a\xff\xffb\xc3\xa9\xe5\x9d"), Utf8Shape { short: 1, long: 0, broken: 3 });
    }

    #[test]
    fn utf_16_is_told_by_its_zeros() {
        let utf_16 =
            |text: &str, order: fn(u16) -> [u8; 2]| -> Vec<u8> { text.encode_utf16().flat_map(order).collect() };
        let page = "<html><p>拆分网页的方法</p></html>";
        assert_eq!(utf_16_by_zeros(&utf_16(page, u16::to_le_bytes)), Some(UTF_16LE));
        assert_eq!(utf_16_by_zeros(&utf_16(page, u16::to_be_bytes)), Some(UTF_16BE));
        assert_eq!(utf_16_by_zeros(b"<p>one\0two\0three"), None);
        assert_eq!(utf_16_by_zeros(&[0; 64]), None);
    }
}
