//! Lists what an archive has: addresses, the change feed, sums.

use kuai_archive::{Change, FIGURES_MAX, Totals, UrlRow};

use super::rows::{ROW_COLUMN_COUNT, row, row_columns, time};
use super::{Core, Fault};
use crate::host::host_of;
use crate::listing::PrefixRange;

/// Rows that are asked for at a time.
const PAGE_LENGTH: usize = 1000;

/// Addresses from a host and a URL on, in the order of listings. Indexes take only so much of a text, so the rest is compared after it.
macro_rules! urls_query {
    ($comparison:literal) => {
        concat!(
            "SELECT url, entry_count, first_second, first_nanosecond, last_second, last_nanosecond, host FROM address
             WHERE (left(host, 256), left(url, 1024), url) ",
            $comparison,
            " (left($1::text, 256) COLLATE \"C\", left($2::text, 1024) COLLATE \"C\", $2::text COLLATE \"C\")
             ORDER BY left(host, 256), left(url, 1024), url LIMIT $3"
        )
    };
}
const URLS_FROM: &str = urls_query!(">=");
const URLS_AFTER: &str = urls_query!(">");

/// URLs that begin with `prefix`, after the last one seen.
pub(super) fn urls(core: &Core, prefix: &str, after: Option<&str>, limit: usize) -> Result<Vec<UrlRow>, Fault> {
    let range = PrefixRange::new(prefix);
    let after = after.map(|after| (host_of(after).to_owned(), after.to_owned()));
    let (mut start, mut is_included) = match after {
        Some(after) if after >= range.start => (after, false),
        _ => (range.start.clone(), true),
    };
    let mut rows = Vec::new();
    loop {
        let page_length = PAGE_LENGTH.min(limit.saturating_sub(rows.len()).max(1)) as i64;
        let found = core.database.run(|session| {
            let query = if is_included { URLS_FROM } else { URLS_AFTER };
            session.query(query, &[&start.0, &start.1, &page_length])
        })?;
        for columns in &found {
            let address = (columns.get::<_, String>(6), columns.get::<_, String>(0));
            if range.is_behind(&address) || rows.len() >= limit {
                return Ok(rows);
            }
            if address.1.starts_with(prefix) {
                rows.push(UrlRow {
                    url: address.1.clone(),
                    entry_count: columns.get::<_, i32>(1) as u32,
                    first: time(columns, 2),
                    last: time(columns, 4),
                });
            }
            (start, is_included) = (address, false);
        }
        if (found.len() as i64) < page_length || rows.len() >= limit {
            return Ok(rows);
        }
    }
}

/// Entries after a place of the feed, in order.
pub(super) fn changes(core: &Core, since: u64, limit: usize) -> Result<Vec<Change>, Fault> {
    const CHANGES: &str = concat!(
        "SELECT ",
        row_columns!(),
        ", address.url FROM entry JOIN address ON address.id = entry.address
         WHERE entry.sequence > $1 ORDER BY entry.sequence LIMIT $2"
    );
    let since = i64::try_from(since).unwrap_or(i64::MAX);
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let found = core.database.run(|session| session.query(CHANGES, &[&since, &limit]))?;
    let change = |columns: &tokio_postgres::Row| Change { url: columns.get(ROW_COLUMN_COUNT), row: row(columns, 0) };
    Ok(found.iter().map(change).collect())
}

/// Sums over everything.
pub(super) fn totals(core: &Core) -> Result<Totals, Fault> {
    let columns = core
        .database
        .run(|session| session.query_one("SELECT url_count, entry_count, bytes_given, figures FROM state", &[]))?;
    let figures: Vec<i64> = columns.get(3);
    let figures: [u64; FIGURES_MAX] = std::array::from_fn(|index| figures.get(index).map_or(0, |sum| *sum as u64));
    let number = |column: usize| columns.get::<_, i64>(column) as u64;
    Ok(Totals {
        url_count: number(0),
        entry_count: number(1),
        bytes_given: number(2),
        bytes_stored: bytes_stored(core)?,
        figures,
    })
}

/// Bytes of all objects, and of the tables that point to them.
pub(super) fn bytes_stored(core: &Core) -> Result<u64, Fault> {
    let columns = core.database.run(|session| {
        session.query_one(
            "SELECT coalesce((SELECT sum(length) FROM object), 0)::bigint
                  + (SELECT sum(pg_total_relation_size(name::regclass)) FROM unnest(ARRAY['state', 'object', 'address', 'reel', 'entry', 'blob']) AS name)::bigint",
            &[],
        )
    })?;
    Ok(columns.get::<_, i64>(0) as u64)
}
