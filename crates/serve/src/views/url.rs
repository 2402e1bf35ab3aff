//! An address: its captures and content changes by day, and its versions with what changed in each.

use std::collections::BTreeMap;

use askama::Template;
use kuai::VersionInfo;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::changes::Changes;
use super::days::{DayCount, day_counts};
use super::paging::Paging;
use super::{Time, View};
use crate::holdings::{Day, day_number, site_key, site_name};
use crate::plot::{CalendarYear, calendar};
use crate::refusal::Refusal;
use crate::shared::State;
use crate::target;
use crate::visitor::Visitor;
use crate::words::Words;

/// Versions on a page.
const VERSIONS_PER_PAGE: usize = 50;

/// Which address.
#[derive(Deserialize, IntoParams)]
pub(crate) struct UrlAsked {
    /// The address, as it was captured or in another common spelling.
    url: String,
    /// Which page of its versions, from 1, the newest first.
    #[param(minimum = 1)]
    page: Option<usize>,
    /// Whether to leave out versions whose content reads as before.
    content: Option<bool>,
}

/// The history of an address.
#[derive(Serialize, ToSchema)]
pub(crate) struct UrlView {
    url: String,
    /// The title of its newest page.
    title: String,
    site: String,
    captures: u64,
    versions: u64,
    content_changes: u64,
    bytes_captured: u64,
    bytes_stored: u64,
    first: Time,
    last: Time,
    /// The days on which it was captured, in order.
    days: Vec<DayCount>,
    /// Whether versions whose content reads as before are left out.
    is_content_only: bool,
    paging: Paging,
    history: Vec<VersionLine>,
}

/// A version, the newest first.
#[derive(Clone, Serialize, ToSchema)]
struct VersionLine {
    /// The capture that showed it first.
    time: Time,
    /// The last capture that showed it before another version came.
    last_seen: Time,
    captures: usize,
    status: u16,
    is_page: bool,
    blocks: u32,
    bytes: u64,
    bytes_stored: u64,
    changes: Changes,
    /// The page before it, to compare it with.
    before: Option<Time>,
}

#[derive(Template)]
#[template(path = "url.html")]
struct UrlPage<'a> {
    visitor: &'a Visitor,
    w: &'a Words,
    view: &'a UrlView,
    calendar: Vec<CalendarYear>,
}

impl View for UrlView {
    type Asked = UrlAsked;
    const NAME: &'static str = "url";
    const ABOUT: &'static str = "The history of an address: days, versions and what changed in each.";

    fn read(server: &State, asked: UrlAsked) -> Result<UrlView, Refusal> {
        let holdings = &server.holdings;
        let archive = holdings.archive();
        let url = holdings.known(&target::address(&asked.url)?)?;
        let history = archive.history(&url)?;
        let is_content_only = asked.content.unwrap_or(false);
        let lines = lines(&history);
        let shown: Vec<&VersionLine> = lines.iter().rev().filter(|line| !is_content_only || line.is_news()).collect();
        let paging = Paging::new(asked.page, shown.len(), VERSIONS_PER_PAGE);
        let newest_page = history.iter().rev().find(|version| version.is_page);
        let title = newest_page.map(|version| archive.read(&url, version)).transpose()?;
        let captures = |version: &VersionInfo| 1 + version.seen_again.len() as u64;
        let (first, last) = match (lines.first(), lines.iter().map(|line| line.last_seen).max()) {
            (Some(first), Some(last)) => (first.time, last),
            _ => return Err(Refusal::not_found(format!("nothing of {url} is in the archive"))),
        };
        let history_shown = paging.of(&shown).iter().map(|line| (*line).clone()).collect();
        Ok(UrlView {
            title: title.map(|snapshot| snapshot.page().title().to_owned()).unwrap_or_default(),
            site: site_name(&site_key(url.as_str())),
            captures: history.iter().map(captures).sum(),
            versions: history.len() as u64,
            content_changes: lines.iter().filter(|line| line.changes.is_content).count() as u64,
            bytes_captured: history.iter().map(|version| version.bytes * captures(version)).sum(),
            bytes_stored: history.iter().map(|version| version.stored).sum(),
            first,
            last,
            days: day_counts(&days(&history)),
            is_content_only,
            paging,
            history: history_shown,
            url: url.into(),
        })
    }

    fn page(&self, visitor: &Visitor) -> askama::Result<String> {
        UrlPage { visitor, w: visitor.words, view: self, calendar: calendar(&self.days) }.render()
    }
}

impl VersionLine {
    /// Whether a reader has something new to read in it.
    fn is_news(&self) -> bool {
        self.changes.is_content || self.changes.is_first
    }
}

/// All versions in the order of time.
fn lines(history: &[VersionInfo]) -> Vec<VersionLine> {
    let mut before: Option<Time> = None;
    let line = |version: &VersionInfo| {
        let is_first = version.is_page && before.is_none();
        let line = VersionLine {
            time: version.time.into(),
            last_seen: version.seen_again.iter().copied().chain([version.time]).max().unwrap_or(version.time).into(),
            captures: 1 + version.seen_again.len(),
            status: version.status,
            is_page: version.is_page,
            blocks: version.changes.blocks,
            bytes: version.bytes,
            bytes_stored: version.stored,
            changes: Changes::of(is_first, Some(&version.changes)),
            before: before.filter(|_| version.is_page),
        };
        if version.is_page {
            before = Some(version.time.into());
        }
        line
    };
    history.iter().map(line).collect()
}

/// Captures and content changes by day.
fn days(history: &[VersionInfo]) -> BTreeMap<i32, Day> {
    let mut days: BTreeMap<i32, Day> = BTreeMap::new();
    for version in history {
        for time in version.seen_again.iter().chain([&version.time]) {
            days.entry(day_number(*time)).or_default().captures += 1;
        }
        days.entry(day_number(version.time)).or_default().changes += u32::from(version.changes.is_content_changed());
    }
    days
}
