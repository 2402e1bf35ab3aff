//! The insertion modes inside tables: in table, its text, caption, column group, body, row and cell.

use super::{Builder, Flow, Mode, group};
use crate::Tag;
use crate::tokenizer::Token;
use crate::tree::NONE;

/// End tags that mean nothing outside their element.
const TABLE_ENDS: &[Tag] = &[
    Tag::Body,
    Tag::Caption,
    Tag::Col,
    Tag::Colgroup,
    Tag::Html,
    Tag::Tbody,
    Tag::Td,
    Tag::Tfoot,
    Tag::Th,
    Tag::Thead,
    Tag::Tr,
];
/// Start tags that end a cell or caption.
const TABLE_STARTS: &[Tag] =
    &[Tag::Caption, Tag::Col, Tag::Colgroup, Tag::Tbody, Tag::Td, Tag::Tfoot, Tag::Th, Tag::Thead, Tag::Tr];
const SECTIONS: &[Tag] = &[Tag::Tbody, Tag::Tfoot, Tag::Thead];
const CELLS: &[Tag] = &[Tag::Td, Tag::Th];

impl Builder<'_, '_> {
    pub(super) fn in_table(&mut self, token: Token) -> Flow {
        match token {
            Token::Text(_) | Token::Null if self.takes_table_text() => {
                self.original_mode = self.mode;
                self.table_text.clear();
                self.again_in(Mode::InTableText)
            }
            Token::Comment(text) => {
                self.insert_comment(text);
                Flow::Done
            }
            Token::Doctype => Flow::Done,
            Token::StartTag => self.start_in_table(token),
            Token::EndTag => match self.tag.tag {
                Tag::Table => {
                    if self.in_table_scope(Tag::Table) {
                        self.pop_until(Tag::Table);
                        self.reset_mode();
                    }
                    Flow::Done
                }
                Tag::Template => self.in_head(token),
                tag if TABLE_ENDS.contains(&tag) => Flow::Done,
                _ => self.foster(token),
            },
            Token::End => self.in_body(token),
            _ => self.foster(token),
        }
    }

    /// Whether text here is gathered before it is placed.
    fn takes_table_text(&self) -> bool {
        self.current().is_some_and(|open| open.is(group::FOSTERS) || open.tag == Tag::Template)
    }

    fn start_in_table(&mut self, token: Token) -> Flow {
        match self.tag.tag {
            Tag::Caption => {
                self.clear_back_to(&[Tag::Table]);
                self.formatting.push_marker();
                self.insert_always();
                self.done_in(Mode::InCaption)
            }
            Tag::Colgroup => {
                self.clear_back_to(&[Tag::Table]);
                self.insert_always();
                self.done_in(Mode::InColumnGroup)
            }
            Tag::Col => {
                self.clear_back_to(&[Tag::Table]);
                self.insert_implied(Tag::Colgroup);
                self.again_in(Mode::InColumnGroup)
            }
            Tag::Tbody | Tag::Tfoot | Tag::Thead => {
                self.clear_back_to(&[Tag::Table]);
                self.insert_always();
                self.done_in(Mode::InTableBody)
            }
            Tag::Td | Tag::Th | Tag::Tr => {
                self.clear_back_to(&[Tag::Table]);
                self.insert_implied(Tag::Tbody);
                self.again_in(Mode::InTableBody)
            }
            Tag::Table => {
                if !self.in_table_scope(Tag::Table) {
                    return Flow::Done;
                }
                self.pop_until(Tag::Table);
                self.reset_mode();
                Flow::Again
            }
            Tag::Style | Tag::Script | Tag::Template => self.in_head(token),
            Tag::Input if self.is_hidden_input() => {
                self.insert_leaf();
                Flow::Done
            }
            Tag::Form => {
                if !self.is_open(Tag::Template) && self.form == NONE {
                    self.form = self.insert_leaf();
                }
                Flow::Done
            }
            _ => self.foster(token),
        }
    }

    /// Processes what may not stand in a table as in the body, but before the table.
    fn foster(&mut self, token: Token) -> Flow {
        self.foster_parenting = true;
        let flow = self.in_body(token);
        self.foster_parenting = false;
        flow
    }

    pub(super) fn in_table_text(&mut self, token: Token) -> Flow {
        match token {
            Token::Null => Flow::Done,
            Token::Text(_) => {
                self.table_text.push((token, self.span));
                Flow::Done
            }
            _ => {
                self.place_table_text();
                self.again_in(self.original_mode)
            }
        }
    }

    /// Text that is more than white space goes before the table, all of it.
    fn place_table_text(&mut self) {
        let pieces = std::mem::take(&mut self.table_text);
        let token_span = self.span;
        let is_space = pieces.iter().all(|&(token, _)| match token {
            Token::Text(text) => self.is_space(text),
            _ => true,
        });
        self.foster_parenting = !is_space;
        for &(token, span) in &pieces {
            let Token::Text(text) = token else { continue };
            if is_space {
                self.insert_text(text, span);
            } else {
                self.span = span;
                self.body_text(text, span);
            }
        }
        self.foster_parenting = false;
        self.span = token_span;
        self.table_text = pieces;
    }

    pub(super) fn in_caption(&mut self, token: Token) -> Flow {
        let leaves = self.is_start(token, TABLE_STARTS) || self.is_end(token, &[Tag::Table]);
        if leaves || self.is_end(token, &[Tag::Caption]) {
            if !self.in_table_scope(Tag::Caption) {
                return Flow::Done;
            }
            self.close_implied(None);
            self.pop_until(Tag::Caption);
            self.formatting.clear_to_marker();
            self.mode = Mode::InTable;
            return if leaves { Flow::Again } else { Flow::Done };
        }
        match self.is_end(token, TABLE_ENDS) {
            true => Flow::Done,
            false => self.in_body(token),
        }
    }

    pub(super) fn in_column_group(&mut self, token: Token) -> Flow {
        match token {
            Token::Text(text) if self.is_space(text) => {
                self.insert_text(text, self.span);
                return Flow::Done;
            }
            Token::Comment(text) => {
                self.insert_comment(text);
                return Flow::Done;
            }
            Token::Doctype => return Flow::Done,
            Token::StartTag if self.tag.tag == Tag::Html => return self.in_body(token),
            Token::StartTag if self.tag.tag == Tag::Col => {
                self.insert_leaf();
                return Flow::Done;
            }
            Token::EndTag if self.tag.tag == Tag::Colgroup => {
                if self.current_is(Tag::Colgroup) {
                    self.pop_ended();
                    self.mode = Mode::InTable;
                }
                return Flow::Done;
            }
            Token::EndTag if self.tag.tag == Tag::Col => return Flow::Done,
            Token::StartTag | Token::EndTag if self.tag.tag == Tag::Template => return self.in_head(token),
            Token::End => return self.in_body(token),
            _ => {}
        }
        if !self.current_is(Tag::Colgroup) {
            return Flow::Done;
        }
        self.pop();
        self.again_in(Mode::InTable)
    }

    pub(super) fn in_table_body(&mut self, token: Token) -> Flow {
        if self.is_start(token, &[Tag::Tr]) {
            self.clear_back_to(SECTIONS);
            self.insert_always();
            return self.done_in(Mode::InRow);
        }
        if self.is_start(token, CELLS) {
            self.clear_back_to(SECTIONS);
            self.insert_implied(Tag::Tr);
            return self.again_in(Mode::InRow);
        }
        if self.is_end(token, SECTIONS) {
            if self.in_table_scope(self.tag.tag) {
                self.clear_back_to(SECTIONS);
                self.pop_ended();
                self.mode = Mode::InTable;
            }
            return Flow::Done;
        }
        if self.is_start(token, TABLE_STARTS) || self.is_end(token, &[Tag::Table]) {
            if !SECTIONS.iter().any(|&section| self.in_table_scope(section)) {
                return Flow::Done;
            }
            self.clear_back_to(SECTIONS);
            self.pop();
            return self.again_in(Mode::InTable);
        }
        match self.is_end(token, TABLE_ENDS) {
            true => Flow::Done,
            false => self.in_table(token),
        }
    }

    pub(super) fn in_row(&mut self, token: Token) -> Flow {
        if self.is_start(token, CELLS) {
            self.clear_back_to(&[Tag::Tr]);
            self.insert_always();
            self.formatting.push_marker();
            return self.done_in(Mode::InCell);
        }
        if self.is_end(token, &[Tag::Tr]) {
            self.close_row();
            return Flow::Done;
        }
        if self.is_start(token, TABLE_STARTS) || self.is_end(token, &[Tag::Table]) {
            return if self.close_row() { Flow::Again } else { Flow::Done };
        }
        if self.is_end(token, SECTIONS) {
            let closes = self.in_table_scope(self.tag.tag) && self.close_row();
            return if closes { Flow::Again } else { Flow::Done };
        }
        match self.is_end(token, TABLE_ENDS) {
            true => Flow::Done,
            false => self.in_table(token),
        }
    }

    /// Closes the open row; whether there was one.
    fn close_row(&mut self) -> bool {
        if !self.in_table_scope(Tag::Tr) {
            return false;
        }
        self.clear_back_to(&[Tag::Tr]);
        self.pop_ended();
        self.mode = Mode::InTableBody;
        true
    }

    pub(super) fn in_cell(&mut self, token: Token) -> Flow {
        if token == Token::EndTag {
            let tag = self.tag.tag;
            match tag {
                Tag::Td | Tag::Th => {
                    if self.in_table_scope(tag) {
                        self.close_implied(None);
                        self.pop_until(tag);
                        self.formatting.clear_to_marker();
                        self.mode = Mode::InRow;
                    }
                    return Flow::Done;
                }
                Tag::Body | Tag::Caption | Tag::Col | Tag::Colgroup | Tag::Html => return Flow::Done,
                Tag::Table | Tag::Tbody | Tag::Tfoot | Tag::Thead | Tag::Tr => {
                    if !self.in_table_scope(tag) {
                        return Flow::Done;
                    }
                    self.close_cell();
                    return Flow::Again;
                }
                _ => {}
            }
        } else if self.is_start(token, TABLE_STARTS) {
            if !CELLS.iter().any(|&cell| self.in_table_scope(cell)) {
                return Flow::Done;
            }
            self.close_cell();
            return Flow::Again;
        }
        self.in_body(token)
    }

    fn close_cell(&mut self) {
        self.close_implied(None);
        while let Some(open) = self.current() {
            self.pop();
            if CELLS.contains(&open.tag) {
                break;
            }
        }
        self.formatting.clear_to_marker();
        self.mode = Mode::InRow;
    }
}
