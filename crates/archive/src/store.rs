//! What the archive asks of the place where it lies: histories of entries by URL, a change feed, totals.
//!
//! A store knows nothing about pages. It keeps what it is given once, gives it back byte for byte, checks every
//! hash as it reads, and never loses an entry that was acknowledged.

use std::fmt;
use std::path::PathBuf;

use kuai_page::Timestamp;

/// How many figures an entry may have.
pub const FIGURES_MAX: usize = 12;

/// Small numbers about an entry that can be listed and summed without reading the rest.
pub type Figures = [u32; FIGURES_MAX];

/// The first 16 bytes of a BLAKE3 hash: what a body is known by.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContentHash(pub [u8; 16]);

/// How a body is best kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// Text that is much like the URL's other bodies: only what is new in it is kept.
    Text,
    /// Likewise, but one of very many that come at once: pressed as lightly as can be, until a compaction presses it again.
    HastyText,
    /// Anything else: kept whole, once for all URLs.
    Blob,
}

/// One capture on its way into a store.
#[derive(Clone, Debug)]
pub struct Entry<'a> {
    /// The address it is of.
    pub url: &'a str,
    /// When it was taken.
    pub time: Timestamp,
    /// The request and the response without their bodies: lines that end in CR LF.
    pub head: &'a [u8],
    /// The body as it came.
    pub body: &'a [u8],
    /// How the body is kept.
    pub form: Form,
    /// What is known about the body: lines that end in LF, kept as changes against the URL's entry before.
    pub notes: &'a [u8],
    /// What is listed and summed.
    pub figures: Figures,
}

/// What is known of a stored entry without reading it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Which entry of its URL this is, in the order of arrival, from 0.
    pub number: u32,
    /// Its place in the change feed of the whole store, from 1. As long as an entry is visible to its writer only, it has none, and this is 0.
    pub sequence: u64,
    /// When it was taken.
    pub time: Timestamp,
    /// What its body is known by.
    pub hash: ContentHash,
    /// Bytes of its body.
    pub body_length: u64,
    /// Bytes that it took when it was written.
    pub stored_length: u64,
    /// What was given with it.
    pub figures: Figures,
}

/// A stored entry, exactly as it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// What the listing says of it.
    pub row: Row,
    /// See [`Entry::head`].
    pub head: Vec<u8>,
    /// See [`Entry::body`].
    pub body: Vec<u8>,
    /// See [`Entry::notes`].
    pub notes: Vec<u8>,
}

/// A URL in a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UrlRow {
    /// The address.
    pub url: String,
    /// How many entries it has.
    pub entry_count: u32,
    /// The earliest time of an entry.
    pub first: Timestamp,
    /// The latest time of an entry.
    pub last: Timestamp,
}

/// A step of the change feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The address whose entry came in.
    pub url: String,
    /// The entry.
    pub row: Row,
}

/// Sums over a whole store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// How many URLs there are.
    pub url_count: u64,
    /// How many entries there are; also the sequence number of the newest.
    pub entry_count: u64,
    /// Bytes of all bodies and heads as they were given.
    pub bytes_given: u64,
    /// Bytes that the store takes, everything counted.
    pub bytes_stored: u64,
    /// The sum of each figure.
    pub figures: [u64; FIGURES_MAX],
}

/// Something that a check found damaged, and what it affects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The file, where the store has files.
    pub file: Option<PathBuf>,
    /// What is wrong: `pack directory: the hash differs`.
    pub what: String,
    /// The URLs and numbers of entries that cannot be read because of it; empty where nothing is lost.
    pub affected: Vec<(String, u32)>,
}

/// What a check looked at and found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Entries read back and hashed.
    pub entry_count: u64,
    /// Files looked at.
    pub file_count: u64,
    /// What is damaged; empty in a sound store.
    pub damages: Vec<Damage>,
    /// What stands out without being damage: files that are not ours, leftovers of a crash.
    pub remarks: Vec<String>,
}

/// What a compaction did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compacted {
    /// Entries that lie better now.
    pub entry_count: u64,
    /// Bytes of the store before.
    pub bytes_before: u64,
    /// Bytes of the store after.
    pub bytes_after: u64,
}

/// Told how far long work is: done so far, and all there is. Answers whether to go on.
pub type Progress<'a> = &'a mut dyn FnMut(u64, u64) -> bool;

/// Where an archive lies. One writer, many readers; in a shared place many writers, of which one at a time writes to a URL.
pub trait Store: Send + Sync {
    /// Adds an entry to the history of its URL. It is visible at once to whoever has this store, and after the next [`Store::sync`] it is durable, and
    /// visible to all.
    fn append(&self, entry: &Entry<'_>) -> Result<Row, Error>;

    /// Returns when everything appended so far survives a crash and a power cut.
    fn sync(&self) -> Result<(), Error>;

    /// The entry of a URL that arrived last; none for an unknown URL. A writer has it in memory if it wrote it a moment ago.
    fn latest(&self, url: &str) -> Result<Option<Stored>, Error>;

    /// The newest entries of a URL, newest first, in the order of arrival; none for an unknown URL.
    fn newest(&self, url: &str, limit: usize) -> Result<Vec<Row>, Error>;

    /// All entries of a URL in the order of arrival; none for an unknown URL.
    fn history(&self, url: &str) -> Result<Vec<Row>, Error>;

    /// An entry, checked against its hash.
    fn read(&self, url: &str, number: u32) -> Result<Stored, Error>;

    /// URLs that begin with `prefix`, grouped by host and sorted within it; pages on `after` the last one seen.
    fn urls(&self, prefix: &str, after: Option<&str>, limit: usize) -> Result<Vec<UrlRow>, Error>;

    /// Entries with a sequence number above `since`, in order.
    fn changes(&self, since: u64, limit: usize) -> Result<Vec<Change>, Error>;

    /// Sums over everything.
    fn totals(&self) -> Result<Totals, Error>;

    /// Rewrites what was written in haste so that it takes less space; safe to stop or to kill at any moment.
    fn compact(&self, progress: Progress<'_>) -> Result<Compacted, Error>;

    /// Reads everything back, hashes it, and says what is damaged.
    fn verify(&self, progress: Progress<'_>) -> Result<Verified, Error>;
}

/// What can go wrong with a store, by what the caller can do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no such entry.
    #[error("no entry {number} of {url}")]
    NoEntry {
        /// The address asked for.
        url: String,
        /// The number asked for.
        number: u32,
    },
    /// Another process writes to this store; wait for it or stop it.
    #[error("{} is being written by another process: wait for it to end, or stop it", place.display())]
    Locked {
        /// The store.
        place: PathBuf,
    },
    /// The store was opened for reading only.
    #[error("{} was opened for reading only", place.display())]
    ReadOnly {
        /// The store.
        place: PathBuf,
    },
    /// There is no archive at this place.
    #[error("there is no kuai archive at {}", place.display())]
    NoArchive {
        /// The place.
        place: PathBuf,
    },
    /// The place holds something else, or a format that this kuai does not know.
    #[error("{}: {what}", place.display())]
    WrongFormat {
        /// The place.
        place: PathBuf,
        /// What was found there.
        what: String,
    },
    /// A stored thing does not have its hash any more; `kuai verify` says what else is hit.
    #[error("{} is damaged: {what}", file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// An entry is larger than the store takes.
    #[error("{what} of {url} is {length} bytes long, the most is {length_max}")]
    TooLarge {
        /// The address.
        url: String,
        /// Which part of the entry.
        what: &'static str,
        /// How long it is.
        length: u64,
        /// How long it may be.
        length_max: u64,
    },
    /// The disk, or the database on it, refused.
    #[error("cannot {doing} {}", file.display())]
    Io {
        /// What was being done: `write`, `read`, `make`.
        doing: &'static str,
        /// The file.
        file: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
}

impl ContentHash {
    /// The hash of some bytes.
    pub fn of(bytes: &[u8]) -> ContentHash {
        let hash = blake3::hash(bytes);
        ContentHash(*hash.as_bytes().first_chunk().expect("a BLAKE3 hash is 32 bytes long"))
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(out, "{byte:02x}"))
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "ContentHash({self})")
    }
}
