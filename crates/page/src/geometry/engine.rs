//! Drives the layout: a stack of boxes under way, each of one kind of layout, and the places found so far.

use std::collections::HashMap;

use kuai_html::{Dom, Edge, NodeId, NodeKind, Tag};

use super::Rect;
use super::flex::Flex;
use super::floats::Floats;
use super::flow::{Flow, Fragment};
use super::intrinsic::{Facts, is_line_part, measure};
use super::letters::Pens;
use super::model::{Edges, clamp_width, given_width, side_margins};
use super::replaced;
use super::table::Table;
use crate::style::{WINDOW_HEIGHT_PX, WINDOW_WIDTH_PX};
use crate::{Display, Length, Style, Styles};

/// Estimates the box of every element.
pub(super) fn estimate(dom: Dom<'_>, styles: &Styles) -> Vec<Option<Rect>> {
    let Some(root) = dom.html() else { return vec![None; dom.len()] };
    if styles.of(root).display == Display::None {
        return vec![None; dom.len()];
    }
    let mut pens = Pens::default();
    let mut engine = Engine {
        dom,
        styles,
        facts: measure(dom, styles, &mut pens),
        pens,
        spare_fragments: Vec::new(),
        places: vec![Place::default(); dom.len()],
        contexts: Vec::new(),
        from_bottom: HashMap::new(),
    };
    engine.run(root);
    // The widths are done with, and the boxes on the page take as much memory again.
    engine.facts = Vec::new();
    engine.absolute()
}

/// Where a box stands against the border boxes of the elements it is placed in.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    /// The elements that x and y count from; the document for the page itself.
    across: u32,
    down: u32,
    is_placed: bool,
    rect: Rect,
}

/// What all kinds of layout share.
pub(super) struct Engine<'a> {
    pub(super) dom: Dom<'a>,
    pub(super) styles: &'a Styles,
    pub(super) facts: Vec<Facts>,
    pub(super) pens: Pens,
    /// Empty lists of blocks that are done, kept for their memory.
    pub(super) spare_fragments: Vec<Vec<Fragment>>,
    places: Vec<Place>,
    /// The block formatting contexts under way, innermost last.
    pub(super) contexts: Vec<Floats>,
    /// Absolute boxes that count from the bottom of their containing block: (containing block, distance).
    from_bottom: HashMap<u32, (NodeId, f32)>,
}

/// Why a box is laid out, and so what its parent does with it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Role {
    /// The whole page.
    Root,
    /// A block at this place in its parent's content.
    Block { x: f32, y: f32 },
    /// A float.
    Float,
    /// A box in a line.
    Line,
    /// Out of the flow, with the place it would have had in its parent's content.
    Absolute { x: f32, y: f32 },
    /// The table cell or flex item of this index.
    Item(usize),
}

/// A box under way.
pub(super) struct Frame<'a> {
    pub(super) node: NodeId,
    pub(super) role: Role,
    /// Width of the border box.
    pub(super) width: f32,
    pub(super) edges: Edges,
    /// The nearest ancestor that absolute boxes are placed against; the document for none.
    pub(super) positioned: NodeId,
    layout: Layout<'a>,
}

enum Layout<'a> {
    Flow(Box<Flow<'a>>),
    Table(Box<Table>),
    Flex(Box<Flex>),
}

/// What a box under way needs next.
pub(super) enum Step<'a> {
    /// This child has to be laid out first.
    Descend(Frame<'a>),
    /// This child needs no layout; here is its size.
    Leaf(NodeId, Role, f32, f32),
    /// All is placed; the height of the content.
    Done(f32),
}

/// The sizes of a child that was laid out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub(super) node: NodeId,
    pub(super) role: Role,
    pub(super) width: f32,
    pub(super) height: f32,
}

/// Where a new box stands in the block formatting context around it: its context and its content's corner.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around {
    pub(super) context: usize,
    pub(super) x: f32,
    pub(super) y: f32,
}

impl<'a> Engine<'a> {
    fn run(&mut self, root: NodeId) {
        let mut stack = vec![self.frame(root, Role::Root, WINDOW_WIDTH_PX, NodeId::DOCUMENT, None)];
        while let Some(frame) = stack.last_mut() {
            let step = match &mut frame.layout {
                Layout::Flow(flow) => flow.step(self, frame.node, frame.positioned),
                Layout::Table(table) => table.step(self, frame.node, frame.positioned),
                Layout::Flex(flex) => flex.step(self, frame.positioned),
            };
            match step {
                Step::Descend(child) => stack.push(child),
                Step::Leaf(node, role, width, height) => {
                    let child = Child { node, role, width, height };
                    self.deliver(frame, child);
                }
                Step::Done(content_height) => {
                    let height = self.height(frame, content_height);
                    let child = Child { node: frame.node, role: frame.role, width: frame.width, height };
                    stack.pop();
                    match stack.last_mut() {
                        Some(parent) => self.deliver(parent, child),
                        None => self.place(child.node, NodeId::DOCUMENT, rect(0.0, 0.0, child.width, child.height)),
                    }
                }
            }
        }
    }

    fn height(&self, frame: &Frame<'_>, content_height: f32) -> f32 {
        let style = self.styles.of(frame.node);
        let base = matches!(frame.role, Role::Root).then_some(WINDOW_HEIGHT_PX);
        super::model::used_height(style, content_height, frame.edges, base)
    }

    fn deliver(&mut self, parent: &mut Frame<'a>, child: Child) {
        if let Role::Absolute { x, y } = child.role {
            return self.place_absolute(parent, child, x, y);
        }
        match &mut parent.layout {
            Layout::Flow(flow) => flow.take(self, parent.node, child),
            Layout::Table(table) => table.take(child),
            Layout::Flex(flex) => flex.take(child),
        }
    }

    /// Starts the layout of a box of this width; `around` is given for blocks that share their parent's floats.
    pub(super) fn frame(
        &mut self,
        node: NodeId,
        role: Role,
        width: f32,
        positioned: NodeId,
        around: Option<Around>,
    ) -> Frame<'a> {
        let style = self.styles.of(node);
        let edges = Edges::of(style, width);
        let is_positioned = style.position != crate::Position::Static;
        let positioned = if is_positioned { node } else { positioned };
        self.places[node.index()].rect.width = width;
        let layout = match style.display {
            Display::Table | Display::InlineTable if Table::suits(self, node) => {
                Layout::Table(Box::new(Table::new(self, node, width)))
            }
            Display::Flex | Display::InlineFlex | Display::Grid | Display::InlineGrid if Flex::suits(self, node) => {
                Layout::Flex(Box::new(Flex::new(self, node, width - edges.across())))
            }
            _ => Layout::Flow(Box::new(Flow::new(self, node, width, edges, around))),
        };
        Frame { node, role, width, edges, positioned, layout }
    }

    /// The next step for a child of this border-box width: a leaf if it is replaced, else its layout.
    pub(super) fn child(
        &mut self,
        node: NodeId,
        role: Role,
        width: f32,
        base: f32,
        positioned: NodeId,
        around: Option<Around>,
    ) -> Step<'a> {
        let style = self.styles.of(node);
        match replaced::natural(self.dom, node, style) {
            Some(natural) => {
                let (width, height) = replaced::border_size(style, natural, base);
                Step::Leaf(node, role, width, height)
            }
            None => Step::Descend(self.frame(node, role, width, positioned, around)),
        }
    }

    /// The width of a box that is as wide as its content, within this room.
    pub(super) fn shrink_to_fit(&self, node: NodeId, room: f32, base: f32) -> f32 {
        let style = self.styles.of(node);
        let facts = self.facts[node.index()];
        let width = given_width(style, base).unwrap_or_else(|| {
            let (left, right) = side_margins(style, base);
            facts.max.min((room - left - right).max(facts.min))
        });
        clamp_width(style, width, base)
    }

    /// The width of a block that fills its container.
    pub(super) fn fill(&self, node: NodeId, room: f32, base: f32) -> f32 {
        let style = self.styles.of(node);
        let (left, right) = side_margins(style, base);
        let width = given_width(style, base).unwrap_or(room - left - right);
        clamp_width(style, width, base).max(0.0)
    }

    /// Starts a box that is taken out of the flow.
    pub(super) fn absolute_child(&mut self, node: NodeId, positioned: NodeId, x: f32, y: f32) -> Step<'a> {
        let style = self.styles.of(node);
        let base = self.containing_width(style, positioned);
        let inset = (style.inset.left.against(base), style.inset.right.against(base));
        let width = match (given_width(style, base), inset) {
            (None, (Some(left), Some(right))) => {
                let (margin_left, margin_right) = side_margins(style, base);
                clamp_width(style, base - left - right - margin_left - margin_right, base)
            }
            _ => self.shrink_to_fit(node, (base - inset.0.or(inset.1).unwrap_or(0.0)).max(0.0), base),
        };
        self.child(node, Role::Absolute { x, y }, width, base, positioned, None)
    }

    fn containing_width(&self, style: &Style, positioned: NodeId) -> f32 {
        if positioned == NodeId::DOCUMENT || style.position == crate::Position::Fixed {
            return WINDOW_WIDTH_PX;
        }
        let border = self.styles.of(positioned).border;
        (self.places[positioned.index()].rect.width - border.left - border.right).max(0.0)
    }

    /// Places a box against its containing block, or where the flow would have put it.
    fn place_absolute(&mut self, parent: &Frame<'_>, child: Child, static_x: f32, static_y: f32) {
        let style = self.styles.of(child.node);
        let is_fixed = style.position == crate::Position::Fixed;
        let containing = if is_fixed { NodeId::DOCUMENT } else { parent.positioned };
        let base = self.containing_width(style, containing);
        let border = self.styles.of(containing).border;
        let (margin_left, margin_right) = side_margins(style, base);
        let margin_top = style.margin.top.against(base).unwrap_or(0.0);
        let (left, right) = (style.inset.left.against(base), style.inset.right.against(base));
        let both_auto = style.margin.left == Length::Auto && style.margin.right == Length::Auto;
        let (across, x) = match (left, right) {
            (Some(left), Some(right)) if both_auto => {
                (containing, border.left + left + ((base - left - right - child.width) / 2.0).max(0.0))
            }
            (Some(left), _) => (containing, border.left + left + margin_left),
            (None, Some(right)) => (containing, border.left + base - right - margin_right - child.width),
            (None, None) => (parent.node, parent.edges.left + static_x + margin_left),
        };
        let relative = |length: Length| length.against(WINDOW_HEIGHT_PX / 2.0);
        let (down, y) = match (relative(style.inset.top), relative(style.inset.bottom)) {
            (Some(top), _) => (containing, border.top + top + margin_top),
            (None, Some(bottom)) => {
                let margin_bottom = style.margin.bottom.against(base).unwrap_or(0.0);
                let distance = bottom + margin_bottom + border.bottom + child.height;
                self.from_bottom.insert(child.node.index() as u32, (containing, distance));
                (containing, 0.0)
            }
            (None, None) => (parent.node, parent.edges.top + static_y + margin_top),
        };
        self.places[child.node.index()] = Place {
            across: across.index() as u32,
            down: down.index() as u32,
            is_placed: true,
            rect: rect(x, y, child.width, child.height),
        };
    }

    /// Places a box at this place in another's border box.
    pub(super) fn place(&mut self, node: NodeId, container: NodeId, rect: Rect) {
        let container = container.index() as u32;
        let offset = self.relative_offset(node);
        let rect = Rect { x: rect.x + offset.0, y: rect.y + offset.1, ..rect };
        self.places[node.index()] = Place { across: container, down: container, is_placed: true, rect };
    }

    /// Adds a piece of an element that stands in lines.
    pub(super) fn extend(&mut self, node: NodeId, container: NodeId, rect: Rect) {
        let place = &mut self.places[node.index()];
        let rect = if place.is_placed { place.rect.union(rect) } else { rect };
        let container = container.index() as u32;
        *place = Place { across: container, down: container, is_placed: true, rect };
    }

    fn relative_offset(&self, node: NodeId) -> (f32, f32) {
        let style = self.styles.of(node);
        if style.position != crate::Position::Relative {
            return (0.0, 0.0);
        }
        let base = self.dom.parent(node).map_or(0.0, |parent| self.places[parent.index()].rect.width);
        let pick = |start: Length, end: Length| match (start.against(base), end.against(base)) {
            (Some(start), _) => start,
            (None, Some(end)) => -end,
            (None, None) => 0.0,
        };
        (pick(style.inset.left, style.inset.right), pick(style.inset.top, style.inset.bottom))
    }

    /// Turns places into boxes on the page.
    fn absolute(&self) -> Vec<Option<Rect>> {
        let dom = self.dom;
        let mut rects: Vec<Option<Rect>> = vec![None; dom.len()];
        for edge in dom.walk(dom.root()) {
            match edge {
                Edge::Enter(node) if dom.kind(node) == NodeKind::Element => {
                    rects[node.index()] = self.on_page(node, &rects);
                }
                Edge::Leave(node) if dom.kind(node) == NodeKind::Element => self.wrap_children(node, &mut rects),
                _ => {}
            }
        }
        rects
    }

    fn on_page(&self, node: NodeId, rects: &[Option<Rect>]) -> Option<Rect> {
        let place = self.places[node.index()];
        if !place.is_placed {
            return None;
        }
        let across = rects[place.across as usize].unwrap_or_default();
        let down = rects[place.down as usize].unwrap_or_default();
        let y = match self.from_bottom.get(&(node.index() as u32)) {
            Some((NodeId::DOCUMENT, distance)) => WINDOW_HEIGHT_PX - distance,
            Some((containing, distance)) => rects[containing.index()].unwrap_or_default().bottom() - distance,
            None => down.y + place.rect.y,
        };
        Some(Rect { x: across.x + place.rect.x, y, ..place.rect })
    }

    /// An element in lines reaches around what stands in it.
    fn wrap_children(&self, node: NodeId, rects: &mut [Option<Rect>]) {
        let dom = self.dom;
        let style = self.styles.of(node);
        if dom.tag(node) == Tag::Br || !is_line_part(dom, node, style) || style.display == Display::None {
            return;
        }
        let children = dom.children(node).filter(|&child| !self.styles.of(child).is_out_of_flow());
        let inside = children.filter_map(|child| rects[child.index()]).reduce(Rect::union);
        rects[node.index()] = match (rects[node.index()], inside) {
            (Some(own), Some(inside)) => Some(own.union(inside)),
            (own, inside) => own.or(inside),
        };
    }
}

pub(super) fn rect(x: f32, y: f32, width: f32, height: f32) -> Rect {
    Rect { x, y, width, height }
}
