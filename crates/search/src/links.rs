//! The links of a page, out of it and into it, with the kind of block that each stands in and from when to when it stood there.
//!
//! A link is known by where it leads and the kind of its block. As with texts, it lives from the capture that shows it to the first capture of
//! the page that does not; a failed fetch ends nothing. A fragment leads to the same page, and a page's links to itself are none.

use kuai_archive::{Archive, CutPage};
use kuai_page::{Label, Timestamp, Url};
use rustc_hash::FxHashMap;

use crate::error::Error;
use crate::period::Period;
use crate::schema::{NEVER, kind_number, moment};
use crate::walk::{Going, each_url, newest, read};

/// Letters of what a link says that are kept.
const TEXT_LETTERS_MAX: usize = 200;

/// Links into a page that are told at most.
const LINKS_IN_MAX: usize = 100_000;

/// A link, from when to when it stood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageLink {
    /// The page that it stands on.
    pub from: Url,
    /// Where it leads.
    pub to: Url,
    /// What its block is for.
    pub label: Option<Label>,
    /// What it said when it was first seen.
    pub text: String,
    /// The first capture that showed it.
    pub first_seen: Timestamp,
    /// The last capture that showed it.
    pub last_seen: Timestamp,
    /// The first capture of the page that did not show it any more.
    pub gone: Option<Timestamp>,
}

impl PageLink {
    fn is_in(&self, period: Period) -> bool {
        period.has(moment(self.first_seen), self.gone.map_or(NEVER, moment))
    }
}

/// The links out of a page in a period, by the kind of their blocks, then by when they came.
pub fn links_out(archive: &Archive, url: &Url, period: Period) -> Result<Vec<PageLink>, Error> {
    let mut links = lifetimes(archive, url, |_| true)?;
    links.retain(|link| link.is_in(period));
    sort(&mut links);
    Ok(links)
}

/// The links into a page in a period, from all pages of the archive; asks each of them.
pub fn links_in(archive: &Archive, url: &Url, period: Period, going: Going<'_>) -> Result<Vec<PageLink>, Error> {
    let wanted = page_address(url.clone());
    let mut links = Vec::new();
    each_url(archive, going, |from| {
        if links.len() < LINKS_IN_MAX && may_link(archive, from, &wanted, period)? {
            links.extend(lifetimes(archive, from, |to| *to == wanted)?.into_iter().filter(|link| link.is_in(period)));
        }
        Ok(())
    })?;
    sort(&mut links);
    Ok(links)
}

/// The addresses that a page links to, each with the label of its block and what it says, in the order of the page.
pub(crate) fn targets(page: &CutPage) -> impl Iterator<Item = (Url, Option<Label>, String)> {
    let own = page.page.url().cloned().map(page_address);
    page.links().into_iter().filter_map(move |link| {
        let to = page_address(link.url.filter(|url| matches!(url.scheme(), "http" | "https"))?);
        let label = page.outline.blocks.get(link.block).and_then(|block| block.label);
        (own.as_ref() != Some(&to)).then_some((to, label, link.text))
    })
}

/// The page that an address leads to, wherever in it.
pub(crate) fn page_address(mut url: Url) -> Url {
    url.set_fragment(None);
    url
}

/// Whether it is worth reading all versions of a page. Of one moment, a single version tells.
fn may_link(archive: &Archive, from: &Url, wanted: &Url, period: Period) -> Result<bool, Error> {
    if !matches!(period, Period::Now | Period::At(_)) {
        return Ok(true);
    }
    let sightings = archive.sightings(from)?;
    let Some(shown) = newest(&sightings, period) else { return Ok(false) };
    let page = read(archive, from, shown.number)?;
    Ok(page.is_some_and(|page| targets(&page).any(|(to, ..)| to == *wanted)))
}

/// All links of a page that lead where they are wanted, from when to when.
fn lifetimes(archive: &Archive, from: &Url, is_wanted: impl Fn(&Url) -> bool) -> Result<Vec<PageLink>, Error> {
    let mut ended = Vec::new();
    let mut open: FxHashMap<(Url, u64), PageLink> = FxHashMap::default();
    let (mut shown, mut last) = (None, None);
    for sighting in archive.sightings(from)? {
        if shown == Some(sighting.number) {
            last = Some(sighting.time);
            continue;
        }
        let Some(page) = read(archive, from, sighting.number)? else { continue };
        let mut before = std::mem::take(&mut open);
        for (to, label, text) in targets(&page).filter(|(to, ..)| is_wanted(to)) {
            let key = (to.clone(), kind_number(label));
            if open.contains_key(&key) {
                continue;
            }
            let text = text.chars().take(TEXT_LETTERS_MAX).collect();
            let (first_seen, last_seen) = (sighting.time, sighting.time);
            let born = || PageLink { from: from.clone(), to, label, text, first_seen, last_seen, gone: None };
            let link = before.remove(&key).unwrap_or_else(born);
            open.insert(key, link);
        }
        let gone = Some(sighting.time);
        ended.extend(before.into_values().map(|link| PageLink {
            last_seen: last.unwrap_or(link.first_seen),
            gone,
            ..link
        }));
        (shown, last) = (Some(sighting.number), Some(sighting.time));
    }
    ended.extend(open.into_values().map(|link| PageLink { last_seen: last.unwrap_or(link.first_seen), ..link }));
    Ok(ended)
}

fn sort(links: &mut [PageLink]) {
    // What has no label comes last.
    let order = |link: &PageLink| link.label.map_or(u64::MAX, |label| kind_number(Some(label)));
    links.sort_by(|a, b| (order(a), a.first_seen, &a.from, &a.to).cmp(&(order(b), b.first_seen, &b.from, &b.to)));
}
