//! The CDX Server API: what the archive holds of an address, a host or a domain, a line a capture, as pywb answers it.
//!
//! An answer is put together bit by bit as it is taken, so it may be long; nobody holds a thread by taking it slowly.

mod cursor;
mod filter;
mod line;
mod query;
mod range;

use std::io;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream::unfold;

use crate::refusal::Refusal;
use crate::shared::Shared;
use cursor::Cursor;
use query::Query;

/// `GET /cdx?url=…`
pub(crate) async fn cdx(State(shared): State<Shared>, request: Request) -> Result<Response, Refusal> {
    let query = Query::read(request.uri().query().unwrap_or_default())?;
    let content_type = [(header::CONTENT_TYPE, query.output.content_type())];
    if query.wants_page_count {
        let count = shared.with_holdings(move |holdings| {
            holdings.refresh()?;
            Ok(holdings.key_count(&query.range).div_ceil(query.page_size))
        });
        return Ok(([(header::CONTENT_TYPE, "text/plain")], format!("{}\n", count.await?)).into_response());
    }
    let lines_max = shared.limits.closest_lines;
    let cursor = shared.with_holdings(move |holdings| Cursor::new(query, holdings, lines_max)).await?;
    // What is wrong from the start is told by the status.
    let (cursor, first) = step(&shared, cursor).await?;
    let rest = unfold((shared, cursor), |(shared, cursor)| async move {
        match step(&shared, cursor?).await {
            Ok((cursor, text)) => Some((Ok(text), (shared, cursor))),
            Err(refusal) => Some((Err(io::Error::other(refusal.detail)), (shared, None))),
        }
    });
    let first = futures_util::stream::iter([Ok(first)]);
    Ok((content_type, Body::from_stream(futures_util::StreamExt::chain(first, rest))).into_response())
}

/// The next piece of an answer, and what gives the piece behind it.
async fn step(shared: &Shared, mut cursor: Cursor) -> Result<(Option<Cursor>, String), Refusal> {
    shared
        .with_holdings(move |holdings| {
            let text = cursor.step(holdings)?;
            Ok((Some(cursor).filter(|cursor| !cursor.is_at_end()), text))
        })
        .await
}
