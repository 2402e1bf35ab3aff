//! Rows of the frontier's tables as values.

use jiff::Timestamp;
use kuai_crawl::{Claim, HostId, Known, Stage, UrlId, Via};
use rusqlite::Row;
use rusqlite::types::Type;
use url::Url;

/// The columns of [`known`], in its order.
pub(super) const KNOWN_COLUMNS: &str = "id, url, via, parent, depth, hops, stage, attempts, status, why, reason";
/// The columns of [`claim`], in its order.
pub(super) const CLAIM_COLUMNS: &str = "id, url, via, depth, hops, attempts, why, priority";

pub(super) fn known(row: &Row<'_>) -> rusqlite::Result<Known> {
    Ok(Known {
        id: UrlId(row.get(0)?),
        url: url(row, 1)?,
        via: via_of(row.get(2)?),
        parent: row.get::<_, Option<i64>>(3)?.map(UrlId),
        depth: row.get(4)?,
        hops: row.get(5)?,
        stage: stage_of(row.get(6)?),
        attempts: row.get(7)?,
        status: row.get(8)?,
        why: row.get(9)?,
        reason: row.get(10)?,
    })
}

pub(super) fn claim(row: &Row<'_>, host: HostId) -> rusqlite::Result<Claim> {
    Ok(Claim {
        id: UrlId(row.get(0)?),
        host,
        url: url(row, 1)?,
        via: via_of(row.get(2)?),
        depth: row.get(3)?,
        hops: row.get(4)?,
        attempts: row.get(5)?,
        why: row.get(6)?,
        archived_after: None,
    })
}

pub(super) fn url(row: &Row<'_>, column: usize) -> rusqlite::Result<Url> {
    let text = row.get_ref(column)?.as_str()?;
    Url::parse(text).map_err(|error| rusqlite::Error::FromSqlConversionFailure(column, Type::Text, Box::new(error)))
}

/// The number that stands for a way in the file; never changes.
pub(super) fn via_number(via: Via) -> u8 {
    match via {
        Via::Seed => 0,
        Via::Link => 1,
        Via::Redirect => 2,
        Via::Next => 3,
        Via::Sitemap => 4,
        Via::Requisite => 5,
        Via::Again => 6,
    }
}

pub(super) fn via_of(number: u8) -> Via {
    let all = [Via::Seed, Via::Link, Via::Redirect, Via::Next, Via::Sitemap, Via::Requisite, Via::Again];
    all.get(usize::from(number)).copied().unwrap_or(Via::Link)
}

pub(super) fn stage_of(number: u8) -> Stage {
    Stage::ALL.get(usize::from(number)).copied().unwrap_or(Stage::Failed)
}

/// A time as the file has it.
pub(super) fn millis(time: Timestamp) -> i64 {
    time.as_millisecond()
}

pub(super) fn time_of(millis: i64) -> Timestamp {
    Timestamp::from_millisecond(millis).unwrap_or(Timestamp::MAX)
}
