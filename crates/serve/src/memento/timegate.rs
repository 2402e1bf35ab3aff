//! The TimeGate: sends whoever asks for an address and a time to the nearest memento.

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use kuai_page::Timestamp;

use super::{Links, TIMEGATE};
use crate::holdings::nearest;
use crate::refusal::Refusal;
use crate::shared::Shared;
use crate::stamp::read_http_date;
use crate::target::{address, rest};

const ACCEPT_DATETIME: &str = "accept-datetime";

/// `GET /timegate/<address>` with `Accept-Datetime`; without one the latest memento is given.
pub(crate) async fn timegate(State(shared): State<Shared>, uri: Uri, headers: HeaderMap) -> Response {
    let answer = answer(&shared, &uri, &headers).await;
    let mut response = answer.unwrap_or_else(Refusal::into_response);
    // Also what is refused depends on the time that was asked for.
    response.headers_mut().insert(header::VARY, HeaderValue::from_static(ACCEPT_DATETIME));
    response
}

async fn answer(shared: &Shared, uri: &Uri, headers: &HeaderMap) -> Result<Response, Refusal> {
    let origins = shared.names.of(headers)?;
    let original = address(rest(uri, TIMEGATE))?;
    let time = wanted_time(headers)?;
    let moments = shared.moments(&original).await?;
    let chosen = nearest(&moments, time)
        .ok_or_else(|| Refusal::not_found(format!("nothing of {original} is in the archive")))?;
    let links = Links { origins: &origins, original: &original, moments: &moments };
    let mut response = StatusCode::FOUND.into_response();
    let headers = response.headers_mut();
    headers.extend(links.header(chosen, false).map(|links| (header::LINK, links)));
    let location = HeaderValue::from_str(&links.memento(&moments[chosen])).map_err(|_| Refusal::broken())?;
    headers.insert(header::LOCATION, location);
    Ok(response)
}

fn wanted_time(headers: &HeaderMap) -> Result<Timestamp, Refusal> {
    let Some(value) = headers.get(ACCEPT_DATETIME) else { return Ok(Timestamp::MAX) };
    value.to_str().ok().and_then(read_http_date).ok_or_else(|| {
        Refusal::bad_request("Accept-Datetime cannot be read: write it like Sat, 31 Jan 2026 23:59:59 GMT")
    })
}
