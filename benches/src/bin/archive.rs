//! Size and speed of the archive on real page histories, beside today's ways of keeping them.
//!
//! Every capture is read back and compared byte for byte: as written, after opening anew, and after compaction.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use kuai::{Access, Archive, Capture, Url, VersionInfo, open};
use kuai_benches::data::{HISTORY_SETS, data_folder};
use kuai_benches::heads::Heads;
use kuai_benches::histories::{HistoryEntry, histories};
use kuai_benches::memory::peak_megabytes;
use kuai_eval::thread_seconds;

/// Pages come and go by the thousand; the command uses the same allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Captures that are made durable together.
const BATCH: usize = 64;

/// Versions that are restored to take the time.
const SAMPLE: usize = 2000;

fn main() {
    for (name, folder) in HISTORY_SETS {
        let folder = data_folder().join(folder);
        let entries = histories(&folder);
        let raw: usize =
            entries.iter().map(|entry| std::fs::metadata(&entry.path).map_or(0, |meta| meta.len() as usize)).sum();
        println!("== {name}: {} captures, {:.1} MB", entries.len(), raw as f64 / 1e6);
        let baselines = baselines(&folder);
        let one = baselines.get("WARC.gz with revisits").copied();
        let share = |bytes: u64| one.map_or("-".to_owned(), |one| format!("{:.4}", bytes as f64 / one as f64));
        baselines.iter().for_each(|(way, bytes)| println!("{way:<34} {bytes:>11} B  {}", share(*bytes)));
        for (way, has_heads) in [("kuai", false), ("kuai, with full response headers", true)] {
            let figures = measure(&entries, raw, has_heads);
            println!("{:<34} {:>11} B  {}", format!("{way}, written"), figures.written, share(figures.written));
            println!("{:<34} {:>11} B  {}", format!("{way}, compacted"), figures.compacted, share(figures.compacted));
            figures.lines.iter().for_each(|line| println!("    {line}"));
        }
    }
    println!("peak memory {} MB, data of the benchmark included", peak_megabytes());
}

struct Figures {
    written: u64,
    compacted: u64,
    lines: Vec<String>,
}

fn measure(entries: &[HistoryEntry], raw: usize, has_heads: bool) -> Figures {
    let folder = tempfile::tempdir().expect("a folder for the archive");
    let place = folder.path().join("archive");
    let mut lines = Vec::new();
    let (seconds, wall) = write(&place, entries, has_heads);
    lines.push(format!(
        "write, cutting included: {:.0} MB/s a core ({:.0} wall)",
        raw as f64 / seconds / 1e6,
        raw as f64 / wall / 1e6
    ));
    let written = du(&place);
    lines.push(restore(&place, entries, has_heads, "as written"));
    let archive = open(&place, Access::Write).expect("the archive opens");
    let start = thread_seconds();
    archive.compact(&mut |_, _| true).expect("the archive is compacted");
    lines.push(format!("compaction: {:.0} MB/s of what was captured", raw as f64 / (thread_seconds() - start) / 1e6));
    drop(archive);
    let compacted = du(&place);
    lines.push(restore(&place, entries, has_heads, "compacted"));
    Figures { written, compacted, lines }
}

fn write(place: &Path, entries: &[HistoryEntry], has_heads: bool) -> (f64, f64) {
    let archive = open(place, Access::Write).expect("the archive is made");
    let mut heads = Heads::default();
    let (mut seconds, mut wall) = (0.0, 0.0);
    for (index, entry) in entries.iter().enumerate() {
        let capture = capture(entry, has_heads.then_some(&mut heads));
        let (thread, clock) = (thread_seconds(), Instant::now());
        archive.commit(&capture).expect("the capture is taken");
        if index % BATCH == BATCH - 1 || index + 1 == entries.len() {
            archive.sync().expect("the archive is synced");
        }
        seconds += thread_seconds() - thread;
        wall += clock.elapsed().as_secs_f64();
    }
    let thread = thread_seconds();
    drop(archive);
    (seconds + thread_seconds() - thread, wall)
}

fn capture(entry: &HistoryEntry, heads: Option<&mut Heads>) -> Capture {
    let mut capture = entry.read();
    if let Some(heads) = heads {
        heads.add(&mut capture);
    }
    capture
}

/// Restores everything in order and compares it; then a random sample for the time.
fn restore(place: &Path, entries: &[HistoryEntry], has_heads: bool, state: &str) -> String {
    let start = Instant::now();
    let archive = open(place, Access::Read).expect("the archive opens");
    let open_ms = start.elapsed().as_secs_f64() * 1e3;
    let mut heads = Heads::default();
    let mut histories: BTreeMap<&Url, Vec<VersionInfo>> = BTreeMap::new();
    for entry in entries {
        histories.entry(&entry.url).or_insert_with(|| archive.history(&entry.url).expect("the history is there"));
    }
    let mut differing = 0;
    for entry in entries {
        let expected = capture(entry, has_heads.then_some(&mut heads));
        let info = version_at(&histories[&entry.url], entry);
        let restored = archive.read(&entry.url, info).expect("the version is there").capture;
        let is_first = info.time == entry.time;
        differing += usize::from(restored.body != expected.body || (is_first && restored != expected));
    }
    let mut state_of_chance = 42u64;
    let mut milliseconds: Vec<f64> = (0..SAMPLE)
        .map(|_| {
            state_of_chance = state_of_chance.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let entry = &entries[(state_of_chance >> 33) as usize % entries.len()];
            let info = version_at(&histories[&entry.url], entry);
            let start = thread_seconds();
            restore_one(&archive, &entry.url, info);
            (thread_seconds() - start) * 1e3
        })
        .collect();
    milliseconds.sort_by(f64::total_cmp);
    let at = |share: usize| milliseconds[SAMPLE * share / 100];
    format!(
        "restore {state}: {} of {} byte-exact, p50 {:.2} ms, p95 {:.2} ms; opened in {open_ms:.1} ms",
        entries.len() - differing,
        entries.len(),
        at(50),
        at(95)
    )
}

fn restore_one(archive: &Archive, url: &Url, info: &VersionInfo) {
    std::hint::black_box(archive.read(url, info).expect("the version is there"));
}

/// The version that an entry was stored as, or seen again in.
fn version_at<'a>(history: &'a [VersionInfo], entry: &HistoryEntry) -> &'a VersionInfo {
    let is_of = |version: &&VersionInfo| version.time == entry.time || version.seen_again.contains(&entry.time);
    history.iter().find(is_of).expect("every capture is in the history")
}

/// What other ways of keeping the same captures cost; says so where they cannot be run.
fn baselines(folder: &Path) -> BTreeMap<String, u64> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("archive/baselines.py");
    let output = Command::new("python3").arg(script).arg(folder).output();
    let figures = output
        .ok()
        .filter(|output| output.status.success())
        .and_then(|output| serde_json::from_slice(&output.stdout).ok());
    figures.unwrap_or_else(|| {
        println!("no baselines: they need python3 with warcio and zstandard (pip install warcio zstandard), and git");
        BTreeMap::new()
    })
}

/// What a folder takes, everything counted.
fn du(folder: &Path) -> u64 {
    let output = Command::new("du").args(["-s", "--block-size=1"]).arg(folder).output().expect("du runs");
    let text = String::from_utf8_lossy(&output.stdout);
    text.split_whitespace().next().and_then(|bytes| bytes.parse().ok()).expect("du prints a number")
}
