//! How often a unit's text stands on the page.

use super::super::outline::Outline;

/// Copies from which there are many.
const MANY: usize = 10;

/// The copies of each unit.
pub(super) struct Copies {
    /// Units with its text, itself among them, up to [`MANY`].
    pub(super) all: Vec<u8>,
    /// Those before it.
    pub(super) before: Vec<u32>,
}

impl Copies {
    pub(super) fn of(outline: &Outline) -> Copies {
        let hash_of = |&index: &u32| outline.units[index as usize].text.hash;
        let count = outline.units.len();
        let mut order: Vec<u32> = (0..count as u32).collect();
        order.sort_unstable_by_key(|index| (hash_of(index), *index));
        let mut copies = Copies { all: vec![0; count], before: vec![0; count] };
        for same in order.chunk_by(|left, right| hash_of(left) == hash_of(right)) {
            for (before, &index) in same.iter().enumerate() {
                copies.all[index as usize] = same.len().min(MANY) as u8;
                copies.before[index as usize] = before as u32;
            }
        }
        copies
    }
}
