//! Where things lie right now: the catalogue, and over it what came in since it was last written.
//!
//! Writers and readers learn from the same records, one as they are written, the other as they are found in the log; so both
//! know the same, and the catalogue need be written only now and then.

use std::collections::{BTreeMap, HashMap, HashSet};

use kuai_archive::{ContentHash, StoreError, UrlRow};

use crate::catalogue::Catalogue;
use crate::errors::damaged;
use crate::facts::Facts;
use crate::files::{FileId, Files};
use crate::host::host_of;
use crate::limits::{UNINDEXED_ENTRIES_MAX, UNINDEXED_LENGTH_MAX};
use crate::log::{self, End, HEADER_LENGTH, Passed};
use crate::record::{EntryRecord, Place, Record};
use crate::row::{BlobPlace, ReelRow, State};
use crate::varint::Cursor;

/// A host and a URL of it, in the order of listings.
pub(crate) type Address = (String, String);

/// Where things lie.
#[derive(Debug)]
pub(crate) struct Index {
    pub(crate) catalogue: Catalogue,
    /// With everything recent.
    pub(crate) state: State,
    recent: Recent,
}

/// What the catalogue does not have yet.
#[derive(Debug, Default)]
struct Recent {
    /// Reels that changed, as they are now.
    reels: BTreeMap<u32, ReelRow>,
    /// Those of each URL, in order.
    reels_of: HashMap<String, Vec<u32>>,
    /// What came to each URL.
    added: BTreeMap<Address, UrlRow>,
    blobs: HashMap<ContentHash, BlobPlace>,
    /// URLs that the catalogue does not have; one is asked for several times until it gets its first reel.
    absent: HashSet<String>,
    entry_count: usize,
    length: u64,
}

impl Index {
    pub(crate) fn new(catalogue: Catalogue) -> Result<Index, StoreError> {
        let state = catalogue.state()?;
        Ok(Index { catalogue, state, recent: Recent::default() })
    }

    /// Forgets what is recent and begins with the catalogue again.
    pub(crate) fn restart(&mut self) -> Result<(), StoreError> {
        self.recent = Recent::default();
        self.state = self.catalogue.state()?;
        Ok(())
    }

    /// Reads what the logs have beyond what is known. Tells how the newest log ends; [`End::Sealed`] if there is none.
    pub(crate) fn catch_up(&mut self, files: &Files) -> Result<End, StoreError> {
        loop {
            let Place { log, offset } = self.state.indexed;
            let path = files.path(FileId::Log(log));
            if offset == 0 && !path.exists() {
                return Ok(End::Sealed);
            }
            if offset == 0 {
                let first_sequence = match log::first_sequence(files, log) {
                    Err(StoreError::Damaged { .. }) if is_newest(files, log) => return Ok(End::Torn),
                    sequence => sequence?,
                };
                if first_sequence != self.state.entry_count + 1 {
                    return Err(damaged(&path, "its first entry does not follow the last one of the log before"));
                }
            }
            if files.length(FileId::Log(log))? < offset {
                return Err(damaged(&path, format!("it ends before {offset}, where the catalogue knows records")));
            }
            let from = offset.max(HEADER_LENGTH as u64);
            self.state.indexed.offset = from;
            let (_, end) = log::pass_through(files, log, from, &mut |passed| {
                self.learn(&passed).map_err(|error| error.unwrap_or_else(|| wrong_record(files, passed.place)))?;
                Ok(true)
            })?;
            if end != End::Sealed {
                if !is_newest(files, log) {
                    return Err(wrong_record(files, self.state.indexed));
                }
                return Ok(end);
            }
        }
    }

    /// Like [`Index::catch_up`], for a catalogue that is its own: what is learned is written at the end.
    pub(crate) fn catch_up_and_flush(&mut self, files: &Files) -> Result<End, StoreError> {
        let end = self.catch_up(files)?;
        self.flush()?;
        Ok(end)
    }

    /// Takes in what a record says. The error is `None` if the record does not fit to what is known.
    pub(crate) fn learn(&mut self, passed: &Passed<'_>) -> Result<(), Option<StoreError>> {
        let Passed { place, length, record } = *passed;
        match record {
            Record::Reel { number, url, root } => {
                let first_number = self.newest_reel(url)?.map_or(0, |reel| reel.next_number());
                self.recent.reels_of.entry(url.to_owned()).or_default().push(number);
                self.recent.reels.insert(number, ReelRow::new(number, url, root, first_number));
                self.state.next_reel = self.state.next_reel.max(number + 1);
            }
            Record::Entry(entry) => self.learn_entry(&entry, place, length)?,
            Record::Blob(blob) => {
                self.recent.blobs.insert(blob.hash, BlobPlace::Log(place));
            }
            Record::End { .. } => {
                self.state.indexed = Place { log: place.log + 1, offset: 0 };
                return Ok(());
            }
        }
        self.recent.length += length;
        self.state.indexed = Place { offset: place.offset + length, ..place };
        Ok(())
    }

    /// Whether so much is recent that the catalogue should be written.
    pub(crate) fn is_due(&self) -> bool {
        self.recent.entry_count >= UNINDEXED_ENTRIES_MAX || self.recent.length >= UNINDEXED_LENGTH_MAX
    }

    /// Writes what is recent into the catalogue. The log must be durable up to here.
    pub(crate) fn flush(&mut self) -> Result<(), StoreError> {
        if self.state != self.catalogue.state()? {
            self.catalogue.write(self.recent.reels.values(), self.recent.blobs.iter(), &self.state)?;
        }
        self.recent = Recent::default();
        Ok(())
    }

    pub(crate) fn reel(&self, number: u32) -> Result<Option<ReelRow>, StoreError> {
        match self.recent.reels.get(&number) {
            Some(reel) => Ok(Some(reel.clone())),
            None => self.catalogue.reel(number),
        }
    }

    /// The reel that a URL's next entry goes to.
    pub(crate) fn newest_reel(&mut self, url: &str) -> Result<Option<ReelRow>, StoreError> {
        if let Some(reel) = self.recent_reels_of(url).next_back() {
            return Ok(Some(reel.clone()));
        }
        if self.recent.absent.contains(url) {
            return Ok(None);
        }
        let reel = self.catalogue.reel_at(url, u32::MAX)?;
        if reel.is_none() && self.recent.absent.len() < UNINDEXED_ENTRIES_MAX {
            self.recent.absent.insert(url.to_owned());
        }
        Ok(reel)
    }

    /// The reel with this entry of a URL, or the newest reel before it.
    pub(crate) fn reel_at(&self, url: &str, number: u32) -> Result<Option<ReelRow>, StoreError> {
        let recent = self.recent_reels_of(url).rfind(|reel| reel.first_number <= number);
        if let Some(reel) = recent {
            return Ok(Some(reel.clone()));
        }
        self.catalogue.reel_at(url, number)
    }

    /// All reels of a URL in order.
    pub(crate) fn reels_of(&self, url: &str) -> Result<Vec<ReelRow>, StoreError> {
        let mut reels = self.catalogue.reels_of(url)?;
        for recent in self.recent_reels_of(url) {
            match reels.iter_mut().find(|reel| reel.number == recent.number) {
                Some(reel) => *reel = recent.clone(),
                None => reels.push(recent.clone()),
            }
        }
        Ok(reels)
    }

    /// The newest reels of a host that lean on none, newest first.
    pub(crate) fn roots_of(&self, host: &str, limit: usize) -> Result<Vec<u32>, StoreError> {
        let is_root = |reel: &&ReelRow| reel.root.is_none() && host_of(&reel.url) == host;
        let mut roots: Vec<u32> = self.recent.reels.values().rev().filter(is_root).map(|reel| reel.number).collect();
        roots.extend(
            self.catalogue.roots_of(host, limit)?.into_iter().filter(|root| !self.recent.reels.contains_key(root)),
        );
        roots.sort_unstable_by_key(|root| std::cmp::Reverse(*root));
        roots.truncate(limit);
        Ok(roots)
    }

    pub(crate) fn blob(&self, hash: ContentHash) -> Result<Option<BlobPlace>, StoreError> {
        match self.recent.blobs.get(&hash) {
            Some(place) => Ok(Some(*place)),
            None => self.catalogue.blob(hash),
        }
    }

    /// What came to URLs since the catalogue was written, in the order of listings.
    pub(crate) fn added(&self) -> &BTreeMap<Address, UrlRow> {
        &self.recent.added
    }

    fn recent_reels_of(&self, url: &str) -> impl DoubleEndedIterator<Item = &ReelRow> {
        let numbers = self.recent.reels_of.get(url).into_iter().flatten();
        numbers.filter_map(|number| self.recent.reels.get(number))
    }

    fn learn_entry(&mut self, entry: &EntryRecord<'_>, place: Place, length: u64) -> Result<(), Option<StoreError>> {
        if !self.recent.reels.contains_key(&entry.reel) {
            let reel = self.catalogue.reel(entry.reel)?.ok_or(None)?;
            self.recent.reels_of.entry(reel.url.clone()).or_default().push(reel.number);
            self.recent.reels.insert(reel.number, reel);
        }
        let reel = self.recent.reels.get_mut(&entry.reel).ok_or(None)?;
        let mut facts = Facts::take(entry.flags, &reel.newest, &mut Cursor::new(entry.payload)).ok_or(None)?;
        if facts.sequence != self.state.entry_count + 1 {
            return Err(None);
        }
        facts.stored_length = length;
        self.state.add(&facts, reel.next_number() == 0);
        self.recent.entry_count += 1;
        let time = facts.time;
        reel.add(facts, Some(place));
        let address = (host_of(&reel.url).to_owned(), reel.url.clone());
        let nothing = || UrlRow { url: reel.url.clone(), entry_count: 0, first: time, last: time };
        let added = self.recent.added.entry(address).or_insert_with(nothing);
        added.entry_count += 1;
        added.first = added.first.min(time);
        added.last = added.last.max(time);
        Ok(())
    }
}

fn is_newest(files: &Files, log: u32) -> bool {
    !files.path(FileId::Log(log + 1)).exists()
}

fn wrong_record(files: &Files, place: Place) -> StoreError {
    damaged(&files.path(FileId::Log(place.log)), format!("record at {}", place.offset))
}
