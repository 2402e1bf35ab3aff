//! What a reader of a page sees, read straight from its source: its text, and the tags that shape it.
//!
//! Told from tags alone, without styles: text that a style sheet hides counts as seen, so that no change of a text is
//! ever taken for nothing. One pass over the source.

use kuai_html::{Tag, TokenKind, tokens};

/// What a source shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Visible {
    /// Its text, white space collapsed, a line for each paragraph.
    pub(crate) text: String,
    /// The tags that shape it, in order, without their attributes.
    pub(crate) shape: Vec<Tag>,
}

/// Reads what a source shows.
pub(crate) fn read(source: &str) -> Visible {
    let mut reader = Reader::default();
    for token in tokens(source) {
        match token.kind {
            TokenKind::Text(text) if reader.hidden_by.is_none() => reader.text(&text),
            TokenKind::StartTag(tag) => reader.enter(tag.tag, tag.self_closing),
            TokenKind::EndTag(tag) => reader.leave(tag.tag),
            _ => {}
        }
    }
    reader.visible
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
    visible: Visible,
    owed: Owed,
    /// The element whose content nobody sees, and how many of its kind are open.
    hidden_by: Option<(Tag, u32)>,
}

impl Reader {
    fn text(&mut self, text: &str) {
        for (index, word) in text.split(is_space).enumerate() {
            if index > 0 {
                self.owed = self.owed.max(Owed::Space);
            }
            if !word.is_empty() {
                self.word(word);
            }
        }
    }

    fn word(&mut self, word: &str) {
        match self.owed {
            _ if self.visible.text.is_empty() => {}
            Owed::Nothing => {}
            Owed::Space => self.visible.text.push(' '),
            Owed::Line => self.visible.text.push('\n'),
        }
        self.owed = Owed::Nothing;
        self.visible.text.push_str(word);
    }

    fn enter(&mut self, tag: Tag, is_self_closing: bool) {
        match &mut self.hidden_by {
            Some((hiding, open)) if *hiding == tag => *open += u32::from(!is_self_closing),
            Some(_) => {}
            None if is_hiding(tag) => self.hidden_by = (!is_self_closing || tag != Tag::Svg).then_some((tag, 1)),
            None => self.tag(tag),
        }
    }

    fn leave(&mut self, tag: Tag) {
        match &mut self.hidden_by {
            Some((hiding, open)) if *hiding == tag => {
                *open -= 1;
                if *open == 0 {
                    self.hidden_by = None;
                }
            }
            Some(_) => {}
            None => self.owed = self.owed.max(owed_at(tag)),
        }
    }

    fn tag(&mut self, tag: Tag) {
        self.owed = self.owed.max(owed_at(tag));
        if !matches!(tag, Tag::Meta | Tag::Link | Tag::Base) {
            self.visible.shape.push(tag);
        }
    }
}

/// A no-break space is a space to a reader.
fn is_space(letter: char) -> bool {
    letter.is_whitespace()
}

/// Elements whose content nobody sees.
fn is_hiding(tag: Tag) -> bool {
    matches!(tag, Tag::Script | Tag::Style | Tag::Noscript | Tag::Template | Tag::Svg)
}

/// Decision: any tag parts words, as it may do by its style; tags that format text part them by a space.
fn owed_at(tag: Tag) -> Owed {
    match tag {
        Tag::A | Tag::Abbr | Tag::Acronym | Tag::B | Tag::Bdi | Tag::Bdo | Tag::Big | Tag::Cite | Tag::Code => {
            Owed::Space
        }
        Tag::Data | Tag::Del | Tag::Dfn | Tag::Em | Tag::Font | Tag::I | Tag::Img | Tag::Ins | Tag::Kbd => Owed::Space,
        Tag::Label | Tag::Mark | Tag::Nobr | Tag::Q | Tag::Ruby | Tag::Rb | Tag::Rp | Tag::Rt | Tag::S => Owed::Space,
        Tag::Samp | Tag::Small | Tag::Span | Tag::Strike | Tag::Strong | Tag::Sub | Tag::Sup | Tag::Td => Owed::Space,
        Tag::Th | Tag::Time | Tag::Tt | Tag::U | Tag::Var | Tag::Wbr | Tag::Input | Tag::Button => Owed::Space,
        _ => Owed::Line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_styles_and_comments_are_not_seen() {
        let source =
            "<title>T</title><script>var a='<p>x</p>'</script><p>One <b>two</b><!-- c --><svg><text>no</text></svg> 3";
        assert_eq!(read(source).text, "T\nOne two 3");
    }

    #[test]
    fn white_space_and_attributes_make_no_difference() {
        assert_eq!(read("<p id=a>One\n two</p>\n<p>3"), read("<p id='b' nonce=x>One two<!--9--></p><p>3"));
    }

    #[test]
    fn what_lies_in_a_template_is_not_seen_nor_what_follows_an_unclosed_one() {
        assert_eq!(read("a<template>b<template></template>c</template>d<noscript>e").text, "ad");
    }
}
