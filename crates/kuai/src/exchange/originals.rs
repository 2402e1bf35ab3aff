//! Where the bodies are that later records only refer to: by any name they may be called, in a map of bounded size.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

/// Names that are remembered; about 100 MB. Later ones are found by address and time only.
const NAMES_MAX: usize = 4 << 20;

/// Names (digests, record ids) and the places in the change feed that they stand for. Names are kept as hashes: who asks compares.
#[derive(Default)]
pub(super) struct Originals(FxHashMap<u64, u64>);

impl Originals {
    pub(super) fn add(&mut self, name: impl Hash, sequence: u64) {
        if self.0.len() < NAMES_MAX {
            self.0.entry(hash(name)).or_insert(sequence);
        }
    }

    pub(super) fn find(&self, name: impl Hash) -> Option<u64> {
        self.0.get(&hash(name)).copied()
    }
}

fn hash(name: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    name.hash(&mut hasher);
    hasher.finish()
}
