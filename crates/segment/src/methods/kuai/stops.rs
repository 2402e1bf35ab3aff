//! Words that hold sentences together, in the languages that pages are mostly written in: running text has many.

use super::reading::word_hash;

const WORDS: &str = "the a an of to and in is that for it on with as was are be this by at from or have not you i we they he she \
    but which his her their has had were will would can our your der die das und ist nicht ein eine zu den von mit auf im dem le \
    la les des et est un une que pour dans qui du sur pas el los en de y es por con para una se del las il di che non per della \
    sono da na w z do nie jest";

const BITS: usize = 1 << 14;

/// Which hashes are those of stop words, by their low bits.
static TABLE: [u64; BITS / 64] = table();

const fn table() -> [u64; BITS / 64] {
    let bytes = WORDS.as_bytes();
    let mut table = [0; BITS / 64];
    let mut start = 0;
    let mut place = 0;
    while place <= bytes.len() {
        if place == bytes.len() || bytes[place] == b' ' {
            let (_, from) = bytes.split_at(start);
            let (word, _) = from.split_at(place - start);
            let bit = word_hash(word) as usize % BITS;
            table[bit / 64] |= 1 << (bit % 64);
            start = place + 1;
        }
        place += 1;
    }
    table
}

/// Whether a word is one, by its hash; one other word in a hundred is taken for one as well.
#[inline]
pub(super) fn is_stop(hash: u32) -> bool {
    let bit = hash as usize % BITS;
    TABLE[bit / 64] >> (bit % 64) & 1 == 1
}

/// Chinese characters that say how words hang together.
const WIDE: [char; 18] =
    ['的', '了', '是', '在', '和', '有', '不', '我', '他', '也', '这', '就', '人', '与', '对', '为', '而', '之'];

/// Whether a Chinese character is one.
pub(super) fn is_wide_stop(character: char) -> bool {
    WIDE.contains(&character)
}

/// The same by the hash of the character.
pub(super) fn is_wide_stop_hash(hash: u32, hash_of: impl Fn(char) -> u32) -> bool {
    WIDE.iter().any(|&stop| hash_of(stop) == hash)
}
