//! Flex and grid layout: items in lines of given, preferred or shared widths.

use kuai_html::NodeId;

use super::engine::{Child, Engine, Role, Step, rect};
use super::model::{Edges, clamp_width, given_width, side_margins};
use crate::{Display, FlexDirection, Justify, Length, Style, Track};

/// The layout of a flex or grid container.
pub(super) struct Flex {
    node: NodeId,
    items: Vec<Item>,
    next: usize,
    width: f32,
    edges: Edges,
    row_gap: f32,
    is_reversed: bool,
}

struct Item {
    node: NodeId,
    /// The line the item stands in, and its left edge and width there, margins apart.
    line: usize,
    left: f32,
    width: f32,
    height: f32,
    is_absolute: bool,
}

impl Flex {
    /// Whether all content stands in elements; text of the container's own is laid out as lines instead.
    pub(super) fn suits(engine: &Engine<'_>, node: NodeId) -> bool {
        engine.dom.children(node).all(|child| !engine.dom.is_text(child) || engine.dom.text(child).trim().is_empty())
    }

    pub(super) fn new(engine: &Engine<'_>, node: NodeId, width: f32) -> Flex {
        let style = engine.styles.of(node);
        let shown = engine
            .dom
            .children(node)
            .filter(|&child| engine.dom.is_element(child) && engine.styles.of(child).display != Display::None);
        let items = shown
            .map(|child| Item {
                node: child,
                line: 0,
                left: 0.0,
                width: 0.0,
                height: 0.0,
                is_absolute: engine.styles.of(child).is_absolute(),
            })
            .collect();
        let is_reversed = matches!(style.flex_direction, FlexDirection::ColumnReverse);
        let mut flex = Flex {
            node,
            items,
            next: 0,
            width: width.max(0.0),
            edges: Edges::of(style, width),
            row_gap: style.row_gap,
            is_reversed,
        };
        match (style.display, style.flex_direction) {
            (Display::Grid | Display::InlineGrid, _) => flex.arrange_grid(engine, style),
            (_, FlexDirection::Row) => flex.arrange_rows(engine, style, false),
            (_, FlexDirection::RowReverse) => flex.arrange_rows(engine, style, true),
            _ => flex.arrange_column(engine),
        }
        flex
    }

    pub(super) fn step<'a>(&mut self, engine: &mut Engine<'a>, positioned: NodeId) -> Step<'a> {
        let Some(item) = self.items.get(self.next) else {
            return Step::Done(self.finish(engine));
        };
        let index = self.next;
        self.next += 1;
        if item.is_absolute {
            return engine.absolute_child(item.node, positioned, 0.0, 0.0);
        }
        engine.child(item.node, Role::Item(index), item.width, self.width, positioned, None)
    }

    pub(super) fn take(&mut self, child: Child) {
        let Role::Item(index) = child.role else { return };
        self.items[index].width = child.width;
        self.items[index].height = child.height;
    }

    fn finish(&mut self, engine: &mut Engine<'_>) -> f32 {
        let (node, edges, width) = (self.node, self.edges, self.width);
        let margins = |engine: &Engine<'_>, item: &Item| {
            let margin = engine.styles.of(item.node).margin;
            (margin.top.against(width).unwrap_or(0.0), margin.bottom.against(width).unwrap_or(0.0))
        };
        let line_count = self.items.iter().map(|item| item.line + 1).max().unwrap_or(0);
        let mut heights = vec![0.0_f32; line_count];
        for item in self.items.iter().filter(|item| !item.is_absolute) {
            let (top, bottom) = margins(engine, item);
            heights[item.line] = heights[item.line].max(item.height + top + bottom);
        }
        let mut tops = Vec::with_capacity(line_count);
        let mut y = 0.0;
        for (index, height) in heights.iter().enumerate() {
            y += if index > 0 { self.row_gap } else { 0.0 };
            tops.push(y);
            y += height;
        }
        if self.is_reversed {
            tops = tops.iter().zip(&heights).map(|(top, height)| y - top - height).collect();
        }
        for item in self.items.iter().filter(|item| !item.is_absolute) {
            let style = engine.styles.of(item.node);
            let (top, bottom) = margins(engine, item);
            let stretched = if style.height == Length::Auto { heights[item.line] - top - bottom } else { item.height };
            let place =
                rect(edges.left + item.left, edges.top + tops[item.line] + top, item.width, stretched.max(item.height));
            engine.place(item.node, node, place);
        }
        y
    }

    /// A line per item.
    fn arrange_column(&mut self, engine: &Engine<'_>) {
        let width = self.width;
        for (line, item) in self.items.iter_mut().enumerate() {
            let style = engine.styles.of(item.node);
            let (left, right) = side_margins(style, width);
            let is_auto = (style.margin.left == Length::Auto, style.margin.right == Length::Auto);
            item.line = line;
            item.width = match is_auto {
                (false, false) => engine.fill(item.node, width, width),
                _ => engine.shrink_to_fit(item.node, width, width),
            };
            let free = (width - item.width - left - right).max(0.0);
            item.left = match is_auto {
                (true, true) => free / 2.0,
                (true, false) => free,
                _ => left,
            };
        }
    }

    fn arrange_rows(&mut self, engine: &Engine<'_>, style: &Style, is_reversed: bool) {
        let (width, gap) = (self.width, style.column_gap);
        let bases: Vec<f32> = self.items.iter().map(|item| basis(engine, item, width)).collect();
        let outer = |item: &Item, base: f32| {
            let (left, right) = side_margins(engine.styles.of(item.node), width);
            base + left + right
        };
        let (mut start, mut line, mut used) = (0, 0, 0.0);
        let mut lines: Vec<(usize, usize)> = Vec::new();
        for (index, item) in self.items.iter_mut().enumerate() {
            let needed = if item.is_absolute { 0.0 } else { outer(item, bases[index]) };
            if style.flex_wrap && index > start && used + gap + needed > width + 0.5 {
                lines.push((start, index));
                (start, used) = (index, 0.0);
                line += 1;
            }
            used += needed + if index > start { gap } else { 0.0 };
            item.line = line;
        }
        lines.push((start, self.items.len()));
        for (start, end) in lines {
            let bases = &bases[start..end];
            arrange_row(engine, &mut self.items[start..end], bases, width, style, is_reversed);
        }
    }

    fn arrange_grid(&mut self, engine: &Engine<'_>, style: &Style) {
        let (width, gap) = (self.width, style.column_gap);
        let tracks = engine.styles.grid_columns(style);
        let lefts = track_edges(tracks, width, gap);
        let count = lefts.len() - 1;
        let (mut column, mut line) = (0, 0);
        for item in self.items.iter_mut().filter(|item| !item.is_absolute) {
            let item_style = engine.styles.of(item.node);
            let span = match item_style.grid_span {
                0 => count,
                span => usize::from(span).min(count),
            };
            if column + span > count {
                (column, line) = (0, line + 1);
            }
            let room = lefts[column + span] - gap - lefts[column];
            let (left, _) = side_margins(item_style, room);
            item.line = line;
            item.left = lefts[column] + left;
            item.width = engine.fill(item.node, room, room);
            column += span;
        }
    }
}

/// The width of an item before free room is shared out.
fn basis(engine: &Engine<'_>, item: &Item, width: f32) -> f32 {
    let style = engine.styles.of(item.node);
    let edges = Edges::of(style, width).across();
    let facts = engine.facts[item.node.index()];
    let basis = match style.flex_basis {
        Length::Auto => given_width(style, width).unwrap_or(facts.max),
        length => super::model::border_box(style, length.against(width).unwrap_or(0.0), edges),
    };
    clamp_width(style, basis, width)
}

/// Gives the items of one line their widths and places.
fn arrange_row(
    engine: &Engine<'_>,
    items: &mut [Item],
    bases: &[f32],
    width: f32,
    container: &Style,
    is_reversed: bool,
) {
    let style_of = |item: &Item| engine.styles.of(item.node);
    let in_flow = || items.iter().zip(bases).filter(|(item, _)| !item.is_absolute);
    let count = in_flow().count();
    let gaps = container.column_gap * count.saturating_sub(1) as f32;
    let margins: f32 = in_flow().map(|(item, _)| side_margins(style_of(item), width)).map(|(a, b)| a + b).sum();
    let total: f32 = in_flow().map(|(_, base)| base).sum();
    let free = width - gaps - margins - total;
    let grow: f32 = in_flow().map(|(item, _)| style_of(item).flex_grow).sum();
    let shrink: f32 = in_flow().map(|(item, base)| style_of(item).flex_shrink * base).sum();
    let autos: f32 = in_flow().map(|(item, _)| auto_margin_count(style_of(item))).sum();
    let mut used = 0.0;
    for (item, &base) in items.iter_mut().zip(bases).filter(|(item, _)| !item.is_absolute) {
        let style = style_of(item);
        let facts = engine.facts[item.node.index()];
        item.width = if free > 0.0 && grow > 0.0 {
            base + free * style.flex_grow / grow.max(1.0)
        } else if free < 0.0 && shrink > 0.0 {
            let least = if style.clips || style.min_width != Length::Auto { 0.0 } else { facts.min.min(base) };
            (base + free * style.flex_shrink * base / shrink).max(least)
        } else {
            base
        };
        item.width = clamp_width(style, item.width, width);
        used += item.width;
    }
    let rest = (width - gaps - margins - used).max(0.0);
    place_row(engine, items, width, container, is_reversed, rest, autos, count);
}

fn auto_margin_count(style: &Style) -> f32 {
    f32::from(u8::from(style.margin.left == Length::Auto)) + f32::from(u8::from(style.margin.right == Length::Auto))
}

#[expect(clippy::too_many_arguments, reason = "the second half of `arrange_row`, with what it computed")]
fn place_row(
    engine: &Engine<'_>,
    items: &mut [Item],
    width: f32,
    container: &Style,
    is_reversed: bool,
    rest: f32,
    autos: f32,
    count: usize,
) {
    let per_auto = if autos > 0.0 { rest / autos } else { 0.0 };
    let (mut x, between) = match container.justify {
        _ if autos > 0.0 => (0.0, 0.0),
        Justify::Start => (0.0, 0.0),
        Justify::Center => (rest / 2.0, 0.0),
        Justify::End => (rest, 0.0),
        Justify::Between if count > 1 => (0.0, rest / (count - 1) as f32),
        Justify::Between => (0.0, 0.0),
        Justify::Around => (rest / count.max(1) as f32 / 2.0, rest / count.max(1) as f32),
    };
    for item in items.iter_mut().filter(|item| !item.is_absolute) {
        let margin = engine.styles.of(item.node).margin;
        x += margin.left.against(width).unwrap_or(per_auto);
        item.left = if is_reversed { width - x - item.width } else { x };
        x += item.width + margin.right.against(width).unwrap_or(per_auto) + container.column_gap + between;
    }
}

/// The left edges of a grid's columns, and one gap past the right edge of the last.
fn track_edges(tracks: &[Track], width: f32, gap: f32) -> Vec<f32> {
    let tracks = if tracks.is_empty() { &[Track::Fraction(1.0)] } else { tracks };
    let gaps = gap * (tracks.len() - 1) as f32;
    let fixed: f32 = tracks.iter().map(|track| fixed_px(track, width)).sum();
    let shares: f32 = tracks.iter().map(share).sum();
    let free = (width - gaps - fixed).max(0.0);
    let mut edges = vec![0.0];
    let mut x = 0.0;
    for track in tracks {
        let shared = if shares > 0.0 { free * share(track) / shares } else { 0.0 };
        x += fixed_px(track, width) + shared + gap;
        edges.push(x);
    }
    edges
}

fn fixed_px(track: &Track, width: f32) -> f32 {
    match track {
        Track::Fixed(length) => length.against(width).unwrap_or(0.0).max(0.0),
        _ => 0.0,
    }
}

/// Decision: columns as wide as their content share the rest like `1fr`.
fn share(track: &Track) -> f32 {
    match track {
        Track::Fixed(_) => 0.0,
        Track::Fraction(share) => *share,
        Track::Auto => 1.0,
    }
}
