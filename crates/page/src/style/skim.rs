//! Skims a style sheet: finds where its rules begin and end by their brackets, without reading them.
//!
//! Most rules of a sheet are for other pages, and looking at their braces is many times cheaper than parsing
//! them. What is written in such a way that brackets do not tell (they do not match, a string is cut by a line
//! break) comes out as [`Piece::Rest`] and is left to a full parser.

/// One rule of a sheet, as text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Piece<'t> {
    /// A style rule: its selectors, and what stands between its braces.
    Style {
        /// Up to the brace.
        selectors: &'t str,
        /// Between the braces.
        body: &'t str,
    },
    /// An at-rule.
    At {
        /// The word behind the `@`.
        name: &'t str,
        /// What stands between the name and the block or semicolon.
        prelude: &'t str,
        /// Between the braces; `None` where it ends with a semicolon.
        body: Option<&'t str>,
    },
    /// All that is left.
    Rest(&'t str),
}

/// Where a list of rules stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    /// In the sheet itself, where the marks of HTML comments mean nothing.
    Sheet,
    /// In the block of an at-rule, where loose semicolons mean nothing.
    Group,
}

/// The rules in a text, one after another.
pub(super) fn skim(text: &str, level: Level) -> Skim<'_> {
    Skim { text, position: 0, level }
}

/// See [`skim`].
pub(super) struct Skim<'t> {
    text: &'t str,
    position: usize,
    level: Level,
}

/// Brackets are not as they should be.
struct Odd;

/// Brackets inside brackets that are followed.
const DEPTH_MAX: usize = 32;

impl<'t> Iterator for Skim<'t> {
    type Item = Piece<'t>;

    fn next(&mut self) -> Option<Piece<'t>> {
        self.skip_between();
        let start = self.position;
        if start >= self.text.len() {
            return None;
        }
        match self.rule() {
            Ok(piece) => piece,
            Err(Odd) => {
                self.position = self.text.len();
                Some(Piece::Rest(&self.text[start..]))
            }
        }
    }
}

impl<'t> Skim<'t> {
    fn rule(&mut self) -> Result<Option<Piece<'t>>, Odd> {
        let start = self.position;
        let is_at = self.bytes()[start] == b'@';
        let mark = self.find(if is_at { Stop::BlockOrSemicolon } else { Stop::Block })?;
        let head = &self.text[start..self.position];
        self.position += usize::from(mark.is_some());
        let body = if mark == Some(b'{') { Some(self.body()?) } else { None };
        if !is_at {
            return Ok(body.map(|body| Piece::Style { selectors: head, body }));
        }
        let name_end = head[1..].find(|char: char| !is_name(char)).map_or(head.len(), |end| end + 1);
        if name_end == 1 || head[name_end..].starts_with('\\') {
            return Err(Odd);
        }
        Ok(Some(Piece::At { name: &head[1..name_end], prelude: &head[name_end..], body }))
    }

    fn body(&mut self) -> Result<&'t str, Odd> {
        let start = self.position;
        let mark = self.find(Stop::End)?;
        let body = &self.text[start..self.position];
        self.position += usize::from(mark.is_some());
        Ok(body)
    }

    fn bytes(&self) -> &'t [u8] {
        self.text.as_bytes()
    }

    /// Passes white space, comments and what means nothing between rules.
    fn skip_between(&mut self) {
        loop {
            let rest = &self.bytes()[self.position..];
            self.position += match (rest, self.level) {
                ([b' ' | b'\t' | b'\n' | b'\r' | b'\x0c', ..], _) | ([b';' | b'}', ..], Level::Group) => 1,
                ([b'/', b'*', ..], _) => comment_length(rest),
                ([b'<', b'!', b'-', b'-', ..], Level::Sheet) => 4,
                ([b'-', b'-', b'>', ..], Level::Sheet) => 3,
                _ => return,
            };
        }
    }

    /// Goes to the next byte that ends the part of a rule, outside brackets and strings; `None` at the end of the text.
    fn find(&mut self, stop: Stop) -> Result<Option<u8>, Odd> {
        let bytes = self.bytes();
        let mut open = [0; DEPTH_MAX];
        let mut depth = 0;
        let is_mark = match stop {
            Stop::BlockOrSemicolon => &IS_MARK_OR_SEMICOLON,
            Stop::Block | Stop::End => &IS_MARK,
        };
        while let Some(skipped) = bytes[self.position..].iter().position(|&byte| is_mark[usize::from(byte)]) {
            self.position += skipped;
            let byte = bytes[self.position];
            if depth == 0 && stop.is_at(byte) {
                return Ok(Some(byte));
            }
            let rest = &bytes[self.position..];
            self.position += match byte {
                b'"' | b'\'' => string_length(rest)?,
                b'/' if rest.get(1) == Some(&b'*') => comment_length(rest),
                // Whatever is escaped is no bracket.
                b'\\' => 2,
                b'(' if is_address(bytes, self.position) => address_length(rest),
                b'(' | b'[' | b'{' => {
                    *open.get_mut(depth).ok_or(Odd)? = closing(byte);
                    depth += 1;
                    1
                }
                // What closes nothing is a part of the selectors or value, and spoils them alone.
                b')' | b']' | b'}' if depth == 0 => 1,
                b')' | b']' | b'}' => {
                    depth -= 1;
                    if open[depth] != byte {
                        return Err(Odd);
                    }
                    1
                }
                _ => 1,
            };
            if self.position >= bytes.len() {
                break;
            }
        }
        self.position = bytes.len();
        Ok(None)
    }
}

/// What ends the part of a rule that is looked through.
#[derive(Clone, Copy)]
enum Stop {
    Block,
    BlockOrSemicolon,
    End,
}

impl Stop {
    fn is_at(self, byte: u8) -> bool {
        match self {
            Stop::Block => byte == b'{',
            Stop::BlockOrSemicolon => matches!(byte, b'{' | b';'),
            Stop::End => byte == b'}',
        }
    }
}

/// The bytes at which anything can happen; semicolons are passed over where they end nothing, as bodies are full of them.
static IS_MARK: [bool; 256] = table_of(b"{}()[]\"'/\\");
static IS_MARK_OR_SEMICOLON: [bool; 256] = table_of(b"{}()[];\"'/\\");

const fn table_of(bytes: &[u8]) -> [bool; 256] {
    let mut table = [false; 256];
    let mut index = 0;
    while index < bytes.len() {
        table[bytes[index] as usize] = true;
        index += 1;
    }
    table
}

fn closing(byte: u8) -> u8 {
    match byte {
        b'(' => b')',
        b'[' => b']',
        _ => b'}',
    }
}

fn is_name(char: char) -> bool {
    char.is_ascii_alphanumeric() || matches!(char, '-' | '_') || !char.is_ascii()
}

/// The length of a comment with its marks; it ends with the text at the latest.
pub(super) fn comment_length(rest: &[u8]) -> usize {
    let inside = rest.get(2..).unwrap_or(&[]);
    memchr::memmem::find(inside, b"*/").map_or(rest.len(), |end| end + 4)
}

/// The length of a string with its quotes; a line break in it spoils it.
fn string_length(rest: &[u8]) -> Result<usize, Odd> {
    let mut index = 1;
    while let Some(&byte) = rest.get(index) {
        match byte {
            byte if byte == rest[0] => return Ok(index + 1),
            b'\n' | b'\r' | b'\x0c' => return Err(Odd),
            b'\\' if rest[index + 1..].starts_with(b"\r\n") => index += 3,
            b'\\' => index += 2,
            _ => index += 1,
        }
    }
    Ok(rest.len())
}

/// Whether the parenthesis opens an address without quotes, in which brackets mean nothing.
fn is_address(bytes: &[u8], position: usize) -> bool {
    let before = &bytes[..position];
    let is_url = before.len() >= 3 && before[before.len() - 3..].eq_ignore_ascii_case(b"url");
    let is_word = before.len() < 4 || !is_name(char::from(before[before.len() - 4]));
    let first = bytes[position + 1..].iter().find(|byte| !byte.is_ascii_whitespace());
    is_url && is_word && !matches!(first, Some(b'"' | b'\''))
}

fn address_length(rest: &[u8]) -> usize {
    let mut index = 1;
    while let Some(&byte) = rest.get(index) {
        index += if byte == b'\\' { 2 } else { 1 };
        if byte == b')' {
            break;
        }
    }
    index.min(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[Piece<'_>]) {
        assert_eq!(skim(text, Level::Sheet).collect::<Vec<_>>(), expected, "{text}");
    }

    fn style<'t>(selectors: &'t str, body: &'t str) -> Piece<'t> {
        Piece::Style { selectors, body }
    }

    #[test]
    fn rules_end_where_their_braces_do() {
        check("a{b:c}d {e} ", &[style("a", "b:c"), style("d ", "e")]);
        check("<!-- a[b='{']{c:'}'} --> d{", &[style("a[b='{']", "c:'}'"), style("d", "")]);
        check("/* { */ a{b:url(x;{'y)}c{/*}*/d}", &[style("a", "b:url(x;{'y)"), style("c", "/*}*/d")]);
        check(r#".a\{b{c:"\"}"}d{e:\}}"#, &[style(r".a\{b", r#"c:"\"}""#), style("d", r"e:\}")]);
        check("a{b:c", &[style("a", "b:c")]);
        check("a", &[]);
    }

    #[test]
    fn at_rules_have_a_block_or_a_semicolon() {
        check(
            "@import 'a;b';@media (x){a{b}}@x",
            &[
                Piece::At { name: "import", prelude: " 'a;b'", body: None },
                Piece::At { name: "media", prelude: " (x)", body: Some("a{b}") },
                Piece::At { name: "x", prelude: "", body: None },
            ],
        );
    }

    #[test]
    fn what_closes_nothing_spoils_its_rule_alone() {
        check("a{b}}c{d}e{f)g]}h{i}", &[style("a", "b"), style("}c", "d"), style("e", "f)g]"), style("h", "i")]);
    }

    #[test]
    fn odd_brackets_are_left_to_others() {
        check("a{b}c{(}d{e}", &[style("a", "b"), Piece::Rest("c{(}d{e}")]);
        check("a{b:'c\n}d{e}", &[Piece::Rest("a{b:'c\n}d{e}")]);
    }
}
