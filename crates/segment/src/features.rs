//! Counts and ratios of spans and pages that several methods share.

use kuai_page::{Edge, NodeId, Page, Position, Rect, Span};

/// What a page is for, by how much of its text is links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageKind {
    /// A page with a text of its own.
    Topic,
    /// A page that leads to others.
    Hub,
}

impl PageKind {
    /// The name used in JSON.
    pub fn name(self) -> &'static str {
        match self {
            PageKind::Topic => "topic",
            PageKind::Hub => "hub",
        }
    }
}

/// Link text over other text from which a page is a hub.
// Decision: SPCOLA names no figure. On the labelled Chinese pages articles in a portal's frame reach 2 and more.
pub(crate) const HUB_LINK_RATIO_MIN: f64 = 3.0;

/// Tells topic pages from hubs by the length of link text over that of the other text.
pub(crate) fn page_kind(page: &Page) -> PageKind {
    page_kind_at(page, HUB_LINK_RATIO_MIN)
}

/// The same with another bound.
pub(crate) fn page_kind_at(page: &Page, hub_link_ratio_min: f64) -> PageKind {
    if link_text_ratio(page, page.span()) < hub_link_ratio_min { PageKind::Topic } else { PageKind::Hub }
}

/// Characters of link text over those of other text; infinite where all text is links, 0 where there is none.
pub(crate) fn link_text_ratio(page: &Page, span: Span) -> f64 {
    let count = page.flow().count(page.dom(), span);
    let other = count.characters - count.link_characters;
    match (count.link_characters, other) {
        (0, _) => 0.0,
        (_, 0) => f64::INFINITY,
        (link, other) => f64::from(link) / f64::from(other),
    }
}

/// The box around everything that a span holds.
pub fn bounds(page: &Page, span: Span) -> Option<Rect> {
    let boxes = page.boxes();
    let mut around: Option<Rect> = None;
    for node in page.outermost_elements(span) {
        if let Some(rect) = boxes.of(node).filter(|rect| rect.width > 0.0 && rect.height > 0.0) {
            around = Some(around.map_or(rect, |so_far| so_far.union(rect)));
        }
    }
    around
}

/// How far elements reach: the box of each together with those of what shows text inside it. A parent of floats alone has
/// a box without height, but what is seen of it does not.
pub(crate) struct Extents {
    rects: Vec<Option<Rect>>,
    /// The area of the page, in square pixels.
    pub(crate) page_area: f64,
}

impl Extents {
    pub(crate) fn read(page: &Page) -> Extents {
        let (dom, boxes) = (page.dom(), page.boxes());
        let mut rects: Vec<Option<Rect>> = vec![None; dom.len()];
        let body = dom.body();
        for edge in body.into_iter().flat_map(|body| dom.walk(body)) {
            let Edge::Leave(node) = edge else { continue };
            if !dom.is_element(node) || page.flow().count_of(dom, node).characters == 0 {
                continue;
            }
            let own = boxes.of(node);
            let style = page.styles().of(node);
            // What is cut off at the element's border is not seen beyond it.
            let reach = if style.clips && own.is_some_and(|own| own.height > 0.0) {
                own
            } else {
                join(own, rects[node.index()])
            };
            rects[node.index()] = reach;
            // Decision: what is taken out of the flow lies over other parts of the page and says nothing about its parent.
            let is_in_flow = !matches!(style.position, Position::Absolute | Position::Fixed);
            if let Some(parent) = dom.parent(node).filter(|_| is_in_flow) {
                rects[parent.index()] = join(rects[parent.index()], reach);
            }
        }
        let width = body.and_then(|body| boxes.of(body)).map_or(0.0, |body| body.width);
        Extents { rects, page_area: f64::from(width) * f64::from(boxes.height()) }
    }

    /// The area that an element covers, in square pixels; 0 where nothing of it is seen.
    pub(crate) fn area(&self, node: NodeId) -> f64 {
        self.of(node).map_or(0.0, |rect| f64::from(rect.width) * f64::from(rect.height))
    }

    /// How far an element reaches.
    pub(crate) fn of(&self, node: NodeId) -> Option<Rect> {
        self.rects[node.index()]
    }
}

fn join(one: Option<Rect>, other: Option<Rect>) -> Option<Rect> {
    let seen = |rect: &Rect| rect.width > 0.0 && rect.height > 0.0;
    match (one.filter(seen), other.filter(seen)) {
        (Some(one), Some(other)) => Some(one.union(other)),
        (one, other) => one.or(other),
    }
}
