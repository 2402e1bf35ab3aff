//! What was appended and is not committed yet: entries with their bytes, and the addresses that they change.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use jiff::Timestamp;
use kuai_archive::{ContentHash, Row};

use super::database::{Database, Session};
use super::{Core, Fault, lock};
use crate::facts::Facts;
use crate::row::ReelRow;

/// A batch is committed when it has this many entries …
const ENTRIES_MAX: usize = 256;
/// … or this many bytes …
const BYTES_MAX: usize = 8 << 20;
/// … or when so many addresses were looked at for it.
const HELD_MAX: usize = 1024;

/// A process that stops in the middle of a transaction loses its locks after half its lease, so that others need not wait for it; but not
/// before this, as some time passes between appending and committing.
const IDLE_SECONDS_MIN: u64 = 2;

/// A batch. As long as its session lives, its hosts are locked.
#[derive(Default)]
pub(super) struct Batch {
    session: Option<Session>,
    /// Locks of the hosts that it writes to.
    pub(super) locks: BTreeSet<i64>,
    pub(super) held: HashMap<String, Held>,
    pub(super) entries: Vec<Pending>,
    pub(super) bytes: Vec<u8>,
    pub(super) blobs: Vec<(ContentHash, usize)>,
    pub(super) blob_bytes: Vec<u8>,
}

/// An address that is ours as long as the batch is.
#[derive(Clone, Debug)]
pub(super) struct Held {
    pub(super) id: i64,
    pub(super) key: ContentHash,
    /// How many entries it had; none for a new one.
    pub(super) committed_count: u32,
    pub(super) entry_count: u32,
    pub(super) first: Timestamp,
    pub(super) last: Timestamp,
    /// Place in the feed of the newest entry that is committed.
    pub(super) sequence: u64,
    /// Its newest reel as it was, where it had one.
    pub(super) committed_reel: Option<ReelRow>,
    /// Reels as they will be, where something was added to them: the newest last.
    pub(super) reels: Vec<ReelRow>,
}

/// An entry that is not committed yet.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    pub(super) url: String,
    pub(super) number: u32,
    pub(super) reel: u32,
    pub(super) facts: Facts,
    /// Where it lies among the batch's bytes.
    pub(super) place: u64,
}

impl Batch {
    pub(super) fn is_full(&self) -> bool {
        let byte_count = self.bytes.len() + self.blob_bytes.len();
        self.entries.len() >= ENTRIES_MAX || byte_count >= BYTES_MAX || self.held.len() >= HELD_MAX
    }

    /// The batch's connection, in a transaction that holds the batch's locks.
    pub(super) fn session(&mut self, core: &Core) -> Result<&mut Session, Fault> {
        if self.session.is_none() {
            let mut session = core.database.take()?;
            if let Err(fault) = begin(&mut session, &self.locks, core.lease) {
                core.database.give_back(None);
                return Err(fault);
            }
            self.session = Some(session);
        }
        Ok(self.session.as_mut().expect("it was made where there was none"))
    }

    /// Gives the connection up, and with it whatever it had begun.
    pub(super) fn lose_session(&mut self, database: &Database) {
        if self.session.take().is_some() {
            database.give_back(None);
        }
    }

    /// Ends the transaction, which makes what it did visible, and gives its locks up.
    pub(super) fn end(&mut self, database: &Database) -> Result<(), Fault> {
        let Some(mut session) = self.session.take() else { return Ok(()) };
        let ended = session.batch("COMMIT");
        database.give_back(ended.is_ok().then_some(session));
        ended
    }

    /// Whether the addresses of a host are locked.
    pub(super) fn has_lock(&self, lock: i64) -> bool {
        self.locks.contains(&lock)
    }

    pub(super) fn add_lock(&mut self, lock: i64) {
        self.locks.insert(lock);
    }

    /// The rows of a URL that are not committed yet, newest first.
    pub(super) fn rows(&self, url: &str) -> Vec<Row> {
        let of_url = self.entries.iter().rev().filter(|pending| pending.url == url);
        of_url.map(|pending| Row { sequence: 0, ..pending.facts.row(pending.number) }).collect()
    }
}

impl Held {
    /// The newest reel as it is with what is not committed yet.
    pub(super) fn newest_reel(&self) -> Option<&ReelRow> {
        self.reels.last().or(self.committed_reel.as_ref())
    }

    pub(super) fn has_pending(&self) -> bool {
        self.entry_count > self.committed_count
    }
}

/// Begins a transaction with locks. They are taken in order, so that two that do the same never wait for each other in a circle.
fn begin(session: &mut Session, locks: &BTreeSet<i64>, lease: Duration) -> Result<(), Fault> {
    let idle = (lease / 2).as_secs().max(IDLE_SECONDS_MIN);
    session.batch(&format!(
        "BEGIN; SET LOCAL idle_in_transaction_session_timeout = '{idle}s'; SET LOCAL lock_timeout = '{idle}s'"
    ))?;
    for lock in locks {
        session.query(lock::WAIT, &[lock])?;
    }
    Ok(())
}

impl std::fmt::Debug for Batch {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Batch of {} entries", self.entries.len())
    }
}
