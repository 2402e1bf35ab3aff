//! The frontier in a SQLite file beside the archive.
//!
//! Every question is answered from an index, so that a claim costs as much among ten million addresses as among ten.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use kuai_crawl::{
    Batch, Claim, Counts, Decision, DueVisit, Ending, Find, Frontier, FrontierError, HostId, Known, Stage, UrlId, Want,
};
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};
use url::Url;

use super::rows::{CLAIM_COLUMNS, KNOWN_COLUMNS, claim, known, millis, stage_of, time_of, url, via_number};
use super::{NOTHING, host_name, key_of, schema};
use crate::files::FRONTIER;

/// Addresses that are woken up at a time.
const WOKEN_MAX: usize = 1000;
/// Prepared statements that are kept.
const STATEMENTS_MAX: usize = 64;
/// Names of hosts that are kept in memory.
const HOST_NAMES_MAX: usize = 10_000;

/// The frontier of one crawl in the folder of an archive.
#[derive(Debug)]
pub struct FolderFrontier {
    file: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    connection: Connection,
    crawl: i64,
    counts: Counts,
    hosts: HashMap<String, HostId>,
}

impl FolderFrontier {
    /// Opens the frontier of a crawl by its name; begins it where there is none.
    pub fn open(folder: &Path, crawl: &str) -> Result<FolderFrontier, FrontierError> {
        let file = folder.join(FRONTIER);
        let connection = schema::open(&file).map_err(|error| failed("open", &file, error))?;
        let begun = connection.execute("INSERT INTO crawl (name) VALUES (?) ON CONFLICT DO NOTHING", [crawl]);
        begun.map_err(|error| failed("write", &file, error))?;
        FolderFrontier::of_crawl(file, connection, crawl)?.ok_or_else(|| unreachable_crawl(folder, crawl))
    }

    /// Opens the frontier of a crawl to read; `None` where there is no such crawl.
    pub fn read(folder: &Path, crawl: &str) -> Result<Option<FolderFrontier>, FrontierError> {
        let file = folder.join(FRONTIER);
        if !file.exists() {
            return Ok(None);
        }
        let connection = schema::read(&file).map_err(|error| failed("open", &file, error))?;
        FolderFrontier::of_crawl(file, connection, crawl)
    }

    /// The names of the crawls of an archive, in the order in which they were begun.
    pub fn crawls(folder: &Path) -> Result<Vec<String>, FrontierError> {
        let file = folder.join(FRONTIER);
        if !file.exists() {
            return Ok(Vec::new());
        }
        let names = || -> rusqlite::Result<Vec<String>> {
            let connection = schema::read(&file)?;
            let mut query = connection.prepare("SELECT name FROM crawl ORDER BY id")?;
            query.query_map([], |row| row.get(0))?.collect()
        };
        names().map_err(|error| failed("read", &file, error))
    }

    fn of_crawl(file: PathBuf, connection: Connection, name: &str) -> Result<Option<FolderFrontier>, FrontierError> {
        connection.set_prepared_statement_cache_capacity(STATEMENTS_MAX);
        let found = connection
            .query_row(
                "SELECT id, ready, claimed, later, done, failed, skipped FROM crawl WHERE name = ?",
                [name],
                |row| {
                    let mut counts = Counts::default();
                    for (column, stage) in Stage::ALL.into_iter().enumerate() {
                        counts.add(stage, row.get(column + 1)?);
                    }
                    Ok((row.get(0)?, counts))
                },
            )
            .optional()
            .map_err(|error| failed("read", &file, error))?;
        Ok(found.map(|(crawl, counts)| FolderFrontier {
            file,
            state: Mutex::new(State { connection, crawl, counts, hosts: HashMap::new() }),
        }))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Whatever panicked, its transaction was rolled back and the counts were not taken over.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read_with<T>(&self, read: impl FnOnce(&State) -> rusqlite::Result<T>) -> Result<T, FrontierError> {
        read(&self.lock()).map_err(|error| failed("read", &self.file, error))
    }

    fn write_with<T>(&self, write: impl FnOnce(&mut Change<'_>) -> rusqlite::Result<T>) -> Result<T, FrontierError> {
        let mut state = self.lock();
        in_transaction(&mut state, write).map_err(|error| failed("write", &self.file, error))
    }
}

/// A transaction, and the sums that it changes.
struct Change<'a> {
    transaction: Transaction<'a>,
    crawl: i64,
    counts: Counts,
    hosts: &'a mut HashMap<String, HostId>,
    touched: HashMap<HostId, HostChange>,
}

/// What changes about a host.
#[derive(Default)]
struct HostChange {
    ready: i64,
    claimed: i64,
    /// The best priority that became ready.
    best: Option<i32>,
}

fn in_transaction<T>(
    state: &mut State,
    write: impl FnOnce(&mut Change<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<T> {
    let State { connection, crawl, counts, hosts } = state;
    // Another crawl of the same process may write to the file, too: whoever reads first and writes then would be turned away.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut change = Change { transaction, crawl: *crawl, counts: *counts, hosts, touched: HashMap::new() };
    let written = write(&mut change);
    // Ids of hosts that were made in a transaction that failed are gone with it.
    let result = written.and_then(|value| change.finish().map(|counts| (value, counts)));
    match result {
        Ok((value, counts)) => {
            state.counts = counts;
            Ok(value)
        }
        Err(error) => {
            state.hosts.clear();
            Err(error)
        }
    }
}

impl Frontier for FolderFrontier {
    fn record(&self, batch: &Batch) -> Result<u64, FrontierError> {
        self.write_with(|change| change.record(batch))
    }

    fn claim(&self, now: Timestamp, want: &Want) -> Result<Vec<Claim>, FrontierError> {
        self.write_with(|change| {
            change.wake(millis(now))?;
            change.claim(millis(now), want)
        })
    }

    fn next_time(&self, now: Timestamp, want: &Want) -> Result<Option<Timestamp>, FrontierError> {
        let next = self.read_with(|state| {
            let host: Option<i64> = state.connection.query_row(
                "SELECT min(not_before) FROM host WHERE crawl = ? AND ready > 0 AND claimed < ?",
                params![state.crawl, want.per_host],
                |row| row.get(0),
            )?;
            let url: Option<i64> = state.connection.query_row(
                "SELECT min(at) FROM url WHERE crawl = ? AND stage IN (1, 2)",
                [state.crawl],
                |row| row.get(0),
            )?;
            Ok(host.into_iter().chain(url).min())
        })?;
        Ok(next.map(|next| time_of(next).max(now)))
    }

    fn release(&self) -> Result<(), FrontierError> {
        self.write_with(|change| {
            let claimed = change.waiting(Stage::Claimed, i64::MAX, usize::MAX)?;
            claimed.into_iter().try_for_each(|url| change.make_ready(url))
        })
    }

    fn reset(&self) -> Result<(), FrontierError> {
        self.write_with(|change| {
            for statement in ["DELETE FROM url WHERE crawl = ?", "DELETE FROM host WHERE crawl = ?"] {
                change.transaction.execute(statement, [change.crawl])?;
            }
            change.hosts.clear();
            change.counts = Counts::default();
            change.transaction.execute("UPDATE crawl SET memory = NULL WHERE id = ?", [change.crawl]).map(drop)
        })
    }

    fn counts(&self) -> Result<Counts, FrontierError> {
        Ok(self.lock().counts)
    }

    fn look_up(&self, url: &Url) -> Result<Option<Known>, FrontierError> {
        let query = format!("SELECT {KNOWN_COLUMNS} FROM url WHERE crawl = ? AND key = ?");
        self.read_with(|state| {
            state.connection.query_row(&query, params![state.crawl, key_of(url).0], known).optional()
        })
    }

    fn known(&self, id: UrlId) -> Result<Option<Known>, FrontierError> {
        let query = format!("SELECT {KNOWN_COLUMNS} FROM url WHERE id = ? AND crawl = ?");
        self.read_with(|state| state.connection.query_row(&query, params![id.0, state.crawl], known).optional())
    }

    fn list(&self, stage: Stage, after: Option<UrlId>, limit: usize) -> Result<Vec<Known>, FrontierError> {
        // The stage is written out, so that an index of that stage alone can serve.
        let stage = stage as u8;
        let query = format!(
            "SELECT {KNOWN_COLUMNS} FROM url WHERE crawl = ? AND stage = {stage} AND id > ? ORDER BY id LIMIT ?"
        );
        self.read_with(|state| {
            let mut query = state.connection.prepare_cached(&query)?;
            let after = after.map_or(0, |id| id.0);
            query.query_map(params![state.crawl, after, count(limit)], known)?.collect()
        })
    }

    fn mark(&self) -> Result<u64, FrontierError> {
        self.read_with(|state| {
            state.connection.query_row("SELECT mark FROM crawl WHERE id = ?", [state.crawl], |row| row.get(0))
        })
    }

    fn memory(&self) -> Result<Option<String>, FrontierError> {
        self.read_with(|state| {
            state.connection.query_row("SELECT memory FROM crawl WHERE id = ?", [state.crawl], |row| row.get(0))
        })
    }

    fn due(&self, until: Option<Timestamp>, limit: usize) -> Result<Vec<DueVisit>, FrontierError> {
        let until = until.map_or(i64::MAX, millis);
        self.read_with(|state| {
            let mut query = state
                .connection
                .prepare_cached("SELECT url, due, why FROM visit WHERE due <= ? ORDER BY due LIMIT ?")?;
            let visits = query.query_map(params![until, count(limit)], |row| {
                Ok(DueVisit { url: url(row, 0)?, due: time_of(row.get(1)?), why: row.get(2)? })
            })?;
            visits.collect()
        })
    }
}

/// An address, as far as its stage goes.
struct Waiting {
    id: i64,
    host: HostId,
    priority: i32,
    stage: Stage,
}

/// The columns of [`waiting`], in its order.
const WAITING_COLUMNS: &str = "id, host, priority, stage";

fn waiting(row: &rusqlite::Row<'_>) -> rusqlite::Result<Waiting> {
    Ok(Waiting { id: row.get(0)?, host: HostId(row.get(1)?), priority: row.get(2)?, stage: stage_of(row.get(3)?) })
}

impl Change<'_> {
    fn record(&mut self, batch: &Batch) -> rusqlite::Result<u64> {
        for (id, ending) in &batch.endings {
            self.end(*id, ending)?;
        }
        let mut fresh = 0;
        for find in &batch.finds {
            fresh += u64::from(self.find(find)?);
        }
        for (host, until) in &batch.delays {
            let mut update =
                self.transaction.prepare_cached("UPDATE host SET not_before = max(not_before, ?) WHERE id = ?")?;
            update.execute(params![millis(*until), host.0])?;
        }
        for (host, reason) in &batch.blocks {
            self.block(*host, reason)?;
        }
        for visit in &batch.visits {
            let mut insert =
                self.transaction.prepare_cached("INSERT OR REPLACE INTO visit (url, due, why) VALUES (?, ?, ?)")?;
            insert.execute(params![visit.url.as_str(), millis(visit.due), visit.why])?;
        }
        if let Some(mark) = batch.mark {
            self.transaction.execute("UPDATE crawl SET mark = max(mark, ?) WHERE id = ?", params![mark, self.crawl])?;
        }
        if let Some(memory) = &batch.memory {
            self.transaction.execute("UPDATE crawl SET memory = ? WHERE id = ?", params![memory, self.crawl])?;
        }
        Ok(fresh)
    }

    /// Takes over what became of an address; what is done already stays done.
    fn end(&mut self, id: UrlId, ending: &Ending) -> rusqlite::Result<()> {
        let known = self.waiting_where("id = ? AND crawl = ?", params![id.0, self.crawl])?;
        let Some(known) = known.filter(|known| known.stage != Stage::Done) else { return Ok(()) };
        let (stage, status, at, reason) = match ending {
            Ending::Unclaimed if known.stage == Stage::Claimed => return self.make_ready(known),
            Ending::Unclaimed => return Ok(()),
            Ending::Done { status } => (Stage::Done, Some(*status), 0, ""),
            Ending::Failed { reason } => (Stage::Failed, None, 0, reason.as_str()),
            Ending::Skipped { reason } => (Stage::Skipped, None, 0, reason.as_str()),
            Ending::Later { at, reason } => (Stage::Later, None, millis(*at), reason.as_str()),
        };
        self.leave(&known);
        self.counts.add(stage, 1);
        let mut update = self.transaction.prepare_cached(
            "UPDATE url SET stage = ?, attempts = attempts + 1, at = ?, status = ?, reason = ? WHERE id = ?",
        )?;
        update.execute(params![stage as u8, at, status, reason, known.id]).map(drop)
    }

    /// Takes an address in; tells whether it is ready now and was not known.
    fn find(&mut self, find: &Find) -> rusqlite::Result<bool> {
        let key = key_of(&find.url);
        let known = self.waiting_where("crawl = ? AND key = ?", params![self.crawl, key.0])?;
        match (known, find.decision) {
            (None, decision) => self.insert(find, key.0, decision),
            (Some(known), Decision::Follow(priority)) => self.find_again(known, find, priority),
            (Some(_), Decision::Skip) => Ok(false),
        }
    }

    fn insert(&mut self, find: &Find, key: [u8; 16], decision: Decision) -> rusqlite::Result<bool> {
        let host = self.host(&find.url)?;
        let (stage, priority) = match decision {
            Decision::Follow(priority) => (Stage::Ready, priority),
            Decision::Skip => (Stage::Skipped, NOTHING),
        };
        let reason = if stage == Stage::Skipped { find.why.as_str() } else { "" };
        let mut insert = self.transaction.prepare_cached(
            "INSERT INTO url (crawl, key, host, url, via, parent, depth, hops, priority, stage, attempts, at, why, reason)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?)",
        )?;
        insert.execute(params![
            self.crawl,
            key,
            host.0,
            find.url.as_str(),
            via_number(find.via),
            find.parent.map(|parent| parent.0),
            find.depth,
            find.hops,
            priority,
            stage as u8,
            find.why,
            reason
        ])?;
        drop(insert);
        self.counts.add(stage, 1);
        if stage == Stage::Ready {
            self.enter(host, priority);
        }
        Ok(stage == Stage::Ready)
    }

    /// An address that is known was found in another place, which may be a better one.
    fn find_again(&mut self, known: Waiting, find: &Find, priority: i32) -> rusqlite::Result<bool> {
        let is_raised = match known.stage {
            // Skipped when it was found; not when it was tried, as what robots.txt forbids stays forbidden.
            Stage::Skipped => known.priority == NOTHING,
            Stage::Ready => priority > known.priority,
            _ => false,
        };
        if !is_raised {
            return Ok(false);
        }
        self.leave(&known);
        self.counts.add(Stage::Ready, 1);
        self.enter(known.host, priority);
        let mut update = self.transaction.prepare_cached(
            "UPDATE url SET via = ?, parent = ?, depth = ?, hops = ?, priority = ?, stage = 0, why = ?, reason = ''
             WHERE id = ?",
        )?;
        let parent = find.parent.map(|parent| parent.0);
        update.execute(params![via_number(find.via), parent, find.depth, find.hops, priority, find.why, known.id])?;
        Ok(known.stage == Stage::Skipped)
    }

    /// Gives a host up: what is ready there has failed.
    fn block(&mut self, host: HostId, reason: &str) -> rusqlite::Result<()> {
        let count = self
            .transaction
            .execute("UPDATE url SET stage = 4, reason = ? WHERE host = ? AND stage = 0", params![reason, host.0])?;
        let count = count as i64;
        self.counts.add(Stage::Ready, -count);
        self.counts.add(Stage::Failed, count);
        self.touched.entry(host).or_default().ready -= count;
        Ok(())
    }

    /// Makes what has waited long enough ready: what is to be tried again, and claims whose lease has run out.
    fn wake(&mut self, now: i64) -> rusqlite::Result<()> {
        for stage in [Stage::Claimed, Stage::Later] {
            if self.counts.of(stage) > 0 {
                let woken = self.waiting(stage, now, WOKEN_MAX)?;
                woken.into_iter().try_for_each(|url| self.make_ready(url))?;
            }
        }
        Ok(())
    }

    fn waiting(&self, stage: Stage, until: i64, limit: usize) -> rusqlite::Result<Vec<Waiting>> {
        let stage = stage as u8;
        let query = format!(
            "SELECT {WAITING_COLUMNS} FROM url WHERE crawl = ? AND stage = {stage} AND at <= ? ORDER BY at LIMIT ?"
        );
        let mut query = self.transaction.prepare_cached(&query)?;
        query.query_map(params![self.crawl, until, count(limit)], waiting)?.collect()
    }

    /// The one address of which a condition holds.
    fn waiting_where(&self, condition: &str, values: impl rusqlite::Params) -> rusqlite::Result<Option<Waiting>> {
        let query = format!("SELECT {WAITING_COLUMNS} FROM url WHERE {condition}");
        self.transaction.prepare_cached(&query)?.query_row(values, waiting).optional()
    }

    fn make_ready(&mut self, url: Waiting) -> rusqlite::Result<()> {
        self.leave(&url);
        self.counts.add(Stage::Ready, 1);
        self.enter(url.host, url.priority);
        let mut update = self.transaction.prepare_cached("UPDATE url SET stage = 0, at = 0 WHERE id = ?")?;
        update.execute([url.id]).map(drop)
    }

    fn claim(&mut self, now: i64, want: &Want) -> rusqlite::Result<Vec<Claim>> {
        // What was woken up a moment ago counts.
        self.settle_hosts()?;
        let hosts: Vec<(i64, usize)> = {
            let mut query = self.transaction.prepare_cached(
                "SELECT id, claimed FROM host WHERE crawl = ? AND ready > 0 AND claimed < ? AND not_before <= ?
                 ORDER BY best DESC, not_before LIMIT ?",
            )?;
            let rows = query
                .query_map(params![self.crawl, want.per_host, now, want.limit], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect::<rusqlite::Result<_>>()?
        };
        let until = now.saturating_add(i64::try_from(want.lease.as_millis()).unwrap_or(i64::MAX));
        let mut claims = Vec::new();
        for (host, claimed) in hosts {
            let limit = (want.limit - claims.len()).min(want.per_host - claimed);
            if limit == 0 {
                break;
            }
            self.claim_of_host(HostId(host), limit, until, &mut claims)?;
        }
        Ok(claims)
    }

    fn claim_of_host(
        &mut self,
        host: HostId,
        limit: usize,
        until: i64,
        claims: &mut Vec<Claim>,
    ) -> rusqlite::Result<()> {
        let count_before = claims.len();
        let mut next_best = NOTHING;
        {
            let query = format!(
                "SELECT {CLAIM_COLUMNS} FROM url WHERE host = ? AND stage = 0 ORDER BY priority DESC, id LIMIT ?"
            );
            let mut query = self.transaction.prepare_cached(&query)?;
            // One more than is taken: its priority is the best that stays.
            let mut rows = query.query(params![host.0, limit + 1])?;
            while let Some(row) = rows.next()? {
                if claims.len() - count_before == limit {
                    next_best = row.get(7)?;
                    break;
                }
                claims.push(claim(row, host)?);
            }
        }
        let taken = &claims[count_before..];
        let mut update = self.transaction.prepare_cached("UPDATE url SET stage = 1, at = ? WHERE id = ?")?;
        for claim in taken {
            update.execute(params![until, claim.id.0])?;
        }
        let count = taken.len() as i64;
        self.counts.add(Stage::Ready, -count);
        self.counts.add(Stage::Claimed, count);
        let mut update = self
            .transaction
            .prepare_cached("UPDATE host SET ready = ready - ?, claimed = claimed + ?, best = ? WHERE id = ?")?;
        update.execute(params![count, count, next_best, host.0]).map(drop)
    }

    /// An address leaves its stage.
    fn leave(&mut self, url: &Waiting) {
        self.counts.add(url.stage, -1);
        let host = self.touched.entry(url.host).or_default();
        match url.stage {
            Stage::Ready => host.ready -= 1,
            Stage::Claimed => host.claimed -= 1,
            _ => {}
        }
    }

    /// An address becomes ready at its host.
    fn enter(&mut self, host: HostId, priority: i32) {
        let host = self.touched.entry(host).or_default();
        host.ready += 1;
        host.best = host.best.max(Some(priority));
    }

    /// The host of an address, which is made where there is none.
    fn host(&mut self, url: &Url) -> rusqlite::Result<HostId> {
        let name = host_name(url);
        if let Some(host) = self.hosts.get(name) {
            return Ok(*host);
        }
        let mut insert = self.transaction.prepare_cached(
            "INSERT INTO host (crawl, name, ready, claimed, best, not_before) VALUES (?, ?, 0, 0, ?, 0)
             ON CONFLICT (crawl, name) DO UPDATE SET name = name RETURNING id",
        )?;
        let host = HostId(insert.query_row(params![self.crawl, name, NOTHING], |row| row.get(0))?);
        drop(insert);
        if self.hosts.len() >= HOST_NAMES_MAX {
            self.hosts.clear();
        }
        self.hosts.insert(name.to_owned(), host);
        Ok(host)
    }

    /// Writes what changed about hosts.
    fn settle_hosts(&mut self) -> rusqlite::Result<()> {
        for (host, change) in self.touched.drain() {
            let mut update = self.transaction.prepare_cached(
                "UPDATE host SET ready = ready + ?, claimed = claimed + ?, best = max(best, ?) WHERE id = ?",
            )?;
            update.execute(params![change.ready, change.claimed, change.best.unwrap_or(NOTHING), host.0])?;
        }
        Ok(())
    }

    fn finish(mut self) -> rusqlite::Result<Counts> {
        self.settle_hosts()?;
        let [ready, claimed, later, done, failed, skipped] = Stage::ALL.map(|stage| self.counts.of(stage));
        let mut update = self.transaction.prepare_cached(
            "UPDATE crawl SET ready = ?, claimed = ?, later = ?, done = ?, failed = ?, skipped = ? WHERE id = ?",
        )?;
        update.execute(params![ready, claimed, later, done, failed, skipped, self.crawl])?;
        drop(update);
        self.transaction.commit()?;
        Ok(self.counts)
    }
}

/// A number of rows as SQLite takes it.
fn count(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

fn failed(doing: &'static str, file: &Path, error: rusqlite::Error) -> FrontierError {
    FrontierError { doing, place: file.display().to_string(), source: Box::new(error) }
}

fn unreachable_crawl(folder: &Path, crawl: &str) -> FrontierError {
    let place = folder.join(FRONTIER).display().to_string();
    FrontierError { doing: "read", place, source: format!("the crawl {crawl:?} is gone").into() }
}
