//! A transaction of a worker, and the sums that it changes.

use std::collections::BTreeMap;

use kuai_crawl::{HostId, Stage};

use super::PostgresFrontier;
use super::rows::{Waiting, waiting};
use crate::frontier::NOTHING;
use crate::postgres::{Fault, Session};

/// A transaction, and the sums that it changes.
pub(super) struct Change<'a> {
    pub(super) session: &'a mut Session,
    pub(super) crawl: i64,
    /// Nobody's number in a frontier that was opened to read.
    pub(super) worker: i64,
    /// The last batch of this worker that was taken.
    pub(super) last_batch: i64,
    counts: [i64; Stage::ALL.len()],
    hosts: BTreeMap<i64, HostChange>,
}

/// What changes about a host.
#[derive(Clone, Copy)]
struct HostChange {
    ready: i64,
    claimed: i64,
    best: i32,
    not_before: i64,
}

impl<'a> Change<'a> {
    /// Begins with the worker's own row: where it is gone, nothing is done; and nobody takes it away as long as this lasts.
    pub(super) fn begin(session: &'a mut Session, frontier: &PostgresFrontier) -> Result<Change<'a>, Fault> {
        let worker = frontier.worker.unwrap_or(0);
        let lease = frontier.core.lease.as_secs_f64();
        let row = session.query_opt(
            "UPDATE worker SET until = now() + make_interval(secs => $2) WHERE id = $1 RETURNING batch",
            &[&worker, &lease],
        )?;
        let last_batch = row.ok_or(Fault::LeaseEnded)?.get(0);
        let (counts, hosts) = Default::default();
        Ok(Change { session, crawl: frontier.crawl, worker, last_batch, counts, hosts })
    }

    /// An address leaves its stage.
    pub(super) fn leave(&mut self, url: &Waiting) {
        self.count(url.stage, -1);
        let host = self.host(url.host);
        match url.stage {
            Stage::Ready => host.ready -= 1,
            Stage::Claimed => host.claimed -= 1,
            _ => {}
        }
    }

    /// An address becomes ready at its host.
    pub(super) fn enter(&mut self, id: HostId, priority: i32) {
        self.count(Stage::Ready, 1);
        let host = self.host(id);
        host.ready += 1;
        host.best = host.best.max(priority);
    }

    pub(super) fn count(&mut self, stage: Stage, change: i64) {
        self.counts[stage as usize] += change;
    }

    /// Some of the ready addresses of a host are no longer that.
    pub(super) fn fail_ready(&mut self, host: HostId, count: i64) {
        self.count(Stage::Ready, -count);
        self.count(Stage::Failed, count);
        self.host(host).ready -= count;
    }

    pub(super) fn delay(&mut self, host: HostId, until: i64) {
        let host = self.host(host);
        host.not_before = host.not_before.max(until);
    }

    fn host(&mut self, host: HostId) -> &mut HostChange {
        self.hosts.entry(host.0).or_insert(HostChange { ready: 0, claimed: 0, best: NOTHING, not_before: i64::MIN })
    }

    /// Makes our own claims ready again. They may be in the archive all the same, which whoever claims them next is told.
    pub(super) fn release(&mut self) -> Result<(), Fault> {
        let claimed = self.session.query(
            "SELECT id, host, priority, stage FROM crawl_url WHERE worker = $1 AND stage = 1 ORDER BY id FOR UPDATE",
            &[&self.worker],
        )?;
        self.make_ready(&claimed.iter().map(waiting).collect::<Vec<_>>())
    }

    pub(super) fn make_ready(&mut self, urls: &[Waiting]) -> Result<(), Fault> {
        if urls.is_empty() {
            return Ok(());
        }
        for url in urls {
            self.leave(url);
            self.enter(url.host, url.priority);
        }
        let ids: Vec<i64> = urls.iter().map(|url| url.id).collect();
        self.session.execute("UPDATE crawl_url SET stage = 0, at = 0, worker = NULL WHERE id = ANY($1)", &[&ids])?;
        Ok(())
    }

    /// Forgets all addresses, unless somebody else is at work on them.
    pub(super) fn reset(&mut self) -> Result<(), Fault> {
        let others = self.session.query_opt(
            "SELECT 1 FROM worker WHERE crawl = $1 AND id <> $2 AND until > now() LIMIT 1",
            &[&self.crawl, &self.worker],
        )?;
        if others.is_some() {
            return Ok(());
        }
        self.session.execute("DELETE FROM crawl_url WHERE crawl = $1", &[&self.crawl])?;
        self.session.execute("DELETE FROM crawl_host WHERE crawl = $1", &[&self.crawl])?;
        self.session.execute(
            "UPDATE crawl SET memory = NULL, ready = 0, claimed = 0, later = 0, done = 0, failed = 0, skipped = 0 WHERE id = $1",
            &[&self.crawl],
        )?;
        Ok(())
    }

    /// Writes what changed about hosts, in the order of their numbers.
    pub(super) fn settle_hosts(&mut self) -> Result<(), Fault> {
        let hosts = std::mem::take(&mut self.hosts);
        if hosts.is_empty() {
            return Ok(());
        }
        let ids: Vec<i64> = hosts.keys().copied().collect();
        let column = |of: fn(&HostChange) -> i64| hosts.values().map(of).collect::<Vec<i64>>();
        let (ready, claimed) = (column(|host| host.ready), column(|host| host.claimed));
        let (best, not_before) = (column(|host| i64::from(host.best)), column(|host| host.not_before));
        self.session.query("SELECT 1 FROM crawl_host WHERE id = ANY($1) ORDER BY id FOR UPDATE", &[&ids])?;
        self.session.execute(
            "UPDATE crawl_host AS host
             SET ready = host.ready + new.ready, claimed = host.claimed + new.claimed, best = greatest(host.best, new.best::integer),
                 not_before = greatest(host.not_before, new.not_before),
                 worker = CASE WHEN host.claimed + new.claimed > 0 THEN host.worker END
             FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[]) AS new (id, ready, claimed, best, not_before)
             WHERE host.id = new.id",
            &[&ids, &ready, &claimed, &best, &not_before],
        )?;
        Ok(())
    }

    /// Writes the sums. The crawl's row comes last, because all workers wait for it.
    pub(super) fn finish(mut self) -> Result<(), Fault> {
        self.settle_hosts()?;
        if self.counts.iter().any(|count| *count != 0) {
            let [ready, claimed, later, done, failed, skipped] = &self.counts;
            self.session.execute(
                "UPDATE crawl SET ready = ready + $2, claimed = claimed + $3, later = later + $4, done = done + $5,
                        failed = failed + $6, skipped = skipped + $7 WHERE id = $1",
                &[&self.crawl, ready, claimed, later, done, failed, skipped],
            )?;
        }
        Ok(())
    }
}
