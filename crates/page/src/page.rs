//! A page: the decoded source, and on first use everything that can be read off it.
//!
//! Decoding happens at once; parsing, styles, boxes, flow, links and metadata each when first asked for,
//! and then once.

use std::sync::OnceLock;

use encoding_rs::Encoding;
use kuai_html::{Dom, NodeId, Origin, Span, Tree};
use url::Url;

use crate::style::linked_sheets;
use crate::{
    Anchor, Boxes, Capture, Decoded, Flow, Hidden, Limits, Link, Metadata, Note, StyleSheet, Styles, TextOptions,
};
use crate::{decode, links, metadata};

/// A page of the Web, ready to be cut into blocks.
#[derive(Debug)]
pub struct Page {
    url: Option<Url>,
    decoded: Decoded,
    raw: Option<Vec<u8>>,
    notes: Vec<Note>,
    limits: Limits,
    sheets: Vec<StyleSheet>,
    plain: bool,
    tree: OnceLock<(Tree, Vec<kuai_html::Note>)>,
    styles: OnceLock<(Styles, bool)>,
    hidden: OnceLock<(Hidden, bool)>,
    boxes: OnceLock<Boxes>,
    flow: OnceLock<Flow>,
    links: OnceLock<Vec<Link>>,
    metadata: OnceLock<Metadata>,
    title: OnceLock<String>,
    elements: OnceLock<Vec<NodeId>>,
}

impl Page {
    /// Reads a capture.
    pub fn read(capture: &Capture, limits: &Limits) -> Page {
        Page::from_bytes(&capture.body, Some(&capture.url), capture.charset(), limits)
    }

    /// Reads bytes that came from anywhere, with the charset that HTTP named for them, if it did.
    pub fn from_bytes(body: &[u8], url: Option<&Url>, http_charset: Option<&str>, limits: &Limits) -> Page {
        let taken = &body[..body.len().min(limits.bytes)];
        let decoded = decode(taken, http_charset);
        let cut_short = taken.len() < body.len();
        let raw = (cut_short || !decoded.lossless).then(|| body.to_vec());
        let mut notes = Vec::new();
        notes.extend(cut_short.then_some(Note::ByteLimit));
        notes.extend(decoded.overruled.then_some(Note::CharsetOverruled));
        notes.extend(decoded.binary.then_some(Note::Binary));
        notes.extend(raw.is_some().then_some(Note::RawKept));
        Page::new(url.cloned(), decoded, raw, notes, limits.clone())
    }

    /// Reads text that is decoded already.
    pub fn from_html(text: &str) -> Page {
        Page::new(None, Decoded::from_text(text.to_owned()), None, Vec::new(), Limits::default())
    }

    fn new(url: Option<Url>, decoded: Decoded, raw: Option<Vec<u8>>, notes: Vec<Note>, limits: Limits) -> Page {
        Page {
            url,
            decoded,
            raw,
            notes,
            limits,
            sheets: Vec::new(),
            plain: false,
            tree: OnceLock::new(),
            styles: OnceLock::new(),
            hidden: OnceLock::new(),
            boxes: OnceLock::new(),
            flow: OnceLock::new(),
            links: OnceLock::new(),
            metadata: OnceLock::new(),
            title: OnceLock::new(),
            elements: OnceLock::new(),
        }
    }

    /// Hands in the linked and imported style sheets; each takes its place in the page's order.
    pub fn with_style_sheets(mut self, sheets: Vec<StyleSheet>) -> Page {
        self.sheets = sheets;
        self.styles = OnceLock::new();
        self.hidden = OnceLock::new();
        self
    }

    /// Reads the page as if it had no styles of its own: elements look as their names say, and nothing is hidden. Several times
    /// cheaper, for those who ask for text and judge for themselves what is shown.
    pub fn plain(mut self) -> Page {
        self.plain = true;
        self.styles = OnceLock::new();
        self
    }

    /// Hands in boxes measured by a browser instead of our own estimate.
    pub fn with_boxes(mut self, boxes: Boxes) -> Page {
        self.boxes = OnceLock::from(boxes);
        self
    }

    /// The page's address, where it has one.
    pub fn url(&self) -> Option<&Url> {
        self.url.as_ref()
    }

    /// The decoded source that all spans point into.
    pub fn source(&self) -> &str {
        &self.decoded.text
    }

    /// The span of the whole source.
    pub fn span(&self) -> Span {
        Span::new(0, self.source().len() as u32)
    }

    /// The charset of the body.
    pub fn encoding(&self) -> &'static Encoding {
        self.decoded.encoding
    }

    /// How the body was decoded.
    pub fn decoded(&self) -> &Decoded {
        &self.decoded
    }

    /// The body as it came, kept only where the source cannot be turned back into it.
    pub fn raw(&self) -> Option<&[u8]> {
        self.raw.as_deref()
    }

    /// The document.
    pub fn dom(&self) -> Dom<'_> {
        self.parsed().0.dom(self.source())
    }

    fn parsed(&self) -> &(Tree, Vec<kuai_html::Note>) {
        self.tree.get_or_init(|| {
            let mut tree = Tree::default();
            let options =
                kuai_html::Options { as_shown: true, limits: self.limits.html, ..kuai_html::Options::default() };
            let notes = kuai_html::parse(self.source(), &options, &mut tree);
            (tree, notes)
        })
    }

    /// The style sheets that the page links to and what they import, as far as `read` can get them by their addresses.
    pub fn linked_style_sheets(&self, read: impl FnMut(&str) -> Option<String>) -> Vec<StyleSheet> {
        linked_sheets(self.dom(), &self.limits, read)
    }

    /// The computed styles of all elements.
    pub fn styles(&self) -> &Styles {
        &self.styled().0
    }

    fn styled(&self) -> &(Styles, bool) {
        self.styles.get_or_init(|| match self.plain {
            true => (Styles::by_name(self.dom()), false),
            false => Styles::compute(self.dom(), &self.sheets, &self.limits),
        })
    }

    /// What the page hides, [plain](Page::plain) or not: several times cheaper than its styles, for those who ask for nothing else of them.
    pub fn hidden(&self) -> &Hidden {
        &self.hidden.get_or_init(|| Hidden::read(self.dom(), &self.sheets, &self.limits)).0
    }

    /// The boxes of all elements, estimated unless measured ones were handed in.
    pub fn boxes(&self) -> &Boxes {
        self.boxes.get_or_init(|| Boxes::estimate(self.dom(), self.styles()))
    }

    /// The text runs of the page with what stands between them.
    pub fn flow(&self) -> &Flow {
        self.flow.get_or_init(|| Flow::read(self.dom(), self.styles()))
    }

    /// The text of a span as a browser would show it.
    pub fn text(&self, span: Span, options: TextOptions) -> String {
        self.flow().text(self.dom(), span, options)
    }

    /// The links of the page, in document order.
    pub fn links(&self) -> &[Link] {
        self.links.get_or_init(|| links::read(self.dom(), self.flow(), self.url()))
    }

    /// What the links to other pages say, in document order: cheaper than [`Page::links`] where nobody asks where they lead.
    pub fn anchors(&self) -> impl Iterator<Item = Anchor<'_>> {
        links::anchors(self.dom(), self.flow(), self.url())
    }

    /// What the addresses in the page are relative to: its first `<base href>`, or its own address.
    pub fn base_url(&self) -> Option<Url> {
        links::base_url(self.dom(), self.url())
    }

    /// What the page says about itself.
    pub fn metadata(&self) -> &Metadata {
        self.metadata.get_or_init(|| metadata::read(self.dom(), self.url()))
    }

    /// The page's title, as [`Metadata::title`] has it, without reading all metadata where the page writes one.
    pub fn title(&self) -> &str {
        let read = || metadata::written_title(self.dom()).or_else(|| self.metadata().title.clone()).unwrap_or_default();
        self.title.get_or_init(read)
    }

    /// The elements that lie wholly inside a span and inside no other element that does, in source order.
    pub fn outermost_elements(&self, span: Span) -> impl Iterator<Item = NodeId> {
        let dom = self.dom();
        let elements = self.elements.get_or_init(|| elements_in_source_order(dom));
        let mut next = elements.partition_point(|&node| dom.span(node).start < span.start);
        std::iter::from_fn(move || {
            loop {
                let node = *elements.get(next).filter(|&&node| dom.span(node).start < span.end)?;
                let inside = span.contains(dom.span(node));
                next = if inside {
                    let end = dom.span(node).end.max(dom.span(node).start + 1);
                    next + elements[next..].partition_point(|&other| dom.span(other).start < end)
                } else {
                    next + 1
                };
                if inside {
                    return Some(node);
                }
            }
        })
    }

    /// What a reader should know about how the page was read so far.
    pub fn notes(&self) -> Vec<Note> {
        let parsed = self.tree.get().into_iter().flat_map(|(_, notes)| notes).map(|&note| Note::Html(note));
        let limits_hit = [self.styles.get().map(|styled| styled.1), self.hidden.get().map(|hidden| hidden.1)];
        let styled = limits_hit.contains(&Some(true)).then_some(Note::StyleLimit);
        self.notes.iter().copied().chain(parsed).chain(styled).collect()
    }
}

/// Parents stand before their children. Moved elements are left out: their place in the source is not theirs in the tree.
fn elements_in_source_order(dom: Dom<'_>) -> Vec<NodeId> {
    let is_placed =
        |&node: &NodeId| dom.is_element(node) && dom.origin(node) != Origin::Moved && !dom.span(node).is_empty();
    let mut elements: Vec<NodeId> = dom.descendants(dom.root()).filter(is_placed).collect();
    // Document order is source order but for what hangs below moved elements, so this is close to free.
    elements.sort_by_key(|&node| (dom.span(node).start, std::cmp::Reverse(dom.span(node).end)));
    elements
}
