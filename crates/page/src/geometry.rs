//! STAND-IN: boxes.

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
    /// The smallest box around both.
    pub fn union(self, other: Rect) -> Rect {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        let right = (self.x + self.width).max(other.x + other.width);
        let bottom = (self.y + self.height).max(other.y + other.height);
        Rect { x, y, width: right - x, height: bottom - y }
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
}

impl Boxes {
    /// Estimates every box at 1280 pixels' width.
    pub fn estimate(dom: Dom<'_>, _styles: &Styles) -> Boxes {
        Boxes { tier: Tier::Estimated, rects: vec![None; dom.len()] }
    }

    /// Takes boxes measured elsewhere, by node index.
    pub fn measured(rects: Vec<Option<Rect>>) -> Boxes {
        Boxes { tier: Tier::Measured, rects }
    }

    /// The box of an element; `None` where it has none (not shown, or no element).
    pub fn of(&self, node: NodeId) -> Option<Rect> {
        self.rects.get(node.index()).copied().flatten()
    }
}
