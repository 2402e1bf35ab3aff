//! The main text of a page as XHTML of few elements: well-formed whatever the page was, without images, its links whole addresses.

use kuai_page::{Dom, Edge, NodeId, NodeKind, Page, Tag, Url};

use super::xml::escape;

/// By how much headings of a page are lowered: the book's title and the chapter's stand above them.
const HEADINGS_ABOVE: u8 = 2;

/// Cleans the main text of the page at `url`, as [`kuai_segment::html`] gives it.
pub(super) fn clean(html: &str, url: &Url) -> String {
    let page = Page::from_html(html);
    let dom = page.dom();
    let mut out = String::with_capacity(html.len());
    let Some(body) = dom.body() else { return out };
    for edge in dom.walk(body) {
        match edge {
            Edge::Enter(node) => enter(dom, node, url, &mut out),
            Edge::Leave(node) => {
                if let Some(element) = element(dom, node, url) {
                    out.extend(["</", element.name, ">"]);
                }
            }
        }
    }
    out
}

fn enter(dom: Dom<'_>, node: NodeId, url: &Url, out: &mut String) {
    match (dom.kind(node), element(dom, node, url)) {
        (NodeKind::Text, _) => out.push_str(&escape(dom.text(node))),
        (NodeKind::Element, Some(element)) => {
            out.extend(["<", element.name]);
            if let Some(href) = element.href {
                out.extend([" href=\"", &escape(href.as_str()), "\""]);
            }
            out.push('>');
        }
        (NodeKind::Element, None) => match dom.tag(node) {
            Tag::Br => out.push_str("<br/>"),
            Tag::Hr => out.push_str("<hr/>"),
            Tag::Img => out.push_str(&escape(dom.attribute(node, "alt").unwrap_or_default())),
            _ => {}
        },
        _ => {}
    }
}

/// An element that is kept.
struct Element {
    name: &'static str,
    href: Option<Url>,
}

fn element(dom: Dom<'_>, node: NodeId, url: &Url) -> Option<Element> {
    let plain = |name| Some(Element { name, href: None });
    match dom.tag(node) {
        Tag::H1 => plain(heading(1)),
        Tag::H2 => plain(heading(2)),
        Tag::H3 => plain(heading(3)),
        Tag::H4 | Tag::H5 | Tag::H6 => plain(heading(4)),
        Tag::P => plain("p"),
        Tag::Ul => plain("ul"),
        Tag::Ol => plain("ol"),
        Tag::Li => plain(if is_in_list(dom, node) { "li" } else { "p" }),
        Tag::Blockquote => plain("blockquote"),
        Tag::Pre => plain("pre"),
        Tag::Table => plain("table"),
        Tag::Tr => plain("tr"),
        Tag::Th => plain("th"),
        Tag::Td => plain("td"),
        Tag::Strong => plain("strong"),
        Tag::Em => plain("em"),
        Tag::Code => plain("code"),
        Tag::A => Some(Element { name: "a", href: Some(address(dom.attribute(node, "href")?, url)?) }),
        _ => None,
    }
}

fn heading(level: u8) -> &'static str {
    match level + HEADINGS_ABOVE {
        ..=3 => "h3",
        4 => "h4",
        5 => "h5",
        6.. => "h6",
    }
}

fn is_in_list(dom: Dom<'_>, item: NodeId) -> bool {
    dom.parent(item).is_some_and(|parent| matches!(dom.tag(parent), Tag::Ul | Tag::Ol))
}

/// Where a link leads, if that is on the Web.
fn address(href: &str, url: &Url) -> Option<Url> {
    url.join(href).ok().filter(|address| matches!(address.scheme(), "http" | "https"))
}
