//! Archives of any size for measuring: real small pages whose histories are continued, in waves of a hundred new addresses with ten versions
//! each, so that every thousand commits do the same work.

use std::fs;

use kuai::{Capture, Timestamp, Url};

use crate::data::data_folder;
use crate::histories::histories;

/// Pages above this size are not continued, so that a million of them are written in minutes.
const PAGE_BYTES_MAX: u64 = 6000;
const URLS_A_WAVE: usize = 100;
const VERSIONS_A_URL: usize = 10;
/// Few enough that from the first wave on an address has siblings to lean on.
const HOSTS: usize = 10;
/// When the first capture is made, in seconds of Unix time.
const START: i64 = 1_600_000_000;
/// Seconds between two captures: a hundred thousand take two years.
const PAUSE: i64 = 600;

/// Small real pages, in the order of time (needs `KUAI_DATA`).
pub fn small_pages() -> Vec<Vec<u8>> {
    let entries = histories(&data_folder().join("dev"));
    let small = entries.iter().filter(|entry| fs::metadata(&entry.path).is_ok_and(|meta| meta.len() < PAGE_BYTES_MAX));
    let mut pages: Vec<_> = small.map(|entry| (entry.series, entry.read().body)).collect();
    pages.sort_by_key(|(series, _)| *series);
    pages.into_iter().map(|(_, body)| body).collect()
}

/// The page that continues a history: a real one with a paragraph that no other has.
pub fn page(pages: &[Vec<u8>], url: usize, version: usize) -> Vec<u8> {
    let mut body = pages[(url * 7 + version) % pages.len()].clone();
    body.extend(
        format!("\n<p>Note {version} of page {url}: seen {} times so far.</p>\n", version * 31 + url % 17).bytes(),
    );
    body
}

/// The capture that is made after so many others.
pub fn capture(pages: &[Vec<u8>], index: usize) -> Capture {
    let (wave, rest) = (index / (URLS_A_WAVE * VERSIONS_A_URL), index % (URLS_A_WAVE * VERSIONS_A_URL));
    let (url, version) = (wave * URLS_A_WAVE + rest % URLS_A_WAVE, rest / URLS_A_WAVE);
    Capture::new(address(url), time(index), page(pages, url, version))
}

/// The address of a number.
pub fn address(url: usize) -> Url {
    Url::parse(&format!("https://site{}.example/page/{url}", url % HOSTS)).expect("an address")
}

/// How many addresses so many captures are of, as far as they are finished.
pub fn url_count(captures: usize) -> usize {
    captures / VERSIONS_A_URL
}

/// When a capture is made.
pub fn time(index: usize) -> Timestamp {
    Timestamp::from_second(START + index as i64 * PAUSE).expect("a time")
}
