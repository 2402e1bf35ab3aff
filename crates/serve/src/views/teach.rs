//! Teaching a site: which blocks of a page belong to its text, and what is learnt from that for the other pages of the site.

use std::collections::BTreeSet;

use askama::Template;
use kuai::{SiteModels, Timestamp, canonical, marked_source};
use kuai_page::{Page, Span, TextOptions, Url};
use kuai_segment::{DEFAULT_METHOD, Example, Learnt, SiteModel, Wanted, method};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::inspect::preview;
use super::{Time, View};
use crate::drafts::Draft;
use crate::refusal::Refusal;
use crate::replay::{archived_draft, drawn_path};
use crate::shared::State;
use crate::stamp::stamp;
use crate::target::address;
use crate::visitor::Visitor;
use crate::words::Words;

/// Pieces of a page that are told.
const UNITS_MAX: usize = 2000;
/// Characters of each that are shown.
const UNIT_CHARACTERS: usize = 240;
/// Pages that a model is tried on, and addresses that they are chosen from.
const PREVIEWS: usize = 6;
const PREVIEW_ADDRESSES: usize = 400;
/// Characters of a preview.
const PREVIEW_CHARACTERS: usize = 4000;
/// Examples of one lesson.
const EXAMPLES_MAX: usize = 20;
/// Models that are listed.
const MODELS_MAX: usize = 500;

/// Which page to teach with.
#[derive(Deserialize, IntoParams)]
pub(crate) struct TeachAsked {
    /// The address of a page in the archive; without one the models are listed.
    url: Option<String>,
    /// The version at or before this time; the newest without one.
    at: Option<String>,
}

/// The sites that were taught, and a page to teach with.
#[derive(Serialize, ToSchema)]
pub(crate) struct TeachView {
    /// Hosts that have a model.
    hosts: Vec<String>,
    /// Whether a model can be kept here.
    is_possible: bool,
    page: Option<TaughtPage>,
    #[serde(skip)]
    earlier: Vec<ExampleOrder>,
    #[serde(skip)]
    learnt: Option<LearntView>,
    #[serde(skip)]
    fault: Option<String>,
}

/// A page in pieces, of which some belong to its text.
#[derive(Serialize, ToSchema)]
struct TaughtPage {
    url: String,
    time: Time,
    host: String,
    title: String,
    /// Whether the host has a model, and it is the one that says what belongs to the text.
    is_by_model: bool,
    units: Vec<TaughtUnit>,
    /// Where on the side of archived pages the page is drawn with its pieces, for a while.
    drawing: String,
}

/// A piece of a page.
#[derive(Serialize, ToSchema)]
struct TaughtUnit {
    number: usize,
    /// How it begins.
    text: String,
    /// Whether it belongs to the text, as far as is known.
    is_kept: bool,
}

/// A page and what belongs to its text: by its pieces, or in words.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ExampleOrder {
    /// The address of a page in the archive.
    pub(crate) url: String,
    /// The version at or before this time; the newest without one.
    pub(crate) at: Option<String>,
    /// The numbers of the pieces that belong to the text, as `GET /api/v1/teach` tells them.
    pub(crate) units: Vec<usize>,
    /// The clean text, a paragraph a line, instead of pieces.
    pub(crate) answer: Option<String>,
}

/// What a site is to be taught.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct LessonOrder {
    /// Pages of one host.
    pub(crate) examples: Vec<ExampleOrder>,
    /// Whether the model is kept, instead of what was there; otherwise it is only tried.
    pub(crate) save: bool,
}

/// What was learnt.
#[derive(Serialize, ToSchema)]
pub(crate) struct LearntView {
    host: String,
    is_saved: bool,
    /// Kinds of pages that the model knows.
    kind_count: usize,
    found: Vec<FoundAnswer>,
    /// The model tried on other pages of the site.
    previews: Vec<Preview>,
}

/// How well an answer was found in its page.
#[derive(Serialize, ToSchema)]
struct FoundAnswer {
    url: String,
    /// The share of its words.
    share: f64,
    /// Its paragraphs that were not.
    missing: Vec<String>,
}

/// A page cleaned by the model.
#[derive(Serialize, ToSchema)]
struct Preview {
    url: String,
    time: Time,
    title: String,
    /// The clean text; nothing where the page is not of the site's shape.
    text: Option<String>,
    /// Why it is not.
    misfit: Option<String>,
    /// The share of the page's text that was kept.
    share: Option<f64>,
}

#[derive(Template)]
#[template(path = "teach.html")]
struct TeachPage<'a> {
    visitor: &'a Visitor,
    w: &'a Words,
    view: &'a TeachView,
}

impl View for TeachView {
    type Asked = TeachAsked;
    const NAME: &'static str = "teach";
    const ABOUT: &'static str = "The sites that have a model, and a page in pieces to teach with. Send what belongs to the text by POST to /api/v1/models.";

    fn read(server: &State, asked: TeachAsked) -> Result<TeachView, Refusal> {
        let url = asked.url.as_deref().map(str::trim).filter(|url| !url.is_empty());
        let example = url.map(|url| ExampleOrder { url: url.to_owned(), at: asked.at, ..ExampleOrder::default() });
        TeachView::of(server, example.as_ref(), None)
    }

    fn page(&self, visitor: &Visitor) -> askama::Result<String> {
        TeachPage { visitor, w: visitor.words, view: self }.render()
    }
}

impl TeachView {
    /// A page to teach with, where one is named, with these of its pieces chosen.
    pub(crate) fn of(
        server: &State,
        example: Option<&ExampleOrder>,
        chosen: Option<&BTreeSet<usize>>,
    ) -> Result<TeachView, Refusal> {
        let models = models(server);
        let mut hosts =
            models.as_ref().map(|models| models.hosts()).transpose().map_err(unreadable)?.unwrap_or_default();
        hosts.truncate(MODELS_MAX);
        Ok(TeachView {
            hosts,
            is_possible: models.is_some(),
            page: example.map(|example| TaughtPage::of(server, example, chosen, models.as_ref())).transpose()?,
            earlier: Vec::new(),
            learnt: None,
            fault: None,
        })
    }

    /// Together with examples that were given before.
    pub(crate) fn with_earlier(self, earlier: Vec<ExampleOrder>) -> TeachView {
        TeachView { earlier, ..self }
    }

    /// Together with what was learnt,
    pub(crate) fn with_learnt(self, learnt: LearntView) -> TeachView {
        TeachView { learnt: Some(learnt), ..self }
    }

    /// or why nothing was.
    pub(crate) fn with_fault(self, fault: String) -> TeachView {
        TeachView { fault: Some(fault), ..self }
    }
}

impl TaughtPage {
    fn of(
        server: &State,
        example: &ExampleOrder,
        chosen: Option<&BTreeSet<usize>>,
        models: Option<&SiteModels>,
    ) -> Result<TaughtPage, Refusal> {
        let shown = Shown::of(server, example)?;
        let cleaned = models.map(|models| models.clean(&shown.page)).transpose().map_err(unreadable)?.flatten();
        let by_model = cleaned.and_then(Result::ok);
        let is_kept = |number: usize, unit: &Unit| match (chosen, &by_model) {
            (Some(chosen), _) => chosen.contains(&number),
            (None, Some(cleaned)) => cleaned.spans.iter().any(|span| overlap(*span, unit.span)),
            (None, None) => unit.is_main,
        };
        let units = units(&shown.page);
        let kept: Vec<bool> = units.iter().enumerate().map(|(number, unit)| is_kept(number, unit)).collect();
        let kinds: Vec<&str> = kept.iter().map(|is_kept| if *is_kept { "kept" } else { "left" }).collect();
        let marked = marked_source(shown.page.source(), units.iter().map(|unit| (unit.span, 0)));
        let prefix = format!("/{}/", server.token);
        let html = archived_draft(&marked, &kinds, &shown.url, &prefix, &stamp(shown.time));
        let line = |(number, unit): (usize, &Unit)| TaughtUnit {
            number,
            text: preview(&unit.text, UNIT_CHARACTERS),
            is_kept: kept[number],
        };
        Ok(TaughtPage {
            drawing: drawn_path(&server.drafts.put(Draft { html, is_archived: true })?),
            host: shown.host()?.to_owned(),
            title: shown.page.title().to_owned(),
            is_by_model: chosen.is_none() && by_model.is_some(),
            units: units.iter().enumerate().map(line).collect(),
            time: shown.time.into(),
            url: shown.url.to_string(),
        })
    }
}

/// Learns from examples, tries it on other pages of the site, and keeps it where that is asked for. This takes a while.
pub(crate) fn teach(server: &State, order: &LessonOrder) -> Result<LearntView, Refusal> {
    if order.examples.is_empty() || order.examples.len() > EXAMPLES_MAX {
        return Err(Refusal::bad_request(format!("a lesson has 1 to {EXAMPLES_MAX} examples")));
    }
    let shown = order.examples.iter().map(|example| Shown::of(server, example)).collect::<Result<Vec<_>, _>>()?;
    let host = shown[0].host()?.to_owned();
    if shown.iter().any(|other| other.url.host_str() != Some(&host)) {
        return Err(Refusal::bad_request(format!("all examples of a lesson are of one site: {host}")));
    }
    let answers: Vec<String> =
        shown.iter().zip(&order.examples).map(|(shown, example)| example.answer(shown)).collect();
    let pages = shown.iter().zip(&answers);
    let examples: Vec<Example<'_>> = pages.map(|(shown, answer)| Example { page: &shown.page, answer }).collect();
    let mut learnt = SiteModel::learn(&examples).map_err(|error| Refusal::bad_request(error.to_string()))?;
    learnt.model.site = Some(host.clone());
    if order.save {
        let models =
            models(server).ok_or_else(|| Refusal::bad_request("this archive lies in memory: no model can be kept"))?;
        models.keep(&host, &learnt.model).map_err(unreadable)?;
    }
    let taught: BTreeSet<&str> = shown.iter().map(|shown| shown.url.as_str()).collect();
    Ok(LearntView {
        is_saved: order.save,
        kind_count: learnt.model.template_count(),
        found: found(&learnt, &shown),
        previews: previews(server, &learnt.model, &shown[0].url, &taught)?,
        host,
    })
}

/// Forgets the model of a host.
pub(crate) fn forget(server: &State, host: &str) -> Result<(), Refusal> {
    let unknown = || Refusal::not_found(format!("{host} has no model"));
    let is_gone = models(server).ok_or_else(unknown)?.remove(host).map_err(unreadable)?;
    if is_gone { Ok(()) } else { Err(unknown()) }
}

/// A version of a page.
struct Shown {
    url: Url,
    time: Timestamp,
    page: Page,
}

impl Shown {
    fn of(server: &State, example: &ExampleOrder) -> Result<Shown, Refusal> {
        let at = example.at.as_deref().map(str::trim).filter(|at| !at.is_empty()).map(Time::until).transpose()?;
        Shown::at(server, &address(example.url.trim())?, at.map(|at| at.0))
    }

    fn at(server: &State, url: &Url, at: Option<Timestamp>) -> Result<Shown, Refusal> {
        let archive = server.holdings.archive();
        let spellings = [url.clone(), canonical(url)];
        let found = spellings.iter().find_map(|url| archive.page_snapshot(url, at).ok());
        let snapshot = found
            .ok_or_else(|| Refusal::not_found(format!("{url} is not in the archive as a page: collect it first")))?;
        Ok(Shown { page: snapshot.page(), url: snapshot.capture.url, time: snapshot.info.time })
    }

    fn host(&self) -> Result<&str, Refusal> {
        self.url.host_str().ok_or_else(|| Refusal::bad_request(format!("{} has no host", self.url)))
    }
}

impl ExampleOrder {
    /// An example in a line, as a form carries it on.
    pub(crate) fn to_line(&self) -> String {
        let units: Vec<String> = self.units.iter().map(usize::to_string).collect();
        format!("{} {} {}", self.url, self.at.as_deref().unwrap_or("-"), units.join(","))
    }

    /// Reads such a line.
    pub(crate) fn of_line(line: &str) -> Option<ExampleOrder> {
        let mut parts = line.split(' ');
        let (url, at, units) = (parts.next()?.to_owned(), parts.next()?, parts.next()?);
        let units = units.split(',').filter_map(|number| number.parse().ok()).collect();
        Some(ExampleOrder { url, at: Some(at.to_owned()).filter(|at| at != "-"), units, answer: None })
    }

    /// The clean text of a page.
    fn answer(&self, shown: &Shown) -> String {
        if let Some(answer) = &self.answer {
            return answer.clone();
        }
        let chosen: BTreeSet<usize> = self.units.iter().copied().collect();
        let units = units(&shown.page).into_iter().enumerate().filter(|(number, _)| chosen.contains(number));
        units.map(|(_, unit)| unit.text).collect::<Vec<_>>().join("\n")
    }
}

/// A piece of a page, as small as it takes to tell text from noise.
struct Unit {
    span: Span,
    text: String,
    is_main: bool,
}

/// The pieces of a page that say something. The same page has the same ones each time.
fn units(page: &Page) -> Vec<Unit> {
    let method = method(DEFAULT_METHOD).expect("the default method is one of the methods");
    let judged = method.segmenter(&method.defaults()).judge(page);
    let wanted = Wanted::of(method);
    let unit = |block: &kuai_page::Block| Unit {
        span: block.span,
        text: page.text(block.span, TextOptions::default()),
        is_main: block.label.is_some_and(|label| wanted.labels.contains(&label)),
    };
    let units = judged.tree.leaves().map(unit).filter(|unit| !unit.text.trim().is_empty());
    units.take(UNITS_MAX).collect()
}

fn found(learnt: &Learnt, shown: &[Shown]) -> Vec<FoundAnswer> {
    let line = |(shown, found): (&Shown, &kuai_segment::Found)| FoundAnswer {
        url: shown.url.to_string(),
        share: found.share,
        missing: found.missing.iter().take(10).map(|text| preview(text, UNIT_CHARACTERS)).collect(),
    };
    shown.iter().zip(&learnt.found).map(line).collect()
}

/// The model tried on pages of the site, chosen evenly from those that there are.
fn previews(server: &State, model: &SiteModel, url: &Url, taught: &BTreeSet<&str>) -> Result<Vec<Preview>, Refusal> {
    let prefix = url.join("/").map_err(|_| Refusal::broken())?;
    let rows = server.holdings.archive().urls(prefix.as_str(), None, PREVIEW_ADDRESSES)?;
    let others: Vec<Url> = rows
        .iter()
        .filter(|row| !taught.contains(row.url.as_str()))
        .filter_map(|row| Url::parse(&row.url).ok())
        .collect();
    let step = (others.len() / PREVIEWS).max(1);
    let in_turn = (0..step).flat_map(|first| others.iter().skip(first).step_by(step));
    let shown = in_turn.filter_map(|url| Shown::at(server, url, None).ok());
    Ok(shown.take(PREVIEWS).map(|shown| tried(model, &shown)).collect())
}

fn tried(model: &SiteModel, shown: &Shown) -> Preview {
    let cleaned = model.clean(&shown.page);
    let whole = shown.page.text(shown.page.span(), TextOptions::default()).chars().count().max(1);
    Preview {
        url: shown.url.to_string(),
        time: shown.time.into(),
        title: shown.page.title().to_owned(),
        share: cleaned.as_ref().ok().map(|cleaned| cleaned.text.chars().count() as f64 / whole as f64),
        misfit: cleaned.as_ref().err().map(ToString::to_string),
        text: cleaned.ok().map(|cleaned| cleaned.text.chars().take(PREVIEW_CHARACTERS).collect()),
    }
}

fn overlap(one: Span, other: Span) -> bool {
    one.start < other.end && other.start < one.end
}

/// The models beside the archive, read anew.
fn models(server: &State) -> Option<SiteModels> {
    server.folder.as_deref().map(SiteModels::beside)
}

fn unreadable(error: std::io::Error) -> Refusal {
    eprintln!("kuai: a site model: {error}");
    Refusal::broken()
}
