//! Speed of every method on one core, in MB of source a second: the method alone, on a page that is parsed, styled and laid
//! out, and all together from the bytes. `segment_speed [SET] [--growth]`; growth prints the time for a page repeated 1,
//! 2, 4, 8 and 16 times, a byte.

use std::time::{Duration, Instant};
use std::{env, fs};

use kuai_benches::data::{data_folder, pages_below};
use kuai_page::{Limits, Page};
use kuai_segment::{METHODS, Method};

/// Pages that are read; enough for a steady figure.
const PAGES_MAX: usize = 400;

fn main() {
    let set = env::args().nth(1).filter(|argument| !argument.starts_with('-')).unwrap_or("wcxb/pages".to_owned());
    let paths = pages_below(&data_folder().join(set));
    let bodies: Vec<Vec<u8>> = paths.iter().take(PAGES_MAX).filter_map(|path| fs::read(path).ok()).collect();
    let bytes: usize = bodies.iter().map(Vec::len).sum();
    println!("{} pages, {:.1} MB; MB/s on one core", bodies.len(), bytes as f64 / 1e6);
    println!("{:<10} {:>12} {:>12}", "method", "alone", "from bytes");
    for method in METHODS {
        let (alone, whole) = times(method, &bodies);
        let speed = |time: Duration| bytes as f64 / 1e6 / time.as_secs_f64();
        println!("{:<10} {:>12.0} {:>12.0}", method.name, speed(alone), speed(whole));
    }
    if env::args().any(|argument| argument == "--growth") {
        print_growth(&bodies);
    }
}

fn times(method: &'static Method, bodies: &[Vec<u8>]) -> (Duration, Duration) {
    let segmenter = method.segmenter(&method.defaults());
    let (mut alone, mut whole) = (Duration::ZERO, Duration::ZERO);
    for body in bodies {
        let start = Instant::now();
        let page = Page::from_bytes(body, None, None, &Limits::default());
        segmenter.segment(&page);
        whole += start.elapsed();
        page.boxes();
        let start = Instant::now();
        segmenter.segment(&page);
        alone += start.elapsed();
    }
    (alone, whole)
}

fn print_growth(bodies: &[Vec<u8>]) {
    let Some(body) = bodies.iter().max_by_key(|body| body.len().min(200_000)) else { return };
    println!("nanoseconds a byte for a page of {} kB repeated 1, 2, 4, 8, 16 times", body.len() / 1000);
    for method in METHODS {
        let segmenter = method.segmenter(&method.defaults());
        let times = [1, 2, 4, 8, 16].map(|count| {
            let page = Page::from_bytes(&body.repeat(count), None, None, &Limits::default());
            segmenter.segment(&page);
            let start = Instant::now();
            segmenter.segment(&page);
            start.elapsed().as_nanos() as f64 / (body.len() * count) as f64
        });
        println!("{:<10} {}", method.name, times.map(|time| format!("{time:8.2}")).join(" "));
    }
}
