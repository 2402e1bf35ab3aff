//! Links that died: addresses that answer 404 or 410, and the pages that still link to them.

use std::collections::BTreeMap;

use kuai_archive::Archive;
use kuai_page::Url;

use super::{Extent, Finding};
use crate::error::Error;
use crate::links::{page_address, targets};
use crate::period::Period;
use crate::rank::votes;
use crate::target::{Target, target};
use crate::walk::{Going, each_url, newest, read};

/// Pages that are named for each dead address.
const NAMED_MAX: usize = 100;

/// Dead addresses that are told.
const FINDINGS_MAX: usize = 10_000;

pub(super) fn died(archive: &Archive, extent: &Extent, going: Going<'_>) -> Result<Vec<Finding>, Error> {
    let mut dead: BTreeMap<Url, (Target, Vec<Url>)> = BTreeMap::new();
    each_url(archive, going, |url| {
        let state = target(archive, url, extent.to)?;
        if dead.len() < FINDINGS_MAX && matches!(state, Target::Dead { since, .. } if extent.has(since)) {
            dead.insert(page_address(url.clone()), (state, Vec::new()));
        }
        Ok(())
    })?;
    if dead.is_empty() {
        return Ok(Vec::new());
    }
    each_url(archive, going, |from| {
        let sightings = if extent.has_site(from) { archive.sightings(from)? } else { Vec::new() };
        let Some(shown) = newest(&sightings, Period::At(extent.to)) else { return Ok(()) };
        let Some(page) = read(archive, from, shown.number)? else { return Ok(()) };
        for (to, ..) in targets(&page).filter(|(_, label, _)| votes(*label)) {
            if let Some((_, linked_from)) = dead.get_mut(&to)
                && linked_from.len() < NAMED_MAX
                && linked_from.last() != Some(from)
            {
                linked_from.push(from.clone());
            }
        }
        Ok(())
    })?;
    let mut findings: Vec<Finding> =
        dead.into_iter().filter_map(|(url, (state, from))| finding(url, &state, from)).collect();
    findings.sort_by_key(|finding| match finding {
        Finding::Died { linked_from, .. } => std::cmp::Reverse(linked_from.len()),
        _ => std::cmp::Reverse(0),
    });
    Ok(findings)
}

/// A dead address that somebody links to.
fn finding(url: Url, state: &Target, linked_from: Vec<Url>) -> Option<Finding> {
    let Target::Dead { status, since, last_there } = *state else { return None };
    (!linked_from.is_empty()).then_some(Finding::Died { url, status, since, last_there, linked_from })
}
