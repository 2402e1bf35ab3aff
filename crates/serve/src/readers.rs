//! Work on the archive, which blocks, away from the threads that serve connections; so much at a time and no more.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use crate::options::Limits;
use crate::refusal::Refusal;

/// Bytes that room is counted in.
const ROOM_UNIT: usize = 1 << 10;

/// Bytes that are not counted: as many as a connection's own buffers take.
const ROOM_FREE: u64 = 128 << 10;

/// Threads that read, and room for what they read until it is sent.
#[derive(Clone)]
pub(crate) struct Readers {
    threads: Arc<Semaphore>,
    room: Arc<Semaphore>,
    room_units: usize,
    queue_time: Duration,
}

/// Room for a body. It is free again when this goes.
pub(crate) type Room = OwnedSemaphorePermit;

impl Readers {
    pub(crate) fn new(limits: &Limits) -> Readers {
        let room_units = (limits.body_bytes / ROOM_UNIT).clamp(1, Semaphore::MAX_PERMITS.min(u32::MAX as usize));
        Readers {
            threads: Arc::new(Semaphore::new(limits.readers.max(1))),
            room: Arc::new(Semaphore::new(room_units)),
            room_units,
            queue_time: limits.queue_time,
        }
    }

    /// Does blocking work as soon as a thread is free. Whoever does not wait for its end leaves the thread to it until then.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let seat = acquire(&self.threads, 1, self.queue_time).await?;
        let done = spawn_blocking(move || {
            let _seat = seat;
            work()
        });
        done.await.map_err(|_| Refusal::broken())?
    }

    /// Room for so many bytes; a body that is larger than all the room has all of it, and one that a connection holds anyway needs none.
    pub(crate) async fn room(&self, bytes: u64) -> Result<Option<Room>, Refusal> {
        if bytes <= ROOM_FREE {
            return Ok(None);
        }
        let units = (usize::try_from(bytes).unwrap_or(usize::MAX) / ROOM_UNIT + 1).min(self.room_units);
        acquire(&self.room, units as u32, self.queue_time).await.map(Some)
    }
}

async fn acquire(from: &Arc<Semaphore>, count: u32, wait: Duration) -> Result<OwnedSemaphorePermit, Refusal> {
    let acquired = timeout(wait, Arc::clone(from).acquire_many_owned(count)).await;
    acquired.ok().and_then(Result::ok).ok_or_else(Refusal::busy)
}
