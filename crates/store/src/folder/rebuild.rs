//! Makes the catalogue anew from packs; what the logs have is learned by catching up as usual.

use std::fs;

use kuai_archive::StoreError;

use crate::catalogue::Catalogue;
use crate::errors::io_error;
use crate::files::{self, CATALOGUE, Files, UNFINISHED};
use crate::history;
use crate::index::Index;
use crate::pack::{Directory, ListedKind, Object};
use crate::record::Place;
use crate::row::{BlobPlace, ObjectPlace, Packed, ReelRow, State};

/// How many rows are filled in at a time.
const PAGE_LENGTH: usize = 256;

/// Makes a new catalogue and puts it in the place of the old one.
pub(super) fn replace_catalogue(files: &Files) -> Result<(), StoreError> {
    let path = files.folder().join(CATALOGUE);
    let unfinished = path.with_added_extension(UNFINISHED);
    files::delete(&unfinished)?;
    let catalogue = Catalogue::create(&unfinished)?;
    from_packs(files, &catalogue)?;
    Index::new(catalogue)?.catch_up_and_flush(files)?;
    // A journal that belongs to the old file must never be applied to the new one.
    for ending in ["journal", "wal", "shm"] {
        files::delete(&files.folder().join(format!("{CATALOGUE}-{ending}")))?;
    }
    fs::rename(&unfinished, &path).map_err(io_error("rename", &unfinished))?;
    files.sync_folder()
}

/// Fills an empty catalogue with everything that packs have.
pub(super) fn from_packs(files: &Files, catalogue: &Catalogue) -> Result<(), StoreError> {
    let mut state = State::new();
    for pack in files.list()?.packs {
        let directory = Directory::read(files, pack)?;
        add_pack(catalogue, pack, &directory)?;
        state.first_log = state.first_log.max(directory.logs_through + 1);
        state.next_reel = state.next_reel.max(directory.next_reel);
    }
    state.indexed = Place { log: state.first_log, offset: 0 };
    fill_in_facts(files, catalogue, &mut state)
}

/// Points to the objects of a pack. Of two objects of a reel the one with more entries is newer; packs come in order, so
/// of equals the later is taken.
fn add_pack(catalogue: &Catalogue, pack: u32, directory: &Directory) -> Result<(), StoreError> {
    let (mut reels, mut blobs) = (Vec::new(), Vec::new());
    for (offset, listed) in directory.placed() {
        let object = ObjectPlace { pack, offset, length: listed.length };
        match &listed.kind {
            ListedKind::Blob { hash } => blobs.push((*hash, BlobPlace::Pack(object))),
            ListedKind::Reel { number, url, first_number, entry_count } => {
                let known = catalogue.reel(*number)?.map_or(0, |known| known.packed_count());
                if known <= *entry_count {
                    let packed = Some(Packed { object, entry_count: *entry_count });
                    reels.push(ReelRow { packed, ..ReelRow::new(*number, url, None, *first_number) });
                }
            }
        }
    }
    catalogue.write(reels.iter(), blobs.iter().map(|(hash, place)| (hash, place)), &catalogue.state()?)?;
    catalogue.add_pack(pack)
}

/// Reads the facts of every reel, for its row and for the sums.
fn fill_in_facts(files: &Files, catalogue: &Catalogue, state: &mut State) -> Result<(), StoreError> {
    let mut next = 0;
    loop {
        let mut reels = catalogue.reels_by_number(next, PAGE_LENGTH)?;
        let Some(last) = reels.last() else { break };
        next = last.number + 1;
        for reel in &mut reels {
            fill_in_reel(files, reel, state)?;
        }
        catalogue.write(reels.iter(), std::iter::empty(), state)?;
    }
    catalogue.write(std::iter::empty(), std::iter::empty(), state)
}

fn fill_in_reel(files: &Files, reel: &mut ReelRow, state: &mut State) -> Result<(), StoreError> {
    let Some(packed) = reel.packed else { return Ok(()) };
    reel.root = Object::read_rows(files, packed.object)?.root();
    let entries = ReelRow { entry_count: packed.entry_count, ..reel.clone() };
    for facts in history::facts(files, &entries)? {
        state.add(&facts, reel.next_number() == 0);
        reel.add(facts, None);
    }
    Ok(())
}
