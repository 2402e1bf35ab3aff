//! Speed on the data sets of what comes on top of parsing: styles and boxes, and whole extractions. `parsers` has the parsing.
//!
//! Times are processor time, the best of several rounds over the same pages, so that a busy machine disturbs them little; ratios
//! are what counts.

use std::hint::black_box;
use std::time::Duration;

use kuai_benches::data::sample_pages;
use kuai_eval::thread_seconds;
use kuai_page::{Limits, Page};
use kuai_segment::{METHODS, Method, extract};

/// The product's own; a counting one would slow down whoever allocates most.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const ROUNDS: usize = 5;

fn main() {
    let bodies = sample_pages();
    let megabytes = bodies.iter().map(|body| read(body).source().len()).sum::<usize>() as f64 / 1e6;
    println!("{} pages, {megabytes:.1} MB, one core, best of {ROUNDS} rounds\n", bodies.len());
    print_style_speed(&bodies, megabytes);
    print_method_speed(&bodies, megabytes);
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

fn extract_text(body: &[u8], method: &'static Method) {
    let page = if method.reads_styles { read(body) } else { read(body).plain() };
    let tree = method.segmenter(&method.defaults()).judge(&page).tree;
    touch(extract(&page, &tree, method));
}
