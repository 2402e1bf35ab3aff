//! The text of a link while it is being read.

use kuai_html::Tag;

/// Bytes of anchor text that are kept; links that hold whole articles say enough by then.
const TEXT_BYTES_MAX: usize = 512;

/// What a link has said so far.
pub(super) struct Anchor {
    /// Which link it is.
    pub(super) index: usize,
    text: String,
    alternative: String,
}

impl Anchor {
    /// A link, and what it says where it shows no text.
    pub(super) fn new(index: usize, alternative: &str) -> Anchor {
        Anchor { index, text: String::new(), alternative: one_line(alternative) }
    }

    pub(super) fn push_text(&mut self, text: &str) {
        push_words(&mut self.text, text);
    }

    pub(super) fn push_space(&mut self) {
        push_words(&mut self.text, " ");
    }

    /// What an image says counts before the link's title.
    pub(super) fn push_alternative(&mut self, text: &str) {
        let text = one_line(text);
        if !text.is_empty() {
            self.alternative = text;
        }
    }

    pub(super) fn into_text(mut self) -> String {
        if self.text.ends_with(' ') {
            self.text.pop();
        }
        if self.text.is_empty() { self.alternative } else { self.text }
    }
}

/// Whether words before and after this tag are different words.
pub(super) fn separates_words(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::Address
            | Tag::Article
            | Tag::Blockquote
            | Tag::Br
            | Tag::Dd
            | Tag::Div
            | Tag::Dt
            | Tag::Figcaption
            | Tag::Figure
            | Tag::Footer
            | Tag::H1
            | Tag::H2
            | Tag::H3
            | Tag::H4
            | Tag::H5
            | Tag::H6
            | Tag::Header
            | Tag::Hr
            | Tag::Img
            | Tag::Li
            | Tag::P
            | Tag::Section
            | Tag::Td
            | Tag::Th
            | Tag::Tr
            | Tag::Ul
    )
}

/// The words of a text with one space between them, bounded.
pub(super) fn one_line(text: &str) -> String {
    let mut line = String::new();
    push_words(&mut line, text);
    if line.ends_with(' ') {
        line.pop();
    }
    line
}

/// Appends a text, each run of white space as one space and none at the beginning.
fn push_words(line: &mut String, text: &str) {
    for character in text.chars() {
        if line.len() >= TEXT_BYTES_MAX {
            return;
        }
        if !character.is_whitespace() {
            line.push(character);
        } else if !line.is_empty() && !line.ends_with(' ') {
            line.push(' ');
        }
    }
}
