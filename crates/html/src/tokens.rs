//! The tokens of a page with their spans, for those who need no tree.

use std::borrow::Cow;

use crate::tokenizer::{self, Buffers, Content, Tokenizer};
use crate::tree::{AttributeData, Attributes, Text};
use crate::{Limits, Span, Tag};

/// Iterates over the tokens of a source. Raw text (scripts, styles, titles) is told apart by tag names alone, so SVG
/// and `noscript` are read as plain markup.
///
/// ```
/// use kuai_html::{TokenKind, tokens};
///
/// let source = r#"<p><a href="?a=1&amp;b=2">next</a>"#;
/// let links = tokens(source).filter_map(|token| match token.kind {
///     TokenKind::StartTag(tag) => tag.attribute("href").map(|link| link.into_owned()),
///     _ => None,
/// });
/// assert_eq!(links.collect::<Vec<_>>(), ["?a=1&b=2"]);
/// ```
pub fn tokens(source: &str) -> Tokens<'_> {
    tokens_with(source, TokenOptions::default())
}

/// As [`tokens`], from another starting point.
pub fn tokens_with(source: &str, options: TokenOptions) -> Tokens<'_> {
    let mut tokenizer = Tokenizer::new(source, &Limits::default());
    tokenizer.content = options.content;
    tokenizer.cdata_allowed = options.cdata;
    Tokens { source, tokenizer, raw_text: options.raw_text, attributes: Attributes::default(), owned: String::new() }
}

/// How to cut tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenOptions {
    /// What the source starts with.
    pub content: Content,
    /// Whether what follows `<script>`, `<style>`, `<title>` and their like is raw text.
    pub raw_text: bool,
    /// Whether `<![CDATA[` opens a section, as inside SVG.
    pub cdata: bool,
}

impl Default for TokenOptions {
    fn default() -> Self {
        TokenOptions { content: Content::Data, raw_text: true, cdata: false }
    }
}

/// A token and its place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// The whole token.
    pub span: Span,
    /// What it is.
    pub kind: TokenKind<'a>,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenKind<'a> {
    /// `<p class=x>`.
    StartTag(TagText<'a>),
    /// `</p>`.
    EndTag(TagText<'a>),
    /// A run of text, references decoded. Runs may follow one another.
    Text(Cow<'a, str>),
    /// The content of a comment.
    Comment(Cow<'a, str>),
    /// A doctype.
    Doctype(DoctypeText<'a>),
}

/// A start or end tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagText<'a> {
    /// The tag, if HTML knows it.
    pub tag: Tag,
    /// Its name, lower case.
    pub name: Cow<'a, str>,
    /// Whether it ends with `/>`.
    pub self_closing: bool,
    text: &'a str,
    start: u32,
}

/// An attribute of a tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenAttribute<'a> {
    /// Its name, lower case.
    pub name: Cow<'a, str>,
    /// Its value, references decoded.
    pub value: Cow<'a, str>,
    /// Where it stands in the source, name to closing quote.
    pub span: Span,
}

/// What a doctype says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DoctypeText<'a> {
    /// Its name, lower case.
    pub name: Option<Cow<'a, str>>,
    /// Its public identifier.
    pub public_id: Option<Cow<'a, str>>,
    /// Its system identifier.
    pub system_id: Option<Cow<'a, str>>,
    /// Whether its mistakes ask for the layout of old.
    pub force_quirks: bool,
}

impl<'a> TagText<'a> {
    /// The attributes in source order, duplicates left out. They are read from the source at each call.
    pub fn attributes(&self) -> Vec<TokenAttribute<'a>> {
        let mut tokenizer = Tokenizer::new(self.text, &Limits::default());
        let mut attributes = Attributes::default();
        let mut owned = String::new();
        tokenizer.next(&mut Buffers { attributes: &mut attributes, owned: &mut owned });
        let read = |data: &AttributeData| TokenAttribute {
            name: string(attributes.name(data), self.text, &owned),
            value: string(attributes.value(data), self.text, &owned),
            span: Span::new(data.span.start + self.start, data.span.end + self.start),
        };
        attributes.between(0, attributes.len()).iter().map(read).collect()
    }

    /// The value of one attribute.
    pub fn attribute(&self, name: &str) -> Option<Cow<'a, str>> {
        self.attributes().into_iter().find(|attribute| attribute.name == name).map(|attribute| attribute.value)
    }
}

/// See [`tokens`].
pub struct Tokens<'a> {
    source: &'a str,
    tokenizer: Tokenizer<'a>,
    raw_text: bool,
    attributes: Attributes,
    owned: String,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        self.attributes.clear();
        self.owned.clear();
        let token = self.tokenizer.next(&mut Buffers { attributes: &mut self.attributes, owned: &mut self.owned });
        let kind = match token {
            tokenizer::Token::End => return None,
            tokenizer::Token::Text(text) => TokenKind::Text(self.string(text)),
            tokenizer::Token::Null => TokenKind::Text(Cow::Borrowed("\0")),
            tokenizer::Token::Comment(text) => TokenKind::Comment(self.string(text)),
            tokenizer::Token::Doctype => TokenKind::Doctype(self.doctype()),
            tokenizer::Token::EndTag => TokenKind::EndTag(self.tag_text()),
            tokenizer::Token::StartTag => {
                if self.raw_text {
                    self.tokenizer.content = raw_content(self.tokenizer.tag.tag);
                }
                TokenKind::StartTag(self.tag_text())
            }
        };
        Some(Token { span: self.tokenizer.span(), kind })
    }
}

impl<'a> Tokens<'a> {
    fn string(&self, text: Text) -> Cow<'a, str> {
        string(text, self.source, &self.owned)
    }

    fn tag_text(&self) -> TagText<'a> {
        let span = self.tokenizer.span();
        let token = self.tokenizer.tag;
        let name = match token.tag {
            Tag::Unknown => self.string(token.name),
            known => Cow::Borrowed(known.name()),
        };
        let text = span.of(self.source);
        TagText { tag: token.tag, name, self_closing: token.self_closing, text, start: span.start }
    }

    fn doctype(&self) -> DoctypeText<'a> {
        let token = self.tokenizer.doctype;
        DoctypeText {
            name: token.name.map(|text| self.string(text)),
            public_id: token.public_id.map(|text| self.string(text)),
            system_id: token.system_id.map(|text| self.string(text)),
            force_quirks: token.force_quirks,
        }
    }
}

fn string<'a>(text: Text, source: &'a str, owned: &str) -> Cow<'a, str> {
    match text {
        Text::Source(span) => Cow::Borrowed(span.of(source)),
        Text::Owned(span) => Cow::Owned(span.of(owned).to_owned()),
    }
}

/// What follows the start tag of this element where scripts do not run.
fn raw_content(tag: Tag) -> Content {
    match tag {
        Tag::Title | Tag::Textarea => Content::Rcdata(tag),
        Tag::Style | Tag::Xmp | Tag::Iframe | Tag::Noembed | Tag::Noframes => Content::RawText(tag),
        Tag::Script => Content::Script,
        Tag::Plaintext => Content::PlainText,
        _ => Content::Data,
    }
}
