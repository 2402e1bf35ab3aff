//! What can go wrong with a shared archive, and how it is told at the rim.

use std::io;

use kuai_archive::StoreError;
use kuai_crawl::FrontierError;

use super::address::chain;
use super::database;

/// Why something could not be done.
#[derive(Debug)]
pub(crate) enum Fault {
    /// Postgres, or the way to it.
    Database(tokio_postgres::Error),
    /// The object store, or the way to it.
    Objects(object_store::Error),
    /// Nothing can be started here.
    Runtime(io::Error),
    /// Work on the network's thread did not end.
    Task(tokio::task::JoinError),
    /// The worker lost its lease.
    LeaseEnded,
    /// Somebody else wrote to an address that we had begun to write to.
    Overtaken,
    /// What a row pointed to is not there any more: a compaction has moved it.
    Vanished,
    /// Something about what is stored.
    Store(StoreError),
}

impl Fault {
    /// Whether it is worth trying again.
    pub(crate) fn may_pass(&self) -> bool {
        match self {
            Fault::Database(error) => database::may_pass(error),
            // What the object store itself says for good has a kind of its own.
            Fault::Objects(error) => matches!(error, object_store::Error::Generic { .. }),
            _ => false,
        }
    }

    /// The error of a store at a place, while doing something.
    pub(crate) fn of_store(self, doing: &'static str, place: &str) -> StoreError {
        match self {
            Fault::Store(error) => error,
            other => StoreError::Io { doing, file: place.into(), source: io::Error::other(other.to_string()) },
        }
    }

    /// The error of a frontier at a place, while doing something.
    pub(crate) fn of_frontier(self, doing: &'static str, place: &str) -> FrontierError {
        FrontierError { doing, place: place.to_owned(), source: self.to_string().into() }
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Fault::Database(error) => out.write_str(&chain(error)),
            Fault::Objects(error) => out.write_str(&chain(error)),
            Fault::Runtime(error) => out.write_str(&chain(error)),
            Fault::Task(error) => out.write_str(&chain(error)),
            Fault::LeaseEnded => out.write_str(
                "the lease of this worker ended, and what it had claimed went to others; start it again and it takes its part",
            ),
            Fault::Overtaken => {
                out.write_str("another process wrote to the same address meanwhile, so this was not written; do it again")
            }
            Fault::Vanished => out.write_str("what it points to is not in the object store; `kuai verify` says more"),
            Fault::Store(error) => out.write_str(&chain(error)),
        }
    }
}

impl From<tokio_postgres::Error> for Fault {
    fn from(error: tokio_postgres::Error) -> Fault {
        Fault::Database(error)
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Fault {
        Fault::Store(error)
    }
}
