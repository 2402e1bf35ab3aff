//! Blocks found against blocks marked by people, after Kreuzer, Hage and Feelders: a found block hits a marked one when it has the
//! same text (exact), or nearly so (fuzzy). Blocks are sets of ranges of the page's text without white space.

use std::collections::HashMap;
use std::ops::Range;

use super::Score;

/// From this ratio of shared text on, two blocks are the same to the fuzzy measure.
const FUZZY_RATIO_MIN: f64 = 0.8;

/// The block ranges that hold text, in order and without repeats: what both measures compare.
pub(super) fn distinct(blocks: &[Vec<Range<usize>>]) -> Vec<Vec<Range<usize>>> {
    let mut seen = std::collections::HashSet::new();
    let normal = |block: &Vec<Range<usize>>| {
        let mut ranges: Vec<_> = block.iter().filter(|range| !range.is_empty()).cloned().collect();
        ranges.sort_by_key(|range| (range.start, range.end));
        ranges
    };
    blocks.iter().map(normal).filter(|block| !block.is_empty() && seen.insert(block.clone())).collect()
}

/// Hits where the texts are equal, each text as often as it stands.
pub fn exact_blocks(gold: &[Vec<Range<usize>>], found: &[Vec<Range<usize>>], text: &[char]) -> Score {
    let (gold, found) = (distinct(gold), distinct(found));
    let texts = |blocks: &[Vec<Range<usize>>]| {
        let mut counts: HashMap<String, usize> = HashMap::new();
        for block in blocks {
            let content: String = block.iter().flat_map(|range| &text[range.clone()]).collect();
            *counts.entry(content).or_default() += 1;
        }
        counts
    };
    let gold_texts = texts(&gold);
    let hits = texts(&found).iter().map(|(text, &count)| count.min(gold_texts.get(text).copied().unwrap_or(0))).sum();
    Score::of_counts(hits, found.len(), gold.len())
}

/// Hits where the shared text over the mean text is above 0.8, matched one to one, best first.
pub fn fuzzy_blocks(gold: &[Vec<Range<usize>>], found: &[Vec<Range<usize>>]) -> Score {
    let (gold, found) = (distinct(gold), distinct(found));
    let mut pairs = Vec::new();
    for (found_index, block) in found.iter().enumerate() {
        let block_length = length(block);
        for (gold_index, wanted) in gold.iter().enumerate() {
            let lengths = (block_length + length(wanted)) as f64;
            if 2.0 * block_length.min(length(wanted)) as f64 <= FUZZY_RATIO_MIN * lengths {
                continue;
            }
            let ratio = 2.0 * shared_length(block, wanted) as f64 / lengths;
            if ratio > FUZZY_RATIO_MIN {
                pairs.push((ratio, found_index, gold_index));
            }
        }
    }
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let (mut found_taken, mut gold_taken) = (vec![false; found.len()], vec![false; gold.len()]);
    let mut hits = 0;
    for (_, found_index, gold_index) in pairs {
        if !found_taken[found_index] && !gold_taken[gold_index] {
            (found_taken[found_index], gold_taken[gold_index]) = (true, true);
            hits += 1;
        }
    }
    Score::of_counts(hits, found.len(), gold.len())
}

pub(super) fn length(block: &[Range<usize>]) -> usize {
    block.iter().map(ExactSizeIterator::len).sum()
}

fn shared_length(one: &[Range<usize>], other: &[Range<usize>]) -> usize {
    let (mut at, mut other_at, mut shared) = (0, 0, 0);
    while let (Some(a), Some(b)) = (one.get(at), other.get(other_at)) {
        shared += a.end.min(b.end).saturating_sub(a.start.max(b.start));
        if a.end < b.end { at += 1 } else { other_at += 1 }
    }
    shared
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init, reason = "a block is a list of ranges, often of one")]
mod tests {
    use super::*;

    #[test]
    fn a_block_nearly_right_is_a_fuzzy_hit_only() {
        let text: Vec<char> = "abcdefghij".chars().collect();
        let (gold, found) = (vec![vec![0..10]], vec![vec![0..9], vec![0..3]]);
        assert_eq!(exact_blocks(&gold, &found, &text).f, 0.0);
        assert_eq!(fuzzy_blocks(&gold, &found), Score::of_counts(1, 2, 1));
    }

    #[test]
    fn a_marked_block_is_hit_once() {
        assert_eq!(fuzzy_blocks(&[vec![0..100]], &[vec![0..99], vec![1..100]]), Score::of_counts(1, 2, 1));
    }

    #[test]
    fn blocks_of_several_ranges_compare_by_what_they_share() {
        assert_eq!(shared_length(&[0..4, 8..12], &[2..9]), 3);
    }
}
