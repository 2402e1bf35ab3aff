//! How wide text is: letter by letter, by class of typeface.

use std::rc::Rc;

use crate::{Style, Typeface};

/// Widths of the letters from space to `~` in hundredths of the font size: Times (Liberation Serif).
const SERIF: [u8; 95] = [
    25, 33, 41, 50, 50, 83, 78, 18, 33, 33, 50, 56, 25, 33, 25, 28, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 28, 28, 56,
    56, 56, 44, 92, 72, 67, 67, 72, 61, 56, 72, 72, 33, 39, 72, 61, 89, 72, 72, 56, 72, 67, 56, 61, 72, 72, 94, 72, 72,
    61, 33, 28, 33, 47, 50, 33, 44, 50, 44, 50, 44, 33, 50, 50, 28, 28, 50, 28, 78, 50, 50, 50, 50, 33, 39, 28, 50, 50,
    72, 50, 50, 44, 48, 20, 48, 54,
];

/// The same for Arial (Liberation Sans).
const SANS: [u8; 95] = [
    28, 28, 35, 56, 56, 89, 67, 19, 33, 33, 39, 58, 28, 33, 28, 28, 56, 56, 56, 56, 56, 56, 56, 56, 56, 56, 28, 28, 58,
    58, 58, 56, 102, 67, 67, 72, 72, 67, 61, 78, 72, 28, 50, 67, 56, 83, 72, 78, 67, 78, 72, 67, 61, 72, 67, 94, 67,
    67, 61, 28, 28, 28, 47, 56, 33, 56, 56, 50, 56, 56, 28, 56, 56, 22, 22, 50, 22, 83, 56, 56, 56, 56, 33, 50, 28, 56,
    50, 72, 50, 50, 50, 33, 26, 33, 58,
];

/// The same for typewriter letters.
const MONO: [u8; 95] = [60; 95];

/// Pens by font, so that letters are not scaled again for every run of text.
#[derive(Default)]
pub(super) struct Pens {
    slots: [Option<(Font, Rc<Pen>)>; 16],
}

/// All of a style that the widths of its letters depend on.
#[derive(Clone, Copy, PartialEq)]
struct Font {
    size: f32,
    spacing: f32,
    typeface: Typeface,
    is_bold: bool,
    uppercase: bool,
}

impl Font {
    fn of(style: &Style) -> Font {
        Font {
            size: style.font_size,
            spacing: style.letter_spacing,
            typeface: style.typeface,
            is_bold: style.font_weight >= 600,
            uppercase: style.uppercase,
        }
    }

    /// Fonts of a page differ in size and weight before all else.
    fn slot(&self) -> usize {
        (self.size as usize * 2 + usize::from(self.is_bold)) % 16
    }
}

impl Pens {
    /// The pen for text in this style.
    pub(super) fn get(&mut self, style: &Style) -> Rc<Pen> {
        let font = Font::of(style);
        let slot = &mut self.slots[font.slot()];
        match slot {
            Some((known, pen)) if *known == font => Rc::clone(pen),
            _ => {
                let pen = Rc::new(Pen::new(Letters::of(style)));
                *slot = Some((font, Rc::clone(&pen)));
                pen
            }
        }
    }
}

/// A font with the widths of its commonest letters at hand.
pub(super) struct Pen {
    letters: Letters,
    /// Widths of the ASCII characters inside words; not a number for those at which a line may break.
    ascii: [f32; 128],
}

impl Pen {
    fn new(letters: Letters) -> Pen {
        let mut ascii = [f32::NAN; 128];
        for code in (0..128).filter(|&code| !is_space(code) && code != b'-') {
            ascii[usize::from(code)] = letters.advance(char::from(code));
        }
        Pen { letters, ascii }
    }

    pub(super) fn space(&self) -> f32 {
        self.letters.advance(' ')
    }
}

/// Measures text in one style.
#[derive(Clone, Copy)]
pub(super) struct Letters {
    widths: &'static [u8; 95],
    /// Pixels per hundredth of the font size.
    scale: f32,
    wide: f32,
    spacing: f32,
    uppercase: bool,
}

impl Letters {
    pub(super) fn of(style: &Style) -> Letters {
        let widths = match style.typeface {
            Typeface::Serif => &SERIF,
            Typeface::Sans => &SANS,
            Typeface::Mono => &MONO,
        };
        let bold = if style.font_weight >= 600 && style.typeface != Typeface::Mono { BOLD_STRETCH } else { 1.0 };
        Letters {
            widths,
            scale: style.font_size * bold / 100.0,
            wide: style.font_size,
            spacing: style.letter_spacing,
            uppercase: style.uppercase,
        }
    }

    /// The width of one character in pixels.
    fn advance(&self, char: char) -> f32 {
        let code = char as u32;
        let width = match code {
            0x20..=0x7e => {
                let code = if self.uppercase { char.to_ascii_uppercase() as u32 } else { code };
                f32::from(self.widths[(code - 0x20) as usize]) * self.scale
            }
            // Other alphabets are about as wide as Latin small letters.
            0xa0..=0x2fff => match code {
                0x300..=0x36f | 0x200b..=0x200f => return 0.0,
                0x2018 | 0x2019 => 25.0 * self.scale,
                _ => 53.0 * self.scale,
            },
            _ if is_wide(char) => self.wide,
            0..=0x1f => return 0.0,
            _ => 53.0 * self.scale,
        };
        width + self.spacing
    }

    /// The width of a whole text on one line.
    pub(super) fn width(&self, text: &str) -> f32 {
        text.chars().map(|char| self.advance(char)).sum()
    }
}

/// Bold letters against normal ones, over running text in Arial and Times.
const BOLD_STRETCH: f32 = 1.07;

/// Whether a character is as wide as high, and a line may break beside it: Chinese, Japanese, Korean.
pub(super) fn is_wide(char: char) -> bool {
    matches!(char as u32, 0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f | 0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x1f300..=0x1faff | 0x20000..=0x3fffd)
}

/// A piece of text between places where a line may break.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Piece {
    /// A word, or one wide character; its width.
    Word(f32),
    /// White space that may become one space.
    Space,
    /// A line break that stands.
    Break,
}

/// Cuts text into pieces, without collapsing white space.
pub(super) fn pieces(text: &str, pen: &Pen, keeps_breaks: bool, each: &mut impl FnMut(Piece)) {
    let bytes = text.as_bytes();
    let (mut word, mut in_word) = (0.0, false);
    let mut position = 0;
    while let Some(&byte) = bytes.get(position) {
        // Nearly all letters go this way.
        if let Some(&advance) = pen.ascii.get(usize::from(byte)).filter(|advance| !advance.is_nan()) {
            word += advance;
            in_word = true;
            position += 1;
            continue;
        }
        let Some(char) = text[position..].chars().next() else { break };
        position += char.len_utf8();
        let is_space = is_space(byte);
        let wide = is_wide(char);
        if (is_space || wide) && in_word {
            each(Piece::Word(word));
            (word, in_word) = (0.0, false);
        }
        if is_space {
            each(if keeps_breaks && char == '\n' { Piece::Break } else { Piece::Space });
        } else if wide {
            each(Piece::Word(pen.letters.advance(char)));
        } else {
            word += pen.letters.advance(char);
            in_word = true;
            // A hyphen or zero-width space lets the line break behind it.
            if matches!(char, '-' | '\u{200b}') {
                each(Piece::Word(word));
                (word, in_word) = (0.0, false);
            }
        }
    }
    if in_word {
        each(Piece::Word(word));
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c')
}
