//! A recipe says which pieces of a reel, in order, make a body. It is written against the pieces of the body before.
//!
//! `count<<2|0, skip` copies a run of the old list, `length<<2|1` takes fresh bytes (whose pieces follow from the rule
//! of cutting), `count<<2|2, number` takes a run of older pieces.

use std::collections::HashMap;

use crate::varint::{Cursor, put_number, put_signed};

/// One step of a recipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Pieces that stand in the list before, from this place on.
    Copy { from: usize, count: usize },
    /// The next bytes of the stream, which no entry had before.
    Fresh { length: usize },
    /// Pieces with these numbers.
    Older { number: u32, count: usize },
}

/// Writes how to make the list `new` from the list `old`. Pieces from number `fresh_from` on are new and appear in rising
/// order; `length_of` tells their lengths.
pub(crate) fn encode(old: &[u32], new: &[u32], fresh_from: u32, length_of: impl Fn(u32) -> usize) -> Vec<u8> {
    let mut places: HashMap<u32, usize> = HashMap::with_capacity(old.len());
    for (place, &number) in old.iter().enumerate() {
        places.entry(number).or_insert(place);
    }
    let (mut out, mut done, mut old_place, mut next_fresh) = (Vec::new(), 0, 0, fresh_from);
    while let Some(&number) = new.get(done) {
        let rest = &new[done..];
        if number == next_fresh {
            let count = rest.iter().zip(next_fresh..).take_while(|(a, b)| **a == *b).count();
            let length: usize = rest[..count].iter().map(|&piece| length_of(piece)).sum();
            put_number(&mut out, (length as u64) << 2 | 1);
            next_fresh += count as u32;
            done += count;
        } else if let Some(&first_place) = places.get(&number) {
            // A piece may stand in the old list several times; going straight on is cheapest.
            let from = if old.get(old_place) == Some(&number) { old_place } else { first_place };
            let count = rest.iter().zip(&old[from..]).take_while(|(a, b)| a == b).count();
            put_number(&mut out, (count as u64) << 2);
            put_signed(&mut out, from as i64 - old_place as i64);
            old_place = from + count;
            done += count;
        } else {
            let is_next = |(a, b): &(&u32, u32)| **a == *b && !places.contains_key(a);
            let count = rest.iter().zip(number..next_fresh).take_while(is_next).count();
            put_number(&mut out, (count as u64) << 2 | 2);
            put_number(&mut out, u64::from(number));
            done += count;
        }
    }
    out
}

/// The steps of a recipe; `None` for what [`encode`] cannot have written.
pub(crate) fn decode(recipe: &[u8]) -> Option<Vec<Step>> {
    let (mut cursor, mut steps, mut old_place) = (Cursor::new(recipe), Vec::new(), 0usize);
    while !cursor.is_at_end() {
        let operation = cursor.number()?;
        let count = usize::try_from(operation >> 2).ok()?;
        steps.push(match operation & 3 {
            0 => {
                let from = old_place.checked_add_signed(isize::try_from(cursor.signed()?).ok()?)?;
                old_place = from.checked_add(count)?;
                Step::Copy { from, count }
            }
            1 => Step::Fresh { length: count },
            2 => Step::Older { number: cursor.number32()?, count },
            _ => return None,
        });
    }
    Some(steps)
}

/// How many fresh bytes the steps take.
pub(crate) fn fresh_length(steps: &[Step]) -> Option<usize> {
    steps.iter().try_fold(0usize, |sum, step| match step {
        Step::Fresh { length } => sum.checked_add(*length),
        _ => Some(sum),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_told_as_runs() {
        let recipe = encode(&[0, 1, 2, 3, 4], &[0, 1, 5, 6, 3, 4, 2], 5, |_| 100);
        let expected = [
            Step::Copy { from: 0, count: 2 },
            Step::Fresh { length: 200 },
            Step::Copy { from: 3, count: 2 },
            Step::Copy { from: 2, count: 1 },
        ];
        assert_eq!(decode(&recipe).as_deref(), Some(&expected[..]));
        assert_eq!(fresh_length(&expected), Some(200));
    }

    #[test]
    fn pieces_of_earlier_bodies_and_fresh_ones_again_are_older() {
        let recipe = encode(&[7], &[2, 3, 8, 8, 7], 8, |_| 50);
        let expected = [
            Step::Older { number: 2, count: 2 },
            Step::Fresh { length: 50 },
            Step::Older { number: 8, count: 1 },
            Step::Copy { from: 0, count: 1 },
        ];
        assert_eq!(decode(&recipe).as_deref(), Some(&expected[..]));
    }

    #[test]
    fn the_same_list_costs_two_or_three_bytes() {
        let list: Vec<u32> = (0..500).collect();
        assert_eq!(encode(&list, &list, 500, |_| 0).len(), 3);
    }
}
