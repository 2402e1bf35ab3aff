//! What an archive holds, as WARC 1.1 or WACZ 1.1.1: an answer a record, and a revisit where its payload stands in the file already.

use std::io::{self, Seek, Write};
use std::path::Path;

use kuai_archive::{Archive, Change, Error as ArchiveError, is_page};
use kuai_page::{Capture, Limits, Page, TextOptions, Timestamp};
use kuai_warc::{Digest, Fields, Packing, RecordType, WaczAbout, WaczPage, WaczWriter, Writer};
use rustc_hash::FxHashMap;

use super::message;
use super::selection::{Selected, Selection};

/// The status of an answer that says that nothing changed.
const NOT_MODIFIED: u16 = 304;

/// The protocol of what came without one: it goes out as a `resource` record.
pub(super) const RESOURCE: &str = "resource";

const SAME_PAYLOAD: &str = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest";
const NOT_MODIFIED_PROFILE: &str = "http://netpreserve.org/warc/1.1/revisit/server-not-modified";

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

/// Writes a selection of an archive as a WARC file, in the order in which it came in. `now` is when; `progress` is told how many entries were looked at.
pub fn export(
    archive: &Archive,
    selection: &Selection,
    out: impl Write,
    packing: Packing,
    now: Timestamp,
    progress: impl FnMut(u64),
) -> Result<Exported, ExportError> {
    let mut writer = Writer::new(out, packing);
    let exported = write_all(archive, selection, &mut writer, now, progress)?;
    writer.finish()?;
    Ok(exported)
}

/// Likewise as a WACZ file: with an index and the text of its pages. What has to wait for the end lies in the folder `scratch`.
pub fn export_wacz(
    archive: &Archive,
    selection: &Selection,
    out: impl Write + Seek,
    scratch: &Path,
    now: Timestamp,
    progress: impl FnMut(u64),
) -> Result<Exported, ExportError> {
    let mut writer = WaczWriter::new(out, scratch)?;
    let mut exported = write_all(archive, selection, &mut writer, now, progress)?;
    let about = WaczAbout { title: title(selection), created: in_seconds(now), software: software() };
    exported.bytes = writer.finish(&about)?.stream_position()?;
    Ok(exported)
}

fn write_all(
    archive: &Archive,
    selection: &Selection,
    target: &mut dyn Target,
    now: Timestamp,
    progress: impl FnMut(u64),
) -> Result<Exported, ExportError> {
    let mut file = File { target, originals: FxHashMap::default(), exported: Exported::default() };
    file.write_info(now)?;
    selection.each(archive, progress, |selected| Ok(file.write(&selected)?))?;
    file.exported.bytes = file.target.bytes();
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
    /// The table could not be written.
    #[error("cannot write the table")]
    Table(#[from] parquet::errors::ParquetError),
}

/// Where records go.
trait Target {
    fn record(&mut self, fields: &Fields, block: &[u8]) -> io::Result<()>;

    /// A page that stands in the file, with what it says.
    fn page(&mut self, selected: &Selected<'_>) -> io::Result<()>;

    /// How many bytes the records take so far.
    fn bytes(&self) -> u64;
}

impl<W: Write> Target for Writer<W> {
    fn record(&mut self, fields: &Fields, block: &[u8]) -> io::Result<()> {
        self.write(fields, block.len() as u64, block).map(drop)
    }

    /// A WARC file has no list of pages.
    fn page(&mut self, _: &Selected<'_>) -> io::Result<()> {
        Ok(())
    }

    fn bytes(&self) -> u64 {
        self.offset()
    }
}

impl<W: Write + Seek> Target for WaczWriter<W> {
    fn record(&mut self, fields: &Fields, block: &[u8]) -> io::Result<()> {
        self.write(fields, block)
    }

    fn page(&mut self, selected: &Selected<'_>) -> io::Result<()> {
        let Selected { change, capture, outline } = selected;
        let charset = Some(outline.charset.as_str()).filter(|charset| !charset.is_empty());
        let page = Page::from_bytes(&capture.body, Some(&capture.url), charset, &Limits::default());
        let title = match page.title() {
            "" => capture.url.as_str(),
            title => title,
        };
        self.add_page(&WaczPage {
            id: format!("page-{}", change.row.sequence),
            url: change.url.clone(),
            time: in_seconds(change.row.time),
            title: title.to_owned(),
            text: page.text(page.span(), TextOptions::default()),
        })
    }

    fn bytes(&self) -> u64 {
        self.offset()
    }
}

/// A record that stands in the file, to which later ones may refer.
struct Original {
    url: Box<str>,
    time: Timestamp,
    id: Box<str>,
}

/// Records that are remembered; about 200 MB. Later payloads are written again.
const ORIGINALS_MAX: usize = 1 << 20;

/// A file in the making.
struct File<'a> {
    target: &'a mut dyn Target,
    /// Payloads that stand in the file already.
    originals: FxHashMap<Digest, Original>,
    exported: Exported,
}

impl File<'_> {
    fn write_info(&mut self, now: Timestamp) -> io::Result<()> {
        let info = format!("software: {}\r\nformat: WARC File Format 1.1\r\n", software());
        let fields = Fields::new(RecordType::Warcinfo, &id("warcinfo", 0, "", now), &now.to_string());
        let fields = fields.with("Content-Type", "application/warc-fields").with_digests(info.as_bytes(), None);
        self.target.record(&fields, info.as_bytes())
    }

    fn write(&mut self, selected: &Selected<'_>) -> io::Result<()> {
        let Selected { change, capture, .. } = selected;
        match capture.protocol == RESOURCE {
            true => self.write_resource(capture, change)?,
            false => self.write_answer(capture, change)?,
        }
        self.write_request(capture, change)?;
        self.exported.captures += 1;
        if is_page(capture) {
            self.target.page(selected)?;
        }
        Ok(())
    }

    fn write_answer(&mut self, capture: &Capture, change: &Change) -> io::Result<()> {
        let (head, payload) = message::answer(capture);
        let digest = Digest::sha1(&payload);
        let original = self.originals.get(&digest).filter(|_| !payload.is_empty());
        let fields = match original {
            Some(original) => fields(RecordType::Revisit, change)
                .with("WARC-Profile", SAME_PAYLOAD)
                .with("WARC-Refers-To", format!("<{}>", original.id))
                .with("WARC-Refers-To-Target-URI", &*original.url)
                .with("WARC-Refers-To-Date", original.time.to_string())
                .with("WARC-Payload-Digest", digest.to_string()),
            None if capture.status == NOT_MODIFIED => {
                fields(RecordType::Revisit, change).with("WARC-Profile", NOT_MODIFIED_PROFILE)
            }
            None => fields(RecordType::Response, change).with("WARC-Payload-Digest", digest.to_string()),
        };
        let is_revisit = fields.record_type() == RecordType::Revisit;
        self.exported.revisits += u64::from(is_revisit);
        let block = if original.is_some() { head } else { [head, payload].concat() };
        let fields = fields.with("Content-Type", "application/http; msgtype=response").with_digests(&block, None);
        if !is_revisit && self.originals.len() < ORIGINALS_MAX {
            let id = record_id(RecordType::Response, change).into();
            let original = Original { url: change.url.as_str().into(), time: change.row.time, id };
            self.originals.insert(digest, original);
        }
        self.target.record(&fields, &block)
    }

    fn write_resource(&mut self, capture: &Capture, change: &Change) -> io::Result<()> {
        let content_type = capture.header("content-type").unwrap_or(b"application/octet-stream");
        let fields = fields(RecordType::Resource, change).with("Content-Type", content_type.trim_ascii());
        self.target.record(&fields.with_digests(&capture.body, Some(&capture.body)), &capture.body)
    }

    fn write_request(&mut self, capture: &Capture, change: &Change) -> io::Result<()> {
        let Some(request) = message::request(capture) else { return Ok(()) };
        let fields = fields(RecordType::Request, change)
            .with("WARC-Concurrent-To", format!("<{}>", record_id(RecordType::Response, change)))
            .with("Content-Type", "application/http; msgtype=request")
            .with_digests(&request, None);
        self.target.record(&fields, &request)
    }
}

fn software() -> String {
    format!("kuai/{}", env!("CARGO_PKG_VERSION"))
}

/// What a file is called: what was asked for.
fn title(selection: &Selection) -> String {
    let asked: Vec<&str> = selection.collections.iter().chain(&selection.prefixes).map(String::as_str).collect();
    if asked.is_empty() { "kuai archive".to_owned() } else { asked.join(", ") }
}

/// A time without fractions of a second, which some readers of WACZ files do not know.
fn in_seconds(time: Timestamp) -> String {
    Timestamp::from_second(time.as_second()).unwrap_or(time).to_string()
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
