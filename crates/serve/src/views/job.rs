//! One crawl, as it goes.

use askama::Template;
use serde::Deserialize;
use utoipa::IntoParams;

use super::View;
use crate::jobs::{Job, JobState};
use crate::plot::Harvest;
use crate::refusal::Refusal;
use crate::shared::State;
use crate::visitor::Visitor;
use crate::words::Words;

/// Reasons that are told one by one.
const REASONS_TOLD: usize = 20;

/// Which crawl.
#[derive(Deserialize, IntoParams)]
pub(crate) struct JobAsked {
    /// What it is known by.
    id: u64,
}

#[derive(Template)]
#[template(path = "job.html")]
struct JobPage<'a> {
    visitor: &'a Visitor,
    w: &'a Words,
    view: &'a Job,
    harvest: Harvest,
    reasons: Vec<(&'a str, u64)>,
    other_reasons: u64,
}

impl View for Job {
    type Asked = JobAsked;
    const NAME: &'static str = "job";
    const ABOUT: &'static str = "A crawl: what was asked for, where it stands, its figures and how they grew.";

    fn read(server: &State, asked: JobAsked) -> Result<Job, Refusal> {
        server.jobs.get(asked.id)
    }

    fn page(&self, visitor: &Visitor) -> askama::Result<String> {
        let mut reasons: Vec<(&str, u64)> =
            self.figures.reasons.iter().map(|(reason, count)| (reason.as_str(), *count)).collect();
        reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let other_reasons = reasons.iter().skip(REASONS_TOLD).map(|(_, count)| count).sum();
        reasons.truncate(REASONS_TOLD);
        let harvest = Harvest::of(&self.curve.points);
        JobPage { visitor, w: visitor.words, view: self, harvest, reasons, other_reasons }.render()
    }
}

impl JobPage<'_> {
    fn may_pause(&self) -> bool {
        self.view.state.is_active()
    }

    fn may_go_on(&self) -> bool {
        !self.view.state.is_active()
    }

    fn may_stop(&self) -> bool {
        matches!(self.view.state, JobState::Waiting | JobState::Running | JobState::Paused)
    }

    fn pages_per_second(&self) -> f64 {
        let figures = &self.view.figures;
        let over_all = if figures.seconds > 0.0 { figures.captures as f64 / figures.seconds } else { 0.0 };
        self.view.live.as_ref().map_or(over_all, |live| live.pages_per_second)
    }
}
