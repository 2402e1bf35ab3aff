//! `nom`, no method: keeps all text and all links, and drops only what no reader could see (scripts, styles).
//! The papers' yardstick: nothing lost, nothing cleaned.

use kuai_page::{BlockTree, Label, Page, Span};

use super::{Method, Settings};
use crate::Segmenter;

pub(super) const METHOD: Method = Method {
    name: "nom",
    summary: "keeps all text and all links; drops only invisible elements",
    origin: "baseline of Wang & Zhu (SPCOLA)",
    tells_related_links: false,
    keeps_hidden_text: true,
    reads_styles: true,
    keeps_titles: true,
    parameters: &[],
    make: |_: &Settings| Box::new(Nom),
};

struct Nom;

impl Segmenter for Nom {
    fn cut(&self, page: &Page) -> BlockTree {
        BlockTree::from_labelled([(body_span(page), Some(Label::Main))])
    }
}

/// The body, or the whole page where there is none to speak of.
pub(super) fn body_span(page: &Page) -> Span {
    let dom = page.dom();
    let body = dom.body().map(|body| dom.span(body));
    body.filter(|span| !span.is_empty()).unwrap_or(page.span())
}
