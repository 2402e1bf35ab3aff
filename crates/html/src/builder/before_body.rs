//! The insertion modes before the body: initial, before html, before head, in head, in head noscript, after head.

use super::insert::Position;
use super::{Builder, Flow, Mode};
use crate::Tag;
use crate::tokenizer::Token;

/// Elements of the head that may be written elsewhere too.
const HEAD_CONTENT: &[Tag] = &[
    Tag::Base,
    Tag::Basefont,
    Tag::Bgsound,
    Tag::Link,
    Tag::Meta,
    Tag::Noframes,
    Tag::Script,
    Tag::Style,
    Tag::Template,
    Tag::Title,
];

impl Builder<'_, '_> {
    pub(super) fn initial(&mut self, token: Token) -> Flow {
        match token {
            Token::Text(text) if self.is_space(text) => Flow::Done,
            Token::Comment(text) => {
                self.insert_comment_at(text, Position::last_in(0));
                Flow::Done
            }
            Token::Doctype => {
                self.insert_doctype();
                self.done_in(Mode::BeforeHtml)
            }
            _ => {
                self.tree.quirks = crate::Quirks::Full;
                self.again_in(Mode::BeforeHtml)
            }
        }
    }

    pub(super) fn before_html(&mut self, token: Token) -> Flow {
        match token {
            Token::Doctype => Flow::Done,
            Token::Text(text) if self.is_space(text) => Flow::Done,
            Token::Comment(text) => {
                self.insert_comment_at(text, Position::last_in(0));
                Flow::Done
            }
            Token::StartTag if self.tag.tag == Tag::Html => {
                self.insert_always();
                self.done_in(Mode::BeforeHead)
            }
            Token::EndTag if !is_end_that_opens(self.tag.tag) => Flow::Done,
            _ => {
                self.insert_implied(Tag::Html);
                self.again_in(Mode::BeforeHead)
            }
        }
    }

    pub(super) fn before_head(&mut self, token: Token) -> Flow {
        match token {
            Token::Doctype => Flow::Done,
            Token::Text(text) if self.is_space(text) => Flow::Done,
            Token::Comment(text) => {
                self.insert_comment(text);
                Flow::Done
            }
            Token::StartTag if self.tag.tag == Tag::Html => self.in_body(token),
            Token::StartTag if self.tag.tag == Tag::Head => {
                self.head = self.insert_always();
                self.done_in(Mode::InHead)
            }
            Token::EndTag if !is_end_that_opens(self.tag.tag) => Flow::Done,
            _ => {
                self.head = self.insert_implied(Tag::Head);
                self.again_in(Mode::InHead)
            }
        }
    }

    pub(super) fn in_head(&mut self, token: Token) -> Flow {
        match token {
            Token::Doctype => Flow::Done,
            Token::Text(text) if self.is_space(text) => {
                self.insert_text(text, self.span);
                Flow::Done
            }
            Token::Comment(text) => {
                self.insert_comment(text);
                Flow::Done
            }
            Token::StartTag => self.start_in_head(token),
            Token::EndTag => match self.tag.tag {
                Tag::Head => {
                    self.pop_ended();
                    self.done_in(Mode::AfterHead)
                }
                Tag::Body | Tag::Html | Tag::Br => self.leave_head(),
                Tag::Template => self.end_template(),
                _ => Flow::Done,
            },
            _ => self.leave_head(),
        }
    }

    fn start_in_head(&mut self, token: Token) -> Flow {
        match self.tag.tag {
            Tag::Html => return self.in_body(token),
            Tag::Base | Tag::Basefont | Tag::Bgsound | Tag::Link | Tag::Meta => {
                self.insert_leaf();
            }
            Tag::Title | Tag::Noframes | Tag::Style | Tag::Script => self.insert_raw_text(),
            Tag::Noscript if self.scripting => self.insert_raw_text(),
            Tag::Noscript => {
                self.insert_always();
                self.mode = Mode::InHeadNoscript;
            }
            Tag::Template => self.start_template(),
            Tag::Head => {}
            _ => return self.leave_head(),
        }
        Flow::Done
    }

    fn leave_head(&mut self) -> Flow {
        self.pop();
        self.again_in(Mode::AfterHead)
    }

    fn start_template(&mut self) {
        let Some(template) = self.insert_element() else { return };
        if self.as_shown {
            self.templates.push(template);
        }
        self.formatting.push_marker();
        self.frameset_ok = false;
        self.mode = Mode::InTemplate;
        self.template_modes.push(Mode::InTemplate);
    }

    fn end_template(&mut self) -> Flow {
        if self.is_open(Tag::Template) {
            self.close_implied_thoroughly();
            self.close_template();
        }
        Flow::Done
    }

    pub(super) fn close_template(&mut self) {
        self.pop_until(Tag::Template);
        self.formatting.clear_to_marker();
        self.template_modes.pop();
        self.reset_mode();
    }

    pub(super) fn in_head_noscript(&mut self, token: Token) -> Flow {
        match token {
            Token::Doctype => Flow::Done,
            Token::StartTag if self.tag.tag == Tag::Html => self.in_body(token),
            Token::EndTag if self.tag.tag == Tag::Noscript => {
                self.pop_ended();
                self.done_in(Mode::InHead)
            }
            Token::Text(text) if self.is_space(text) => self.in_head(token),
            Token::Comment(_) => self.in_head(token),
            Token::StartTag
                if matches!(
                    self.tag.tag,
                    Tag::Basefont | Tag::Bgsound | Tag::Link | Tag::Meta | Tag::Noframes | Tag::Style
                ) =>
            {
                self.in_head(token)
            }
            Token::StartTag if matches!(self.tag.tag, Tag::Head | Tag::Noscript) => Flow::Done,
            Token::StartTag if self.as_shown && self.tag.tag == Tag::Iframe => {
                // The standard would go on in the body, and the iframe, if it is left open, would take the page.
                self.insert_raw_text();
                Flow::Done
            }
            Token::EndTag if self.tag.tag != Tag::Br => Flow::Done,
            _ => {
                self.pop();
                self.again_in(Mode::InHead)
            }
        }
    }

    pub(super) fn after_head(&mut self, token: Token) -> Flow {
        match token {
            Token::Doctype => Flow::Done,
            Token::Text(text) if self.is_space(text) => {
                self.insert_text(text, self.span);
                Flow::Done
            }
            Token::Comment(text) => {
                self.insert_comment(text);
                Flow::Done
            }
            Token::StartTag => self.start_after_head(token),
            Token::EndTag if self.tag.tag == Tag::Template => self.in_head(token),
            Token::EndTag if !matches!(self.tag.tag, Tag::Body | Tag::Html | Tag::Br) => Flow::Done,
            _ => self.open_body(),
        }
    }

    fn start_after_head(&mut self, token: Token) -> Flow {
        match self.tag.tag {
            Tag::Html => self.in_body(token),
            Tag::Body => {
                self.insert_always();
                self.frameset_ok = false;
                self.done_in(Mode::InBody)
            }
            Tag::Frameset => {
                self.insert_always();
                self.done_in(Mode::InFrameset)
            }
            Tag::Head => Flow::Done,
            tag if HEAD_CONTENT.contains(&tag) => self.fill_closed_head(token),
            _ => self.open_body(),
        }
    }

    /// Head content behind `</head>` goes into the head all the same, which keeps its span.
    fn fill_closed_head(&mut self, token: Token) -> Flow {
        let head = self.head;
        let (content_end, end) = (self.tree.content_end(head), self.node(head).span.end);
        self.push_html(head, Tag::Head);
        let flow = self.in_head(token);
        self.remove_open(head);
        self.tree.end(head, content_end, end);
        flow
    }

    fn open_body(&mut self) -> Flow {
        self.insert_implied(Tag::Body);
        self.again_in(Mode::InBody)
    }
}

/// End tags that open what they close.
fn is_end_that_opens(tag: Tag) -> bool {
    matches!(tag, Tag::Head | Tag::Body | Tag::Html | Tag::Br)
}
