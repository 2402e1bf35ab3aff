//! The columns of the second stage: what the first one thinks of the units beside, around and like a unit.
//!
//! `training/context.py` computes the same for training.

use super::columns::{LENGTH_MIN, Matrix, log, meeting_points, shapes};
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

/// Makes the rows of the second stage from the first one's, its answers, and the page's columns behind them.
pub(super) fn rows(outline: &Outline, first: &Matrix, kept: &[usize], answers: &[f32], types: &[f32]) -> Matrix {
    let lengths: Vec<f32> = outline.units.iter().map(|unit| unit.text.length.max(LENGTH_MIN)).collect();
    let expected = expect(outline, answers, &lengths);
    let holder = holder(outline, &expected.sums);
    let meeting = meeting_points(outline, holder);
    let alike = means_of_shapes(outline, answers, &lengths);
    let total: f32 = lengths.iter().zip(answers).map(|(length, answer)| length * answer).sum();
    let whole: f32 = lengths.iter().sum();
    let [high, highest] = quantiles(answers, [0.9, 0.97]);
    let mut values = Vec::new();
    for (index, unit) in outline.units.iter().enumerate() {
        let (own, second) = (unit.element, outline.parent(unit.element));
        let mean = |element: u32| expected.means[element as usize];
        let beside = |index: Option<usize>| index.and_then(|index| answers.get(index)).copied().unwrap_or(0.0);
        values.extend([
            answers[index],
            mean(own),
            mean(second),
            mean(outline.parent(second)),
            beside(index.checked_sub(1)),
            beside(index.checked_add(1)),
            window(answers, &lengths, index),
            alike[index][0],
            alike[index][1],
            mean(meeting[own as usize]),
            mean(holder),
            total / whole.max(LENGTH_MIN),
            log(total),
            high,
            highest,
        ]);
        let row = first.row(index);
        values.extend(kept.iter().map(|&column| row[column]));
        values.extend(types);
    }
    Matrix { columns: 15 + kept.len() + types.len(), values }
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
