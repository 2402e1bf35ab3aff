//! Tokens such as session numbers: those of hexadecimal digits or of base64 letters are packed bit by bit.

use crate::varint::Cursor;

const HEX_DIGITS: &[u8; 16] = b"0123456789abcdef";
const BASE64_LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/// Shorter tokens are not worth an alphabet: it would change from one to the next.
const PACKED_LENGTH_MIN: usize = 4;

/// Of what a token is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Alphabet {
    Any,
    Hex,
    Base64,
}

impl Alphabet {
    /// The smallest alphabet that a token is made of.
    pub(super) fn of(token: &[u8]) -> Alphabet {
        let is_made_of = |letters: &[u8]| token.iter().all(|byte| letters.contains(byte));
        if token.len() < PACKED_LENGTH_MIN {
            Alphabet::Any
        } else if is_made_of(HEX_DIGITS) {
            Alphabet::Hex
        } else if is_made_of(BASE64_LETTERS) {
            Alphabet::Base64
        } else {
            Alphabet::Any
        }
    }

    /// The letters, and how many bits each takes.
    fn letters(self) -> Option<(&'static [u8], usize)> {
        match self {
            Alphabet::Any => None,
            Alphabet::Hex => Some((HEX_DIGITS, 4)),
            Alphabet::Base64 => Some((BASE64_LETTERS, 6)),
        }
    }
}

/// Whether a byte belongs to a token rather than standing between two.
pub(super) fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_' || byte >= 128
}

/// Puts a token that is made of this alphabet.
pub(super) fn pack(alphabet: Alphabet, token: &[u8], out: &mut Vec<u8>) {
    let Some((letters, width)) = alphabet.letters() else {
        out.extend_from_slice(token);
        return;
    };
    let (mut held, mut held_bits) = (0u32, 0);
    for byte in token {
        let letter = letters.iter().position(|letter| letter == byte).expect("the token is made of its alphabet");
        held = held << width | letter as u32;
        held_bits += width;
        if held_bits >= 8 {
            held_bits -= 8;
            out.push((held >> held_bits) as u8);
            held &= (1 << held_bits) - 1;
        }
    }
    if held_bits > 0 {
        out.push((held << (8 - held_bits)) as u8);
    }
}

/// Takes a token of this many bytes.
pub(super) fn unpack(alphabet: Alphabet, length: usize, values: &mut Cursor<'_>) -> Option<Vec<u8>> {
    let Some((letters, width)) = alphabet.letters() else { return values.take(length).map(<[u8]>::to_vec) };
    let mut packed = values.take(length.checked_mul(width)?.div_ceil(8))?.iter();
    let (mut held, mut held_bits, mut token) = (0u32, 0, Vec::with_capacity(length));
    while token.len() < length {
        if held_bits < width {
            held = held << 8 | u32::from(*packed.next()?);
            held_bits += 8;
        }
        held_bits -= width;
        token.push(letters[(held >> held_bits) as usize]);
        held &= (1 << held_bits) - 1;
    }
    Some(token)
}
