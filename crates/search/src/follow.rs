//! Takes in what the archive's change feed brought since last time, address by address and batch by batch.
//!
//! After every commit the index is what it would be had it been made from those changes at once, whatever was killed when; the
//! archive is only read, so no writer waits.

use kuai_archive::{Archive, Change, Error as ArchiveError, Sighting, StoreError};
use kuai_page::Url;
use rustc_hash::FxHashMap;
use tantivy::Term;
use tantivy::collector::DocSetCollector;
use tantivy::query::TermQuery;
use tantivy::schema::IndexRecordOption;

use crate::error::Error;
use crate::index::{Index, Writer};
use crate::lifetimes::{Lifetime, Says, Standing};
use crate::said::{BlockId, Said, SaidPage};
use crate::schema::{NEVER, time};
use crate::unended::Unended;

/// Changes that are taken in by one commit.
const BATCH_CHANGES: usize = 2_048;

/// What following did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Followed {
    /// Changes that were taken in.
    pub changes: u64,
    /// Lifetimes of blocks that were written.
    pub written: u64,
    /// Bytes of their text.
    pub text_bytes: u64,
    /// Captures that cannot be read any more and were passed over; `kuai verify` says more about them.
    pub unreadable: u64,
    /// Whether the index had followed another archive and was begun anew.
    pub begun_anew: bool,
    /// Changes that are still to come, because `progress` asked to stop.
    pub behind: u64,
}

impl Index {
    /// How many changes of the archive the index does not know yet.
    pub fn behind(&self, archive: &Archive) -> Result<u64, Error> {
        let newest = archive.stats()?.captures;
        Ok(newest.saturating_sub(if self.follows(archive)? { self.sequence() } else { 0 }))
    }

    /// Takes in what the archive has that the index does not. `progress` is told how many changes are taken in, of how many, and answers
    /// whether to go on.
    pub fn follow(&mut self, archive: &Archive, progress: &mut dyn FnMut(u64, u64) -> bool) -> Result<Followed, Error> {
        let mut followed = Followed::default();
        let newest = archive.stats()?.captures;
        if self.sequence() == newest && self.follows(archive)? {
            return Ok(followed);
        }
        let mut writer = self.writer()?;
        if !self.follows(archive)? {
            self.clear(&mut writer)?;
            followed.begun_anew = true;
        }
        while progress(self.sequence(), newest.max(self.sequence())) {
            let changes = archive.changes(self.sequence(), BATCH_CHANGES)?;
            let Some(last) = changes.last() else { break };
            let (end, known_by) = (last.row.sequence, known_by(last));
            self.take_in(archive, &writer, &changes, end, &mut followed)?;
            self.commit(&mut writer, end, known_by)?;
            followed.changes += changes.len() as u64;
        }
        // Segments that are being merged are worth waiting for: a search asks every one of them.
        writer.documents.wait_merging_threads()?;
        self.reload()?;
        followed.behind = archive.stats()?.captures.saturating_sub(self.sequence());
        Ok(followed)
    }

    /// Whether this is the archive that was followed so far.
    fn follows(&self, archive: &Archive) -> Result<bool, Error> {
        let Some(before) = self.sequence().checked_sub(1) else { return Ok(true) };
        let changes = archive.changes(before, 1)?;
        Ok(changes.first().is_some_and(|change| known_by(change) == self.mark().change))
    }

    fn take_in(
        &self,
        archive: &Archive,
        writer: &Writer,
        changes: &[Change],
        end: u64,
        followed: &mut Followed,
    ) -> Result<(), Error> {
        let mut urls: Vec<&str> = changes.iter().map(|change| change.url.as_str()).collect();
        urls.sort_unstable();
        urls.dedup();
        for url in urls.iter().filter_map(|url| Url::parse(url).ok()) {
            Address { index: self, archive, writer, url: &url, followed }.follow(self.sequence(), end)?;
        }
        Ok(())
    }
}

/// An address whose captures are taken in.
struct Address<'a> {
    index: &'a Index,
    archive: &'a Archive,
    writer: &'a Writer,
    url: &'a Url,
    followed: &'a mut Followed,
}

impl Address<'_> {
    /// Takes in the captures with sequence numbers above `mark`, up to `end`.
    fn follow(&mut self, mark: u64, end: u64) -> Result<(), Error> {
        let mut sightings = self.archive.sightings(self.url)?;
        sightings.retain(|sighting| sighting.sequence <= end);
        let is_known = |sighting: &Sighting| sighting.sequence <= mark;
        let known = sightings.iter().position(|sighting| !is_known(sighting)).unwrap_or(sightings.len());
        if known == sightings.len() {
            return Ok(());
        }
        // A capture that came late, with an earlier time than one that is known, may cut any lifetime in two.
        let (mut standing, new) = match sightings[known..].iter().any(is_known) {
            true => {
                self.writer.documents.delete_term(self.url_term());
                (Standing::default(), &sightings[..])
            }
            false => (self.standing(sightings[..known].last())?, &sightings[known..]),
        };
        for sighting in new {
            let ended = standing.see(sighting, || self.read(sighting.number))?;
            ended.into_iter().try_for_each(|lifetime| self.write(lifetime))?;
        }
        standing.into_open().filter(|lifetime| lifetime.born.is_some()).try_for_each(|lifetime| self.write(lifetime))
    }

    fn url_term(&self) -> Term {
        Term::from_field_text(self.index.fields.url, self.url.as_str())
    }

    /// What stood at the address when the index last looked.
    fn standing(&mut self, last: Option<&Sighting>) -> Result<Standing, Error> {
        let Some(last) = last else { return Ok(Standing::default()) };
        let mut open = FxHashMap::default();
        let view = self.index.view();
        let of_url = TermQuery::new(self.url_term(), IndexRecordOption::Basic);
        for address in view.searcher.search(&of_url, &DocSetCollector)? {
            let (columns, doc) = (view.columns_of(address), address.doc_id);
            if columns.gone.get_val(doc) == NEVER {
                let (block, number) = (BlockId(columns.block.get_val(doc)), columns.number.get_val(doc) as u32);
                let first = time(columns.first.get_val(doc));
                open.insert(block, Lifetime { block, first, number, last: last.time, gone: None, born: None });
            }
        }
        Ok(Standing { open, shown: Some(last.number), last: Some(last.time) })
    }

    /// What a version says; none where it cannot be read any more.
    fn read(&mut self, number: u32) -> Result<Option<SaidPage>, Error> {
        match self.archive.page(self.url, number) {
            Ok(Some(page)) => Ok(Some(SaidPage::new(page))),
            Ok(None) | Err(ArchiveError::BadNotes { .. } | ArchiveError::Store(StoreError::Damaged { .. })) => {
                self.followed.unreadable += 1;
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Writes a lifetime, in place of what was known of it.
    fn write(&mut self, mut lifetime: Lifetime) -> Result<(), Error> {
        let said = match lifetime.born.take() {
            Some(said) => said,
            None => {
                let unended = Unended { url: self.url_term(), block: lifetime.block };
                self.writer.documents.delete_query(Box::new(unended))?;
                let Some(said) = self.said(&lifetime)? else { return Ok(()) };
                said
            }
        };
        let Index { fields, tokenizer, .. } = self.index;
        self.writer.documents.add_document(fields.document(self.url, &lifetime, &said, tokenizer))?;
        self.followed.written += 1;
        self.followed.text_bytes += said.text.len() as u64;
        Ok(())
    }

    /// What a block said in the version that showed it first.
    fn said(&mut self, lifetime: &Lifetime) -> Result<Option<Said>, Error> {
        Ok(self.read(lifetime.number)?.and_then(|page| page.said(lifetime.block)))
    }
}

/// What tells a change from that of another archive.
fn known_by(change: &Change) -> String {
    let text = format!("{} {} {} {}", change.row.sequence, change.url, change.row.time, change.row.hash);
    blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
}
