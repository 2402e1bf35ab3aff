//! The columns of the second stage: what the first one thinks of the units beside, around and like a unit.
//!
//! `training/context.py` computes the same for training.

use super::columns::{LENGTH_MIN, log, meeting_points, shapes};
use super::outline::Outline;

/// The columns of the first stage that the second sees again.
pub(super) const KEPT: [&str; 9] = [
    "rep_best",
    "rep_link",
    "item_count",
    "item_share",
    "in_holder",
    "title_recall",
    "copies",
    "text_since_title",
    "t_max",
];

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
    outline: &'a Outline,
    answers: &'a [f32],
    /// Words of each unit.
    lengths: Vec<f32>,
    /// The mean answer of each element.
    means: Vec<f32>,
    /// The element that most of the expected main text stands in, and what is around both it and each element.
    holder: u32,
    meeting: Vec<u32>,
    /// The mean answers of the units of each unit's shapes.
    alike: Vec<[f32; 2]>,
    /// Expected words of main text, and words of the page.
    total: f32,
    whole: f32,
    quantiles: [f32; 2],
}

impl<'a> Context<'a> {
    pub(super) fn of(outline: &'a Outline, answers: &'a [f32]) -> Context<'a> {
        let lengths: Vec<f32> = outline.units.iter().map(|unit| unit.text.length.max(LENGTH_MIN)).collect();
        let Expected { sums, means } = expect(outline, answers, &lengths);
        let holder = holder(outline, &sums);
        Context {
            means,
            holder,
            meeting: meeting_points(outline, holder),
            alike: means_of_shapes(outline, answers, &lengths),
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
            self.alike[index][0],
            self.alike[index][1],
            mean(self.meeting[own as usize]),
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
    let mut whole = vec![0.0; outline.elements.len()];
    for ((unit, answer), length) in outline.units.iter().zip(answers).zip(lengths) {
        sums[unit.element as usize] += answer * length;
        whole[unit.element as usize] += length;
    }
    for index in (1..outline.elements.len()).rev() {
        let parent = outline.elements[index].parent as usize;
        sums[parent] += sums[index];
        whole[parent] += whole[index];
    }
    let means = sums.iter().zip(&whole).map(|(sum, whole): (&f32, &f32)| sum / whole.max(1e-9)).collect();
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

/// The mean answer over all units of each unit's two shapes.
fn means_of_shapes(outline: &Outline, answers: &[f32], lengths: &[f32]) -> Vec<[f32; 2]> {
    let (shapes, counts) = shapes(outline);
    let mut sums = counts.map(|count| vec![(0.0, 0.0); count]);
    for ((shapes, answer), length) in shapes.iter().zip(answers).zip(lengths) {
        for (sums, &shape) in sums.iter_mut().zip(shapes) {
            let (sum, whole): &mut (f32, f32) = &mut sums[shape as usize];
            *sum += answer * length;
            *whole += length;
        }
    }
    let mean = |which: usize, shape: u32| {
        let (sum, whole) = sums[which][shape as usize];
        sum / whole
    };
    shapes.iter().map(|&[near, far]| [mean(0, near), mean(1, far)]).collect()
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
