//! What an archive holds, as WARC 1.1: an answer a record, and a revisit where its payload stands in the file already.

use std::io::{self, Write};

use kuai_archive::{Archive, Change, Error as ArchiveError};
use kuai_page::{Capture, Timestamp};
use kuai_warc::{Digest, Fields, Packing, RecordType, Writer};

use super::message;
use super::originals::Originals;

/// Entries of the change feed that are looked at together.
const BATCH: usize = 256;

/// The status of an answer that says that nothing changed.
const NOT_MODIFIED: u16 = 304;

/// The protocol of what came without one: it goes out as a `resource` record.
pub(super) const RESOURCE: &str = "resource";

const SAME_PAYLOAD: &str = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest";
const NOT_MODIFIED_PROFILE: &str = "http://netpreserve.org/warc/1.1/revisit/server-not-modified";

/// What of an archive is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Addresses that begin like one of these; all where there is none.
    pub prefixes: Vec<String>,
    /// Captures from this time on.
    pub from: Option<Timestamp>,
    /// Captures up to this time.
    pub to: Option<Timestamp>,
}

/// What was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// Captures, each a record and perhaps its request.
    pub captures: u64,
    /// How many of them are revisits.
    pub revisits: u64,
    /// Bytes of the file.
    pub bytes: u64,
}

impl Selection {
    fn holds(&self, change: &Change) -> bool {
        let time = change.row.time;
        self.from.is_none_or(|from| from <= time)
            && self.to.is_none_or(|to| time <= to)
            && (self.prefixes.is_empty() || self.prefixes.iter().any(|prefix| change.url.starts_with(prefix)))
    }
}

/// Writes a selection of an archive in the order in which it came in. `now` is when; `progress` is told how many entries were looked at.
pub fn export(
    archive: &Archive,
    selection: &Selection,
    out: impl Write,
    packing: Packing,
    now: Timestamp,
    mut progress: impl FnMut(u64),
) -> Result<Exported, ExportError> {
    let mut file =
        File { writer: Writer::new(out, packing), originals: Originals::default(), exported: Exported::default() };
    file.write_info(now)?;
    let mut since = 0;
    loop {
        let changes = archive.changes(since, BATCH)?;
        let Some(last) = changes.last() else { break };
        since = last.row.sequence;
        for change in changes.iter().filter(|change| selection.holds(change)) {
            file.write(archive, change)?;
        }
        progress(since);
    }
    file.exported.bytes = file.writer.offset();
    file.writer.finish()?;
    Ok(file.exported)
}

/// Why nothing could be written any more.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The archive could not be read.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The file could not be written.
    #[error("cannot write")]
    Io(#[from] io::Error),
}

/// A file in the making.
struct File<W: Write> {
    writer: Writer<W>,
    /// Bodies that stand in the file already.
    originals: Originals,
    exported: Exported,
}

impl<W: Write> File<W> {
    fn write_info(&mut self, now: Timestamp) -> io::Result<()> {
        let info = format!("software: kuai/{}\r\nformat: WARC File Format 1.1\r\n", env!("CARGO_PKG_VERSION"));
        let fields = Fields::new(RecordType::Warcinfo, &id("warcinfo", 0, "", now), &now.to_string());
        let fields = fields.with("Content-Type", "application/warc-fields").with_digests(info.as_bytes(), None);
        self.writer.write(&fields, info.len() as u64, info.as_bytes())?;
        Ok(())
    }

    fn write(&mut self, archive: &Archive, change: &Change) -> Result<(), ExportError> {
        let capture = archive.read_change(change)?;
        let original = match self.originals.find(change.row.hash).filter(|_| can_be_revisit(&capture)) {
            Some(sequence) => archive.changes(sequence - 1, 1)?.pop(),
            None => None,
        };
        let original = original.filter(|original| original.row.hash == change.row.hash);
        if original.is_none() && capture.status != NOT_MODIFIED && can_be_revisit(&capture) {
            self.originals.add(change.row.hash, change.row.sequence);
        }
        self.write_answer(&capture, change, original.as_ref())?;
        self.write_request(&capture, change)?;
        self.exported.captures += 1;
        Ok(())
    }

    fn write_answer(&mut self, capture: &Capture, change: &Change, original: Option<&Change>) -> io::Result<()> {
        if capture.protocol == RESOURCE {
            return self.write_resource(capture, change);
        }
        let (head, payload) = message::answer(capture);
        let digest = Digest::sha1(&payload).to_string();
        let fields = match original {
            Some(original) => fields(RecordType::Revisit, change)
                .with("WARC-Profile", SAME_PAYLOAD)
                .with("WARC-Refers-To", format!("<{}>", record_id(RecordType::Response, original)))
                .with("WARC-Refers-To-Target-URI", &original.url)
                .with("WARC-Refers-To-Date", original.row.time.to_string())
                .with("WARC-Payload-Digest", digest),
            None if capture.status == NOT_MODIFIED => {
                fields(RecordType::Revisit, change).with("WARC-Profile", NOT_MODIFIED_PROFILE)
            }
            None => fields(RecordType::Response, change).with("WARC-Payload-Digest", digest),
        };
        let is_revisit = original.is_some() || capture.status == NOT_MODIFIED;
        self.exported.revisits += u64::from(is_revisit);
        let block = if original.is_some() { head } else { [head, payload].concat() };
        let fields = fields.with("Content-Type", "application/http; msgtype=response").with_digests(&block, None);
        self.writer.write(&fields, block.len() as u64, block.as_slice())?;
        Ok(())
    }

    fn write_resource(&mut self, capture: &Capture, change: &Change) -> io::Result<()> {
        let content_type = capture.header("content-type").unwrap_or(b"application/octet-stream");
        let fields = fields(RecordType::Resource, change).with("Content-Type", content_type.trim_ascii());
        let fields = fields.with_digests(&capture.body, Some(&capture.body));
        self.writer.write(&fields, capture.body.len() as u64, capture.body.as_slice())?;
        Ok(())
    }

    fn write_request(&mut self, capture: &Capture, change: &Change) -> io::Result<()> {
        let Some(request) = message::request(capture) else { return Ok(()) };
        let fields = fields(RecordType::Request, change)
            .with("WARC-Concurrent-To", format!("<{}>", record_id(RecordType::Response, change)))
            .with("Content-Type", "application/http; msgtype=request")
            .with_digests(&request, None);
        self.writer.write(&fields, request.len() as u64, request.as_slice())?;
        Ok(())
    }
}

/// Chunks are framed in many ways, so the payloads of two such answers are seldom the same bytes; empty ones are not worth it.
fn can_be_revisit(capture: &Capture) -> bool {
    let has_framing = !capture.wire.is_empty() && message::answer(capture).1 != capture.body;
    !capture.body.is_empty() && !has_framing && capture.protocol != RESOURCE
}

fn fields(record_type: RecordType, change: &Change) -> Fields {
    let fields = Fields::new(record_type, &record_id(record_type, change), &change.row.time.to_string());
    fields.with("WARC-Target-URI", &change.url)
}

/// A record's id. An answer keeps its id, whether it is written as a response or a revisit.
fn record_id(record_type: RecordType, change: &Change) -> String {
    let kind = if record_type == RecordType::Request { "request" } else { "answer" };
    id(kind, change.row.sequence, &change.url, change.row.time)
}

/// A name that follows from what it names, so that the same archive is written the same again.
fn id(kind: &str, sequence: u64, url: &str, time: Timestamp) -> String {
    let Digest::Sha256(digest) = Digest::sha256(format!("{kind} {sequence} {time} {url}").as_bytes()) else {
        unreachable!("it was asked for")
    };
    let mut bytes: [u8; 16] = *digest.first_chunk().expect("a SHA-256 is longer");
    // Version 8 (made as we like) and the variant of RFC 9562.
    bytes[6] = 0x80 | bytes[6] & 0x0F;
    bytes[8] = 0x80 | bytes[8] & 0x3F;
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("urn:uuid:{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}
