//! How alike two texts are, by the words they share.

/// Words of a text that are looked at.
const WORDS_MAX: usize = 1024;

/// The words of a text as sorted hashes. A letter of a script without spaces counts as a word.
pub(crate) struct Words(Vec<u32>);

impl Words {
    pub(crate) fn of(text: &str) -> Words {
        let mut words = Vec::new();
        let mut word: Option<u32> = None;
        for letter in text.chars() {
            if words.len() >= WORDS_MAX {
                break;
            }
            if letter.is_ascii_alphanumeric() || (letter.is_alphabetic() && !is_ideographic(letter)) {
                word = Some(step(word.unwrap_or(0), letter));
                continue;
            }
            words.extend(word.take());
            if is_ideographic(letter) {
                words.push(step(0, letter));
            }
        }
        words.extend(word);
        words.sort_unstable();
        Words(words)
    }

    /// The share of words in common, 0 to 1 (Dice's coefficient, repeated words counted).
    pub(crate) fn likeness(&self, other: &Words) -> f64 {
        let (mut mine, mut theirs, mut common) = (self.0.iter().peekable(), other.0.iter().peekable(), 0usize);
        while let (Some(a), Some(b)) = (mine.peek(), theirs.peek()) {
            match a.cmp(b) {
                std::cmp::Ordering::Less => drop(mine.next()),
                std::cmp::Ordering::Greater => drop(theirs.next()),
                std::cmp::Ordering::Equal => {
                    common += 1;
                    mine.next();
                    theirs.next();
                }
            }
        }
        2.0 * common as f64 / (self.0.len() + other.0.len()).max(1) as f64
    }
}

/// Whether a letter is of a script that is written without spaces.
pub(crate) fn is_ideographic(letter: char) -> bool {
    matches!(letter, '\u{2E80}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

fn step(hash: u32, letter: char) -> u32 {
    (hash ^ u32::from(letter)).wrapping_mul(0x9E37_79B1).rotate_left(13)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn likeness(a: &str, b: &str) -> f64 {
        Words::of(a).likeness(&Words::of(b))
    }

    #[test]
    fn the_same_words_are_wholly_alike_in_any_order() {
        assert_eq!(likeness("one two three", "three, one; two"), 1.0);
        assert_eq!(likeness("one", "two"), 0.0);
    }

    #[test]
    fn chinese_is_compared_by_letter() {
        assert!((likeness("床前明月光", "床前看月光") - 0.8).abs() < 1e-9);
    }
}
