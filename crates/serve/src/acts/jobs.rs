//! Crawls, begun and steered.

use axum::Router;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::post;
use bytes::Bytes;

use super::{Actor, in_path, sent, shown, taken};
use crate::api::{Call, Description};
use crate::form::Form;
use crate::jobs::{Job, Kind, Order, Reach};
use crate::refusal::Refusal;
use crate::shared::Shared;
use crate::views::{JobsView, json};

pub(super) fn routes() -> Router<Shared> {
    Router::new()
        .route("/jobs", post(start_by_form))
        .route("/jobs/{id}/{wish}", post(steer_by_form))
        .route("/api/v1/jobs", post(start))
        .route("/api/v1/jobs/{id}/{wish}", post(steer))
}

pub(super) fn described(description: Description) -> Description {
    let start = "Begins a crawl, or puts it into the queue. A crawl with the same name goes on where it was.";
    let steer = "Pauses a crawl, lets it go on, or stops it.";
    description
        .with_order::<Order, Job>(&Call {
            path: "/api/v1/jobs",
            id: "start_job",
            about: start,
            status: "201",
            in_path: &[],
        })
        .with_call::<Job>(&Call {
            path: "/api/v1/jobs/{id}/{wish}",
            id: "steer_job",
            about: steer,
            status: "200",
            in_path: &[("id", &[]), ("wish", &WISHES)],
        })
}

/// Which crawl, and what is wanted of it.
type Wished = (String, String);

/// What can be wanted of a crawl.
const WISHES: [&str; 3] = ["pause", "resume", "stop"];

/// `POST /api/v1/jobs`
async fn start(State(shared): State<Shared>, actor: Actor, body: Bytes) -> Result<Response, Refusal> {
    let job = begin(&shared, &actor, sent(&body)?).await?;
    let mut response = json(&job)?;
    *response.status_mut() = StatusCode::CREATED;
    Ok(response)
}

/// `POST /jobs`
async fn start_by_form(State(shared): State<Shared>, actor: Actor, request: Request) -> Result<Response, Refusal> {
    let (parts, body) = taken(request).await?;
    let begun = match order(&Form::read(&body)) {
        Ok(order) => begin(&shared, &actor, order).await,
        Err(refusal) => Err(refusal),
    };
    Ok(match begun {
        Ok(job) => Redirect::to(&format!("/job?id={}", job.id)).into_response(),
        Err(refusal) => shown::<JobsView>(&shared, &parts, Err(refusal)),
    })
}

async fn begin(shared: &Shared, actor: &Actor, order: Order) -> Result<Job, Refusal> {
    order.check()?;
    actor.needs(order.role())?;
    let jobs = shared.jobs.clone();
    shared.readers.run(move || jobs.start(order)).await
}

/// `POST /api/v1/jobs/{id}/{wish}`
async fn steer(
    State(shared): State<Shared>,
    actor: Actor,
    path: Result<Path<Wished>, PathRejection>,
) -> Result<Response, Refusal> {
    json(&steered(&shared, &actor, in_path(path)?).await?)
}

/// `POST /jobs/{id}/{wish}`
async fn steer_by_form(
    State(shared): State<Shared>,
    actor: Actor,
    path: Result<Path<Wished>, PathRejection>,
    request: Request,
) -> Result<Response, Refusal> {
    let (parts, _) = taken(request).await?;
    Ok(match steered(&shared, &actor, in_path(path)?).await {
        Ok(job) => Redirect::to(&format!("/job?id={}", job.id)).into_response(),
        Err(refusal) => shown::<Job>(&shared, &parts, Err(refusal)),
    })
}

async fn steered(shared: &Shared, actor: &Actor, (id, wish): Wished) -> Result<Job, Refusal> {
    let id: u64 = id.parse().map_err(|_| Refusal::not_found(format!("there is no crawl {id:?}")))?;
    let jobs = shared.jobs.clone();
    if wish == "resume" {
        // Whoever lets it go on asks for all of it.
        actor.needs(jobs.get(id)?.order.role())?;
    }
    let steering = move || match wish.as_str() {
        "pause" => jobs.pause(id),
        "resume" => jobs.resume(id),
        "stop" => jobs.stop(id),
        _ => Err(Refusal::not_found(format!("a crawl cannot {wish:?}: pause, resume or stop"))),
    };
    shared.readers.run(steering).await
}

/// What the form asks for.
fn order(form: &Form) -> Result<Order, Refusal> {
    let kind = match form.text("kind") {
        Some("work") => Kind::Work,
        Some("again") => Kind::Again,
        _ => Kind::Site,
    };
    let scope = match form.text("scope") {
        Some("domain") => Reach::Domain,
        Some("prefix") => Reach::Prefix,
        Some("any") => Reach::Any,
        _ => Reach::Host,
    };
    Ok(Order {
        urls: form.lines("urls"),
        kind,
        scope,
        depth: form.number("depth")?,
        include: form.lines("include"),
        exclude: form.lines("exclude"),
        requisites: form.is_set("requisites"),
        sitemaps: form.is_set("sitemaps"),
        topic: form.text("topic").map(|topic| topic.trim().to_owned()),
        like: form.lines("like"),
        unlike: form.lines("unlike"),
        max_pages: form.number("max_pages")?,
        max_megabytes: form.number("max_megabytes")?,
        max_minutes: form.number("max_minutes")?,
        delay: form.number("delay")?.unwrap_or(1.0),
        ignore_robots: form.is_set("ignore_robots"),
        allow_private: form.is_set("allow_private"),
    })
}
