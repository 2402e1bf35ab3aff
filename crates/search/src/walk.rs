//! Goes through all addresses of an archive, a page of the listing at a time.

use kuai_archive::{Archive, CutPage, Error as ArchiveError, Sighting, StoreError};
use kuai_page::{Timestamp, Url};

use crate::error::Error;
use crate::period::Period;

/// Addresses that are asked for at a time.
const LISTED: usize = 1_000;

/// Told how many addresses were looked at, of how many; answers whether to go on.
pub type Going<'a> = &'a mut dyn FnMut(u64, u64) -> bool;

/// Visits every address in the order of the listing. Says whether it came to the end.
pub(crate) fn each_url(
    archive: &Archive,
    going: Going<'_>,
    mut visit: impl FnMut(&Url) -> Result<(), Error>,
) -> Result<bool, Error> {
    let total = archive.stats()?.urls;
    let (mut done, mut after) = (0, None::<String>);
    loop {
        let rows = archive.urls("", after.as_deref(), LISTED)?;
        let Some(last) = rows.last() else { return Ok(true) };
        after = Some(last.url.clone());
        for row in rows {
            if !going(done, total.max(done)) {
                return Ok(false);
            }
            if let Ok(url) = Url::parse(&row.url) {
                visit(&url)?;
            }
            done += 1;
        }
    }
}

/// A version of a page; none where it cannot be read any more, which `kuai verify` says more about.
pub(crate) fn read(archive: &Archive, url: &Url, number: u32) -> Result<Option<CutPage>, Error> {
    match archive.page(url, number) {
        Ok(page) => Ok(page),
        Err(ArchiveError::BadNotes { .. } | ArchiveError::Store(StoreError::Damaged { .. })) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The capture that shows the page of an address at the end of a period.
pub(crate) fn newest(sightings: &[Sighting], period: Period) -> Option<&Sighting> {
    let end = period.end();
    sightings.iter().rev().find(|sighting| sighting.time <= end)
}

impl Period {
    /// Nothing that came later belongs to the period.
    pub(crate) fn end(self) -> Timestamp {
        match self {
            Period::Now | Period::Ever => Timestamp::MAX,
            Period::At(time) | Period::Between(_, time) => time,
        }
    }
}
