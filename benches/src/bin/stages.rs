//! What it costs to cut a page at commit time, stage by stage: every body of the page histories, from its bytes to labelled
//! and named blocks and links.
//!
//! Times are processor time, the best of several rounds. Whole is measured by itself, in one go.

use std::fs;
use std::hint::black_box;
use std::path::Path;

use kuai_benches::data::{HISTORY_SETS, data_folder, pages_below};
use kuai_eval::thread_seconds;
use kuai_page::{Limits, Page, Url};
use kuai_segment::{Segmenter, label, method};

/// The product's own.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const ROUNDS: usize = 3;

/// The method that cuts pages for the archive.
const METHOD: &str = "bwap";

const STAGES: [&str; 9] =
    ["decode", "parse", "styles", "flow", "links", "metadata", "cut and topics", "label", "whole"];

fn main() {
    let data = data_folder();
    let method = method(METHOD).expect("the method is in the table");
    let (cutter, segmenter) = (method.cutter(&method.defaults()), method.segmenter(&method.defaults()));
    for (name, folder) in HISTORY_SETS {
        let bodies = bodies(&data.join(folder));
        let megabytes = bodies.iter().map(|(_, body)| body.len()).sum::<usize>() as f64 / 1e6;
        let seconds = best_round(|| round(&bodies, &*cutter, &*segmenter));
        println!("{name}: {} pages, {megabytes:.1} MB, one core, best of {ROUNDS} rounds", bodies.len());
        println!("                       ms a MB       MB/s");
        for (stage, seconds) in STAGES.iter().zip(seconds) {
            println!("  {stage:<16} {:>12.2} {:>10.0}", seconds * 1e3 / megabytes, megabytes / seconds);
        }
        println!();
    }
}

/// The bodies below a folder, each with an address that its links can be resolved against.
fn bodies(folder: &Path) -> Vec<(Url, Vec<u8>)> {
    let read = |path: &Path| {
        let place = path.strip_prefix(folder).unwrap_or(path).display();
        let url = Url::parse(&format!("https://history.invalid/{place}")).expect("a path makes an address");
        (url, fs::read(path).expect("the page was listed a moment ago"))
    };
    pages_below(folder).iter().filter(|path| path.extension().is_some()).map(|path| read(path)).collect()
}

fn best_round(mut round: impl FnMut() -> [f64; STAGES.len()]) -> [f64; STAGES.len()] {
    let mut best = [f64::INFINITY; STAGES.len()];
    for _ in 0..ROUNDS {
        best.iter_mut().zip(round()).for_each(|(best, seconds)| *best = best.min(seconds));
    }
    best
}

/// The seconds of every stage over all bodies.
fn round(bodies: &[(Url, Vec<u8>)], cutter: &dyn Segmenter, segmenter: &dyn Segmenter) -> [f64; STAGES.len()] {
    let mut sums = [0.0; STAGES.len()];
    for (url, body) in bodies {
        let read = || Page::from_bytes(body, Some(url), None, &Limits::default());
        let (page, decode) = timed(read);
        let parse = timed(|| page.dom()).1;
        let styles = timed(|| page.styles()).1;
        let flow = timed(|| page.flow()).1;
        let links = timed(|| page.links()).1;
        let metadata = timed(|| page.metadata()).1;
        let (tree, cut) = timed(|| cutter.segment(&page));
        let labels = timed(|| label(&page, tree)).1;
        let whole = timed(|| {
            let page = read();
            (segmenter.segment(&page), page.links().len())
        });
        let seconds = [decode, parse, styles, flow, links, metadata, cut, labels, whole.1];
        sums.iter_mut().zip(seconds).for_each(|(sum, seconds)| *sum += seconds);
    }
    sums
}

/// A value and the seconds that it took to make.
fn timed<T>(make: impl FnOnce() -> T) -> (T, f64) {
    let start = thread_seconds();
    let value = black_box(make());
    (value, thread_seconds() - start)
}
