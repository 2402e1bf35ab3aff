//! Speed on the data sets of what comes on top of parsing: styles and boxes, and whole extractions. `parsers` has the parsing.
//!
//! Times are processor time, the best of several rounds over the same pages, so that a busy machine disturbs them little; ratios
//! are what counts.

use std::fs;
use std::hint::black_box;
use std::path::PathBuf;
use std::time::Duration;

use kuai_benches::data::{data_folder, pages_below, sample_pages};
use kuai_eval::{saved_style_sheets, thread_seconds};
use kuai_page::{Limits, Page, StyleSheet};
use kuai_segment::{DEFAULT_METHOD, METHODS, Method, extract, method};

/// The product's own; a counting one would slow down whoever allocates most.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const ROUNDS: usize = 3;

fn main() {
    let bodies = sample_pages();
    let megabytes = bodies.iter().map(|body| read(body).source().len()).sum::<usize>() as f64 / 1e6;
    println!("{} pages, {megabytes:.1} MB, one core, best of {ROUNDS} rounds\n", bodies.len());
    print_style_speed(&bodies, megabytes);
    print_method_speed(&bodies, megabytes);
    print_home_speed();
}

fn read(body: &[u8]) -> Page {
    Page::from_bytes(body, None, None, &Limits::default())
}

/// Keeps the work that made a value from being optimised away.
fn touch<T>(value: T) {
    black_box(value);
}

fn time(work: impl FnOnce()) -> Duration {
    let start = thread_seconds();
    work();
    Duration::from_secs_f64((thread_seconds() - start).max(0.0))
}

/// Only what comes on top of parsing is timed.
fn print_style_speed(bodies: &[Vec<u8>], megabytes: f64) {
    let (mut styles, mut boxes, mut flow) = (Duration::MAX, Duration::MAX, Duration::MAX);
    for _ in 0..ROUNDS {
        let mut round = [Duration::ZERO; 3];
        for body in bodies {
            let page = read(body);
            page.dom();
            round[0] += time(|| touch(page.styles()));
            round[1] += time(|| touch(page.boxes()));
            round[2] += time(|| touch(page.flow()));
        }
        (styles, boxes, flow) = (styles.min(round[0]), boxes.min(round[1]), flow.min(round[2]));
    }
    println!("on top of parsing            ms a page       MB/s");
    for (name, time) in [("styles", styles), ("boxes", boxes), ("styles + boxes", styles + boxes), ("text flow", flow)]
    {
        let per_page = time.as_secs_f64() * 1e3 / bodies.len() as f64;
        println!("  {name:<24} {per_page:>11.3} {:>10.0}", megabytes / time.as_secs_f64());
    }
    println!();
}

/// A method alone works on a page that is parsed, styled and laid out; from bytes, everything is done for it.
fn print_method_speed(bodies: &[Vec<u8>], megabytes: f64) {
    println!("methods, MB/s                  cut     cut and label   from bytes   extract, from bytes");
    for method in METHODS {
        let (cutter, segmenter) = (method.cutter(&method.defaults()), method.segmenter(&method.defaults()));
        let mut best = [Duration::MAX; 4];
        for _ in 0..ROUNDS {
            let mut round = [Duration::ZERO; 4];
            for body in bodies {
                let page = read(body);
                page.boxes();
                page.flow();
                round[0] += time(|| touch(cutter.segment(&page)));
                round[1] += time(|| touch(segmenter.segment(&page)));
                round[2] += time(|| touch(segmenter.segment(&read(body))));
                round[3] += time(|| extract_text(body, method));
            }
            best.iter_mut().zip(round).for_each(|(best, round)| *best = round.min(*best));
        }
        let speed = best.map(|time| megabytes / time.as_secs_f64());
        println!("  {:<20} {:>11.0} {:>17.0} {:>12.0} {:>21.0}", method.name, speed[0], speed[1], speed[2], speed[3]);
    }
    println!();
}

/// Home pages come with as much style as text, and what it hides is no block: of all styles no more is read for it.
fn print_home_speed() {
    let pages = home_pages();
    let megabytes = |sum: usize| sum as f64 / 1e6;
    let of_pages = megabytes(pages.iter().map(|(body, _)| body.len()).sum());
    let of_sheets = megabytes(pages.iter().flat_map(|(_, sheets)| sheets).map(|sheet| sheet.text.len()).sum());
    let kuai = method(DEFAULT_METHOD).expect("the method is in the table");
    let cutter = kuai.cutter(&kuai.defaults());
    let mut best = [Duration::MAX; 5];
    for _ in 0..ROUNDS {
        let mut round = [Duration::ZERO; 5];
        for (body, sheets) in &pages {
            let page = read(body).with_style_sheets(sheets.clone());
            round[0] += time(|| touch(page.dom()));
            round[1] += time(|| touch(page.styles()));
            round[2] += time(|| touch(page.hidden()));
            round[3] += time(|| touch(cutter.segment(&page)));
            let sheets = sheets.clone();
            round[4] += time(|| touch(cutter.segment(&read(body).with_style_sheets(sheets))));
        }
        best.iter_mut().zip(round).for_each(|(best, round)| *best = round.min(*best));
    }
    println!("{} home pages, {of_pages:.1} MB, and {of_sheets:.1} MB of style sheets", pages.len());
    println!("                            ms a page   MB/s of pages   of pages and sheets");
    for (name, time) in ["parse", "styles", "what is hidden", "cut", "parse and cut, from bytes"].iter().zip(best) {
        let seconds = time.as_secs_f64();
        let per_page = seconds * 1e3 / pages.len() as f64;
        let (alone, with_sheets) = (of_pages / seconds, (of_pages + of_sheets) / seconds);
        println!("  {name:<24} {per_page:>11.3} {alone:>15.0} {with_sheets:>21.0}");
    }
}

/// The pages of the set of home pages with the style sheets that lie beside them.
fn home_pages() -> Vec<(Vec<u8>, Vec<StyleSheet>)> {
    let root = data_folder().join("segment");
    let with_sheets = |path: &PathBuf| {
        let body = fs::read(path).expect("the page was listed a moment ago");
        let sheets = saved_style_sheets(&read(&body), path, &root);
        (body, sheets)
    };
    pages_below(&root.join("pages")).iter().map(with_sheets).collect()
}

fn extract_text(body: &[u8], method: &'static Method) {
    let page = if method.reads_styles { read(body) } else { read(body).plain() };
    let tree = method.segmenter(&method.defaults()).judge(&page).tree;
    touch(extract(&page, &tree, method));
}
