//! A page as it was: which capture, its neighbours in time, and in what light it is shown. The page itself comes from the replay side, in a frame.

use std::time::Duration;

use askama::Template;
use kuai::{HEAT_COLOURS, Heat, Label, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::changes::Changes;
use super::search::Range;
use super::{Time, View};
use crate::holdings::{Moment, nearest};
use crate::refusal::Refusal;
use crate::replay::{Modifier, memento_path};
use crate::shared::State;
use crate::stamp::{earliest, latest};
use crate::target;
use crate::visitor::Visitor;
use crate::words::Words;

/// Passages of a text, and bytes of all of them.
const PASSAGES_MAX: usize = 2000;
const TEXT_BYTES_MAX: usize = 1 << 20;

/// Places on the time line at which content changed; of more the line would be full.
const TICKS_MAX: usize = 400;

/// How the page is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Show {
    /// As it was.
    #[default]
    Page,
    /// With its blocks drawn over it, by kind.
    Kinds,
    /// With its blocks drawn over it, by when they last changed.
    Ages,
    /// With what changed since the page before drawn over it.
    Changes,
    /// The bytes as they came.
    Raw,
    /// Its text only.
    Text,
}

/// Which page, and when.
#[derive(Deserialize, IntoParams)]
pub(crate) struct ReplayAsked {
    /// The address.
    url: String,
    /// The capture nearest to this time, `20260131235959` or its first digits from the year on; the newest without one.
    time: Option<String>,
    /// The same in seconds since 1970.
    second: Option<i64>,
    /// How to show it.
    #[serde(default)]
    #[param(inline)]
    show: Show,
}

/// A capture of a page.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReplayView {
    url: String,
    title: String,
    time: Time,
    status: u16,
    is_page: bool,
    show: Show,
    /// Which capture of the address it is, from 1, and of how many.
    number: usize,
    captures: usize,
    range: Range,
    previous: Option<Time>,
    next: Option<Time>,
    /// When what its reader sees came to be another, before and behind this capture.
    previous_change: Option<Time>,
    next_change: Option<Time>,
    /// How it differs from the page before.
    changes: Changes,
    /// The page before it, to compare it with.
    before: Option<Time>,
    /// Where it is on the replay side, for good.
    memento: String,
    /// When content changed, from 0 to 1000 on the way from the first capture to the last.
    ticks: Vec<i64>,
    /// What the colours stand for, where blocks are drawn by age.
    ages: Vec<AgeStep>,
    /// Its text, where that is wanted.
    text: Vec<Said>,
}

/// A step of heat.
#[derive(Serialize, ToSchema)]
struct AgeStep {
    step: usize,
    colour: &'static str,
    earliest: Time,
    latest: Time,
}

/// A piece of a text.
#[derive(Serialize, ToSchema)]
struct Said {
    kind: Option<&'static str>,
    lines: Vec<String>,
}

#[derive(Template)]
#[template(path = "view.html")]
struct ReplayPage<'a> {
    visitor: &'a Visitor,
    w: &'a Words,
    view: &'a ReplayView,
}

impl View for ReplayView {
    type Asked = ReplayAsked;
    const NAME: &'static str = "view";
    const ABOUT: &'static str = "A page as it was: the capture nearest to a time, its neighbours, and its text.";

    fn read(server: &State, asked: ReplayAsked) -> Result<ReplayView, Refusal> {
        let holdings = &server.holdings;
        let url = target::address(&asked.url)?;
        let moments = holdings.moments(&url)?;
        let chosen = asked.chosen(&moments)?;
        let moment = &moments[chosen];
        let version = &moment.version;
        let (first, last) = (moments[0].time, moments[moments.len() - 1].time);
        let range = Range { first: first.into(), last: last.into() };
        let news: Vec<Timestamp> = moments.iter().filter(|moment| is_news(moment)).map(|moment| moment.time).collect();
        let before = moments.iter().rfind(|other| other.version.is_page && other.version.time < version.time);
        let is_first = !moments.iter().any(|other| other.version.is_page && other.version.time < version.time);
        let mut view = ReplayView {
            url: moment.url.to_string(),
            title: String::new(),
            time: moment.time.into(),
            status: version.status,
            is_page: version.is_page,
            show: asked.show,
            number: chosen + 1,
            captures: moments.len(),
            range,
            previous: chosen.checked_sub(1).map(|place| moments[place].time.into()),
            next: moments.get(chosen + 1).map(|moment| moment.time.into()),
            previous_change: news.iter().rfind(|time| **time < moment.time).map(|time| Time(*time)),
            next_change: news.iter().find(|time| **time > moment.time).map(|time| Time(*time)),
            changes: Changes::of(is_first, Some(&version.changes)),
            before: before.map(|moment| moment.version.time.into()),
            memento: memento_path(moment.time, "", &moment.url),
            ticks: ticks(&news, first, last),
            ages: Vec::new(),
            text: Vec::new(),
        };
        if version.is_page {
            view.read_page(server, moment)?;
        }
        Ok(view)
    }

    fn page(&self, visitor: &Visitor) -> askama::Result<String> {
        ReplayPage { visitor, w: visitor.words, view: self }.render()
    }
}

impl ReplayAsked {
    /// The capture that is meant. Of a day, a month or a year it is the last in it.
    fn chosen(&self, moments: &[Moment]) -> Result<usize, Refusal> {
        let digits = self.time.as_deref().unwrap_or_default().replace(['-', ':', 'T', 'Z', ' '], "");
        let span = earliest(&digits).zip(latest(&digits));
        if span.is_none() && !digits.is_empty() {
            let detail =
                format!("{digits} is no time: write it like 20260131235959, or its first digits from the year on");
            return Err(Refusal::bad_request(detail));
        }
        let second = self.second.and_then(|second| Timestamp::from_second(second).ok());
        let chosen = match span {
            Some((from, until)) => {
                let until = until + Duration::from_secs(1);
                let inside = moments.iter().rposition(|moment| from <= moment.time && moment.time < until);
                inside.or_else(|| nearest(moments, from))
            }
            None => nearest(moments, second.unwrap_or(Timestamp::MAX)),
        };
        chosen.ok_or_else(|| Refusal::not_found(format!("nothing of {} is in the archive", self.url)))
    }
}

impl ReplayView {
    /// What only the page itself tells.
    fn read_page(&mut self, server: &State, moment: &Moment) -> Result<(), Refusal> {
        let archive = server.holdings.archive();
        let Some(page) = archive.page(&moment.url, moment.version.number)? else { return Ok(()) };
        self.title = page.page.title().to_owned();
        match self.show {
            Show::Text => {
                let mut room = TEXT_BYTES_MAX;
                let passages = page.passages().into_iter().take(PASSAGES_MAX).take_while(|passage| {
                    room = room.saturating_sub(passage.text.len());
                    room > 0
                });
                let said = passages.map(|passage| Said {
                    kind: passage.label.map(Label::name),
                    lines: passage.text.lines().map(str::to_owned).collect(),
                });
                self.text = said.collect();
            }
            Show::Ages => {
                let blame = archive.blame(&moment.url, Some(moment.time))?;
                let step = |(step, latest, earliest): (usize, Timestamp, Timestamp)| AgeStep {
                    step,
                    colour: HEAT_COLOURS[step],
                    earliest: earliest.into(),
                    latest: latest.into(),
                };
                self.ages = Heat::of(&blame.blocks).ranges().into_iter().map(step).collect();
            }
            _ => {}
        }
        Ok(())
    }

    /// Where the frame finds the page, behind the prefix of the replay side.
    fn framed(&self) -> String {
        let letters = match self.show {
            Show::Page | Show::Text => Modifier::Main,
            Show::Kinds => Modifier::Kinds,
            Show::Ages => Modifier::Ages,
            Show::Changes => Modifier::Changes,
            Show::Raw => Modifier::Raw,
        };
        format!("{}{}/{}", self.time.stamp(), letters.letters(), self.url)
    }
}

impl ReplayPage<'_> {
    /// Each way to show the page: what it is called, where it is, and whether it is this.
    fn lights(&self) -> Vec<(&'static str, String, bool)> {
        let w = self.w;
        let ways = [
            (w.show_page, "page", Show::Page),
            (w.show_kinds, "kinds", Show::Kinds),
            (w.show_ages, "ages", Show::Ages),
            (w.show_changes, "changes", Show::Changes),
            (w.show_text, "text", Show::Text),
            (w.show_raw, "raw", Show::Raw),
        ];
        ways.into_iter()
            .map(|(name, value, show)| (name, self.visitor.with("show", value), show == self.view.show))
            .collect()
    }
}

/// Whether a reader had something new to read in a capture.
fn is_news(moment: &Moment) -> bool {
    let version = &moment.version;
    !moment.is_again && version.is_page && (version.changes.is_content_changed() || version.number == 0)
}

fn ticks(news: &[Timestamp], first: Timestamp, last: Timestamp) -> Vec<i64> {
    let (first, length) = (first.as_second(), (last.as_second() - first.as_second()).max(1));
    let mut ticks: Vec<i64> = news.iter().map(|time| (time.as_second() - first) * 1000 / length).collect();
    ticks.dedup();
    ticks.truncate(TICKS_MAX);
    ticks
}
