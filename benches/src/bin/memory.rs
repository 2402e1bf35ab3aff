//! The most memory that reading a page takes, as a multiple of the page's bytes, on the data sets.
//!
//! Parsing is shown alone, on a source that its caller holds: what counts is all that the parser asks for, at its worst moment. The
//! other rows start from bytes, so the decoded source, as large as the page itself, is a part of them.

use std::hint::black_box;

use kuai_benches::data::all_pages;
use kuai_html::{Options, Tree, parse};
use kuai_page::{Limits, Page};
use kuai_segment::{DEFAULT_METHOD, extract, method};
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Smaller pages cost what a page costs at all.
const PAGE_BYTES_MIN: usize = 10_000;

/// What a page may take at most.
const WANTED: f64 = 8.0;

fn main() {
    let mut bodies = all_pages();
    bodies.retain(|body| body.len() >= PAGE_BYTES_MIN);
    let sources: Vec<String> = bodies.iter().map(|body| read(body).source().to_owned()).collect();
    println!(
        "peak memory a page, as a multiple of its bytes ({} pages of {} kB and more)",
        bodies.len(),
        PAGE_BYTES_MIN / 1000
    );
    println!("                               median      95 %       max   above {WANTED}");
    print_peaks("parse, beyond the source", &sources, String::len, |source| {
        let mut tree = Tree::default();
        parse(source, &Options::default(), &mut tree);
        black_box(tree);
    });
    let length = Vec::len;
    print_peaks("decode and parse", &bodies, length, |body| {
        black_box(read(body).dom().len());
    });
    print_peaks("with styles and boxes", &bodies, length, |body| {
        black_box(read(body).boxes());
    });
    for name in ["nom", DEFAULT_METHOD] {
        print_peaks(&format!("extract --method {name}"), &bodies, length, |body| extract_text(body, name));
    }
}

fn read(body: &[u8]) -> Page {
    Page::from_bytes(body, None, None, &Limits::default())
}

fn extract_text(body: &[u8], name: &str) {
    let method = method(name).expect("the method is in the table");
    let page = if method.reads_styles { read(body) } else { read(body).plain() };
    let tree = method.segmenter(&method.defaults()).judge(&page).tree;
    black_box(extract(&page, &tree, method));
}

fn print_peaks<T>(name: &str, pages: &[T], length: fn(&T) -> usize, work: impl Fn(&T)) {
    // What is made once and kept, such as a model, is no page's memory.
    work(&pages[0]);
    let mut ratios: Vec<f64> = pages
        .iter()
        .map(|page| {
            ALLOCATOR.reset_peak_usage();
            let before = ALLOCATOR.current_usage();
            work(page);
            (ALLOCATOR.peak_usage().saturating_sub(before)) as f64 / length(page) as f64
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    let above = ratios.iter().filter(|ratio| **ratio > WANTED).count();
    let at = |share: f64| ratios[((ratios.len() - 1) as f64 * share) as usize];
    println!("  {name:<26} {:>9.2} {:>9.2} {:>9.2} {above:>9}", at(0.5), at(0.95), at(1.0));
}
