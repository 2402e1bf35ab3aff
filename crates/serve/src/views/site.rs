//! A site: when it was captured and when its content changed, and its addresses.

use askama::Template;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::days::{DayCount, day_counts};
use super::paging::Paging;
use super::{Time, View};
use crate::holdings::{KeyRange, site_key, site_name};
use crate::plot::{CalendarYear, calendar};
use crate::refusal::Refusal;
use crate::shared::State;
use crate::visitor::Visitor;
use crate::words::Words;

/// Addresses on a page.
const ADDRESSES_PER_PAGE: usize = 50;

/// Which site.
#[derive(Deserialize, IntoParams)]
pub(crate) struct SiteAsked {
    /// Its host, with its port where that is not the usual one: `example.org`.
    name: String,
    /// Which page of its addresses, from 1.
    #[param(minimum = 1)]
    page: Option<usize>,
}

/// What there is of a site.
#[derive(Serialize, ToSchema)]
pub(crate) struct SiteView {
    name: String,
    captures: u64,
    versions: u64,
    content_changes: u64,
    bytes_captured: u64,
    bytes_stored: u64,
    first: Time,
    last: Time,
    /// The days on which something was captured, in order.
    days: Vec<DayCount>,
    paging: Paging,
    addresses: Vec<AddressLine>,
}

/// An address of a site.
#[derive(Serialize, ToSchema)]
struct AddressLine {
    url: String,
    captures: u32,
    first: Time,
    last: Time,
}

#[derive(Template)]
#[template(path = "site.html")]
struct SitePage<'a> {
    visitor: &'a Visitor,
    w: &'a Words,
    view: &'a SiteView,
    calendar: Vec<CalendarYear>,
}

impl View for SiteView {
    type Asked = SiteAsked;
    const NAME: &'static str = "site";
    const ABOUT: &'static str = "What there is of a site: sums, days, addresses.";

    fn read(server: &State, asked: SiteAsked) -> Result<SiteView, Refusal> {
        let holdings = &server.holdings;
        let archive = holdings.archive();
        holdings.refresh()?;
        holdings.tally().refresh(archive)?;
        let key = site_key(&format!("http://{}/", asked.name));
        let sums = holdings.tally().read();
        let unknown = || Refusal::not_found(format!("nothing of {} is in the archive", asked.name));
        let site = sums.sites.get(key.as_str()).ok_or_else(unknown)?.clone();
        drop(sums);
        let paging = Paging::new(asked.page, site.addresses as usize, ADDRESSES_PER_PAGE);
        let urls = holdings.addresses(&KeyRange::prefix(&format!("{key})")), paging.offset(), paging.per_page);
        let mut addresses = Vec::with_capacity(urls.len());
        for url in urls {
            // The first address that begins with an address is itself.
            let row = archive.urls(&url, None, 1)?.into_iter().find(|row| row.url == url);
            addresses.extend(row.map(|row| AddressLine {
                url: row.url,
                captures: row.entry_count,
                first: row.first.into(),
                last: row.last.into(),
            }));
        }
        Ok(SiteView {
            name: site_name(&key),
            captures: site.captures,
            versions: site.versions,
            content_changes: site.changes,
            bytes_captured: site.bytes_captured,
            bytes_stored: site.bytes_stored,
            first: site.first.into(),
            last: site.last.into(),
            days: day_counts(&site.days),
            paging,
            addresses,
        })
    }

    fn page(&self, visitor: &Visitor) -> askama::Result<String> {
        SitePage { visitor, w: visitor.words, view: self, calendar: calendar(&self.days) }.render()
    }
}
