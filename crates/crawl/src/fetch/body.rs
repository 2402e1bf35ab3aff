//! Reads a body to its end, within bounds of size and time.

use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::Incoming;
use tokio::time::{Instant, timeout};

use super::{FetchLimits, Wait};

/// Why a body could not be read to its end.
#[derive(Debug)]
pub(super) enum BodyFailure {
    TooLarge,
    TimedOut(Wait),
    BrokenOff(hyper::Error),
}

/// Reads all of a body whose question went out at `asked` and whose length may have been announced.
pub(super) async fn read_body(
    mut body: Incoming,
    length: Option<u64>,
    asked: Instant,
    limits: &FetchLimits,
) -> Result<Vec<u8>, BodyFailure> {
    let announced = usize::try_from(length.unwrap_or(0)).unwrap_or(usize::MAX);
    if announced > limits.body_bytes {
        return Err(BodyFailure::TooLarge);
    }
    // What is announced is believed only so far: memory follows what really comes.
    let mut bytes = Vec::with_capacity(announced.min(TRUSTED_LENGTH));
    let begun = Instant::now();
    while let Some(piece) = next_piece(&mut body, patience(bytes.len(), asked, begun, limits)).await? {
        if bytes.len() + piece.len() > limits.body_bytes {
            return Err(BodyFailure::TooLarge);
        }
        bytes.extend_from_slice(&piece);
    }
    Ok(bytes)
}

/// Bytes that are set aside on the word of a `Content-Length` alone.
const TRUSTED_LENGTH: usize = 1 << 20;

/// The next piece of the body; trailers are empty pieces.
async fn next_piece(body: &mut Incoming, (wait, left): (Wait, Duration)) -> Result<Option<Bytes>, BodyFailure> {
    match timeout(left, body.frame()).await {
        Err(_) => Err(BodyFailure::TimedOut(wait)),
        Ok(None) => Ok(None),
        Ok(Some(Ok(frame))) => Ok(Some(frame.into_data().unwrap_or_default())),
        Ok(Some(Err(error))) => Err(BodyFailure::BrokenOff(error)),
    }
}

/// How long the next piece may take, and which limit says so.
///
/// A body that drips is caught by the same clock as one that stops: so many bytes buy so much time, and no more.
fn patience(byte_count: usize, asked: Instant, begun: Instant, limits: &FetchLimits) -> (Wait, Duration) {
    let bought = match limits.bytes_per_second_min {
        0 => Duration::MAX,
        rate => Duration::from_secs_f64(byte_count as f64 / f64::from(rate)),
    };
    let waits = [
        (Wait::Idle, limits.idle_time),
        (Wait::Drip, limits.rate_grace.saturating_add(bought).saturating_sub(begun.elapsed())),
        (Wait::Whole, limits.whole_time.saturating_sub(asked.elapsed())),
    ];
    waits.into_iter().min_by_key(|&(_, left)| left).expect("three waits are not none")
}
