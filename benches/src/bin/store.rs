//! Replays folders of page histories into a folder store, in the order of time and with response heads as servers send them,
//! and measures it: size by part, speed of writing, restoring and compacting. Every byte is checked on the way.
//!
//! `store DATA…` takes folders with a `manifest.json`; without any, the histories below `KUAI_DATA` are taken. `store
//! --many COUNT` writes as many small entries instead, and prints what must not grow with them. The store lies in a
//! temporary folder, or below `KUAI_WORK`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use kuai_archive::{Entry, FIGURES_MAX, Form, Store};
use kuai_benches::data::{HISTORY_SETS, data_folder};
use kuai_benches::histories::{Visit, read_histories};
use kuai_page::Timestamp;
use kuai_store::FolderStore;
use rustix::time::{ClockId, clock_gettime};

/// Entries between two calls of `sync`, as a crawl would make them.
const SYNC_EVERY: usize = 64;
/// Entries of the one long history among many short ones.
const LONG_HISTORY: usize = 10_000;
/// How many entries are restored for timing.
const SAMPLE_LENGTH: usize = 2000;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, count] = arguments.as_slice()
        && flag == "--many"
    {
        measure_many(count.parse().expect("how many entries is a number"));
        return ExitCode::SUCCESS;
    }
    let given: Vec<PathBuf> = arguments.iter().map(PathBuf::from).collect();
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
    let place = empty_place();
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

/// A name for a folder that is not there.
fn empty_place() -> PathBuf {
    let work = std::env::var_os("KUAI_WORK").map_or_else(std::env::temp_dir, PathBuf::from);
    let place = work.join(format!("kuai-bench-store-{}", std::process::id()));
    let _ = fs::remove_dir_all(&place);
    place
}

/// One URL has ten thousand entries; the others are of many pages that are seen once or twice.
fn measure_many(count: usize) {
    let place = empty_place();
    let mut store = FolderStore::create_or_open(&place).expect("an empty folder takes a store");
    let long = "https://long.example/";
    let part = count.div_ceil(10);
    for from in (0..count).step_by(part) {
        let work = cpu_time(|| (from..from + part).for_each(|index| append_small(&store, long, index, count)));
        println!(
            "  {:>9} entries: append {:.1} us each (thread CPU)",
            from + part,
            work.as_secs_f64() * 1e6 / part as f64
        );
    }
    for what in ["written", "compacted"] {
        drop(store);
        println!("  {what}: open {:.1} ms", median(|| drop(FolderStore::open(&place).expect("the store opens again"))));
        store = FolderStore::open(&place).expect("the store opens again");
        print_size(what, &place);
        let history = || store.history(long).expect("the history can be read");
        println!("  {what}: history of {} entries {:.1} ms", history().len(), median(|| drop(history())));
        let start = Instant::now();
        let urls = store.urls("https://3.example/", None, 100).expect("URLs can be listed");
        println!("  {what}: {} URLs of a host {:.2} ms", urls.len(), start.elapsed().as_secs_f64() * 1e3);
        let start = Instant::now();
        let changes = store.changes(count as u64 / 2, 100).expect("changes can be read");
        println!("  {what}: {} changes from the middle {:.1} ms", changes.len(), start.elapsed().as_secs_f64() * 1e3);
        if what == "written" {
            let start = Instant::now();
            store.compact(&mut |_, _| true).expect("the store can be compacted");
            println!("  compact {:.1} s", start.elapsed().as_secs_f64());
        }
    }
    fs::remove_dir_all(&place).expect("the folder was made here");
}

/// The median of a few runs in milliseconds.
fn median(work: impl Fn()) -> f64 {
    let mut milliseconds: Vec<f64> = (0..9)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    milliseconds.sort_by(f64::total_cmp);
    milliseconds[milliseconds.len() / 2]
}

fn append_small(store: &FolderStore, long: &str, index: usize, count: usize) {
    let short = format!("https://{}.example/page/{}", index % 50, index % 100_003);
    let body = format!("<p>Entry {index} of a small page</p>\n<p>which says {} and little else</p>\n", index % 7);
    let entry = Entry {
        url: if index.is_multiple_of((count / LONG_HISTORY).max(1)) { long } else { &short },
        time: Timestamp::from_second(1_700_000_000 + index as i64).expect("a time within the calendar"),
        head: b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n",
        body: body.as_bytes(),
        form: Form::Text,
        notes: b"",
        figures: [0; FIGURES_MAX],
    };
    store.append(&entry).expect("the disk has room");
    if index % 1024 == 1023 {
        store.sync().expect("the disk has room");
    }
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
