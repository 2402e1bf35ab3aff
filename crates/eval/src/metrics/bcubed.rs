//! Extended BCubed (Amigó et al.) over the characters of a page: for two characters, do both sides agree on how many blocks they share?
//!
//! Characters that lie in the same blocks on both sides are counted as one group, so that the cost depends on the blocks, not
//! on the text. Pairs that share no block on the denominator's side are left out.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use super::Score;
use super::blocks::{distinct, length};

/// A set of characters in the same blocks: of the answer, of the gold, and how many characters.
type Group = (Vec<usize>, Vec<usize>, usize);

/// Both sides flattened: each character belongs to the smallest block that holds it.
pub fn bcubed_leaf(gold: &[Vec<Range<usize>>], found: &[Vec<Range<usize>>], characters: usize) -> Score {
    let (gold, found) = (flat(&distinct(gold), characters), flat(&distinct(found), characters));
    // Sorted, so that sums come out the same to the last bit every time.
    let mut counts: BTreeMap<(Option<usize>, Option<usize>), usize> = BTreeMap::new();
    for pair in found.into_iter().zip(gold) {
        *counts.entry(pair).or_default() += 1;
    }
    let groups: Vec<Group> =
        counts.into_iter().map(|((found, gold), count)| (Vec::from_iter(found), Vec::from_iter(gold), count)).collect();
    score(&groups)
}

/// All blocks count: a character lies in every block around it.
pub fn bcubed_nested(gold: &[Vec<Range<usize>>], found: &[Vec<Range<usize>>], characters: usize) -> Score {
    let (gold, found) = (stretches(&distinct(gold), characters), stretches(&distinct(found), characters));
    let mut counts: BTreeMap<(Vec<usize>, Vec<usize>), usize> = BTreeMap::new();
    let (mut at, mut gold_at) = (0, 0);
    while let (Some((a, in_found)), Some((b, in_gold))) = (found.get(at), gold.get(gold_at)) {
        let shared = a.end.min(b.end).saturating_sub(a.start.max(b.start));
        if shared > 0 {
            *counts.entry((in_found.clone(), in_gold.clone())).or_default() += shared;
        }
        if a.end <= b.end { at += 1 } else { gold_at += 1 }
    }
    let groups: Vec<Group> = counts.into_iter().map(|((found, gold), count)| (found, gold, count)).collect();
    score(&groups)
}

fn score(groups: &[Group]) -> Score {
    let turned: Vec<Group> = groups.iter().map(|(found, gold, count)| (gold.clone(), found.clone(), *count)).collect();
    Score::new(one_side(groups), one_side(&turned))
}

/// The mean, over characters in some block of the first side, of how far the second side agrees on its neighbours.
fn one_side(groups: &[Group]) -> f64 {
    let mut groups_of_block: HashMap<usize, Vec<usize>> = HashMap::new();
    for (index, (blocks, _, _)) in groups.iter().enumerate() {
        for &block in blocks {
            groups_of_block.entry(block).or_default().push(index);
        }
    }
    let (mut sum, mut characters) = (0.0, 0.0);
    for (blocks, others, count) in groups.iter().filter(|(blocks, _, _)| !blocks.is_empty()) {
        let neighbours: BTreeSet<usize> = blocks.iter().flat_map(|block| &groups_of_block[block]).copied().collect();
        let (mut agreed, mut total) = (0.0, 0.0);
        for &index in &neighbours {
            let (their_blocks, their_others, their_count) = &groups[index];
            let both = shared(blocks, their_blocks) as f64;
            agreed += *their_count as f64 * both.min(shared(others, their_others) as f64) / both;
            total += *their_count as f64;
        }
        sum += *count as f64 * agreed / total;
        characters += *count as f64;
    }
    if characters == 0.0 { 0.0 } else { sum / characters }
}

fn shared(one: &[usize], other: &[usize]) -> usize {
    one.iter().filter(|block| other.contains(block)).count()
}

/// The smallest block that holds each character.
fn flat(blocks: &[Vec<Range<usize>>], characters: usize) -> Vec<Option<usize>> {
    let mut largest_first: Vec<usize> = (0..blocks.len()).collect();
    largest_first.sort_by_key(|&index| std::cmp::Reverse(length(&blocks[index])));
    let mut owner = vec![None; characters];
    for index in largest_first {
        for range in &blocks[index] {
            owner[range.start.min(characters)..range.end.min(characters)].fill(Some(index));
        }
    }
    owner
}

/// The text cut where a block begins or ends, each stretch with the blocks around it.
fn stretches(blocks: &[Vec<Range<usize>>], characters: usize) -> Vec<(Range<usize>, Vec<usize>)> {
    let mut borders: Vec<(usize, usize, bool)> = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        for range in block {
            borders.extend([(range.start, index, true), (range.end, index, false)]);
        }
    }
    borders.sort_unstable_by_key(|&(place, ..)| place);
    let mut around = BTreeSet::new();
    let (mut stretches, mut start) = (Vec::new(), 0);
    for (place, index, opens) in borders {
        if place > start {
            stretches.push((start..place, around.iter().copied().collect()));
            start = place;
        }
        if opens {
            around.insert(index)
        } else {
            around.remove(&index)
        };
    }
    if characters > start {
        stretches.push((start..characters, Vec::new()));
    }
    stretches
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init, reason = "a block is a list of ranges, often of one")]
mod tests {
    use super::*;

    #[test]
    fn the_truth_is_perfect() {
        let blocks = vec![vec![0..10], vec![2..4], vec![5..9]];
        assert_eq!(bcubed_leaf(&blocks, &blocks, 12).f, 1.0);
        assert_eq!(bcubed_nested(&blocks, &blocks, 12).f, 1.0);
    }

    #[test]
    fn one_block_for_two_is_half_precise() {
        let score = bcubed_leaf(&[vec![0..5], vec![5..10]], &[vec![0..10]], 10);
        assert_eq!((score.precision, score.recall), (0.5, 1.0));
    }
}
