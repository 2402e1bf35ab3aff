//! Separators: the empty bands between visual blocks, horizontal and vertical, each with a weight.

use super::blocks::{Look, VisualBlock};

/// The direction in which a separator runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// It parts what is above from what is below.
    Horizontal,
    /// It parts left from right.
    Vertical,
}

/// A band without blocks, and what it parts.
#[derive(Clone, Debug)]
pub(super) struct Separator {
    /// How strongly it parts: the DoC that a group across it loses.
    pub(super) weight: f64,
    /// Blocks before it, in the order of [`Separators::order`].
    pub(super) position: usize,
}

/// The separators of one direction among some blocks.
#[derive(Clone, Debug)]
pub(super) struct Separators {
    /// Indices of blocks, ordered along the axis that the separators cut.
    pub(super) order: Vec<usize>,
    pub(super) found: Vec<Separator>,
}

/// Pixels by which boxes may overlap and still be apart: borders and our estimate are not exact.
const OVERLAP_MAX: f32 = 3.0;

/// Distances in pixels from which a separator weighs 1, 2, ... by itself.
const DISTANCES: [f32; 4] = [0.0, 8.0, 20.0, 40.0];

impl Separators {
    /// Sweeps over the blocks along one axis.
    pub(super) fn find(blocks: &[VisualBlock], members: &[usize], direction: Direction) -> Separators {
        let start = |index: usize| side(&blocks[index], direction).0;
        let mut order = members.to_vec();
        order.sort_by(|&one, &other| start(one).total_cmp(&start(other)).then(one.cmp(&other)));
        let mut found = Vec::new();
        let mut reach = f32::MIN;
        let mut farthest = None;
        for (position, &index) in order.iter().enumerate() {
            let (start, end) = side(&blocks[index], direction);
            if let Some(before) = farthest.filter(|_| start >= reach - OVERLAP_MAX) {
                let distance = (start - reach).max(0.0);
                let weight = weight(&blocks[before], &blocks[index], distance, direction);
                found.push(Separator { weight, position });
            }
            if end > reach {
                reach = end;
                farthest = Some(index);
            }
        }
        Separators { order, found }
    }

    /// The weight of the strongest.
    pub(super) fn weight_max(&self) -> f64 {
        self.found.iter().map(|separator| separator.weight).fold(0.0, f64::max)
    }

    /// Cuts the blocks at the separators of at least this weight.
    pub(super) fn groups(&self, weight_min: f64) -> Vec<Vec<usize>> {
        let cuts = self.found.iter().filter(|separator| separator.weight >= weight_min);
        let mut groups = Vec::new();
        let mut start = 0;
        for position in cuts.map(|separator| separator.position).chain([self.order.len()]) {
            groups.push(self.order[start..position].to_vec());
            start = position;
        }
        groups
    }
}

fn side(block: &VisualBlock, direction: Direction) -> (f32, f32) {
    match direction {
        Direction::Horizontal => (block.rect.y, block.rect.bottom()),
        Direction::Vertical => (block.rect.x, block.rect.right()),
    }
}

/// VIPS: distance, a change of background and, across, a change of font make a separator strong; two sides that look alike
/// make it weak.
fn weight(before: &VisualBlock, behind: &VisualBlock, distance: f32, direction: Direction) -> f64 {
    let steps = DISTANCES.iter().filter(|least| distance >= **least).count() as f64;
    let backgrounds = if before.look.background != behind.look.background { 2.0 } else { 0.0 };
    let fonts = match direction {
        Direction::Horizontal => font_change(before.look, behind.look),
        Direction::Vertical => 0.0,
    };
    let is_alike = before.look == behind.look && (before.rect.width - behind.rect.width).abs() <= OVERLAP_MAX;
    let alike = if is_alike { -1.0 } else { 0.0 };
    (steps + backgrounds + fonts + alike).max(0.0)
}

/// A larger or bolder font below opens something new.
fn font_change(above: Look, below: Look) -> f64 {
    if below.font_size > above.font_size || below.font_weight > above.font_weight {
        1.0
    } else if below.font_size < above.font_size {
        0.5
    } else {
        0.0
    }
}
