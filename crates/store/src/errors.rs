//! Short ways to say what went wrong, and with which file.

use std::io;
use std::path::Path;

use kuai_archive::StoreError;

/// The disk refused something.
pub(crate) fn io_error(doing: &'static str, file: &Path) -> impl FnOnce(io::Error) -> StoreError {
    move |source| StoreError::Io { doing, file: file.to_owned(), source }
}

/// A file is not what it was when it was written.
pub(crate) fn damaged(file: &Path, what: impl Into<String>) -> StoreError {
    StoreError::Damaged { file: file.to_owned(), what: what.into() }
}

/// Whether a file was not there, as happens to a reader whose row is older than a compaction.
pub(crate) fn is_vanished(error: &StoreError) -> bool {
    matches!(error, StoreError::Io { source, .. } if source.kind() == io::ErrorKind::NotFound)
}
