//! The named fields of a record, in order and as bytes.

use crate::Digest;
use crate::error::Fault;

/// What a record is, by its `WARC-Type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RecordType {
    /// What follows in the file, and who wrote it.
    Warcinfo,
    /// An answer as it came, headers included.
    Response,
    /// Something had without HTTP: a file, a DNS record.
    Resource,
    /// What was asked.
    Request,
    /// Something about another record.
    Metadata,
    /// An answer whose body is that of another record.
    Revisit,
    /// Another record's content in another form.
    Conversion,
    /// A later part of a record.
    Continuation,
    /// A type that the standard does not name.
    Other,
}

/// The names of the types.
const TYPES: [(&str, RecordType); 8] = [
    ("warcinfo", RecordType::Warcinfo),
    ("response", RecordType::Response),
    ("resource", RecordType::Resource),
    ("request", RecordType::Request),
    ("metadata", RecordType::Metadata),
    ("revisit", RecordType::Revisit),
    ("conversion", RecordType::Conversion),
    ("continuation", RecordType::Continuation),
];

impl RecordType {
    /// As it is written: `response`; a type of no name is written `other`.
    pub fn name(self) -> &'static str {
        TYPES.iter().find(|(_, known)| *known == self).map_or("other", |(name, _)| name)
    }

    fn of(name: &[u8]) -> RecordType {
        let found = TYPES.iter().find(|(known, _)| known.as_bytes().eq_ignore_ascii_case(name));
        found.map_or(RecordType::Other, |(_, known)| *known)
    }
}

/// The named fields of a record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields(Vec<(Vec<u8>, Vec<u8>)>);

impl Fields {
    /// Those that every record has: its type, its id (`urn:uuid:…`, without brackets) and its date (`2026-01-31T23:59:59Z`).
    pub fn new(record_type: RecordType, id: &str, date: &str) -> Fields {
        Fields::default()
            .with("WARC-Type", record_type.name())
            .with("WARC-Record-ID", format!("<{id}>"))
            .with("WARC-Date", date)
    }

    /// One more at the end.
    pub fn with(mut self, name: impl AsRef<[u8]>, value: impl AsRef<[u8]>) -> Fields {
        self.0.push((name.as_ref().to_vec(), value.as_ref().to_vec()));
        self
    }

    /// Names and values in order.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.0.iter().map(|(name, value)| (name.as_slice(), value.as_slice()))
    }

    /// The value of the first field of this name, whatever its case.
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.iter().find(|(known, _)| known.eq_ignore_ascii_case(name.as_bytes())).map(|(_, value)| value)
    }

    /// That value as text, without the angle brackets that addresses and ids may stand in.
    pub fn text(&self, name: &str) -> Option<&str> {
        let text = std::str::from_utf8(self.get(name)?).ok()?;
        Some(text.strip_prefix('<').and_then(|text| text.strip_suffix('>')).unwrap_or(text))
    }

    /// What the record is.
    pub fn record_type(&self) -> RecordType {
        self.get("WARC-Type").map_or(RecordType::Other, RecordType::of)
    }

    /// How many bytes its block has.
    pub fn content_length(&self) -> Option<u64> {
        let text = self.text("Content-Length")?;
        text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))
    }

    /// A digest that it names, where it is one that we can compute.
    pub fn digest(&self, name: &str) -> Option<Digest> {
        Digest::parse(self.text(name)?)
    }

    /// Whether its block is an HTTP message.
    pub fn is_http(&self) -> bool {
        let content_type = self.get("Content-Type").unwrap_or_default();
        let essence = content_type.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
        essence.eq_ignore_ascii_case(b"application/http")
    }

    /// Reads a line; one that begins with a blank goes on with the field before.
    pub(crate) fn read_line(&mut self, line: &[u8]) -> Result<(), Fault> {
        if line.starts_with(b" ") || line.starts_with(b"\t") {
            let (_, value) = self.0.last_mut().ok_or(Fault::BadField)?;
            value.push(b' ');
            value.extend_from_slice(line.trim_ascii());
            return Ok(());
        }
        let colon = memchr::memchr(b':', line).filter(|at| *at > 0).ok_or(Fault::BadField)?;
        let (name, value) = (line[..colon].trim_ascii_end(), line[colon + 1..].trim_ascii());
        self.0.push((name.to_vec(), value.to_vec()));
        Ok(())
    }
}
