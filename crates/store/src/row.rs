//! What the catalogue knows of a reel, of a blob, and of the archive as a whole.

use jiff::Timestamp;
use kuai_archive::{FIGURES_MAX, UrlRow};

use crate::facts::Facts;
use crate::record::{Place, Root};

/// A reel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReelRow {
    pub(crate) number: u32,
    pub(crate) url: String,
    pub(crate) root: Option<Root>,
    /// Entries of the URL in earlier reels.
    pub(crate) first_number: u32,
    pub(crate) entry_count: u32,
    /// The earliest and the latest time of an entry.
    pub(crate) first: Timestamp,
    pub(crate) last: Timestamp,
    /// The newest entry.
    pub(crate) newest: Facts,
    pub(crate) packed: Option<Packed>,
    /// The record of the newest entry, if a log has it.
    pub(crate) record: Option<Place>,
}

/// The object of a reel in a pack, and how many entries it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Packed {
    pub(crate) object: ObjectPlace,
    pub(crate) entry_count: u32,
}

/// A span of a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ObjectPlace {
    pub(crate) pack: u32,
    pub(crate) offset: u64,
    pub(crate) length: u64,
}

/// Where a blob lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlobPlace {
    Log(Place),
    Pack(ObjectPlace),
}

/// How far the catalogue is, and sums over everything up to there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct State {
    /// The first record that the catalogue does not know.
    pub(crate) indexed: Place,
    /// The oldest log that is not compacted.
    pub(crate) first_log: u32,
    pub(crate) next_reel: u32,
    pub(crate) url_count: u64,
    pub(crate) entry_count: u64,
    pub(crate) bytes_given: u64,
    pub(crate) figures: [u64; FIGURES_MAX],
}

impl ReelRow {
    /// A reel that has no entry yet.
    pub(crate) fn new(number: u32, url: &str, root: Option<Root>, first_number: u32) -> ReelRow {
        ReelRow {
            number,
            url: url.to_owned(),
            root,
            first_number,
            entry_count: 0,
            first: Timestamp::MAX,
            last: Timestamp::MIN,
            newest: Facts::default(),
            packed: None,
            record: None,
        }
    }

    /// Counts an entry.
    pub(crate) fn add(&mut self, facts: Facts, record: Option<Place>) {
        self.entry_count += 1;
        self.first = self.first.min(facts.time);
        self.last = self.last.max(facts.time);
        self.newest = facts;
        self.record = record;
    }

    /// The number that the URL's next entry will have.
    pub(crate) fn next_number(&self) -> u32 {
        self.first_number + self.entry_count
    }

    /// How many entries lie in a pack.
    pub(crate) fn packed_count(&self) -> u32 {
        self.packed.map_or(0, |packed| packed.entry_count)
    }

    /// The reel as a listing of URLs counts it.
    pub(crate) fn url_row(&self) -> UrlRow {
        UrlRow { url: self.url.clone(), entry_count: self.entry_count, first: self.first, last: self.last }
    }
}

impl State {
    /// Nothing is known; logs begin at number 1.
    pub(crate) fn new() -> State {
        State {
            indexed: Place { log: 1, offset: 0 },
            first_log: 1,
            next_reel: 0,
            url_count: 0,
            entry_count: 0,
            bytes_given: 0,
            figures: [0; FIGURES_MAX],
        }
    }

    /// Counts an entry.
    pub(crate) fn add(&mut self, facts: &Facts, is_new_url: bool) {
        self.url_count += u64::from(is_new_url);
        self.entry_count += 1;
        self.bytes_given += facts.body_length + facts.head_length;
        for (sum, figure) in self.figures.iter_mut().zip(facts.figures) {
            *sum += u64::from(figure);
        }
    }
}
