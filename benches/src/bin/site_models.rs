//! Site models: how long learning from one page takes as pages grow, and how fast pages of real hosts are cleaned.
//!
//! Times are processor time on one core, the best of several rounds.

use std::collections::BTreeMap;
use std::hint::black_box;

use kuai_benches::data::data_folder;
use kuai_eval::{Corpus, thread_seconds};
use kuai_page::{Limits, Page};
use kuai_segment::{Example, SiteModel};

/// The product's own.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const ROUNDS: usize = 3;

/// Bytes of the pages that are learnt from.
const LEARNT_BYTES: [usize; 4] = [50_000, 500_000, 2_000_000, 8_000_000];

fn main() {
    println!("learning from one page");
    for bytes in LEARNT_BYTES {
        let (body, answer) = long_page(bytes);
        let seconds = best(|| {
            let page = read(body.as_bytes());
            black_box(SiteModel::learn(&[Example { page: &page, answer: &answer }]).is_ok())
        });
        println!("  {:>9} bytes {:>9.1} ms", body.len(), seconds * 1e3);
    }
    let lessons = lessons();
    let megabytes = lessons.iter().flat_map(|(_, bodies)| bodies).map(Vec::len).sum::<usize>() as f64 / 1e6;
    let each = |work: &dyn Fn(&SiteModel, &[u8])| {
        best(|| lessons.iter().for_each(|(model, bodies)| bodies.iter().for_each(|body| work(model, body))))
    };
    let parsed = each(&|_, body| touch(read(body).dom().len()));
    let whole = each(&|model, body| touch(model.clean(&read(body)).is_ok()));
    println!("\ncleaning the pages of {} hosts of wcxb, {megabytes:.1} MB", lessons.len());
    println!("  from bytes to clean text  {:>6.0} MB/s", megabytes / whole);
    println!("  without reading the page  {:>6.0} MB/s", megabytes / (whole - parsed).max(f64::EPSILON));
}

fn read(body: &[u8]) -> Page {
    Page::from_bytes(body, None, None, &Limits::default()).plain()
}

/// Keeps the work that made a value from being optimised away.
fn touch<T>(value: T) {
    black_box(value);
}

fn best<T>(work: impl Fn() -> T) -> f64 {
    let timed = || {
        let start = thread_seconds();
        black_box(work());
        thread_seconds() - start
    };
    (0..ROUNDS).map(|_| timed()).fold(f64::INFINITY, f64::min)
}

/// A page of about so many bytes, and its clean text: paragraphs of which no two are alike, between what a site puts around them.
fn long_page(bytes: usize) -> (String, String) {
    let (mut text, mut answer) = (String::new(), String::new());
    let mut number = 0;
    while text.len() < bytes {
        let words: Vec<String> =
            (0..60).map(|word| format!("w{}", (number * 7919 + word * 104_729) % 50_021)).collect();
        let paragraph = words.join(" ");
        text.push_str(&format!("<p>{paragraph}, <a href=/{number}>see {number}</a>.</p>\n"));
        answer.push_str(&format!("{paragraph}, see {number}.\n"));
        number += 1;
    }
    let body = format!(
        "<title>t</title><ul class=menu><li>Home<li>Books<li>About</ul><div class=text>{text}</div><div class=foot>Since 1998</div>"
    );
    (body, answer)
}

/// For each host with three pages or more: what the first page that can teach it teaches, and the bytes of the others.
fn lessons() -> Vec<(SiteModel, Vec<Vec<u8>>)> {
    let corpus = Corpus::open(&data_folder().join("wcxb")).expect("wcxb is unpacked");
    let mut hosts: BTreeMap<String, Vec<(Vec<u8>, String)>> = BTreeMap::new();
    for entry in corpus.entries() {
        let host = entry.url.as_ref().and_then(|url| url.host_str());
        if let (Some(host), Ok(labelled)) = (host, corpus.read(entry)) {
            let gold = labelled.gold.text.unwrap_or_default();
            hosts.entry(host.to_owned()).or_default().push((labelled.body, gold));
        }
    }
    let lesson = |pages: Vec<(Vec<u8>, String)>| {
        let learn =
            |(body, answer): &(Vec<u8>, String)| SiteModel::learn(&[Example { page: &read(body), answer }]).ok();
        let model = pages.iter().find_map(learn)?.model;
        Some((model, pages.into_iter().map(|(body, _)| body).collect()))
    };
    hosts.into_values().filter(|pages| pages.len() >= 3).filter_map(lesson).collect()
}
