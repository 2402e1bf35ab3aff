//! The links of a page, read in one pass over its tokens: where each leads, what it says, where its tag stands.
//!
//! In come the decoded source, its encoding and the page's address; out come absolute http(s) addresses without
//! fragments, in source order. Links to the page itself, to no page (`mailto:`, `javascript:`, `data:`) and unreadable ones
//! are left out. No tree is built, so links in `<template>` and `<noscript>` count as well; those in comments do not.

mod anchor;
mod refresh;
mod requisites;
mod resolver;

use kuai_html::{Tag, TagText, TokenAttribute, TokenKind, tokens};
use kuai_page::{Encoding, Url};

use self::anchor::Anchor;
use self::resolver::Resolver;
use crate::Directives;

pub use requisites::{REQUISITES_MAX, Requisite, RequisiteKind, css_links, read_requisites};
pub(crate) use resolver::{URL_BYTES_MAX, resolve};

/// The links of one page that are read; real pages of more are rare, and their tail is told to be missing.
pub const LINKS_MAX: usize = 20_000;

/// What a page says about where to go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageLinks {
    /// What the page's addresses are relative to.
    pub base: Url,
    /// The links in source order; the same address may come again.
    pub links: Vec<Link>,
    /// Where `<link rel=canonical>` says that the page belongs.
    pub canonical: Option<Url>,
    /// The page that follows this one: the first `rel=next` of a `link` or an `a`.
    pub next: Option<Url>,
    /// Where `<meta http-equiv=refresh>` leads, if not to the page itself.
    pub refresh: Option<Url>,
    /// What the page asks of crawlers.
    pub directives: Directives,
    /// Whether links were left out because the page has more, or longer ones, than are read.
    pub is_cut_short: bool,
}

/// A link out of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The byte of the source at which the tag begins.
    pub place: u32,
    /// Where it leads, without fragment.
    pub url: Url,
    /// The anchor text on one line; without any, what an image in the link or the link's own title says.
    pub text: String,
    /// What it is.
    pub kind: LinkKind,
    /// Whether `rel` asks crawlers not to follow.
    pub is_nofollow: bool,
}

/// What a link is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LinkKind {
    /// `<a href>`.
    Anchor,
    /// `<area href>`.
    Area,
    /// `<iframe src>` or `<frame src>`.
    Frame,
}

/// Reads the links of a page.
///
/// Queries are escaped in the page's own encoding, as browsers do: on a page in GBK the server expects GBK.
///
/// ```
/// use kuai_crawl::read_links;
/// use kuai_page::{Page, Url};
///
/// let url = Url::parse("https://example.org/a/").expect("a valid address");
/// let page = Page::from_html("<a href='b#c'>One <b>two</b></a><a href='mailto:me@example.org'>me</a>");
/// let found = read_links(page.source(), &url, page.encoding());
/// assert_eq!(found.links.len(), 1);
/// assert_eq!(found.links[0].url.as_str(), "https://example.org/a/b");
/// assert_eq!(found.links[0].text, "One two");
/// ```
pub fn read_links(source: &str, url: &Url, encoding: &'static Encoding) -> PageLinks {
    let mut reader = Reader::new(source, url, encoding);
    for token in tokens(source) {
        match token.kind {
            TokenKind::StartTag(tag) => reader.start_tag(token.span.start, &tag),
            TokenKind::EndTag(tag) => reader.end_tag(tag.tag),
            TokenKind::Text(text) => reader.text(&text),
            TokenKind::Comment(_) | TokenKind::Doctype(_) => {}
        }
    }
    reader.finish()
}

struct Reader<'a> {
    resolver: Resolver<'a>,
    /// The link whose text is being read.
    anchor: Option<Anchor>,
    /// Whether text is that of a script, a style or their like.
    is_raw: bool,
    found: PageLinks,
}

impl<'a> Reader<'a> {
    fn new(source: &str, url: &'a Url, encoding: &'static Encoding) -> Reader<'a> {
        let resolver = Resolver::new(source, url, encoding);
        let found = PageLinks {
            base: resolver.base().clone(),
            links: Vec::new(),
            canonical: None,
            next: None,
            refresh: None,
            directives: Directives::default(),
            is_cut_short: false,
        };
        Reader { resolver, anchor: None, is_raw: false, found }
    }

    fn start_tag(&mut self, place: u32, tag: &TagText<'_>) {
        match tag.tag {
            Tag::A => {
                self.close_anchor();
                self.open_anchor(place, tag);
            }
            Tag::Area => self.area(place, tag),
            Tag::Iframe | Tag::Frame => self.frame(place, tag),
            Tag::Link => self.link(tag),
            Tag::Meta => self.meta(tag),
            Tag::Img if self.anchor.is_some() => self.image(tag),
            _ => {}
        }
        self.is_raw = matches!(tag.tag, Tag::Script | Tag::Style | Tag::Iframe | Tag::Noembed | Tag::Noframes);
        self.mark(tag.tag);
    }

    fn end_tag(&mut self, tag: Tag) {
        self.is_raw = false;
        if tag == Tag::A {
            self.close_anchor();
        }
        self.mark(tag);
    }

    /// Words of different blocks do not run together.
    fn mark(&mut self, tag: Tag) {
        if let Some(anchor) = &mut self.anchor
            && anchor::separates_words(tag)
        {
            anchor.push_space();
        }
    }

    fn text(&mut self, text: &str) {
        if let Some(anchor) = &mut self.anchor
            && !self.is_raw
        {
            anchor.push_text(text);
        }
    }

    fn image(&mut self, tag: &TagText<'_>) {
        if let Some(anchor) = &mut self.anchor
            && let Some(text) = tag.attribute("alt")
        {
            anchor.push_alternative(&text);
        }
    }

    fn open_anchor(&mut self, place: u32, tag: &TagText<'_>) {
        let attributes = tag.attributes();
        let value = |name| value_of(&attributes, name);
        let Some(url) = value("href").and_then(|href| self.resolver.link(href)) else { return };
        let rel = value("rel").unwrap_or_default();
        if has_word(rel, "next") {
            self.found.next.get_or_insert_with(|| url.clone());
        }
        let link =
            Link { place, url, text: String::new(), kind: LinkKind::Anchor, is_nofollow: has_word(rel, "nofollow") };
        if self.push(link) {
            let alternative = value("aria-label").or_else(|| value("title")).unwrap_or_default();
            self.anchor = Some(Anchor::new(self.found.links.len() - 1, alternative));
        }
    }

    fn close_anchor(&mut self) {
        if let Some(anchor) = self.anchor.take() {
            let index = anchor.index;
            self.found.links[index].text = anchor.into_text();
        }
    }

    fn area(&mut self, place: u32, tag: &TagText<'_>) {
        let attributes = tag.attributes();
        let value = |name| value_of(&attributes, name);
        let Some(url) = value("href").and_then(|href| self.resolver.link(href)) else { return };
        let text = anchor::one_line(value("alt").or_else(|| value("title")).unwrap_or_default());
        let is_nofollow = has_word(value("rel").unwrap_or_default(), "nofollow");
        self.push(Link { place, url, text, kind: LinkKind::Area, is_nofollow });
    }

    fn frame(&mut self, place: u32, tag: &TagText<'_>) {
        let attributes = tag.attributes();
        let Some(url) = value_of(&attributes, "src").and_then(|src| self.resolver.link(src)) else { return };
        let text = anchor::one_line(value_of(&attributes, "title").unwrap_or_default());
        self.push(Link { place, url, text, kind: LinkKind::Frame, is_nofollow: false });
    }

    /// Whether there was room for one more.
    fn push(&mut self, link: Link) -> bool {
        let has_room = self.found.links.len() < LINKS_MAX;
        if has_room {
            self.found.links.push(link);
        } else {
            self.found.is_cut_short = true;
        }
        has_room
    }

    /// Decision: of several `rel=canonical` the first counts, wherever it stands.
    fn link(&mut self, tag: &TagText<'_>) {
        let attributes = tag.attributes();
        let (Some(rel), Some(href)) = (value_of(&attributes, "rel"), value_of(&attributes, "href")) else { return };
        let is_canonical = has_word(rel, "canonical") && self.found.canonical.is_none();
        let is_next = has_word(rel, "next") && self.found.next.is_none();
        if is_canonical {
            // A page that names itself says something too.
            self.found.canonical = self.resolver.resolve(href);
        } else if is_next {
            self.found.next = self.resolver.link(href);
        }
    }

    fn meta(&mut self, tag: &TagText<'_>) {
        let attributes = tag.attributes();
        let value = |name| value_of(&attributes, name);
        let Some(content) = value("content") else { return };
        if let Some(name) = value("name") {
            self.found.directives |= Directives::of_meta(name.trim(), content);
        }
        let is_refresh = value("http-equiv").is_some_and(|name| name.trim().eq_ignore_ascii_case("refresh"));
        if is_refresh && self.found.refresh.is_none() {
            self.found.refresh = refresh::address(content).and_then(|address| self.resolver.link(address));
        }
    }

    fn finish(mut self) -> PageLinks {
        self.close_anchor();
        self.found.is_cut_short |= self.resolver.is_exhausted();
        self.found
    }
}

fn value_of<'a>(attributes: &'a [TokenAttribute<'_>], name: &str) -> Option<&'a str> {
    attributes.iter().find(|attribute| attribute.name == name).map(|attribute| &*attribute.value)
}

/// Whether a list of words, as in `rel`, has this one.
fn has_word(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|found| found.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests;
