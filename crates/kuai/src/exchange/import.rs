//! WARC records into the archive: answers as captures with what was asked, revisits with the bodies that they refer to.
//!
//! What is in the archive already is not added again, so an import that was stopped is simply run again.

use std::io::Read;

use kuai_archive::{Archive, Error as ArchiveError, Outcome};
use kuai_page::{Capture, Request, Timestamp, Url};
use kuai_warc::{Digest, Error as WarcError, Fields, Reader, Record, RecordType};

use super::export::RESOURCE;
use super::message;
use super::originals::Originals;

/// Longer bodies are passed over and told: an archive's entry is kept in memory as a whole.
const BODY_BYTES_MAX: u64 = 1 << 30;

/// Captures that are made durable together.
const BATCH: u64 = 256;

/// What became of the records of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// Records of any type.
    pub records: u64,
    /// Captures of addresses that were not in the archive.
    pub new_urls: u64,
    /// Captures that differ from what was there.
    pub new_versions: u64,
    /// Captures that are the same as what was there, at another time.
    pub seen_again: u64,
    /// Captures that were in the archive already.
    pub known: u64,
    /// Records that an archive has no place for: warcinfo, metadata, conversions, requests of their own, addresses other than http(s).
    pub passed_over: u64,
    /// Records that are damaged, or that refer to something that is not there; each was told.
    pub problems: u64,
}

/// What happens during an import.
#[derive(Debug)]
#[non_exhaustive]
pub enum ImportEvent {
    /// So many bytes of the file were read.
    Progress(u64),
    /// Something could not be taken in: which record, and why.
    Problem(String),
}

/// Takes the records of a WARC file in. Goes on until `watch` answers false, or to the end.
pub fn import(
    archive: &Archive,
    file: impl Read,
    watch: &mut dyn FnMut(ImportEvent) -> bool,
) -> Result<Imported, ArchiveError> {
    let mut reader = Reader::new(file);
    let mut import = Import {
        archive,
        watch,
        imported: Imported::default(),
        originals: Originals::default(),
        pending: None,
        asked: None,
    };
    let mut position = 0;
    loop {
        if !(import.watch)(ImportEvent::Progress(position)) {
            // The request of the last answer may come yet, so that is left to the next run.
            import.pending = None;
            break;
        }
        let Some(record) = reader.next_record() else { break };
        match record {
            Ok(record) => import.take(record)?,
            Err(error) => {
                import.problem(&error);
                if matches!(error, WarcError::Io { .. }) {
                    break;
                }
            }
        }
        position = reader.position();
        if import.imported.records.is_multiple_of(BATCH) {
            archive.sync()?;
        }
    }
    import.commit_pending()?;
    archive.sync()?;
    Ok(import.imported)
}

/// An import under way.
struct Import<'a> {
    archive: &'a Archive,
    watch: &'a mut dyn FnMut(ImportEvent) -> bool,
    imported: Imported,
    originals: Originals,
    /// The last answer: its request may be the next record.
    pending: Option<Pending>,
    /// The last request: its answer may be the next record.
    asked: Option<(String, Request)>,
}

/// An answer on its way into the archive, with the names that revisits may call it by.
struct Pending {
    capture: Capture,
    id: Option<String>,
    digest: Option<Digest>,
}

/// A record that was read whole.
struct Whole {
    offset: u64,
    fields: Fields,
    head: Vec<u8>,
    payload: Vec<u8>,
}

impl Import<'_> {
    fn take<R: Read>(&mut self, record: Record<'_, R>) -> Result<(), ArchiveError> {
        self.imported.records += 1;
        match record.record_type() {
            RecordType::Response | RecordType::Resource | RecordType::Revisit | RecordType::Request => {}
            _ => {
                self.imported.passed_over += 1;
                return Ok(());
            }
        }
        match read_whole(record) {
            Ok(whole) if whole.fields.record_type() == RecordType::Request => self.take_request(&whole),
            Ok(whole) => self.take_answer(whole)?,
            Err(error) => self.problem(&error),
        }
        Ok(())
    }

    /// A request belongs to the answer before it or behind it.
    fn take_request(&mut self, whole: &Whole) {
        let Some(request) = message::read_request(&whole.head) else { return };
        let concurrent = whole.fields.text("WARC-Concurrent-To");
        match &mut self.pending {
            Some(pending) if concurrent.is_some() && pending.id.as_deref() == concurrent => {
                pending.capture.request = request
            }
            _ => self.asked = whole.fields.text("WARC-Record-ID").map(|id| (id.to_owned(), request)),
        }
    }

    fn take_answer(&mut self, whole: Whole) -> Result<(), ArchiveError> {
        self.commit_pending()?;
        let Some((url, time)) = address(&whole.fields) else {
            self.imported.passed_over += 1;
            return Ok(());
        };
        let capture = match whole.fields.record_type() {
            RecordType::Revisit => self.revisit(&whole, url, time)?,
            RecordType::Resource => Ok(resource(&whole, url, time)),
            _ => {
                message::read_answer(url, time, &whole.head, whole.payload).ok_or("it holds no HTTP answer".to_owned())
            }
        };
        match capture {
            Ok(mut capture) => {
                let concurrent = whole.fields.text("WARC-Concurrent-To");
                if let Some((_, request)) = self.asked.take().filter(|(id, _)| Some(id.as_str()) == concurrent) {
                    capture.request = request;
                }
                let id = whole.fields.text("WARC-Record-ID").map(str::to_owned);
                self.pending = Some(Pending { capture, id, digest: whole.fields.digest("WARC-Payload-Digest") });
            }
            Err(why) => self.problem(&format!("at byte {}: {why}", whole.offset)),
        }
        Ok(())
    }

    fn commit_pending(&mut self) -> Result<(), ArchiveError> {
        let Some(Pending { capture, id, digest }) = self.pending.take() else { return Ok(()) };
        let sequence = match self.archive.find(&capture)? {
            Some(sequence) => {
                self.imported.known += 1;
                Some(sequence)
            }
            None => self.commit(&capture)?,
        };
        if let Some(sequence) = sequence.filter(|_| !capture.body.is_empty()) {
            id.into_iter().for_each(|id| self.originals.add(id, sequence));
            digest.into_iter().for_each(|digest| self.originals.add(digest, sequence));
        }
        Ok(())
    }

    /// Commits a capture and answers its place in the change feed.
    fn commit(&mut self, capture: &Capture) -> Result<Option<u64>, ArchiveError> {
        let committed = match self.archive.commit(capture) {
            // Only this capture cannot be kept; the rest can.
            Err(error @ ArchiveError::BadHeader { .. }) => {
                self.problem(&format!("{} at {}: {error}", capture.url, capture.time));
                return Ok(None);
            }
            committed => committed?,
        };
        match committed.outcome {
            Outcome::NewUrl(_) => self.imported.new_urls += 1,
            Outcome::NewVersion(_) => self.imported.new_versions += 1,
            Outcome::SeenAgain => self.imported.seen_again += 1,
        }
        Ok(Some(committed.sequence))
    }

    /// The capture that a revisit stands for: its own head, and the body that it refers to.
    fn revisit(&mut self, whole: &Whole, url: Url, time: Timestamp) -> Result<Result<Capture, String>, ArchiveError> {
        let profile = whole.fields.text("WARC-Profile").unwrap_or_default();
        if profile.ends_with("/server-not-modified") && !whole.head.is_empty() {
            let answer = message::read_answer(url, time, &whole.head, Vec::new());
            return Ok(answer.ok_or("it holds no HTTP answer".to_owned()));
        }
        let Some(original) = self.original(&whole.fields, &url, time)? else {
            let target = whole.fields.text("WARC-Refers-To-Target-URI").unwrap_or(url.as_str());
            return Ok(Err(format!("the archive does not have what it refers to: {target}")));
        };
        let (head, payload) = message::answer(&original);
        let head = if whole.head.is_empty() { &head } else { &whole.head };
        Ok(message::read_answer(url, time, head, payload).ok_or("it holds no HTTP answer".to_owned()))
    }

    /// What a revisit refers to: by address and time, by record id, by digest, or what the same address gave before.
    fn original(&self, fields: &Fields, url: &Url, time: Timestamp) -> Result<Option<Capture>, ArchiveError> {
        let digest = fields.digest("WARC-Payload-Digest");
        let is_it = |capture: &Capture| digest.is_none_or(|digest| has_digest(capture, digest));
        let named = [
            fields.text("WARC-Refers-To").and_then(|id| self.originals.find(id.to_owned())),
            digest.and_then(|digest| self.originals.find(digest)),
        ];
        for sequence in named.into_iter().flatten() {
            if let Some(change) = self.archive.changes(sequence - 1, 1)?.first() {
                let capture = self.archive.read_change(change)?;
                if is_it(&capture) {
                    return Ok(Some(capture));
                }
            }
        }
        let referred = fields.text("WARC-Refers-To-Target-URI").and_then(|target| Url::parse(target).ok());
        let referred_time = fields.text("WARC-Refers-To-Date").and_then(|date| date.parse().ok());
        let places = [referred.map(|target| (target, referred_time.unwrap_or(time))), Some((url.clone(), time))];
        for (target, time) in places.into_iter().flatten() {
            match self.archive.snapshot(&target, Some(time)) {
                Ok(snapshot) if is_it(&snapshot.capture) => return Ok(Some(snapshot.capture)),
                Ok(_) | Err(ArchiveError::UnknownUrl { .. } | ArchiveError::NoVersion { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    fn problem(&mut self, what: &dyn std::fmt::Display) {
        self.imported.problems += 1;
        (self.watch)(ImportEvent::Problem(what.to_string()));
    }
}

fn read_whole<R: Read>(mut record: Record<'_, R>) -> Result<Whole, String> {
    let (offset, fields) = (record.offset(), record.fields().clone());
    if record.length() > BODY_BYTES_MAX {
        return Err(format!(
            "at byte {offset}: the record is {} bytes long, the most is {BODY_BYTES_MAX}",
            record.length()
        ));
    }
    let head = record.http_head().map_err(|error| error.to_string())?;
    let mut payload = Vec::new();
    record.read_to_end(&mut payload).map_err(|error| error.to_string())?;
    record.finish().map_err(|error| error.to_string())?;
    Ok(Whole { offset, fields, head, payload })
}

fn address(fields: &Fields) -> Option<(Url, Timestamp)> {
    let url = Url::parse(fields.text("WARC-Target-URI")?).ok()?;
    let time = fields.text("WARC-Date")?.parse().ok()?;
    matches!(url.scheme(), "http" | "https").then_some((url, time))
}

/// What came without HTTP: all that is known of it is its type.
fn resource(whole: &Whole, url: Url, time: Timestamp) -> Capture {
    let content_type = whole.fields.get("Content-Type").map(|value| ("Content-Type".to_owned(), value.to_vec()));
    Capture {
        protocol: RESOURCE.to_owned(),
        headers: content_type.into_iter().collect(),
        ..Capture::new(url, time, whole.payload.clone())
    }
}

/// Whether a capture's payload, in chunks or not, has a digest.
fn has_digest(capture: &Capture, digest: Digest) -> bool {
    let of = |bytes: &[u8]| match digest {
        Digest::Sha1(_) => Digest::sha1(bytes),
        Digest::Sha256(_) => Digest::sha256(bytes),
    };
    of(&capture.body) == digest || of(&message::answer(capture).1) == digest
}
