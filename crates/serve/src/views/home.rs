//! The first page: what the archive holds, site by site, what came last and what is due.

use std::cmp::Reverse;

use askama::Template;
use kuai::{Change, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::changes::Changes;
use super::paging::Paging;
use super::{Time, View};
use crate::holdings::{Day, Site, site_name};
use crate::refusal::Refusal;
use crate::shared::State;
use crate::visitor::Visitor;
use crate::words::Words;

/// Sites on a page.
const SITES_PER_PAGE: usize = 20;

/// Captures that are told.
const LAST_CAPTURES: u64 = 12;

/// Planned visits that are told.
const DUE_MAX: usize = 12;

/// Parts of a change curve.
const CURVE_PARTS: usize = 30;

/// What can be asked of the home page.
#[derive(Deserialize, IntoParams)]
pub(crate) struct HomeAsked {
    /// Which page of the list of sites, from 1.
    #[param(minimum = 1)]
    page: Option<usize>,
}

/// What the archive holds.
#[derive(Serialize, ToSchema)]
pub(crate) struct HomeView {
    totals: Totals,
    /// Whether the counts of sites are still growing.
    is_counting: bool,
    paging: Paging,
    sites: Vec<SiteLine>,
    last_captures: Vec<LastCapture>,
    due: Vec<Due>,
}

/// Sums over the archive.
#[derive(Serialize, ToSchema)]
struct Totals {
    addresses: u64,
    captures: u64,
    versions: u64,
    blocks: u64,
    bytes_captured: u64,
    bytes_stored: u64,
}

/// What there is of a site.
#[derive(Serialize, ToSchema)]
pub(super) struct SiteLine {
    pub(super) name: String,
    addresses: u64,
    captures: u64,
    versions: u64,
    content_changes: u64,
    first: Time,
    last: Time,
    /// Content changes from the first capture to the last, in equal parts of that time.
    curve: Vec<u64>,
}

/// A capture that came in a short while ago.
#[derive(Serialize, ToSchema)]
struct LastCapture {
    url: String,
    time: Time,
    status: u16,
    changes: Changes,
}

/// A planned visit.
#[derive(Serialize, ToSchema)]
struct Due {
    url: String,
    due: Time,
    why: String,
}

#[derive(Template)]
#[template(path = "home.html")]
struct HomePage<'a> {
    visitor: &'a Visitor,
    w: &'a Words,
    view: &'a HomeView,
}

impl View for HomeView {
    type Asked = HomeAsked;
    const NAME: &'static str = "home";
    const ABOUT: &'static str = "What the archive holds: sums, sites, the last captures and what is due.";

    fn read(server: &State, asked: HomeAsked) -> Result<HomeView, Refusal> {
        let holdings = &server.holdings;
        let archive = holdings.archive();
        let stats = archive.stats()?;
        let is_counting = !holdings.tally().refresh(archive)?;
        let sums = holdings.tally().read();
        let mut order: Vec<(&str, &Site)> = sums.sites.iter().map(|(key, site)| (&**key, site)).collect();
        order.sort_by_key(|(key, site)| (Reverse(site.captures), *key));
        let paging = Paging::new(asked.page, order.len(), SITES_PER_PAGE);
        let last = archive.changes(stats.captures.saturating_sub(LAST_CAPTURES), LAST_CAPTURES as usize)?;
        Ok(HomeView {
            totals: Totals {
                addresses: stats.urls,
                captures: stats.captures,
                versions: stats.versions,
                blocks: stats.blocks,
                bytes_captured: stats.bytes_captured,
                bytes_stored: stats.bytes_stored,
            },
            is_counting,
            sites: paging.of(&order).iter().map(|(key, site)| SiteLine::new(key, site)).collect(),
            paging,
            last_captures: last.iter().rev().map(LastCapture::new).collect(),
            due: due(server)?,
        })
    }

    fn page(&self, visitor: &Visitor) -> askama::Result<String> {
        HomePage { visitor, w: visitor.words, view: self }.render()
    }
}

impl SiteLine {
    pub(super) fn new(key: &str, site: &Site) -> SiteLine {
        SiteLine {
            name: site_name(key),
            addresses: site.addresses,
            captures: site.captures,
            versions: site.versions,
            content_changes: site.changes,
            first: site.first.into(),
            last: site.last.into(),
            curve: curve(site),
        }
    }
}

impl LastCapture {
    fn new(change: &Change) -> LastCapture {
        LastCapture {
            url: change.url.clone(),
            time: change.row.time.into(),
            status: change.status(),
            changes: Changes::of(change.row.number == 0, change.changes().as_ref()),
        }
    }
}

/// Content changes of a site in equal parts of its time.
fn curve(site: &Site) -> Vec<u64> {
    let mut parts = vec![0; CURVE_PARTS];
    let ends = [site.days.first_key_value(), site.days.last_key_value()];
    let [Some((first, _)), Some((last, _))] = ends else { return parts };
    let length = (i64::from(*last) - i64::from(*first) + 1) as usize;
    for (day, Day { changes, .. }) in &site.days {
        let place = (i64::from(*day) - i64::from(*first)) as usize * CURVE_PARTS / length;
        parts[place] += u64::from(*changes);
    }
    parts
}

/// What is to be visited by now. Planned visits belong to the archive, so every crawl knows them all.
fn due(server: &State) -> Result<Vec<Due>, Refusal> {
    let Some(place) = &server.place else { return Ok(Vec::new()) };
    let visits = kuai::read_frontiers(place).and_then(|frontiers| match frontiers.first() {
        Some((_, frontier)) => Ok(frontier.due(Some(Timestamp::now()), DUE_MAX)?),
        None => Ok(Vec::new()),
    });
    let visits = visits.map_err(|error| {
        eprintln!("kuai: {error}");
        Refusal::broken()
    })?;
    let line = |visit: kuai::DueVisit| Due { url: visit.url.into(), due: visit.due.into(), why: visit.why };
    Ok(visits.into_iter().map(line).collect())
}
