//! What pages show and the API tells: one view for both, so that they cannot disagree.
//!
//! A view is a plain value, filled from the archive on a reading thread. A template draws it for people, serde writes it for programs.

mod block;
mod changes;
mod compare;
mod days;
mod edits;
mod home;
mod inspect;
mod job;
mod jobs;
mod paging;
mod replay;
mod said;
mod scores;
mod search;
mod site;
mod teach;
mod time;
mod url;

use axum::Router;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, HeaderValue, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde::Serialize;
use serde::de::DeserializeOwned;
use utoipa::{IntoParams, ToSchema};

use crate::api::Description;
use crate::refusal::Refusal;
use crate::shared::{Shared, State as Server};
use crate::visitor::Visitor;

pub(crate) use days::DayCount;
pub(crate) use inspect::{InspectOrder, InspectView, Inspection, Subject, inspect};
pub(crate) use jobs::JobsView;
pub(crate) use teach::{ExampleOrder, LearntView, LessonOrder, TeachView, forget, teach};
pub(crate) use time::Time;

/// What a page shows and the API tells.
pub(crate) trait View: Serialize + ToSchema + Send + Sized + 'static {
    /// What can be asked.
    type Asked: DeserializeOwned + IntoParams + Send + 'static;

    /// The page is at `/<name>`, its data at `/api/v1/<name>`.
    const NAME: &'static str;

    /// What the data is, in a sentence, for the description of the API.
    const ABOUT: &'static str;

    /// Reads it from the archive. This may block.
    fn read(server: &Server, asked: Self::Asked) -> Result<Self, Refusal>;

    /// Draws it.
    fn page(&self, visitor: &Visitor) -> askama::Result<String>;
}

/// The routes of all views, and what they answer. A new view is a line here.
pub(crate) fn views() -> Views {
    Views::default()
        .with::<home::HomeView>()
        .with::<search::SearchView>()
        .with::<site::SiteView>()
        .with::<url::UrlView>()
        .with::<inspect::InspectView>()
        .with::<teach::TeachView>()
        .with::<jobs::JobsView>()
        .with::<crate::jobs::Job>()
        .with::<replay::ReplayView>()
        .with::<compare::CompareView>()
        .with::<block::BlockView>()
        .with::<scores::ScoresView>()
}

/// Routes, and the description of their data.
#[derive(Default)]
pub(crate) struct Views {
    pub(crate) routes: Router<Shared>,
    pub(crate) description: Description,
}

impl Views {
    /// Together with the page and the data of a view.
    pub(crate) fn with<V: View>(self) -> Views {
        let routes = self.routes.route(&path_of(V::NAME), get(page::<V>)).route(&api_path(V::NAME), get(data::<V>));
        Views { routes, description: self.description.with_view::<V>() }
    }
}

/// Where the page of a view is.
fn path_of(name: &str) -> String {
    if name == home::HomeView::NAME { "/".to_owned() } else { format!("/{name}") }
}

/// Where the data of a view is.
pub(crate) fn api_path(name: &str) -> String {
    format!("/api/v1/{name}")
}

/// A view as a page.
async fn page<V: View>(State(shared): State<Shared>, uri: Uri, headers: HeaderMap) -> Response {
    let visitor = match Visitor::of(&shared, V::NAME, &uri, &headers) {
        Ok(visitor) => visitor,
        Err(refusal) => return refusal.into_response(),
    };
    let drawn = async {
        let view: V = read(&shared, &uri).await?;
        view.page(&visitor).map_err(|_| Refusal::broken())
    };
    match drawn.await {
        Ok(page) => html(&visitor, page),
        Err(refusal) => crate::fault::fault(&visitor, refusal),
    }
}

/// A view as data.
async fn data<V: View>(State(shared): State<Shared>, uri: Uri) -> Result<Response, Refusal> {
    let view: V = read(&shared, &uri).await?;
    json(&view)
}

/// Reads a view on a thread that may block.
async fn read<V: View>(shared: &Shared, uri: &Uri) -> Result<V, Refusal> {
    let Query(asked) = Query::<V::Asked>::try_from_uri(uri).map_err(|error| Refusal::bad_request(error.body_text()))?;
    let server = shared.clone();
    shared.readers.run(move || V::read(&server, asked)).await
}

/// A page of ours as an answer.
pub(crate) fn html(visitor: &Visitor, page: String) -> Response {
    let mut response = page.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    headers.insert(header::VARY, HeaderValue::from_static("accept-language, cookie"));
    visitor.remember(headers);
    response
}

/// A value as an answer of the API.
pub(crate) fn json(value: &impl Serialize) -> Result<Response, Refusal> {
    let body = serde_json::to_vec(value).map_err(|_| Refusal::broken())?;
    let content_type = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "private, no-cache")];
    Ok((content_type, body).into_response())
}
