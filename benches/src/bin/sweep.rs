//! Cuts and rebuilds every page of the data sets with every method, and prints what came back.
//!
//! A page passes when no method panics, gives the same tree twice, `rebuild(cut(page))` is the source, and the body comes back
//! byte for byte, by re-encoding or from the raw body that was kept.

use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, thread};

use kuai_benches::data::{HISTORY_SETS, PAGE_SETS, data_folder, pages_below};
use kuai_page::{Limits, Page, Version};
use kuai_segment::{METHODS, Wanted, extract, html, markdown};

#[derive(Default)]
struct Tally {
    pages: usize,
    bytes: usize,
    rebuilt: usize,
    body_back: usize,
    raw_kept: usize,
    same_twice: usize,
    faults: Vec<String>,
}

fn main() -> ExitCode {
    let data = data_folder();
    let methods: Vec<_> = METHODS.iter().map(|method| method.name).collect();
    println!("methods: {}", methods.join(", "));
    println!(
        "{:<12} {:>6} {:>9} {:>9} {:>9} {:>9} {:>10} {:>7}",
        "set", "pages", "MB", "rebuilt", "body back", "raw kept", "same twice", "faults"
    );
    let mut all_right = true;
    for (name, folder) in PAGE_SETS.into_iter().chain(HISTORY_SETS) {
        let tally = sweep(&pages_below(&data.join(folder)));
        println!(
            "{name:<12} {:>6} {:>9.1} {:>9} {:>9} {:>9} {:>10} {:>7}",
            tally.pages,
            tally.bytes as f64 / 1e6,
            tally.rebuilt,
            tally.body_back,
            tally.raw_kept,
            tally.same_twice,
            tally.faults.len()
        );
        for fault in &tally.faults {
            println!("  {fault}");
        }
        all_right &= tally.faults.is_empty() && tally.pages > 0;
    }
    if all_right { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn sweep(pages: &[PathBuf]) -> Tally {
    let next = AtomicUsize::new(0);
    let tally = Mutex::new(Tally::default());
    let worker = || {
        while let Some(path) = pages.get(next.fetch_add(1, Ordering::Relaxed)) {
            let body = fs::read(path).expect("the page was listed a moment ago");
            let outcome = panic::catch_unwind(AssertUnwindSafe(|| check(&body)));
            let mut tally = tally.lock().expect("no worker panics while it counts");
            tally.pages += 1;
            tally.bytes += body.len();
            match outcome {
                Ok(passed) => {
                    tally.rebuilt += usize::from(passed.rebuilt);
                    tally.body_back += usize::from(passed.body_back);
                    tally.raw_kept += usize::from(passed.raw_kept);
                    tally.same_twice += usize::from(passed.same_twice);
                    if !(passed.rebuilt && passed.body_back && passed.same_twice) {
                        tally.faults.push(format!("{}: differs", path.display()));
                    }
                }
                Err(_) => tally.faults.push(format!("{}: panic", path.display())),
            }
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(worker))));
    tally.into_inner().expect("no worker panics while it counts")
}

struct Passed {
    rebuilt: bool,
    body_back: bool,
    raw_kept: bool,
    same_twice: bool,
}

fn check(body: &[u8]) -> Passed {
    let page = Page::from_bytes(body, None, None, &Limits::default());
    let mut passed = Passed { rebuilt: true, body_back: true, raw_kept: page.raw().is_some(), same_twice: true };
    for method in METHODS {
        let segmenter = method.segmenter(&method.defaults());
        let tree = segmenter.segment(&page);
        let version = Version::cut(&page, &tree);
        passed.rebuilt &= version.rebuild() == page.source();
        passed.body_back &= version.body() == body;
        passed.same_twice &= segmenter.segment(&Page::from_bytes(body, None, None, &Limits::default())) == tree;
        extract(&page, &tree, method);
        markdown(&page, &tree, &Wanted::of(method));
        html(&page, &tree, &Wanted::of(method));
    }
    passed
}
