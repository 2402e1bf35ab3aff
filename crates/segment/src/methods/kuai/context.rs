//! The columns of the second stage: what the first one thinks of the units beside, around and like a unit.
//!
//! `training/context.py` computes the same for training.

use super::columns::{LENGTH_MIN, Shapes, log};
use super::outline::Outline;
use super::way::Way;

/// Share of the expected main text that an element holds for the search of its place to go on inside it.
const HOLDER_SHARE_MIN: f32 = 0.6;
/// Units on each side that make the surroundings of one.
const REACH: usize = 3;

/// Expected main text of an element and of all in it.
struct Expected {
    sums: Vec<f32>,
    means: Vec<f32>,
}

/// What the first stage's answers say together.
pub(super) struct Context<'a> {
    outline: &'a Outline<'a>,
    answers: &'a [f32],
    /// Words of each unit.
    lengths: Vec<f32>,
    /// The mean answer of each element.
    means: Vec<f32>,
    /// The element that most of the expected main text stands in.
    holder: u32,
    to_holder: Way,
    shapes: &'a Shapes,
    /// The mean answer to the units of each shape.
    alike: [Vec<f32>; 2],
    /// Expected words of main text, and words of the page.
    total: f32,
    whole: f32,
    quantiles: [f32; 2],
}

impl<'a> Context<'a> {
    pub(super) fn of(outline: &'a Outline<'a>, shapes: &'a Shapes, answers: &'a [f32]) -> Context<'a> {
        let lengths: Vec<f32> = outline.units.iter().map(|unit| unit.text.length.max(LENGTH_MIN)).collect();
        let Expected { sums, means } = expect(outline, answers, &lengths);
        let holder = holder(outline, &sums);
        drop(sums);
        Context {
            means,
            holder,
            to_holder: Way::to(outline, holder),
            shapes,
            alike: means_of_shapes(shapes, answers, &lengths),
            total: lengths.iter().zip(answers).map(|(length, answer)| length * answer).sum(),
            whole: lengths.iter().sum(),
            quantiles: quantiles(answers, [0.9, 0.97]),
            outline,
            answers,
            lengths,
        }
    }

    /// Adds the columns of a unit to a row.
    pub(super) fn write_unit(&self, index: usize, row: &mut Vec<f32>) {
        let own = self.outline.units[index].element;
        let second = self.outline.parent(own);
        let [near, far] = self.shapes.of[index];
        let mean = |element: u32| self.means[element as usize];
        let beside = |index: Option<usize>| index.and_then(|index| self.answers.get(index)).copied().unwrap_or(0.0);
        row.extend([
            self.answers[index],
            mean(own),
            mean(second),
            mean(self.outline.parent(second)),
            beside(index.checked_sub(1)),
            beside(index.checked_add(1)),
            window(self.answers, &self.lengths, index),
            self.alike[0][near as usize],
            self.alike[1][far as usize],
            mean(self.to_holder.meeting(own)),
            mean(self.holder),
            self.total / self.whole.max(LENGTH_MIN),
            log(self.total),
            self.quantiles[0],
            self.quantiles[1],
        ]);
    }
}

fn expect(outline: &Outline, answers: &[f32], lengths: &[f32]) -> Expected {
    let mut sums = vec![0.0; outline.elements.len()];
    let mut whole: Vec<f32> = vec![0.0; outline.elements.len()];
    for ((unit, answer), length) in outline.units.iter().zip(answers).zip(lengths) {
        sums[unit.element as usize] += answer * length;
        whole[unit.element as usize] += length;
    }
    for index in (1..outline.elements.len()).rev() {
        let parent = outline.elements[index].parent as usize;
        sums[parent] += sums[index];
        whole[parent] += whole[index];
    }
    let mut means = whole;
    means.iter_mut().zip(&sums).for_each(|(mean, sum)| *mean = sum / mean.max(1e-9));
    Expected { sums, means }
}

/// The element that most of the expected main text stands in.
fn holder(outline: &Outline, sums: &[f32]) -> u32 {
    let least = HOLDER_SHARE_MIN * sums.first().copied().unwrap_or(0.0);
    let mut holder = 0;
    for (index, element) in outline.elements.iter().enumerate().skip(1) {
        if element.parent == holder && sums[index] >= least {
            holder = index as u32;
        }
    }
    holder
}

fn window(answers: &[f32], lengths: &[f32], index: usize) -> f32 {
    let range = index.saturating_sub(REACH)..(index + REACH + 1).min(answers.len());
    let (mut sum, mut whole) = (0.0, 0.0);
    for (answer, length) in answers[range.clone()].iter().zip(&lengths[range]) {
        sum += answer * length;
        whole += length;
    }
    sum / whole
}

/// The mean answer over all units of each shape.
fn means_of_shapes(shapes: &Shapes, answers: &[f32], lengths: &[f32]) -> [Vec<f32>; 2] {
    let mut sums = shapes.counts().map(|count| vec![(0.0, 0.0); count]);
    for ((of_unit, answer), length) in shapes.of.iter().zip(answers).zip(lengths) {
        for (sums, &shape) in sums.iter_mut().zip(of_unit) {
            let (sum, whole): &mut (f32, f32) = &mut sums[shape as usize];
            *sum += answer * length;
            *whole += length;
        }
    }
    sums.map(|sums| sums.into_iter().map(|(sum, whole)| sum / whole).collect())
}

/// The answers below which these shares of all answers lie.
fn quantiles(answers: &[f32], shares: [f32; 2]) -> [f32; 2] {
    let mut sorted = answers.to_vec();
    sorted.sort_unstable_by(f32::total_cmp);
    shares.map(|share| match sorted.len() {
        0 => 0.0,
        count => sorted[(share * (count - 1) as f32) as usize],
    })
}
