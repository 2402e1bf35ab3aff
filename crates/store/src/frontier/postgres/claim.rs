//! Claims: the best addresses of hosts that may be asked now and that nobody else is busy with.

use std::collections::BTreeMap;

use jiff::Timestamp;
use kuai_crawl::{Claim, FrontierError, HostId, Stage, UrlId, Want};
use tokio_postgres::Row;
use url::Url;

use super::super::rows::via_of;
use super::PostgresFrontier;
use super::change::Change;
use super::rows::waiting;
use crate::postgres::{Fault, Values};

/// Addresses that are woken up at a time.
const WOKEN_MAX: i64 = 1000;

/// Hosts that may be asked, best first, and the best addresses of each. What others hold at this moment is passed over.
const CLAIM: &str = "
    WITH chosen AS (
        SELECT id, claimed FROM crawl_host
        WHERE crawl = $1 AND ready > 0 AND claimed < $2 AND not_before <= $3 AND (worker IS NULL OR worker = $4)
        ORDER BY best DESC, not_before, id LIMIT $8 FOR UPDATE SKIP LOCKED),
    picked AS (
        SELECT url.id, url.archived_after FROM chosen CROSS JOIN LATERAL (
            SELECT id, archived_after FROM crawl_url WHERE host = chosen.id AND stage = 0
            ORDER BY priority DESC, id LIMIT $2 - chosen.claimed FOR UPDATE SKIP LOCKED) AS url
        LIMIT $5)
    UPDATE crawl_url AS url SET stage = 1, at = $6, worker = $4, archived_after = coalesce(url.archived_after, $7)
    FROM picked WHERE url.id = picked.id
    RETURNING url.id, url.url, url.via, url.depth, url.hops, url.attempts, url.why, url.host, url.priority, picked.archived_after";

/// How far the change feed has come, and how many hosts are a worker's share: who takes more keeps them from those who have nothing to do. Hosts are
/// counted as far as it matters.
const SHARE: &str = "
    SELECT entry_count,
           (SELECT ceil(count(*) / crew.count::float8)::bigint
            FROM (SELECT 1 FROM crawl_host WHERE crawl = $1 AND ready > 0 LIMIT $2 * crew.count) AS hosts)
    FROM state, (SELECT count(*) FROM worker WHERE crawl = $1) AS crew";

/// What an earlier try of the same claim took, of which the answer was lost.
const CLAIMED: &str = "
    SELECT id, url, via, depth, hops, attempts, why, host, priority, archived_after FROM crawl_url
    WHERE worker = $1 AND stage = 1 AND at = $2";

pub(super) fn claim(frontier: &PostgresFrontier, now: Timestamp, want: &Want) -> Result<Vec<Claim>, FrontierError> {
    let now = frontier.millis(now);
    let until = now.saturating_add(i64::try_from(want.lease.as_millis()).unwrap_or(i64::MAX));
    let mut is_first = true;
    let mut claims = frontier.write_with(|change| {
        if !std::mem::take(&mut is_first) {
            let claimed = change.session.query(CLAIMED, &[&change.worker, &until])?;
            if !claimed.is_empty() {
                return Ok(claimed.iter().filter_map(claimed_address).collect());
            }
        }
        change.give_up_workers()?;
        change.wake(now)?;
        // What was woken up a moment ago counts.
        change.settle_hosts()?;
        change.claim(now, until, want)
    })?;
    sort(&mut claims);
    Ok(claims.into_iter().map(|(claim, _)| claim).collect())
}

impl Change<'_> {
    /// Workers whose lease ended lose their rows, and with them everything that they claimed. One that is writing at this moment lives.
    fn give_up_workers(&mut self) -> Result<(), Fault> {
        let ended = self.session.query(
            "DELETE FROM worker WHERE id IN (SELECT id FROM worker WHERE crawl = $1 AND until < now() FOR UPDATE SKIP LOCKED)
             RETURNING id",
            &[&self.crawl],
        )?;
        if ended.is_empty() {
            return Ok(());
        }
        let ended: Vec<i64> = ended.iter().map(|columns| columns.get(0)).collect();
        let claimed = self.session.query(
            "SELECT id, host, priority, stage FROM crawl_url WHERE worker = ANY($1) AND stage = 1 ORDER BY id FOR UPDATE",
            &[&ended],
        )?;
        self.make_ready(&claimed.iter().map(waiting).collect::<Vec<_>>())
    }

    /// Makes what has waited long enough ready: what is to be tried again, and claims that were held for too long.
    fn wake(&mut self, now: i64) -> Result<(), Fault> {
        let woken = self.session.query(
            "SELECT id, host, priority, stage FROM crawl_url WHERE crawl = $1 AND stage IN (1, 2) AND at <= $2
             ORDER BY at LIMIT $3 FOR UPDATE SKIP LOCKED",
            &[&self.crawl, &now, &WOKEN_MAX],
        )?;
        self.make_ready(&woken.iter().map(waiting).collect::<Vec<_>>())
    }

    fn claim(&mut self, now: i64, until: i64, want: &Want) -> Result<Vec<(Claim, i32)>, Fault> {
        let per_host = i64::try_from(want.per_host).unwrap_or(i64::MAX);
        let limit = i64::try_from(want.limit).unwrap_or(i64::MAX);
        let share = self.session.query_one(SHARE, &[&self.crawl, &limit])?;
        let (head, hosts): (i64, i64) = (share.get(0), share.get(1));
        let values: Values<'_> = &[&self.crawl, &per_host, &now, &self.worker, &limit, &until, &head, &hosts];
        let rows = self.session.query(CLAIM, values)?;
        let claims: Vec<(Claim, i32)> = rows.iter().filter_map(claimed_address).collect();
        let mut counts: BTreeMap<i64, i64> = BTreeMap::new();
        for (claim, _) in &claims {
            *counts.entry(claim.host.0).or_default() += 1;
        }
        self.count(Stage::Ready, -(claims.len() as i64));
        self.count(Stage::Claimed, claims.len() as i64);
        self.hold_hosts(&counts)?;
        Ok(claims)
    }

    /// The hosts are ours, and the best that they have left may be less than before.
    fn hold_hosts(&mut self, counts: &BTreeMap<i64, i64>) -> Result<(), Fault> {
        if counts.is_empty() {
            return Ok(());
        }
        let (ids, counts): (Vec<i64>, Vec<i64>) = counts.iter().map(|(id, count)| (*id, *count)).unzip();
        self.session.execute(
            "UPDATE crawl_host AS host
             SET ready = ready - new.count, claimed = claimed + new.count, worker = $3,
                 best = coalesce((SELECT priority FROM crawl_url WHERE host = new.id AND stage = 0 ORDER BY priority DESC, id LIMIT 1), -2147483648)
             FROM unnest($1::bigint[], $2::bigint[]) AS new (id, count) WHERE host.id = new.id",
            &[&ids, &counts, &self.worker],
        )?;
        Ok(())
    }
}

/// A claim with its priority.
fn claimed_address(columns: &Row) -> Option<(Claim, i32)> {
    let claim = Claim {
        id: UrlId(columns.get(0)),
        host: HostId(columns.get(7)),
        url: Url::parse(columns.get(1)).ok()?,
        via: via_of(columns.get::<_, i16>(2) as u8),
        depth: columns.get::<_, i32>(3) as u32,
        hops: columns.get::<_, i32>(4) as u32,
        attempts: columns.get::<_, i32>(5) as u32,
        why: columns.get(6),
        archived_after: columns.get::<_, Option<i64>>(9).map(|after| after as u64),
    };
    Some((claim, columns.get(8)))
}

/// Hosts with the best addresses first; those of one host by priority, and equals in the order in which they were found.
fn sort(claims: &mut [(Claim, i32)]) {
    let mut best: BTreeMap<i64, i32> = BTreeMap::new();
    for (claim, priority) in claims.iter() {
        let best = best.entry(claim.host.0).or_insert(*priority);
        *best = (*best).max(*priority);
    }
    claims.sort_by_key(|(claim, priority)| {
        let host = claim.host.0;
        (std::cmp::Reverse(best[&host]), host, std::cmp::Reverse(*priority), claim.id)
    });
}
