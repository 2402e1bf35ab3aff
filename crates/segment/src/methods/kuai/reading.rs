//! Reads the text of one unit: how long it is, how it is written, which words it has.

use kuai_page::push_collapsed;

use super::names::mix;

/// The bit of a word's hash that tells Chinese characters, each a word of its own.
pub(super) const WIDE: u32 = 1 << 31;
/// The bit of a word's hash that tells numbers.
pub(super) const NUMBER: u32 = 1 << 30;
/// Chinese characters that say as much as one word.
const WIDE_PER_WORD: f32 = 1.6;
/// Bytes of a unit in which a date is looked for.
const DATE_BYTES_MAX: usize = 80;
/// Characters of a word that are told apart.
const WORD_CHARS_MAX: u32 = 14;

/// What a unit's text is like.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct UnitText {
    /// Words, of Chinese characters fewer: the length used everywhere.
    pub(super) length: f32,
    /// Share of the text that is linked.
    pub(super) link: f32,
    /// Words, those of the page's title and of its description among them, each once; commas and ends of sentences, characters: counts.
    pub(super) words: u32,
    pub(super) title_words: u8,
    pub(super) description_words: u8,
    pub(super) marks: u32,
    pub(super) characters: u32,
    /// Whether it ends as a sentence does.
    pub(super) ends: bool,
    pub(super) date: bool,
    pub(super) price: bool,
    /// The text, hashed.
    pub(super) hash: u32,
}

/// How much of the words of units are Chinese characters and stop words: sums of shares.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shares {
    pub(super) wide: f32,
    pub(super) stops: f32,
}

/// The text of the unit being read, white space collapsed.
#[derive(Debug, Default)]
pub(super) struct Reading {
    text: String,
    words: Vec<u32>,
    /// Of all units so far.
    pub(super) shares: Shares,
    is_read: bool,
    linked: usize,
    whole: usize,
}

impl Reading {
    /// Adds a piece of text.
    pub(super) fn push(&mut self, piece: &str, linked: bool) {
        self.start();
        if piece.starts_with(|first: char| first.is_ascii_whitespace()) {
            self.space();
        }
        let before = self.text.len();
        push_collapsed(&mut self.text, piece);
        let added = self.text.len() - before;
        self.whole += added;
        self.linked += if linked { added } else { 0 };
        if piece.ends_with(|last: char| last.is_ascii_whitespace()) {
            self.space();
        }
    }

    /// Adds a space where there is none.
    pub(super) fn space(&mut self) {
        self.start();
        if !self.text.is_empty() && !self.text.ends_with(' ') {
            self.text.push(' ');
        }
    }

    /// The text that was finished last.
    pub(super) fn last(&self) -> &str {
        self.text.trim_end()
    }

    /// The words of the text that was finished last, hashed.
    pub(super) fn last_words(&self) -> &[u32] {
        &self.words
    }

    /// Ends the unit; `None` where no letter or digit was in it.
    pub(super) fn finish(&mut self) -> Option<UnitText> {
        self.start();
        self.is_read = true;
        if self.whole == 0 {
            return None;
        }
        self.words.clear();
        let (mut unit, shares) = read(self.text.trim_end(), &mut self.words);
        if self.words.is_empty() {
            return None;
        }
        unit.link = self.linked as f32 / self.whole as f32;
        self.shares.wide += shares.wide;
        self.shares.stops += shares.stops;
        Some(unit)
    }

    /// The text of the last unit stays until the next begins.
    fn start(&mut self) {
        if std::mem::take(&mut self.is_read) {
            self.text.clear();
            (self.linked, self.whole) = (0, 0);
        }
    }
}

/// The words of a text, hashed.
pub(super) fn hash_words(text: &str) -> Vec<u32> {
    let mut words = Vec::new();
    read(text, &mut words);
    words
}

/// Reads a text, its words into `words`, which is empty.
fn read(text: &str, words: &mut Vec<u32>) -> (UnitText, Shares) {
    let mut unit = UnitText::default();
    let (mut wide, mut stops) = (0, 0);
    let mut word = Word::default();
    let mut before = ' ';
    for character in text.chars() {
        unit.characters += 1;
        if character.is_ascii() {
            let byte = character as u8;
            if byte.is_ascii_alphanumeric() || byte == b'_' {
                unit.price |= byte.is_ascii_digit() && is_currency(before);
                word.push(byte.to_ascii_lowercase(), byte.is_ascii_digit());
            } else {
                word.end(words, &mut stops);
                match byte {
                    b',' | b';' | b':' | b'.' | b'!' | b'?' => unit.marks += 1,
                    _ => {}
                }
            }
        } else if is_wide(character) {
            word.end(words, &mut stops);
            wide += 1;
            stops += u32::from(super::stops::is_wide_stop(character));
            words.push(wide_hash(character));
        } else {
            // The marks of Chinese text first: to ask whether one is a letter takes a search through a table.
            match character {
                '，' | '、' | '；' | '：' | '。' | '！' | '？' | '…' => {
                    word.end(words, &mut stops);
                    unit.marks += 1;
                }
                _ if character.is_alphanumeric() => word.push_other(character),
                _ => word.end(words, &mut stops),
            }
        }
        if character != ' ' {
            before = character;
        }
    }
    word.end(words, &mut stops);
    unit.words = words.len() as u32;
    unit.length = unit.words as f32 - wide as f32 + wide as f32 / WIDE_PER_WORD;
    unit.ends = matches!(before, '.' | '!' | '?' | '。' | '！' | '？' | '…' | ':' | '：' | '”' | '"');
    unit.date = text.len() < DATE_BYTES_MAX && has_date(text);
    unit.hash = text_hash(words, unit.characters);
    let share = |count: u32| count as f32 / unit.words.max(1) as f32;
    (unit, Shares { wide: share(wide), stops: share(stops) })
}

/// The hash of a text by its words and its length.
fn text_hash(words: &[u32], characters: u32) -> u32 {
    let seed = u64::from(characters) ^ 0x51_7c_c1_b7_27_22_0a_95;
    let add = |hash: u64, &word: &u32| (hash.rotate_left(5) ^ u64::from(word)).wrapping_mul(0x51_7c_c1_b7_27_22_0a_95);
    (words.iter().fold(seed, add) >> 32) as u32
}

/// The hash of a Chinese character.
pub(super) fn wide_hash(character: char) -> u32 {
    (character as u32).wrapping_mul(0x9e37_79b1) >> 2 | WIDE
}

fn is_wide(character: char) -> bool {
    matches!(character, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

fn is_currency(character: char) -> bool {
    matches!(character, '$' | '€' | '£' | '¥' | '￥')
}

/// The word being read.
struct Word {
    hash: u32,
    length: u32,
    number: bool,
}

impl Default for Word {
    fn default() -> Word {
        Word { hash: 0x811c_9dc5, length: 0, number: true }
    }
}

impl Word {
    #[inline]
    fn push(&mut self, byte: u8, is_digit: bool) {
        if self.length < WORD_CHARS_MAX {
            self.hash = mix(self.hash, byte);
        }
        self.length += 1;
        self.number &= is_digit;
    }

    /// Adds a letter beyond ASCII.
    fn push_other(&mut self, letter: char) {
        if self.length < WORD_CHARS_MAX {
            let mut bytes = [0; 4];
            for lower in letter.to_lowercase() {
                self.hash = lower.encode_utf8(&mut bytes).bytes().fold(self.hash, mix);
            }
        }
        self.number = false;
        self.length += 1;
    }

    #[inline]
    fn end(&mut self, words: &mut Vec<u32>, stops: &mut u32) {
        if self.length == 0 {
            return;
        }
        let hash = self.hash & !(WIDE | NUMBER);
        *stops += u32::from(super::stops::is_stop(hash));
        words.push(if self.number { hash | NUMBER } else { hash });
        *self = Word::default();
    }
}

/// The hash of a word as [`Reading`] makes it.
pub(super) const fn word_hash(word: &[u8]) -> u32 {
    let mut hash = 0x811c_9dc5_u32;
    let mut place = 0;
    while place < word.len() {
        hash = (hash ^ word[place] as u32).wrapping_mul(0x0100_0193);
        place += 1;
    }
    hash & !(WIDE | NUMBER)
}

const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const AGO: [&str; 6] = ["hour", "day", "minute", "month", "year", "week"];

/// Whether a short text names a day or a time: `2024-1-31`, `2024年1月`, `12:30`, `March 5`, `3 days ago`.
fn has_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut place = 0;
    while let Some(found) = bytes[place..].iter().position(u8::is_ascii_digit) {
        let start = place + found;
        let length = bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if is_date_number(text, start, start + length) {
            return true;
        }
        place = start + length;
    }
    false
}

fn is_date_number(text: &str, start: usize, end: usize) -> bool {
    let (before, number, after) = (&text[..start], &text[start..end], &text[end..]);
    let next_is_digit = |prefix: &str| {
        after.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(|next: char| next.is_ascii_digit()))
    };
    let is_year = number.len() == 4 && (number.starts_with("19") || number.starts_with("20"));
    let year = is_year && ["-", "/", ".", "年"].iter().any(|mark| next_is_digit(mark));
    let clock = number.len() <= 2 && [":", "："].iter().any(|mark| next_is_digit(mark));
    let word = before.trim_end_matches(' ').rsplit(' ').next().unwrap_or("");
    let month = number.len() <= 2
        && word.get(..3).is_some_and(|word| MONTHS.iter().any(|month| word.eq_ignore_ascii_case(month)));
    let mut following = after.split_ascii_whitespace();
    let unit = following.next().unwrap_or("");
    let ago = AGO.iter().any(|name| unit.starts_with(name)) && following.next() == Some("ago");
    year || clock || month || ago
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(text: &str) -> UnitText {
        let mut reading = Reading::default();
        reading.push(text, false);
        reading.finish().unwrap_or_default()
    }

    #[test]
    fn chinese_characters_count_less_than_words() {
        assert_eq!(read_all("one two three").length, 3.0);
        assert_eq!(read_all("网页分块网页分块").length, 5.0);
    }

    #[test]
    fn days_and_times_are_told_from_other_numbers() {
        for text in ["2024-01-31", "2024年1月31日", "at 12:30", "March 5, 2024", "3 days ago"] {
            assert!(read_all(text).date, "{text}");
        }
        for text in ["2024", "chapter 5", "10 ways to cook", "1,000 words"] {
            assert!(!read_all(text).date, "{text}");
        }
    }

    #[test]
    fn prices_have_a_sign_before_their_number() {
        assert!(read_all("now $ 12.50").price && read_all("￥99").price);
        assert!(!read_all("12 dollars").price);
    }

    #[test]
    fn the_share_of_links_is_by_characters() {
        let mut reading = Reading::default();
        reading.push("abcd ", true);
        reading.push("efgh", false);
        assert_eq!(reading.finish().map(|unit| unit.link), Some(0.5));
    }
}
