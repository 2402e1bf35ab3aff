//! What can be wrong with a WARC file, and where.

use std::io;

/// What went wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A record, or what stands in its place, is damaged. It is skipped: the next call goes on behind it.
    #[error("at byte {offset}: {fault}")]
    Damaged {
        /// Where in the file the record begins, or its gzip member or zstd frame.
        offset: u64,
        /// What is wrong with it.
        fault: Fault,
    },
    /// The file cannot be read any further.
    #[error("cannot read at byte {offset}")]
    Io {
        /// How far it was read.
        offset: u64,
        /// Why.
        #[source]
        source: io::Error,
    },
}

/// What is wrong with a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The file, its gzip member or zstd frame ends inside the record.
    #[error("the record is cut short")]
    CutShort,
    /// There is something else where a record should begin.
    #[error("no record begins here")]
    NoRecord,
    /// The unpacked bytes are packed again.
    #[error("a packed file inside a packed file: unpack it once")]
    PackedTwice,
    /// A named field is no `Name: value`.
    #[error("a named field cannot be read")]
    BadField,
    /// The named fields are longer than [`Limits::fields_bytes_max`](crate::Limits::fields_bytes_max).
    #[error("the named fields are too long")]
    FieldsTooLong,
    /// The HTTP headers are longer than [`Limits::http_head_bytes_max`](crate::Limits::http_head_bytes_max).
    #[error("the HTTP headers are too long")]
    HttpHeadTooLong,
    /// The record does not say how long its block is.
    #[error("no Content-Length that can be read")]
    NoLength,
    /// No record end stands where the block should end.
    #[error("the block is not as long as Content-Length says")]
    WrongLength,
    /// The block does not have its digest.
    #[error("the block digest differs")]
    BlockDigest,
    /// The payload does not have its digest.
    #[error("the payload digest differs")]
    PayloadDigest,
    /// The gzip member is damaged.
    #[error("the gzip member is damaged")]
    BadGzip,
    /// The zstd frame is damaged.
    #[error("the zstd frame is damaged")]
    BadZstd,
    /// The dictionary of the zstd file is damaged or too large.
    #[error("the zstd dictionary cannot be read")]
    BadDictionary,
}

/// Inside the crate: a fault whose place the caller knows, or the end of all reading.
#[derive(Debug)]
pub(crate) enum Trouble {
    Fault(Fault),
    Io(io::Error),
}

impl Trouble {
    pub(crate) fn at(self, offset: u64) -> Error {
        match self {
            Trouble::Fault(fault) => Error::Damaged { offset, fault },
            Trouble::Io(source) => Error::Io { offset, source },
        }
    }
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Trouble {
        Trouble::Fault(fault)
    }
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Trouble {
        Trouble::Io(error)
    }
}
