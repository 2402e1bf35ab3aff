//! Finds the blocks of one version in another: by content, then by place, then by topic and likeness.
//!
//! So an edited block is the same block changed, not one removed and one added, and a block that moved is still itself.
//! Time is linear in the blocks but for a bounded search among those that neither content nor place explains.

use std::collections::HashMap;
use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

use crate::likeness::Words;
use crate::visible;

/// A block to be matched: what it holds and what tells it apart from its neighbours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate<'a> {
    /// Its source.
    pub(crate) content: &'a str,
    /// What it is about.
    pub(crate) topic: Option<&'a str>,
}

/// Which block of the old version a block of the new one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Match {
    /// Its index among the old blocks.
    pub(crate) old: usize,
    /// Whether its source is another.
    pub(crate) is_changed: bool,
    /// Whether it stands elsewhere among the blocks that both versions have.
    pub(crate) is_moved: bool,
}

/// How alike two blocks in the same place must be to be one that changed.
const LIKENESS_IN_PLACE_MIN: f64 = 0.3;

/// How alike two blocks in different places must be to be one that moved and changed.
const LIKENESS_ELSEWHERE_MIN: f64 = 0.6;

/// Pairs of blocks that are compared for likeness, at most, in one gap or among what is left over.
const PAIRS_MAX: usize = 4096;

/// For each new block its old one, if it has one. No old block is given twice.
pub(crate) fn match_blocks(old: &[Candidate<'_>], new: &[Candidate<'_>]) -> Vec<Option<Match>> {
    let mut matching = Matching { old, new, of_new: vec![None; new.len()], is_taken: vec![false; old.len()] };
    matching.by_content();
    let in_order = matching.mark_moved();
    matching.by_place(&in_order);
    matching.by_likeness();
    matching.of_new
}

struct Matching<'a> {
    old: &'a [Candidate<'a>],
    new: &'a [Candidate<'a>],
    of_new: Vec<Option<Match>>,
    is_taken: Vec<bool>,
}

impl Matching<'_> {
    fn take(&mut self, old: usize, new: usize, is_moved: bool) {
        let is_changed = self.old[old].content != self.new[new].content;
        self.of_new[new] = Some(Match { old, is_changed, is_moved });
        self.is_taken[old] = true;
    }

    /// Pairs equal contents: from both ends first, so that the usual case is a plain comparison and repeated contents
    /// keep their places; then by hash, in order.
    fn by_content(&mut self) {
        let is_same = |old: &Candidate<'_>, new: &Candidate<'_>| old.content == new.content;
        let front = self.old.iter().zip(self.new).take_while(|(old, new)| is_same(old, new)).count();
        let (old_rest, new_rest) = (&self.old[front..], &self.new[front..]);
        let back = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(old, new)| is_same(old, new)).count();
        let (old_end, new_end) = (self.old.len() - back, self.new.len() - back);
        (0..front).for_each(|index| self.take(index, index, false));
        (0..back).for_each(|index| self.take(old_end + index, new_end + index, false));

        let hasher = FxBuildHasher;
        let mut places: HashMap<u64, Vec<usize>> = HashMap::new();
        for old in (front..old_end).rev() {
            places.entry(hasher.hash_one(self.old[old].content)).or_default().push(old);
        }
        for new in front..new_end {
            let here = places.get_mut(&hasher.hash_one(self.new[new].content));
            let found = here.and_then(|here| here.pop_if(|old| self.old[*old].content == self.new[new].content));
            if let Some(old) = found {
                self.take(old, new, false);
            }
        }
    }

    /// Marks what left the longest run of pairs that stand in the same order; gives that run.
    fn mark_moved(&mut self) -> Vec<(usize, usize)> {
        let pairs: Vec<(usize, usize)> =
            self.of_new.iter().enumerate().filter_map(|(new, found)| Some((found.as_ref()?.old, new))).collect();
        let in_order = longest_rising(&pairs);
        let mut run = in_order.iter().peekable();
        for pair in &pairs {
            let stays = run.next_if(|kept| *kept == pair).is_some();
            if let Some(found) = &mut self.of_new[pair.1] {
                found.is_moved = !stays;
            }
        }
        in_order
    }

    /// Pairs what stands between the same neighbours.
    fn by_place(&mut self, in_order: &[(usize, usize)]) {
        let (mut old_from, mut new_from) = (0, 0);
        let end = (self.old.len(), self.new.len());
        for &(old_end, new_end) in in_order.iter().chain([&end]) {
            let old: Vec<usize> = (old_from..old_end).filter(|index| !self.is_taken[*index]).collect();
            let new: Vec<usize> = (new_from..new_end).filter(|index| self.of_new[*index].is_none()).collect();
            self.pair_gap(&old, &new);
            (old_from, new_from) = (old_end + 1, new_end + 1);
        }
    }

    /// Pairs the blocks of a gap in order: the one by one where they are as many, else the most alike.
    fn pair_gap(&mut self, old: &[usize], new: &[usize]) {
        if old.is_empty() || new.is_empty() {
            return;
        }
        if let ([old], [new]) = (old, new) {
            // Between the same neighbours and with the same start tag it is the same place, whatever it says now.
            if start_tag(self.old[*old].content) == start_tag(self.new[*new].content) {
                return self.take(*old, *new, false);
            }
        }
        if old.len() * new.len() > PAIRS_MAX {
            return;
        }
        let old_words: Vec<Words> = old.iter().map(|index| words(self.old[*index].content)).collect();
        let new_words: Vec<Words> = new.iter().map(|index| words(self.new[*index].content)).collect();
        let likeness = |a: usize, b: usize| {
            let is_on_topic = self.old[old[a]].topic.is_some() && self.old[old[a]].topic == self.new[new[b]].topic;
            let likeness =
                old_words[a].likeness(&new_words[b]).max(if is_on_topic { LIKENESS_IN_PLACE_MIN } else { 0.0 });
            if likeness < LIKENESS_IN_PLACE_MIN { 0.0 } else { likeness }
        };
        for (a, b) in best_alignment(old.len(), new.len(), likeness) {
            self.take(old[a], new[b], false);
        }
    }

    /// Pairs what is left over, wherever it stands.
    fn by_likeness(&mut self) {
        let old: Vec<usize> = (0..self.old.len()).filter(|index| !self.is_taken[*index]).collect();
        let new: Vec<usize> = (0..self.new.len()).filter(|index| self.of_new[*index].is_none()).collect();
        if old.is_empty() || new.is_empty() || old.len() * new.len() > PAIRS_MAX {
            return;
        }
        let old_words: Vec<Words> = old.iter().map(|index| words(self.old[*index].content)).collect();
        for new in new {
            let new_words = words(self.new[new].content);
            let free = old.iter().zip(&old_words).filter(|(old, _)| !self.is_taken[**old]);
            let alike = free.map(|(old, old_words)| (*old, old_words.likeness(&new_words)));
            let best = alike.max_by(|a, b| a.1.total_cmp(&b.1)).filter(|best| best.1 >= LIKENESS_ELSEWHERE_MIN);
            if let Some((old, _)) = best {
                self.take(old, new, true);
            }
        }
    }
}

/// The words of a block that are read; of one that shows none, those of its source.
fn words(content: &str) -> Words {
    let text = visible::text(content);
    Words::of(if text.is_empty() { content } else { &text })
}

/// The start tag that a block begins with.
fn start_tag(content: &str) -> &str {
    content.split_inclusive('>').next().unwrap_or_default()
}

/// The longest run of pairs whose old indexes rise; the new ones rise already.
fn longest_rising(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut ends: Vec<usize> = Vec::new(); // for each length of a run, the pair on which the lowest such run ends
    let mut before: Vec<Option<usize>> = vec![None; pairs.len()];
    for (index, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| pairs[*end].0 < pair.0);
        before[index] = length.checked_sub(1).map(|length| ends[length]);
        match ends.get_mut(length) {
            Some(end) => *end = index,
            None => ends.push(index),
        }
    }
    let mut run: Vec<_> =
        std::iter::successors(ends.last().copied(), |index| before[*index]).map(|index| pairs[index]).collect();
    run.reverse();
    run
}

/// The pairs, rising on both sides, whose likenesses sum up highest; pairs that are not alike at all are never taken.
fn best_alignment(old_count: usize, new_count: usize, likeness: impl Fn(usize, usize) -> f64) -> Vec<(usize, usize)> {
    let width = new_count + 1;
    let at = |a: usize, b: usize| a * width + b;
    let mut alike = vec![0.0; (old_count + 1) * width];
    let mut best = vec![0.0; (old_count + 1) * width]; // of what begins at a and b
    for a in (0..old_count).rev() {
        for b in (0..new_count).rev() {
            alike[at(a, b)] = likeness(a, b);
            let paired = if alike[at(a, b)] > 0.0 { alike[at(a, b)] + best[at(a + 1, b + 1)] } else { 0.0 };
            best[at(a, b)] = f64::max(paired, f64::max(best[at(a + 1, b)], best[at(a, b + 1)]));
        }
    }
    let (mut a, mut b, mut pairs) = (0, 0, Vec::new());
    while a < old_count && b < new_count {
        if alike[at(a, b)] > 0.0 && best[at(a, b)] == alike[at(a, b)] + best[at(a + 1, b + 1)] {
            pairs.push((a, b));
            (a, b) = (a + 1, b + 1);
        } else if best[at(a, b)] == best[at(a + 1, b)] {
            a += 1;
        } else {
            b += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes for each new block its old index, with `*` where it changed and `>` where it moved; `+` for a new one.
    fn check(old: &[&str], new: &[&str], expected: &str) {
        let candidates = |blocks: &[&'static str]| -> Vec<Candidate<'static>> {
            blocks.iter().map(|content| Candidate { content, topic: None }).collect()
        };
        let leak =
            |blocks: &[&str]| -> Vec<&'static str> { blocks.iter().map(|block| &*block.to_string().leak()).collect() };
        let found = match_blocks(&candidates(&leak(old)), &candidates(&leak(new)));
        let written: Vec<String> = found
            .iter()
            .map(|found| match found {
                None => "+".to_owned(),
                Some(Match { old, is_changed, is_moved }) => {
                    format!("{old}{}{}", if *is_changed { "*" } else { "" }, if *is_moved { ">" } else { "" })
                }
            })
            .collect();
        assert_eq!(written.join(" "), expected);
    }

    #[test]
    fn an_edited_block_is_the_same_block() {
        check(
            &["<p>a</p>", "<p>it was a dark night</p>", "<p>c</p>"],
            &["<p>a</p>", "<p>it was a stormy night</p>", "<p>c</p>"],
            "0 1* 2",
        );
    }

    #[test]
    fn a_block_between_the_same_neighbours_is_the_same_whatever_it_says() {
        check(&["<p>a</p>", "<h2>one</h2>", "<p>c</p>"], &["<p>a</p>", "<h2>other thing</h2>", "<p>c</p>"], "0 1* 2");
    }

    #[test]
    fn a_block_put_in_or_taken_out_disturbs_no_other() {
        check(&["<p>a</p>", "<p>c</p>"], &["<p>a</p>", "<p>b</p>", "<p>c</p>"], "0 + 1");
        check(&["<p>a</p>", "<p>b</p>", "<p>c</p>"], &["<p>a</p>", "<p>c</p>"], "0 2");
    }

    #[test]
    fn a_block_that_moves_is_still_itself() {
        check(
            &["<p>a</p>", "<p>b</p>", "<p>c</p>", "<p>d</p>"],
            &["<p>d</p>", "<p>a</p>", "<p>b</p>", "<p>c</p>"],
            "3> 0 1 2",
        );
        let poem = "<p>shall i compare thee to a summer day thou art more lovely</p>";
        let edited = "<p>shall i compare thee to a winter day thou art more lovely</p>";
        check(&[poem, "<p>b</p>", "<p>c</p>"], &["<p>b</p>", "<p>c</p>", edited], "1 2 0*>");
    }

    #[test]
    fn repeated_blocks_keep_their_places() {
        check(&["<hr>", "<p>a</p>", "<hr>"], &["<hr>", "<p>b</p>", "<hr>"], "0 1* 2");
    }

    #[test]
    fn nothing_matches_nothing() {
        check(&[], &["<p>a</p>"], "+");
        check(&["<p>a</p>"], &[], "");
    }
}
