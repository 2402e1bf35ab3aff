//! What can go wrong with a search.

use std::path::PathBuf;

use crate::query::QueryError;
use crate::tokens::DictionaryError;

/// What can go wrong with a search, by what the caller can do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The query cannot be read; it says where.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The words of one's own cannot be read.
    #[error(transparent)]
    Dictionary(#[from] DictionaryError),
    /// The archive refused.
    #[error(transparent)]
    Archive(#[from] kuai_archive::Error),
    /// Another process writes to the index; it can be searched meanwhile.
    #[error("{} is being written by another process: wait for it to end, or stop it", folder.display())]
    Locked {
        /// The folder of the index.
        folder: PathBuf,
    },
    /// The disk refused.
    #[error("cannot {doing} {}", file.display())]
    Io {
        /// What was being done.
        doing: &'static str,
        /// The file.
        file: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The index refused; `kuai index --rebuild` makes it anew.
    #[error("the search index failed; `kuai index --rebuild` makes it anew")]
    Index(#[from] tantivy::TantivyError),
}

/// Names the file and what was done with it.
pub(crate) fn io_error(doing: &'static str, file: &std::path::Path) -> impl FnOnce(std::io::Error) -> Error {
    let file = file.to_owned();
    move |source| Error::Io { doing, file, source }
}
