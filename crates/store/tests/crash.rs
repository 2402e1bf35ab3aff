//! Writers that are killed or run out of disk, writers beside compactions, and readers in other processes.
//!
//! The children are this same program, run for one test only and told by the environment what to do.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod suite;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

use kuai_archive::{Form, Store};
use kuai_store::FolderStore;
use suite::{Given, check_holds, noise, page_text};

const FOLDER: &str = "KUAI_TEST_FOLDER";
const FIRST: &str = "KUAI_TEST_FIRST";

/// The entry that the writer appends at this place, the same in every process.
fn entry(index: usize) -> Given {
    let mut entry = Given::page(&format!("https://a.example/{}", index % 7), index as i64, &page_text(30, index));
    if index % 10 == 3 {
        entry.form = Form::Blob;
        entry.body = noise(3000, index as u64 / 20);
    }
    entry
}

fn child(test: &str, folder: &Path, first: usize) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([test, "--exact", "--nocapture", "--test-threads=1"]);
    command.env(FOLDER, folder).env(FIRST, first.to_string()).stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

fn told() -> Option<(String, usize)> {
    let folder = std::env::var(FOLDER).ok()?;
    Some((folder, std::env::var(FIRST).unwrap().parse().unwrap()))
}

/// Appends for ever, tells how many entries are durable, and compacts now and then on another thread.
#[test]
fn child_writes() {
    let Some((folder, first)) = told() else { return };
    let store = FolderStore::create_or_open(folder).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            loop {
                store.compact(&mut |_, _| true).unwrap();
                std::thread::yield_now();
            }
        });
        for index in first.. {
            entry(index).append_to(&store);
            if index % 3 == 2 {
                store.sync().unwrap();
                println!("durable {}", index + 1);
            }
        }
    });
}

/// The next number that a child tells.
fn next_told(lines: &mut impl Iterator<Item = String>) -> Option<usize> {
    lines.find_map(|line| line.split("durable ").nth(1)?.trim().parse().ok())
}

fn lines_of(child: &mut Child) -> impl Iterator<Item = String> + use<> {
    let stdout: ChildStdout = child.stdout.take().unwrap();
    BufReader::new(stdout).lines().map_while(Result::ok)
}

#[test]
fn nothing_durable_is_lost_when_the_writer_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let mut count = 0;
    for round in 0..8 {
        let mut writer = child("child_writes", folder.path(), count).spawn().unwrap();
        let mut lines = lines_of(&mut writer);
        let mut durable = count;
        for _ in 0..1 + round * 5 {
            durable = next_told(&mut lines).unwrap_or(durable);
        }
        writer.kill().unwrap();
        writer.wait().unwrap();
        durable = std::iter::from_fn(|| next_told(&mut lines)).last().unwrap_or(durable);
        if round % 3 == 2 {
            std::fs::remove_file(folder.path().join("catalogue.sqlite")).unwrap();
        }
        let store = FolderStore::open(folder.path()).unwrap();
        count = store.totals().unwrap().entry_count as usize;
        assert!(count >= durable, "{durable} entries were durable, {count} are there");
        let entries: Vec<Given> = (0..count).map(entry).collect();
        check_holds(&store, &entries);
        assert_eq!(store.verify(&mut |_, _| true).unwrap().damages, []);
    }
}

#[test]
fn a_reader_in_another_process_sees_what_is_durable() {
    let folder = tempfile::tempdir().unwrap();
    drop(FolderStore::create_or_open(folder.path()).unwrap());
    let reader = FolderStore::read(folder.path()).unwrap();
    let mut writer = child("child_writes", folder.path(), 0).spawn().unwrap();
    let mut lines = lines_of(&mut writer);
    for _ in 0..25 {
        let durable = next_told(&mut lines).unwrap();
        let count = reader.totals().unwrap().entry_count as usize;
        assert!(count >= durable, "{durable} entries are durable, the reader sees {count}");
        for index in (0..count).rev().step_by(11) {
            let expected = entry(index);
            let stored = reader.read(&expected.url, index as u32 / 7).unwrap();
            assert!(stored.body == expected.body && stored.head == expected.head);
        }
        assert_eq!(reader.changes(count as u64 - 1, 1).unwrap()[0].row.sequence, count as u64);
    }
    writer.kill().unwrap();
    writer.wait().unwrap();
}

#[test]
fn appending_goes_on_beside_a_compaction() {
    let folder = tempfile::tempdir().unwrap();
    let store = FolderStore::create_or_open(folder.path()).unwrap();
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.load(Ordering::Relaxed) {
                store.compact(&mut |_, _| true).unwrap();
            }
        });
        scope.spawn(|| {
            while !is_done.load(Ordering::Relaxed) {
                let count = store.totals().unwrap().entry_count as usize;
                for index in (0..count).step_by(13) {
                    let expected = entry(index);
                    assert!(store.read(&expected.url, index as u32 / 7).unwrap().body == expected.body);
                }
            }
        });
        for index in 0..300 {
            entry(index).append_to(&store);
        }
        is_done.store(true, Ordering::Relaxed);
    });
    check_holds(&store, &(0..300).map(entry).collect::<Vec<_>>());
}

#[test]
fn what_several_threads_append_to_the_same_new_urls_all_comes_in() {
    let folder = tempfile::tempdir().unwrap();
    let store = FolderStore::create_or_open(folder.path()).unwrap();
    let url = |index: usize| format!("https://a.example/{index}");
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let store = &store;
            scope.spawn(move || {
                for index in 0..50 {
                    Given::page(&url(index), thread, &page_text(30, index * 4 + thread as usize)).append_to(store);
                }
            });
        }
    });
    for index in 0..50 {
        let mut rows = store.history(&url(index)).unwrap();
        rows.sort_by_key(|row| row.time);
        assert_eq!(rows.len(), 4);
        for (thread, row) in rows.iter().enumerate() {
            let body = store.read(&url(index), row.number).unwrap().body;
            assert_eq!(body, page_text(30, index * 4 + thread).into_bytes());
        }
    }
    assert!(store.verify(&mut |_, _| true).unwrap().damages.is_empty());
}

/// Appends until the disk refuses, then goes on with what is small.
#[test]
fn child_fills_the_disk() {
    let Some((folder, first)) = told() else { return };
    let store = FolderStore::create_or_open(folder).unwrap();
    for index in first..first + 200 {
        let given = entry(index);
        let time = jiff::Timestamp::from_second(given.second).unwrap();
        let entry = kuai_archive::Entry {
            url: &given.url,
            time,
            head: &given.head,
            body: &given.body,
            form: given.form,
            notes: &given.notes,
            figures: given.figures,
        };
        if store.append(&entry).and_then(|_| store.sync()).is_err() {
            println!("refused {index}");
            break;
        }
        println!("durable {}", index + 1);
    }
    // Whether there is room for a pack or not, everything must still be there.
    let compacted = store.compact(&mut |_, _| true);
    println!("compacted {compacted:?}");
    check_holds(&store, &(0..store.totals().unwrap().entry_count as usize).map(self::entry).collect::<Vec<_>>());
    println!("sound");
}

#[test]
fn a_full_disk_costs_nothing_that_was_durable() {
    let folder = tempfile::tempdir().unwrap();
    // Files of at most 16 kB, and a signal that would end the process is ignored.
    let mut limited = Command::new("sh");
    let program = std::env::current_exe().unwrap();
    limited
        .args(["-c", "trap '' XFSZ; ulimit -f 32; exec \"$0\" child_fills_the_disk --exact --nocapture"])
        .arg(program);
    let output = limited.env(FOLDER, folder.path()).env(FIRST, "0").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("refused ") && text.contains("sound"), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let durable = next_told(&mut text.lines().rev().map(str::to_owned)).unwrap();

    let store = FolderStore::open(folder.path()).unwrap();
    let count = store.totals().unwrap().entry_count as usize;
    assert!(count >= durable);
    for index in count..count + 20 {
        entry(index).append_to(&store);
    }
    store.compact(&mut |_, _| true).unwrap();
    check_holds(&store, &(0..count + 20).map(entry).collect::<Vec<_>>());
    assert_eq!(store.verify(&mut |_, _| true).unwrap().damages, []);
}
