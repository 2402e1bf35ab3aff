//! Asks the Web: one task a claim, robots.txt first, all on one thread that only waits.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures_util::stream::{FuturesUnordered, StreamExt};
use kuai_crawl::{
    AGENT, Claim, Fetch, FetchError, FetchRequest, ROBOTS_KEPT_FOR, ROBOTS_REDIRECTS_MAX, Robots, RobotsAnswer,
    RobotsOutcome, fetch_following, judge_robots,
};
use kuai_page::{Capture, Url};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::{Notify, OnceCell};

use super::plan::Politeness;

/// Hosts whose robots.txt is kept in memory.
const ROBOTS_MAX: usize = 10_000;

/// A claim on its way to the Web.
pub(super) struct Job {
    pub(super) claim: Claim,
    pub(super) request: FetchRequest,
}

/// A claim with what the Web had to say.
pub(super) struct Visited {
    pub(super) claim: Claim,
    pub(super) answer: Answer,
    /// What the host asks for between two requests.
    pub(super) crawl_delay: Option<Duration>,
    /// The sitemaps that the host's robots.txt names, told with the first page of a host.
    pub(super) sitemaps: Vec<Url>,
}

/// What the Web had to say.
pub(super) enum Answer {
    Capture(Capture),
    /// It was not asked for: the claim may be another worker's by now.
    Unasked,
    /// robots.txt forbids it.
    Forbidden,
    /// robots.txt cannot be had for now, which forbids everything for as long.
    RobotsOutOfReach {
        ask_again_after: Duration,
    },
    Failed(FetchError),
}

/// How long the claims that are being visited are surely ours. A process that was stopped for longer must not ask hosts that others ask now.
#[derive(Default)]
pub(super) struct Lease(Mutex<Option<Instant>>);

impl Lease {
    /// The claims are ours for as long from now on; `None` for ever.
    pub(super) fn renew(&self, time: Option<Duration>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = time.map(|time| Instant::now() + time);
    }

    fn is_over(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some_and(|until| Instant::now() >= until)
    }
}

/// How much waits between fetching and reading, so that the one does not run away from the other.
#[derive(Default)]
pub(super) struct PageCache {
    bytes: AtomicUsize,
    /// Told when something was taken out.
    room: Notify,
}

/// Bytes that may wait; beyond that nothing more is asked for.
const CACHE_BYTES_MAX: usize = 4 << 20;

impl PageCache {
    fn add(&self, answer: &Answer) {
        self.bytes.fetch_add(answer.body_length(), Ordering::Relaxed);
    }

    /// An answer was read, or is about to be.
    pub(super) fn remove(&self, answer: &Answer) {
        let before = self.bytes.fetch_sub(answer.body_length(), Ordering::Relaxed);
        if before >= CACHE_BYTES_MAX {
            self.room.notify_one();
        }
    }

    fn is_full(&self) -> bool {
        self.bytes.load(Ordering::Relaxed) >= CACHE_BYTES_MAX
    }
}

impl Answer {
    pub(super) fn body_length(&self) -> usize {
        match self {
            Answer::Capture(capture) => capture.body.len(),
            _ => 0,
        }
    }
}

/// What a host's robots.txt says.
struct HostRobots {
    robots: Robots,
    out_of_reach: Option<Duration>,
    asked: Instant,
}

/// The robots.txt of hosts, each asked for once a day at most.
#[derive(Default)]
struct RobotsCache {
    hosts: Mutex<HashMap<String, Arc<OnceCell<HostRobots>>>>,
}

/// Works jobs off until there are no more, and hands what came of each on.
pub(super) async fn visit_all(
    web: &impl Fetch,
    politeness: &Politeness,
    lease: &Lease,
    cache: &PageCache,
    mut jobs: UnboundedReceiver<Job>,
    visited: Sender<Visited>,
) {
    let robots = RobotsCache::default();
    let mut waiting = VecDeque::new();
    let mut running = FuturesUnordered::new();
    loop {
        while running.len() < politeness.connections
            && !cache.is_full()
            && let Some(job) = waiting.pop_front()
        {
            running.push(visit(web, politeness, lease, &robots, job));
        }
        tokio::select! {
            job = jobs.recv() => match job {
                Some(job) => waiting.push_back(job),
                // Nobody waits for what is under way.
                None => return,
            },
            () = cache.room.notified(), if !waiting.is_empty() => {}
            Some(done) = running.next(), if !running.is_empty() => {
                cache.add(&done.answer);
                if visited.send(done).is_err() {
                    return;
                }
            }
        }
    }
}

async fn visit(web: &impl Fetch, politeness: &Politeness, lease: &Lease, robots: &RobotsCache, job: Job) -> Visited {
    let Job { claim, request } = job;
    let ask = async || match web.fetch(&request).await {
        Ok(capture) => Answer::Capture(capture),
        Err(error) => Answer::Failed(error),
    };
    if lease.is_over() {
        return Visited { claim, answer: Answer::Unasked, crawl_delay: None, sitemaps: Vec::new() };
    }
    if !politeness.obeys_robots {
        return Visited { claim, answer: ask().await, crawl_delay: None, sitemaps: Vec::new() };
    }
    let cell = robots.cell(&request.url);
    let host = match cell.get_or_try_init(|| ask_robots(web, &request.url)).await {
        Ok(host) => host,
        Err(error) => return Visited { claim, answer: Answer::Failed(error), crawl_delay: None, sitemaps: Vec::new() },
    };
    let answer = match host.out_of_reach {
        Some(ask_again_after) => Answer::RobotsOutOfReach { ask_again_after },
        None if !host.robots.allows(&request.url) => Answer::Forbidden,
        None => ask().await,
    };
    Visited { claim, answer, crawl_delay: host.robots.crawl_delay(), sitemaps: host.robots.sitemaps().to_vec() }
}

impl RobotsCache {
    /// What the host of an address says, to be asked for if it was not or if that is long ago.
    fn cell(&self, url: &Url) -> Arc<OnceCell<HostRobots>> {
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        let is_old = |cell: &Arc<OnceCell<HostRobots>>| {
            cell.get().is_some_and(|host| host.asked.elapsed() > host.out_of_reach.unwrap_or(ROBOTS_KEPT_FOR))
        };
        if hosts.len() >= ROBOTS_MAX {
            hosts.clear();
        }
        let cell = hosts.entry(url.origin().ascii_serialization()).or_default();
        if is_old(cell) {
            *cell = Arc::default();
        }
        Arc::clone(cell)
    }
}

/// Asks for the robots.txt of an address's host. A host that cannot be asked at all fails as the address itself would.
async fn ask_robots(web: &impl Fetch, url: &Url) -> Result<HostRobots, FetchError> {
    let mut address = url.clone();
    address.set_path("/robots.txt");
    address.set_query(None);
    let (answer, body) = match fetch_following(web, &address, ROBOTS_REDIRECTS_MAX).await {
        Ok(capture) => (RobotsAnswer::Status(capture.status), capture.body),
        Err(
            error @ (FetchError::Refused(..) | FetchError::Dns(..) | FetchError::Unreachable(..) | FetchError::Tls(..)),
        ) => return Err(error),
        Err(FetchError::Redirects(..)) => (RobotsAnswer::TooManyRedirects, Vec::new()),
        Err(_) => (RobotsAnswer::Unreachable, Vec::new()),
    };
    // Decision: how long a host has been failing is known within one run only, so none is ever given up on here.
    let (robots, out_of_reach) = match judge_robots(answer, Duration::ZERO) {
        RobotsOutcome::Read => (Robots::read(&body, AGENT), None),
        RobotsOutcome::AllowAll => (Robots::everything(), None),
        RobotsOutcome::DisallowAll { ask_again_after } => (Robots::nothing(), Some(ask_again_after)),
    };
    Ok(HostRobots { robots, out_of_reach, asked: Instant::now() })
}
