//! Whether the frontier gets slower as it grows: what an address costs (found, claimed, ended) at ten thousand to ten million.
//!
//! `frontier [ADDRESSES [PLACE]]`, where PLACE may be a shared archive. A crawl of many hosts is played without a network: each page that is visited links to one page that is
//! new and to many that are known, as on the Web, so the frontier grows while it works.

use std::time::Duration;

use kuai::{Timestamp, Url, Via, open_crawl};
use kuai_benches::memory::peak_megabytes;
use kuai_crawl::{Batch, Decision, Ending, Find, Want};
use kuai_eval::thread_seconds;

/// Hosts that the addresses lie on.
const HOSTS: u64 = 1000;
/// New addresses that a page leads to: so many are found for each that is visited that the queue keeps growing.
const NEW_LINKS: u64 = 4;
/// Links of a page to addresses that are known.
const KNOWN_LINKS: u64 = 6;
/// Pages that are recorded together.
const PAGES_A_BATCH: usize = 250;

fn main() {
    let count: u64 = std::env::args().nth(1).map_or(1_000_000, |text| text.parse().expect("ADDRESSES is a number"));
    let folder = tempfile::tempdir().expect("a folder for the frontier");
    let place = std::env::args_os().nth(2).map_or(folder.path().to_owned(), Into::into);
    let (_archive, frontier) = open_crawl(&place, "bench").expect("a frontier");
    let want = Want { limit: PAGES_A_BATCH, per_host: 8, lease: Duration::from_secs(3600) };
    let first = (0..HOSTS).map(|number| find(number, 0)).collect();
    frontier.record(&Batch { finds: first, ..Batch::default() }).expect("the frontier takes addresses");
    let (mut known, mut visited, mut told) = (HOSTS, 0u64, HOSTS * 10);
    let (mut seconds, mut steps) = (thread_seconds(), 0u64);
    println!("{:>12} {:>12} {:>16} {:>10}", "addresses", "visited", "us a page", "file MB");
    while known < count {
        let claims = frontier.claim(Timestamp::now(), &want).expect("the frontier gives addresses");
        let mut batch = Batch::default();
        for claim in &claims {
            batch.endings.push((claim.id, Ending::Done { status: 200 }));
            batch.finds.extend((0..NEW_LINKS).map(|link| find(known + link, claim.depth + 1)));
            known += NEW_LINKS;
            batch.finds.extend((0..KNOWN_LINKS).map(|link| find(mix(visited * KNOWN_LINKS + link) % known, 1)));
            visited += 1;
        }
        steps += claims.len() as u64;
        frontier.record(&batch).expect("the frontier takes addresses");
        if known >= told {
            let spent = thread_seconds() - seconds;
            let megabytes = folder_bytes(folder.path()) / 1_000_000;
            println!("{known:>12} {visited:>12} {:>16.1} {megabytes:>10}", 1e6 * spent / steps as f64);
            told = (told * 10 / 4).min(count);
            (seconds, steps) = (thread_seconds(), 0);
        }
    }
    println!("peak memory {} MB", peak_megabytes());
}

fn find(number: u64, depth: u32) -> Find {
    let url = format!("http://host{}.example/section/{}/page-{number}.html", number % HOSTS, number % 97);
    Find {
        url: Url::parse(&url).expect("a valid address"),
        via: Via::Link,
        parent: None,
        depth,
        hops: 0,
        decision: Decision::Follow(-(depth as i32)),
        why: String::new(),
    }
}

/// Numbers that look random and are the same every time.
fn mix(number: u64) -> u64 {
    let mixed = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB) >> 1
}

fn folder_bytes(folder: &std::path::Path) -> u64 {
    let files = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    files.filter_map(|file| file.metadata().ok()).map(|meta| meta.len()).sum()
}
