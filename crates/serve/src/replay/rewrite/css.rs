//! The addresses in style sheets: `url(…)`, `@import "…"`, and the strings of `image-set(…)`.

use std::ops::Range;

use super::super::modifier::Modifier;
use super::links::Links;

/// A style sheet, or a part of one, whose addresses lead into the archive.
pub(crate) fn css(source: &str, links: &Links<'_>) -> String {
    let mut scan = Scan { source, at: 0, depth: 0, set_depth: None, is_import: false };
    let (mut text, mut done) = (String::with_capacity(source.len()), 0);
    while let Some(found) = scan.next_address() {
        let Some(link) = links.to(&unescaped(&source[found.address.clone()]), found.modifier) else { continue };
        let quoted = format!("\"{}\"", link.replace('\\', "\\\\").replace('"', "\\\""));
        text.push_str(&source[done..found.place.start]);
        text.push_str(&if found.is_function { format!("url({quoted})") } else { quoted });
        done = found.place.end;
    }
    text.push_str(&source[done..]);
    text
}

/// An address in a style sheet.
struct Found {
    /// What is to be replaced: the string, or the function with its brackets.
    place: Range<usize>,
    address: Range<usize>,
    is_function: bool,
    modifier: Modifier,
}

struct Scan<'a> {
    source: &'a str,
    at: usize,
    /// Of brackets.
    depth: usize,
    /// How deep the innermost open `image-set(` is.
    set_depth: Option<usize>,
    /// Whether the next string or function is what an `@import` asks for.
    is_import: bool,
}

impl Scan<'_> {
    fn next_address(&mut self) -> Option<Found> {
        let bytes = self.source.as_bytes();
        while let Some(byte) = bytes.get(self.at) {
            match byte {
                b'/' if bytes.get(self.at + 1) == Some(&b'*') => self.skip_past("*/"),
                b'"' | b'\'' => {
                    let (place, address) = self.string();
                    if self.is_import || self.set_depth.is_some() {
                        return Some(Found { place, address, is_function: false, modifier: self.modifier() });
                    }
                }
                b'(' => (self.depth, self.at) = (self.depth + 1, self.at + 1),
                b')' => {
                    self.set_depth = self.set_depth.filter(|depth| *depth < self.depth);
                    (self.depth, self.at) = (self.depth.saturating_sub(1), self.at + 1);
                }
                b';' | b'{' | b'}' => (self.is_import, self.at) = (false, self.at + 1),
                b'\\' => self.at += 2,
                byte if is_name(*byte) || *byte == b'@' => {
                    if let Some(found) = self.name() {
                        return Some(found);
                    }
                }
                _ => self.at += 1,
            }
        }
        None
    }

    /// Passes a name; what it is the name of may be an address.
    fn name(&mut self) -> Option<Found> {
        let (bytes, start) = (self.source.as_bytes(), self.at);
        let length = 1 + bytes[start + 1..].iter().take_while(|byte| is_name(**byte)).count();
        self.at = start + length;
        let name = &bytes[start..self.at];
        let is = |known: &str| name.eq_ignore_ascii_case(known.as_bytes());
        let is_function = bytes.get(self.at) == Some(&b'(');
        if is("@import") {
            self.is_import = true;
        } else if is("@namespace") {
            // It names a namespace, and nothing is fetched from there.
            self.skip_past(";");
        } else if is_function && (is("image-set") || is("-webkit-image-set")) {
            self.set_depth = Some(self.depth + 1);
        } else if is_function && is("url") {
            let address = self.argument();
            return Some(Found { place: start..self.at, address, is_function: true, modifier: self.modifier() });
        }
        None
    }

    /// Passes the brackets of `url(…)` and gives what stands in them, without quotes.
    fn argument(&mut self) -> Range<usize> {
        let bytes = self.source.as_bytes();
        self.at += 1;
        self.at += bytes[self.at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        if let Some(b'"' | b'\'') = bytes.get(self.at) {
            let (_, address) = self.string();
            self.skip_past(")");
            return address;
        }
        let start = self.at;
        while let Some(byte) = bytes.get(self.at).filter(|byte| **byte != b')') {
            self.at += if *byte == b'\\' { 2 } else { 1 };
        }
        let end = floor(self.source, self.at);
        self.at = (end + 1).min(bytes.len());
        start..start + self.source[start..end].trim_ascii_end().len()
    }

    /// Passes a string, or its first line where it has no end.
    fn string(&mut self) -> (Range<usize>, Range<usize>) {
        let (bytes, start) = (self.source.as_bytes(), self.at);
        let quote = bytes[start];
        self.at += 1;
        while let Some(byte) = bytes.get(self.at).filter(|byte| **byte != quote && **byte != b'\n') {
            self.at += if *byte == b'\\' { 2 } else { 1 };
        }
        let end = floor(self.source, self.at);
        self.at = if bytes.get(end) == Some(&quote) { end + 1 } else { end };
        (start..self.at, start + 1..end)
    }

    fn skip_past(&mut self, end: &str) {
        let rest = &self.source[floor(self.source, self.at)..];
        self.at = rest.find(end).map_or(self.source.len(), |at| self.source.len() - rest.len() + at + end.len());
    }

    fn modifier(&mut self) -> Modifier {
        // Not as a picture: one that is missing shows nothing, as it always did, rather than our notice all over a page.
        if std::mem::take(&mut self.is_import) { Modifier::Style } else { Modifier::Other }
    }
}

/// The last place at or before this one where a character begins: an escape may have led into one.
fn floor(source: &str, at: usize) -> usize {
    (0..=at.min(source.len())).rev().find(|at| source.is_char_boundary(*at)).unwrap_or_default()
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_') || byte >= 0x80
}

/// What a string stands for: `\28 ` is a bracket, and a backslash before anything else means just that.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        if character != '\\' {
            plain.push(character);
            continue;
        }
        let mut digits = String::new();
        while let Some(digit) = rest.next_if(|next| digits.len() < 6 && next.is_ascii_hexdigit()) {
            digits.push(digit);
        }
        match u32::from_str_radix(&digits, 16) {
            Ok(code) => {
                plain.push(char::from_u32(code).unwrap_or('\u{fffd}'));
                rest.next_if(char::is_ascii_whitespace);
            }
            Err(_) => plain.extend(rest.next().filter(|next| *next != '\n')),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use encoding_rs::UTF_8;
    use kuai_page::Url;

    use super::*;

    fn check(source: &str, expected: &str) {
        let page = Url::parse("https://e.org/d/s.css").expect("an address");
        let rewritten = css(source, &Links::new(&page, "/w/", "2026", UTF_8));
        assert_eq!(
            rewritten,
            expected.replace('~', "/w/2026oe_/https://e.org").replace('^', "/w/2026cs_/https://e.org")
        );
    }

    #[test]
    fn addresses_lead_into_the_archive() {
        check("a{background:url(x.png) red}", "a{background:url(\"~/d/x.png\") red}");
        check("a{b:URL( 'x y.png' ) , url(\"/z\")}", "a{b:url(\"~/d/x%20y.png\") , url(\"~/z\")}");
        check(
            "@import 'a.css';@import url(b.css) print;b{c:'d'}",
            "@import \"^/d/a.css\";@import url(\"^/d/b.css\") print;b{c:'d'}",
        );
        check("a{b:image-set('x' 1x, url(y) 2x);c:'z'}", "a{b:image-set(\"~/d/x\" 1x, url(\"~/d/y\") 2x);c:'z'}");
        check("a{b:url(a\\(b\\)\\20 c)}", "a{b:url(\"~/d/a(b)%20c\")}");
    }

    #[test]
    fn what_is_no_address_stays() {
        for source in [
            "/* url(x) */ a{content:'url(x)'}",
            "a{b:url(data:image/png;base64,xx)}",
            "svg{fill:url(#a)}",
            "@namespace svg url(http://www.w3.org/2000/svg);",
            "a{b:curl(x)}",
            "a{b:url()}",
            "块{b:'块'}",
        ] {
            check(source, source);
        }
    }

    #[test]
    fn what_has_no_end_is_gone_through_once() {
        check("a{b:url(x", "a{b:url(\"~/d/x\")");
        check("@import 'x", "@import \"^/d/x\"");
        for source in ["a{b:url('x", "/* x", "\"", "\\", "a\\块", "url(\\块", "'\\块", "@", "@namespace", "url(\\"] {
            let _ = css(source, &Links::new(&Url::parse("https://e.org/").expect("an address"), "/w/", "2026", UTF_8));
        }
    }
}
