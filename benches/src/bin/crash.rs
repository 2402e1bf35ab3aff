//! Kills a writing process again and again, and looks whether anything that was acknowledged is lost.
//!
//! `crash [KILLS]`: a child commits the captures of the histories in order and says how many are durable; it is killed with
//! `kill -9` at a random moment; then the archive is opened and every capture that must be there is read and compared. Now
//! and then the child compacts, so that compactions are killed too. The next child goes on where the archive ends.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use kuai::{Access, Archive, open};
use kuai_benches::data::{HISTORY_SETS, data_folder};
use kuai_benches::histories::{HistoryEntry, histories};

/// Captures that are made durable together.
const BATCH: usize = 4;

/// Kills after which everything is read back; after the others, what the child wrote and a little before.
const FULL_CHECK_EVERY: usize = 20;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [mode, place, set] = arguments.as_slice()
        && mode == "child"
    {
        return child(Path::new(place), set);
    }
    let kills: usize = arguments.first().map_or(200, |text| text.parse().expect("KILLS is a number"));
    for (set, _) in HISTORY_SETS {
        run(set, kills / HISTORY_SETS.len());
    }
}

fn entries_of(set: &str) -> Vec<HistoryEntry> {
    let (_, folder) = HISTORY_SETS.iter().find(|(name, _)| *name == set).expect("a set of histories");
    histories(&data_folder().join(folder))
}

/// Commits from where the archive ends; writes how many captures are durable after each batch.
fn child(place: &Path, set: &str) {
    let archive = open(place, Access::Write).expect("the archive opens");
    let mut out = std::io::stdout().lock();
    let stored = archive.stats().expect("the archive has sums").captures as usize;
    writeln!(out, "{stored}").expect("the parent listens");
    for (index, entry) in entries_of(set).iter().enumerate().skip(stored) {
        archive.commit(&entry.read()).expect("the capture is taken");
        if index % BATCH == BATCH - 1 {
            archive.sync().expect("the archive is synced");
            writeln!(out, "{}", index + 1).expect("the parent listens");
        }
        if index % 97 == 96 {
            archive.compact(&mut |_, _| true).expect("the archive is compacted");
        }
    }
    archive.sync().expect("the archive is synced");
    writeln!(out, "{}", entries_of(set).len()).expect("the parent listens");
}

fn run(set: &str, kills: usize) {
    let entries = entries_of(set);
    let folder = tempfile::tempdir().expect("a folder for the archive");
    let place = folder.path().join("archive");
    let mut chance = Chance(9);
    let (mut acknowledged, mut checked, mut killed) = (0, 0, 0);
    while killed < kills {
        let (durable, was_killed) = kill_one(&place, set, Duration::from_micros(chance.below(60_000)));
        killed += usize::from(was_killed);
        acknowledged = acknowledged.max(durable);
        let from = if killed % FULL_CHECK_EVERY == 0 { 0 } else { acknowledged.saturating_sub(40) };
        checked += check(&place, &entries, from, acknowledged);
        if acknowledged == entries.len() {
            // All is written; the rest of the kills start on a new archive.
            std::fs::remove_dir_all(&place).expect("the archive is ours");
            acknowledged = 0;
        }
    }
    let (durable, _) = kill_one(&place, set, Duration::from_secs(600));
    let restored = check(&place, &entries, 0, durable);
    println!(
        "{set}: {killed} kills, {checked} captures read back in between; at the end {restored} of {} byte-exact, in order",
        entries.len()
    );
}

/// Starts a child and kills it after a while; gives what it said to be durable, and whether it had to be killed.
fn kill_one(place: &Path, set: &str, after: Duration) -> (usize, bool) {
    let program = std::env::current_exe().expect("this program has a path");
    let mut child =
        Command::new(program).arg("child").arg(place).arg(set).stdout(Stdio::piped()).spawn().expect("a child starts");
    let lines = BufReader::new(child.stdout.take().expect("the output is piped")).lines();
    let reader = std::thread::spawn(move || {
        lines.map_while(Result::ok).filter_map(|line| line.parse().ok()).last().unwrap_or(0)
    });
    let deadline = std::time::Instant::now() + after;
    let ended = loop {
        match child.try_wait().expect("the child can be waited for") {
            Some(status) => break Some(status),
            None if std::time::Instant::now() >= deadline => break None,
            None => std::thread::sleep(Duration::from_micros(500)),
        }
    };
    if let Some(status) = ended {
        assert!(status.success(), "the child failed");
    } else {
        child.kill().expect("the child can be killed");
        child.wait().expect("the child can be waited for");
    }
    (reader.join().expect("the reader does not panic"), ended.is_none())
}

/// Reads captures back and compares them; all that were acknowledged must be there.
fn check(place: &Path, entries: &[HistoryEntry], from: usize, acknowledged: usize) -> usize {
    if acknowledged == 0 {
        return 0;
    }
    let archive: Archive = open(place, Access::Read).expect("the archive opens after a kill");
    let stored = archive.stats().expect("the archive has sums").captures as usize;
    assert!(stored >= acknowledged, "{stored} captures are there, {acknowledged} were acknowledged");
    let changes = archive.changes(from as u64, stored - from).expect("the feed is there");
    assert_eq!(changes.len(), stored - from, "the feed names every capture");
    for (change, entry) in changes.iter().zip(&entries[from..]) {
        assert_eq!((change.url.as_str(), change.row.time), (entry.url.as_str(), entry.time), "captures come in order");
        let restored = archive.read_change(change).expect("the capture is whole");
        assert!(restored == entry.read(), "{} differs", entry.path.display());
    }
    changes.len()
}

/// Numbers that look random and are the same in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % end
    }
}
