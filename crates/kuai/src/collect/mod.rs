//! Collects pages: fetches, cuts, labels and archives them, and goes on to the links that matter.
//!
//! Three kinds of workers, joined by bounded queues: one thread waits for the network, as many as there are cores read what
//! came, and the caller's conducts them. See [`conductor`] for what a crash leaves.

mod conductor;
mod finds;
mod hosts;
mod plan;
mod read;
mod recover;
mod seen;
mod status;
mod visit;

use std::num::NonZero;
use std::sync::mpsc::{Receiver, SendError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use kuai_archive::Archive;
use kuai_crawl::{Fetch, Frontier, FrontierError};
use tokio::sync::mpsc::unbounded_channel;

use conductor::{Conductor, Workers};
use read::{Processed, Reader};
use visit::{Lease, PageCache, Visited, visit_all};

pub use plan::{Budget, CrawlKind, Plan, Politeness};
pub use status::{BusyHost, End, Report, Status};

/// Told how a crawl goes, several times a second; answers whether to go on.
pub type Watch<'a> = &'a mut dyn FnMut(&Status) -> bool;

/// Why a crawl could not go on. What was collected until then is kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CollectError {
    /// The archive could not be read or written.
    #[error(transparent)]
    Archive(#[from] crate::Error),
    /// The frontier could not be read or written.
    #[error(transparent)]
    Frontier(#[from] FrontierError),
    /// No thread could be started for the network.
    #[error("cannot start the network's thread")]
    Runtime(#[source] std::io::Error),
    /// A worker ended by itself, which is a fault of ours.
    #[error("a worker of the crawl ended unexpectedly")]
    Broken,
}

/// Runs a crawl until it is complete, its budget is used up, or `watch` says so. A run that was stopped or killed is
/// taken up again by the next one with the same frontier; one that is complete is begun anew, unless it is to run [only once](Plan::only_once).
pub fn collect(
    archive: &Archive,
    frontier: &dyn Frontier,
    web: &impl Fetch,
    plan: &Plan,
    watch: Watch<'_>,
) -> Result<Report, CollectError> {
    let memory = frontier.memory()?;
    let reader = Reader::new(archive, plan, Reader::focus_of(plan, memory.as_deref()));
    let start = recover::start(archive, frontier, plan, &reader)?;
    if start.is_over {
        let status = Status { counts: frontier.counts()?, ..Status::default() };
        return Ok(Report { status, end: End::Already, is_resumed: false, recovered: start.recovered });
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(CollectError::Runtime)?;
    let (jobs, jobs_taken) = unbounded_channel();
    let (visited, visited_taken) = channel();
    let (results, results_taken) = channel();
    let (large, large_taken) = channel();
    let (visited_taken, large_taken) = (Mutex::new(visited_taken), Mutex::new(large_taken));
    let (cache, lease) = (PageCache::default(), Lease::default());
    let (status, end) = thread::scope(|scope| {
        scope.spawn(|| runtime.block_on(visit_all(web, &plan.politeness, &lease, &cache, jobs_taken, visited)));
        for _ in 0..thread::available_parallelism().map_or(1, NonZero::get) {
            let (results, large) = (results.clone(), large.clone());
            scope.spawn(|| process_all(&reader, &cache, &visited_taken, Some(large), results));
        }
        let last_results = results.clone();
        scope.spawn(|| process_all(&reader, &cache, &large_taken, None, last_results));
        // The channels close when the last processor ends.
        drop((results, large));
        let workers = Workers { jobs, results: results_taken, lease: &lease };
        let mut conductor = Conductor::new(archive, frontier, plan, &reader, workers, start.mark);
        let end = conductor.run(watch)?;
        Ok::<_, CollectError>((conductor.status, end))
    })?;
    Ok(Report { status, end, is_resumed: start.is_resumed, recovered: start.recovered })
}

/// Answers of this size are read by one processor only, so that memory is bounded by one of them and not by as many as there are
/// cores.
const LARGE_BYTES: usize = 512 << 10;

/// Reads answers until there are no more; large ones are handed on to where they are read one at a time.
fn process_all(
    reader: &Reader<'_>,
    cache: &PageCache,
    visited: &Mutex<Receiver<Visited>>,
    large: Option<Sender<Visited>>,
    results: Sender<Result<Processed, CollectError>>,
) {
    loop {
        let next = visited.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(next) = next else { return };
        let next = match &large {
            Some(large) if next.answer.body_length() > LARGE_BYTES => match large.send(next) {
                Ok(()) => continue,
                Err(SendError(next)) => next,
            },
            _ => next,
        };
        cache.remove(&next.answer);
        if results.send(reader.process(next).map_err(CollectError::from)).is_err() {
            return;
        }
    }
}
