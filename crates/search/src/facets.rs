//! How many of the documents that match were first seen in each year, stand on each site, and are of each kind.

use std::collections::BTreeMap;

use jiff::tz::Offset;
use kuai_page::Label;
use rustc_hash::FxHashMap;
use tantivy::DocId;

use crate::schema::{kind_of, time};
use crate::view::{Columns, Names};

/// Counts of what matches; a block counts once for each page and lifetime.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facets {
    /// By the year in which they were first seen.
    pub years: BTreeMap<i16, u64>,
    /// By the host of their page.
    pub sites: BTreeMap<String, u64>,
    /// By what they are for.
    pub kinds: BTreeMap<Option<Label>, u64>,
}

impl Facets {
    pub(crate) fn add(&mut self, other: Facets) {
        other.years.into_iter().for_each(|(year, count)| *self.years.entry(year).or_default() += count);
        other.sites.into_iter().for_each(|(site, count)| *self.sites.entry(site).or_default() += count);
        other.kinds.into_iter().for_each(|(kind, count)| *self.kinds.entry(kind).or_default() += count);
    }
}

/// Counts of a segment, by the numbers that it has for things.
pub(crate) struct SegmentFacets {
    hosts: Names,
    by_year: FxHashMap<i16, u64>,
    by_host: FxHashMap<u64, u64>,
    by_kind: FxHashMap<u64, u64>,
}

impl SegmentFacets {
    pub(crate) fn new(columns: &Columns) -> SegmentFacets {
        SegmentFacets {
            hosts: columns.host.clone(),
            by_year: FxHashMap::default(),
            by_host: FxHashMap::default(),
            by_kind: FxHashMap::default(),
        }
    }

    pub(crate) fn count(&mut self, doc: DocId, first: i64, kind: u64) {
        *self.by_year.entry(year(first)).or_default() += 1;
        *self.by_kind.entry(kind).or_default() += 1;
        if let Some(host) = self.hosts.ord(doc) {
            *self.by_host.entry(host).or_default() += 1;
        }
    }

    pub(crate) fn harvest(self) -> Facets {
        let mut facets = Facets { years: self.by_year.into_iter().collect(), ..Facets::default() };
        for (kind, count) in self.by_kind {
            *facets.kinds.entry(kind_of(kind)).or_default() += count;
        }
        for (host, count) in self.by_host {
            *facets.sites.entry(self.hosts.name(host)).or_default() += count;
        }
        facets
    }
}

fn year(first: i64) -> i16 {
    Offset::UTC.to_datetime(time(first)).year()
}
