//! Block and inline layout: blocks below each other, lines of text and boxes, floats at the sides.

use kuai_html::{Edge, NodeId, NodeKind, Tag, Walk};

use super::engine::{Around, Child, Engine, Role, Step, rect};
use super::floats::Floats;
use super::intrinsic::{is_context, is_line_part, passes_bottom, passes_top};
use super::letters::{Piece, pieces};
use super::model::{Edges, collapse, side_margins};
use crate::{Clear, Display, Float, Length, Style, TextAlign};

/// The layout of a block and the lines in it.
pub(super) struct Flow<'a> {
    walk: Walk<'a>,
    /// Width of the content.
    width: f32,
    edges: Edges,
    /// Where the next thing goes, before the waiting margin.
    y: f32,
    /// Margin below the last block, waiting for what comes next.
    margin: f32,
    /// Whether nothing was placed yet, so that a first child's margin passes out at the top.
    at_start: bool,
    absorbs_top: bool,
    absorbs_bottom: bool,
    around: Around,
    owns_context: bool,
    holds_floats: bool,
    line: Line,
    indent: f32,
    align: TextAlign,
    /// Height of an empty line.
    strut: f32,
}

/// The line under way.
#[derive(Default)]
struct Line {
    is_open: bool,
    left: f32,
    right: f32,
    x: f32,
    height: f32,
    space_waits: bool,
    /// Padding and border to the left of what the element entered last will put into the line.
    lead: Option<(NodeId, f32)>,
    fragments: Vec<Fragment>,
}

/// A run of text or a box in a line.
pub(super) struct Fragment {
    /// The element that the piece belongs to; none for text of the block itself.
    node: Option<NodeId>,
    left: f32,
    right: f32,
    height: f32,
    is_box: bool,
}

/// Text gets room for its longest word up to this, or one narrow cell makes a page hundreds of times too high.
const TEXT_ROOM_MIN: f32 = 40.0;

impl<'a> Flow<'a> {
    pub(super) fn new(
        engine: &mut Engine<'a>,
        node: NodeId,
        border_width: f32,
        edges: Edges,
        around: Option<Around>,
    ) -> Flow<'a> {
        let style = engine.styles.of(node);
        let mut walk = engine.dom.walk(node);
        walk.next();
        let owns_context = around.is_none();
        if owns_context {
            engine.contexts.push(Floats::default());
        }
        let around = around.unwrap_or(Around { context: engine.contexts.len() - 1, x: 0.0, y: 0.0 });
        let least = engine.facts[node.index()].min.min(TEXT_ROOM_MIN);
        let width = (border_width - edges.across()).max(least);
        Flow {
            walk,
            width,
            edges,
            y: 0.0,
            margin: 0.0,
            at_start: true,
            absorbs_top: passes_top(style) && !owns_context,
            absorbs_bottom: passes_bottom(style) && !owns_context,
            around,
            owns_context,
            holds_floats: owns_context || style.clears_inside,
            line: Line { fragments: engine.spare_fragments.pop().unwrap_or_default(), ..Line::default() },
            indent: style.text_indent.against(width).unwrap_or(0.0).max(-200.0),
            align: style.text_align,
            strut: style.line_px(),
        }
    }

    /// Goes on until a child has to be laid out or all is placed.
    pub(super) fn step(&mut self, engine: &mut Engine<'a>, node: NodeId, positioned: NodeId) -> Step<'a> {
        let dom = engine.dom;
        while let Some(edge) = self.walk.next() {
            match edge {
                Edge::Enter(child) => match dom.kind(child) {
                    NodeKind::Text => self.text(engine, node, child),
                    NodeKind::Element => {
                        if let Some(step) = self.element(engine, node, positioned, child) {
                            return step;
                        }
                    }
                    _ => {}
                },
                Edge::Leave(child) if child == node => break,
                Edge::Leave(child) if dom.kind(child) == NodeKind::Element => self.leave(engine, child),
                Edge::Leave(_) => {}
            }
        }
        Step::Done(self.finish(engine, node))
    }

    fn element(
        &mut self,
        engine: &mut Engine<'a>,
        node: NodeId,
        positioned: NodeId,
        child: NodeId,
    ) -> Option<Step<'a>> {
        let style = engine.styles.of(child);
        if style.display == Display::None {
            self.walk.skip_children(child);
            return None;
        }
        if engine.dom.tag(child) == Tag::Br {
            self.line_break(engine, node, style.clear);
            return None;
        }
        if is_line_part(engine.dom, child, style) {
            self.enter_inline(engine, child, style);
            return None;
        }
        self.walk.skip_children(child);
        if style.is_absolute() {
            let x = if self.line.is_open { self.line.x } else { 0.0 };
            return Some(engine.absolute_child(child, positioned, x, self.y + self.margin.max(0.0)));
        }
        if style.float != Float::None {
            let width = engine.shrink_to_fit(child, self.width, self.width);
            return Some(engine.child(child, Role::Float, width, self.width, positioned, None));
        }
        if style.display.is_inline() || style.display == Display::TableCell {
            let width = engine.shrink_to_fit(child, self.width, self.width);
            return Some(engine.child(child, Role::Line, width, self.width, positioned, None));
        }
        Some(self.block(engine, node, positioned, child, style))
    }

    /// Starts a block below what is there.
    fn block(
        &mut self,
        engine: &mut Engine<'a>,
        node: NodeId,
        positioned: NodeId,
        child: NodeId,
        style: &Style,
    ) -> Step<'a> {
        self.end_line(engine, node);
        let passes_out = self.at_start && self.absorbs_top;
        let margin_top = if passes_out { 0.0 } else { engine.facts[child.index()].margin_top };
        let mut y = self.y + collapse(self.margin, margin_top);
        y = y.max(engine.contexts[self.around.context].bottom(style.clear) - self.around.y);
        let is_table = matches!(style.display, Display::Table);
        let keeps_apart = is_context(style);
        let (mut left, mut right) = (0.0, self.width);
        if keeps_apart && engine.contexts[self.around.context].reaches(self.around.y + y) {
            let least = match style.width.against(self.width) {
                Some(_) => engine.fill(child, self.width, self.width),
                None => engine.facts[child.index()].min.min(self.width),
            };
            let floats = &mut engine.contexts[self.around.context];
            let (from, to) = (self.around.x, self.around.x + self.width);
            y = floats.fit(least, self.around.y + y, from, to) - self.around.y;
            let room = floats.room(self.around.y + y, from, to);
            (left, right) = (room.0 - from, room.1 - from);
        }
        let width = match is_table {
            true => engine.shrink_to_fit(child, right - left, self.width),
            false => engine.fill(child, right - left, self.width),
        };
        let x = left + self.block_offset(style, width, right - left);
        let edges = Edges::of(style, width);
        let around = (!keeps_apart).then_some(Around {
            context: self.around.context,
            x: self.around.x + x + edges.left,
            y: self.around.y + y + edges.top,
        });
        engine.child(child, Role::Block { x, y }, width, self.width, positioned, around)
    }

    /// How far a block stands from the left of its room: margins, or centred by automatic ones.
    fn block_offset(&self, style: &Style, width: f32, room: f32) -> f32 {
        let (left, right) = side_margins(style, self.width);
        let free = room - width - left - right;
        let auto = (style.margin.left == Length::Auto, style.margin.right == Length::Auto);
        match (auto, self.align) {
            ((true, true), _) => free.max(0.0) / 2.0,
            ((true, false), _) => free.max(0.0),
            ((false, true), _) => left,
            (_, TextAlign::CenterAll) => left + free.max(0.0) / 2.0,
            (_, TextAlign::RightAll) => left + free.max(0.0),
            _ if style.right_to_left => left + free.max(0.0),
            _ => left,
        }
    }

    /// Takes in a child that was laid out.
    pub(super) fn take(&mut self, engine: &mut Engine<'a>, node: NodeId, child: Child) {
        match child.role {
            Role::Block { x, y } => self.take_block(engine, node, child, x, y),
            Role::Float => self.take_float(engine, node, child),
            _ => self.take_box(engine, node, child),
        }
    }

    fn take_block(&mut self, engine: &mut Engine<'a>, node: NodeId, child: Child, x: f32, y: f32) {
        engine.place(child.node, node, rect(self.edges.left + x, self.edges.top + y, child.width, child.height));
        let facts = engine.facts[child.node.index()];
        let style = engine.styles.of(child.node);
        // An empty block lets the margins around it touch, and is as if it were not there.
        if child.height == 0.0 && style.clear == Clear::None && !is_context(style) {
            let own = if self.at_start && self.absorbs_top { 0.0 } else { facts.margin_top };
            self.margin = collapse(self.margin, collapse(own, facts.margin_bottom));
            return;
        }
        self.at_start = false;
        self.y = y + child.height;
        self.margin = facts.margin_bottom;
    }

    fn take_float(&mut self, engine: &mut Engine<'a>, node: NodeId, child: Child) {
        let style = engine.styles.of(child.node);
        let (margin_left, margin_right) = side_margins(style, self.width);
        let margin_top = style.margin.top.against(self.width).unwrap_or(0.0);
        let margin_bottom = style.margin.bottom.against(self.width).unwrap_or(0.0);
        let size = (child.width + margin_left + margin_right, child.height + margin_top + margin_bottom);
        let waiting = if self.line.is_open { 0.0 } else { self.margin };
        let floats = &mut engine.contexts[self.around.context];
        let top = (self.around.y + self.y + waiting).max(floats.bottom(style.clear));
        let (from, to) = (self.around.x, self.around.x + self.width);
        // A float that does not fit beside the line so far goes below it.
        let overflows = self.line.is_open && self.line.x + size.0 > self.line.right + 0.5;
        let top = if overflows { top.max(self.around.y + self.y + self.line.height) } else { top };
        let (x, y) = floats.place(style.float, (size.0, size.1.max(0.0)), top, from, to);
        let place = (x - self.around.x + margin_left, y - self.around.y + margin_top);
        let corner = (self.edges.left + place.0, self.edges.top + place.1);
        engine.place(child.node, node, rect(corner.0, corner.1, child.width, child.height));
        if self.line.is_open && !overflows {
            self.narrow_line(engine);
        }
    }

    /// Makes room in the line under way for a float beside it.
    fn narrow_line(&mut self, engine: &mut Engine<'a>) {
        let (left, right) = self.room(engine);
        let shift = left - self.line.left;
        self.line.left = left;
        self.line.right = right;
        self.line.x += shift;
        for fragment in &mut self.line.fragments {
            fragment.left += shift;
            fragment.right += shift;
        }
    }

    fn room(&self, engine: &mut Engine<'a>) -> (f32, f32) {
        let (from, to) = (self.around.x, self.around.x + self.width);
        let (left, right) = engine.contexts[self.around.context].room(self.around.y + self.y, from, to);
        (left - from, right - from)
    }

    /// Puts a box into the line.
    fn take_box(&mut self, engine: &mut Engine<'a>, node: NodeId, child: Child) {
        let style = engine.styles.of(child.node);
        let (margin_left, margin_right) = side_margins(style, self.width);
        let outer = child.width + margin_left + margin_right;
        let space = engine.styles.of(node).font_size * 0.27;
        let wraps = engine.dom.parent(child.node).is_none_or(|parent| engine.styles.of(parent).white_space.wraps());
        let left = self.make_room(engine, node, outer, space, wraps) + margin_left;
        let margin_down = style.margin.top.against(self.width).unwrap_or(0.0)
            + style.margin.bottom.against(self.width).unwrap_or(0.0);
        self.line.height = self.line.height.max(child.height + margin_down);
        let right = left + child.width;
        self.line.fragments.push(Fragment { node: Some(child.node), left, right, height: child.height, is_box: true });
        self.line.x = right + margin_right;
    }

    fn text(&mut self, engine: &mut Engine<'a>, node: NodeId, text: NodeId) {
        let style = engine.styles.of(text);
        let parent = engine.dom.parent(text).filter(|&parent| parent != node);
        let pen = engine.pens.get(style);
        let (space, line_height) = (pen.space(), style.line_px());
        let (keeps_spaces, wraps) = (style.white_space.keeps_spaces(), style.white_space.wraps());
        let glyph_height = style.font_size * 1.15;
        pieces(engine.dom.text(text), &pen, style.white_space.keeps_breaks(), &mut |piece| match piece {
            Piece::Word(width) => self.word(engine, node, parent, width, space, wraps, (glyph_height, line_height)),
            Piece::Space if keeps_spaces => {
                self.word(engine, node, parent, space, 0.0, wraps, (glyph_height, line_height));
            }
            Piece::Space => self.line.space_waits = true,
            Piece::Break => self.line_break(engine, node, Clear::None),
        });
    }

    #[expect(clippy::too_many_arguments, reason = "the inner loop: a struct would be built for every word")]
    fn word(
        &mut self,
        engine: &mut Engine<'a>,
        node: NodeId,
        parent: Option<NodeId>,
        width: f32,
        space: f32,
        wraps: bool,
        heights: (f32, f32),
    ) {
        let left = self.make_room(engine, node, width, space, wraps);
        self.line.x = left + width;
        self.line.height = self.line.height.max(heights.1);
        let lead = self.line.lead.take().filter(|lead| Some(lead.0) == parent).map_or(0.0, |lead| lead.1);
        let left = left - lead;
        match self.line.fragments.last_mut() {
            Some(last) if last.node == parent && !last.is_box => last.right = self.line.x,
            _ => self.line.fragments.push(Fragment {
                node: parent,
                left,
                right: self.line.x,
                height: heights.0,
                is_box: false,
            }),
        }
    }

    /// Makes room for this width in the line or a new one; gives where it starts.
    fn make_room(&mut self, engine: &mut Engine<'a>, node: NodeId, width: f32, space: f32, wraps: bool) -> f32 {
        self.open_line(engine);
        let space = match std::mem::take(&mut self.line.space_waits) && !self.line.fragments.is_empty() {
            true => space,
            false => 0.0,
        };
        if !self.line.fragments.is_empty() {
            if !wraps || self.line.x + space + width <= self.line.right + 0.5 {
                return self.line.x + space;
            }
            self.end_line(engine, node);
            self.open_line(engine);
        }
        // A line too short beside floats begins below them.
        let is_narrowed = self.line.right - self.line.left < self.width - 0.5;
        if is_narrowed && self.line.x + width > self.line.right + 0.5 {
            let (from, to) = (self.around.x, self.around.x + self.width);
            let floats = &mut engine.contexts[self.around.context];
            self.y = floats.fit(width, self.around.y + self.y, from, to) - self.around.y;
            self.line.is_open = false;
            self.open_line(engine);
        }
        self.line.x
    }

    fn open_line(&mut self, engine: &mut Engine<'a>) {
        if self.line.is_open {
            return;
        }
        self.y += std::mem::take(&mut self.margin);
        self.at_start = false;
        let (left, right) = self.room(engine);
        let x = left + std::mem::take(&mut self.indent);
        let fragments = std::mem::take(&mut self.line.fragments);
        let height = self.strut;
        self.line = Line { is_open: true, left, right, x, height, space_waits: false, lead: None, fragments };
    }

    fn end_line(&mut self, engine: &mut Engine<'a>, node: NodeId) {
        self.line.space_waits = false;
        if !std::mem::take(&mut self.line.is_open) {
            return;
        }
        let free = (self.line.right - self.line.x).max(0.0);
        let is_right_to_left = engine.styles.of(node).right_to_left;
        let shift = match self.align {
            TextAlign::Center | TextAlign::CenterAll => free / 2.0,
            TextAlign::Right | TextAlign::RightAll => free,
            TextAlign::Left if is_right_to_left => free,
            _ => 0.0,
        };
        let (x, y) = (self.edges.left + shift, self.edges.top + self.y);
        let mut fragments = std::mem::take(&mut self.line.fragments);
        for fragment in fragments.drain(..) {
            let Some(element) = fragment.node else { continue };
            let width = fragment.right - fragment.left;
            if fragment.is_box {
                let top = y + self.line.height - fragment.height;
                engine.place(element, node, rect(x + fragment.left, top, width, fragment.height));
            } else {
                let top = y + (self.line.height - fragment.height) / 2.0;
                engine.extend(element, node, rect(x + fragment.left, top, width, fragment.height));
            }
        }
        self.line.fragments = fragments;
        self.y += self.line.height;
    }

    fn line_break(&mut self, engine: &mut Engine<'a>, node: NodeId, clear: Clear) {
        self.open_line(engine);
        self.end_line(engine, node);
        let below = engine.contexts[self.around.context].bottom(clear) - self.around.y;
        self.y = self.y.max(below);
    }

    fn enter_inline(&mut self, engine: &mut Engine<'a>, child: NodeId, style: &Style) {
        let edges = Edges::of(style, self.width);
        let margin = style.margin.left.against(self.width).unwrap_or(0.0);
        self.add_edge(engine, edges.left + margin);
        self.line.lead = (edges.left > 0.0).then_some((child, edges.left));
    }

    fn leave(&mut self, engine: &mut Engine<'a>, child: NodeId) {
        let style = engine.styles.of(child);
        if style.display == Display::None || !is_line_part(engine.dom, child, style) {
            return;
        }
        let edges = Edges::of(style, self.width);
        let margin = style.margin.right.against(self.width).unwrap_or(0.0);
        if let Some(last) = self.line.fragments.last_mut().filter(|last| last.node == Some(child)) {
            last.right += edges.right;
        }
        self.add_edge(engine, edges.right + margin);
    }

    fn add_edge(&mut self, engine: &mut Engine<'a>, width: f32) {
        if width != 0.0 {
            self.open_line(engine);
            self.line.x += width;
        }
    }

    fn finish(&mut self, engine: &mut Engine<'a>, node: NodeId) -> f32 {
        self.end_line(engine, node);
        engine.spare_fragments.push(std::mem::take(&mut self.line.fragments));
        let mut height = self.y;
        if !self.absorbs_bottom {
            height += self.margin.max(0.0);
        }
        if self.holds_floats {
            let floats = &engine.contexts[self.around.context];
            if floats.reaches(self.around.y) {
                height = height.max(floats.bottom(Clear::Both) - self.around.y);
            }
        }
        if self.owns_context {
            engine.contexts.pop();
        }
        height
    }
}
