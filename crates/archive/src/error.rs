//! What can go wrong with an archive, by what the caller can do about it.

use kuai_page::Timestamp;

use crate::StoreError;

/// What can go wrong with an archive.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The archive has nothing of this address.
    #[error("nothing of {url} is in the archive")]
    UnknownUrl {
        /// The address asked for.
        url: String,
    },
    /// The archive has the address, but not at or before this time.
    #[error("no version of {url} at or before {time}; the first is of {first}")]
    NoVersion {
        /// The address asked for.
        url: String,
        /// The time asked for.
        time: Timestamp,
        /// The time of the first version.
        first: Timestamp,
    },
    /// The version is no page, so it has no blocks.
    #[error("{url} has no page at or before {time}: what was captured has no blocks to compare")]
    NoPage {
        /// The address asked for.
        url: String,
        /// The time asked for.
        time: Timestamp,
    },
    /// A header could not be told from its neighbours any more.
    #[error("not a header that can be kept: {line:?}")]
    BadHeader {
        /// The line.
        line: String,
    },
    /// What the store gave is not what an archive writes.
    #[error("the notes on version {number} of {url} cannot be read: run `kuai verify`")]
    BadNotes {
        /// The address.
        url: String,
        /// Which entry.
        number: u32,
    },
    /// A rule file says something that cannot be understood.
    #[error("rules: {what}")]
    BadRules {
        /// What is wrong with it.
        what: String,
    },
    /// The store could not do it.
    #[error(transparent)]
    Store(#[from] StoreError),
}
