//! The length of texts in Chinese characters, whatever their script, since the papers give their limits in them.
//!
//! A character of Chinese or Japanese counts one, a word of a script that parts its words by spaces counts as many as
//! the caller says. White space counts nothing.

/// The length of a text, a word of a space-separated script counting `word_length` characters.
///
/// A word right behind a Chinese character ("用Rust写") counts nothing, which keeps this a plain loop over bytes.
pub(crate) fn length(text: &[u8], word_length: u32) -> u32 {
    let mut wide_count = 0;
    let mut word_count = 0;
    let mut is_after_space = true;
    for &byte in text {
        let is_space = byte <= b' ';
        let is_wide = is_wide_lead(byte);
        wide_count += u32::from(is_wide);
        word_count += u32::from(is_after_space & !is_space & !is_wide);
        is_after_space = is_space;
    }
    wide_count + word_count * word_length
}

/// Whether a byte of UTF-8 opens a character of U+3000 to U+9FFF: kana, Han and their punctuation.
fn is_wide_lead(byte: u8) -> bool {
    matches!(byte, 0xE3..=0xE9)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: u32) {
        assert_eq!(length(text.as_bytes(), 3), expected, "{text:?}");
    }

    #[test]
    fn a_chinese_character_counts_one_and_a_word_three() {
        check("", 0);
        check(" \n\t", 0);
        check("文章 分类", 4);
        check("most read", 6);
        check("  Größe  ", 3);
        check("Rust 语言", 5);
    }
}
