//! The remaining insertion modes: in template, after the body, and those of framesets.

use super::insert::Position;
use super::{Builder, Flow, Mode};
use crate::Tag;
use crate::tokenizer::Token;

impl Builder<'_, '_> {
    pub(super) fn in_template(&mut self, token: Token) -> Flow {
        match token {
            Token::Text(_) | Token::Null | Token::Comment(_) | Token::Doctype => self.in_body(token),
            Token::StartTag => {
                let mode = match self.tag.tag {
                    Tag::Base
                    | Tag::Basefont
                    | Tag::Bgsound
                    | Tag::Link
                    | Tag::Meta
                    | Tag::Noframes
                    | Tag::Script
                    | Tag::Style
                    | Tag::Template
                    | Tag::Title => return self.in_head(token),
                    Tag::Caption | Tag::Colgroup | Tag::Tbody | Tag::Tfoot | Tag::Thead => Mode::InTable,
                    Tag::Col => Mode::InColumnGroup,
                    Tag::Tr => Mode::InTableBody,
                    Tag::Td | Tag::Th => Mode::InRow,
                    _ => Mode::InBody,
                };
                self.template_modes.pop();
                self.template_modes.push(mode);
                self.again_in(mode)
            }
            Token::EndTag if self.tag.tag == Tag::Template => self.in_head(token),
            Token::EndTag => Flow::Done,
            Token::End => {
                if !self.is_open(Tag::Template) {
                    return Flow::Done;
                }
                self.close_template();
                Flow::Again
            }
        }
    }

    pub(super) fn after_body(&mut self, token: Token) -> Flow {
        match token {
            Token::Text(text) if self.is_space(text) => {
                self.insert_space_after_body(text);
                Flow::Done
            }
            Token::Comment(text) => {
                let root = self.open.first().map_or(0, |root| root.node);
                self.insert_comment_at(text, Position::last_in(root));
                Flow::Done
            }
            Token::Doctype | Token::End => Flow::Done,
            Token::StartTag if self.tag.tag == Tag::Html => self.in_body(token),
            Token::EndTag if self.tag.tag == Tag::Html => {
                if self.context.is_none() {
                    if let Some(&root) = self.open.first() {
                        self.end_loosely(root.node);
                    }
                    self.mode = Mode::AfterAfterBody;
                }
                Flow::Done
            }
            _ => self.again_in(Mode::InBody),
        }
    }

    pub(super) fn after_after_body(&mut self, token: Token) -> Flow {
        match token {
            Token::Comment(text) => {
                self.insert_comment_at(text, Position::last_in(0));
                Flow::Done
            }
            Token::Text(text) if self.is_space(text) => {
                self.insert_space_after_body(text);
                Flow::Done
            }
            Token::Doctype | Token::End => Flow::Done,
            Token::StartTag if self.tag.tag == Tag::Html => self.in_body(token),
            _ => self.again_in(Mode::InBody),
        }
    }

    pub(super) fn in_frameset(&mut self, token: Token) -> Flow {
        match token {
            Token::Text(text) if self.is_space(text) => self.insert_text(text, self.span),
            Token::Comment(text) => self.insert_comment(text),
            Token::StartTag => match self.tag.tag {
                Tag::Html => return self.in_body(token),
                Tag::Frameset => {
                    self.insert_element();
                }
                Tag::Frame => {
                    self.insert_leaf();
                }
                Tag::Noframes => return self.in_head(token),
                _ => {}
            },
            Token::EndTag if self.tag.tag == Tag::Frameset && self.open.len() > 1 => {
                self.pop_ended();
                if self.context.is_none() && !self.current_is(Tag::Frameset) {
                    self.mode = Mode::AfterFrameset;
                }
            }
            _ => {}
        }
        Flow::Done
    }

    pub(super) fn after_frameset(&mut self, token: Token) -> Flow {
        match token {
            Token::Text(text) if self.is_space(text) => self.insert_text(text, self.span),
            Token::Comment(text) => self.insert_comment(text),
            Token::StartTag if self.tag.tag == Tag::Html => return self.in_body(token),
            Token::StartTag if self.tag.tag == Tag::Noframes => return self.in_head(token),
            Token::EndTag if self.tag.tag == Tag::Html => {
                if let Some(&root) = self.open.first() {
                    self.end_loosely(root.node);
                }
                self.mode = Mode::AfterAfterFrameset;
            }
            _ => {}
        }
        Flow::Done
    }

    pub(super) fn after_after_frameset(&mut self, token: Token) -> Flow {
        match token {
            Token::Comment(text) => self.insert_comment_at(text, Position::last_in(0)),
            Token::Text(text) if self.is_space(text) => return self.in_body(token),
            Token::StartTag if self.tag.tag == Tag::Html => return self.in_body(token),
            Token::StartTag if self.tag.tag == Tag::Noframes => return self.in_head(token),
            _ => {}
        }
        Flow::Done
    }
}
