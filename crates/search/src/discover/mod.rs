//! What is worth knowing in an archive without having asked for it: bursts of change, texts that spread from site to site, pages that drifted away
//! from their topic, links that died. Every finding carries its evidence: addresses, times and words.

mod bursts;
mod died;
mod drift;
mod spread;

use kuai_archive::Archive;
use kuai_page::{Timestamp, Url};

use crate::error::Error;
use crate::index::Index;
use crate::topics::is_below;
use crate::walk::Going;

/// Which part of an archive is looked at.
#[derive(Clone, Debug)]
pub struct Extent {
    /// Nothing that happened before.
    pub from: Timestamp,
    /// Nothing that happened later.
    pub to: Timestamp,
    /// Only pages of this host and of those below it.
    pub site: Option<String>,
}

/// Something that was found, with the evidence for it.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding {
    /// The content of a page changed much more often than it does otherwise.
    Burst {
        /// The page.
        url: Url,
        /// Changes in the burst.
        changes: u32,
        /// The first of them.
        from: Timestamp,
        /// The last of them.
        to: Timestamp,
        /// All changes of the page.
        all: u32,
        /// The first and the last change of the page.
        life: (Timestamp, Timestamp),
    },
    /// A text was on one site and later on others.
    Spread {
        /// What it says.
        text: String,
        /// A page of each site and when it was first seen there, earliest first.
        stations: Vec<(String, Timestamp)>,
    },
    /// A page that kept to its topic before and after talks about something else now.
    Drift {
        /// The page.
        url: Url,
        /// The first capture that was compared.
        from: Timestamp,
        /// The last capture that was compared.
        to: Timestamp,
        /// How alike their words are, from 0 to 1.
        likeness: f32,
        /// Words that weigh most in the first.
        before: Vec<String>,
        /// Words that weigh most in the last.
        after: Vec<String>,
    },
    /// An address that pages link to answers that there is nothing any more.
    Died {
        /// The address.
        url: Url,
        /// 404 or 410.
        status: u16,
        /// The first capture that says so.
        since: Timestamp,
        /// The last capture that gave something.
        last_there: Option<Timestamp>,
        /// Pages that link to it.
        linked_from: Vec<Url>,
    },
}

impl Extent {
    pub(crate) fn has(&self, time: Timestamp) -> bool {
        self.from <= time && time <= self.to
    }

    pub(crate) fn has_site(&self, url: &Url) -> bool {
        let host = url.host_str().unwrap_or_default();
        self.site.as_deref().is_none_or(|site| is_below(host, site))
    }
}

impl Index {
    /// Everything that is worth telling of a part of an archive: sort by sort, and within a sort what stands out most first.
    pub fn discover(&self, archive: &Archive, extent: &Extent, going: Going<'_>) -> Result<Vec<Finding>, Error> {
        let mut findings = bursts::bursts(archive, extent, going)?;
        findings.extend(self.spread(archive, extent)?);
        findings.extend(self.drifted(archive, extent, going)?);
        findings.extend(died::died(archive, extent, going)?);
        Ok(findings)
    }
}
