//! Which page stood at an address when: every capture that showed one, in the order of time.
//!
//! A failed fetch shows no page and ends none.

use kuai_page::{Timestamp, Url};

use crate::Error;
use crate::archive::Archive;
use crate::history::{VersionInfo, assign};

/// A capture that showed a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sighting {
    /// When it was taken.
    pub time: Timestamp,
    /// Its place in the change feed.
    pub sequence: u64,
    /// The number of the version that it showed, which an earlier capture may have shown already.
    pub number: u32,
}

impl Archive {
    /// All captures of an address that showed a page, in the order of time; none for an unknown address.
    pub fn sightings(&self, url: &Url) -> Result<Vec<Sighting>, Error> {
        let mut sightings = Vec::new();
        let mut see = |version: &VersionInfo, time, sequence| {
            if version.is_page {
                sightings.push(Sighting { time, sequence, number: version.number });
            }
        };
        assign(self.rows(url)?, &mut see);
        Ok(sightings)
    }
}
