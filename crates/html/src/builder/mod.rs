//! Tree construction: from tokens to the tree, as the standard's insertion modes say.
//!
//! Each mode is a function from a token to "done" or "again, in the mode now set". Nothing recurses, and the stack of
//! open elements and the list of formatting elements are bounded, so that each token costs a bounded time.

mod adoption;
mod after_body;
mod before_body;
mod doctype;
mod foreign;
mod formatting;
mod groups;
mod in_body;
mod in_body_end;
mod in_table;
mod insert;
mod selected;
mod spans;
mod stack;
mod standing;
mod streamed;

use crate::tokenizer::{Buffers, Content, TagToken, Token, Tokenizer};
use crate::tree::{NONE, NodeData, Text, mark};
use crate::{Limits, Namespace, Note, Options, Quirks, Span, Tag, Tree};
use formatting::Formatting;
use groups::{group, groups};
use stack::Open;

/// The element in which a fragment is parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context<'a> {
    /// Its namespace.
    pub namespace: Namespace,
    /// Its local name, lower case (adjusted in SVG).
    pub name: &'a str,
    /// The quirks mode of the document it stands in.
    pub quirks: Quirks,
}

impl<'a> Context<'a> {
    /// An HTML element of this name in a document without quirks.
    pub fn html(name: &'a str) -> Self {
        Context { namespace: Namespace::Html, name, quirks: Quirks::No }
    }
}

/// The insertion modes of the standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Initial,
    BeforeHtml,
    BeforeHead,
    InHead,
    InHeadNoscript,
    AfterHead,
    InBody,
    Text,
    InTable,
    InTableText,
    InCaption,
    InColumnGroup,
    InTableBody,
    InRow,
    InCell,
    InTemplate,
    AfterBody,
    InFrameset,
    AfterFrameset,
    AfterAfterBody,
    AfterAfterFrameset,
}

impl Mode {
    /// Whether the mode tells white space from other text.
    fn splits_text(self) -> bool {
        !matches!(
            self,
            Mode::InBody
                | Mode::Text
                | Mode::InTable
                | Mode::InTableText
                | Mode::InCaption
                | Mode::InTableBody
                | Mode::InRow
                | Mode::InCell
                | Mode::InTemplate
        )
    }
}

/// What became of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    Done,
    /// To be processed again, in the mode now set.
    Again,
}

/// The state of tree construction.
pub(crate) struct Builder<'a, 't> {
    source: &'a str,
    tokenizer: Tokenizer<'a>,
    tree: &'t mut Tree,
    limits: Limits,
    scripting: bool,
    mirror_selected: bool,
    as_shown: bool,
    mode: Mode,
    /// Where to go back from `Text` and `InTableText`.
    original_mode: Mode,
    template_modes: Vec<Mode>,
    /// All templates, where the page is read as browsers show it.
    templates: Vec<u32>,
    open: Vec<Open>,
    /// How many open HTML elements there are of each tag.
    open_counts: [u32; Tag::COUNT],
    /// Elements nested deeper than the limit, which were never opened.
    overflow: Vec<Tag>,
    formatting: Formatting,
    head: u32,
    form: u32,
    /// The element that a fragment is parsed in, as if it were open.
    context: Option<Open>,
    frameset_ok: bool,
    foster_parenting: bool,
    /// Whether a line feed that comes next is dropped.
    skip_newline: bool,
    /// Text in a table, kept until it is known whether it is white space.
    table_text: Vec<(Token, Span)>,
    /// The tag being processed, and the span of the token.
    tag: TagToken,
    token: Token,
    span: Span,
    /// Whether any node was put elsewhere than where it stands in the source.
    any_displaced: bool,
    depth_hit: bool,
    nodes_hit: bool,
}

impl<'a, 't> Builder<'a, 't> {
    /// A builder for a whole document.
    pub(crate) fn new(source: &'a str, options: &Options, tree: &'t mut Tree) -> Self {
        tree.start(source);
        let tokenizer = Tokenizer::new(source, &options.limits);
        Builder {
            source,
            tag: tokenizer.tag,
            tokenizer,
            tree,
            limits: options.limits,
            scripting: options.scripting,
            mirror_selected: options.mirror_selected,
            as_shown: options.as_shown,
            mode: Mode::Initial,
            original_mode: Mode::InBody,
            template_modes: Vec::new(),
            templates: Vec::new(),
            open: Vec::with_capacity(64),
            open_counts: [0; Tag::COUNT],
            overflow: Vec::new(),
            formatting: Formatting::new(options.limits.formatting),
            head: NONE,
            form: NONE,
            context: None,
            frameset_ok: true,
            foster_parenting: false,
            skip_newline: false,
            table_text: Vec::new(),
            token: Token::End,
            span: Span::default(),
            any_displaced: false,
            depth_hit: false,
            nodes_hit: false,
        }
    }

    /// A builder for a fragment: the content of `context`, under a made-up `html` element.
    pub(crate) fn for_fragment(source: &'a str, context: &Context<'_>, options: &Options, tree: &'t mut Tree) -> Self {
        let mut builder = Builder::new(source, options, tree);
        builder.tree.quirks = context.quirks;
        builder.insert_implied(Tag::Html);
        let tag = match context.namespace {
            Namespace::Html => Tag::from_name(context.name),
            _ => Tag::Foreign,
        };
        let groups = foreign::groups_of(context.namespace, tag, context.name);
        builder.context = Some(Open { node: NONE, tag, namespace: context.namespace, groups, name_key: 0 });
        if tag == Tag::Template {
            builder.template_modes.push(Mode::InTemplate);
        }
        // No start tag was read, so no end tag can end the context's raw text.
        builder.tokenizer.content = match builder.content_of(tag) {
            Content::Rcdata(_) => Content::Rcdata(Tag::Unknown),
            Content::RawText(_) | Content::Script => Content::RawText(Tag::Unknown),
            content => content,
        };
        builder.reset_mode();
        if tag == Tag::Form {
            // The context stands for itself: it is in no tree, but no other form may be opened in it.
            builder.form = 0;
        }
        builder
    }

    /// How the tokenizer reads the content of this element.
    fn content_of(&self, tag: Tag) -> Content {
        match tag {
            Tag::Title | Tag::Textarea => Content::Rcdata(tag),
            Tag::Style | Tag::Xmp | Tag::Iframe | Tag::Noembed | Tag::Noframes => Content::RawText(tag),
            Tag::Noscript if self.scripting => Content::RawText(tag),
            Tag::Script => Content::Script,
            Tag::Plaintext => Content::PlainText,
            _ => Content::Data,
        }
    }

    /// Parses to the end and settles all spans.
    pub(crate) fn run(mut self) -> Vec<Note> {
        loop {
            self.read_token();
            let token = self.token;
            self.process(token);
            if token == Token::End {
                break;
            }
            if self.tree.nodes.len() > self.limits.nodes {
                self.nodes_hit = true;
                self.stop_here();
                break;
            }
        }
        self.close_all();
        if self.mirror_selected {
            self.mirror_selected();
        }
        if !self.templates.is_empty() {
            self.place_streamed();
        }
        spans::settle(self.tree, self.any_displaced);
        self.notes()
    }

    #[inline]
    fn read_token(&mut self) {
        self.tokenizer.cdata_allowed = self.adjusted_current().is_some_and(|open| open.groups & group::FOREIGN != 0);
        self.tokenizer.split_text = self.mode.splits_text();
        let mut buffers = Buffers { attributes: &mut self.tree.attributes, owned: &mut self.tree.owned };
        self.token = self.tokenizer.next(&mut buffers);
        self.span = self.tokenizer.span();
        self.tag = self.tokenizer.tag;
    }

    /// Acts as if the source ended behind the last token.
    fn stop_here(&mut self) {
        self.span = Span::new(self.span.end, self.span.end);
        self.token = Token::End;
        self.process(Token::End);
    }

    fn notes(&self) -> Vec<Note> {
        let hits = [
            (self.depth_hit, Note::Depth),
            (self.nodes_hit, Note::Nodes),
            (self.tokenizer.limits_hit.attributes, Note::Attributes),
            (self.tokenizer.limits_hit.attribute_length, Note::AttributeLength),
            (self.formatting.is_limit_hit(), Note::Formatting),
        ];
        hits.into_iter().filter_map(|(hit, note)| hit.then_some(note)).collect()
    }

    #[inline]
    fn process(&mut self, token: Token) {
        let mut token = token;
        if self.skip_newline {
            self.skip_newline = false;
            if let Token::Text(text) = token {
                match self.without_newline(text) {
                    Some(text) => token = Token::Text(text),
                    None => return,
                }
            }
        }
        if token == Token::EndTag && !self.overflow.is_empty() && self.ends_overflow() {
            return;
        }
        loop {
            let flow = match self.is_foreign(token) {
                true => self.in_foreign(token),
                false => self.by_mode(token),
            };
            if flow == Flow::Done {
                break;
            }
        }
    }

    fn by_mode(&mut self, token: Token) -> Flow {
        match self.mode {
            Mode::InBody => self.in_body(token),
            Mode::Text => self.in_text(token),
            Mode::Initial => self.initial(token),
            Mode::BeforeHtml => self.before_html(token),
            Mode::BeforeHead => self.before_head(token),
            Mode::InHead => self.in_head(token),
            Mode::InHeadNoscript => self.in_head_noscript(token),
            Mode::AfterHead => self.after_head(token),
            Mode::InTable => self.in_table(token),
            Mode::InTableText => self.in_table_text(token),
            Mode::InCaption => self.in_caption(token),
            Mode::InColumnGroup => self.in_column_group(token),
            Mode::InTableBody => self.in_table_body(token),
            Mode::InRow => self.in_row(token),
            Mode::InCell => self.in_cell(token),
            Mode::InTemplate => self.in_template(token),
            Mode::AfterBody => self.after_body(token),
            Mode::InFrameset => self.in_frameset(token),
            Mode::AfterFrameset => self.after_frameset(token),
            Mode::AfterAfterBody => self.after_after_body(token),
            Mode::AfterAfterFrameset => self.after_after_frameset(token),
        }
    }

    /// Sets the mode and asks for the token again.
    fn again_in(&mut self, mode: Mode) -> Flow {
        self.mode = mode;
        Flow::Again
    }

    fn done_in(&mut self, mode: Mode) -> Flow {
        self.mode = mode;
        Flow::Done
    }

    /// The text without the line feed it starts with, if any; `None` if nothing is left.
    fn without_newline(&mut self, text: Text) -> Option<Text> {
        if !text.of(self.source, &self.tree.owned).starts_with('\n') {
            return Some(text);
        }
        if self.source[self.span.start as usize..].starts_with("\r\n") {
            self.span.start += 1;
        }
        if self.source[self.span.start as usize..].starts_with(['\r', '\n']) {
            self.span.start += 1;
        }
        let rest = |span: Span| Span::new(span.start + 1, span.end);
        let text = match text {
            Text::Source(span) => Text::Source(rest(span)),
            Text::Owned(span) => Text::Owned(rest(span)),
        };
        (text.len() > 0).then_some(text)
    }

    /// Whether the text is white space through and through; carriage returns count, as only references leave any.
    fn is_space(&self, text: Text) -> bool {
        let text = text.of(self.source, &self.tree.owned);
        text.bytes().all(|byte| matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | 0x0C))
    }

    /// The value of an attribute of the tag being processed.
    fn attribute(&self, name: &str) -> Option<&str> {
        let start = self.tag.attributes_start as usize;
        let attributes = &self.tree.attributes;
        let mut of_tag = attributes.between(start, start + self.tag.attributes_count as usize).iter();
        let found = of_tag.find(|attribute| self.string(attributes.name(attribute)) == name)?;
        Some(self.string(attributes.value(found)))
    }

    fn node(&mut self, node: u32) -> &mut NodeData {
        &mut self.tree.nodes[node as usize]
    }
}

/// An element without a start tag, at one place of the source.
fn implied_element(tag: Tag, at: u32) -> NodeData {
    let mut node = NodeData::element(Namespace::Html, tag, Span::new(at, at));
    node.set(mark::IMPLIED);
    node
}
