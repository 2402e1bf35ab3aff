//! Gathers, in one walk, all elements by which a page speaks of itself.

use std::borrow::Cow;

use kuai_html::{Dom, Edge, NodeId, NodeKind, Tag};
use serde_json::Value;

use super::{json_ld, times};
use crate::text::one_line;

/// Elements of one kind that are kept; no honest page comes near.
const COUNT_MAX: usize = 2000;

/// Characters of a heading or title that are kept.
const TITLE_CHARACTERS_MAX: usize = 1000;

/// Starts and ends of nodes that are looked at for the text of a heading or title.
const TITLE_EDGES_MAX: usize = 4000;

/// What a page says of itself, as found.
#[derive(Debug, Default)]
pub(super) struct Found<'a> {
    /// `<title>`.
    pub(super) title: Option<String>,
    /// The `h1`s with text.
    pub(super) headings: Vec<String>,
    /// The `h2`s and `h3`s with text behind the first `h1`; all of them where there is no `h1`.
    pub(super) subheadings: Vec<String>,
    /// `lang` of the root element.
    pub(super) lang: Option<&'a str>,
    /// `<meta>` by `property`, `name` or `itemprop` in lower case, with its content.
    pub(super) metas: Vec<(String, &'a str)>,
    /// `<meta http-equiv>` in lower case, with its content.
    pub(super) pragmas: Vec<(String, &'a str)>,
    /// `<link rel href>` in the head or body.
    pub(super) links: Vec<LinkElement<'a>>,
    /// Texts of `rel=author` links.
    pub(super) author_links: Vec<String>,
    /// Addresses of links with `rel=license`.
    pub(super) licences: Vec<LicenceLink<'a>>,
    /// Addresses of other links to the Creative Commons licences.
    pub(super) creative_commons: Vec<LicenceLink<'a>>,
    /// `<time datetime>`, and other elements that say in `itemprop` that they hold a date.
    pub(super) times: Vec<TimeElement<'a>>,
    /// JSON-LD.
    pub(super) json_ld: Vec<Value>,
}

/// A `<link>`.
#[derive(Debug)]
pub(super) struct LinkElement<'a> {
    /// Its `rel`, lower case.
    pub(super) rel: String,
    pub(super) href: &'a str,
    /// Its `type`, lower case.
    pub(super) kind: String,
    pub(super) title: &'a str,
}

/// A link to a licence.
#[derive(Debug)]
pub(super) struct LicenceLink<'a> {
    pub(super) node: NodeId,
    pub(super) href: &'a str,
}

/// An element that holds a date.
#[derive(Debug)]
pub(super) struct TimeElement<'a> {
    pub(super) node: NodeId,
    /// Its `itemprop`, lower case; `datepublished` too where the element has `pubdate`.
    pub(super) property: String,
    pub(super) value: Cow<'a, str>,
}

impl LinkElement<'_> {
    pub(super) fn has_rel(&self, token: &str) -> bool {
        self.rel.split_ascii_whitespace().any(|rel| rel == token)
    }
}

impl<'a> Found<'a> {
    pub(super) fn collect(dom: Dom<'a>) -> Found<'a> {
        let mut found = Found::default();
        let mut json_budget = json_ld::BYTES_MAX;
        let mut walk = dom.walk(dom.root());
        while let Some(edge) = walk.next() {
            let Edge::Enter(node) = edge else { continue };
            match dom.tag(node) {
                Tag::Template => walk.skip_children(node),
                Tag::Html => found.lang = dom.attribute(node, "lang").or_else(|| dom.attribute(node, "xml:lang")),
                Tag::Title if found.title.is_none() => found.title = filled(text_below(dom, node)),
                Tag::H1 => found.heading(dom, node),
                Tag::H2 | Tag::H3 => push(&mut found.subheadings, filled(text_below(dom, node))),
                Tag::Meta => found.meta(dom, node),
                Tag::Link => push(&mut found.links, link_element(dom, node)),
                Tag::A => found.link(dom, node),
                Tag::Time => push(&mut found.times, time(dom, node)),
                Tag::Span | Tag::Div | Tag::P | Tag::Abbr | Tag::Li => push(&mut found.times, marked_date(dom, node)),
                Tag::Script if json_ld::is_json_ld(dom, node) => {
                    push(&mut found.json_ld, json_ld::read(dom, node, &mut json_budget));
                }
                _ => {}
            }
        }
        found
    }

    /// The first `<title>` with text, without looking further.
    pub(super) fn title(dom: Dom<'a>) -> Option<String> {
        let mut walk = dom.walk(dom.root());
        while let Some(edge) = walk.next() {
            let Edge::Enter(node) = edge else { continue };
            match dom.tag(node) {
                Tag::Template => walk.skip_children(node),
                Tag::Title => {
                    if let Some(title) = filled(text_below(dom, node)) {
                        return Some(title);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// The content of the first meta of this name that has any.
    pub(super) fn meta_content(&self, name: &str) -> Option<&'a str> {
        self.meta_contents(name).next()
    }

    /// The contents of all metas of this name.
    pub(super) fn meta_contents(&self, name: &str) -> impl Iterator<Item = &'a str> {
        let named = self.metas.iter().filter(move |(found, _)| found == name);
        named.map(|(_, content)| content.trim()).filter(|content| !content.is_empty())
    }

    /// The content of the first `http-equiv` of this name.
    pub(super) fn pragma(&self, name: &str) -> Option<&'a str> {
        self.pragmas.iter().find(|(found, _)| found == name).map(|(_, content)| content.trim())
    }

    fn heading(&mut self, dom: Dom<'a>, node: NodeId) {
        let text = filled(text_below(dom, node));
        if self.headings.is_empty() && text.is_some() {
            self.subheadings.clear();
        }
        push(&mut self.headings, text);
    }

    fn link(&mut self, dom: Dom<'a>, node: NodeId) {
        let rel = dom.attribute(node, "rel").unwrap_or_default();
        let has_rel = |wanted: &str| rel.split_ascii_whitespace().any(|token| token.eq_ignore_ascii_case(wanted));
        if has_rel("author") {
            push(&mut self.author_links, filled(text_below(dom, node)));
        }
        let Some(href) = dom.attribute(node, "href") else { return };
        if has_rel("license") {
            push(&mut self.licences, Some(LicenceLink { node, href }));
        } else if is_creative_commons(href) {
            push(&mut self.creative_commons, Some(LicenceLink { node, href }));
        }
    }

    fn meta(&mut self, dom: Dom<'a>, node: NodeId) {
        let Some(content) = dom.attribute(node, "content") else { return };
        if let Some(pragma) = dom.attribute(node, "http-equiv") {
            push(&mut self.pragmas, Some((pragma.trim().to_ascii_lowercase(), content)));
        }
        for key in ["property", "name", "itemprop"] {
            if let Some(name) = dom.attribute(node, key) {
                let is_own = key != "itemprop" || !times::is_of_other(dom, node);
                push(&mut self.metas, is_own.then(|| (name.trim().to_ascii_lowercase(), content)));
            }
        }
    }
}

fn push<T>(list: &mut Vec<T>, item: Option<T>) {
    if list.len() < COUNT_MAX {
        list.extend(item);
    }
}

fn filled(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

fn is_creative_commons(href: &str) -> bool {
    ["creativecommons.org/licenses/", "creativecommons.org/publicdomain/"].iter().any(|place| href.contains(place))
}

fn link_element<'a>(dom: Dom<'a>, node: NodeId) -> Option<LinkElement<'a>> {
    Some(LinkElement {
        rel: dom.attribute(node, "rel")?.to_ascii_lowercase(),
        href: dom.attribute(node, "href")?,
        kind: dom.attribute(node, "type").unwrap_or_default().trim().to_ascii_lowercase(),
        title: dom.attribute(node, "title").unwrap_or_default(),
    })
}

fn time<'a>(dom: Dom<'a>, node: NodeId) -> Option<TimeElement<'a>> {
    let property = if dom.attribute(node, "pubdate").is_some() {
        "datepublished".to_owned()
    } else {
        dom.attribute(node, "itemprop").unwrap_or_default().to_ascii_lowercase()
    };
    let is_date = is_date_property(&property);
    let text = || is_date.then(|| Cow::Owned(text_below(dom, node)));
    let value = dom.attribute(node, "datetime").map(Cow::Borrowed).or_else(text)?;
    Some(TimeElement { node, property, value })
}

/// An element other than `<time>` that says that it holds a date of the page.
fn marked_date<'a>(dom: Dom<'a>, node: NodeId) -> Option<TimeElement<'a>> {
    let property = dom.attribute(node, "itemprop")?.to_ascii_lowercase();
    if !is_date_property(&property) {
        return None;
    }
    let value = dom.attribute(node, "content").map_or_else(|| Cow::Owned(text_below(dom, node)), Cow::Borrowed);
    Some(TimeElement { node, property, value })
}

fn is_date_property(property: &str) -> bool {
    property.split_ascii_whitespace().any(|word| matches!(word, "datepublished" | "datemodified"))
}

/// The text below a node on one line. Does without the flow, so that metadata needs no styles.
fn text_below(dom: Dom<'_>, root: NodeId) -> String {
    let mut text = String::new();
    let mut walk = dom.walk(root);
    for _ in 0..TITLE_EDGES_MAX {
        let Some(edge) = walk.next() else { break };
        let Edge::Enter(node) = edge else { continue };
        match (dom.kind(node), dom.tag(node)) {
            (NodeKind::Text, _) => text.extend(dom.text(node).chars().take(TITLE_CHARACTERS_MAX)),
            (_, Tag::Script | Tag::Style | Tag::Template) => walk.skip_children(node),
            (_, Tag::Br) => text.push(' '),
            _ => {}
        }
        if text.len() > TITLE_CHARACTERS_MAX {
            break;
        }
    }
    one_line(&text)
}
