//! The side that is to be trusted: the pages and their API, Memento's TimeGates and TimeMaps, the CDX API.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Uri, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};

use crate::api::{OPENAPI, api_page};
use crate::assets::{ASSETS, asset};
use crate::fault::fault;
use crate::guard::{Guest, HEALTH, LOGIN, LOGOUT, admit, log_in, log_out, login_page};
use crate::memento::{TIMEGATE, TIMEMAP_JSON, TIMEMAP_LINK, timegate, timemap_json, timemap_link};
use crate::metrics::{METRICS, measure, metrics};
use crate::origins::Origins;
use crate::refusal::Refusal;
use crate::replay::WEB;
use crate::shared::Shared;
use crate::views::{json, views};
use crate::visitor::Visitor;
use crate::{acts, cdx, target};

/// What is true of every answer of this side, beside its policy.
const HEADERS: [(HeaderName, &str); 4] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// What the trusted side answers.
pub(crate) fn router(shared: Shared) -> Router {
    let views = views();
    let description = Arc::new(acts::described(views.description).finish());
    Router::new()
        .merge(views.routes)
        .merge(acts::routes())
        .route(
            OPENAPI,
            get({
                let description = Arc::clone(&description);
                async move || json(&*description)
            }),
        )
        .route(
            "/api",
            get(async move |State(shared): State<Shared>, uri: Uri, headers: HeaderMap| {
                let visitor = Visitor::of(&shared, "api", &uri, &headers)?;
                Ok::<_, Refusal>(api_page(&visitor, &description))
            }),
        )
        .route(ASSETS, get(asset))
        .route(LOGIN, get(login_page).post(log_in))
        .route(LOGOUT, post(log_out))
        .route(HEALTH, get(async || "ok\n"))
        .route(METRICS, get(metrics))
        .route("/cdx", get(cdx::cdx))
        .route(&rest_of(TIMEGATE), get(timegate))
        .route(&rest_of(TIMEMAP_LINK), get(timemap_link))
        .route(&rest_of(TIMEMAP_JSON), get(timemap_json))
        .route(&rest_of(WEB), get(to_replay))
        .fallback(nothing)
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

/// The answer at an address that is none: a page for people, a problem for programs.
async fn nothing(State(shared): State<Shared>, request: Request) -> Response {
    let refusal = Refusal::not_found("there is nothing at this address");
    match Visitor::of(&shared, "", request.uri(), request.headers()) {
        Ok(visitor) if wants_page(request.headers()) => fault(&visitor, refusal),
        _ => refusal.into_response(),
    }
}

fn wants_page(headers: &HeaderMap) -> bool {
    headers
        .get(header::ACCEPT)
        .and_then(|accept| accept.to_str().ok())
        .is_some_and(|accept| accept.contains("text/html"))
}

/// Nobody is answered who asks by a foreign name.
async fn guarded(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    let (policy, mut response) = match shared.names.of(request.headers()) {
        Ok(origins) => (policy(&origins), next.run(request).await),
        Err(refusal) => ("default-src 'none'; frame-ancestors 'none'".to_owned(), refusal.into_response()),
    };
    let headers = response.headers_mut();
    headers.extend(HeaderValue::from_str(&policy).ok().map(|policy| (header::CONTENT_SECURITY_POLICY, policy)));
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// What our own pages may do: show themselves, run our scripts, ask our API, and frame archived pages.
fn policy(origins: &Origins) -> String {
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src {}; form-action 'self'; \
         base-uri 'none'; frame-ancestors 'none'",
        origins.replay
    )
}
