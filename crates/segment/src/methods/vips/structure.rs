//! Content structure construction: the strongest separators part the page first, then those inside each part.
//!
//! VIPS merges blocks from the weakest separator up; cutting from the strongest down gives the same tree and can stop where
//! a part is coherent enough.

use kuai_page::{Page, Span};

use super::blocks::VisualBlock;
use super::separators::{Direction, Separators};

/// How often a part is cut again; pages nest less deeply to the eye.
const LEVELS_MAX: usize = 6;

/// The groups of blocks between strong separators, as spans.
pub(super) fn structure(page: &Page, blocks: &[VisualBlock], coherence_min: f64) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut parts: Vec<(Vec<usize>, usize)> = vec![((0..blocks.len()).collect(), 0)];
    while let Some((members, level)) = parts.pop() {
        if members.len() < 2 || level == LEVELS_MAX {
            continue;
        }
        let horizontal = Separators::find(blocks, &members, Direction::Horizontal);
        let vertical = Separators::find(blocks, &members, Direction::Vertical);
        // Pages are read downwards, so of equally strong separators the horizontal ones come first.
        let separators = if vertical.weight_max() > horizontal.weight_max() { vertical } else { horizontal };
        let weight = separators.weight_max();
        // DoC of the part: 10 without a separator, less the stronger its strongest one is.
        if separators.found.is_empty() || 10.0 - weight >= coherence_min + WEIGHT_MARGIN {
            continue;
        }
        for group in separators.groups(weight) {
            if group.len() > 1 && group.len() < blocks.len() {
                spans.extend(span_of(page, blocks, &group));
            }
            parts.push((group, level + 1));
        }
    }
    spans
}

/// The weakest separator that still parts weighs this much less than the coherence asked for leaves.
const WEIGHT_MARGIN: f64 = 1.0;

/// The span of a group, where its blocks follow one another in the source.
// Decision: a group whose blocks stand apart in the source, as some columns do, is no block: blocks are spans.
fn span_of(page: &Page, blocks: &[VisualBlock], group: &[usize]) -> Option<Span> {
    let (first, last) = (*group.iter().min()?, *group.iter().max()?);
    if last - first + 1 != group.len() {
        return None;
    }
    let span = blocks[first].span.union(blocks[last].span);
    Some(element_around(page, span, group.iter().map(|&index| blocks[index].characters).sum()))
}

/// The element that holds just this much text around a span, so that the group ends at tag borders; else the span.
fn element_around(page: &Page, span: Span, characters: u32) -> Span {
    let dom = page.dom();
    let Some(inner) = page.outermost_elements(span).next() else { return span };
    let around = dom.ancestors(inner).find(|&node| dom.span(node).contains(span));
    let is_tight = |&node: &_| page.flow().count_of(dom, node).characters == characters;
    around.filter(is_tight).map_or(span, |node| dom.span(node))
}
