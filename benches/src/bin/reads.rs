//! Reads every page of `$KUAI_DATA` (or of the folders given) and prints how fast each part of reading went, how
//! often metadata was found, and whether anything took far longer than its size explains.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use kuai_page::{Limits, LinkKind, Page, TextOptions};

/// The steps that are timed, in order.
const STEPS: [&str; 7] = ["decode", "parse", "style", "flow", "text", "links", "metadata"];

#[derive(Default)]
struct Totals {
    pages: usize,
    bytes: usize,
    times: [Duration; STEPS.len()],
    links: usize,
    page_links: usize,
    found: [usize; 6],
    slowest: Option<(Duration, PathBuf)>,
}

fn main() -> ExitCode {
    let data = std::env::var_os("KUAI_DATA").map(PathBuf::from);
    let given: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let folders = match (given.is_empty(), data) {
        (false, _) => given,
        (true, Some(data)) => {
            ["wcxb", "articles", "snippets", "segment", "chinese/raw"].iter().map(|set| data.join(set)).collect()
        }
        (true, None) => {
            eprintln!("KUAI_DATA is not set and no folder was given: nothing to read");
            return ExitCode::from(2);
        }
    };
    for folder in folders {
        let mut totals = Totals::default();
        for file in files_below(&folder) {
            measure(&file, &mut totals);
        }
        print(&folder, &totals);
    }
    ExitCode::SUCCESS
}

fn measure(file: &Path, totals: &mut Totals) {
    let Ok(body) = std::fs::read(file) else { return };
    let start = Instant::now();
    let mut step_start = start;
    let mut step = 0;
    let mut done = |times: &mut [Duration; STEPS.len()]| {
        times[step] += step_start.elapsed();
        step += 1;
        step_start = Instant::now();
    };
    let page = Page::from_bytes(&body, None, None, &Limits::default());
    done(&mut totals.times);
    let dom = page.dom();
    done(&mut totals.times);
    page.styles();
    done(&mut totals.times);
    let flow = page.flow();
    done(&mut totals.times);
    flow.text(dom, page.span(), TextOptions::default());
    done(&mut totals.times);
    totals.links += page.links().len();
    done(&mut totals.times);
    let metadata = page.metadata();
    done(&mut totals.times);
    let found = [
        metadata.title.is_some(),
        metadata.language.is_some(),
        metadata.description.is_some(),
        !metadata.authors.is_empty(),
        metadata.published.is_some(),
        !metadata.json_ld.is_empty(),
    ];
    for (count, found) in totals.found.iter_mut().zip(found) {
        *count += usize::from(found);
    }
    totals.pages += 1;
    totals.bytes += body.len();
    totals.page_links += page.links().iter().filter(|link| link.kind == LinkKind::Page).count();
    let time = start.elapsed();
    if totals.slowest.as_ref().is_none_or(|(slowest, _)| time > *slowest) {
        totals.slowest = Some((time, file.to_owned()));
    }
}

fn print(folder: &Path, totals: &Totals) {
    println!("{}: {} pages, {:.1} MB", folder.display(), totals.pages, totals.bytes as f64 / 1e6);
    for (name, time) in STEPS.iter().zip(totals.times) {
        println!("  {name:8} {:8.0} MB/s", totals.bytes as f64 / 1e6 / time.as_secs_f64().max(1e-9));
    }
    println!("  {} links, {} of them to pages", totals.links, totals.page_links);
    let names = ["title", "language", "description", "author", "published", "json-ld"];
    let shares: Vec<String> = names.iter().zip(totals.found).map(|(name, count)| format!("{name} {count}")).collect();
    println!("  found: {}", shares.join(", "));
    if let Some((time, file)) = &totals.slowest {
        println!("  slowest: {:.1} ms, {}", time.as_secs_f64() * 1e3, file.display());
    }
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files_below(&path));
        } else if path.extension().is_some_and(|extension| extension == "html" || extension == "htm") {
            found.push(path);
        }
    }
    found.sort();
    found
}
