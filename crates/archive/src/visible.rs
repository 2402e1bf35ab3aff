//! What a reader of a page sees, read straight from its source: its text, and the tags that shape it.
//!
//! Told from tags alone, without styles: text that a style sheet hides counts as seen, so that no change of a text is
//! ever taken for nothing. One pass over the source.

use kuai_html::{Tag, TokenKind, tokens};

/// What a source shows, to be compared with what another does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Visible {
    /// Its text as it is spelt, character references and all, with one space wherever there is space or markup.
    pub(crate) spelling: String,
    /// The tags that shape it, in order, without their attributes.
    pub(crate) shape: Vec<Tag>,
    /// Whether it ends within an element that nobody sees.
    pub(crate) is_open: bool,
}

impl Visible {
    /// The tags that lay the source out, without those that only format words.
    pub(crate) fn layout(&self) -> impl Iterator<Item = Tag> {
        self.shape.iter().copied().filter(|tag| owed_at(*tag) != Owed::Nothing && *tag != Tag::Br)
    }
}

/// The text that a source shows, to be read: white space collapsed, a line for each paragraph.
pub(crate) fn text(source: &str) -> String {
    let mut reader = Reader::default();
    for token in tokens(source) {
        match token.kind {
            TokenKind::Text(text) => reader.text(&text, char::is_whitespace),
            TokenKind::StartTag(tag) => reader.enter(tag.tag, owed_at(tag.tag)),
            TokenKind::EndTag(tag) => reader.leave(tag.tag, owed_at(tag.tag)),
            TokenKind::Comment(_) | TokenKind::Doctype(_) => {}
        }
    }
    reader.text
}

/// What a source shows, to be compared.
// Decision: texts are compared as they are spelt. `&uuml;` for `ü` reads the same, but it is rare, and telling of it errs on the
// side on which no change is missed.
pub(crate) fn read(source: &str) -> Visible {
    let mut reader = Reader::default();
    for token in tokens(source) {
        match token.kind {
            TokenKind::Text(_) => reader.text(token.span.of(source), |letter| letter.is_ascii_whitespace()),
            TokenKind::StartTag(tag) => reader.enter(tag.tag, Owed::Space),
            TokenKind::EndTag(tag) => reader.leave(tag.tag, Owed::Space),
            TokenKind::Comment(_) | TokenKind::Doctype(_) => reader.owe(Owed::Space),
        }
    }
    Visible { spelling: reader.text, shape: reader.shape, is_open: reader.hidden_by.is_some() }
}

/// What is owed to the text before its next word.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Owed {
    #[default]
    Nothing,
    Space,
    Line,
}

#[derive(Default)]
struct Reader {
    text: String,
    shape: Vec<Tag>,
    owed: Owed,
    /// The element whose content nobody sees, and how many of its kind are open.
    hidden_by: Option<(Tag, u32)>,
}

impl Reader {
    fn owe(&mut self, owed: Owed) {
        self.owed = self.owed.max(owed);
    }

    fn text(&mut self, text: &str, is_space: impl Fn(char) -> bool) {
        if self.hidden_by.is_some() {
            return;
        }
        for (index, word) in text.split(is_space).enumerate() {
            if index > 0 {
                self.owe(Owed::Space);
            }
            if !word.is_empty() {
                self.word(word);
            }
        }
    }

    fn word(&mut self, word: &str) {
        match std::mem::take(&mut self.owed) {
            _ if self.text.is_empty() => {}
            Owed::Nothing => {}
            Owed::Space => self.text.push(' '),
            Owed::Line => self.text.push('\n'),
        }
        self.text.push_str(word);
    }

    fn enter(&mut self, tag: Tag, owed: Owed) {
        match &mut self.hidden_by {
            Some((hiding, open)) => *open += u32::from(*hiding == tag),
            None => {
                self.owe(owed);
                if is_hiding(tag) {
                    self.hidden_by = Some((tag, 1));
                } else if !matches!(tag, Tag::Meta | Tag::Link | Tag::Base) {
                    self.shape.push(tag);
                }
            }
        }
    }

    fn leave(&mut self, tag: Tag, owed: Owed) {
        match &mut self.hidden_by {
            Some((hiding, open)) if *hiding == tag => {
                *open -= 1;
                self.hidden_by = self.hidden_by.filter(|(_, open)| *open > 0);
            }
            Some(_) => {}
            None => self.owe(owed),
        }
    }
}

/// Elements whose content nobody sees.
fn is_hiding(tag: Tag) -> bool {
    matches!(tag, Tag::Script | Tag::Style | Tag::Noscript | Tag::Template | Tag::Svg)
}

/// What a tag owes to the text that is read: nothing where it formats words or hides, a line where it may lay out.
fn owed_at(tag: Tag) -> Owed {
    match tag {
        Tag::A | Tag::Abbr | Tag::Acronym | Tag::B | Tag::Bdi | Tag::Bdo | Tag::Big | Tag::Cite | Tag::Code => {
            Owed::Nothing
        }
        Tag::Data | Tag::Del | Tag::Dfn | Tag::Em | Tag::Font | Tag::I | Tag::Img | Tag::Ins | Tag::Kbd => {
            Owed::Nothing
        }
        Tag::Mark | Tag::Nobr | Tag::Q | Tag::Ruby | Tag::Rb | Tag::Rp | Tag::Rt | Tag::S | Tag::Samp => Owed::Nothing,
        Tag::Small | Tag::Span | Tag::Strike | Tag::Strong | Tag::Sub | Tag::Sup | Tag::Time | Tag::Tt => Owed::Nothing,
        Tag::U | Tag::Var | Tag::Wbr | Tag::Script | Tag::Style | Tag::Noscript | Tag::Template | Tag::Svg => {
            Owed::Nothing
        }
        Tag::Td | Tag::Th | Tag::Input | Tag::Button | Tag::Label | Tag::Select | Tag::Option => Owed::Space,
        _ => Owed::Line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_styles_and_comments_are_not_seen() {
        let source =
            "<title>T</title><script>var a='<p>x</p>'</script><p>One <b>two</b>s<!-- c --><svg><text>no</text></svg> 3";
        assert_eq!(text(source), "T\nOne twos 3");
        assert_eq!(read(source).spelling, "T One two s 3");
    }

    #[test]
    fn white_space_and_attributes_make_no_difference() {
        assert_eq!(read("<p id=a>One\n two</p>\n<p>3"), read("<p id='b' nonce=x>One two<!--9--></p><p>3"));
    }

    #[test]
    fn references_are_read_but_compared_as_they_are_spelt() {
        assert_eq!(text("<p>T&uuml;r &amp; Tor"), "Tür & Tor");
        assert_ne!(read("T&uuml;r"), read("Tür"));
    }

    #[test]
    fn what_lies_in_a_template_is_not_seen_nor_what_follows_an_unclosed_one() {
        assert_eq!(text("a<template>b<template></template>c</template>d<noscript>e"), "ad");
    }
}
