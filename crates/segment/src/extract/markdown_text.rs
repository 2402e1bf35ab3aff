//! Text inside Markdown: what must be escaped so that it reads as it did, and no more.

/// Escapes what Markdown would take for markup inside a line.
pub(super) fn escape(text: &str, out: &mut String) {
    let mut told = 0;
    for (place, byte) in text.bytes().enumerate() {
        let is_markup = match byte {
            b'\\' | b'`' | b'*' | b'[' | b']' | b'<' | b'~' => true,
            b'_' => !is_inside_word(text, place, out),
            b'&' => begins_entity(&text[place + 1..]),
            b'^' => place == 0 && out.ends_with('['),
            b':' => place == 0 && begins_note(out),
            b'$' => ends_formula(text, place, out),
            _ => false,
        };
        if is_markup {
            out.push_str(&text[told..place]);
            out.push('\\');
            told = place;
        }
    }
    out.push_str(&text[told..]);
}

/// Whether nothing but a reference to a footnote stands on the line: with a colon, it would begin the footnote.
fn begins_note(written: &str) -> bool {
    let is_reference = written.ends_with(']') && !written.ends_with("\\]");
    let before = || written.rfind("[^").map(|start| written[..start].trim_end_matches(' '));
    is_reference && before().is_some_and(|before| before.is_empty() || before.ends_with('\n'))
}

fn is_inside_word(text: &str, place: usize, written: &str) -> bool {
    let after = text[place + 1..].chars().next();
    let is_letter = |character: Option<char>| character.is_some_and(char::is_alphanumeric);
    is_letter(before(text, place, written)) && is_letter(after)
}

/// Whether a dollar sign could end a formula; the sign of a price cannot, and what never ends never begins.
fn ends_formula(text: &str, place: usize, written: &str) -> bool {
    let is_price = text[place + 1..].starts_with(|after: char| after.is_ascii_digit());
    !is_price && before(text, place, written).is_some_and(|before| !before.is_whitespace())
}

fn before(text: &str, place: usize, written: &str) -> Option<char> {
    text[..place].chars().next_back().or_else(|| written.chars().next_back().filter(|_| place == 0))
}

/// Longer than the name of any character.
const ENTITY_LENGTH_MAX: usize = 34;

fn begins_entity(text: &str) -> bool {
    let end = text.bytes().take(ENTITY_LENGTH_MAX).position(|byte| !(byte.is_ascii_alphanumeric() || byte == b'#'));
    end.is_some_and(|end| end > 0 && text.as_bytes()[end] == b';')
}

/// How a line ends that a break follows.
pub(super) const BREAK: &str = "\\\n";

/// A paragraph without the breaks and spaces around it.
pub(super) fn trim(text: &str) -> &str {
    let mut text = text.trim_start();
    while let Some(rest) = text.strip_prefix(BREAK) {
        text = rest.trim_start();
    }
    let is_space = |character: char| character.is_whitespace() && character != '\n';
    while let Some(rest) = text.trim_end_matches(is_space).strip_suffix(BREAK) {
        text = rest;
    }
    text.trim_end()
}

/// Escapes what would make a paragraph's lines something else: headings, lists, quotes, rules.
pub(super) fn escape_line_start(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            out.push('\n');
        }
        let line = line.trim_start();
        let place = place_to_escape(line);
        out.push_str(&line[..place.unwrap_or(0)]);
        if place.is_some() {
            out.push('\\');
        }
        out.push_str(&line[place.unwrap_or(0)..]);
    }
    out
}

/// Before which byte of the line a backslash must stand.
fn place_to_escape(line: &str) -> Option<usize> {
    let ends_word = |rest: &str| rest.is_empty() || rest.starts_with([' ', '\t', '\\']);
    match line.bytes().next()? {
        b'>' | b':' => Some(0),
        b'#' => ends_word(line.trim_start_matches('#')).then_some(0),
        b'+' | b'-' if ends_word(&line[1..]) => Some(0),
        b'-' | b'|' | b'=' => line.bytes().all(|byte| b"-|:= \\".contains(&byte)).then_some(0),
        b'0'..=b'9' => {
            let digits = line.bytes().take_while(u8::is_ascii_digit).count();
            let rest = &line[digits..];
            (rest.starts_with(['.', ')']) && ends_word(&rest[1..])).then_some(digits)
        }
        _ => None,
    }
}

/// A heading; number signs at its end would be taken for markup.
pub(super) fn heading(level: usize, text: &str) -> String {
    let words = text.trim_end_matches('#');
    let is_markup = words.len() < text.len() && (words.is_empty() || words.ends_with(' '));
    let (signs, escape) = ("#".repeat(level), if is_markup { "\\" } else { "" });
    format!("{signs} {words}{escape}{}", &text[words.len()..])
}

/// Inline code between backticks, as many as it takes.
pub(super) fn code_span(code: &str) -> String {
    if code.trim().is_empty() {
        return code.to_owned();
    }
    let signs = "`".repeat(longest_run(code) + 1);
    // Readers strip one space where there is one on either side.
    let has_space = code.starts_with(' ') && code.ends_with(' ');
    let space = if has_space || code.starts_with('`') || code.ends_with('`') { " " } else { "" };
    format!("{signs}{space}{code}{space}{signs}")
}

/// The fence around a block of code.
pub(super) fn fence(code: &str) -> String {
    "`".repeat(longest_run(code).max(2) + 1)
}

fn longest_run(code: &str) -> usize {
    code.split(|character| character != '`').map(str::len).max().unwrap_or(0)
}

/// An address as a link's target: in angle brackets where it would end the link early.
pub(super) fn address(href: &str) -> String {
    let mut encoded = String::with_capacity(href.len());
    for character in href.chars() {
        match character {
            '<' => encoded.push_str("%3C"),
            '>' => encoded.push_str("%3E"),
            '`' => encoded.push_str("%60"),
            '\\' => encoded.push_str("%5C"),
            other => encoded.push(other),
        }
    }
    if encoded.contains(|character: char| character.is_whitespace() || matches!(character, '(' | ')')) {
        format!("<{encoded}>")
    } else {
        encoded
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_would_be_markup_is_escaped() {
        let escaped = |text: &str| {
            let mut out = String::new();
            escape(text, &mut out);
            escape_line_start(&out)
        };
        assert_eq!(escaped("snake_case is not _emphasis_"), "snake_case is not \\_emphasis\\_");
        assert_eq!(escaped("AT&T, &lt; and a < b"), "AT&T, \\&lt; and a \\< b");
        assert_eq!(escaped("1. one"), "1\\. one");
        assert_eq!(escaped("3.14 is pi"), "3.14 is pi");
        assert_eq!(escaped("# one"), "\\# one");
        assert_eq!(escaped("#one - two"), "#one - two");
        assert_eq!(escaped("- one"), "\\- one");
        assert_eq!(escaped("---"), "\\---");
        assert_eq!(escaped("from $5 to US$10, or 5$ for $x/$y"), "from $5 to US$10, or 5\\$ for $x/\\$y");
    }

    #[test]
    fn code_with_backticks_gets_more_of_them() {
        assert_eq!(code_span("a`b"), "``a`b``");
        assert_eq!(code_span("`"), "`` ` ``");
        assert_eq!(code_span(" + "), "`  +  `");
        assert_eq!(fence("```"), "````");
    }
}
