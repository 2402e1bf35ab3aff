//! Verification: every file is read and every entry played, and what is damaged is told with the entries that it costs.

use std::collections::BTreeMap;
use std::path::PathBuf;

use kuai_archive::{ContentHash, Damage, Progress, StoreError, Verified};

use super::{FolderStore, read};
use crate::blob;
use crate::errors::damaged;
use crate::files::{CATALOGUE, FileId, Listing};
use crate::history::wrong_entry;
use crate::log::{self, End, HEADER_LENGTH};
use crate::pack::{Directory, ListedKind, Object};
use crate::playback::{self, Next};
use crate::record::BlobRecord;
use crate::reel::Reel;
use crate::row::{BlobPlace, ObjectPlace, ReelRow, State};
use crate::varint::Cursor;

pub(super) fn verify(store: &FolderStore, progress: Progress<'_>) -> Result<Verified, StoreError> {
    let mut check = Check { store, found: BTreeMap::new(), entry_count: 0, checked_blob: None };
    let state = store.look_up(|index| Ok(index.state.clone()))?;
    let listing = store.files.list()?;
    let packs = store.look_up(|index| index.catalogue.packs())?;
    for log in logs_of(&state, &listing) {
        check.note(check_log(store, log, &state));
    }
    for pack in &packs {
        check.note_pack(*pack);
    }
    check.note_catalogue();
    for number in 0..state.next_reel {
        let row = store.look_up(|index| index.reel(number))?;
        if let Some(row) = row {
            check.note_reel(&row)?;
        }
        if !progress(check.entry_count, state.entry_count) {
            break;
        }
        if number + 1 == state.next_reel && check.seen_count() < state.entry_count {
            let what = format!("only {} of {} entries are there", check.seen_count(), state.entry_count);
            check.note(Err(damaged(&store.files.folder().join(CATALOGUE), what)));
        }
    }
    let file_count = (listing.logs.len() + listing.packs.len() + 2) as u64;
    Ok(Verified {
        entry_count: check.entry_count,
        file_count,
        damages: check.damages(),
        remarks: remarks(&listing, &packs, &state),
    })
}

/// A file, and what is wrong with it.
type Fault = (Option<PathBuf>, String);

/// What was found so far.
struct Check<'a> {
    store: &'a FolderStore,
    /// Entries that are lost, by the file and the damage that costs them.
    found: BTreeMap<Fault, Vec<(String, u32)>>,
    /// Entries that are whole.
    entry_count: u64,
    /// The blob that was read last, since one often stands in many entries after another.
    checked_blob: Option<ContentHash>,
}

impl Check<'_> {
    fn note(&mut self, result: Result<(), StoreError>) {
        if let Err(error) = result {
            self.affected(error);
        }
    }

    /// The list of entries that a damage costs.
    fn affected(&mut self, error: StoreError) -> &mut Vec<(String, u32)> {
        let damage = match error {
            StoreError::Damaged { file, what } => (Some(file), what),
            StoreError::Io { doing, file, source } => (Some(file), format!("cannot {doing} it: {source}")),
            other => (None, other.to_string()),
        };
        self.found.entry(damage).or_default()
    }

    /// Entries that are whole, and entries that are known to be lost.
    fn seen_count(&self) -> u64 {
        let mut lost: Vec<&(String, u32)> = self.found.values().flatten().collect();
        lost.sort_unstable();
        lost.dedup();
        self.entry_count + lost.len() as u64
    }

    fn note_pack(&mut self, pack: u32) {
        let files = &self.store.files;
        let directory = match Directory::read(files, pack) {
            Ok(directory) => directory,
            Err(error) => return self.note(Err(error)),
        };
        for (offset, listed) in directory.placed() {
            let place = ObjectPlace { pack, offset, length: listed.length };
            let checked = match &listed.kind {
                ListedKind::Reel { .. } => Object::read(files, place).and_then(|object| object.check(files)),
                ListedKind::Blob { hash } => check_blob(self.store, *hash, BlobPlace::Pack(place)),
            };
            self.note(checked);
        }
    }

    fn note_catalogue(&mut self) {
        let path = self.store.files.folder().join(CATALOGUE);
        match self.store.look_up(|index| index.catalogue.faults()) {
            Err(error) => self.note(Err(error)),
            Ok(faults) => faults.into_iter().for_each(|fault| self.note(Err(damaged(&path, fault)))),
        }
    }

    /// Plays a reel and checks every body.
    fn note_reel(&mut self, row: &ReelRow) -> Result<(), StoreError> {
        let store = self.store;
        let mut seen = 0;
        let played = store.attempt(|| Ok(())).and_then(|()| {
            playback::play(&store.files, row, &|root| read::find_root_stream(store, root), &mut |reel, _, file| {
                seen = reel.entry_count;
                self.note_entry(row, reel, file);
                Ok(Next::GoOn)
            })
        });
        match played {
            Ok(reel) if reel.facts == row.newest || row.entry_count == 0 => {}
            Ok(_) => {
                let what = format!("the row of {} is not that of its newest entry", row.url);
                self.note(Err(damaged(&store.files.folder().join(CATALOGUE), what)));
            }
            Err(error) => {
                let numbers = row.first_number + seen..row.next_number();
                self.affected(error).extend(numbers.map(|number| (row.url.clone(), number)));
            }
        }
        Ok(())
    }

    fn note_entry(&mut self, row: &ReelRow, reel: &Reel, file: FileId) {
        let hash = reel.facts.hash;
        let checked = if !reel.facts.is_blob {
            let index = reel.entry_count as usize - 1;
            let wrong = || wrong_entry(&self.store.files, file, row, index);
            playback::checked_body(reel).map(|_| ()).ok_or_else(wrong)
        } else if self.checked_blob == Some(hash) {
            Ok(())
        } else {
            read::read_blob(self.store, reel).map(|_| self.checked_blob = Some(hash))
        };
        match checked {
            Ok(()) => self.entry_count += 1,
            Err(error) => {
                let number = row.first_number + reel.entry_count - 1;
                self.affected(error).push((row.url.clone(), number));
            }
        }
    }

    fn damages(self) -> Vec<Damage> {
        let damage = |((file, what), affected)| Damage { file, what, affected };
        self.found.into_iter().map(damage).collect()
    }
}

/// The logs that belong to the archive, whether they are there or not.
fn logs_of(state: &State, listing: &Listing) -> Vec<u32> {
    let newest = if state.indexed.offset > 0 { state.indexed.log } else { state.indexed.log - 1 };
    let beyond = listing.logs.iter().copied().filter(|log| *log > newest);
    (state.first_log..=newest).chain(beyond).collect()
}

/// Reads a log from its first byte to its last.
fn check_log(store: &FolderStore, log: u32, state: &State) -> Result<(), StoreError> {
    let (files, id) = (&store.files, FileId::Log(log));
    log::first_sequence(files, log)?;
    let (offset, end) = log::pass_through(files, log, HEADER_LENGTH as u64, &mut |_| Ok(true))?;
    let wrong = |what: String| Err(damaged(&files.path(id), what));
    match end {
        End::Torn if log == state.indexed.log && offset >= state.indexed.offset => {
            wrong(format!("it ends at {offset} in what is no whole record; the next writer cuts that off"))
        }
        End::Torn => wrong(format!("record at {offset}")),
        End::Open if log < state.indexed.log => wrong("it does not say that it is complete".to_owned()),
        End::Open if offset < state.indexed.offset => wrong(format!("it ends at {offset}, before its last record")),
        End::Sealed if offset != files.length(id)? => wrong(format!("something follows its end at {offset}")),
        End::Open | End::Sealed => Ok(()),
    }
}

fn check_blob(store: &FolderStore, hash: ContentHash, place: BlobPlace) -> Result<(), StoreError> {
    let (file, bytes) = blob::read_kept(&store.files, place)?;
    let kept = BlobRecord::take(&mut Cursor::new(&bytes)).filter(|kept| kept.hash == hash);
    match kept.and_then(|kept| blob::open(&kept)) {
        Some(_) => Ok(()),
        None => Err(damaged(&store.files.path(file), format!("blob {hash}"))),
    }
}

/// What stands out without being damage.
fn remarks(listing: &Listing, packs: &[u32], state: &State) -> Vec<String> {
    let foreign = listing.foreign.iter().map(|path| format!("{} is not a file of the archive", path.display()));
    let unfinished = listing.unfinished.iter().map(|path| format!("{} was left by a crash", path.display()));
    let unused_packs = listing.packs.iter().filter(|pack| !packs.contains(pack));
    let unused_packs = unused_packs.map(|pack| format!("pack {pack} was left by a crash, nothing points to it"));
    let unused_logs = listing.logs.iter().filter(|log| **log < state.first_log);
    let unused_logs = unused_logs.map(|log| format!("log {log} was left by a crash, its entries are in packs"));
    foreign.chain(unfinished).chain(unused_packs).chain(unused_logs).collect()
}
