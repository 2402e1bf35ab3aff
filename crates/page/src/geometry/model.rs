//! The box model: edges of a box and the width it takes where it has the choice.

use crate::{Length, Style};

/// Padding and border of a box, in pixels.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Edges {
    pub(super) top: f32,
    pub(super) right: f32,
    pub(super) bottom: f32,
    pub(super) left: f32,
}

impl Edges {
    /// The edges of a box in a containing block this wide.
    pub(super) fn of(style: &Style, base: f32) -> Edges {
        let side = |padding: Length, border: f32| padding.against(base).unwrap_or(0.0).max(0.0) + border;
        Edges {
            top: side(style.padding.top, style.border.top),
            right: side(style.padding.right, style.border.right),
            bottom: side(style.padding.bottom, style.border.bottom),
            left: side(style.padding.left, style.border.left),
        }
    }

    pub(super) fn across(self) -> f32 {
        self.left + self.right
    }

    pub(super) fn down(self) -> f32 {
        self.top + self.bottom
    }
}

/// A given size as a border box: the edges are added unless the style counts them in.
pub(super) fn border_box(style: &Style, given: f32, edges: f32) -> f32 {
    if style.border_box { given.max(edges) } else { given.max(0.0) + edges }
}

/// The given width as a border box; `None` where the layout decides.
pub(super) fn given_width(style: &Style, base: f32) -> Option<f32> {
    let edges = Edges::of(style, base).across();
    style.width.against(base).map(|width| border_box(style, width, edges))
}

/// Holds a border-box width between the style's smallest and largest.
pub(super) fn clamp_width(style: &Style, width: f32, base: f32) -> f32 {
    let edges = Edges::of(style, base).across();
    let most = style.max_width.against(base).map_or(f32::MAX, |most| border_box(style, most, edges));
    let least = style.min_width.against(base).map_or(0.0, |least| border_box(style, least, edges));
    width.min(most).max(least).max(edges)
}

/// The height of a border box whose content is this high; per cents count against `base` where it is known.
pub(super) fn used_height(style: &Style, content: f32, edges: Edges, base: Option<f32>) -> f32 {
    let resolve = |length: Length| match (length.fixed(), base) {
        (Some(px), _) => Some(px),
        (None, Some(base)) => length.against(base),
        (None, None) => None,
    };
    let down = edges.down();
    let height = resolve(style.height).map_or(content + down, |height| border_box(style, height, down));
    let most = resolve(style.max_height).map_or(f32::MAX, |most| border_box(style, most, down));
    let least = resolve(style.min_height).map_or(0.0, |least| border_box(style, least, down));
    height.min(most).max(least).max(0.0)
}

/// Margins to the left and right, in pixels, `auto` being none.
pub(super) fn side_margins(style: &Style, base: f32) -> (f32, f32) {
    (style.margin.left.against(base).unwrap_or(0.0), style.margin.right.against(base).unwrap_or(0.0))
}

/// Joins two margins that touch: the larger, negative ones subtracted.
pub(super) fn collapse(first: f32, second: f32) -> f32 {
    if first >= 0.0 && second >= 0.0 {
        first.max(second)
    } else if first < 0.0 && second < 0.0 {
        first.min(second)
    } else {
        first + second
    }
}
