//! How well the methods do on our own labelled pages: the floors that every build is checked against, so what stands here holds.

use askama::Template;
use kuai_eval::{Floors, METRICS, OWN_FLOORS, metric};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::View;
use crate::refusal::Refusal;
use crate::shared::State;
use crate::visitor::Visitor;
use crate::words::Words;

/// The figures that the page shows; its data has all.
const SHOWN: [&str; 7] =
    ["content_kept", "noise_removed", "related_kept", "word_f", "shingle_f", "fuzzy_f", "bcubed_f"];

/// Nothing can be asked.
#[derive(Deserialize, IntoParams)]
pub(crate) struct ScoresAsked {}

/// How well the methods do.
#[derive(Serialize, ToSchema)]
pub(crate) struct ScoresView {
    /// What the labelled pages are known by.
    pages: String,
    metrics: Vec<MetricLine>,
    methods: Vec<MethodLine>,
}

/// A figure.
#[derive(Serialize, ToSchema)]
struct MetricLine {
    name: &'static str,
    title: &'static str,
}

/// A method.
#[derive(Serialize, ToSchema)]
struct MethodLine {
    name: String,
    /// By the order of the metrics, from 0 to 1; none where a figure does not apply.
    scores: Vec<Option<f64>>,
}

#[derive(Template)]
#[template(path = "scores.html")]
struct ScoresPage<'a> {
    visitor: &'a Visitor,
    w: &'a Words,
    view: &'a ScoresView,
}

impl View for ScoresView {
    type Asked = ScoresAsked;
    const NAME: &'static str = "scores";
    const ABOUT: &'static str = "What every method reaches at least on kuai's own labelled pages.";

    fn read(_: &State, _: ScoresAsked) -> Result<ScoresView, Refusal> {
        let floors = Floors::parse(OWN_FLOORS).map_err(|_| Refusal::broken())?;
        let is_scored = |name: &str| floors.methods.values().any(|scores| scores.contains_key(name));
        let metrics: Vec<MetricLine> = METRICS
            .iter()
            .filter(|metric| is_scored(metric.name))
            .map(|metric| MetricLine { name: metric.name, title: metric.title })
            .collect();
        let method = |(name, scores): (&String, &std::collections::BTreeMap<String, f64>)| MethodLine {
            name: name.clone(),
            scores: metrics.iter().map(|metric| scores.get(metric.name).copied()).collect(),
        };
        let mut methods: Vec<MethodLine> = floors.methods.iter().map(method).collect();
        let leading = metrics.iter().position(|metric| metric.name == "word_f").unwrap_or(0);
        let score = |method: &MethodLine| method.scores.get(leading).copied().flatten().unwrap_or_default();
        methods.sort_by(|a, b| score(b).total_cmp(&score(a)));
        Ok(ScoresView { pages: floors.pages, metrics, methods })
    }

    fn page(&self, visitor: &Visitor) -> askama::Result<String> {
        ScoresPage { visitor, w: visitor.words, view: self }.render()
    }
}

impl ScoresPage<'_> {
    /// The figures that are shown: their place among all, and their title.
    fn columns(&self) -> Vec<(usize, &'static str)> {
        let place = |name: &&str| {
            let place = self.view.metrics.iter().position(|metric| metric.name == *name)?;
            Some((place, metric(name)?.title))
        };
        SHOWN.iter().filter_map(place).collect()
    }
}

impl MethodLine {
    /// A figure in per cent, and its bar.
    fn percent(&self, place: &usize) -> Option<(String, i64)> {
        let score = self.scores.get(*place).copied().flatten()?;
        Some((format!("{:.1}", score * 100.0), (score * 100.0).round() as i64))
    }
}
