//! Reels that are held open for writing, those that were used longest ago given up first.

use std::collections::{BTreeMap, HashMap};

use crate::limits::OPEN_REELS_MAX;
use crate::reel::{Prints, Reel};

/// What a small reel takes beside its own bytes: tables, and the many small allocations of its lines.
const OVERHEAD: usize = 2048;

/// A reel that can be written to.
#[derive(Debug, Default)]
pub(crate) struct OpenReel {
    pub(crate) reel: Reel,
    pub(crate) prints: Prints,
}

/// Reels by their number, within a bound on memory.
#[derive(Debug, Default)]
pub(crate) struct OpenReels {
    held: HashMap<u32, Held>,
    /// Numbers of reels by when they were last used.
    by_use: BTreeMap<u64, u32>,
    use_count: u64,
    weight: usize,
}

#[derive(Debug)]
struct Held {
    reel: OpenReel,
    used: u64,
    weight: usize,
}

impl OpenReels {
    /// Takes a reel out, to be put back after it was written to.
    pub(crate) fn take(&mut self, number: u32) -> Option<OpenReel> {
        let held = self.held.remove(&number)?;
        self.by_use.remove(&held.used);
        self.weight -= held.weight;
        Some(held.reel)
    }

    /// Puts a reel in and gives up others until the bound holds.
    pub(crate) fn put(&mut self, number: u32, reel: OpenReel) {
        let weight = reel.reel.weight() + reel.prints.weight() + OVERHEAD;
        self.use_count += 1;
        self.weight += weight;
        self.by_use.insert(self.use_count, number);
        self.held.insert(number, Held { reel, used: self.use_count, weight });
        while self.weight > OPEN_REELS_MAX && self.held.len() > 1 {
            let Some((_, oldest)) = self.by_use.first_key_value() else { break };
            self.take(*oldest);
        }
    }

    /// Looks at a reel without using it.
    pub(crate) fn get(&self, number: u32) -> Option<&Reel> {
        self.held.get(&number).map(|held| &held.reel.reel)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_used_longest_ago_is_given_up_first() {
        let large = || {
            let mut reel = Reel::default();
            reel.stream = vec![0; OPEN_REELS_MAX / 3];
            OpenReel { reel, prints: Prints::default() }
        };
        let mut reels = OpenReels::default();
        reels.put(1, large());
        reels.put(2, large());
        let first = reels.take(1).expect("it was put in");
        reels.put(1, first);
        reels.put(3, large());
        assert!(reels.get(2).is_none());
        assert!(reels.get(1).is_some() && reels.get(3).is_some());
    }
}
