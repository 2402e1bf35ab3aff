//! What visitors do, and not only look at: begin and steer crawls, look into pages, teach sites. Each as a form of a page, and as a call of the API.
//!
//! Who may do it was asked before ([`crate::guard`]): nothing here is reached by less than the role collect. What needs more asks for it by itself.

mod inspect;
mod jobs;
mod teach;

use axum::Router;
use axum::extract::rejection::PathRejection;
use axum::extract::{DefaultBodyLimit, FromRequestParts, Path, Request};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use serde::de::DeserializeOwned;

use crate::api::Description;
use crate::fault::fault;
use crate::guard::{Guest, Role};
use crate::refusal::Refusal;
use crate::shared::Shared;
use crate::views::{View, html};
use crate::visitor::Visitor;

/// The routes of all acts.
pub(crate) fn routes() -> Router<Shared> {
    // The guard bounds what is sent, by a bound of its own.
    jobs::routes().merge(inspect::routes()).merge(teach::routes()).layer(DefaultBodyLimit::disable())
}

/// Their description, together with what is described already.
pub(crate) fn described(description: Description) -> Description {
    teach::described(inspect::described(jobs::described(description)))
}

/// Whoever acts.
pub(crate) struct Actor(Option<Guest>);

impl Actor {
    /// Refuses those who may not do as much.
    fn needs(&self, role: Role) -> Result<(), Refusal> {
        crate::guard::needs(self.0.as_ref(), role)
    }
}

impl<S: Sync> FromRequestParts<S> for Actor {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Actor, Self::Rejection> {
        Ok(Actor(parts.extensions.get::<Guest>().cloned()))
    }
}

/// What stands in the path of a request.
fn in_path<T>(path: Result<Path<T>, PathRejection>) -> Result<T, Refusal> {
    path.map(|Path(found)| found).map_err(|rejection| Refusal::bad_request(rejection.body_text()))
}

/// What was sent to the API.
fn sent<T: DeserializeOwned>(body: &Bytes) -> Result<T, Refusal> {
    serde_json::from_slice(body)
        .map_err(|error| Refusal::bad_request(format!("this is not the JSON that is wanted: {error}")))
}

/// A request without its body, as pages want it, and its body.
async fn taken(request: Request) -> Result<(Parts, Bytes), Refusal> {
    let (parts, body) = request.into_parts();
    let limit = crate::guard::BODY_BYTES_MAX;
    let body = axum::body::to_bytes(body, limit).await.map_err(|_| Refusal::bad_request("this could not be read"))?;
    Ok((parts, body))
}

/// A page as the answer to a form, or the page that says why not.
fn shown<V: View>(shared: &Shared, parts: &Parts, view: Result<V, Refusal>) -> Response {
    let visitor = match Visitor::of(shared, V::NAME, &parts.uri, &parts.headers) {
        Ok(visitor) => visitor,
        Err(refusal) => return refusal.into_response(),
    };
    let drawn = view.and_then(|view| view.page(&visitor).map_err(|_| Refusal::broken()));
    match drawn {
        Ok(page) => html(&visitor, page),
        Err(refusal) => fault(&visitor, refusal),
    }
}
