//! Cuts a text into its sentences.

/// Bytes of a sentence; a longer one is cut.
const SENTENCE_BYTES_MAX: usize = 600;

/// Words before a full stop that do not end a sentence.
const ABBREVIATIONS: [&str; 14] =
    ["mr", "mrs", "ms", "dr", "prof", "st", "no", "vol", "vs", "e.g", "i.e", "etc", "jr", "inc"];

/// The sentences of a text, without white space around them.
pub(crate) fn sentences(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    for line in text.lines() {
        let mut start = 0;
        for (place, letter) in line.char_indices() {
            let end = place + letter.len_utf8();
            if is_end(line, start, place, letter) || (end - start > SENTENCE_BYTES_MAX && letter == ' ') {
                sentences.push(&line[start..end]);
                start = end;
            }
        }
        sentences.push(&line[start..]);
    }
    sentences
        .iter()
        .map(|sentence| sentence.trim())
        .filter(|sentence| sentence.chars().any(char::is_alphanumeric))
        .collect()
}

/// Whether a sentence that began at `start` ends with the letter at `place`.
fn is_end(line: &str, start: usize, place: usize, letter: char) -> bool {
    let next = line[place + letter.len_utf8()..].chars().next();
    match letter {
        '。' | '！' | '？' | '；' => true,
        '!' | '?' => next.is_none_or(char::is_whitespace),
        '.' => {
            let word = line[start..place].rsplit(char::is_whitespace).next().unwrap_or_default();
            let is_short = word.chars().count() == 1 || ABBREVIATIONS.contains(&word.to_lowercase().as_str());
            next.is_none_or(char::is_whitespace) && !is_short
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_where_a_reader_ends_them() {
        let check = |text: &str, expected: &[&str]| assert_eq!(sentences(text), expected);
        check("One. Two? Three!\nFour", &["One.", "Two?", "Three!", "Four"]);
        check("Dr. Hall pays 3.50 a day. J. Kerr pays more.", &["Dr. Hall pays 3.50 a day.", "J. Kerr pays more."]);
        check("守塔人点灯。船来了！", &["守塔人点灯。", "船来了！"]);
        check(" . ", &[]);
    }

    #[test]
    fn an_endless_sentence_is_cut() {
        assert!(sentences(&"word ".repeat(1000)).iter().all(|sentence| sentence.len() <= SENTENCE_BYTES_MAX + 8));
    }
}
