//! Columns of all units of one shape, wherever on the page they stand: paragraphs of the text, teasers, menu entries.

use rustc_hash::FxHashMap;

use super::super::outline::{Outline, Unit};
use super::columns;
use super::measures::Measures;

columns!(NAMES, write(near: &Shape, far: &Shape, total: f32) {
    "shape2_share" => near.text / total,
    "shape2_ends" => near.ends / near.text,
    "shape3_share" => far.text / total,
    "shape3_ends" => far.ends / far.text,
});

/// Words that a unit counts for at least.
pub(in super::super) const LENGTH_MIN: f32 = 0.3;

/// Which units of a page have the same shape: that of the element, of the one around it and, for the second number, of the one around that.
fn shapes(outline: &Outline) -> (Vec<[u32; 2]>, [usize; 2]) {
    let mut numbers: [FxHashMap<u64, u32>; 2] = Default::default();
    let shape_of = |element: u32| u64::from(outline.elements[element as usize].shape);
    let number_of = |unit: &Unit| {
        let parent = outline.parent(unit.element);
        let near = shape_of(unit.element).wrapping_mul(1_000_003).wrapping_add(shape_of(parent));
        let far = near.wrapping_mul(1_000_003).wrapping_add(shape_of(outline.parent(parent)));
        [near, far]
    };
    let mut shapes = Vec::with_capacity(outline.units.len());
    for unit in &outline.units {
        let keys = number_of(unit);
        shapes.push([0, 1].map(|which| {
            let next = numbers[which].len() as u32;
            *numbers[which].entry(keys[which]).or_insert(next)
        }));
    }
    (shapes, [numbers[0].len(), numbers[1].len()])
}

/// Sums over the units of one shape.
#[derive(Clone, Copy, Default)]
struct Shape {
    text: f32,
    ends: f32,
}

pub(in super::super) struct Shapes {
    /// The two shapes of each unit.
    pub(in super::super) of: Vec<[u32; 2]>,
    sums: [Vec<Shape>; 2],
    total: f32,
}

impl Shapes {
    pub(super) fn of(outline: &Outline, measures: &Measures) -> Shapes {
        let (of, counts) = shapes(outline);
        let mut sums = counts.map(|count| vec![Shape::default(); count]);
        for (unit, shapes) in outline.units.iter().zip(&of) {
            let text = unit.text.length.max(LENGTH_MIN);
            for (sums, &shape) in sums.iter_mut().zip(shapes) {
                let sum = &mut sums[shape as usize];
                sum.text += text;
                sum.ends += if unit.text.ends { text } else { 0.0 };
            }
        }
        Shapes { of, sums, total: measures.total }
    }

    /// How many shapes there are.
    pub(in super::super) fn counts(&self) -> [usize; 2] {
        self.sums.each_ref().map(Vec::len)
    }

    pub(super) fn write_unit(&self, index: usize, row: &mut Vec<f32>) {
        let [near, far] = self.of[index];
        write(&self.sums[0][near as usize], &self.sums[1][far as usize], self.total, row);
    }
}
