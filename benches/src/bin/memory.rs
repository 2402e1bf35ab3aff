//! The most memory that reading a page takes, as a multiple of the page's bytes, on the data sets.

use std::hint::black_box;

use kuai_benches::data::sample_pages;
use kuai_page::{Limits, Page};
use kuai_segment::{DEFAULT_METHOD, extract, method};
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Smaller pages cost what a page costs at all.
const PAGE_BYTES_MIN: usize = 10_000;

fn main() {
    let bodies = sample_pages();
    println!("peak memory a page, as a multiple of its bytes (pages of {} kB and more)", PAGE_BYTES_MIN / 1000);
    println!("                               median      95 %       max");
    print_peaks("decode and parse", &bodies, |body| {
        black_box(read(body).dom().len());
    });
    print_peaks("with styles and boxes", &bodies, |body| {
        black_box(read(body).boxes());
    });
    for name in ["nom", DEFAULT_METHOD] {
        print_peaks(&format!("extract --method {name}"), &bodies, |body| extract_text(body, name));
    }
}

fn read(body: &[u8]) -> Page {
    Page::from_bytes(body, None, None, &Limits::default())
}

fn extract_text(body: &[u8], name: &str) {
    let method = method(name).expect("the method is in the table");
    let page = read(body);
    let tree = method.segmenter(&method.defaults()).segment(&page);
    black_box(extract(&page, &tree, method));
}

fn print_peaks(name: &str, bodies: &[Vec<u8>], work: impl Fn(&[u8])) {
    let mut ratios: Vec<f64> = bodies
        .iter()
        .filter(|body| body.len() >= PAGE_BYTES_MIN)
        .map(|body| {
            ALLOCATOR.reset_peak_usage();
            let before = ALLOCATOR.current_usage();
            work(body);
            (ALLOCATOR.peak_usage().saturating_sub(before)) as f64 / body.len() as f64
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    let at = |share: f64| ratios[((ratios.len() - 1) as f64 * share) as usize];
    println!("  {name:<26} {:>9.2} {:>9.2} {:>9.2}", at(0.5), at(0.95), at(1.0));
}
