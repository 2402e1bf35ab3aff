//! `gdom`, after Gupta et al.: the link-to-text ratio of each element of the DOM takes link lists out, then what is
//! empty goes. What remains is kept.

use kuai_page::{BlockTree, Dom, Edge, Label, NodeId, Page, Span, Tag};

use super::nom::body_span;
use super::{Method, Parameter, Settings};
use crate::Segmenter;
use crate::features::link_text_ratio;

pub(super) const METHOD: Method = Method {
    name: "gdom",
    summary: "takes out elements with many links for their text, then empty ones",
    origin: "Gupta et al., DOM-based content extraction; baseline of Wang & Zhu (SPCOLA)",
    tells_related_links: false,
    keeps_hidden_text: false,
    reads_styles: true,
    keeps_titles: true,
    parameters: &[Parameter {
        name: "link_text_ratio_max",
        symbol: "",
        summary: "link characters over other characters, above which an element is a link list",
        default: 1.0,
        min: 0.0,
        max: 100.0,
    }],
    make: |settings: &Settings| Box::new(Gdom { link_text_ratio_max: settings.get("link_text_ratio_max") }),
};

struct Gdom {
    link_text_ratio_max: f64,
}

impl Segmenter for Gdom {
    fn cut(&self, page: &Page) -> BlockTree {
        let removed = self.removed(page);
        let kept = gaps(body_span(page), &removed).filter(|&span| page.flow().count(page.dom(), span).characters > 0);
        let kept = kept.map(|span| (span, Some(Label::Main)));
        let removed_blocks = removed.iter().map(|&span| (span, Some(Label::Navigation)));
        let tree = BlockTree::from_labelled(kept.chain(removed_blocks));
        if tree.blocks().is_empty() { BlockTree::from_labelled([(page.span(), Some(Label::Noise))]) } else { tree }
    }
}

impl Gdom {
    /// The outermost elements that are link lists, in source order and disjoint.
    fn removed(&self, page: &Page) -> Vec<Span> {
        let dom = page.dom();
        let mut removed: Vec<Span> = Vec::new();
        let Some(body) = dom.body() else { return removed };
        let mut steps = dom.walk(body);
        while let Some(edge) = steps.next() {
            let Edge::Enter(node) = edge else { continue };
            let span = dom.span(node);
            // Decision: only elements that lay a page out are judged; a link within a sentence is part of it.
            if node != body && is_container(dom, node) && link_text_ratio(page, span) > self.link_text_ratio_max {
                if removed.last().is_none_or(|last| last.end <= span.start) && !span.is_empty() {
                    removed.push(span);
                }
                steps.skip_children(node);
            }
        }
        removed
    }
}

fn is_container(dom: Dom<'_>, node: NodeId) -> bool {
    use Tag::*;
    matches!(
        dom.tag(node),
        Table
            | Tbody
            | Thead
            | Tfoot
            | Tr
            | Td
            | Th
            | Div
            | Ul
            | Ol
            | Dl
            | Menu
            | Dir
            | Nav
            | Section
            | Aside
            | Header
            | Footer
            | Article
            | Main
            | Form
            | Center
            | Fieldset
            | Map
    )
}

/// What of `whole` lies between the `holes`, which are disjoint and in order.
fn gaps(whole: Span, holes: &[Span]) -> impl Iterator<Item = Span> {
    let starts = std::iter::once(whole.start).chain(holes.iter().map(|hole| hole.end));
    let ends = holes.iter().map(|hole| hole.start).chain(std::iter::once(whole.end));
    starts.zip(ends).filter(|(start, end)| start < end).map(|(start, end)| Span::new(start, end))
}
