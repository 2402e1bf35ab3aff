//! Teaching sites.

use axum::Router;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{delete, post};
use bytes::Bytes;

use super::{Actor, in_path, sent, shown, taken};
use crate::api::{Call, Description};
use crate::form::Form;
use crate::guard::Role;
use crate::refusal::Refusal;
use crate::shared::Shared;
use crate::views::{ExampleOrder, LearntView, LessonOrder, TeachView, forget, json, teach};

pub(super) fn routes() -> Router<Shared> {
    Router::new()
        .route("/teach", post(teach_by_form))
        .route("/models/forget", post(forget_by_form))
        .route("/api/v1/models", post(teach_by_api))
        .route("/api/v1/models/{host}", delete(forget_by_api))
}

pub(super) fn described(description: Description) -> Description {
    let learn = "Learns a model of a site from pages of the archive, tries it on other pages of the site, and keeps it if asked to.";
    let forget = "Forgets the model of a site. Needs the role admin.";
    description
        .with_order::<LessonOrder, LearntView>(&Call {
            path: "/api/v1/models",
            id: "teach_site",
            about: learn,
            status: "200",
            in_path: &[],
        })
        .with_removal("/api/v1/models/{host}", "forget_site", forget, "host")
}

/// `POST /api/v1/models`
async fn teach_by_api(State(shared): State<Shared>, body: Bytes) -> Result<Response, Refusal> {
    json(&taught(&shared, sent(&body)?).await?)
}

/// `POST /teach`
async fn teach_by_form(State(shared): State<Shared>, request: Request) -> Result<Response, Refusal> {
    let (parts, body) = taken(request).await?;
    let form = Form::read(&body);
    let earlier: Vec<ExampleOrder> = form.all("example").filter_map(ExampleOrder::of_line).collect();
    let example = ExampleOrder {
        url: form.text("url").unwrap_or_default().to_owned(),
        at: form.text("at").map(str::to_owned),
        units: form.all("unit").filter_map(|number| number.parse().ok()).collect(),
        answer: None,
    };
    let view = match form.text("next") {
        Some(next) => {
            let next = ExampleOrder { url: next.to_owned(), ..ExampleOrder::default() };
            let earlier = earlier.into_iter().chain([example]).collect();
            page(&shared, next, false).await.map(|view| view.with_earlier(earlier))
        }
        None => {
            let examples = earlier.iter().cloned().chain([example.clone()]).collect();
            let learnt = taught(&shared, LessonOrder { examples, save: form.text("do") == Some("save") }).await;
            let page = page(&shared, example, true).await;
            page.map(|view| match learnt {
                Ok(learnt) => view.with_earlier(earlier).with_learnt(learnt),
                Err(refusal) => view.with_earlier(earlier).with_fault(refusal.detail),
            })
        }
    };
    Ok(shown(&shared, &parts, view))
}

/// `DELETE /api/v1/models/{host}`
async fn forget_by_api(
    State(shared): State<Shared>,
    actor: Actor,
    path: Result<Path<String>, PathRejection>,
) -> Result<StatusCode, Refusal> {
    forgotten(&shared, &actor, in_path(path)?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /models/forget`
async fn forget_by_form(State(shared): State<Shared>, actor: Actor, request: Request) -> Result<Response, Refusal> {
    let (parts, body) = taken(request).await?;
    let host = Form::read(&body).text("host").unwrap_or_default().to_owned();
    Ok(match forgotten(&shared, &actor, host).await {
        Ok(()) => Redirect::to("/teach").into_response(),
        Err(refusal) => shown::<TeachView>(&shared, &parts, Err(refusal)),
    })
}

async fn taught(shared: &Shared, order: LessonOrder) -> Result<LearntView, Refusal> {
    let server = shared.clone();
    shared.readers.run(move || teach(&server, &order)).await
}

/// A page to teach with; with the pieces that were chosen, or those that are proposed.
async fn page(shared: &Shared, example: ExampleOrder, is_chosen: bool) -> Result<TeachView, Refusal> {
    let server = shared.clone();
    let reading = move || {
        let chosen = example.units.iter().copied().collect();
        TeachView::of(&server, Some(&example), is_chosen.then_some(&chosen))
    };
    shared.readers.run(reading).await
}

async fn forgotten(shared: &Shared, actor: &Actor, host: String) -> Result<(), Refusal> {
    actor.needs(Role::Admin)?;
    let server = shared.clone();
    shared.readers.run(move || forget(&server, &host)).await
}
