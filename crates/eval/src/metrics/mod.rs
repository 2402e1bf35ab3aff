//! How good an answer is: one file a metric, each a pure function of gold and answer.

mod bcubed;
mod blocks;
mod noise;
mod rates;
mod snippets;
mod words;

pub use bcubed::{bcubed_leaf, bcubed_nested};
pub use blocks::{exact_blocks, fuzzy_blocks};
pub use noise::{NoiseBlocks, noise_blocks};
pub use rates::{GoldSegment, Rates, SegmentKind, rates};
pub use snippets::{SnippetCount, snippets};
pub use words::{Overlap, shingle_overlap, word_overlap};

/// Precision, recall and their harmonic mean.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// Share of the answer that is right.
    pub precision: f64,
    /// Share of the gold that was found.
    pub recall: f64,
    /// Harmonic mean of the two.
    pub f: f64,
}

impl Score {
    /// The score of these two.
    pub fn new(precision: f64, recall: f64) -> Score {
        let sum = precision + recall;
        Score { precision, recall, f: if sum > 0.0 { 2.0 * precision * recall / sum } else { 0.0 } }
    }

    /// `hits` of `answered` right, out of `wanted`.
    pub fn of_counts(hits: usize, answered: usize, wanted: usize) -> Score {
        let share = |whole: usize| if whole == 0 { 0.0 } else { hits as f64 / whole as f64 };
        Score::new(share(answered), share(wanted))
    }
}
