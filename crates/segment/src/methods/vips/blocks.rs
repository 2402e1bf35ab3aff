//! Visual block extraction: which elements are divided and which are blocks, by tag, colour, text and size.

use kuai_page::{Color, Dom, Edge, NodeId, Page, Rect, Span, Tag};

use crate::features::Extents;

/// A block of the page as it is seen.
#[derive(Clone, Debug)]
pub(super) struct VisualBlock {
    pub(super) span: Span,
    pub(super) rect: Rect,
    /// How it looks, for the weights of separators.
    pub(super) look: Look,
    /// Characters that it shows.
    pub(super) characters: u32,
}

/// What a separator compares on its two sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Look {
    pub(super) background: Option<Color>,
    pub(super) font_size: f32,
    pub(super) font_weight: u16,
}

/// Area shares of the page above which a block is less coherent than 1, 2, ... 10.
// Decision: VIPS leaves the DoC of an element that no rule fixes to its tag and size. Here the size decides, in steps that
// put the middle of the scale at the tenth of a page that people mark as a block on labelled home pages.
const AREA_SHARES: [f64; 10] = [1.0, 0.6, 0.4, 0.25, 0.18, 0.12, 0.07, 0.03, 0.01, 0.002];

/// Characters below which an element is no block.
const CHARACTERS_MIN: u32 = 10;

/// The visual blocks of a page, in document order.
pub(super) fn visual_blocks(page: &Page, coherence_min: f64) -> Vec<VisualBlock> {
    let dom = page.dom();
    let Some(body) = dom.body() else { return Vec::new() };
    let extraction = Extraction { page, dom, extents: Extents::read(page) };
    let mut blocks = Vec::new();
    let mut undivided_before: Option<NodeId> = None;
    let mut steps = dom.walk(body);
    while let Some(edge) = steps.next() {
        let Edge::Enter(node) = edge else { continue };
        if !dom.is_element(node) || page.flow().count_of(dom, node).characters < CHARACTERS_MIN {
            steps.skip_children(node);
            continue;
        }
        if extraction.is_divided(node, coherence_min, undivided_before) {
            continue;
        }
        steps.skip_children(node);
        undivided_before = Some(node);
        blocks.extend(extraction.block(node));
    }
    blocks
}

struct Extraction<'a> {
    page: &'a Page,
    dom: Dom<'a>,
    extents: Extents,
}

/// What a node's children are like.
#[derive(Default)]
struct Children {
    valid: usize,
    valid_elements: usize,
    has_text: bool,
    all_are_text: bool,
    has_rule: bool,
    has_other_background: bool,
    greatest_area: f64,
}

impl Extraction<'_> {
    /// The division rules of VIPS, in its order. Rule 1 was applied before: what shows nothing is no block.
    fn is_divided(&self, node: NodeId, coherence_min: f64, undivided_before: Option<NodeId>) -> bool {
        let children = self.children(node);
        let coherence = self.coherence(self.extents.area(node));
        let is_coherent = coherence >= coherence_min;
        if children.valid == 1 && children.valid_elements == 1 {
            // Rules 2 and 3: a wrapper says nothing, unless it is as small as its content asks for.
            return !is_coherent;
        }
        if children.all_are_text {
            return false; // Rule 4
        }
        if is_coherent {
            // Decision: rules 5 to 8 divide only what is less coherent than permitted, so that PDoC rules all of them.
            return false;
        }
        if children.has_rule || children.has_other_background {
            return true; // Rules 6 and 8
        }
        if children.has_text && self.coherence(self.extents.area(node)) + TEXT_COHERENCE >= coherence_min {
            return false; // Rule 9: text of its own holds a small element together
        }
        if self.coherence(children.greatest_area) >= coherence_min + SMALL_CHILDREN_MARGIN {
            return false; // Rule 10: all children are too small to be blocks
        }
        // Rule 11: where the sibling before was not divided and is as large, this one is not either; else rule 12.
        !self.is_like_sibling_before(node, undivided_before)
    }

    fn is_like_sibling_before(&self, node: NodeId, undivided_before: Option<NodeId>) -> bool {
        let before = undivided_before.filter(|&before| is_next_element(self.dom, before, node));
        before.is_some_and(|before| {
            self.dom.tag(before) == self.dom.tag(node) && self.extents.area(node) <= 2.0 * self.extents.area(before)
        })
    }

    fn children(&self, node: NodeId) -> Children {
        let mut children = Children { all_are_text: true, ..Children::default() };
        let background = self.page.styles().of(node).background;
        for child in self.dom.children(node) {
            if self.dom.tag(child) == Tag::Hr {
                children.has_rule = true;
            }
            if self.page.flow().count_of(self.dom, child).characters == 0 {
                continue;
            }
            children.valid += 1;
            if self.dom.is_text(child) {
                children.has_text = true;
                continue;
            }
            children.valid_elements += 1;
            if is_inline(self.dom.tag(child)) {
                children.has_text = true;
            } else {
                children.all_are_text = false;
                let own = self.page.styles().of(child).background;
                children.has_other_background |= own.is_some() && own != background;
            }
            children.greatest_area = children.greatest_area.max(self.extents.area(child));
        }
        children
    }

    /// DoC by size, 1 to 10.
    fn coherence(&self, area: f64) -> f64 {
        let share = area / self.extents.page_area.max(1.0);
        AREA_SHARES.iter().filter(|limit| share <= **limit).count().max(1) as f64
    }

    fn block(&self, node: NodeId) -> Option<VisualBlock> {
        let style = self.page.styles().of(node);
        let first_text = self.page.flow().runs_of(node).iter().find(|run| !run.hidden);
        let text_style = first_text.map_or(style, |run| self.page.styles().of(run.node));
        let look =
            Look { background: style.background, font_size: text_style.font_size, font_weight: text_style.font_weight };
        let rect = self.extents.of(node).unwrap_or_default();
        let span = self.dom.span(node);
        let characters = self.page.flow().count_of(self.dom, node).characters;
        (!span.is_empty()).then_some(VisualBlock { span, rect, look, characters })
    }
}

/// What text of its own adds to an element's coherence.
const TEXT_COHERENCE: f64 = 1.0;

/// By how much the largest child must be more coherent than asked for to be too small for a block.
const SMALL_CHILDREN_MARGIN: f64 = 2.0;

fn is_inline(tag: Tag) -> bool {
    use Tag::*;
    matches!(
        tag,
        A | Abbr
            | Acronym
            | B
            | Bdi
            | Bdo
            | Big
            | Br
            | Cite
            | Code
            | Data
            | Del
            | Dfn
            | Em
            | Font
            | I
            | Img
            | Ins
            | Kbd
            | Label
            | Mark
            | Nobr
            | Q
            | S
            | Samp
            | Small
            | Span
            | Strike
            | Strong
            | Sub
            | Sup
            | Time
            | Tt
            | U
            | Var
            | Wbr
    )
}

/// Whether nothing but text and comments stands between two siblings.
fn is_next_element(dom: Dom<'_>, before: NodeId, node: NodeId) -> bool {
    let between = std::iter::successors(dom.previous_sibling(node), |&sibling| dom.previous_sibling(sibling));
    between.take(SIBLINGS_LOOK_MAX).find(|&sibling| dom.is_element(sibling)) == Some(before)
}

/// Siblings that are looked at before an element.
const SIBLINGS_LOOK_MAX: usize = 8;
