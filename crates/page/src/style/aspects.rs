//! The aspects of a style by which an element can be hidden, and what declarations say of them, told from their text.
//!
//! Rather too much is told than too little: whether an element is hidden the cascade says, of those that are asked about.

use std::borrow::Cow;
use std::ops::{BitAnd, BitOr, BitOrAssign};

use memchr::memmem;

use super::parse::Word;

/// A set of aspects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Aspects(u8);

impl Aspects {
    pub(super) const NONE: Aspects = Aspects(0);
    pub(super) const ALL: Aspects = Aspects(u8::MAX);
    pub(super) const DISPLAY: Aspects = Aspects(1);
    /// What makes a box too small for its text.
    pub(super) const SIZE: Aspects = Aspects(2);
    const OPACITY: Aspects = Aspects(4);
    const CLIP: Aspects = Aspects(8);
    /// What pushes a box out of the page.
    const PLACE: Aspects = Aspects(16);
    const VISIBILITY: Aspects = Aspects(32);
    const INDENT: Aspects = Aspects(64);
    const LETTERS: Aspects = Aspects(128);
    /// Those that text takes over from what is around its element.
    pub(super) const INHERITED: Aspects = Aspects(Self::VISIBILITY.0 | Self::INDENT.0 | Self::LETTERS.0);

    pub(super) fn is_empty(self) -> bool {
        self == Aspects::NONE
    }

    fn when(self, holds: bool) -> Aspects {
        if holds { self } else { Aspects::NONE }
    }
}

impl BitOr for Aspects {
    type Output = Aspects;

    fn bitor(self, other: Aspects) -> Aspects {
        Aspects(self.0 | other.0)
    }
}

impl BitOrAssign for Aspects {
    fn bitor_assign(&mut self, other: Aspects) {
        self.0 |= other.0;
    }
}

impl BitAnd for Aspects {
    type Output = Aspects;

    fn bitand(self, other: Aspects) -> Aspects {
        Aspects(self.0 & other.0)
    }
}

/// What a list of declarations says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Said {
    /// The aspects that it says anything about.
    pub(super) about: Aspects,
    /// Those by which it might hide an element.
    pub(super) hiding: Aspects,
}

impl Said {
    pub(super) const ANYTHING: Said = Said { about: Aspects::ALL, hiding: Aspects::ALL };

    pub(super) fn read(declarations: &str) -> Said {
        let mut said = Said::default();
        let declarations = without_comments(declarations);
        let (mut start, mut colon) = (0, None);
        // By hand, as every rule and style of a page comes by here.
        for (place, byte) in declarations.bytes().chain(std::iter::once(b';')).enumerate() {
            match (byte, colon) {
                (b':', None) => colon = Some(place),
                (b';', Some(colon)) => {
                    let (name, value) = (&declarations[start..colon], &declarations[colon + 1..place]);
                    said.add(&Word::new(name.trim_ascii()), value.trim_ascii_start());
                }
                _ => {}
            }
            if byte == b';' {
                (start, colon) = (place + 1, None);
            }
        }
        said
    }

    fn add(&mut self, name: &str, value: &str) {
        let is_variable = || value.contains("var(");
        let (about, hiding) = match name {
            // Whether a box can be too small, its display tells as well.
            "display" => {
                let hides = begins(value, "none") || is_variable();
                (Aspects::DISPLAY | Aspects::SIZE, Aspects::DISPLAY.when(hides))
            }
            "visibility" => (Aspects::VISIBILITY, Aspects::VISIBILITY.when(!begins(value, "visible"))),
            "opacity" => (Aspects::OPACITY, Aspects::OPACITY.when(is_below(value, 0.01) || is_variable())),
            "clip" => (Aspects::CLIP, Aspects::CLIP.when(!begins(value, "auto"))),
            "clip-path" => (Aspects::CLIP, Aspects::CLIP.when(!begins(value, "none"))),
            "width" | "height" | "max-height" => (Aspects::SIZE, Aspects::SIZE.when(is_collapsed(value))),
            "float" | "overflow" | "overflow-x" | "overflow-y" | "padding" | "padding-top" | "padding-bottom"
            | "padding-block" => (Aspects::SIZE, Aspects::NONE),
            "position" => (Aspects::SIZE | Aspects::PLACE, Aspects::NONE),
            "top" | "right" | "bottom" | "left" | "inset" | "margin" | "margin-left" | "margin-top"
            | "margin-inline" | "margin-block" => (Aspects::PLACE, Aspects::PLACE.when(is_far_out(value, false))),
            "text-indent" => (Aspects::INDENT, Aspects::INDENT.when(is_far_out(value, true))),
            "font-size" => (Aspects::LETTERS, Aspects::LETTERS.when(is_tiny(value))),
            "font" => (Aspects::LETTERS, Aspects::LETTERS.when(value.split_ascii_whitespace().any(is_tiny))),
            // What stands for a value anywhere.
            name if name.starts_with("--") => (Aspects::ALL, Aspects::NONE),
            _ => return,
        };
        self.about |= about;
        self.hiding |= hiding;
    }
}

fn without_comments(text: &str) -> Cow<'_, str> {
    let Some(comment) = memmem::find(text.as_bytes(), b"/*") else { return Cow::Borrowed(text) };
    let (first, rest) = (&text[..comment], &text[comment + 2..]);
    let told = rest.split("/*").filter_map(|part| part.split_once("*/")).map(|(_, told)| told);
    Cow::Owned(std::iter::once(first).chain(told).collect())
}

/// A box of a pixel is none, see [`Style::hides_all_inside`](super::Style).
const COLLAPSED_BELOW: f32 = 1.01;
/// Letters of less than a pixel are none; of a font size around them, less than this can be that small.
const TINY_BELOW: f32 = 0.1;
/// Digits of a length in pixels, and of one in other units, that may push an element out of the page.
const FAR_DIGITS_MIN: usize = 3;
const FAR_DIGITS_OF_FONTS_MIN: usize = 2;

fn begins(value: &str, word: &str) -> bool {
    value.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}

/// Whether a box of such a size may show nothing of its text.
pub(super) fn is_collapsed(value: &str) -> bool {
    is_below(value, COLLAPSED_BELOW)
}

fn is_below(value: &str, bound: f32) -> bool {
    number(value).is_some_and(|(number, _)| number < bound)
}

fn is_tiny(value: &str) -> bool {
    number(value).is_some_and(|(number, unit)| number < TINY_BELOW || (number < 1.0 && begins(unit, "px")))
}

/// The number that a value begins with, and what stands behind it.
fn number(value: &str) -> Option<(f32, &str)> {
    let end = value.find(|char: char| !matches!(char, '0'..='9' | '.' | '-' | '+')).unwrap_or(value.len());
    value[..end].parse().ok().map(|number| (number, &value[end..]))
}

/// Whether a length in the value is so far below nothing that what it moves may not be seen.
fn is_far_out(value: &str, counts_percent: bool) -> bool {
    value.split('-').skip(1).any(|length| {
        let digits = length.bytes().take_while(u8::is_ascii_digit).count();
        match length.as_bytes().get(digits) {
            Some(b'%') => counts_percent && digits >= FAR_DIGITS_OF_FONTS_MIN,
            Some(b'p' | b'P') => digits >= FAR_DIGITS_MIN,
            _ => digits >= FAR_DIGITS_OF_FONTS_MIN,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(expected: Aspects, lists: &[&str]) {
        for declarations in lists {
            assert_eq!(Said::read(declarations).hiding, expected, "{declarations}");
        }
    }

    #[test]
    fn what_might_hide_is_told_by_its_value() {
        #[rustfmt::skip]
        check(Aspects::NONE, &[
            "", "display", "display: block", "color:none", "opacity: .5", "opacity:1", "visibility: Visible", "clip:auto", "width:100%",
            "width: 2px", "margin: 0 -15px", "left: -100%", "font: 12px/1 a", "font-size: .9em", "text-indent:-9px", "left:99999px",
        ]);
        check(
            Aspects::DISPLAY,
            &["color:red; DISPLAY: None !important", "/* gone: */ display:none", "display:var(--d)"],
        );
        check(Aspects::OPACITY, &["opacity:0", "opacity: var(--o)"]);
        check(Aspects::CLIP, &["clip: rect(0 0 0 0)", "clip-path:inset(50%)"]);
        check(Aspects::SIZE, &["height:0;", "width:1px", "max-height: .5em"]);
        check(Aspects::PLACE, &["margin: 0 0 0 -9999px", "left:-999em", "top: -1000px"]);
        check(Aspects::VISIBILITY, &["visibility:hidden", "display:block;visibility:collapse"]);
        check(Aspects::INDENT, &["text-indent:-100%", "text-indent: -9999px"]);
        check(Aspects::LETTERS, &["font-size:0", "font: 0/0 a", "font-size:.5px"]);
    }

    #[test]
    fn what_is_said_of_an_aspect_is_told_whether_it_hides_or_not() {
        assert_eq!(Said::read("color:red;border:0").about, Aspects::NONE);
        assert_eq!(Said::read("display:block").about, Aspects::DISPLAY | Aspects::SIZE);
        assert_eq!(Said::read("--x:red").about, Aspects::ALL);
    }
}
