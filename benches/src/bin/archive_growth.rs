//! Whether the archive gets slower as it grows: the time of a commit at a thousand to a million versions, the time to open it then,
//! and a URL with ten thousand versions.
//!
//! `archive_growth [VERSIONS]`. What the archives are made of is in `grown.rs`.

use std::path::Path;
use std::time::Instant;

use kuai::{Access, Archive, Capture, Timestamp, Url, open};
use kuai_benches::grown::{capture, page, small_pages};
use kuai_benches::memory::peak_megabytes;
use kuai_eval::thread_seconds;

/// Pages come and go by the thousand; the command uses the same allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Versions of the address with a long history.
const LONG_HISTORY: usize = 10_000;

fn main() {
    let count = std::env::args().nth(1).map_or(1_000_000, |text| text.parse().expect("VERSIONS is a number"));
    let pages = small_pages();
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

fn grow(place: &Path, pages: &[Vec<u8>], count: usize) {
    let archive = open(place, Access::Write).expect("the archive is made");
    println!("{:>9} {:>16} {:>12}", "versions", "a commit, CPU µs", "peak MB");
    let mut clock = thread_seconds();
    for index in 0..count {
        archive.commit(&capture(pages, index)).expect("the capture is taken");
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
