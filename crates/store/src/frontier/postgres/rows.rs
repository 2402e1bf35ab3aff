//! Rows of the frontier's tables as values.

use std::borrow::Cow;

use kuai_crawl::{HostId, Known, Stage, UrlId};
use tokio_postgres::Row;
use url::Url;

use super::super::rows::{stage_of, via_of};

/// The columns of [`known`], in its order.
macro_rules! known_columns {
    () => {
        "id, url, via, parent, depth, hops, stage, attempts, status, why, reason"
    };
}
pub(super) use known_columns;

/// What is known of an address; `None` where that is no address, which nothing writes.
pub(super) fn known(columns: &Row) -> Option<Known> {
    Some(Known {
        id: UrlId(columns.get(0)),
        url: Url::parse(columns.get(1)).ok()?,
        via: via_of(columns.get::<_, i16>(2) as u8),
        parent: columns.get::<_, Option<i64>>(3).map(UrlId),
        depth: columns.get::<_, i32>(4) as u32,
        hops: columns.get::<_, i32>(5) as u32,
        stage: stage_of(columns.get::<_, i16>(6) as u8),
        attempts: columns.get::<_, i32>(7) as u32,
        status: columns.get::<_, Option<i16>>(8).map(|status| status as u16),
        why: columns.get(9),
        reason: columns.get(10),
    })
}

/// A text without zero bytes, which Postgres does not take. What pages say may have them.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    if text.contains('\0') { Cow::Owned(text.replace('\0', "")) } else { Cow::Borrowed(text) }
}

/// An address, as far as its stage goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    pub(super) id: i64,
    pub(super) host: HostId,
    pub(super) priority: i32,
    pub(super) stage: Stage,
}

/// An address from the columns `id, host, priority, stage`.
pub(super) fn waiting(columns: &Row) -> Waiting {
    Waiting {
        id: columns.get(0),
        host: HostId(columns.get(1)),
        priority: columns.get(2),
        stage: stage_of(columns.get::<_, i16>(3) as u8),
    }
}
