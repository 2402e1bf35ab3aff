//! What the first entry of a new reel leans on, and how hard it is pressed.

use std::sync::Arc;

use kuai_archive::{Entry, Form, StoreError};

use crate::familiar::{Advice, DigestedRoot, FamiliarHosts, HASTY_LEVEL, LIGHT_LEVEL};
use crate::frame::{self, Digest};
use crate::host::host_of;
use crate::limits::FRAME_LEVEL;
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
pub(crate) enum Lean {
    /// On the best root, pressed hard.
    Hard { root: Option<Root>, stream: Arc<Vec<u8>> },
    /// On a root of a familiar host, pressed lightly.
    Light { root: Option<Arc<DigestedRoot>>, level: i32 },
}

impl Lean {
    /// Of those that begin with no text, and of those that are no beginning.
    pub(crate) fn none() -> Lean {
        Lean::Hard { root: None, stream: Arc::default() }
    }

    pub(crate) fn root(&self) -> Option<Root> {
        match self {
            Lean::Hard { root, .. } => *root,
            Lean::Light { root, .. } => root.as_ref().map(|digested| digested.root),
        }
    }

    pub(crate) fn is_light(&self) -> bool {
        matches!(self, Lean::Light { .. })
    }

    /// Whether speed counts for more than room, until the next compaction.
    pub(crate) fn is_hasty(&self) -> bool {
        matches!(self, Lean::Light { level: HASTY_LEVEL, .. })
    }

    /// The first frame of the reel.
    pub(crate) fn frame(&self, fresh: &[u8]) -> Vec<u8> {
        match self {
            Lean::Hard { stream, .. } => frame::compress(fresh, stream, FRAME_LEVEL),
            Lean::Light { root: Some(digested), .. } => digested.digest.compress(fresh),
            Lean::Light { root: None, level } => frame::compress(fresh, b"", *level),
        }
    }
}

/// Knows the reels that others may lean on.
pub(crate) trait Lender {
    /// The newest reels of a host that lean on none.
    fn roots_of(&self, host: &str, limit: usize) -> Result<Vec<u32>, StoreError>;

    /// As much of a reel's stream as it may lend.
    fn lent_stream(&self, number: u32) -> Result<Arc<Vec<u8>>, StoreError>;
}

/// What the first text of a new reel leans on.
pub(crate) fn choose(familiar: &mut FamiliarHosts, lender: &dyn Lender, entry: &Entry<'_>) -> Result<Lean, StoreError> {
    let host = host_of(entry.url);
    let is_hasty = entry.form == Form::HastyText;
    let level = if is_hasty { HASTY_LEVEL } else { LIGHT_LEVEL };
    let root = match familiar.advise(host, entry.body.len(), is_hasty) {
        Advice::Best => return best_root(lender, host, entry.body),
        Advice::Choose => choose_favourite(familiar, lender, host, entry.body, level)?,
        Advice::Take(favourite) => favourite,
    };
    Ok(Lean::Light { root, level })
}

/// The reel of the host that shortens a body most, if that is worth it.
fn best_root(lender: &dyn Lender, host: &str, body: &[u8]) -> Result<Lean, StoreError> {
    let (sample, mut best_length) = trial(body);
    let mut best = Lean::none();
    for reel in lender.roots_of(host, ROOT_TRIALS)? {
        let stream = lender.lent_stream(reel)?;
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
    familiar: &mut FamiliarHosts,
    lender: &dyn Lender,
    host: &str,
    body: &[u8],
    level: i32,
) -> Result<Option<Arc<DigestedRoot>>, StoreError> {
    let (sample, mut best_length) = trial(body);
    let (mut tried, mut best) = (Vec::new(), None);
    for reel in lender.roots_of(host, ROOT_TRIALS)? {
        let digested = match familiar.digested(host, reel) {
            Some(known) => known,
            None => digested_root(lender, reel, level)?,
        };
        let length = digested.digest.compress(sample).len();
        if length < best_length {
            (best_length, best) = (length, Some(Arc::clone(&digested)));
        }
        tried.push(digested);
    }
    familiar.prefer(host, tried, best.clone());
    Ok(best)
}

/// What of a body roots are tried with, and what a root must bring it to.
fn trial(body: &[u8]) -> (&[u8], usize) {
    let sample = &body[..body.len().min(TRIAL_LENGTH)];
    let alone = frame::compress(sample, b"", TRIAL_LEVEL).len();
    (sample, alone - alone / ROOT_WORTH_ONE_IN)
}

fn digested_root(lender: &dyn Lender, reel: u32, level: i32) -> Result<Arc<DigestedRoot>, StoreError> {
    let stream = lender.lent_stream(reel)?;
    let root = Root { reel, length: stream.len() as u32 };
    Ok(Arc::new(DigestedRoot { root, digest: Digest::of(&stream, level) }))
}
