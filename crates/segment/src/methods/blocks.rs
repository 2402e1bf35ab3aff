//! `blocks`: the blocks that people would mark, by models that learnt it from marked pages (`crate::blocks`).

use kuai_page::{BlockTree, Page};

use super::{Method, Parameter, Settings};
use crate::Segmenter;
use crate::blocks::{BlockStyle, blocks};

pub(super) const METHOD: Method = Method {
    name: "blocks",
    summary: "asks a model that learnt from marked pages which elements a person would mark",
    origin: "kuai, learnt from labelled home pages and Chinese pages",
    tells_related_links: true,
    keeps_hidden_text: false,
    reads_styles: true,
    keeps_titles: true,
    parameters: &[Parameter {
        name: "flat",
        symbol: "",
        summary: "1 for parts that lie beside each other, as of an article's page; 0 for regions with parts inside them",
        default: 0.0,
        min: 0.0,
        max: 1.0,
    }],
    make: |settings: &Settings| {
        let is_flat = settings.get("flat") >= 0.5;
        Box::new(Blocks { style: if is_flat { BlockStyle::Flat } else { BlockStyle::Nested } })
    },
};

struct Blocks {
    style: BlockStyle,
}

impl Segmenter for Blocks {
    fn cut(&self, page: &Page) -> BlockTree {
        blocks(page, self.style)
    }
}
