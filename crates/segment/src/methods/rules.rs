//! `rules`: two cuts through the document. One takes the outermost elements with at most a share of the page's text, the
//! other those with at most a share of its area; together they nest as people's marks do.
//!
//! Chosen by trials on the 67 labelled home pages (`kuai eval --set segment` prints the figures): of some twenty pairs of limits
//! 70 % and 13 % did best there, by less than the noise between neighbours. No paper describes it.

use kuai_page::{BlockTree, Edge, NodeId, Page};

use super::nom::body_span;
use super::{Method, Parameter, Settings};
use crate::Segmenter;
use crate::features::Extents;

pub(super) const METHOD: Method = Method {
    name: "rules",
    summary: "takes the outermost elements below a share of the page's text, and those below a share of its area",
    origin: "kuai, trials on labelled home pages",
    tells_related_links: true,
    keeps_hidden_text: false,
    reads_styles: true,
    keeps_titles: true,
    parameters: &[
        Parameter {
            name: "text_share_max",
            symbol: "",
            summary: "share of the page's characters that a block of the first cut may hold",
            default: 0.7,
            min: 0.0,
            max: 1.0,
        },
        Parameter {
            name: "area_share_max",
            symbol: "",
            summary: "share of the page's area that a block of the second cut may cover",
            default: 0.13,
            min: 0.0,
            max: 1.0,
        },
        Parameter {
            name: "characters_min",
            symbol: "",
            summary: "characters below which an element is no block",
            default: 10.0,
            min: 0.0,
            max: 1_000_000.0,
        },
    ],
    make: |settings: &Settings| {
        Box::new(Rules {
            text_share_max: settings.get("text_share_max"),
            area_share_max: settings.get("area_share_max"),
            characters_min: settings.get("characters_min") as u32,
        })
    },
};

struct Rules {
    text_share_max: f64,
    area_share_max: f64,
    characters_min: u32,
}

impl Segmenter for Rules {
    fn cut(&self, page: &Page) -> BlockTree {
        let dom = page.dom();
        let spans = self.taken(page).into_iter().map(|node| dom.span(node));
        let tree = BlockTree::from_spans(spans);
        if tree.blocks().is_empty() { BlockTree::from_spans([body_span(page)]) } else { tree }
    }
}

impl Rules {
    /// The elements that either cut takes, in document order.
    fn taken(&self, page: &Page) -> Vec<NodeId> {
        let dom = page.dom();
        let flow = page.flow();
        let mut taken = Vec::new();
        let Some(body) = dom.body() else { return taken };
        let characters_max = f64::from(flow.count_of(dom, body).characters) * self.text_share_max;
        let extents = Extents::read(page);
        let area_max = extents.page_area * self.area_share_max;
        let (mut text_cut, mut area_cut) = (None, None);
        let mut steps = dom.walk(body);
        while let Some(edge) = steps.next() {
            match edge {
                Edge::Leave(node) => {
                    text_cut.take_if(|cut| *cut == node);
                    area_cut.take_if(|cut| *cut == node);
                }
                Edge::Enter(node) => {
                    let characters = flow.count_of(dom, node).characters;
                    if characters == 0 || characters < self.characters_min || !dom.is_element(node) {
                        steps.skip_children(node);
                        continue;
                    }
                    // Elements around the very same text are one candidate, named by the outermost.
                    let parent_characters = dom.parent(node).map(|parent| flow.count_of(dom, parent).characters);
                    if node != body && parent_characters == Some(characters) {
                        continue;
                    }
                    let in_text_cut = text_cut.is_none() && f64::from(characters) <= characters_max;
                    let in_area_cut = area_cut.is_none() && extents.area(node) <= area_max;
                    if in_text_cut || in_area_cut {
                        taken.push(node);
                    }
                    text_cut = text_cut.or(in_text_cut.then_some(node));
                    area_cut = area_cut.or(in_area_cut.then_some(node));
                    if text_cut.is_some() && area_cut.is_some() {
                        steps.skip_children(node);
                    }
                }
            }
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &[(u32, &str)]) {
        let page = Page::from_html(source);
        let method = crate::method("rules").expect("it is in the table");
        let tree = method.segmenter(&method.defaults()).segment(&page);
        let found: Vec<_> = tree.blocks().iter().map(|block| (block.depth, block.span.of(source))).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_share_of_the_text_makes_an_outer_block_and_a_share_of_the_area_inner_ones() {
        let half = |height: u32| format!("<div style='height:{height}px'>some words in it</div>");
        let side = format!("<div>{}{}{}</div>", half(100), half(100), half(1));
        let main = "<p style='height:1000px'>and as many words elsewhere, so that neither has most</p>";
        let page = format!("<body><div>{side}</div>{main}</body>");
        let (tall, short) = (half(100), half(1));
        check(&page, &[(0, &format!("<div>{side}</div>")), (1, &tall), (1, &tall), (1, &short), (0, main)]);
    }

    #[test]
    fn a_page_of_one_text_is_one_block() {
        let text = "<p>nothing but this</p>";
        check(text, &[(0, text)]);
    }
}
