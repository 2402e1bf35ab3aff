//! Trivial cuts that any method must beat, the same as those of `measure/segment/score.py --baselines`.

use std::ops::Range;

use kuai_page::Tag;

use crate::stream::Stream;

/// A way to cut pages that knows nothing of them.
#[derive(Debug)]
pub struct Baseline {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub summary: &'static str,
    cut: fn(&Stream) -> Vec<Range<usize>>,
}

/// Every baseline, in the order in which they are shown.
pub const BASELINES: &[Baseline] = &[
    Baseline { name: "one block", summary: "the whole page is one block", cut: one_block },
    Baseline {
        name: "cut at 40 %",
        summary: "the outermost block-level elements with at most 40 % of the page's text",
        cut: cut_by_share,
    },
    Baseline { name: "every div", summary: "every div is a block", cut: every_div },
];

impl Baseline {
    /// The blocks of a page, as ranges of its text.
    pub(crate) fn blocks(&self, stream: &Stream) -> Vec<Vec<Range<usize>>> {
        (self.cut)(stream).into_iter().map(|range| vec![range]).collect()
    }
}

#[allow(clippy::single_range_in_vec_init, reason = "a block is a range, and there is one")]
fn one_block(stream: &Stream) -> Vec<Range<usize>> {
    vec![0..stream.text().len()]
}

fn every_div(stream: &Stream) -> Vec<Range<usize>> {
    stream.elements().iter().filter(|element| element.tag == Tag::Div).map(|element| element.range.clone()).collect()
}

/// Share of the page's text from which an element is looked into.
const TEXT_SHARE_MAX: f64 = 0.4;

fn cut_by_share(stream: &Stream) -> Vec<Range<usize>> {
    let length_max = TEXT_SHARE_MAX * stream.text().len() as f64;
    let mut blocks: Vec<Range<usize>> = Vec::new();
    for element in stream.elements().iter().skip(1).filter(|element| is_block(element.tag)) {
        let range = &element.range;
        let is_free = blocks.last().is_none_or(|last| last.end <= range.start);
        if is_free && !range.is_empty() && range.len() as f64 <= length_max {
            blocks.push(range.clone());
        }
    }
    blocks
}

fn is_block(tag: Tag) -> bool {
    use Tag::*;
    #[rustfmt::skip]
    let is_block = matches!(
        tag,
        Address | Article | Aside | Blockquote | Body | Center | Dd | Details | Dialog | Dir | Div | Dl | Dt | Fieldset | Figcaption
            | Figure | Footer | Form | H1 | H2 | H3 | H4 | H5 | H6 | Header | Hgroup | Hr | Li | Main | Menu | Nav | Ol | P | Pre
            | Section | Summary | Table | Tbody | Td | Tfoot | Th | Thead | Tr | Ul
    );
    is_block
}
