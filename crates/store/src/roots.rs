//! The beginnings of streams that other reels lean on, kept for a while because siblings are read and written together.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// All of them together take at most this much memory.
const WEIGHT_MAX: usize = 16 << 20;

/// The beginnings of streams that were asked for lately, by reel.
#[derive(Debug, Default)]
pub(crate) struct RootCache {
    streams: Mutex<HashMap<u32, Arc<Vec<u8>>>>,
}

impl RootCache {
    /// The beginning of a reel's stream, if at least this much of it is known.
    pub(crate) fn get(&self, reel: u32, length_min: usize) -> Option<Arc<Vec<u8>>> {
        let streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        streams.get(&reel).filter(|stream| stream.len() >= length_min).cloned()
    }

    pub(crate) fn put(&self, reel: u32, stream: Arc<Vec<u8>>) {
        let mut streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        let weight: usize = streams.values().map(|stream| stream.len()).sum();
        if weight + stream.len() > WEIGHT_MAX {
            streams.clear();
        }
        streams.insert(reel, stream);
    }
}
