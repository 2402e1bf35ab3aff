//! Takes answers into the archive, those of one address one after the other.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::mpsc::Receiver;

use kuai_archive::{Archive, Error as ArchiveError};
use kuai_page::{Capture, Timestamp, Url};
use kuai_warc::{Digest, Fields, RecordType};
use rustc_hash::FxHashSet;

use super::super::export::RESOURCE;
use super::super::message;
use super::ledger::{Ledger, UnderWay};
use super::originals::Name;
use super::records::Answer;

/// Entries of the change feed that are looked at together.
const BATCH: usize = 256;

/// An answer on its way to the archive.
pub(super) struct Job<'a> {
    pub(super) number: u64,
    pub(super) answer: Box<Answer>,
    pub(super) under_way: UnderWay<'a>,
}

/// What workers have in common.
pub(super) struct Work<'a> {
    pub(super) archive: &'a Archive,
    pub(super) ledger: &'a Ledger,
    /// How many entries the archive had before anything was imported, and whose digests of them are known by now.
    pub(super) entries_before: u64,
    pub(super) searched: &'a Mutex<Searched>,
}

/// Whether the bodies that were in the archive before were all hashed.
#[derive(Default)]
pub(super) struct Searched {
    sha1: bool,
    sha256: bool,
}

impl Work<'_> {
    /// Does what comes until nothing more does. After a failure the rest is passed over.
    pub(super) fn run(&self, jobs: Receiver<Job<'_>>) {
        for Job { number, answer, under_way } in jobs {
            if !self.ledger.has_failed()
                && let Err(error) = self.take_in(number, *answer)
            {
                self.ledger.fail(error);
            }
            drop(under_way);
        }
    }

    fn take_in(&self, number: u64, answer: Answer) -> Result<(), ArchiveError> {
        let names = Name::of(&answer.fields);
        let (offset, request) = (answer.offset, answer.request.clone());
        let capture = match answer.fields.record_type() {
            RecordType::Revisit => self.revisit(number, answer)?,
            RecordType::Resource => Ok(resource(answer)),
            _ => message::read_answer(answer.url, answer.time, &answer.head, answer.payload).ok_or_else(no_answer),
        };
        match capture {
            Ok(mut capture) => {
                capture.request = request.unwrap_or_default();
                self.commit(&capture, offset, &names)
            }
            Err(why) => {
                self.ledger.problem(format!("at byte {offset}: {why}"));
                Ok(())
            }
        }
    }

    fn commit(&self, capture: &Capture, offset: u64, names: &[Name]) -> Result<(), ArchiveError> {
        let number = match self.archive.commit_once(capture) {
            Ok(Ok(committed)) => {
                self.ledger.count(Some(committed.outcome));
                committed.number
            }
            Ok(Err(known)) => {
                self.ledger.count(None);
                known
            }
            Err(error) if is_about_capture(&error) => {
                self.ledger.problem(format!("at byte {offset}: {error}"));
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        if !capture.body.is_empty() {
            self.ledger.add(names, capture.url.as_str(), number);
        }
        Ok(())
    }

    /// The capture that a revisit stands for: its own head, and the body that it refers to.
    fn revisit(&self, number: u64, answer: Answer) -> Result<Result<Capture, String>, ArchiveError> {
        let Answer { url, time, fields, head, .. } = answer;
        let profile = fields.text("WARC-Profile").unwrap_or_default();
        if profile.ends_with("/server-not-modified") && !head.is_empty() {
            return Ok(message::read_answer(url, time, &head, Vec::new()).ok_or_else(no_answer));
        }
        let Some(original) = self.original(number, &fields, &url, time)? else {
            let target = fields.text("WARC-Refers-To-Target-URI").unwrap_or(url.as_str());
            return Ok(Err(format!("the archive does not have what it refers to: {target}")));
        };
        let (original_head, payload) = message::answer(&original);
        let head = if head.is_empty() { &original_head } else { &head };
        Ok(message::read_answer(url, time, head, payload).ok_or_else(no_answer))
    }

    /// What a revisit refers to: by digest, record id, or address and time; what the same address gave before; or any body of that digest.
    fn original(
        &self,
        number: u64,
        fields: &Fields,
        url: &Url,
        time: Timestamp,
    ) -> Result<Option<Capture>, ArchiveError> {
        let digest = fields.digest("WARC-Payload-Digest");
        let is_it = |capture: &Capture| digest.is_none_or(|digest| has_digest(capture, digest));
        let target = fields.text("WARC-Refers-To-Target-URI").and_then(|target| Url::parse(target).ok());
        let target_time = fields.text("WARC-Refers-To-Date").and_then(|date| date.parse().ok());
        let address = target.as_ref().zip(target_time).map(|(target, time)| Name::address(target.as_str(), time));
        let id = fields.text("WARC-Refers-To").map(Name::id);
        let names: Vec<Name> = [digest.map(Name::digest), id, address].into_iter().flatten().collect();
        self.ledger.wait_for(&names, number);
        if let Some(found) = self.named(&names, is_it)? {
            return Ok(Some(found));
        }
        let places = [target.map(|target| (target, target_time.unwrap_or(time))), Some((url.clone(), time))];
        for (target, time) in places.into_iter().flatten() {
            match self.archive.snapshot(&target, Some(time)) {
                Ok(snapshot) if is_it(&snapshot.capture) => return Ok(Some(snapshot.capture)),
                Ok(_) | Err(ArchiveError::UnknownUrl { .. } | ArchiveError::NoVersion { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        let Some(digest) = digest else { return Ok(None) };
        self.search(digest)?;
        self.named(&[Name::digest(digest)], is_it)
    }

    fn named(&self, names: &[Name], is_it: impl Fn(&Capture) -> bool) -> Result<Option<Capture>, ArchiveError> {
        for (url, number) in names.iter().filter_map(|name| self.ledger.find(*name)) {
            let capture = self.archive.read_entry(&url, number)?;
            if is_it(&capture) {
                return Ok(Some(capture));
            }
        }
        Ok(None)
    }

    /// Hashes, once, every body that was in the archive before: it knows them by another hash than WARC files do.
    fn search(&self, digest: Digest) -> Result<(), ArchiveError> {
        let mut searched = self.searched.lock().unwrap_or_else(PoisonError::into_inner);
        let is_done = match digest {
            Digest::Sha1(_) => &mut searched.sha1,
            Digest::Sha256(_) => &mut searched.sha256,
        };
        let (mut since, mut seen) = (0, FxHashSet::default());
        while !*is_done && since < self.entries_before {
            let changes = self.archive.changes(since, BATCH)?;
            let Some(last) = changes.last() else { break };
            since = last.row.sequence;
            for change in changes.iter().filter(|change| seen.insert(change.row.hash)) {
                let capture = self.archive.read_change(change)?;
                let (_, payload) = message::answer(&capture);
                let names = [&capture.body, &payload].map(|bytes| Name::digest(same_kind(digest, bytes)));
                self.ledger.add(&names, &change.url, change.row.number);
            }
        }
        *is_done = true;
        Ok(())
    }
}

fn no_answer() -> String {
    "it holds no HTTP answer".to_owned()
}

/// Whether only this capture cannot be kept, and the next one can.
fn is_about_capture(error: &ArchiveError) -> bool {
    matches!(error, ArchiveError::BadHeader { .. } | ArchiveError::Store(kuai_archive::StoreError::TooLarge { .. }))
}

/// What came without HTTP: all that is known of it is its type.
fn resource(answer: Answer) -> Capture {
    let content_type = answer.fields.get("Content-Type").map(|value| ("Content-Type".to_owned(), value.to_vec()));
    Capture {
        protocol: RESOURCE.to_owned(),
        headers: content_type.into_iter().collect(),
        ..Capture::new(answer.url, answer.time, answer.payload)
    }
}

/// Whether a capture's payload, in chunks or packed or not, has a digest.
fn has_digest(capture: &Capture, digest: Digest) -> bool {
    same_kind(digest, &capture.body) == digest || same_kind(digest, &message::answer(capture).1) == digest
}

/// The digest of some bytes, of another's kind.
fn same_kind(other: Digest, bytes: &[u8]) -> Digest {
    match other {
        Digest::Sha1(_) => Digest::sha1(bytes),
        Digest::Sha256(_) => Digest::sha256(bytes),
    }
}
