//! Text on a terminal: how wide it is, whether it has colours, and how text fills it. A page's text cannot steer it.

use std::io::{self, IsTerminal};

use anstream::{AutoStream, ColorChoice};
use anstyle::Style;
use console::{Term, measure_text_width, truncate_str};

/// What standard output can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Terminal {
    /// Columns, where it is a terminal.
    pub(crate) width: Option<usize>,
    pub(crate) has_colour: bool,
}

impl Terminal {
    /// Standard output.
    pub(crate) fn stdout() -> Terminal {
        Terminal {
            width: Term::stdout().size_checked().map(|(_, columns)| usize::from(columns)),
            has_colour: AutoStream::choice(&io::stdout()) != ColorChoice::Never,
        }
    }
}

/// A text without characters that steer a terminal.
pub(crate) fn harmless(text: &str) -> String {
    // Those that turn the direction of text make lines read otherwise than they are.
    let turns = |letter: char| matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let steers = |letter: char| turns(letter) || (letter.is_control() && !matches!(letter, '\n' | '\t'));
    text.chars().map(|letter| if steers(letter) { '\u{FFFD}' } else { letter }).collect()
}

/// A page's text for standard output: as it is, but on a terminal without what would steer it.
pub(crate) fn shown(text: String) -> String {
    if io::stdout().is_terminal() { harmless(&text) } else { text }
}

/// A text on one line of so many columns, with `…` where it was cut.
pub(crate) fn cut_to_width(text: &str, width: usize) -> String {
    let line = harmless(&text.split_whitespace().collect::<Vec<_>>().join(" "));
    truncate_str(&line, width, "…").into_owned()
}

/// Columns that a letter takes: two for a Chinese one.
pub(crate) fn columns_of(letter: char) -> usize {
    measure_text_width(letter.encode_utf8(&mut [0; 4]))
}

/// Fills lines with styled text: breaks it between words, or between letters of a script without spaces, where a line gets
/// longer than `width`, and begins each with `indent`.
pub(crate) fn wrap(pieces: &[(Style, String)], width: Option<usize>, indent: &str) -> String {
    let mut lines = Lines { text: indent.to_owned(), column: indent.len(), indent, width: width.unwrap_or(usize::MAX) };
    for (style, text) in pieces {
        lines.text.push_str(&style.render().to_string());
        for (index, line) in harmless(text).split('\n').enumerate() {
            if index > 0 {
                lines.break_line(*style);
            }
            breakable_parts(line).into_iter().for_each(|part| lines.push(part, *style));
        }
        lines.text.push_str(&style.render_reset().to_string());
    }
    lines.text
}

/// Lines as they fill.
struct Lines<'a> {
    text: String,
    column: usize,
    indent: &'a str,
    width: usize,
}

impl Lines<'_> {
    fn push(&mut self, part: &str, style: Style) {
        let seen = measure_text_width(part.trim_end());
        if self.column + seen > self.width && self.column > self.indent.len() {
            self.break_line(style);
        }
        self.text.push_str(part);
        self.column += measure_text_width(part);
    }

    /// Styles are put off across the break: nobody wants the margin struck through.
    fn break_line(&mut self, style: Style) {
        self.text.truncate(self.text.trim_end_matches(' ').len());
        self.text.push_str(&format!("{}\n{}{}", style.render_reset(), self.indent, style.render()));
        self.column = self.indent.len();
    }
}

/// Cuts a line where it may be broken: behind spaces and beside wide letters.
fn breakable_parts(line: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut last: Option<char> = None;
    for (place, letter) in line.char_indices() {
        let may_break = |last: char| letter != ' ' && (last == ' ' || is_wide(last) || is_wide(letter));
        if last.is_some_and(may_break) {
            parts.push(&line[start..place]);
            start = place;
        }
        last = Some(letter);
    }
    parts.push(&line[start..]);
    parts
}

fn is_wide(letter: char) -> bool {
    columns_of(letter) > 1
}

#[cfg(test)]
mod tests {
    use anstyle::AnsiColor;

    use super::*;

    fn check(text: &str, width: usize, expected: &str) {
        assert_eq!(wrap(&[(Style::new(), text.to_owned())], Some(width), "  "), expected);
    }

    #[test]
    fn lines_break_between_words() {
        check("one two three four", 12, "  one two\n  three four");
        check("a\nb", 12, "  a\n  b");
        check("unbreakablelongword x", 10, "  unbreakablelongword\n  x");
    }

    #[test]
    fn chinese_breaks_between_letters() {
        check("床前明月光疑是地上霜", 12, "  床前明月光\n  疑是地上霜");
    }

    #[test]
    fn the_margin_has_no_style() {
        let red = AnsiColor::Red.on_default();
        let (on, off) = (red.render(), red.render_reset());
        let text = wrap(&[(red, "one two".to_owned())], Some(6), "  ");
        assert_eq!(text, format!("  {on}one{off}\n  {on}two{off}"));
    }

    #[test]
    fn a_text_cannot_steer_the_terminal() {
        check("\u{1b}[2Jx\u{7}", 20, "  \u{FFFD}[2Jx\u{FFFD}");
        assert_eq!(cut_to_width("a\u{1b}c", 9), "a\u{FFFD}c");
        assert_eq!(harmless("a\u{202e}c"), "a\u{FFFD}c");
    }

    #[test]
    fn a_line_is_cut_by_columns() {
        assert_eq!(cut_to_width("one two three", 8), "one two…");
        assert_eq!(cut_to_width("床前明月光", 7), "床前明…");
        assert_eq!(cut_to_width("one two", 7), "one two");
    }
}
