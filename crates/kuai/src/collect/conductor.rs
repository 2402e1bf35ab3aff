//! Keeps a crawl going: claims addresses, sends them out when their hosts may be asked, and records what came of them.
//!
//! What the archive took in is made durable first and recorded in the frontier afterwards, in one transaction a batch. A
//! run that is killed in between finds what it had archived in the change feed behind the frontier's mark, so nothing is lost and
//! nothing is fetched twice. Where several workers share the frontier, each claim tells whether the one before may have archived it.

use std::collections::HashMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use kuai_archive::Archive;
use kuai_crawl::{Batch, Claim, Ending, FetchRequest, Find, Frontier, Stage, UrlId, Want};
use kuai_page::Timestamp;
use tokio::sync::mpsc::UnboundedSender;

use super::hosts::Hosts;
use super::plan::Plan;
use super::read::{Processed, Reader};
use super::status::{End, Status};
use super::visit::{Job, Lease};
use super::{CollectError, Watch, recover};

/// Answers that are recorded together at most.
const BATCH_MAX: usize = 256;
/// Answers wait no longer than this to be recorded.
const BATCH_TIME_MAX: Duration = Duration::from_secs(1);
/// Between two looks at the clock by whoever watches.
const TICK: Duration = Duration::from_millis(200);
/// How long results are gathered while there is enough to do without them.
const GATHERING: Duration = Duration::from_millis(4);
/// Answers that wait for a processor, beside those that are being fetched.
const CACHE_MAX: usize = 32;
/// Claims of one host at a time, where it may be asked without delay and where it may not.
const CLAIMS_PER_HOST: usize = 512;
const CLAIMS_PER_POLITE_HOST: usize = 4;
/// Claims that are asked for at a time.
const CLAIMS_MAX: usize = 256;
/// How long claims are ours. Longer than a fetch can take with everything in front of it.
const LEASE: Duration = Duration::from_secs(3600);
/// Hosts that are told one by one.
const BUSIEST_TOLD: usize = 20;
/// How often the topic is written down, in batches.
const MEMORY_EVERY: u32 = 16;

pub(super) struct Conductor<'a> {
    archive: &'a Archive,
    frontier: &'a dyn Frontier,
    plan: &'a Plan,
    reader: &'a Reader<'a>,
    workers: Workers<'a>,
    hosts: Hosts,
    in_flight: usize,
    batch: Batch,
    batch_since: Instant,
    batch_count: u32,
    marks: Marks,
    /// Whether addresses may be in the archive from earlier, so that servers are asked for changes only.
    asks_for_changes: bool,
    began: Instant,
    last_tick: Option<Instant>,
    pub(super) status: Status,
}

/// The ways to and from those who fetch and read.
pub(super) struct Workers<'a> {
    pub(super) jobs: UnboundedSender<Job>,
    pub(super) results: Receiver<Result<Processed, CollectError>>,
    pub(super) lease: &'a Lease,
}

/// How far the archive's change feed is worked off, where answers come out of order and other crawls write to the same archive.
struct Marks {
    /// The last of our own in the feed.
    last: u64,
    /// By address that is under way: the feed's number when it was sent out. What comes of it stands behind that.
    floors: HashMap<UrlId, u64>,
}

impl<'a> Conductor<'a> {
    pub(super) fn new(
        archive: &'a Archive,
        frontier: &'a dyn Frontier,
        plan: &'a Plan,
        reader: &'a Reader<'a>,
        workers: Workers<'a>,
        mark: u64,
    ) -> Conductor<'a> {
        Conductor {
            archive,
            frontier,
            plan,
            reader,
            workers,
            hosts: Hosts::default(),
            in_flight: 0,
            batch: Batch::default(),
            batch_since: Instant::now(),
            batch_count: 0,
            marks: Marks { last: mark, floors: HashMap::new() },
            asks_for_changes: mark > 0,
            began: Instant::now(),
            last_tick: None,
            status: Status::default(),
        }
    }

    /// Goes on until there is a reason to end.
    pub(super) fn run(&mut self, watch: Watch<'_>) -> Result<End, CollectError> {
        let end = loop {
            if !self.tick(watch)? {
                break End::Stopped;
            }
            if let Some(end) = self.budget_end()? {
                break end;
            }
            self.workers.lease.renew(self.frontier.keep()?);
            self.top_up()?;
            self.send_out()?;
            if self.in_flight == 0 && self.hosts.waiting_count() == 0 {
                self.flush()?;
                match self.wait_for_more(watch)? {
                    None => {}
                    Some(end) => break end,
                }
            } else {
                self.take_results()?;
            }
        };
        self.wind_up(end)?;
        Ok(end)
    }

    /// Tells whoever watches how it goes; whether to go on.
    fn tick(&mut self, watch: Watch<'_>) -> Result<bool, CollectError> {
        let is_due = self.last_tick.is_none_or(|last| last.elapsed() >= TICK);
        if is_due {
            self.last_tick = Some(Instant::now());
            self.status.elapsed = self.began.elapsed();
            self.status.counts = self.frontier.counts()?;
            self.status.hosts = self.hosts.busy_count();
            self.status.busiest = self.hosts.busiest(BUSIEST_TOLD);
            return Ok(watch(&self.status));
        }
        Ok(true)
    }

    fn budget_end(&mut self) -> Result<Option<End>, CollectError> {
        let budget = &self.plan.budget;
        if budget.time.is_some_and(|time| self.began.elapsed() >= time) {
            return Ok(Some(End::Time));
        }
        if budget.bytes.is_some_and(|bytes| self.status.bytes >= bytes) {
            return Ok(Some(End::Bytes));
        }
        let is_used_up = self.in_flight == 0 && self.pages_left()? == 0;
        Ok(is_used_up.then_some(End::Pages))
    }

    /// How many more requests the page budget allows.
    fn pages_left(&self) -> Result<u64, CollectError> {
        let Some(pages) = self.plan.budget.pages else { return Ok(u64::MAX) };
        let counts = self.frontier.counts()?;
        let in_batch = self.batch.endings.iter().filter(|(_, ending)| is_visited(ending)).count() as u64;
        let visited = counts.of(Stage::Done) + counts.of(Stage::Failed) + in_batch;
        Ok(pages.saturating_sub(visited + self.in_flight as u64))
    }

    /// Claims more addresses when few are left.
    fn top_up(&mut self) -> Result<(), CollectError> {
        if self.hosts.waiting_count() >= self.plan.politeness.connections {
            return Ok(());
        }
        // What was found last may be just what is missing.
        if !self.batch.finds.is_empty() || self.is_batch_due() {
            self.flush()?;
        }
        let now = Instant::now();
        for claim in self.frontier.claim(Timestamp::now(), &self.want())? {
            match recover::archived(self.archive, self.reader, &claim)? {
                Some((ending, finds)) => self.take_archived(&claim, ending, finds),
                None => self.hosts.add(claim, now),
            }
        }
        Ok(())
    }

    /// Another worker had archived it, and did not live to say so.
    fn take_archived(&mut self, claim: &Claim, ending: Ending, finds: Vec<Find>) {
        if self.batch.endings.is_empty() {
            self.batch_since = Instant::now();
        }
        self.batch.endings.push((claim.id, ending));
        self.batch.finds.extend(finds);
    }

    fn want(&self) -> Want {
        let is_polite = self.plan.politeness.delay > Duration::ZERO;
        // By topic the best address is another after each page, so few are taken at a time.
        let is_choosy = self.plan.topic.is_some();
        let per_host = if is_polite || is_choosy { CLAIMS_PER_POLITE_HOST } else { CLAIMS_PER_HOST };
        let limit = if is_choosy { self.plan.politeness.connections } else { CLAIMS_MAX };
        Want { limit, per_host, lease: LEASE }
    }

    /// Sends out what may be asked for now.
    fn send_out(&mut self) -> Result<(), CollectError> {
        let politeness = &self.plan.politeness;
        let is_polite = politeness.delay > Duration::ZERO;
        let cache = if is_polite { 0 } else { CACHE_MAX };
        let per_host = politeness.connections_per_host + cache;
        let mut pages_left = self.pages_left()?;
        while self.in_flight < politeness.connections + CACHE_MAX && pages_left > 0 {
            let Some(claim) = self.hosts.next(Instant::now(), per_host) else { break };
            let mut request = FetchRequest::from(claim.url.clone());
            if self.asks_for_changes {
                let validators = self.archive.validators(&claim.url)?;
                (request.etag, request.last_modified) = (validators.etag, validators.last_modified);
            }
            self.marks.sent(claim.id);
            self.in_flight += 1;
            pages_left -= 1;
            // The other side ends only with us.
            let _ = self.workers.jobs.send(Job { claim, request });
        }
        Ok(())
    }

    /// Takes results in: those that are there, or the first that comes before something else is to be done.
    fn take_results(&mut self) -> Result<(), CollectError> {
        let politeness = &self.plan.politeness;
        let next_host = self.hosts.next_time(politeness.connections_per_host);
        let wait = next_host.map_or(TICK, |time| time.saturating_duration_since(Instant::now())).min(TICK);
        if self.in_flight == 0 {
            std::thread::sleep(wait);
            return self.flush_if_due();
        }
        if self.in_flight > politeness.connections {
            // The others have enough to do; several results at a time cost less than each for itself.
            std::thread::sleep(GATHERING);
        }
        match self.workers.results.recv_timeout(wait.max(Duration::from_millis(1))) {
            Ok(processed) => self.take(processed?),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(CollectError::Broken),
        }
        while let Ok(processed) = self.workers.results.try_recv() {
            self.take(processed?);
        }
        self.flush_if_due()
    }

    fn take(&mut self, processed: Processed) {
        self.in_flight -= 1;
        self.status.count(&processed);
        if self.batch.endings.is_empty() {
            self.batch_since = Instant::now();
        }
        let Processed { claim, ending, finds, due, kept, host, crawl_delay, .. } = processed;
        // A store that many write to gives numbers only when it commits, and then needs no mark.
        self.marks.ended(claim.id, kept.map(|kept| kept.sequence));
        let politeness = &self.plan.politeness;
        let delay = self.hosts.ended(claim.host, host, crawl_delay, politeness, Instant::now());
        if delay > Duration::ZERO {
            let until = Timestamp::now().saturating_add(delay).unwrap_or(Timestamp::MAX);
            self.batch.delays.push((claim.host, until));
        }
        if self.hosts.is_dead(claim.host, politeness) {
            let reason = format!("the host failed {} times in a row and was given up", politeness.host_failures_max);
            let unclaimed = self.hosts.give_up(claim.host).into_iter();
            self.batch.endings.extend(unclaimed.map(|claim| (claim.id, Ending::Unclaimed)));
            self.batch.blocks.push((claim.host, reason));
        }
        self.batch.endings.push((claim.id, ending));
        self.batch.finds.extend(finds);
        self.batch.visits.extend(due);
    }

    fn is_batch_due(&self) -> bool {
        let count = self.batch.endings.len();
        count >= BATCH_MAX || count > 0 && self.batch_since.elapsed() >= BATCH_TIME_MAX
    }

    fn flush_if_due(&mut self) -> Result<(), CollectError> {
        if self.is_batch_due() { self.flush() } else { Ok(()) }
    }

    /// Makes durable what was archived, and then records what was learnt from it.
    fn flush(&mut self) -> Result<(), CollectError> {
        if self.batch.endings.is_empty() {
            return Ok(());
        }
        self.archive.sync()?;
        self.batch.mark = Some(self.marks.mark());
        self.batch_count += 1;
        if self.batch_count % MEMORY_EVERY == 1 {
            self.batch.memory = self.reader.memory();
        }
        self.frontier.record(&self.batch)?;
        self.batch = Batch::default();
        Ok(())
    }

    /// Nothing is under way: waits for what is to be tried again, if that is worth it.
    fn wait_for_more(&mut self, watch: Watch<'_>) -> Result<Option<End>, CollectError> {
        let now = Timestamp::now();
        let Some(next) = self.frontier.next_time(now, &self.want())? else { return Ok(Some(End::Complete)) };
        let wait = Duration::try_from(next.duration_since(now)).unwrap_or_default();
        if wait > self.plan.politeness.patience {
            return Ok(Some(End::Waiting(wait)));
        }
        self.status.waiting = Some(wait).filter(|wait| *wait > TICK);
        std::thread::sleep(wait.min(TICK));
        let goes_on = self.tick(watch)?;
        self.status.waiting = None;
        Ok((!goes_on).then_some(End::Stopped))
    }

    /// Records what is there, and gives back what was claimed and not visited.
    fn wind_up(&mut self, end: End) -> Result<(), CollectError> {
        if end != End::Stopped {
            while self.in_flight > 0 {
                self.take_results()?;
            }
        }
        let unclaimed = self.hosts.give_back().into_iter();
        self.batch.endings.extend(unclaimed.map(|claim| (claim.id, Ending::Unclaimed)));
        while let Ok(processed) = self.workers.results.try_recv() {
            self.take(processed?);
        }
        self.flush()?;
        if let Some(memory) = self.reader.memory() {
            self.frontier.record(&Batch { memory: Some(memory), ..Batch::default() })?;
        }
        self.status.elapsed = self.began.elapsed();
        self.status.counts = self.frontier.counts()?;
        self.status.busiest.clear();
        Ok(())
    }
}

/// Whether an address was visited, so that the page budget counts it.
fn is_visited(ending: &Ending) -> bool {
    matches!(ending, Ending::Done { .. } | Ending::Failed { .. })
}

impl Marks {
    fn sent(&mut self, id: UrlId) {
        self.floors.insert(id, self.last);
    }

    fn ended(&mut self, id: UrlId, sequence: Option<u64>) {
        self.floors.remove(&id);
        self.last = self.last.max(sequence.unwrap_or(0));
    }

    /// Everything of ours up to here has ended.
    fn mark(&self) -> u64 {
        self.floors.values().copied().min().unwrap_or(self.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_stands_before_whatever_is_under_way() {
        let mut marks = Marks { last: 10, floors: HashMap::new() };
        let [slow, quick, next] = [1, 2, 3].map(UrlId);
        marks.sent(slow);
        marks.sent(quick);
        // Somebody else wrote 11.
        marks.ended(quick, Some(12));
        assert_eq!(marks.mark(), 10, "the slow one may have become 13");
        marks.sent(next);
        marks.ended(slow, Some(13));
        assert_eq!(marks.mark(), 12, "the next one may have become 14");
        marks.ended(next, None);
        assert_eq!(marks.mark(), 13);
    }
}
