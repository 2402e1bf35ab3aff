//! `ypm`, after Chen et al.: cuts the page into top, bottom, left, right and centre by position and size, then each
//! of these at its gaps. Text of the centre is kept, the rest is not.
//!
//! The outermost elements that fit into one region are its parts. Pages without boxes are read in source order:
//! header, footer and sidebars are then told by what their elements hold and where they stand.

use kuai_page::{BlockTree, Dom, Label, NodeId, Page, Rect, Span, Tag};

use super::nom::body_span;
use super::{Method, Parameter, Settings};
use crate::Segmenter;

pub(super) const METHOD: Method = Method {
    name: "ypm",
    summary: "cuts into top, bottom, left, right and centre by position and size; keeps the centre",
    origin: "Chen et al., page layout by position; baseline of Wang & Zhu (SPCOLA)",
    tells_related_links: true,
    keeps_hidden_text: false,
    reads_styles: true,
    keeps_titles: true,
    parameters: &[
        Parameter {
            name: "top_height_max",
            symbol: "",
            summary: "pixels from the top within which a wide, low part is the head of the page",
            default: 200.0,
            min: 0.0,
            max: 10_000.0,
        },
        Parameter {
            name: "bottom_height_max",
            symbol: "",
            summary: "pixels from the bottom within which a wide, low part is the foot of the page",
            default: 150.0,
            min: 0.0,
            max: 10_000.0,
        },
        Parameter {
            name: "side_width_max",
            symbol: "",
            summary: "share of the page's width up to which a part at a side is a side column",
            default: 0.35,
            min: 0.0,
            max: 1.0,
        },
        Parameter {
            name: "link_share_max",
            symbol: "",
            summary: "share of link text up to which a part of the centre is text",
            default: 0.5,
            min: 0.0,
            max: 1.0,
        },
    ],
    make: |settings: &Settings| {
        Box::new(Ypm {
            top_height_max: settings.get("top_height_max") as f32,
            bottom_height_max: settings.get("bottom_height_max") as f32,
            side_width_max: settings.get("side_width_max") as f32,
            link_share_max: settings.get("link_share_max"),
        })
    },
};

struct Ypm {
    top_height_max: f32,
    bottom_height_max: f32,
    side_width_max: f32,
    link_share_max: f64,
}

/// Where a part stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Region {
    Top,
    Bottom,
    Side,
    Centre,
}

impl Segmenter for Ypm {
    fn cut(&self, page: &Page) -> BlockTree {
        let dom = page.dom();
        let whole = whole(page);
        let mut spans: Vec<(Span, Option<Label>)> = Vec::new();
        let mut steps = dom.body().map(|body| dom.walk(body));
        while let Some(edge) = steps.as_mut().and_then(Iterator::next) {
            let kuai_page::Edge::Enter(node) = edge else { continue };
            let span = dom.span(node);
            if !is_part(dom, node) || span.is_empty() {
                continue;
            }
            let region = self.region(page, node, whole);
            let is_refined = region == Region::Centre && holds_parts(dom, node);
            if !is_refined {
                spans.push((span, Some(self.label(page, node, region))));
                if let Some(steps) = &mut steps {
                    steps.skip_children(node);
                }
            }
        }
        // What stands loose in the centre belongs to it.
        spans.push((body_span(page), Some(Label::Main)));
        BlockTree::from_labelled(spans)
    }
}

impl Ypm {
    fn region(&self, page: &Page, node: NodeId, whole: Rect) -> Region {
        let Some(place) = page.boxes().of(node).filter(|place| place.width > 0.0 && place.height > 0.0) else {
            return Region::Centre;
        };
        // Paragraphs and headings are parts of a region, never one by themselves.
        if is_text_element(page.dom().tag(node)) {
            return Region::Centre;
        }
        let is_narrow = place.width <= whole.width * self.side_width_max;
        let leaves_centre = place.x >= whole.x + whole.width * 0.5 || place.right() <= whole.x + whole.width * 0.5;
        if place.bottom() <= whole.y + self.top_height_max {
            Region::Top
        } else if place.y >= whole.bottom() - self.bottom_height_max {
            Region::Bottom
        } else if is_narrow && leaves_centre {
            Region::Side
        } else {
            Region::Centre
        }
    }

    fn label(&self, page: &Page, node: NodeId, region: Region) -> Label {
        let count = page.flow().count_of(page.dom(), node);
        let is_links = count.link_share() > self.link_share_max;
        match region {
            Region::Top if has_heading(page.dom(), node) && !is_links => Label::Title,
            Region::Top => Label::Navigation,
            Region::Bottom => Label::Copyright,
            Region::Side if is_links => Label::Navigation,
            Region::Side => Label::Noise,
            // Decision: link lists of the centre are the related links; Chen et al. do not tell them apart.
            Region::Centre if is_links => Label::Related,
            Region::Centre => Label::Main,
        }
    }
}

/// The box around the page.
fn whole(page: &Page) -> Rect {
    let body = page.dom().body().and_then(|body| page.boxes().of(body));
    body.unwrap_or_default()
}

/// Elements that lay a page out.
fn is_part(dom: Dom<'_>, node: NodeId) -> bool {
    use Tag::*;
    matches!(
        dom.tag(node),
        Div | Table
            | Tr
            | Td
            | Section
            | Article
            | Main
            | Aside
            | Nav
            | Header
            | Footer
            | Form
            | Ul
            | Ol
            | Dl
            | P
            | H1
            | H2
            | H3
            | Center
            | Blockquote
    )
}

fn is_text_element(tag: Tag) -> bool {
    matches!(tag, Tag::P | Tag::H1 | Tag::H2 | Tag::H3 | Tag::Blockquote)
}

/// Whether some element that lays out lies below; the look goes along one line only, so that it costs little.
fn holds_parts(dom: Dom<'_>, node: NodeId) -> bool {
    let mut children = dom.children(node).filter(|&child| dom.is_element(child));
    children.any(|child| is_part(dom, child) || dom.children(child).any(|grandchild| is_part(dom, grandchild)))
}

fn has_heading(dom: Dom<'_>, node: NodeId) -> bool {
    let is_heading = |node| matches!(dom.tag(node), Tag::H1 | Tag::H2);
    is_heading(node) || dom.descendants(node).take(HEADING_LOOK_MAX).any(is_heading)
}

/// Nodes of a part that are looked at for a heading.
const HEADING_LOOK_MAX: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    const STYLE: &str = "<style>body{margin:0}#head{height:80px}#left{float:left;width:200px;height:900px}\
        #text{margin-left:200px;height:900px}#foot{height:60px}</style>";

    fn labels(html: &str) -> Vec<(String, Label)> {
        let page = Page::from_html(html);
        let method = crate::method("ypm").expect("ypm is in the table");
        let tree = method.segmenter(&method.defaults()).segment(&page);
        let text = |span| page.text(span, kuai_page::TextOptions::default());
        tree.leaves().filter_map(|block| Some((text(block.span), block.label?))).collect()
    }

    #[test]
    fn the_page_is_cut_into_head_side_centre_and_foot() {
        let html = format!(
            "{STYLE}<div id=head><a href=/>Home</a></div><div id=left><a href=/a>One</a></div>\
             <div id=text><p>The text.</p></div><div id=foot>All ours.</div>"
        );
        let expected = [
            ("Home", Label::Navigation),
            ("One", Label::Navigation),
            ("The text.", Label::Main),
            ("All ours.", Label::Copyright),
        ];
        assert_eq!(labels(&html), expected.map(|(text, label)| (text.to_owned(), label)));
    }
}
