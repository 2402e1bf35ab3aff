//! What happens to a folder store when files are damaged, missing, foreign, locked or cannot be written.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod suite;

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::path::{Path, PathBuf};

use kuai_archive::{Form, Store, StoreError};
use kuai_store::FolderStore;
use suite::{Given, check_holds, noise, page_text};
use tempfile::TempDir;

/// Some pages of two hosts, and a picture that two URLs share.
fn some_entries(count: usize) -> Vec<Given> {
    let entry = |index: usize| {
        let url = format!("https://{}.example/{}", index % 2, index % 5);
        let mut entry = Given::page(&url, 1_700_000_000 + index as i64, &page_text(40, index));
        if index % 9 == 7 {
            entry.form = Form::Blob;
            entry.body = noise(900, index as u64 / 18);
        }
        entry
    };
    (0..count).map(entry).collect()
}

fn append_all(store: &FolderStore, entries: &[Given]) {
    for entry in entries {
        entry.append_to(store);
    }
    store.sync().unwrap();
}

/// A store of some entries, some in a pack and some in a log, that is closed again.
fn closed_store(packed: usize, logged: usize) -> (TempDir, Vec<Given>) {
    let folder = tempfile::tempdir().unwrap();
    let entries = some_entries(packed + logged);
    let store = FolderStore::create_or_open(folder.path()).unwrap();
    append_all(&store, &entries[..packed]);
    if packed > 0 {
        store.compact(&mut |_, _| true).unwrap();
    }
    append_all(&store, &entries[packed..]);
    (folder, entries)
}

fn only_file(folder: &Path, ending: &str) -> PathBuf {
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let mut files: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|end| end == ending)).collect();
    assert_eq!(files.len(), 1, "files that end in {ending}");
    files.remove(0)
}

/// Throws the catalogue away, so that everything is read from logs and packs.
fn lose_catalogue(folder: &Path) {
    fs::remove_file(folder.join("catalogue.sqlite")).unwrap();
}

/// Every entry that can be read is as it was given; how many can.
fn count_readable(store: &FolderStore, entries: &[Given]) -> usize {
    let mut counts = std::collections::HashMap::new();
    let mut readable = 0;
    for entry in entries {
        let number = counts.entry(entry.url.clone()).or_insert(0);
        match store.read(&entry.url, *number) {
            Ok(stored) => {
                assert!(stored.body == entry.body && stored.head == entry.head && stored.notes == entry.notes);
                readable += 1;
            }
            Err(StoreError::Damaged { .. }) => {}
            Err(error) => panic!("{error}"),
        }
        *number += 1;
    }
    readable
}

/// Flips a bit of one byte, looks at the store, and flips it back.
fn with_flipped_byte(file: &Path, offset: u64, look: impl FnOnce()) {
    let handle = File::options().read(true).write(true).open(file).unwrap();
    let mut byte = [0];
    handle.read_exact_at(&mut byte, offset).unwrap();
    handle.write_all_at(&[byte[0] ^ 0x20], offset).unwrap();
    look();
    handle.write_all_at(&byte, offset).unwrap();
}

/// Flips bytes of a file one after another; each must be found, and cost exactly the entries that are told.
fn check_flips(folder: &Path, file: &Path, offsets: impl Iterator<Item = u64>, entries: &[Given]) {
    for offset in offsets {
        with_flipped_byte(file, offset, || {
            let store = FolderStore::read(folder).unwrap();
            let verified = store.verify(&mut |_, _| true).unwrap();
            let is_of_file = |damage: &kuai_archive::Damage| damage.file.as_deref() == Some(file);
            assert!(verified.damages.iter().any(is_of_file), "byte {offset} of {}", file.display());
            let affected: BTreeSet<_> = verified.damages.iter().flat_map(|damage| &damage.affected).collect();
            assert_eq!(verified.entry_count as usize + affected.len(), entries.len(), "{:?}", verified.damages);
            if offset % 5 == 0 {
                assert_eq!(count_readable(&store, entries), verified.entry_count as usize);
            }
        });
    }
}

#[test]
fn a_flip_of_any_byte_of_a_small_pack_or_log_is_found() {
    let (folder, entries) = closed_store(9, 3);
    for ending in ["pack", "log"] {
        let file = only_file(folder.path(), ending);
        let length = fs::metadata(&file).unwrap().len();
        check_flips(folder.path(), &file, 0..length, &entries);
    }
    check_holds(&FolderStore::open(folder.path()).unwrap(), &entries);
}

#[test]
fn flips_of_bytes_of_a_larger_pack_or_log_are_found() {
    let (folder, entries) = closed_store(120, 60);
    for ending in ["pack", "log"] {
        let file = only_file(folder.path(), ending);
        let length = fs::metadata(&file).unwrap().len();
        let offsets =
            noise(240, 3).into_iter().zip(0..).map(|(byte, index)| (index * 256 + u64::from(byte)) * 7919 % length);
        check_flips(folder.path(), &file, offsets.step_by(6), &entries);
    }
}

#[test]
fn a_torn_end_of_the_newest_log_is_ignored_by_readers_and_cut_by_the_writer() {
    let (folder, entries) = closed_store(10, 20);
    let log = only_file(folder.path(), "log");
    let whole = fs::read(&log).unwrap();
    let tails: [fn(&mut Vec<u8>, usize); 3] = [
        |log, place| log.truncate(place),
        |log, place| log[place..].fill(0),
        |log, place| {
            let garbage = noise(log.len() - place + 50, place as u64);
            log.truncate(place);
            log.extend_from_slice(&garbage);
        },
    ];
    for (round, place) in (26..whole.len()).step_by(whole.len() / 40).enumerate() {
        let mut torn = whole.clone();
        tails[round % tails.len()](&mut torn, place);
        fs::write(&log, &torn).unwrap();
        lose_catalogue(folder.path());
        let count = FolderStore::read(folder.path()).unwrap().totals().unwrap().entry_count as usize;
        check_holds(&FolderStore::read(folder.path()).unwrap(), &entries[..count]);
        let store = FolderStore::open(folder.path()).unwrap();
        check_holds(&store, &entries[..count]);
        assert!(fs::metadata(&log).unwrap().len() as usize <= place);
        append_all(&store, &entries[count..]);
        check_holds(&store, &entries);
    }
}

#[test]
fn a_log_that_lost_what_the_catalogue_knows_is_damaged_and_not_cut() {
    let (folder, _) = closed_store(0, 20);
    let log = only_file(folder.path(), "log");
    let length = fs::metadata(&log).unwrap().len() / 2;
    File::options().write(true).open(&log).unwrap().set_len(length).unwrap();
    assert!(matches!(FolderStore::open(folder.path()), Err(StoreError::Damaged { file, .. }) if file == log));
    assert_eq!(fs::metadata(&log).unwrap().len(), length);
}

#[test]
fn damage_in_a_sealed_log_is_an_error_and_nothing_is_cut() {
    let (folder, _) = closed_store(0, 20);
    let log = only_file(folder.path(), "log");
    let length = fs::metadata(&log).unwrap().len();
    // A compaction that is stopped leaves the log sealed.
    let store = FolderStore::open(folder.path()).unwrap();
    store.compact(&mut |_, _| false).unwrap();
    append_all(&store, &some_entries(3));
    drop(store);
    lose_catalogue(folder.path());
    with_flipped_byte(&log, length / 2, || {
        assert!(matches!(FolderStore::open(folder.path()), Err(StoreError::Damaged { file, .. }) if file == log));
        assert!(fs::metadata(&log).unwrap().len() >= length);
    });
    assert_eq!(FolderStore::open(folder.path()).unwrap().totals().unwrap().entry_count, 23);
}

#[test]
fn a_truncated_or_missing_pack_is_named() {
    let (folder, entries) = closed_store(20, 5);
    let pack = only_file(folder.path(), "pack");
    let whole = fs::read(&pack).unwrap();
    fs::write(&pack, &whole[..whole.len() / 2]).unwrap();
    let store = FolderStore::open(folder.path()).unwrap();
    let verified = store.verify(&mut |_, _| true).unwrap();
    assert!(verified.damages.iter().any(|damage| damage.file.as_deref() == Some(pack.as_path())));
    assert_eq!(count_readable(&store, &entries), verified.entry_count as usize);
    drop(store);
    fs::remove_file(&pack).unwrap();
    let verified = FolderStore::open(folder.path()).unwrap().verify(&mut |_, _| true).unwrap();
    assert!(verified.damages.iter().any(|damage| damage.file.as_deref() == Some(pack.as_path())));
}

#[test]
fn a_lost_or_damaged_catalogue_is_made_anew() {
    let (folder, entries) = closed_store(30, 15);
    let catalogue = folder.path().join("catalogue.sqlite");
    for damage in [&b""[..], b"no database at all, but long enough to look at it", &[0; 4096]] {
        fs::write(&catalogue, damage).unwrap();
        check_holds(&FolderStore::read(folder.path()).unwrap(), &entries);
        assert_eq!(fs::read(&catalogue).unwrap(), damage, "a reader writes nothing");
        check_holds(&FolderStore::open(folder.path()).unwrap(), &entries);
    }
    lose_catalogue(folder.path());
    check_holds(&FolderStore::read(folder.path()).unwrap(), &entries);
    assert!(!catalogue.exists(), "a reader writes nothing");
    check_holds(&FolderStore::open(folder.path()).unwrap(), &entries);
}

#[test]
fn there_is_one_writer() {
    let (folder, entries) = closed_store(5, 5);
    let first = FolderStore::open(folder.path()).unwrap();
    assert!(matches!(FolderStore::open(folder.path()), Err(StoreError::Locked { place }) if place == folder.path()));
    assert!(matches!(FolderStore::create_or_open(folder.path()), Err(StoreError::Locked { .. })));
    check_holds(&FolderStore::read(folder.path()).unwrap(), &entries);
    drop(first);
    FolderStore::open(folder.path()).unwrap();
}

#[test]
fn a_reader_refuses_to_write_and_changes_nothing() {
    let (folder, entries) = closed_store(20, 10);
    let before = contents(folder.path());
    let store = FolderStore::read(folder.path()).unwrap();
    check_holds(&store, &entries);
    assert_eq!(store.verify(&mut |_, _| true).unwrap().damages, []);
    let refused = |result: Result<_, StoreError>| matches!(result, Err(StoreError::ReadOnly { .. }));
    assert!(refused(store.compact(&mut |_, _| true).map(|_| ())));
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| entries[0].append_to(&store)));
    assert!(result.is_err());
    drop(store);
    assert_eq!(contents(folder.path()), before);
}

#[test]
fn a_folder_that_cannot_be_written_can_be_read() {
    let (folder, entries) = closed_store(20, 10);
    let set_mode = |mode| fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode)).unwrap();
    set_mode(0o555);
    check_holds(&FolderStore::read(folder.path()).unwrap(), &entries);
    lose_catalogue_of(&folder, &set_mode);
    check_holds(&FolderStore::read(folder.path()).unwrap(), &entries);
    set_mode(0o755);
}

fn lose_catalogue_of(folder: &TempDir, set_mode: &dyn Fn(u32)) {
    set_mode(0o755);
    lose_catalogue(folder.path());
    set_mode(0o555);
}

fn contents(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let mut contents: Vec<_> = files.map(|path| (path.clone(), fs::read(path).unwrap())).collect();
    contents.sort();
    contents
}

#[test]
fn what_is_no_archive_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(FolderStore::open(folder.path()), Err(StoreError::NoArchive { .. })));
    assert!(matches!(FolderStore::read(folder.path().join("nowhere")), Err(StoreError::NoArchive { .. })));
    fs::write(folder.path().join("letter.txt"), "Dear").unwrap();
    assert!(matches!(FolderStore::create_or_open(folder.path()), Err(StoreError::WrongFormat { .. })));
    fs::write(folder.path().join("kuai-archive"), "kuai archive, format 9\n").unwrap();
    assert!(matches!(FolderStore::create_or_open(folder.path()), Err(StoreError::WrongFormat { .. })));
}

#[test]
fn foreign_files_are_remarked_on_and_leftovers_are_removed() {
    let (folder, entries) = closed_store(20, 10);
    let file = |name: &str| folder.path().join(name);
    fs::write(file("letter.txt"), "Dear").unwrap();
    fs::write(file("00000002.pack.tmp"), "half a pack").unwrap();
    fs::copy(file("00000001.pack"), file("00000007.pack")).unwrap();
    fs::write(file("00000001.log"), "an old log").unwrap();
    let remarks = FolderStore::read(folder.path()).unwrap().verify(&mut |_, _| true).unwrap().remarks;
    assert_eq!(remarks.len(), 4, "{remarks:?}");
    let store = FolderStore::open(folder.path()).unwrap();
    check_holds(&store, &entries);
    assert_eq!(store.verify(&mut |_, _| true).unwrap().remarks.len(), 1);
    assert!(file("letter.txt").exists());
}

#[test]
fn a_compaction_whose_logs_are_still_there_counts_once_without_its_catalogue() {
    let (folder, entries) = closed_store(0, 20);
    let log = only_file(folder.path(), "log");
    let store = FolderStore::open(folder.path()).unwrap();
    store.compact(&mut |_, _| false).unwrap();
    let sealed = fs::read(&log).unwrap();
    store.compact(&mut |_, _| true).unwrap();
    drop(store);
    fs::write(&log, sealed).unwrap();
    lose_catalogue(folder.path());
    check_holds(&FolderStore::open(folder.path()).unwrap(), &entries);
}

#[test]
fn a_stopped_compaction_leaves_everything_as_it_was() {
    let (folder, entries) = closed_store(10, 30);
    let store = FolderStore::open(folder.path()).unwrap();
    for stop_after in 0..4 {
        let mut count = 0;
        store
            .compact(&mut |_, _| {
                count += 1;
                count <= stop_after
            })
            .unwrap();
        check_holds(&store, &entries);
    }
    store.compact(&mut |_, _| true).unwrap();
    check_holds(&store, &entries);
    assert_eq!(store.verify(&mut |_, _| true).unwrap().damages, []);
}

#[test]
fn what_is_too_large_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let store = FolderStore::create_or_open(folder.path()).unwrap();
    let url = format!("https://a.example/{}", "x".repeat(70_000));
    let entry = kuai_archive::Entry {
        url: &url,
        time: jiff::Timestamp::UNIX_EPOCH,
        head: b"",
        body: b"",
        form: Form::Text,
        notes: b"",
        figures: Default::default(),
    };
    assert!(matches!(store.append(&entry), Err(StoreError::TooLarge { what: "the address", .. })));
    assert_eq!(store.totals().unwrap().entry_count, 0);
}

#[test]
fn packs_stay_few_and_dead_ones_go() {
    let folder = tempfile::tempdir().unwrap();
    let store = FolderStore::create_or_open(folder.path()).unwrap();
    let entries = some_entries(240);
    for part in entries.chunks(12) {
        append_all(&store, part);
        store.compact(&mut |_, _| true).unwrap();
    }
    check_holds(&store, &entries);
    let files = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().path());
    let packs = files.filter(|path| path.extension().is_some_and(|ending| ending == "pack")).count();
    assert!(packs <= 3, "{packs} packs");
}
