//! Kills `kuai index` at random moments; in the end the index is what one made at once is.
//!
//! `search_kills KUAI [KILLS]`: an archive grows by the captures of the histories, a share before each round; a child takes them in and is
//! killed with `kill -9`; after every kill the index opens, sound, and holds what its mark says.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use kuai::search::{Index, Opened};
use kuai::{Access, Archive, open, search_folder};
use kuai_benches::data::data_folder;
use kuai_benches::dice::Dice;
use kuai_benches::histories::histories;

/// A child is killed within this time: one that has little to take in needs about half of it.
const KILLED_WITHIN_MILLIS: usize = 3000;

/// Children that are started for one kill.
const TRIES_MAX: usize = 5;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let kuai = arguments.first().expect("search_kills KUAI [KILLS]").clone();
    let kills: usize = arguments.get(1).map_or(50, |text| text.parse().expect("KILLS is a number"));
    let entries = histories(&data_folder().join("dev"));
    let folder = tempfile::tempdir().expect("a folder");
    let mut dice = Dice(3);
    let (mut killed, mut discarded, mut progressed) = (0, 0, 0);
    for round in 0..kills {
        let share = entries.len() * round / kills..entries.len() * (round + 1) / kills;
        let archive = open(folder.path(), Access::Write).expect("the archive opens");
        for entry in &entries[share] {
            archive.commit(&entry.read()).expect("the capture is taken");
        }
        archive.sync().expect("the archive is synced");
        drop(archive);
        let mark = sequence(folder.path());
        // A child that came to its end was not killed at work, and is started again as long as there is something to do.
        for _ in 0..TRIES_MAX {
            let after = Duration::from_millis(dice.below(KILLED_WITHIN_MILLIS) as u64);
            if index_and_kill(&kuai, folder.path(), after) {
                killed += 1;
                break;
            }
        }
        let opened = Index::open(&search_folder(folder.path())).expect("the index opens");
        discarded += usize::from(opened.discarded.is_some());
        progressed += usize::from(opened.index.sequence() > mark);
        check(&opened, &read(folder.path()), round % 10 == 9);
    }
    println!("{progressed} of {kills} rounds took something in");
    let archive = read(folder.path());
    let mut opened = Index::open(&search_folder(folder.path())).expect("the index opens");
    let (known, all) = (opened.index.sequence(), archive.stats().expect("the archive has sums").captures);
    println!("{known} of {all} captures were taken in by killed children");
    opened.index.follow(&archive, &mut |_, _| true).expect("it can be followed");
    check(&opened, &archive, true);
    println!("{killed} of {kills} children killed at work, {discarded} indexes begun anew; index and archive agree");
}

fn sequence(folder: &Path) -> u64 {
    Index::open(&search_folder(folder)).expect("the index opens").index.sequence()
}

fn read(folder: &Path) -> Archive {
    open(folder, Access::Read).expect("the archive opens")
}

/// Runs `kuai index` and kills it after some time; whether it was still at work.
fn index_and_kill(kuai: &str, folder: &Path, after: Duration) -> bool {
    let mut child = Command::new(kuai)
        .args(["index", "--quiet", "--archive"])
        .arg(folder)
        .stdout(Stdio::null())
        .spawn()
        .expect("kuai can be started");
    std::thread::sleep(after);
    let was_at_work = child.try_wait().expect("the child can be asked").is_none();
    let _ = child.kill();
    child.wait().expect("the child ends");
    was_at_work
}

/// Compares an index with one made at once of the same changes.
fn check(opened: &Opened, archive: &Archive, is_full: bool) {
    let mark = opened.index.sequence();
    assert!(mark <= archive.stats().expect("the archive has sums").captures);
    if !is_full {
        return;
    }
    let mut fresh = Index::in_memory().expect("memory");
    // The index of an older mark is compared by what it says of then.
    if mark == archive.stats().expect("the archive has sums").captures {
        fresh.follow(archive, &mut |_, _| true).expect("it can be followed");
        assert_eq!(opened.index.list(None).expect("a list"), fresh.list(None).expect("a list"), "at {mark}");
    }
}
