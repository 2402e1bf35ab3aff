//! Objects that were read lately, whole, because whoever reads one entry of a batch mostly reads its neighbours next.
//!
//! Objects never change, so nothing here can be out of date.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

/// All of them together take at most this much memory …
const BYTES_MAX: usize = 32 << 20;
/// … and none is longer.
pub(super) const OBJECT_BYTES_MAX: u64 = 4 << 20;
/// Numbers that are remembered of objects that were asked for once.
const ASKED_MAX: usize = 4096;

/// Objects by their numbers.
#[derive(Debug, Default)]
pub(super) struct ObjectCache(Mutex<Held>);

#[derive(Debug, Default)]
struct Held {
    objects: HashMap<u32, (Bytes, u64)>,
    byte_count: usize,
    use_count: u64,
    /// Objects that were asked for in part.
    asked: HashSet<u32>,
}

impl ObjectCache {
    /// An object, if it is held.
    pub(super) fn get(&self, number: u32) -> Option<Bytes> {
        let mut held = self.lock();
        held.use_count += 1;
        let now = held.use_count;
        let (bytes, used) = held.objects.get_mut(&number)?;
        *used = now;
        Some(bytes.clone())
    }

    /// Whether an object is asked for again, so that it is worth having as a whole.
    pub(super) fn is_asked_again(&self, number: u32) -> bool {
        let mut held = self.lock();
        if held.asked.len() >= ASKED_MAX {
            held.asked.clear();
        }
        !held.asked.insert(number)
    }

    /// Keeps an object, and gives up those that were used longest ago until there is room.
    pub(super) fn put(&self, number: u32, bytes: Bytes) {
        let mut held = self.lock();
        held.use_count += 1;
        let now = held.use_count;
        held.byte_count += bytes.len();
        if let Some((before, _)) = held.objects.insert(number, (bytes, now)) {
            held.byte_count -= before.len();
        }
        while held.byte_count > BYTES_MAX && held.objects.len() > 1 {
            let oldest = held.objects.iter().min_by_key(|(_, (_, used))| *used).map(|(number, _)| *number);
            let Some((gone, _)) = oldest.and_then(|oldest| held.objects.remove(&oldest)) else { break };
            held.byte_count -= gone.len();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_used_longest_ago_is_given_up_first_and_the_bound_holds() {
        let cache = ObjectCache::default();
        let object = || Bytes::from(vec![0; BYTES_MAX / 3]);
        (1..=3).for_each(|number| cache.put(number, object()));
        assert!(cache.get(1).is_some());
        cache.put(4, object());
        assert!(cache.get(2).is_none() && cache.get(1).is_some() && cache.get(4).is_some());
        cache.put(4, object());
        assert!(cache.lock().byte_count <= BYTES_MAX);
    }

    #[test]
    fn an_object_is_worth_having_when_it_is_asked_for_twice() {
        let cache = ObjectCache::default();
        assert!(!cache.is_asked_again(7) && cache.is_asked_again(7) && !cache.is_asked_again(8));
    }
}
