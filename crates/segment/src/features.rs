//! Counts and ratios of spans and pages that several methods share.

use kuai_page::{Page, Rect, Span};

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
