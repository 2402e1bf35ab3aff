//! The widths that content asks for, and the margins that pass through to parents, computed bottom up once.

use kuai_html::{Dom, Edge, NodeId, NodeKind, Tag};

use super::letters::{Pen, Pens, Piece, pieces};
use super::model::{Edges, border_box, collapse};
use super::replaced;
use crate::{Display, FlexDirection, Float, Length, Style, Styles};

/// What a box asks of its parent.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Facts {
    /// Width of the border box when every line breaks wherever it may.
    pub(super) min: f32,
    /// Width of the border box when no line breaks.
    pub(super) max: f32,
    /// Margin above, with what children pass up.
    pub(super) margin_top: f32,
    /// Margin below, with what children pass down.
    pub(super) margin_bottom: f32,
}

/// Whether the element is part of its parent's lines rather than a box of its own.
pub(super) fn is_line_part(dom: Dom<'_>, node: NodeId, style: &Style) -> bool {
    matches!(style.display, Display::Inline | Display::Contents)
        && !style.is_out_of_flow()
        && !replaced::is_replaced(dom, node)
}

/// Whether the box keeps floats and margins inside to itself.
pub(super) fn is_context(style: &Style) -> bool {
    style.is_out_of_flow()
        || style.clips
        || !matches!(style.display, Display::Block | Display::ListItem | Display::Inline)
}

/// Whether the margin of a first child sticks out at the top.
pub(super) fn passes_top(style: &Style) -> bool {
    !is_context(style) && style.border.top == 0.0 && style.padding.top.against(100.0).unwrap_or(0.0) <= 0.0
}

/// Whether the margin of a last child sticks out at the bottom.
pub(super) fn passes_bottom(style: &Style) -> bool {
    !is_context(style)
        && style.border.bottom == 0.0
        && style.padding.bottom.against(100.0).unwrap_or(0.0) <= 0.0
        && style.height.fixed().is_none()
        && style.min_height.fixed().is_none_or(|height| height <= 0.0)
}

/// Computes the facts of every box.
pub(super) fn measure(dom: Dom<'_>, styles: &Styles, pens: &mut Pens) -> Vec<Facts> {
    let mut facts = vec![Facts::default(); dom.len()];
    let mut stack: Vec<Content> = vec![Content::default()];
    let mut walk = dom.walk(dom.root());
    while let Some(edge) = walk.next() {
        let top = stack.len() - 1;
        match edge {
            Edge::Enter(node) => match dom.kind(node) {
                NodeKind::Text => {
                    let style = styles.of(node);
                    stack[top].text(dom.text(node), style, &pens.get(style));
                }
                NodeKind::Element => {
                    let style = styles.of(node);
                    if style.display == Display::None {
                        walk.skip_children(node);
                    } else if dom.tag(node) == Tag::Br {
                        stack[top].end_line();
                    } else if is_line_part(dom, node, style) {
                        stack[top].edge(style, true);
                    } else {
                        stack.push(Content { columns: styles.grid_columns(style).len(), ..Content::default() });
                        if replaced::is_replaced(dom, node) {
                            walk.skip_children(node);
                        }
                    }
                }
                _ => {}
            },
            Edge::Leave(node) if dom.kind(node) == NodeKind::Element => {
                let style = styles.of(node);
                if style.display == Display::None || dom.tag(node) == Tag::Br {
                    continue;
                }
                if is_line_part(dom, node, style) {
                    stack[top].edge(style, false);
                    continue;
                }
                let content = stack.pop().unwrap_or_default();
                let own = content.finish(dom, node, style);
                facts[node.index()] = own;
                if let Some(parent) = stack.last_mut() {
                    let parent_style = dom.parent(node).map_or(&Style::INITIAL, |parent| styles.of(parent));
                    parent.child(own, style, parent_style);
                }
            }
            Edge::Leave(_) => {}
        }
    }
    facts
}

/// The content of one box as far as it was seen.
#[derive(Clone, Copy, Debug, Default)]
struct Content {
    min: f32,
    max: f32,
    line: f32,
    /// Width of the run of words that may not be broken.
    unbroken: f32,
    float_run: f32,
    space_waits: bool,
    /// The top margin of a first child that is a block.
    first_margin: Option<f32>,
    last_margin: Option<f32>,
    /// Columns of a grid; 0 for other boxes.
    columns: usize,
}

impl Content {
    fn text(&mut self, text: &str, style: &Style, pen: &Pen) {
        let white_space = style.white_space;
        pieces(text, pen, white_space.keeps_breaks(), &mut |piece| match piece {
            Piece::Word(width) => {
                let space = if self.space_waits && self.line > 0.0 { pen.space() } else { 0.0 };
                self.inline(width, space, white_space.wraps());
            }
            Piece::Space if white_space.keeps_spaces() => self.inline(pen.space(), 0.0, white_space.wraps()),
            Piece::Space => self.space_waits = true,
            Piece::Break => self.end_line(),
        });
    }

    fn inline(&mut self, width: f32, space: f32, wraps: bool) {
        self.line += space + width;
        self.unbroken = if wraps { width } else { self.unbroken + space + width };
        self.min = self.min.max(self.unbroken);
        self.space_waits = false;
        self.meet_content();
    }

    fn meet_content(&mut self) {
        self.last_margin = None;
        if self.first_margin.is_none() {
            self.first_margin = Some(0.0);
        }
    }

    fn end_line(&mut self) {
        self.max = self.max.max(self.line + self.float_run);
        (self.line, self.unbroken, self.space_waits) = (0.0, 0.0, false);
    }

    /// The left or right edge of an element within a line.
    fn edge(&mut self, style: &Style, is_left: bool) {
        let edges = Edges::of(style, 0.0);
        let fixed = |length: Length| length.against(0.0).unwrap_or(0.0);
        self.line += match is_left {
            true => edges.left + fixed(style.margin.left),
            false => edges.right + fixed(style.margin.right),
        };
    }

    /// Takes in a child box.
    fn child(&mut self, facts: Facts, style: &Style, parent: &Style) {
        if style.is_absolute() {
            return;
        }
        let fixed = |length: Length| length.against(0.0).unwrap_or(0.0);
        let margins = fixed(style.margin.left) + fixed(style.margin.right);
        let (min, max) = (facts.min + margins, facts.max + margins);
        let in_row = match parent.display {
            Display::TableRow => style.display == Display::TableCell,
            Display::Flex | Display::InlineFlex => {
                matches!(parent.flex_direction, FlexDirection::Row | FlexDirection::RowReverse)
            }
            _ => style.display == Display::TableCell,
        };
        if in_row {
            let gap = if parent.display == Display::TableRow { parent.border_spacing } else { parent.column_gap };
            self.max += max.max(0.0) + gap;
            self.min = if parent.flex_wrap { self.min.max(min) } else { self.min + min.max(0.0) + gap };
        } else if style.float != Float::None {
            if style.clear != crate::Clear::None {
                self.max = self.max.max(self.float_run);
                self.float_run = 0.0;
            }
            self.float_run += max.max(0.0);
            self.min = self.min.max(min);
        } else if style.display.is_inline() {
            let space = if self.space_waits && self.line > 0.0 { style.font_size * 0.27 } else { 0.0 };
            self.line += space + max;
            self.space_waits = false;
            self.min = self.min.max(min);
            self.meet_content();
        } else {
            self.block(facts, min, max);
        }
    }

    fn block(&mut self, facts: Facts, min: f32, max: f32) {
        self.end_line();
        self.max = self.max.max(self.float_run).max(max);
        self.float_run = 0.0;
        self.min = self.min.max(min);
        self.first_margin = self.first_margin.or(Some(facts.margin_top));
        self.last_margin = Some(facts.margin_bottom);
    }

    fn finish(mut self, dom: Dom<'_>, node: NodeId, style: &Style) -> Facts {
        self.end_line();
        self.max = self.max.max(self.float_run);
        let edges = Edges::of(style, 0.0);
        let mut facts = Facts::default();
        if let Some(natural) = replaced::natural(dom, node, style) {
            // A width in per cent says nothing before the containing block is known.
            let plain = if style.width.is_relative() { Style { width: Length::Auto, ..*style } } else { *style };
            let (width, _) = replaced::border_size(&plain, natural, 0.0);
            facts.max = width;
            facts.min = if style.width.is_relative() { edges.across() } else { width };
        } else {
            let columns = self.columns.max(1) as f32;
            facts.min = self.min * columns + edges.across();
            facts.max = (self.max * columns).max(self.min) + edges.across();
            if matches!(style.display, Display::Table | Display::InlineTable) && !style.border_collapse {
                facts.max += 2.0 * style.border_spacing;
            }
        }
        self.apply_given(&mut facts, style, edges.across());
        self.collapse_margins(&mut facts, style);
        facts
    }

    fn apply_given(&self, facts: &mut Facts, style: &Style, edges: f32) {
        let given = |length: Length| length.fixed().map(|px| border_box(style, px, edges));
        match (given(style.width), style.display) {
            // Tables and their cells never get narrower than their content.
            (Some(width), Display::TableCell | Display::Table | Display::InlineTable) => {
                facts.max = width.max(facts.min);
            }
            (Some(width), Display::Inline) if style.float == Float::None => {
                (facts.min, facts.max) = (width, width);
            }
            (Some(width), _) => (facts.min, facts.max) = (width, width),
            (None, _) => {}
        }
        if let Some(most) = given(style.max_width) {
            (facts.min, facts.max) = (facts.min.min(most), facts.max.min(most));
        }
        if let Some(least) = given(style.min_width) {
            (facts.min, facts.max) = (facts.min.max(least), facts.max.max(least));
        }
        if style.clips && style.width == Length::Auto && style.display != Display::TableCell {
            facts.min = facts.min.min(edges.max(40.0));
        }
    }

    fn collapse_margins(&self, facts: &mut Facts, style: &Style) {
        let fixed = |length: Length| length.against(0.0).unwrap_or(0.0);
        facts.margin_top = fixed(style.margin.top);
        facts.margin_bottom = fixed(style.margin.bottom);
        if let Some(margin) = self.first_margin.filter(|_| passes_top(style)) {
            facts.margin_top = collapse(facts.margin_top, margin);
        }
        if let Some(margin) = self.last_margin.filter(|_| passes_bottom(style)) {
            facts.margin_bottom = collapse(facts.margin_bottom, margin);
        }
    }
}
