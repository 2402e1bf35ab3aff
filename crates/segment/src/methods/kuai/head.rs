//! What a page says of itself that helps to judge it: titles, descriptions, kinds, its address.

use kuai_page::{Dom, NodeId, Page, Tag};

/// Bytes of a page's data for machines that are searched for kinds of things.
const DATA_BYTES_MAX: usize = 1 << 16;

/// Kinds of things that data for machines (JSON-LD) speaks of.
pub(super) const KINDS: [&str; 14] = [
    "Article",
    "Product",
    "ItemList",
    "FAQPage",
    "Discussion",
    "QAPage",
    "Organization",
    "Breadcrumb",
    "CollectionPage",
    "Service",
    "Comment",
    "Offer",
    "Recipe",
    "Person",
];

/// What a page says of itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Head<'p> {
    /// `og:title`, else the title.
    pub(super) title: String,
    pub(super) description: &'p str,
    /// `og:type`.
    pub(super) kind: &'p str,
    pub(super) generator: &'p str,
    /// The canonical address, else `og:url`, else where the page was found.
    pub(super) url: &'p str,
    /// Which of [`KINDS`] the page has data for, as bits.
    pub(super) kinds: u32,
}

impl<'p> Head<'p> {
    pub(super) fn read(page: &'p Page) -> Head<'p> {
        let dom = page.dom();
        let mut head = Head { url: page.url().map_or("", |url| url.as_str()), ..Head::default() };
        let mut canonical = None;
        let mut open_graph_url = None;
        let mut open_graph_title = None;
        let mut title = None;
        for node in (0..dom.len()).map(NodeId::from_index) {
            match dom.tag(node) {
                Tag::Title if title.is_none() => {
                    title = Some(dom.children(node).map(|text| dom.text(text)).collect::<String>())
                }
                Tag::Link if is_canonical(dom, node) => canonical = canonical.or(dom.attribute(node, "href")),
                Tag::Script if dom.attribute(node, "type") == Some("application/ld+json") => {
                    head.kinds |=
                        dom.children(node).map(|text| kinds_of(dom.text(text))).fold(0, |all, kinds| all | kinds);
                }
                Tag::Meta => {
                    let name = dom.attribute(node, "property").or_else(|| dom.attribute(node, "name")).unwrap_or("");
                    let content = dom.attribute(node, "content").unwrap_or("");
                    match name {
                        "og:type" => head.kind = content,
                        "og:title" => open_graph_title = open_graph_title.or(Some(content)),
                        "og:url" => open_graph_url = open_graph_url.or(Some(content)),
                        "generator" => head.generator = content,
                        "description" | "Description" | "og:description" if head.description.is_empty() => {
                            head.description = content
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        head.title = open_graph_title.map(str::to_owned).or(title).unwrap_or_default();
        head.url = canonical.or(open_graph_url).unwrap_or(head.url);
        head
    }

    /// The path of the address, without scheme and host.
    pub(super) fn path(&self) -> &'p str {
        let rest = self.url.split_once("://").map_or(self.url, |(_, rest)| rest);
        rest.split_once('/').map_or("", |(_, path)| path)
    }
}

fn is_canonical(dom: Dom<'_>, node: NodeId) -> bool {
    dom.attribute(node, "rel").is_some_and(|rel| rel.eq_ignore_ascii_case("canonical"))
}

/// The kinds named behind `"@type"`.
fn kinds_of(data: &str) -> u32 {
    let data = &data[..data.floor_char_boundary(DATA_BYTES_MAX)];
    let mut kinds = 0;
    for place in memchr::memmem::find_iter(data.as_bytes(), "\"@type\"") {
        let rest = data[place + 7..].trim_start_matches([' ', ':', '\t', '\n', '\r', '[', '"']);
        let name = rest.split('"').next().unwrap_or("");
        for (index, kind) in KINDS.iter().enumerate() {
            if name.len() < 64 && name.contains(kind) {
                kinds |= 1 << index;
            }
        }
    }
    kinds
}
