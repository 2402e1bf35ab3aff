//! Words with marks where two versions differ, and `…` for long stretches in which they do not.

use anstyle::{AnsiColor, Style};
use console::measure_text_width;
use kuai::{BlockDiff, Relation, WordChange, WordSide};

use crate::terminal::columns_of;

/// What a reader is shown of a text in two versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shown<'a> {
    /// Words that stand on this side.
    Words(WordSide, &'a str),
    /// More words, in both versions.
    Gap,
}

/// A stretch is left out where it hides more than this beyond its context: less would be read faster than skipped.
const GAP_WIDTH_MIN: usize = 24;

/// Characters by which a context is shortened at most to end it between words.
const WORD_CHARACTERS_MAX: usize = 16;

/// The words of a block. What says the same in both versions stands on both sides, however it was cut.
pub(crate) fn words_of(block: &BlockDiff) -> Vec<WordChange> {
    match block.relation {
        Relation::Same | Relation::Touched => {
            block.words.iter().map(|change| WordChange { side: WordSide::Both, text: change.text.clone() }).collect()
        }
        _ => block.words.clone(),
    }
}

/// Leaves out the middle of long stretches that both versions have, but for so many columns beside a difference.
pub(crate) fn elide(words: &[WordChange], context: usize) -> Vec<Shown<'_>> {
    let mut shown = Vec::new();
    for (index, change) in words.iter().enumerate() {
        let text = change.text.as_str();
        if change.side != WordSide::Both {
            shown.push(Shown::Words(change.side, text));
            continue;
        }
        let (head_width, tail_width) = match (index == 0, index + 1 == words.len()) {
            // A text without any difference is told by how it begins.
            (true, true) => (2 * context, 0),
            (true, false) => (0, context),
            (false, true) => (context, 0),
            (false, false) => (context, context),
        };
        if measure_text_width(text) <= head_width + tail_width + GAP_WIDTH_MIN {
            shown.push(Shown::Words(WordSide::Both, text));
            continue;
        }
        let (head, tail) = (head(text, head_width), tail(text, tail_width));
        shown.extend((!head.is_empty()).then_some(Shown::Words(WordSide::Both, head)));
        shown.push(Shown::Gap);
        shown.extend((!tail.is_empty()).then_some(Shown::Words(WordSide::Both, tail)));
    }
    shown
}

/// Words in the colours of a terminal, or between `[-` and `-]`, `{+` and `+}` where it has none.
pub(crate) fn styled(shown: &[Shown<'_>], has_colour: bool) -> Vec<(Style, String)> {
    let (old, new) = (AnsiColor::Red.on_default(), AnsiColor::Green.on_default());
    // A line through 二 would make it 三.
    let is_struck = |text: &str| !text.chars().any(|letter| columns_of(letter) > 1);
    let old = |text: &str| if is_struck(text) { old.strikethrough() } else { old };
    let piece = |shown: &Shown<'_>| match (shown, has_colour) {
        (Shown::Words(WordSide::Both, text), _) => (Style::new(), (*text).to_owned()),
        (Shown::Words(WordSide::Old, text), true) => (old(text), (*text).to_owned()),
        (Shown::Words(WordSide::New, text), true) => (new, (*text).to_owned()),
        (Shown::Words(WordSide::Old, text), false) => (Style::new(), marked("[-", text, "-]")),
        (Shown::Words(WordSide::New, text), false) => (Style::new(), marked("{+", text, "+}")),
        (Shown::Gap, true) => (Style::new().dimmed(), "…".to_owned()),
        (Shown::Gap, false) => (Style::new(), "…".to_owned()),
    };
    shown.iter().map(piece).collect()
}

/// Marks stand close around words: the space behind them goes behind the mark.
fn marked(open: &str, text: &str, close: &str) -> String {
    let words = text.trim_end();
    format!("{open}{words}{close}{}", &text[words.len()..])
}

/// The first columns of a text, up to the end of a word.
fn head(text: &str, width: usize) -> &str {
    let length = fitting(text.chars(), width);
    let head = &text[..length];
    let space = head.char_indices().rev().take(WORD_CHARACTERS_MAX).find(|(_, letter)| letter.is_whitespace());
    space.map_or(head, |(place, letter)| &head[..place + letter.len_utf8()])
}

/// The last columns of a text, from the beginning of a word.
fn tail(text: &str, width: usize) -> &str {
    let length = fitting(text.chars().rev(), width);
    let tail = &text[text.len() - length..];
    let space = tail.char_indices().take(WORD_CHARACTERS_MAX).find(|(_, letter)| letter.is_whitespace());
    space.map_or(tail, |(place, _)| &tail[place..])
}

/// Bytes of the letters that fit into so many columns.
fn fitting(letters: impl Iterator<Item = char>, width: usize) -> usize {
    let mut column = 0;
    let fits = |letter: &char| {
        column += columns_of(*letter);
        column <= width
    };
    letters.take_while(fits).map(char::len_utf8).sum()
}

#[cfg(test)]
mod tests {
    use anstyle::Effects;

    use super::*;
    use crate::terminal::wrap;

    fn check(words: &[(WordSide, &str)], expected: &str) {
        let words: Vec<_> =
            words.iter().map(|(side, text)| WordChange { side: *side, text: (*text).to_owned() }).collect();
        assert_eq!(wrap(&styled(&elide(&words, 12), false), None, ""), expected);
    }

    const LONG: &str = "The keeper of the light climbs the stairs every evening and comes down every morning. ";

    #[test]
    fn a_long_stretch_beside_a_difference_is_left_out() {
        check(
            &[(WordSide::Both, LONG), (WordSide::Old, "So "), (WordSide::New, "And so "), (WordSide::Both, LONG)],
            "… morning. [-So-] {+And so+} The keeper …",
        );
    }

    #[test]
    fn a_stretch_between_two_differences_keeps_both_ends() {
        check(
            &[(WordSide::New, "Now. "), (WordSide::Both, LONG), (WordSide::Old, "Then.")],
            "{+Now.+} The keeper … morning. [-Then.-]",
        );
    }

    #[test]
    fn no_line_goes_through_chinese() {
        let effects = |text| styled(&[Shown::Words(WordSide::Old, text)], true)[0].0.get_effects();
        assert_eq!(effects("two"), Effects::STRIKETHROUGH);
        assert_eq!(effects("二"), Effects::new());
    }

    #[test]
    fn a_short_stretch_stays() {
        check(&[(WordSide::Both, "A short text, "), (WordSide::New, "longer")], "A short text, {+longer+}");
    }

    #[test]
    fn a_text_without_a_difference_is_told_by_how_it_begins() {
        check(&[(WordSide::Both, LONG)], "The keeper of the light …");
    }

    #[test]
    fn chinese_is_cut_between_letters() {
        let poem = "床前明月光疑是地上霜举头望明月低头思故乡床前明月光疑是地上霜举头望明月低头思故乡";
        check(&[(WordSide::Both, poem), (WordSide::New, "完")], "…月低头思故乡{+完+}");
    }
}
