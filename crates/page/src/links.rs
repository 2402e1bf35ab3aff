//! The links of a page: where each leads, what it says, and where it stands.
//!
//! Addresses are resolved as browsers do, against the page's first `<base href>` and the page's own address. Links
//! that lead to no page are kept and say so, so that a reader sees them and a crawler passes them by.

use std::borrow::Cow;
use std::cell::OnceCell;

use kuai_html::{Dom, NodeId, Span, Tag};
use url::{Position, Url};

use crate::{Flow, TextOptions, text};

/// Where a link leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LinkKind {
    /// To a page of the Web.
    Page,
    /// To a place in the same page.
    SamePage,
    /// To something that is no page: `javascript:`, `mailto:`, `tel:`, `data:` and the like.
    Action,
    /// Nowhere: the address cannot be read.
    Broken,
}

/// A link out of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The `a` or `area` element.
    pub node: NodeId,
    /// Its span.
    pub span: Span,
    /// The address as written.
    pub href: String,
    /// Where it leads.
    pub kind: LinkKind,
    /// The address resolved, http and https only; `None` too where neither page nor base has an address.
    pub url: Option<Url>,
    /// The anchor text on one line; without any, what an image in the link says, or the link's own title.
    pub text: String,
    /// The `rel` attribute, lower case.
    pub rel: String,
    /// Whether `rel` asks crawlers not to follow.
    pub nofollow: bool,
}

/// Bytes of anchor text that are kept; links that hold whole articles say enough by then.
const TEXT_BYTES_MAX: usize = 4096;

/// Nodes of a link without text that are looked at for an image.
const IMAGE_SEARCH_NODES: usize = 256;

/// Reads the links of a page in document order.
pub(crate) fn read(dom: Dom<'_>, flow: &Flow, page_url: Option<&Url>) -> Vec<Link> {
    let base = base_url(dom, page_url);
    // Counted first: a list of links that grows by doubling would be most of the memory that a page takes.
    let mut links = Vec::with_capacity(hrefs(dom).count());
    links.extend(hrefs(dom).map(|(node, href)| {
        let (kind, url) = resolve(href, base.as_ref(), page_url);
        let rel = dom.attribute(node, "rel").unwrap_or_default().to_ascii_lowercase();
        let nofollow = rel.split_ascii_whitespace().any(|token| token == "nofollow");
        let text = anchor_text(dom, flow, node).into_owned();
        Link { node, span: dom.span(node), href: href.to_owned(), kind, url, text, rel, nofollow }
    }));
    links
}

/// A link to another page, as far as what it says matters and not where it leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Anchor<'a> {
    /// Where it stands.
    pub span: Span,
    /// What it says; see [`Link::text`].
    pub text: Cow<'a, str>,
}

/// Reads the links of a page that are of [`LinkKind::Page`], without making up their addresses.
pub(crate) fn anchors<'a>(dom: Dom<'a>, flow: &'a Flow, page_url: Option<&Url>) -> impl Iterator<Item = Anchor<'a>> {
    // A base is looked for only where an address has to be parsed; it is of the Web, or the page's own address.
    let base = OnceCell::new();
    let is_on_web = page_url.is_none_or(is_web);
    let leads_to_page = move |href: &str| {
        let resolved = || resolve(href, base.get_or_init(|| base_url(dom, page_url)).as_ref(), page_url);
        (is_on_web && is_surely_page(trim(href))) || resolved().0 == LinkKind::Page
    };
    let to_pages = hrefs(dom).filter(move |(_, href)| leads_to_page(href));
    to_pages.map(move |(node, _)| Anchor { span: dom.span(node), text: anchor_text(dom, flow, node) })
}

/// The elements that lead somewhere, with their addresses as written.
fn hrefs(dom: Dom<'_>) -> impl Iterator<Item = (NodeId, &str)> {
    let nodes = dom.descendants(dom.root()).filter(move |&node| matches!(dom.tag(node), Tag::A | Tag::Area));
    nodes.filter_map(move |node| Some((node, dom.attribute(node, "href")?)))
}

/// Whether an address is so plain that on the Web it leads to a page without being parsed: relative, or of a host of plain letters.
fn is_surely_page(trimmed: &str) -> bool {
    let is_odd = |byte: u8| matches!(byte, b'#' | b'\\') || byte < b' ';
    if trimmed.is_empty() || trimmed.bytes().any(is_odd) {
        return false;
    }
    match trimmed.strip_prefix("https://").or_else(|| trimmed.strip_prefix("http://")) {
        Some(rest) => is_plain_host(&rest[..rest.find(['/', '?']).unwrap_or(rest.len())]),
        None => !trimmed.starts_with("//") && !trimmed.contains(':'),
    }
}

/// Whether a name is one of those that every parser takes: of small letters, figures, dots and single hyphens, and the last part no figure.
fn is_plain_host(host: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'.' | b'-');
    let last = host.rsplit('.').next().unwrap_or_default();
    host.bytes().all(is_plain) && !host.contains("--") && last.starts_with(|letter: char| letter.is_ascii_lowercase())
}

/// What addresses of the page are relative to: its first `<base href>` if that is one of the Web, or its own address.
pub(crate) fn base_url(dom: Dom<'_>, page_url: Option<&Url>) -> Option<Url> {
    let href = dom
        .descendants(dom.root())
        .filter(|&node| dom.tag(node) == Tag::Base)
        .find_map(|node| dom.attribute(node, "href"));
    let base = href.and_then(|href| join(page_url, href)).filter(is_web);
    base.or_else(|| page_url.cloned())
}

/// Resolves an address of the page to one of the Web.
pub(crate) fn web_url(base: Option<&Url>, href: &str) -> Option<Url> {
    let href = trim(href);
    if href.is_empty() { None } else { join(base, href).filter(is_web) }
}

fn resolve(href: &str, base: Option<&Url>, page_url: Option<&Url>) -> (LinkKind, Option<Url>) {
    let trimmed = trim(href);
    match join(base, trimmed) {
        Some(url) if !is_web(&url) => (LinkKind::Action, None),
        Some(url) => {
            let same = (trimmed.is_empty() || url.fragment().is_some())
                && page_url.is_some_and(|page| page[..Position::AfterQuery] == url[..Position::AfterQuery]);
            (if same { LinkKind::SamePage } else { LinkKind::Page }, Some(url))
        }
        None if base.is_some() => (LinkKind::Broken, None),
        None if trimmed.is_empty() || trimmed.starts_with('#') => (LinkKind::SamePage, None),
        // Without a base only the error tells a relative address from an unreadable one.
        None if Url::parse(trimmed) == Err(url::ParseError::RelativeUrlWithoutBase) => (LinkKind::Page, None),
        None => (LinkKind::Broken, None),
    }
}

fn join(base: Option<&Url>, href: &str) -> Option<Url> {
    Url::options().base_url(base).parse(href).ok()
}

fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
}

/// What the URL standard strips; tabs and line breaks inside are left to the parser, which drops them.
fn trim(href: &str) -> &str {
    href.trim_matches(|character: char| character <= ' ')
}

fn anchor_text<'a>(dom: Dom<'a>, flow: &'a Flow, node: NodeId) -> Cow<'a, str> {
    let mut pieces = flow.pieces_of(dom, node, TextOptions::default());
    // Most links are one piece on one line, and nothing is copied.
    let first = pieces.next();
    if let (Some(only), None) = (first, pieces.next())
        && let Some(line) = text::as_one_line(only.text)
        && (1..=TEXT_BYTES_MAX).contains(&line.len())
    {
        return Cow::Borrowed(line);
    }
    let shown = text::join_line(flow.pieces_of(dom, node, TextOptions::default()), TEXT_BYTES_MAX);
    if !shown.is_empty() {
        return Cow::Owned(shown);
    }
    let own = ["alt", "aria-label", "title"].into_iter().filter_map(|name| dom.attribute(node, name));
    let images = dom.descendants(node).take(IMAGE_SEARCH_NODES).filter(|&image| dom.tag(image) == Tag::Img);
    let alternatives = images.filter_map(|image| dom.attribute(image, "alt"));
    let said = alternatives.chain(own).map(text::one_line).find(|text| !text.is_empty());
    Cow::Owned(said.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Page;

    const ADDRESS: &str = "https://example.org/a/page?q#old";

    fn links(html: &str, address: Option<&str>) -> Vec<Link> {
        let url = address.map(|address| Url::parse(address).expect("a valid address"));
        let page = Page::from_bytes(html.as_bytes(), url.as_ref(), None, &crate::Limits::default());
        page.links().to_vec()
    }

    fn check(href: &str, kind: LinkKind, url: Option<&str>) {
        let found = links(&format!("<a href=\"{href}\">x</a>"), Some(ADDRESS));
        assert_eq!((found[0].kind, found[0].url.as_ref().map(Url::as_str)), (kind, url), "{href:?}");
        assert_eq!(found[0].href, href);
    }

    /// Anchors are the links to pages, whether their addresses had to be parsed or not.
    fn check_anchors(html: &str, address: Option<&str>) {
        let url = address.map(|address| Url::parse(address).expect("a valid address"));
        let page = Page::from_bytes(html.as_bytes(), url.as_ref(), None, &crate::Limits::default());
        let links = page.links().iter().filter(|link| link.kind == LinkKind::Page);
        let expected: Vec<_> = links.map(|link| (link.span, link.text.clone())).collect();
        let found: Vec<_> = page.anchors().map(|anchor| (anchor.span, anchor.text.into_owned())).collect();
        assert_eq!(found, expected, "{html} at {address:?}");
    }

    #[test]
    fn anchors_are_the_links_to_pages() {
        let hrefs = concat!(
            "b|/b?c=d|| |#x|page?q#x|page#x|//x.example/|//|/\t/|\\\\|http://|http://1.2.3|http://1.2.3.4.5/|https://a.example|",
            "https://a.example?b|https://a.example:x/|https://a..b/|https://-a-b-.c-/|http://xn--a/|http://a.1/|http://a.0x/|",
            "http:b|HTTP://A.example/|mailto:a@b|a:b|https:///a|javascript:void(0)|汉字|http://汉字/|http://a.example./",
        );
        for href in hrefs.split('|') {
            let text = format!("<a href=\"{href}\"> one \n two<b>three </b></a><a href='{href}'>four five </a>");
            for address in [Some(ADDRESS), Some("file:///a/b"), None] {
                check_anchors(&text, address);
                check_anchors(&format!("<base href='https://other.example/c'>{text}"), address);
            }
        }
    }

    #[test]
    fn addresses_are_resolved_against_the_page() {
        check("b", LinkKind::Page, Some("https://example.org/a/b"));
        check(" //other.example/x\n", LinkKind::Page, Some("https://other.example/x"));
        check("b\n\tc", LinkKind::Page, Some("https://example.org/a/bc"));
        check("/汉字", LinkKind::Page, Some("https://example.org/%E6%B1%89%E5%AD%97"));
    }

    #[test]
    fn links_that_lead_to_no_page_say_so() {
        check("#top", LinkKind::SamePage, Some("https://example.org/a/page?q#top"));
        check("page?q#top", LinkKind::SamePage, Some("https://example.org/a/page?q#top"));
        check("", LinkKind::SamePage, Some("https://example.org/a/page?q"));
        check("page?q", LinkKind::Page, Some("https://example.org/a/page?q"));
        check("javascript:void(0)", LinkKind::Action, None);
        check(" MailTo:someone@example.org", LinkKind::Action, None);
        check("http://[", LinkKind::Broken, None);
    }

    #[test]
    fn without_an_address_relative_links_stay_unresolved() {
        let found = links("<a href=b>x</a><a href=#c>x</a><a href=http://d.example>x</a>", None);
        let found: Vec<_> = found.iter().map(|link| (link.kind, link.url.is_some())).collect();
        assert_eq!(found, [(LinkKind::Page, false), (LinkKind::SamePage, false), (LinkKind::Page, true)]);
    }

    #[test]
    fn the_first_base_with_an_address_of_the_web_counts() {
        let first = |head: &str| links(&format!("{head}<a href=x>x</a>"), Some(ADDRESS))[0].url.clone();
        let expect = |url: &str| Some(Url::parse(url).expect("a valid address"));
        assert_eq!(first("<base target=_top><base href='/b/'><base href='/c/'>"), expect("https://example.org/b/x"));
        assert_eq!(first("<base href=javascript:0>"), expect("https://example.org/a/x"));
    }

    #[test]
    fn an_image_speaks_for_a_link_without_text() {
        let text = |html: &str| links(html, None)[0].text.clone();
        assert_eq!(text("<a href=x> one <b>two</b><div>three</div></a>"), "one two three");
        assert_eq!(text("<a href=x title=own><img alt=''><img alt=' a\nb '></a>"), "a b");
        assert_eq!(text("<a href=x title=own></a>"), "own");
        assert_eq!(text("<area href=x alt=map>"), "map");
    }

    #[test]
    fn rel_is_lower_case_and_tells_nofollow() {
        let found = links("<a href=x rel='External NoFollow'>x</a><a name=y>no link</a>", None);
        assert_eq!((found[0].rel.as_str(), found[0].nofollow, found.len()), ("external nofollow", true, 1));
    }

    #[test]
    fn a_hundred_thousand_links_are_read() {
        let found = links(&"<a href=x>y</a>".repeat(100_000), Some(ADDRESS));
        assert_eq!(found.len(), 100_000);
    }
}
