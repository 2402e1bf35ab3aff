//! Looking into a page, which may have to be fetched first.

use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::post;
use bytes::Bytes;
use kuai::{FetchError, FetchLimits, FetchOptions, Url, Web};
use kuai_crawl::fetch_following;

use super::{Actor, sent, shown, taken};
use crate::api::{Call, Description};
use crate::form::Form;
use crate::guard::BODY_BYTES_MAX;
use crate::refusal::Refusal;
use crate::shared::Shared;
use crate::views::{InspectOrder, InspectView, Inspection, Subject, inspect, json};

/// Redirects that are followed.
const REDIRECTS_MAX: usize = 10;
/// Nobody waits longer for one page.
const FETCH_TIME: Duration = Duration::from_secs(20);

pub(super) fn routes() -> Router<Shared> {
    Router::new().route("/inspect", post(inspect_by_form)).route("/api/v1/inspect", post(inspect_by_api))
}

pub(super) fn described(description: Description) -> Description {
    let about = "Looks into a page, given or fetched under the crawler's guard, by any methods: blocks, text, related links, times.";
    let call = Call { path: "/api/v1/inspect", id: "inspect_page", about, status: "200", in_path: &[] };
    description.with_order::<InspectOrder, Inspection>(&call)
}

/// `POST /api/v1/inspect`
async fn inspect_by_api(State(shared): State<Shared>, actor: Actor, body: Bytes) -> Result<Response, Refusal> {
    json(&inspected(&shared, &actor, &sent(&body)?).await?)
}

/// `POST /inspect`
async fn inspect_by_form(State(shared): State<Shared>, actor: Actor, request: Request) -> Result<Response, Refusal> {
    let (parts, body) = taken(request).await?;
    let form = Form::read(&body);
    let order = InspectOrder {
        url: form.text("url").map(str::to_owned),
        html: form.text("html").map(str::to_owned),
        methods: form.all("method").map(str::to_owned).collect(),
        allow_private: form.is_set("allow_private"),
    };
    let mut view = InspectView::of(order);
    match inspected(&shared, &actor, &view.order).await {
        Ok(found) => view.found = Some(found),
        Err(refusal) if refusal.status.is_server_error() => {
            return Ok(shown::<InspectView>(&shared, &parts, Err(refusal)));
        }
        Err(refusal) => view.fault = Some(refusal.detail),
    }
    Ok(shown(&shared, &parts, Ok(view)))
}

async fn inspected(shared: &Shared, actor: &Actor, order: &InspectOrder) -> Result<Inspection, Refusal> {
    actor.needs(order.role())?;
    let (url, methods) = (order.address()?, order.chosen()?);
    let subject = match (&order.html, url) {
        (Some(html), url) => Subject::pasted(html, url),
        (None, Some(url)) => fetched(&url, order.allow_private).await?,
        (None, None) => return Err(Refusal::bad_request("give the address of a page, or the page itself")),
    };
    let server = shared.clone();
    shared.readers.run(move || inspect(&server, &subject, &methods)).await
}

/// Fetches a page, asking the guard about every address on the way.
async fn fetched(url: &Url, allow_private: bool) -> Result<Subject, Refusal> {
    let limits = FetchLimits { body_bytes: BODY_BYTES_MAX, whole_time: FETCH_TIME, ..FetchLimits::default() };
    let options = FetchOptions { allow_private, limits, ..FetchOptions::default() };
    let web = Web::new(&options).map_err(|_| Refusal::broken())?;
    let began = Instant::now();
    let unanswered =
        |error: FetchError| Refusal { status: StatusCode::UNPROCESSABLE_ENTITY, detail: error.to_string() };
    let fetching = tokio::time::timeout(FETCH_TIME, fetch_following(&web, url, REDIRECTS_MAX)).await;
    let slow = |_| Refusal { status: StatusCode::UNPROCESSABLE_ENTITY, detail: format!("{url} took too long") };
    Subject::fetched(fetching.map_err(slow)?.map_err(unanswered)?, began)
}
