//! `vips`, after Cai et al.: takes visual blocks out of the document, finds the separators between them on the page, and
//! builds the structure of the content from the strongest separators inwards.
//!
//! Every block has a degree of coherence (DoC), 1 to 10; nothing as coherent as permitted (PDoC) is divided.

mod blocks;
mod separators;
mod structure;

use kuai_page::{BlockTree, Page};

use super::nom::body_span;
use super::{Method, Parameter, Settings};
use crate::Segmenter;
use blocks::visual_blocks;
use structure::structure;

pub(super) const METHOD: Method = Method {
    name: "vips",
    summary: "finds visual blocks and the separators between them, down to a degree of coherence",
    origin: "Cai et al., VIPS: a vision-based page segmentation algorithm",
    tells_related_links: true,
    keeps_hidden_text: false,
    reads_styles: true,
    keeps_titles: true,
    parameters: &[Parameter {
        name: "coherence_min",
        symbol: "PDoC",
        summary: "degree of coherence, 1 to 10, from which a block is not divided",
        default: 6.0,
        min: 1.0,
        max: 10.0,
    }],
    make: |settings: &Settings| Box::new(Vips { coherence_min: settings.get("coherence_min") }),
};

struct Vips {
    coherence_min: f64,
}

impl Segmenter for Vips {
    fn cut(&self, page: &Page) -> BlockTree {
        let blocks = visual_blocks(page, self.coherence_min);
        let groups = structure(page, &blocks, self.coherence_min);
        let tree = BlockTree::from_spans(groups.into_iter().chain(blocks.iter().map(|block| block.span)));
        if tree.blocks().is_empty() { BlockTree::from_spans([body_span(page)]) } else { tree }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &[(u32, &str)]) {
        let page = Page::from_html(source);
        let method = crate::method("vips").expect("it is in the table");
        let tree = method.segmenter(&method.defaults()).segment(&page);
        let found: Vec<_> = tree.blocks().iter().map(|block| (block.depth, block.span.of(source))).collect();
        assert_eq!(found, expected);
    }

    fn part(height: u32, text: &str) -> String {
        format!("<div style='height:{height}px'>{text}</div>")
    }

    #[test]
    fn coherent_blocks_are_not_divided() {
        let (head, foot) = (part(50, "a header with words"), part(50, "a footer with words"));
        let main = part(400, "the text of the page");
        let page = format!("<body><div>{head}{main}{foot}</div></body>");
        check(&page, &[(0, &head), (0, &main), (0, &foot)]);
    }

    #[test]
    fn a_page_of_one_text_is_one_block() {
        check("nothing but text", &[(0, "nothing but text")]);
    }

    #[test]
    fn blocks_between_strong_separators_are_a_group() {
        let items = part(40, "some more words").repeat(4);
        let plain = format!("<div style='margin-bottom:60px'>{items}</div>");
        let bold = format!("<div style='font-weight:bold'>{items}</div>");
        let page = format!("<body>{plain}{bold}</body>");
        let found = crate::method("vips").map(|vips| vips.segmenter(&vips.defaults()).segment(&Page::from_html(&page)));
        let found = found.expect("vips is there");
        let outer: Vec<_> = found.blocks().iter().filter(|block| block.depth == 0).collect();
        let outer: Vec<_> = outer.iter().map(|block| block.span.of(&page)).collect();
        assert_eq!(outer, [plain, bold]);
    }
}
