//! What the first entry of a new reel leans on, and how hard it is pressed.

use std::sync::Arc;

use kuai_archive::{Entry, Form, StoreError};

use super::{FolderStore, Shared, read};
use crate::familiar::{Advice, DigestedRoot, HASTY_LEVEL, LIGHT_LEVEL};
use crate::frame::{self, Digest};
use crate::host::host_of;
use crate::limits::{FRAME_LEVEL, ROOT_MAX};
use crate::record::Root;

/// How many reels of a host are tried as the root of a new one.
const ROOT_TRIALS: usize = 4;
/// How much of a body is compressed to try a root.
const TRIAL_LENGTH: usize = 64 << 10;
const TRIAL_LEVEL: i32 = 3;
/// A root must save one byte in so many. Calibrated on dev, where 1 in 5 takes 1 % more.
const ROOT_WORTH_ONE_IN: usize = 20;

/// What the first entry of a new reel leans on.
#[derive(Debug)]
pub(super) enum Lean {
    /// On the best root, pressed hard.
    Hard { root: Option<Root>, stream: Arc<Vec<u8>> },
    /// On a root of a familiar host, pressed lightly.
    Light { root: Option<Arc<DigestedRoot>>, level: i32 },
}

impl Lean {
    /// Of those that begin with no text, and of those that are no beginning.
    pub(super) fn none() -> Lean {
        Lean::Hard { root: None, stream: Arc::default() }
    }

    pub(super) fn root(&self) -> Option<Root> {
        match self {
            Lean::Hard { root, .. } => *root,
            Lean::Light { root, .. } => root.as_ref().map(|digested| digested.root),
        }
    }

    pub(super) fn is_light(&self) -> bool {
        matches!(self, Lean::Light { .. })
    }

    /// Whether speed counts for more than room, until the next compaction.
    pub(super) fn is_hasty(&self) -> bool {
        matches!(self, Lean::Light { level: HASTY_LEVEL, .. })
    }

    /// The first frame of the reel.
    pub(super) fn frame(&self, fresh: &[u8]) -> Vec<u8> {
        match self {
            Lean::Hard { stream, .. } => frame::compress(fresh, stream, FRAME_LEVEL),
            Lean::Light { root: Some(digested), .. } => digested.digest.compress(fresh),
            Lean::Light { root: None, level } => frame::compress(fresh, b"", *level),
        }
    }
}

/// What the first text of a new reel leans on.
pub(super) fn choose(store: &FolderStore, shared: &mut Shared, entry: &Entry<'_>) -> Result<Lean, StoreError> {
    let host = host_of(entry.url);
    let Some(writer) = &mut shared.writer else { return Ok(Lean::none()) };
    let is_hasty = entry.form == Form::HastyText;
    let level = if is_hasty { HASTY_LEVEL } else { LIGHT_LEVEL };
    let root = match writer.familiar.advise(host, entry.body.len(), is_hasty) {
        Advice::Best => return best_root(store, shared, host, entry.body),
        Advice::Choose => choose_favourite(store, shared, host, entry.body, level)?,
        Advice::Take(favourite) => favourite,
    };
    Ok(Lean::Light { root, level })
}

/// The reel of the host that shortens a body most, if that is worth it.
fn best_root(store: &FolderStore, shared: &Shared, host: &str, body: &[u8]) -> Result<Lean, StoreError> {
    let (sample, mut best_length) = trial(body);
    let mut best = Lean::none();
    for reel in shared.index.roots_of(host, ROOT_TRIALS)? {
        let stream = lent_stream(store, shared, reel)?;
        let length = frame::compress(sample, &stream, TRIAL_LEVEL).len();
        if length < best_length {
            best_length = length;
            best = Lean::Hard { root: Some(Root { reel, length: stream.len() as u32 }), stream };
        }
    }
    Ok(best)
}

/// Like [`best_root`], with digests, for those that come after it too.
fn choose_favourite(
    store: &FolderStore,
    shared: &mut Shared,
    host: &str,
    body: &[u8],
    level: i32,
) -> Result<Option<Arc<DigestedRoot>>, StoreError> {
    let (sample, mut best_length) = trial(body);
    let (mut tried, mut best) = (Vec::new(), None);
    for reel in shared.index.roots_of(host, ROOT_TRIALS)? {
        let digested = digested_root(store, shared, host, reel, level)?;
        let length = digested.digest.compress(sample).len();
        if length < best_length {
            (best_length, best) = (length, Some(Arc::clone(&digested)));
        }
        tried.push(digested);
    }
    if let Some(writer) = &mut shared.writer {
        writer.familiar.prefer(host, tried, best.clone());
    }
    Ok(best)
}

/// What of a body roots are tried with, and what a root must bring it to.
fn trial(body: &[u8]) -> (&[u8], usize) {
    let sample = &body[..body.len().min(TRIAL_LENGTH)];
    let alone = frame::compress(sample, b"", TRIAL_LEVEL).len();
    (sample, alone - alone / ROOT_WORTH_ONE_IN)
}

fn digested_root(
    store: &FolderStore,
    shared: &Shared,
    host: &str,
    reel: u32,
    level: i32,
) -> Result<Arc<DigestedRoot>, StoreError> {
    if let Some(known) = shared.writer.as_ref().and_then(|writer| writer.familiar.digested(host, reel)) {
        return Ok(known);
    }
    let stream = lent_stream(store, shared, reel)?;
    let root = Root { reel, length: stream.len() as u32 };
    Ok(Arc::new(DigestedRoot { root, digest: Digest::of(&stream, level) }))
}

/// As much of a reel's stream as it may lend.
fn lent_stream(store: &FolderStore, shared: &Shared, number: u32) -> Result<Arc<Vec<u8>>, StoreError> {
    if let Some(reel) = shared.writer.as_ref().and_then(|writer| writer.reels.get(number)) {
        return Ok(Arc::new(reel.stream[..reel.stream.len().min(ROOT_MAX)].to_vec()));
    }
    if let Some(stream) = store.roots.get(number, 1) {
        return Ok(Arc::new(stream[..stream.len().min(ROOT_MAX)].to_vec()));
    }
    match shared.index.reel(number)? {
        Some(row) => read::stream_up_to(store, &row, ROOT_MAX),
        None => Ok(Arc::default()),
    }
}
