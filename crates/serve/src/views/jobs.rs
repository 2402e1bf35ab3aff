//! The crawls under the server: a form to begin one, and those that there are.

use askama::Template;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::View;
use crate::jobs::{Job, JobState};
use crate::refusal::Refusal;
use crate::shared::State;
use crate::visitor::Visitor;
use crate::words::Words;

/// Nothing can be asked of it, but an address to begin with.
#[derive(Deserialize, IntoParams)]
pub(crate) struct JobsAsked {
    /// An address to begin a crawl at; it is put into the form.
    url: Option<String>,
}

/// The crawls under the server.
#[derive(Serialize, ToSchema)]
pub(crate) struct JobsView {
    /// Whether crawls can be started here.
    is_possible: bool,
    /// The latest first.
    jobs: Vec<JobLine>,
    #[serde(skip)]
    url: String,
}

/// A crawl in a line.
#[derive(Serialize, ToSchema)]
struct JobLine {
    /// What it is known by.
    id: u64,
    /// What the crawl is known by in the archive.
    name: String,
    state: JobState,
    /// When it was asked for.
    began: String,
    /// Why it ended.
    end: Option<String>,
    /// Answers that were archived.
    captures: u64,
    /// Addresses that could not be had.
    failed: u64,
    /// Addresses that are left to visit.
    left: u64,
    /// Pages a second, of late.
    pages_per_second: Option<f64>,
}

#[derive(Template)]
#[template(path = "jobs.html")]
struct JobsPage<'a> {
    visitor: &'a Visitor,
    w: &'a Words,
    view: &'a JobsView,
}

impl View for JobsView {
    type Asked = JobsAsked;
    const NAME: &'static str = "jobs";
    const ABOUT: &'static str = "The crawls under this server, the latest first.";

    fn read(server: &State, asked: JobsAsked) -> Result<JobsView, Refusal> {
        Ok(JobsView {
            is_possible: server.jobs.are_possible(),
            jobs: server.jobs.all().into_iter().map(JobLine::of).collect(),
            url: asked.url.unwrap_or_default(),
        })
    }

    fn page(&self, visitor: &Visitor) -> askama::Result<String> {
        JobsPage { visitor, w: visitor.words, view: self }.render()
    }
}

impl JobsView {
    fn is_active(&self) -> bool {
        self.jobs.iter().any(|job| job.state.is_active())
    }
}

impl JobLine {
    fn of(job: Job) -> JobLine {
        JobLine {
            id: job.id,
            name: job.name,
            state: job.state,
            began: job.began,
            end: job.end,
            captures: job.figures.captures,
            failed: job.figures.failed,
            left: job.figures.left,
            pages_per_second: job.live.map(|live| live.pages_per_second),
        }
    }
}
