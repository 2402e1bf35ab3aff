//! Cuts a body into pieces, the unit in which a reel keeps things once.
//!
//! A piece ends where its own bytes say so, so an edit moves at most the cuts beside it, and a run of pieces can be cut
//! again from its bytes alone: recipes need not say how long each piece is.

use memchr::memchr2;

/// Pieces are at least this long; what is looked at to find a cut must lie within.
const LENGTH_MIN: usize = 64;
/// Pieces are at most this long.
const LENGTH_MAX: usize = 4096;
/// From here on a piece may also end within a line and outside of tags, as in scripts and data.
const SOFT_FROM: usize = 1024;
/// One in `2^CUT_BITS` of the ends of lines and tags is a cut. Calibrated on dev, where 1 in 2 and 1 in 8 take up
/// to 2 % more.
const CUT_BITS: u32 = 2;
/// One in `2^SOFT_CUT_BITS` of the soft places is a cut.
const SOFT_CUT_BITS: u32 = 5;
/// How many bytes before a place decide whether it is a cut.
const CONTEXT_LENGTH: usize = 16;

/// The pieces of a body, or of a run of whole pieces, in order.
pub(crate) fn cut(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (piece, after) = rest.split_at(first_piece_length(rest));
        rest = after;
        Some(piece)
    })
}

/// A number by which a piece is found again. Only a hint: whoever finds one compares the bytes.
pub(crate) fn print_of(piece: &[u8]) -> u64 {
    let mut print = piece.len() as u64 ^ 0x9E37_79B9_7F4A_7C15;
    let (words, rest) = piece.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    for word in words.iter().chain([&last]) {
        print = (print ^ u64::from_le_bytes(*word)).wrapping_mul(0x9FB2_1C65_1E98_DF25);
        print ^= print >> 32;
    }
    print
}

fn first_piece_length(bytes: &[u8]) -> usize {
    let bytes = &bytes[..bytes.len().min(LENGTH_MAX)];
    if bytes.len() <= LENGTH_MIN {
        return bytes.len();
    }
    first_hard_cut(&bytes[..bytes.len().min(SOFT_FROM)]).or_else(|| first_soft_cut(bytes)).unwrap_or(bytes.len())
}

/// The first cut after a line or a tag.
fn first_hard_cut(bytes: &[u8]) -> Option<usize> {
    let mut place = LENGTH_MIN - 1;
    while let Some(step) = memchr2(b'\n', b'>', bytes.get(place..)?) {
        place += step + 1;
        if is_low(&bytes[..place], CUT_BITS) {
            return Some(place);
        }
    }
    None
}

/// The first cut of a piece that has become long.
fn first_soft_cut(bytes: &[u8]) -> Option<usize> {
    (SOFT_FROM + 1..=bytes.len()).find(|&place| match bytes[place - 1] {
        b'\n' | b'>' => is_low(&bytes[..place], CUT_BITS),
        b';' | b',' | b'}' | b' ' => is_low(&bytes[..place], SOFT_CUT_BITS),
        _ => false,
    })
}

/// Whether the hash of the last bytes is low enough for a cut after them.
fn is_low(bytes: &[u8], bits: u32) -> bool {
    let context: &[u8; CONTEXT_LENGTH] = bytes.last_chunk().expect("a piece is longer than the context of its cut");
    let whole = u128::from_le_bytes(*context);
    let (low, high) = (whole as u64, (whole >> 64) as u64);
    let hash = (low ^ high).wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(high).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    hash >> (64 - bits) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> String {
        (0..400).map(|index| format!("<li><a href=/{index}>Entry {}</a>, and more of it\n", index * 7919)).collect()
    }

    #[test]
    fn pieces_are_the_body_and_keep_their_bounds() {
        for body in [page().into_bytes(), vec![b'x'; 20_000], b"a b;".repeat(5_000), Vec::new(), vec![b'>'; 70]] {
            let pieces: Vec<&[u8]> = cut(&body).collect();
            assert_eq!(pieces.concat(), body);
            let inner = &pieces[..pieces.len().saturating_sub(1)];
            assert!(inner.iter().all(|piece| (LENGTH_MIN..=LENGTH_MAX).contains(&piece.len())));
        }
    }

    #[test]
    fn a_run_of_pieces_is_cut_like_the_whole() {
        let body = page();
        let pieces: Vec<&[u8]> = cut(body.as_bytes()).collect();
        for from in 0..pieces.len() {
            for to in [from + 1, pieces.len()] {
                let run = pieces[from..to].concat();
                assert_eq!(cut(&run).collect::<Vec<_>>(), pieces[from..to]);
            }
        }
    }

    #[test]
    fn an_edit_moves_only_the_cuts_beside_it() {
        let before = page();
        let after = before.replacen("Entry 1583800", "Another 5", 1);
        assert_ne!(before, after);
        let old: Vec<&[u8]> = cut(before.as_bytes()).collect();
        let fresh = cut(after.as_bytes()).filter(|piece| !old.contains(piece)).count();
        assert!(fresh <= 3, "{fresh} pieces are new");
    }
}
