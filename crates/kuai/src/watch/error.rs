//! What can go wrong with watches.

use std::io;
use std::path::{Path, PathBuf};

/// What can go wrong with watches, by what the caller can do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The archive refused.
    #[error(transparent)]
    Archive(#[from] kuai_archive::Error),
    /// The search index refused.
    #[error(transparent)]
    Search(#[from] kuai_search::Error),
    /// Another process runs or changes the watches.
    #[error("{} is in use by another process: wait for it to end, or stop it", folder.display())]
    Locked {
        /// The folder of the watches.
        folder: PathBuf,
    },
    /// The file of watches is of no known form; nothing is lost as long as it is there.
    #[error("{} cannot be read: {why}", file.display())]
    BadFile {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// There are too many watches.
    #[error("there are {max} watches already; remove some first")]
    TooMany {
        /// How many there may be.
        max: usize,
    },
    /// The system has no random numbers.
    #[error("no secret can be made: {0}")]
    Secret(String),
    /// The disk refused.
    #[error("cannot {doing} {}", file.display())]
    Io {
        /// What was being done.
        doing: &'static str,
        /// The file.
        file: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
}

/// Names the file and what was done with it.
pub(super) fn io_error(doing: &'static str, file: &Path) -> impl FnOnce(io::Error) -> Error {
    let file = file.to_owned();
    move |source| Error::Io { doing, file, source }
}
