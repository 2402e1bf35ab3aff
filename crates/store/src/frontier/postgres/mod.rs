//! The frontier of a crawl that many workers share, in tables beside the archive.
//!
//! A host belongs to one worker at a time, from its first claim there to the end of the last, and delays lie in the host's row: so politeness holds
//! over all of them. A worker has a lease, renewed whenever it says something. One whose lease ended loses its row and its claims, in one transaction;
//! from then on nothing that it writes is taken, here or in the archive.
//!
//! Whoever waits for rows takes them in one order: addresses, then hosts by number, then the crawl's. Claims never wait: they pass over what others hold.

mod change;
mod claim;
mod find;
mod record;
mod rows;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use kuai_archive::ContentHash;
use kuai_crawl::{Batch, Claim, Counts, DueVisit, Frontier, FrontierError, HostId, Known, Stage, UrlId, Want};
use url::Url;

use super::key_of;
use super::rows::{millis, time_of};
use crate::PostgresStore;
use crate::postgres::{Core, Fault, Session};
use change::Change;
use rows::{known, known_columns};

/// A lease is renewed when this share of it has passed.
const RENEWED_AT: u32 = 6;
/// How soon others may have found something new, where there is nothing for us.
const POLL_MILLIS: i64 = 500;
/// Clocks that differ by less than this are taken as one.
const SKEW_MILLIS_MIN: i64 = 1000;
/// Names of hosts that are kept in memory.
const HOST_NAMES_MAX: usize = 10_000;

/// The frontier of one crawl, as one of its workers has it.
#[derive(Debug)]
pub struct PostgresFrontier {
    core: Arc<Core>,
    crawl: i64,
    /// There is none in a frontier that was opened to read.
    worker: Option<i64>,
    /// What the database's clock is ahead of ours.
    skew_millis: i64,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    renewed: Instant,
    /// Counts what was recorded, so that a batch is not taken twice when the answer to it was lost.
    batch: i64,
    hosts: HashMap<String, HostId>,
}

impl PostgresFrontier {
    /// Takes part in a crawl by its name; begins it where there is none. What the store writes from now on is written as this worker.
    pub fn open(store: &PostgresStore, crawl: &str) -> Result<PostgresFrontier, FrontierError> {
        let core = Arc::clone(store.core());
        let open = || {
            let key = ContentHash::of(crawl.as_bytes());
            let crawl = core.database.run(|session| {
                session.execute(
                    "INSERT INTO crawl (key, name) VALUES ($1, $2) ON CONFLICT DO NOTHING",
                    &[&&key.0[..], &crawl],
                )?;
                session.query_one("SELECT id FROM crawl WHERE key = $1", &[&&key.0[..]])
            })?;
            let crawl: i64 = crawl.get(0);
            let worker = register(&core, crawl)?;
            core.set_worker(Some(worker));
            PostgresFrontier::new(&core, crawl, Some(worker))
        };
        open().map_err(|fault: Fault| fault.of_frontier("open", &core.shown))
    }

    /// Opens the frontier of a crawl to read; `None` where there is no such crawl.
    pub fn read(store: &PostgresStore, crawl: &str) -> Result<Option<PostgresFrontier>, FrontierError> {
        let core = store.core();
        let read = || {
            let key = ContentHash::of(crawl.as_bytes());
            let found = core
                .database
                .run(|session| session.query_opt("SELECT id FROM crawl WHERE key = $1", &[&&key.0[..]]))?;
            found.map(|columns| PostgresFrontier::new(core, columns.get(0), None)).transpose()
        };
        read().map_err(|fault: Fault| fault.of_frontier("read", &core.shown))
    }

    /// The names of the crawls of an archive, in the order in which they were begun.
    pub fn crawls(store: &PostgresStore) -> Result<Vec<String>, FrontierError> {
        let core = store.core();
        let names = core.database.run(|session| session.query("SELECT name FROM crawl ORDER BY id", &[]));
        let names = names.map_err(|fault| fault.of_frontier("read", &core.shown))?;
        Ok(names.iter().map(|columns| columns.get(0)).collect())
    }

    fn new(core: &Arc<Core>, crawl: i64, worker: Option<i64>) -> Result<PostgresFrontier, Fault> {
        let skew_millis = skew_millis(core)?;
        let state = Mutex::new(State { renewed: Instant::now(), batch: 0, hosts: HashMap::new() });
        Ok(PostgresFrontier { core: Arc::clone(core), crawl, worker, skew_millis, state })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // It only remembers what the database has.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A time of ours as the database has it.
    fn millis(&self, time: Timestamp) -> i64 {
        millis(time).saturating_add(self.skew_millis)
    }

    fn time_of(&self, millis: i64) -> Timestamp {
        time_of(millis.saturating_sub(self.skew_millis))
    }

    fn read_with<T>(&self, read: impl FnMut(&mut Session) -> Result<T, Fault>) -> Result<T, FrontierError> {
        self.core.database.run(read).map_err(|fault| fault.of_frontier("read", &self.core.shown))
    }

    /// Changes something in one transaction, as a worker that holds its lease.
    fn write_with<T>(&self, mut write: impl FnMut(&mut Change<'_>) -> Result<T, Fault>) -> Result<T, FrontierError> {
        let renewed = Instant::now();
        let written = self.core.database.transact(|session| {
            let mut change = Change::begin(session, self)?;
            let value = write(&mut change)?;
            change.finish()?;
            Ok(value)
        });
        if written.is_ok() {
            self.state().renewed = renewed;
        }
        written.map_err(|fault| fault.of_frontier("write", &self.core.shown))
    }
}

impl Frontier for PostgresFrontier {
    fn is_shared(&self) -> bool {
        true
    }

    fn keep(&self) -> Result<Option<Duration>, FrontierError> {
        if self.state().renewed.elapsed() >= self.core.lease / RENEWED_AT {
            self.write_with(|_| Ok(()))?;
        }
        Ok(Some(self.core.lease.saturating_sub(self.state().renewed.elapsed())))
    }

    fn record(&self, batch: &Batch) -> Result<u64, FrontierError> {
        record::record(self, batch)
    }

    fn claim(&self, now: Timestamp, want: &Want) -> Result<Vec<Claim>, FrontierError> {
        claim::claim(self, now, want)
    }

    fn next_time(&self, now: Timestamp, want: &Want) -> Result<Option<Timestamp>, FrontierError> {
        let per_host = i64::try_from(want.per_host).unwrap_or(i64::MAX);
        let times = self.read_with(|session| {
            session.query_one(
                "SELECT (SELECT min(not_before) FROM crawl_host
                         WHERE crawl = $1 AND ready > 0 AND claimed < $2 AND (worker IS NULL OR worker = $3)),
                        (SELECT min(at) FROM crawl_url WHERE crawl = $1 AND stage IN (1, 2)),
                        EXISTS (SELECT 1 FROM crawl_host WHERE crawl = $1 AND worker <> $3)",
                &[&self.crawl, &per_host, &self.worker.unwrap_or(0)],
            )
        })?;
        let (host, url): (Option<i64>, Option<i64>) = (times.get(0), times.get(1));
        let others = times.get::<_, bool>(2).then(|| self.millis(now).saturating_add(POLL_MILLIS));
        let next = [host, url, others].into_iter().flatten().min();
        Ok(next.map(|next| self.time_of(next).max(now)))
    }

    fn release(&self) -> Result<(), FrontierError> {
        self.write_with(|change| change.release())
    }

    fn reset(&self) -> Result<(), FrontierError> {
        self.state().hosts.clear();
        self.write_with(|change| change.reset())
    }

    fn counts(&self) -> Result<Counts, FrontierError> {
        let columns = self.read_with(|session| {
            session.query_one(
                "SELECT ready, claimed, later, done, failed, skipped FROM crawl WHERE id = $1",
                &[&self.crawl],
            )
        })?;
        let mut counts = Counts::default();
        for (column, stage) in Stage::ALL.into_iter().enumerate() {
            counts.add(stage, columns.get(column));
        }
        Ok(counts)
    }

    fn look_up(&self, url: &Url) -> Result<Option<Known>, FrontierError> {
        const LOOK_UP: &str = concat!("SELECT ", known_columns!(), " FROM crawl_url WHERE crawl = $1 AND key = $2");
        let key = key_of(url);
        let found = self.read_with(|session| session.query_opt(LOOK_UP, &[&self.crawl, &&key.0[..]]))?;
        Ok(found.as_ref().and_then(known))
    }

    fn known(&self, id: UrlId) -> Result<Option<Known>, FrontierError> {
        const KNOWN: &str = concat!("SELECT ", known_columns!(), " FROM crawl_url WHERE crawl = $1 AND id = $2");
        let found = self.read_with(|session| session.query_opt(KNOWN, &[&self.crawl, &id.0]))?;
        Ok(found.as_ref().and_then(known))
    }

    fn list(&self, stage: Stage, after: Option<UrlId>, limit: usize) -> Result<Vec<Known>, FrontierError> {
        const LIST: &str = concat!(
            "SELECT ",
            known_columns!(),
            " FROM crawl_url WHERE crawl = $1 AND stage = $2 AND id > $3 ORDER BY id LIMIT $4"
        );
        let (stage, after) = (stage as u8 as i16, after.map_or(0, |id| id.0));
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let found = self.read_with(|session| session.query(LIST, &[&self.crawl, &stage, &after, &limit]))?;
        Ok(found.iter().filter_map(known).collect())
    }

    fn mark(&self) -> Result<u64, FrontierError> {
        let found =
            self.read_with(|session| session.query_one("SELECT mark FROM crawl WHERE id = $1", &[&self.crawl]))?;
        Ok(found.get::<_, i64>(0) as u64)
    }

    fn memory(&self) -> Result<Option<String>, FrontierError> {
        let found =
            self.read_with(|session| session.query_one("SELECT memory FROM crawl WHERE id = $1", &[&self.crawl]))?;
        Ok(found.get(0))
    }

    fn due(&self, until: Option<Timestamp>, limit: usize) -> Result<Vec<DueVisit>, FrontierError> {
        let until = until.map_or(i64::MAX, |until| self.millis(until));
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let found = self.read_with(|session| {
            session
                .query("SELECT url, due, why FROM due_visit WHERE due <= $1 ORDER BY due LIMIT $2", &[&until, &limit])
        })?;
        let visit = |columns: &tokio_postgres::Row| {
            let url = Url::parse(columns.get(0)).ok()?;
            Some(DueVisit { url, due: self.time_of(columns.get(1)), why: columns.get(2) })
        };
        Ok(found.iter().filter_map(visit).collect())
    }
}

impl Drop for PostgresFrontier {
    fn drop(&mut self) {
        let Some(worker) = self.worker else { return };
        // If this fails, others wait until the lease has ended.
        let _ = self.release();
        let _ = self.core.database.take().map(|mut session| {
            let ended = session.execute("DELETE FROM worker WHERE id = $1", &[&worker]);
            self.core.database.give_back(ended.is_ok().then_some(session));
        });
        self.core.set_worker(None);
    }
}

/// Makes the row of a new worker.
fn register(core: &Core, crawl: i64) -> Result<i64, Fault> {
    let label = format!("process {}", std::process::id());
    let row = core.database.run(|session| {
        session.query_one(
            "INSERT INTO worker (crawl, label, until) VALUES ($1, $2, now() + make_interval(secs => $3)) RETURNING id",
            &[&crawl, &label, &core.lease.as_secs_f64()],
        )
    })?;
    Ok(row.get(0))
}

/// How far the database's clock is ahead of ours, where that is worth speaking of.
fn skew_millis(core: &Core) -> Result<i64, Fault> {
    let row = core
        .database
        .run(|session| session.query_one("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint", &[]))?;
    let skew = row.get::<_, i64>(0) - Timestamp::now().as_millisecond();
    Ok(if skew.abs() < SKEW_MILLIS_MIN { 0 } else { skew })
}
