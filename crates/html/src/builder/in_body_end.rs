//! The "in body" insertion mode: end tags.

use super::stack::name_key;
use super::{Builder, Flow, Mode, group};
use crate::Tag;
use crate::tokenizer::Token;
use crate::tree::{NONE, Text};

impl Builder<'_, '_> {
    pub(super) fn end_in_body(&mut self, token: Token) -> Flow {
        use Tag::*;
        let tag = self.tag.tag;
        match tag {
            Template => return self.in_head(token),
            Body => {
                if self.in_scope(Body) {
                    if let Some(body) = self.body() {
                        self.end_loosely(body);
                    }
                    self.mode = Mode::AfterBody;
                }
            }
            Html => {
                if self.in_scope(Body) {
                    return self.again_in(Mode::AfterBody);
                }
            }
            Address | Article | Aside | Blockquote | Button | Center | Details | Dialog | Dir | Div | Dl | Fieldset
            | Figcaption | Figure | Footer | Header | Hgroup | Listing | Main | Menu | Nav | Ol | Pre | Search
            | Section | Select | Summary | Ul => {
                if self.in_scope(tag) {
                    self.close_implied(None);
                    self.pop_until(tag);
                }
            }
            Form => self.end_form(),
            P => {
                if !self.in_button_scope(P) {
                    self.insert_implied(P);
                }
                self.close_implied(Some(P));
                self.pop_until(P);
            }
            Li => {
                if self.in_scope_of(Li, group::SCOPE | group::LIST) {
                    self.close_implied(Some(Li));
                    self.pop_until(Li);
                }
            }
            Dd | Dt => {
                if self.in_scope(tag) {
                    self.close_implied(Some(tag));
                    self.pop_until(tag);
                }
            }
            H1 | H2 | H3 | H4 | H5 | H6 => {
                if self.heading_in_scope() {
                    self.close_implied(None);
                    self.pop_until_group(group::HEADING);
                }
            }
            A | B | Big | Code | Em | Font | I | Nobr | S | Small | Strike | Strong | Tt | U => self.adopt(tag),
            Applet | Marquee | Object => {
                if self.in_scope(tag) {
                    self.close_implied(None);
                    self.pop_until(tag);
                    self.formatting.clear_to_marker();
                }
            }
            Br => {
                self.reconstruct_formatting();
                let line_break = super::implied_element(Br, self.span.start);
                self.insert(line_break, self.position());
                self.frameset_ok = false;
            }
            _ => self.any_other_end_tag(tag),
        }
        Flow::Done
    }

    fn heading_in_scope(&self) -> bool {
        for open in self.open.iter().rev() {
            if open.is(group::HEADING) {
                return true;
            }
            if open.is(group::SCOPE) {
                return false;
            }
        }
        false
    }

    fn end_form(&mut self) {
        if self.is_open(Tag::Template) {
            if self.in_scope(Tag::Form) {
                self.close_implied(None);
                self.pop_until(Tag::Form);
            }
            return;
        }
        let form = std::mem::replace(&mut self.form, NONE);
        if form == NONE || !self.node_in_scope(form) {
            return;
        }
        self.close_implied(None);
        if self.current().is_some_and(|open| open.node == form) {
            return self.pop_ended();
        }
        // Elements in the form stay open, so it may grow beyond its end tag.
        self.remove_open(form);
        self.end_loosely(form);
    }

    /// Closes the innermost element of this name, unless a special element lies between.
    pub(super) fn any_other_end_tag(&mut self, tag: Tag) {
        // A name that no open element has needs no search.
        if !self.is_open(tag) {
            return;
        }
        let name_key = name_key(tag, self.string(self.tag.name));
        for index in (0..self.open.len()).rev() {
            let open = self.open[index];
            if open.tag == tag && open.name_key == name_key && self.has_token_name(open.node) {
                self.close_implied_before(index);
                while self.open.len() > index + 1 {
                    self.pop();
                }
                return self.pop_ended();
            }
            if open.is(group::SPECIAL) {
                return;
            }
        }
    }

    /// Closes elements whose end tags may be left out, above this place of the stack.
    fn close_implied_before(&mut self, index: usize) {
        while self.open.len() > index + 1 && self.current().is_some_and(|open| open.is(group::IMPLIED_END)) {
            self.pop();
        }
    }

    /// Whether an element of the token's tag has its name too; only names that HTML does not know differ.
    fn has_token_name(&self, node: u32) -> bool {
        let tag = self.tree.nodes[node as usize].tag;
        tag != Tag::Unknown || self.string(self.tree.name_of(node)) == self.string(self.tag.name)
    }

    pub(super) fn string(&self, text: Text) -> &str {
        text.of(self.source, &self.tree.owned)
    }
}
