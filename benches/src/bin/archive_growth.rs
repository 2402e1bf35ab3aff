//! Whether the archive gets slower as it grows: the time of a commit at a thousand to a million versions, the time to open it then,
//! and a URL with ten thousand versions.
//!
//! `archive_growth [VERSIONS]`. Versions are real small pages whose histories are continued: waves of a hundred new addresses with ten
//! versions each, so that every thousand commits do the same work.

use std::path::Path;
use std::time::Instant;

use kuai::{Access, Archive, Capture, Timestamp, Url, open};
use kuai_benches::data::data_folder;
use kuai_benches::histories::histories;
use kuai_benches::memory::peak_megabytes;
use kuai_eval::thread_seconds;

/// Pages come and go by the thousand; the command uses the same allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Pages above this size are not continued, so that a million of them are written in minutes.
const PAGE_BYTES_MAX: u64 = 6000;

const URLS_A_WAVE: usize = 100;
const VERSIONS_A_URL: usize = 10;

/// Few enough that from the first wave on an address has siblings to lean on.
const HOSTS: usize = 10;

/// Versions of the address with a long history.
const LONG_HISTORY: usize = 10_000;

fn main() {
    let count = std::env::args().nth(1).map_or(1_000_000, |text| text.parse().expect("VERSIONS is a number"));
    let pages = pages();
    let folder = tempfile::tempdir().expect("a folder for the archive");
    let place = folder.path().join("archive");
    grow(&place, &pages, count);
    let start = Instant::now();
    let archive = open(&place, Access::Read).expect("the archive opens");
    println!("opened in {:.1} ms with {count} versions", milliseconds(start));
    drop(archive);
    println!("peak memory {} MB", peak_megabytes());
    long_history(&folder.path().join("long"), &pages);
}

/// Small real pages, in the order of time.
fn pages() -> Vec<Vec<u8>> {
    let entries = histories(&data_folder().join("dev"));
    let small =
        entries.iter().filter(|entry| std::fs::metadata(&entry.path).is_ok_and(|meta| meta.len() < PAGE_BYTES_MAX));
    let mut pages: Vec<_> = small.map(|entry| (entry.series, entry.read().body)).collect();
    pages.sort_by_key(|(series, _)| *series);
    pages.into_iter().map(|(_, body)| body).collect()
}

/// The page that continues a history: a real one with a paragraph that no other has.
fn page(pages: &[Vec<u8>], url: usize, version: usize) -> Vec<u8> {
    let mut body = pages[(url * 7 + version) % pages.len()].clone();
    body.extend(
        format!("\n<p>Note {version} of page {url}: seen {} times so far.</p>\n", version * 31 + url % 17).bytes(),
    );
    body
}

fn grow(place: &Path, pages: &[Vec<u8>], count: usize) {
    let archive = open(place, Access::Write).expect("the archive is made");
    let start = Timestamp::from_second(1_600_000_000).expect("a time");
    println!("{:>9} {:>16} {:>12}", "versions", "a commit, CPU µs", "peak MB");
    let mut clock = thread_seconds();
    for index in 0..count {
        let (wave, rest) = (index / (URLS_A_WAVE * VERSIONS_A_URL), index % (URLS_A_WAVE * VERSIONS_A_URL));
        let (url, version) = (wave * URLS_A_WAVE + rest % URLS_A_WAVE, rest / URLS_A_WAVE);
        let address = Url::parse(&format!("https://site{}.example/page/{url}", url % HOSTS)).expect("an address");
        let time = Timestamp::from_second(start.as_second() + index as i64).expect("a time");
        archive.commit(&Capture::new(address, time, page(pages, url, version))).expect("the capture is taken");
        let done = index + 1;
        if done % 1000 == 0 {
            archive.sync().expect("the archive is synced");
            if [1000, 10_000, 100_000, 1_000_000].contains(&done) {
                println!("{done:>9} {:>16.0} {:>12}", (thread_seconds() - clock) * 1e3, peak_megabytes());
            }
            clock = thread_seconds();
        }
    }
}

/// A URL with very many versions: its history, and random versions of it.
fn long_history(place: &Path, pages: &[Vec<u8>]) {
    let url = Url::parse("https://long.example/").expect("an address");
    let archive = open(place, Access::Write).expect("the archive is made");
    for version in 0..LONG_HISTORY {
        let time = Timestamp::from_second(1_600_000_000 + version as i64 * 3600).expect("a time");
        archive.commit(&Capture::new(url.clone(), time, page(&pages[..1], 0, version))).expect("the capture is taken");
    }
    archive.sync().expect("the archive is synced");
    tell_history(&archive, &url, "as written");
    archive.compact(&mut |_, _| true).expect("the archive is compacted");
    tell_history(&archive, &url, "compacted");
}

fn tell_history(archive: &Archive, url: &Url, state: &str) {
    let start = Instant::now();
    let versions = archive.history(url).expect("the history is there");
    let listed = milliseconds(start);
    let mut times: Vec<f64> = (0..500)
        .map(|index| {
            let version = &versions[index * 7919 % versions.len()];
            let start = Instant::now();
            archive.read(url, version).expect("the version is there");
            milliseconds(start)
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!(
        "history of {} versions, {state}: {listed:.1} ms; restore p50 {:.2} ms, p95 {:.2} ms",
        versions.len(),
        times[times.len() / 2],
        times[times.len() * 95 / 100]
    );
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}
