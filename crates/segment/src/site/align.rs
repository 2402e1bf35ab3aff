//! Finds an answer in a page: which words of the one are which of the other, in order, in near-linear time.
//!
//! WLES looks for every block of the answer from the last partner on, which is quadratic where blocks are missing, and loses all that
//! follows a wrong partner far ahead. Here runs of words that the answer says once are looked up in an index, the longest ascending
//! row of them is taken, and what lies between is settled by shorter runs. Where the greedy scan finds equal blocks in order, so does this.

use rustc_hash::FxHashMap;

use super::text_block::fingerprint;

/// Words in the runs that are looked up, level by level.
const RUN_WORDS: [usize; 4] = [8, 4, 2, 1];
/// Single words are looked for only where the page has about as many as the answer.
const CLOSE_WORDS_FACTOR: usize = 4;
const CLOSE_WORDS_MORE: usize = 16;

/// For each word of the answer, its place in the page.
pub(super) fn align(answer: &[u64], page: &[u64]) -> Vec<Option<u32>> {
    let mut partners = vec![None; answer.len()];
    let mut gaps = vec![Gap { answer: (0, answer.len()), page: (0, page.len()) }];
    for run_words in RUN_WORDS {
        let mut narrower = Vec::new();
        for gap in gaps {
            settle(answer, page, gap, run_words, &mut partners, &mut narrower);
        }
        gaps = narrower;
    }
    partners
}

/// A stretch of the answer without partners yet, and where in the page they can lie.
#[derive(Clone, Copy)]
struct Gap {
    answer: (usize, usize),
    page: (usize, usize),
}

/// Finds partners in a gap by runs of so many words; the gaps that are left are told to `left`.
fn settle(answer: &[u64], page: &[u64], gap: Gap, run_words: usize, partners: &mut [Option<u32>], left: &mut Vec<Gap>) {
    let Gap { answer: (answer_start, answer_end), page: (page_start, page_end) } = gap;
    let is_close = page_end - page_start <= CLOSE_WORDS_FACTOR * (answer_end - answer_start) + CLOSE_WORDS_MORE;
    if run_words == 1 && !is_close {
        return;
    }
    let anchors = anchors(&answer[answer_start..answer_end], &page[page_start..page_end], run_words);
    let (mut answer_from, mut page_from) = (answer_start, page_start);
    for (answer_at, page_at) in anchors.into_iter().map(|(one, other)| (answer_start + one, page_start + other)) {
        if answer_at < answer_from || page_at < page_from {
            // An earlier anchor has grown over this one.
            continue;
        }
        let mut start = (answer_at, page_at);
        while start.0 > answer_from && start.1 > page_from && answer[start.0 - 1] == page[start.1 - 1] {
            start = (start.0 - 1, start.1 - 1);
        }
        let mut end = (answer_at, page_at);
        while end.0 < answer_end && end.1 < page_end && answer[end.0] == page[end.1] {
            end = (end.0 + 1, end.1 + 1);
        }
        for (offset, partner) in partners[start.0..end.0].iter_mut().enumerate() {
            *partner = Some((start.1 + offset) as u32);
        }
        push_gap(left, (answer_from, start.0), (page_from, start.1));
        (answer_from, page_from) = end;
    }
    push_gap(left, (answer_from, answer_end), (page_from, page_end));
}

fn push_gap(gaps: &mut Vec<Gap>, answer: (usize, usize), page: (usize, usize)) {
    if answer.0 < answer.1 && page.0 < page.1 {
        gaps.push(Gap { answer, page });
    }
}

/// Where runs that the answer says once stand in it and, first, in the page: the longest row that ascends in both.
fn anchors(answer: &[u64], page: &[u64], run_words: usize) -> Vec<(usize, usize)> {
    let mut once: FxHashMap<u64, Option<usize>> = FxHashMap::default();
    for (place, run) in answer.windows(run_words).enumerate() {
        once.entry(fingerprint(run)).and_modify(|known| *known = None).or_insert(Some(place));
    }
    let mut found: FxHashMap<usize, (usize, bool)> = FxHashMap::default();
    for (place, run) in page.windows(run_words).enumerate() {
        if let Some(&Some(answer_place)) = once.get(&fingerprint(run)) {
            found.entry(answer_place).and_modify(|(_, again)| *again = true).or_insert((place, false));
        }
    }
    // Few words stand anywhere by chance, so short runs have to stand in the page once, too.
    let is_sure = |again: bool| !again || run_words == RUN_WORDS[0];
    let mut pairs: Vec<(usize, usize)> =
        found.into_iter().filter(|(_, (_, again))| is_sure(*again)).map(|(one, (other, _))| (one, other)).collect();
    pairs.sort_unstable();
    ascending(&pairs)
}

/// The longest row of pairs that ascends in the second place, too.
fn ascending(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // The pair that ends the best row of each length, and the pair before each.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (index, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|&end| pairs[end].1 < pair.1);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        if length == ends.len() {
            ends.push(index);
        } else {
            ends[length] = index;
        }
    }
    let mut row: Vec<(usize, usize)> =
        std::iter::successors(ends.last().copied(), |&index| before[index]).map(|index| pairs[index]).collect();
    row.reverse();
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(answer: &[u64], page: &[u64], expected: &[Option<u32>]) {
        assert_eq!(align(answer, page), expected, "{answer:?} in {page:?}");
    }

    #[test]
    fn an_answer_is_found_around_what_the_page_has_more() {
        check(&[1, 2, 3, 4], &[9, 1, 2, 8, 3, 4, 7], &[Some(1), Some(2), Some(4), Some(5)]);
    }

    #[test]
    fn what_the_page_does_not_say_has_no_partner() {
        check(&[1, 5, 2], &[1, 2], &[Some(0), None, Some(1)]);
        check(&[1, 2], &[], &[None, None]);
        check(&[], &[1], &[]);
    }

    #[test]
    fn of_a_text_that_the_page_says_twice_the_first_is_taken() {
        let text: Vec<u64> = (0..20).collect();
        let page: Vec<u64> = text.iter().chain([&99]).chain(&text).copied().collect();
        let partners = align(&text, &page);
        assert!(partners.iter().enumerate().all(|(place, partner)| *partner == Some(place as u32)), "{partners:?}");
    }

    #[test]
    fn a_row_ascends_in_both() {
        assert_eq!(ascending(&[(0, 5), (1, 1), (2, 2), (3, 0), (4, 3)]), [(1, 1), (2, 2), (4, 3)]);
        assert_eq!(ascending(&[]), []);
    }
}
