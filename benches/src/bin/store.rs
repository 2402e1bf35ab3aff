//! Replays folders of page histories into a folder store, in the order of time and with response heads as servers send them,
//! and measures it: size by part, speed of writing, restoring and compacting. Every byte is checked on the way.
//!
//! `store DATA…` takes folders with a `manifest.json`; without any, the histories below `KUAI_DATA` are taken. The store
//! lies in a temporary folder, or below `KUAI_WORK`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use kuai_archive::{Entry, FIGURES_MAX, Form, Store};
use kuai_benches::data::{HISTORY_SETS, data_folder};
use kuai_benches::histories::{Visit, read_histories};
use kuai_store::FolderStore;
use rustix::time::{ClockId, clock_gettime};

/// Entries between two calls of `sync`, as a crawl would make them.
const SYNC_EVERY: usize = 64;
/// How many entries are restored for timing.
const SAMPLE_LENGTH: usize = 2000;

fn main() -> ExitCode {
    let given: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let folders = if given.is_empty() {
        HISTORY_SETS.iter().map(|(_, folder)| data_folder().join(folder)).collect()
    } else {
        given
    };
    for folder in folders {
        measure(&folder);
    }
    ExitCode::SUCCESS
}

fn measure(data: &Path) {
    let visits = read_histories(data);
    let bytes: usize = visits.iter().map(|visit| visit.body.len()).sum();
    println!("{}: {} entries, {:.1} MB of bodies", data.display(), visits.len(), bytes as f64 / 1e6);
    let work = std::env::var_os("KUAI_WORK").map_or_else(std::env::temp_dir, PathBuf::from);
    let place = work.join(format!("kuai-bench-store-{}", std::process::id()));
    let _ = fs::remove_dir_all(&place);

    let store = FolderStore::create_or_open(&place).expect("an empty folder takes a store");
    let megabytes = bytes as f64 / 1e6;
    let work = cpu_time(|| write(&store, &visits));
    println!("  append      {:8.1} MB/s (thread CPU)", megabytes / work.as_secs_f64());
    drop(store);
    let store = FolderStore::open(&place).expect("the store opens again");
    print_size("written", &place);
    check(&store, &visits);
    restore("written", &store, &visits);

    let work = cpu_time(|| {
        store.compact(&mut |_, _| true).expect("the store can be compacted");
    });
    println!("  compact     {:8.1} MB/s (thread CPU)", megabytes / work.as_secs_f64());
    drop(store);
    let store = FolderStore::open(&place).expect("the store opens again");
    print_size("compacted", &place);
    check(&store, &visits);
    restore("compacted", &store, &visits);
    let verified = store.verify(&mut |_, _| true).expect("the store can be verified");
    assert_eq!((verified.entry_count, verified.damages.len()), (visits.len() as u64, 0));
    drop(store);
    fs::remove_dir_all(&place).expect("the folder was made here");
}

fn write(store: &FolderStore, visits: &[Visit]) {
    for (index, visit) in visits.iter().enumerate() {
        let entry = Entry {
            url: &visit.url,
            time: visit.time,
            head: &visit.head,
            body: &visit.body,
            form: Form::Text,
            notes: b"",
            figures: [0; FIGURES_MAX],
        };
        store.append(&entry).expect("the disk has room");
        if index % SYNC_EVERY == SYNC_EVERY - 1 {
            store.sync().expect("the disk has room");
        }
    }
    store.sync().expect("the disk has room");
}

/// Reads every entry and compares it with what was given.
fn check(store: &FolderStore, visits: &[Visit]) {
    for (visit, number) in numbered(visits) {
        let stored = store.read(&visit.url, number).expect("every entry comes back");
        assert!(stored.body == visit.body && stored.head == visit.head && stored.row.time == visit.time);
    }
}

/// Restores a sample in no order and prints how long that takes.
fn restore(what: &str, store: &FolderStore, visits: &[Visit]) {
    let numbered = numbered(visits);
    let mut state = 42u64;
    let mut milliseconds: Vec<f64> = (0..SAMPLE_LENGTH)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (visit, number) = numbered[(state >> 33) as usize % numbered.len()];
            let work = cpu_time(|| drop(store.read(&visit.url, number).expect("every entry comes back")));
            work.as_secs_f64() * 1e3
        })
        .collect();
    milliseconds.sort_by(f64::total_cmp);
    let at = |share: usize| milliseconds[milliseconds.len() * share / 100];
    println!("  restore {what}: p50 {:.3} p95 {:.3} p99 {:.3} ms (thread CPU)", at(50), at(95), at(99));
}

/// The entries with their numbers within their URLs.
fn numbered(visits: &[Visit]) -> Vec<(&Visit, u32)> {
    let mut counts = std::collections::HashMap::new();
    let number = |visit: &Visit| {
        let count = counts.entry(visit.url.clone()).or_insert(0);
        *count += 1;
        *count - 1
    };
    let numbers: Vec<u32> = visits.iter().map(number).collect();
    visits.iter().zip(numbers).collect()
}

/// What the disk gives the folder, and the length of each file in it.
fn print_size(what: &str, place: &Path) {
    let output = Command::new("du").args(["-s", "--block-size=1"]).arg(place).output().expect("du is there");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let total = text.split_whitespace().next().unwrap_or("?");
    let mut files: Vec<String> = fs::read_dir(place)
        .expect("the folder is there")
        .flatten()
        .map(|file| format!("{} {}", file.file_name().to_string_lossy(), file.metadata().map_or(0, |data| data.len())))
        .collect();
    files.sort();
    println!("  {what:<11} {total:>8} B by du: {}", files.join(", "));
}

fn cpu_time(work: impl FnOnce()) -> Duration {
    let now = || {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
    };
    let start = now();
    work();
    now() - start
}
