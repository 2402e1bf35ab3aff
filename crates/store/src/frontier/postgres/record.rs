//! Records a batch: what became of claims, what was found, and what is known about hosts.

use std::borrow::Cow;
use std::collections::BTreeMap;

use kuai_crawl::{Batch, DueVisit, Ending, FrontierError, HostId, Stage, UrlId};

use super::change::Change;
use super::find::Finds;
use super::rows::{Waiting, plain, waiting};
use super::{PostgresFrontier, key_of};
use crate::postgres::Fault;

pub(super) fn record(frontier: &PostgresFrontier, batch: &Batch) -> Result<u64, FrontierError> {
    let told = |fault: Fault| fault.of_frontier("write", &frontier.core.shown);
    let finds = Finds::of(frontier, &batch.finds).map_err(told)?;
    let number = {
        let mut state = frontier.state();
        state.batch += 1;
        state.batch
    };
    let visits = visits(frontier, &batch.visits);
    frontier.write_with(|change| {
        if change.last_batch == number {
            // It was taken, and the answer was lost.
            return Ok(0);
        }
        change.session.execute("UPDATE worker SET batch = $2 WHERE id = $1", &[&change.worker, &number])?;
        for endings in distinct(&batch.endings) {
            change.end(frontier, &endings)?;
        }
        let fresh = change.find(&finds)?;
        for (host, until) in &batch.delays {
            change.delay(*host, frontier.millis(*until));
        }
        for (host, reason) in &batch.blocks {
            change.block(*host, reason)?;
        }
        change.plan(&visits)?;
        change.remember(batch)?;
        Ok(fresh)
    })
}

/// Endings in rounds, in each of which an address stands once.
fn distinct(endings: &[(UrlId, Ending)]) -> Vec<BTreeMap<i64, &Ending>> {
    let mut rounds: Vec<BTreeMap<i64, &Ending>> = Vec::new();
    for (id, ending) in endings {
        let round = rounds.iter_mut().find(|round| !round.contains_key(&id.0));
        match round {
            Some(round) => round.insert(id.0, ending),
            None => {
                rounds.push(BTreeMap::from([(id.0, ending)]));
                None
            }
        };
    }
    rounds
}

/// Endings, column by column.
#[derive(Default)]
struct Columns<'a> {
    ids: Vec<i64>,
    stages: Vec<i16>,
    tries: Vec<i32>,
    ats: Vec<i64>,
    statuses: Vec<Option<i16>>,
    reasons: Vec<Cow<'a, str>>,
}

impl Change<'_> {
    /// Takes over what became of addresses. What is done already stays done, and what another worker has now is theirs to end.
    fn end(&mut self, frontier: &PostgresFrontier, endings: &BTreeMap<i64, &Ending>) -> Result<(), Fault> {
        let ids: Vec<i64> = endings.keys().copied().collect();
        let known = self.session.query(
            "SELECT id, host, priority, stage FROM crawl_url
             WHERE id = ANY($1) AND crawl = $2 AND stage <> 3 AND (stage <> 1 OR worker = $3) ORDER BY id FOR UPDATE",
            &[&ids, &self.crawl, &self.worker],
        )?;
        let (mut columns, mut untried) = (Columns::default(), Vec::new());
        for known in known.iter().map(waiting) {
            let ending = endings[&known.id];
            match ended(frontier, ending) {
                Some((stage, status, at, reason)) => {
                    self.leave(&known);
                    self.count(stage, 1);
                    columns.ids.push(known.id);
                    columns.stages.push(stage as u8 as i16);
                    columns.tries.push(1);
                    columns.ats.push(at);
                    columns.statuses.push(status.map(|status| status as i16));
                    columns.reasons.push(plain(reason));
                }
                None => untried.push(known),
            }
        }
        untried.retain(|known: &Waiting| known.stage == Stage::Claimed);
        self.make_ready(&untried)?;
        if columns.ids.is_empty() {
            return Ok(());
        }
        self.session.execute(
            "UPDATE crawl_url AS url
             SET stage = new.stage, attempts = url.attempts + new.tries, at = new.at, status = new.status, reason = new.reason,
                 worker = NULL, archived_after = NULL
             FROM unnest($1::bigint[], $2::smallint[], $3::integer[], $4::bigint[], $5::smallint[], $6::text[])
                  AS new (id, stage, tries, at, status, reason)
             WHERE url.id = new.id",
            &[&columns.ids, &columns.stages, &columns.tries, &columns.ats, &columns.statuses, &columns.reasons],
        )?;
        Ok(())
    }

    /// Gives a host up: what is ready there has failed.
    fn block(&mut self, host: HostId, reason: &str) -> Result<(), Fault> {
        let count = self.session.execute(
            "UPDATE crawl_url SET stage = 4, reason = $2 WHERE host = $1 AND stage = 0",
            &[&host.0, &plain(reason)],
        )?;
        self.fail_ready(host, count as i64);
        Ok(())
    }

    fn plan(&mut self, visits: &Visits) -> Result<(), Fault> {
        if visits.keys.is_empty() {
            return Ok(());
        }
        self.session.execute(
            "INSERT INTO due_visit (key, url, due, why)
             SELECT * FROM unnest($1::bytea[], $2::text[], $3::bigint[], $4::text[])
             ON CONFLICT (key) DO UPDATE SET due = excluded.due, why = excluded.why",
            &[&visits.keys, &visits.urls, &visits.dues, &visits.whys],
        )?;
        Ok(())
    }

    fn remember(&mut self, batch: &Batch) -> Result<(), Fault> {
        if batch.mark.is_none() && batch.memory.is_none() {
            return Ok(());
        }
        let mark = batch.mark.map_or(0, |mark| mark as i64);
        self.session.execute(
            "UPDATE crawl SET mark = greatest(mark, $2), memory = coalesce($3, memory) WHERE id = $1",
            &[&self.crawl, &mark, &batch.memory],
        )?;
        Ok(())
    }
}

/// The stage that an ending leads to, with status, time and reason; `None` for what was not tried.
fn ended<'a>(frontier: &PostgresFrontier, ending: &'a Ending) -> Option<(Stage, Option<u16>, i64, &'a str)> {
    Some(match ending {
        Ending::Unclaimed => return None,
        Ending::Done { status } => (Stage::Done, Some(*status), 0, ""),
        Ending::Failed { reason } => (Stage::Failed, None, 0, reason),
        Ending::Skipped { reason } => (Stage::Skipped, None, 0, reason),
        Ending::Later { at, reason } => (Stage::Later, None, frontier.millis(*at), reason),
    })
}

/// Planned visits, column by column, in the order of their keys.
#[derive(Default)]
struct Visits {
    keys: Vec<Vec<u8>>,
    urls: Vec<String>,
    dues: Vec<i64>,
    whys: Vec<String>,
}

/// The last plan for each address.
fn visits(frontier: &PostgresFrontier, visits: &[DueVisit]) -> Visits {
    let last: BTreeMap<[u8; 16], &DueVisit> = visits.iter().map(|visit| (key_of(&visit.url).0, visit)).collect();
    let mut columns = Visits::default();
    for (key, visit) in last {
        columns.keys.push(key.to_vec());
        columns.urls.push(visit.url.to_string());
        columns.dues.push(frontier.millis(visit.due));
        columns.whys.push(plain(&visit.why).into_owned());
    }
    columns
}
