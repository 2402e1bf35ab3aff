//! Carries an archive from one place to another, and compares two archives entry by entry.
//!
//! Entries are carried in the order of the change feed, so what a copy has is always a beginning of it: one that was stopped goes on where it stood.

use kuai_archive::{Change, Entry, Error, Progress, Row, Store, StoreError, Stored, form_of};

/// Changes that are listed at a time.
const LIST_LENGTH: usize = 256;
/// Entries that are carried together have at most about so many bytes.
const BATCH_BYTES_MAX: usize = 16 << 20;
/// Differences that are told.
const DIFFERENCES_MAX: usize = 20;

/// What a copy did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Copied {
    /// Captures that were carried and read back.
    pub copied: u64,
    /// Captures that were there already.
    pub already: u64,
}

/// What a comparison saw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Captures that are the same in both.
    pub same: u64,
    /// What is not, for people; the first of them where there are many.
    pub differences: Vec<String>,
}

/// Why an archive could not be carried over. What was carried until then is kept, and the same call goes on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CopyError {
    /// One of the archives could not be read or written.
    #[error(transparent)]
    Archive(#[from] Error),
    /// The other place holds something that is not in the archive.
    #[error("the place holds something else than a beginning of the archive: {0}")]
    Other(String),
    /// What was read back is not what was given.
    #[error("what was written does not come back as it was given: {0}")]
    Wrong(String),
}

impl From<StoreError> for CopyError {
    fn from(error: StoreError) -> CopyError {
        CopyError::Archive(error.into())
    }
}

/// Carries all entries to another store, which must be empty or have a beginning of them. Every entry is read back and compared.
pub fn copy(from: &dyn Store, to: &dyn Store, progress: Progress<'_>) -> Result<Copied, CopyError> {
    let already = check_beginning(from, to)?;
    let mut copied = Copied { copied: 0, already };
    let mut since = already;
    let mut batch: Vec<(String, Stored)> = Vec::new();
    while progress(since, from.totals()?.entry_count) {
        let changes = from.changes(since, LIST_LENGTH)?;
        let Some(last) = changes.last() else { break };
        since = last.row.sequence;
        let mut bytes = 0;
        for change in changes {
            let stored = from.read(&change.url, change.row.number)?;
            give(to, &change.url, &stored)?;
            bytes += stored.body.len() + stored.head.len() + stored.notes.len();
            batch.push((change.url, stored));
            copied.copied += 1;
            if bytes > BATCH_BYTES_MAX {
                read_back(to, &mut batch)?;
                bytes = 0;
            }
        }
        read_back(to, &mut batch)?;
    }
    Ok(copied)
}

/// Compares two archives: every entry, in the order of the change feed, byte for byte.
pub fn compare(one: &dyn Store, other: &dyn Store, progress: Progress<'_>) -> Result<Compared, Error> {
    let mut compared = Compared::default();
    let (count, other_count) = (one.totals()?.entry_count, other.totals()?.entry_count);
    if count != other_count {
        compared.differences.push(format!("one has {count} captures, the other {other_count}"));
    }
    let mut since = 0;
    while progress(since, count) && compared.differences.len() < DIFFERENCES_MAX {
        let pages = (one.changes(since, LIST_LENGTH)?, other.changes(since, LIST_LENGTH)?);
        let (Some(last), false) = (pages.0.last(), pages.1.is_empty()) else { break };
        since = last.row.sequence;
        for (left, right) in pages.0.iter().zip(&pages.1) {
            match difference(one, other, left, right)? {
                Some(what) => compared.differences.push(what),
                None => compared.same += 1,
            }
        }
    }
    compared.differences.truncate(DIFFERENCES_MAX);
    Ok(compared)
}

/// How many entries a place has, if they are a beginning of the archive.
fn check_beginning(from: &dyn Store, to: &dyn Store) -> Result<u64, CopyError> {
    let count = to.totals()?.entry_count;
    let mut since = 0;
    while since < count {
        let pages = (from.changes(since, LIST_LENGTH)?, to.changes(since, LIST_LENGTH)?);
        let different = pages
            .1
            .iter()
            .enumerate()
            .find(|(index, change)| !pages.0.get(*index).is_some_and(|known| is_same(known, change)));
        if let Some((_, change)) = different {
            return Err(CopyError::Other(format!("capture {} of {}", change.row.number, change.url)));
        }
        since = pages.1.last().map_or(count, |last| last.row.sequence);
    }
    Ok(count)
}

fn give(to: &dyn Store, url: &str, stored: &Stored) -> Result<(), CopyError> {
    let entry = Entry {
        url,
        time: stored.row.time,
        head: &stored.head,
        body: &stored.body,
        form: form_of(&stored.row),
        notes: &stored.notes,
        figures: stored.row.figures,
    };
    let row = to.append(&entry)?;
    let is_in_its_place = row.number == stored.row.number && row.hash == stored.row.hash;
    if is_in_its_place { Ok(()) } else { Err(CopyError::Other(format!("capture {} of {url}", row.number))) }
}

/// Makes what was given durable, reads it back and compares it.
fn read_back(to: &dyn Store, batch: &mut Vec<(String, Stored)>) -> Result<(), CopyError> {
    to.sync()?;
    for (url, stored) in batch.drain(..) {
        let back = to.read(&url, stored.row.number)?;
        if !is_same_content(&back, &stored) || back.row.sequence != stored.row.sequence {
            return Err(CopyError::Wrong(format!("capture {} of {url}", stored.row.number)));
        }
    }
    Ok(())
}

fn difference(one: &dyn Store, other: &dyn Store, left: &Change, right: &Change) -> Result<Option<String>, Error> {
    if !is_same(left, right) {
        let told = |change: &Change| format!("capture {} of {} at {}", change.row.number, change.url, change.row.time);
        return Ok(Some(format!("step {} is {}, and {}", left.row.sequence, told(left), told(right))));
    }
    let (stored, found) = (one.read(&left.url, left.row.number)?, other.read(&right.url, right.row.number)?);
    let is_same = is_same_content(&stored, &found);
    Ok((!is_same).then(|| format!("capture {} of {} has another content", left.row.number, left.url)))
}

/// Whether two steps of the feed are the same, but for the space that they take.
fn is_same(one: &Change, other: &Change) -> bool {
    let without_length = |row: &Row| Row { stored_length: 0, ..row.clone() };
    one.url == other.url && without_length(&one.row) == without_length(&other.row)
}

fn is_same_content(one: &Stored, other: &Stored) -> bool {
    one.head == other.head && one.body == other.body && one.notes == other.notes && one.row.figures == other.row.figures
}
