//! The index of WARC files that other tools share: a line a capture, sorted by key and time, the rest as a JSON object.
//!
//! `org,example)/ 20260131235959 {"url":"https://example.org/","mime":"text/html","status":"200",…}`. Lines are written so that sorting them as bytes
//! sorts them as [`CdxLine`]s; what others wrote is read whatever its case of blanks and numbers, as long as it says where the record lies.

use std::fmt;
use std::io::{self, BufRead, Read};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::surt::surt;
use crate::{Fields, RecordType, head_length, http};

/// A longer line is bad.
const LINE_BYTES_MAX: u64 = 1 << 20;

/// Digits of a timestamp: year to second.
const STAMP_DIGITS: usize = 14;

/// Where one capture lies, and what it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct CdxLine {
    /// What it is filed under: the [`surt`](crate::surt) of its address.
    pub key: String,
    /// When it was captured, in 14 digits: `20260131235959`.
    pub timestamp: String,
    /// The rest.
    pub fields: CdxFields,
}

/// What a line says in JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CdxFields {
    /// The address.
    pub url: String,
    /// Its type: `text/html`, or `warc/revisit` for a record that refers to another.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub mime: String,
    /// The HTTP status, where there is one.
    #[serde(
        default,
        deserialize_with = "read_status",
        serialize_with = "write_status",
        skip_serializing_if = "Option::is_none"
    )]
    pub status: Option<u16>,
    /// The digest of the payload: `sha1:…`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub digest: String,
    /// Bytes of the record, packed as it is.
    #[serde(default, deserialize_with = "read_number", serialize_with = "write_number")]
    pub length: u64,
    /// Where it begins.
    #[serde(deserialize_with = "read_number", serialize_with = "write_number")]
    pub offset: u64,
    /// The file that it lies in.
    pub filename: String,
}

impl CdxLine {
    /// The line of a capture at a time of 14 digits.
    pub fn new(timestamp: impl Into<String>, fields: CdxFields) -> CdxLine {
        CdxLine { key: surt(&fields.url), timestamp: timestamp.into(), fields }
    }

    /// The line of a record that stands in `filename`; `None` for one that is no capture, or that names no address and time.
    pub fn of_record(fields: &Fields, block: &[u8], filename: &str, offset: u64, length: u64) -> Option<CdxLine> {
        let record_type = fields.record_type();
        let head = fields.is_http().then(|| &block[..head_length(block).unwrap_or(block.len())]);
        let content_type = match head {
            Some(head) => http::header(head, "content-type"),
            None => fields.get("Content-Type"),
        };
        let mime = match record_type {
            RecordType::Revisit => "warc/revisit".to_owned(),
            RecordType::Response | RecordType::Resource => essence(content_type.unwrap_or_default()),
            _ => return None,
        };
        let url = fields.text("WARC-Target-URI")?.to_owned();
        let digest = fields.text("WARC-Payload-Digest").unwrap_or_default().to_owned();
        let timestamp = stamp(fields.text("WARC-Date")?)?;
        let status = head.and_then(http::status);
        let filename = filename.to_owned();
        Some(CdxLine::new(timestamp, CdxFields { url, mime, status, digest, length, offset, filename }))
    }

    /// Reads a line; `None` where it is none.
    pub fn parse(line: &str) -> Option<CdxLine> {
        let (key, rest) = line.trim_end().split_once(' ')?;
        let (timestamp, json) = rest.split_once(' ')?;
        let is_stamp = stamp(timestamp).as_deref() == Some(timestamp);
        let fields = serde_json::from_str(json).ok().filter(|_| is_stamp)?;
        Some(CdxLine { key: key.to_owned(), timestamp: timestamp.to_owned(), fields })
    }
}

impl fmt::Display for CdxLine {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let json = serde_json::to_string(&self.fields).map_err(|_| fmt::Error)?;
        write!(out, "{} {} {json}", self.key, self.timestamp)
    }
}

/// Reads an index line by line. A line that is none is an error that names it; the next call goes on behind it.
pub struct CdxReader<R> {
    reader: R,
    line_count: u64,
    is_ended: bool,
}

/// Why a line could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CdxError {
    /// It is no line of an index.
    #[error("line {line}: no line of a CDXJ index")]
    BadLine {
        /// Which one, from 1.
        line: u64,
    },
    /// The file cannot be read any further.
    #[error("cannot read the index")]
    Io(#[from] io::Error),
}

impl<R: BufRead> CdxReader<R> {
    /// Reads an index from its beginning.
    pub fn new(reader: R) -> CdxReader<R> {
        CdxReader { reader, line_count: 0, is_ended: false }
    }

    /// The next line that is not empty and no `!meta` head; `None` at the end.
    fn read(&mut self) -> Result<Option<CdxLine>, CdxError> {
        loop {
            let mut line = Vec::new();
            let count = self.reader.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', &mut line)?;
            if count == 0 {
                return Ok(None);
            }
            self.line_count += 1;
            let bad = CdxError::BadLine { line: self.line_count };
            if count as u64 == LINE_BYTES_MAX && !line.ends_with(b"\n") {
                self.reader.skip_until(b'\n')?;
                return Err(bad);
            }
            let text = std::str::from_utf8(&line).unwrap_or_default();
            if line.trim_ascii().is_empty() || text.starts_with('!') || text.starts_with(" CDX") {
                continue;
            }
            return CdxLine::parse(text).map(Some).ok_or(bad);
        }
    }
}

impl<R: BufRead> Iterator for CdxReader<R> {
    type Item = Result<CdxLine, CdxError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_ended {
            return None;
        }
        let line = self.read().transpose();
        self.is_ended = matches!(line, None | Some(Err(CdxError::Io(_))));
        line
    }
}

/// The first 14 digits of a date: `20260131235959` of `2026-01-31T23:59:59.5Z`.
fn stamp(date: &str) -> Option<String> {
    let digits: String = date.chars().filter(char::is_ascii_digit).take(STAMP_DIGITS).collect();
    (digits.len() == STAMP_DIGITS).then_some(digits)
}

/// A content type without its parameters.
fn essence(content_type: &[u8]) -> String {
    let essence = content_type.split(|byte| *byte == b';').next().unwrap_or_default();
    String::from_utf8_lossy(essence.trim_ascii()).to_ascii_lowercase()
}

/// Numbers are written as text, as pywb writes them; others write numbers.
#[derive(Deserialize)]
#[serde(untagged)]
enum Number {
    Number(u64),
    Text(String),
}

impl Number {
    fn value(self) -> Option<u64> {
        match self {
            Number::Number(value) => Some(value),
            Number::Text(text) => text.trim().parse().ok(),
        }
    }
}

fn read_number<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    Number::deserialize(from)?.value().ok_or_else(|| serde::de::Error::custom("no number"))
}

/// A status that is none, such as `-`, is no reason to lose the line.
fn read_status<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u16>, D::Error> {
    Ok(Number::deserialize(from)?.value().and_then(|value| u16::try_from(value).ok()))
}

fn write_number<S: Serializer>(value: &u64, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(value)
}

fn write_status<S: Serializer>(value: &Option<u16>, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(&value.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: &str = r#"org,example)/a?b=c 20260131235959 {"url":"https://example.org/a?b=c","mime":"text/html","status":"200","digest":"sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ","length":"1043","offset":"333","filename":"example.warc.gz"}"#;

    #[test]
    fn a_line_comes_back_as_it_was_written() {
        let line = CdxLine::parse(PLAIN).expect("a line");
        assert_eq!(line.to_string(), PLAIN);
        assert_eq!(line, CdxLine::new("20260131235959", line.fields.clone()));
        assert_eq!((line.fields.status, line.fields.offset, line.fields.length), (Some(200), 333, 1043));
    }

    #[test]
    fn lines_of_other_tools_are_read() {
        let line = r#"org,example)/ 20200101000000 {"url": "http://example.org/", "status": "-", "offset": 7, "filename": "a \"b\".warc", "more": [1]}"#;
        let line = CdxLine::parse(line).expect("a line");
        assert_eq!((line.fields.status, line.fields.offset, line.fields.length), (None, 7, 0));
        assert_eq!(line.fields.filename, "a \"b\".warc");
    }

    #[test]
    fn bad_lines_are_named_and_the_rest_is_read() {
        let long = "x".repeat(LINE_BYTES_MAX as usize + 7);
        let index = format!("!meta 0 {{}}\n{PLAIN}\n\nnot a line\n{long}\n{PLAIN}\r\norg,example)/ 2026 {{}}");
        let told: Vec<String> = CdxReader::new(index.as_bytes())
            .map(|line| line.map_or_else(|error| error.to_string(), |line| line.key))
            .collect();
        let key = "org,example)/a?b=c";
        let bad = |line| format!("line {line}: no line of a CDXJ index");
        assert_eq!(told, [key.to_owned(), bad(4), bad(5), key.to_owned(), bad(7)]);
    }

    #[test]
    fn lines_are_in_order_as_bytes_when_they_are_as_values() {
        let line = |url: &str, timestamp: &str| {
            CdxLine::new(timestamp, CdxFields { url: url.to_owned(), ..CdxFields::default() })
        };
        let mut lines = [
            line("http://example.org/b", "20260101000000"),
            line("http://example.org/", "20260201000000"),
            line("http://example.org/", "20260101000000"),
            line("http://example.org/!", "20260101000000"),
            line("http://example.org:81/", "20260101000000"),
        ];
        lines.sort();
        let written: Vec<String> = lines.iter().map(CdxLine::to_string).collect();
        assert!(written.is_sorted(), "{written:#?}");
    }
}
