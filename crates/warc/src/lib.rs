//! Streams WARC files (1.0 and 1.1) in and out, record by record: plain, gzip, or zstd with or without a dictionary; also out of and into
//! WACZ files, with the CDXJ index that goes with them.
//!
//! Memory is constant whatever the file's size or state. Digests are checked as blocks stream by. What is damaged is told with its offset,
//! and skipped; what follows is read. Knows nothing of pages and archives.
//!
//! ```
//! use std::io::Read;
//! use kuai_warc::{Fields, Packing, Reader, RecordType, Writer};
//!
//! let block = b"HTTP/1.1 200 OK\r\nServer: nginx\r\n\r\nHello";
//! let fields = Fields::new(RecordType::Response, "urn:uuid:2f6cb6f6-9d35-4f6b-8bd4-7a3f1c9a3c11", "2026-01-31T23:59:59Z")
//!     .with("WARC-Target-URI", "https://example.org/")
//!     .with("Content-Type", "application/http; msgtype=response")
//!     .with_digests(block, Some(b"Hello"));
//! let mut writer = Writer::new(Vec::new(), Packing::Gzip);
//! writer.write(&fields, block.len() as u64, &block[..])?;
//! let file = writer.finish()?;
//!
//! let mut reader = Reader::new(file.as_slice());
//! while let Some(record) = reader.next_record() {
//!     let mut record = record?;
//!     assert_eq!(record.fields().text("warc-target-uri"), Some("https://example.org/"));
//!     assert_eq!(record.http_head()?, b"HTTP/1.1 200 OK\r\nServer: nginx\r\n\r\n");
//!     let mut payload = Vec::new();
//!     record.read_to_end(&mut payload)?;
//!     assert_eq!(payload, b"Hello");
//!     record.finish()?;
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cdxj;
mod check;
mod chunks;
mod digest;
mod error;
mod fields;
mod gzip;
mod http;
mod limits;
mod members;
mod reader;
mod source;
mod surt;
mod wacz;
mod writer;
mod zstd_frame;

pub use cdxj::{CdxError, CdxFields, CdxLine, CdxReader};
pub use chunks::{join_chunks, split_chunks};
pub use digest::Digest;
pub use error::{Error, Fault};
pub use fields::{Fields, RecordType};
pub use http::{head_length, is_chunked};
pub use limits::Limits;
pub use members::Packing;
pub use reader::{Reader, Record};
pub use surt::surt;
pub use wacz::{Wacz, WaczAbout, WaczError, WaczPage, WaczWriter};
pub use writer::Writer;
