//! The boxes of all elements: our own estimate for a window 1280 px wide, or boxes measured by a browser.
//!
//! The estimate goes twice over the document: bottom up for the widths that content asks for
//! (`intrinsic.rs`), then top down for places (`engine.rs` and one file per kind of layout). Neither
//! recurses, and both take time in proportion to the document.

mod engine;
mod flex;
mod floats;
mod flow;
mod intrinsic;
mod letters;
mod model;
mod replaced;
mod table;
#[cfg(test)]
mod tests;

use kuai_html::{Dom, NodeId};

use crate::Styles;

/// A box on the page, in CSS pixels from the top left.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    /// Left edge.
    pub x: f32,
    /// Top edge.
    pub y: f32,
    /// Width.
    pub width: f32,
    /// Height.
    pub height: f32,
}

impl Rect {
    /// The right edge.
    pub fn right(self) -> f32 {
        self.x + self.width
    }

    /// The bottom edge.
    pub fn bottom(self) -> f32 {
        self.y + self.height
    }

    /// The smallest box that holds both.
    pub fn union(self, other: Rect) -> Rect {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        Rect { x, y, width: self.right().max(other.right()) - x, height: self.bottom().max(other.bottom()) - y }
    }
}

/// How far boxes can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// Our own estimate from the styles.
    Estimated,
    /// Measured by a browser.
    Measured,
}

/// The boxes of all elements of a page.
#[derive(Clone, Debug)]
pub struct Boxes {
    /// Where they came from.
    pub tier: Tier,
    rects: Vec<Option<Rect>>,
    width: f32,
    height: f32,
}

impl Boxes {
    /// Estimates every box at 1280 pixels' width.
    pub fn estimate(dom: Dom<'_>, styles: &Styles) -> Boxes {
        Boxes::new(Tier::Estimated, engine::estimate(dom, styles))
    }

    /// Takes boxes measured elsewhere, by node index.
    pub fn measured(rects: Vec<Option<Rect>>) -> Boxes {
        Boxes::new(Tier::Measured, rects)
    }

    fn new(tier: Tier, rects: Vec<Option<Rect>>) -> Boxes {
        let shown = || rects.iter().flatten();
        let width = shown().map(|rect| rect.right()).fold(0.0, f32::max);
        let height = shown().map(|rect| rect.bottom()).fold(0.0, f32::max);
        Boxes { tier, rects, width, height }
    }

    /// The box of an element; `None` where it has none (not shown, or no element).
    pub fn of(&self, node: NodeId) -> Option<Rect> {
        self.rects.get(node.index()).copied().flatten()
    }

    /// Width of the page: how far to the right its boxes reach.
    pub fn width(&self) -> f32 {
        self.width
    }

    /// Height of the page: how far down its boxes reach.
    pub fn height(&self) -> f32 {
        self.height
    }
}
