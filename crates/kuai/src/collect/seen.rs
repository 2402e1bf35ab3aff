//! Addresses that were found a moment ago, so that the frontier is not asked about the same links page after page.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use kuai_archive::ContentHash;
use kuai_crawl::Decision;
use kuai_page::Url;

/// Addresses in one generation; two of them take about 32 MB.
const GENERATION_MAX: usize = 400_000;

/// A memory of addresses that is bounded and may forget: then the frontier says that it knows them.
#[derive(Default)]
pub(super) struct Seen(Mutex<Generations>);

#[derive(Default)]
struct Generations {
    young: HashMap<ContentHash, Decision>,
    old: HashMap<ContentHash, Decision>,
}

impl Seen {
    /// Whether nobody said as much for this address before.
    pub(super) fn is_news(&self, url: &Url, decision: Decision) -> bool {
        let key = ContentHash::of(url.as_str().as_bytes());
        let mut generations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = generations.young.get(&key).or_else(|| generations.old.get(&key));
        if known.is_some_and(|known| *known >= decision) {
            return false;
        }
        if generations.young.len() >= GENERATION_MAX {
            generations.old = std::mem::take(&mut generations.young);
        }
        generations.young.insert(key, decision);
        true
    }
}
