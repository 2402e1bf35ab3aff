//! The "in body" insertion mode: text and start tags. Its end tags are in `in_body_end.rs`.

use super::{Builder, Flow, Mode, group, mark};
use crate::tokenizer::{Content, Token};
use crate::tree::{NONE, Text};
use crate::{Namespace, Quirks, Span, Tag};

impl Builder<'_, '_> {
    #[inline]
    pub(super) fn in_body(&mut self, token: Token) -> Flow {
        match token {
            Token::Text(text) => self.body_text(text, self.span),
            Token::StartTag => return self.start_in_body(token),
            Token::EndTag => return self.end_in_body(token),
            Token::Comment(text) => self.insert_comment(text),
            Token::Null | Token::Doctype => {}
            Token::End if !self.template_modes.is_empty() => return self.in_template(token),
            Token::End => {}
        }
        Flow::Done
    }

    #[inline]
    pub(super) fn body_text(&mut self, text: Text, span: Span) {
        self.reconstruct_formatting();
        if self.frameset_ok && !self.is_space(text) {
            self.frameset_ok = false;
        }
        self.insert_text(text, span);
    }

    fn start_in_body(&mut self, token: Token) -> Flow {
        use Tag::*;
        match self.tag.tag {
            Html => self.merge_html(),
            Base | Basefont | Bgsound | Link | Meta | Noframes | Script | Style | Template | Title => {
                return self.in_head(token);
            }
            Body => self.merge_body(),
            Frameset => self.start_frameset(),
            Address | Article | Aside | Blockquote | Center | Details | Dialog | Dir | Div | Dl | Fieldset
            | Figcaption | Figure | Footer | Header | Hgroup | Main | Menu | Nav | Ol | P | Search | Section
            | Summary | Ul => {
                self.close_p();
                self.insert_element();
            }
            H1 | H2 | H3 | H4 | H5 | H6 => {
                self.close_p();
                if self.current().is_some_and(|open| open.is(group::HEADING)) {
                    self.pop();
                }
                self.insert_element();
            }
            Pre | Listing => {
                self.close_p();
                self.insert_element();
                self.skip_newline = true;
                self.frameset_ok = false;
            }
            Form => self.start_form(),
            Li => self.start_item(&[Li]),
            Dd | Dt => self.start_item(&[Dd, Dt]),
            Plaintext => {
                self.close_p();
                self.insert_element();
                self.tokenizer.content = Content::PlainText;
            }
            Button => {
                if self.in_scope(Button) {
                    self.close_implied(None);
                    self.pop_until(Button);
                }
                self.reconstruct_formatting();
                self.insert_element();
                self.frameset_ok = false;
            }
            A => {
                self.close_earlier_a();
                self.start_formatting();
            }
            B | Big | Code | Em | Font | I | S | Small | Strike | Strong | Tt | U => self.start_formatting(),
            Nobr => {
                self.reconstruct_formatting();
                if self.in_scope(Nobr) {
                    self.adopt(Nobr);
                }
                self.start_formatting();
            }
            Applet | Marquee | Object => {
                self.reconstruct_formatting();
                if self.insert_element().is_some() {
                    self.formatting.push_marker();
                }
                self.frameset_ok = false;
            }
            Table => self.start_table(),
            Image => {
                self.tag.tag = Img;
                self.start_void();
            }
            Area | Br | Embed | Img | Keygen | Wbr => self.start_void(),
            Input => self.start_input(),
            Param | Source | Track => {
                self.insert_leaf();
            }
            Hr => {
                self.close_p();
                if self.in_scope(Select) {
                    self.close_implied(None);
                }
                self.insert_leaf();
                self.frameset_ok = false;
            }
            Textarea => {
                self.insert_raw_text();
                self.skip_newline = true;
                self.frameset_ok = false;
            }
            Xmp => {
                self.close_p();
                self.reconstruct_formatting();
                self.frameset_ok = false;
                self.insert_raw_text();
            }
            Iframe => {
                self.frameset_ok = false;
                self.insert_raw_text();
            }
            Noembed => self.insert_raw_text(),
            Noscript if self.scripting => self.insert_raw_text(),
            Select => self.start_select(),
            Option => self.start_option(Some(Optgroup)),
            Optgroup => self.start_option(None),
            Rb | Rtc => {
                if self.in_scope(Ruby) {
                    self.close_implied(None);
                }
                self.insert_element();
            }
            Rp | Rt => {
                if self.in_scope(Ruby) {
                    self.close_implied(Some(Rtc));
                }
                self.insert_element();
            }
            Math => self.start_foreign(Namespace::MathMl),
            Svg => self.start_foreign(Namespace::Svg),
            Caption | Col | Colgroup | Frame | Head | Tbody | Td | Tfoot | Th | Thead | Tr => {}
            _ => {
                self.reconstruct_formatting();
                self.insert_element();
            }
        }
        Flow::Done
    }

    fn merge_html(&mut self) {
        if let (false, Some(&root)) = (self.is_open(Tag::Template), self.open.first()) {
            self.add_missing_attributes(root.node);
        }
    }

    fn merge_body(&mut self) {
        if let (false, Some(body)) = (self.is_open(Tag::Template), self.body()) {
            self.frameset_ok = false;
            self.add_missing_attributes(body);
        }
    }

    /// The body element, if it is the second of the stack.
    pub(super) fn body(&self) -> Option<u32> {
        self.open.get(1).filter(|open| open.tag == Tag::Body).map(|open| open.node)
    }

    /// A frameset takes the place of a body that holds nothing worth showing.
    fn start_frameset(&mut self) {
        let (true, Some(body)) = (self.frameset_ok, self.body()) else { return };
        self.detach(body);
        while self.open.len() > 1 {
            self.pop();
        }
        self.insert_always();
        self.mode = Mode::InFrameset;
    }

    fn start_form(&mut self) {
        let in_template = self.is_open(Tag::Template);
        if self.form != NONE && !in_template {
            return;
        }
        self.close_p();
        if let (Some(node), false) = (self.insert_element(), in_template) {
            self.form = node;
        }
    }

    /// A list item closes the one before it, unless another special element lies between.
    fn start_item(&mut self, alike: &[Tag]) {
        self.frameset_ok = false;
        for index in (0..self.open.len()).rev() {
            let open = self.open[index];
            if alike.contains(&open.tag) {
                self.close_implied(Some(open.tag));
                self.pop_until(open.tag);
                break;
            }
            if open.is(group::SPECIAL) && !matches!(open.tag, Tag::Address | Tag::Div | Tag::P) {
                break;
            }
        }
        self.close_p();
        self.insert_element();
    }

    fn start_formatting(&mut self) {
        self.reconstruct_formatting();
        if let Some(node) = self.insert_element() {
            self.push_formatting(node);
        }
    }

    fn start_table(&mut self) {
        if self.tree.quirks != Quirks::Full {
            self.close_p();
        }
        self.frameset_ok = false;
        if self.insert_element().is_some() {
            self.mode = Mode::InTable;
        }
    }

    fn start_void(&mut self) {
        self.reconstruct_formatting();
        self.insert_leaf();
        self.frameset_ok = false;
    }

    fn start_input(&mut self) {
        if self.is_in_select_fragment() {
            return;
        }
        if self.in_scope(Tag::Select) {
            self.pop_until(Tag::Select);
        }
        self.reconstruct_formatting();
        self.insert_leaf();
        if !self.is_hidden_input() {
            self.frameset_ok = false;
        }
    }

    /// Whether the tag says `type=hidden`.
    pub(super) fn is_hidden_input(&self) -> bool {
        self.attribute("type").is_some_and(|kind| kind.eq_ignore_ascii_case("hidden"))
    }

    fn start_select(&mut self) {
        if self.is_in_select_fragment() {
            return;
        }
        if self.in_scope(Tag::Select) {
            return self.pop_until(Tag::Select);
        }
        self.reconstruct_formatting();
        self.insert_element();
        self.frameset_ok = false;
    }

    fn is_in_select_fragment(&self) -> bool {
        self.context.is_some_and(|context| context.tag == Tag::Select)
    }

    /// An option or group; in a select it closes those that are open, except a group that options belong to.
    fn start_option(&mut self, kept: Option<Tag>) {
        if self.in_scope(Tag::Select) {
            self.close_implied(kept);
        } else if self.current_is(Tag::Option) {
            self.pop();
        }
        self.reconstruct_formatting();
        self.insert_element();
    }

    /// The "text" mode: raw text and the end tag that follows it.
    pub(super) fn in_text(&mut self, token: Token) -> Flow {
        match token {
            Token::Text(text) => {
                self.insert_text(text, self.span);
                Flow::Done
            }
            Token::EndTag if !self.ends_bound() => {
                self.pop_ended();
                self.done_in(self.original_mode)
            }
            Token::EndTag | Token::End => {
                self.pop();
                self.again_in(self.original_mode)
            }
            _ => Flow::Done,
        }
    }

    /// Whether the end tag is that of the `noscript` around the raw text that is read.
    fn ends_bound(&self) -> bool {
        self.tag.tag == Tag::Noscript && self.current().is_some_and(|open| open.tag != Tag::Noscript)
    }

    /// Notes the end tag of `body` or `html`, which stay open.
    pub(super) fn end_loosely(&mut self, node: u32) {
        self.take_end_tag(node);
        self.node(node).set(mark::LOOSE);
    }
}

#[cfg(test)]
mod tests {
    use crate::{Options, Tree, parse};

    /// The elements below the document and their texts, as they come.
    fn check(source: &str, as_shown: bool, expected: &str) {
        let mut tree = Tree::default();
        parse(source, &Options { as_shown, ..Options::default() }, &mut tree);
        let dom = tree.dom(source);
        let read = |node| if dom.is_element(node) { dom.name(node) } else { dom.text(node) };
        let found: Vec<&str> = dom.descendants(dom.root()).map(read).collect();
        assert_eq!(found.join(" "), expected, "{source}");
    }

    #[test]
    fn an_iframe_left_open_in_a_noscript_takes_the_page_only_in_the_standards_tree() {
        let source = "<body><noscript><iframe src=x /></noscript><p>text";
        check(source, false, "html head body noscript iframe </noscript><p>text");
        check(source, true, "html head body noscript iframe p text");
        check("<body><noscript><iframe></iframe><i>a</i></noscript>b", true, "html head body noscript iframe i a b");
        check(
            "<noscript><iframe src=x /></noscript><title>t</title><p>text",
            true,
            "html head noscript iframe title t body p text",
        );
    }
}
