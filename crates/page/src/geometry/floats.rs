//! Floats of one block formatting context: where the next one fits, and how much room lines have beside them.

use crate::{Clear, Float};

/// A float's margin box, in the coordinates of its context.
#[derive(Clone, Copy, Debug)]
struct Floating {
    side: Float,
    left: f32,
    right: f32,
    bottom: f32,
}

/// The floats of a block formatting context that still reach below the last line looked at.
#[derive(Clone, Debug, Default)]
pub(super) struct Floats {
    active: Vec<Floating>,
    /// No float stands higher than the one before it.
    last_top: f32,
    left_bottom: f32,
    right_bottom: f32,
}

/// Floats beside each other that are looked at; the oldest of more are forgotten.
const ACTIVE_MAX: usize = 64;

impl Floats {
    /// Where all floats of a side end.
    pub(super) fn bottom(&self, clear: Clear) -> f32 {
        match clear {
            Clear::None => f32::MIN,
            Clear::Left => self.left_bottom,
            Clear::Right => self.right_bottom,
            Clear::Both => self.left_bottom.max(self.right_bottom),
        }
    }

    /// Whether any float reaches below this height.
    pub(super) fn reaches(&self, y: f32) -> bool {
        self.left_bottom > y || self.right_bottom > y
    }

    /// The room between floats at this height, within the given edges.
    pub(super) fn room(&mut self, y: f32, left: f32, right: f32) -> (f32, f32) {
        if !self.reaches(y) {
            return (left, right);
        }
        // Layout goes down the page, so what ends above is not asked for again.
        self.active.retain(|float| float.bottom > y);
        let mut room = (left, right);
        for float in &self.active {
            match float.side {
                Float::Left => room.0 = room.0.max(float.right),
                _ => room.1 = room.1.min(float.left),
            }
        }
        room
    }

    /// The next height below this one at which a float ends.
    pub(super) fn next_end(&self, y: f32) -> Option<f32> {
        self.active.iter().map(|float| float.bottom).filter(|&bottom| bottom > y).min_by(f32::total_cmp)
    }

    /// The first height from `y` on at which there is room for this width.
    pub(super) fn fit(&mut self, width: f32, y: f32, left: f32, right: f32) -> f32 {
        let mut y = y;
        // Every round passes the end of one float.
        for _ in 0..=ACTIVE_MAX {
            let room = self.room(y, left, right);
            if room.1 - room.0 >= width - 0.5 || room == (left, right) {
                break;
            }
            match self.next_end(y) {
                Some(end) => y = end,
                None => break,
            }
        }
        y
    }

    /// Places a float of this margin box at or below `y`; gives its left and top.
    pub(super) fn place(&mut self, side: Float, size: (f32, f32), y: f32, left: f32, right: f32) -> (f32, f32) {
        let (width, height) = size;
        let top = self.fit(width, y.max(self.last_top), left, right);
        let room = self.room(top, left, right);
        let x = if side == Float::Left { room.0 } else { (room.1 - width).max(room.0.min(right - width)) };
        self.last_top = top;
        let bottom = top + height;
        if height > 0.0 {
            if self.active.len() >= ACTIVE_MAX {
                self.active.remove(0);
            }
            self.active.push(Floating { side, left: x, right: x + width, bottom });
            match side {
                Float::Left => self.left_bottom = self.left_bottom.max(bottom),
                _ => self.right_bottom = self.right_bottom.max(bottom),
            }
        }
        (x, top)
    }
}
