//! The side that is to be trusted: Memento's TimeGates and TimeMaps, the CDX API, and a page that says so. The user interface and its API join here.

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};

use crate::guard::{Guest, HEALTH, LOGIN, LOGOUT, admit, log_in, log_out, login_page};
use crate::memento::{TIMEGATE, TIMEMAP_JSON, TIMEMAP_LINK, timegate, timemap_json, timemap_link};
use crate::metrics::{METRICS, measure, metrics};
use crate::refusal::Refusal;
use crate::replay::WEB;
use crate::shared::Shared;
use crate::{cdx, target};

const PAGE: &str = include_str!("main_side.html");

/// What is true of every answer of this side.
const HEADERS: [(HeaderName, &str); 5] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// What the trusted side answers.
pub(crate) fn router(shared: Shared) -> Router {
    Router::new()
        .route("/", get(async || ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], PAGE)))
        .route(LOGIN, get(login_page).post(log_in))
        .route(LOGOUT, post(log_out))
        .route(HEALTH, get(async || "ok\n"))
        .route(METRICS, get(metrics))
        .route("/cdx", get(cdx::cdx))
        .route(&rest_of(TIMEGATE), get(timegate))
        .route(&rest_of(TIMEMAP_LINK), get(timemap_link))
        .route(&rest_of(TIMEMAP_JSON), get(timemap_json))
        .route(&rest_of(WEB), get(to_replay))
        .fallback(async || Refusal::not_found("there is nothing at this address"))
        .layer(from_fn_with_state(shared.clone(), admit))
        .layer(from_fn_with_state(shared.clone(), guarded))
        .layer(from_fn_with_state(shared.clone(), measure))
        .with_state(shared)
}

fn rest_of(prefix: &str) -> String {
    format!("{prefix}{{*address}}")
}

/// Archived pages are on the other side.
async fn to_replay(State(shared): State<Shared>, request: Request) -> Result<Redirect, Refusal> {
    let origins = shared.names.of(request.headers())?;
    let path = format!("{WEB}{}", target::rest(request.uri(), WEB));
    let guest = request.extensions().get::<Guest>();
    Ok(Redirect::temporary(&shared.guard.way_over(guest, &origins.replay, &path)))
}

/// Nobody is answered who asks by a foreign name.
async fn guarded(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    let mut response = match shared.names.of(request.headers()) {
        Ok(_) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}
