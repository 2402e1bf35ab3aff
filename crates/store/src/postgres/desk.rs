//! Where a writer works: the batch that grows, the one that is being committed, and the reels that are open.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use kuai_archive::Row;

use super::batch::{Batch, Held};
use super::database::Session;
use super::rows::{REEL_COLUMN_COUNT, reel, reel_columns, time};
use super::{Core, Fault, commit, lock};
use crate::familiar::FamiliarHosts;
use crate::host::host_of;
use crate::key::key_of;
use crate::open_reels::OpenReels;

/// Numbers of reels that are handed out together; what the sequence steps by.
const NUMBERS: u32 = 64;
/// How long a broken connection is tried anew before an address can be looked at …
const GIVE_UP_AFTER: Duration = Duration::from_secs(60);
/// … every so often.
const BACK_OFF: Duration = Duration::from_millis(200);

/// What only those who write have.
#[derive(Debug, Default)]
pub(super) struct Writer {
    desk: Mutex<Desk>,
    /// Held by the one commit at a time.
    turn: Mutex<()>,
    pub(super) familiar: Mutex<FamiliarHosts>,
}

#[derive(Debug, Default)]
pub(super) struct Desk {
    pub(super) batch: Batch,
    pub(super) reels: OpenReels,
    committing: Committing,
    free_numbers: Range<u32>,
}

/// What the batch that is being committed changes.
#[derive(Debug, Default)]
struct Committing {
    urls: HashSet<String>,
    /// Its hosts' locks, which are given up with its end.
    locks: BTreeSet<i64>,
}

impl Writer {
    pub(super) fn desk(&self) -> MutexGuard<'_, Desk> {
        // Whatever panicked, what is not committed is not promised, and reels are checked against the database.
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The rows of an address that are not committed yet, newest first.
    pub(super) fn pending_rows(&self, url: &str) -> Vec<Row> {
        let mut desk = self.desk();
        while desk.committing.urls.contains(url) {
            drop(desk);
            self.wait_for_commit();
            desk = self.desk();
        }
        desk.batch.rows(url)
    }

    /// Commits what was appended to an address, if something was.
    pub(super) fn settle(&self, core: &Core, url: &str) -> Result<(), Fault> {
        if !self.pending_rows(url).is_empty() { self.flush(core) } else { Ok(()) }
    }

    /// Waits for the commit that is under way, if one is.
    fn wait_for_commit(&self) {
        drop(self.turn.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Commits what was appended so far. Others may append meanwhile.
    pub(super) fn flush(&self, core: &Core) -> Result<(), Fault> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let mut batch = {
            let mut desk = self.desk();
            let batch = std::mem::take(&mut desk.batch);
            desk.committing = Committing {
                urls: batch.entries.iter().map(|entry| entry.url.clone()).collect(),
                locks: batch.locks.clone(),
            };
            batch
        };
        let done = commit::commit(core, &mut batch);
        batch.lose_session(&core.database);
        let mut desk = self.desk();
        desk.committing = Committing::default();
        if done.is_err() {
            // What they say was not taken.
            for entry in &batch.entries {
                desk.reels.take(entry.reel);
            }
        }
        done
    }

    /// The desk with an address in its batch: nobody else writes to it until that is committed.
    pub(super) fn hold(&self, core: &Core, url: &str) -> Result<MutexGuard<'_, Desk>, Fault> {
        let began = Instant::now();
        let host_lock = lock::of_host(&core.schema, host_of(url));
        let mut must_wait = false;
        loop {
            let mut desk = self.desk();
            if desk.batch.held.contains_key(url) {
                return Ok(desk);
            }
            if desk.committing.locks.contains(&host_lock) {
                // Our own commit has the host. What is at hand stays there and grows.
                drop(desk);
                self.wait_for_commit();
                continue;
            }
            if desk.batch.is_full() || must_wait && !desk.batch.held.is_empty() {
                drop(desk);
                self.flush(core)?;
                continue;
            }
            match desk.look_at(core, url, host_lock, must_wait) {
                Ok(Some(held)) => {
                    desk.batch.held.insert(url.to_owned(), held);
                    return Ok(desk);
                }
                // Somebody else writes to this host. We wait for them with nothing in our hands that they could wait for.
                Ok(None) => must_wait = true,
                Err(fault) => {
                    desk.batch.lose_session(&core.database);
                    drop(desk);
                    if !fault.may_pass() || began.elapsed() > GIVE_UP_AFTER {
                        return Err(fault);
                    }
                    std::thread::sleep(BACK_OFF);
                }
            }
        }
    }
}

/// What is known of an address: itself, its newest reel, and the feed's number of its newest entry.
const ADDRESS: &str = concat!(
    "SELECT ",
    reel_columns!(),
    ", address.id, address.entry_count, address.first_second, address.first_nanosecond, address.last_second, address.last_nanosecond, entry.sequence
     FROM address JOIN reel ON reel.number = address.reel
     JOIN entry ON entry.address = address.id AND entry.number = address.entry_count - 1
     WHERE address.key = $1"
);

impl Desk {
    /// Looks an address up with its host locked; `None` where somebody else has the lock and it is not to be waited for.
    fn look_at(&mut self, core: &Core, url: &str, host_lock: i64, waits: bool) -> Result<Option<Held>, Fault> {
        let key = key_of(url);
        let key_column = &key.0[..];
        let has_lock = self.batch.has_lock(host_lock);
        let session = self.batch.session(core)?;
        let found = if has_lock {
            session.query(ADDRESS, &[&key_column])?
        } else if waits {
            session.query_both((lock::WAIT, &[&host_lock]), (ADDRESS, &[&key_column]))?.1
        } else {
            let (locked, found) = session.query_both((lock::TRY, &[&host_lock]), (ADDRESS, &[&key_column]))?;
            if !locked.iter().any(|row| row.get(0)) {
                return Ok(None);
            }
            found
        };
        self.batch.add_lock(host_lock);
        if let Some(columns) = found.first() {
            let column = |index: usize| REEL_COLUMN_COUNT + index;
            let entry_count = columns.get::<_, i32>(column(1)) as u32;
            return Ok(Some(Held {
                id: columns.get(column(0)),
                key,
                committed_count: entry_count,
                entry_count,
                first: time(columns, column(2)),
                last: time(columns, column(4)),
                sequence: columns.get::<_, i64>(column(6)) as u64,
                committed_reel: Some(reel(columns, 0, url)),
                reels: Vec::new(),
            }));
        }
        Ok(Some(Held {
            // An address that is new is known by the number of its first reel.
            id: -1,
            key,
            committed_count: 0,
            entry_count: 0,
            first: Timestamp::MAX,
            last: Timestamp::MIN,
            sequence: 0,
            committed_reel: None,
            reels: Vec::new(),
        }))
    }

    /// A number for a new reel.
    pub(super) fn new_number(&mut self, core: &Core) -> Result<u32, Fault> {
        if self.free_numbers.is_empty() {
            let next = |session: &mut Session| session.query_one("SELECT nextval('reel_number')", &[]);
            let first = core.database.run(next)?.get::<_, i64>(0) as u32;
            self.free_numbers = first..first + NUMBERS;
        }
        Ok(self.free_numbers.next().expect("numbers were fetched where there were none"))
    }
}
