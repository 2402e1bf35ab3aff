//! Commits and claims a second on a shared archive, with one worker and with several, beside the embedded store in the same run.
//!
//! `scripts/shared-servers shared_bench [--workers N] [--addresses N]`. Commits are of real pages, handed to the store as the archive hands them, and
//! made durable 256 at a time; claims are taken 250 at a time and ended as done. A worker is a thread with connections of its own. What a core does in a
//! second is counted by the processor time of this program and of Postgres together.

use std::fs;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clap::Parser;
use kuai::{Access, Frontier, Timestamp, Url, Via, open_crawl, open_store};
use kuai_archive::{Entry, FIGURES_MAX, Form};
use kuai_benches::local_web::DEFAULT_FOLDER;
use kuai_benches::processor;
use kuai_crawl::{Batch, Decision, Ending, Find, Want};

/// Entries that are made durable together.
const BATCH: usize = 256;
/// Addresses that are claimed together.
const CLAIMS: usize = 250;
/// Hosts that addresses lie on.
const HOSTS: u64 = 1000;
/// Addresses that are put in together.
const FINDS: u64 = 10_000;

/// Measures a shared archive beside the embedded one.
#[derive(Parser)]
struct Arguments {
    /// How many workers are compared with one.
    #[arg(long, default_value_t = 4)]
    workers: usize,
    /// Pages that each worker commits.
    #[arg(long, default_value_t = 4000)]
    pages: usize,
    /// Addresses that are queued at most: ten thousand first, ten times as many each time.
    #[arg(long, default_value_t = 1_000_000)]
    addresses: u64,
    /// Addresses that are queued in a folder at most.
    #[arg(long, default_value_t = 1_000_000)]
    folder_addresses: u64,
    /// Claims that are measured at each size.
    #[arg(long, default_value_t = 20_000)]
    claims: u64,
}

fn main() {
    if let Err(message) = run(&Arguments::parse()) {
        eprintln!("shared_bench: {message}");
        process::exit(2);
    }
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let server = std::env::var("KUAI_TEST_POSTGRES").map_err(|_| "run it by scripts/shared-servers")?;
    let folder = tempfile::tempdir().map_err(text)?;
    let place = |name: &str| -> PathBuf {
        let objects = folder.path().join(name);
        format!("{server}?schema=bench_{name}&objects={}", objects.display()).into()
    };
    let pages = pages()?;
    let bytes: usize = pages.iter().map(Vec::len).sum();
    println!("{} pages of {} KB on average", pages.len(), bytes / pages.len() / 1000);
    println!("{:<28} {:>8} {:>12} {:>12} {:>14}", "commits", "workers", "entries/s", "a core", "ms a batch");
    commits("a folder", &folder.path().join("folder"), 1, arguments.pages, &pages)?;
    for workers in [1, arguments.workers] {
        commits("shared", &place(&format!("commits_{workers}")), workers, arguments.pages, &pages)?;
    }
    println!(
        "{:<28} {:>8} {:>12} {:>12} {:>14} {:>14} {:>14}",
        "claims, queued", "workers", "urls/s", "a core", "ms a claim", "ms a record", "s to fill"
    );
    let mut queued = 10_000;
    while queued <= arguments.addresses {
        if queued <= arguments.folder_addresses {
            let frontier = folder.path().join(format!("frontier-{queued}"));
            claims("a folder", &frontier, &[1], queued, arguments.claims)?;
        }
        let place = place(&format!("claims_{queued}"));
        claims("shared", &place, &[1, arguments.workers], queued, arguments.claims)?;
        queued *= 10;
    }
    Ok(())
}

/// Real pages of the local web.
fn pages() -> Result<Vec<Vec<u8>>, String> {
    let folder = Path::new(DEFAULT_FOLDER).join("postgresql-doc-15/usr/share/doc/postgresql-doc-15/html");
    let files = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<PathBuf> = files.filter_map(|file| Some(file.ok()?.path())).collect();
    paths.sort();
    let is_page = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "html");
    paths.into_iter().filter(is_page).map(|path| fs::read(path).map_err(text)).collect()
}

fn commits(name: &str, place: &Path, workers: usize, count: usize, pages: &[Vec<u8>]) -> Result<(), String> {
    let stores: Vec<_> =
        (0..workers).map(|_| open_store(place, Access::Write)).collect::<Result<_, _>>().map_err(text)?;
    let (began, used) = (Instant::now(), processor::used_seconds());
    std::thread::scope(|scope| {
        let handles: Vec<_> = stores
            .iter()
            .enumerate()
            .map(|(worker, store)| {
                scope.spawn(move || {
                    for index in 0..count {
                        let url = format!("http://host{worker}.example/{index}.html");
                        store.append(&entry(&url, &pages[index % pages.len()])).map_err(text)?;
                        if index % BATCH == BATCH - 1 {
                            store.sync().map_err(text)?;
                        }
                    }
                    store.sync().map_err(text)
                })
            })
            .collect();
        handles.into_iter().try_for_each(|handle| handle.join().expect("no worker panics"))
    })?;
    let seconds = began.elapsed().as_secs_f64();
    let batches = (count * workers).div_ceil(BATCH) as f64;
    println!(
        "{name:<28} {workers:>8} {:>12.0} {:>12.0} {:>14.1}",
        (count * workers) as f64 / seconds,
        (count * workers) as f64 / (processor::used_seconds() - used),
        1000.0 * seconds / batches
    );
    Ok(())
}

fn entry<'a>(url: &'a str, body: &'a [u8]) -> Entry<'a> {
    let head = b"GET\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
    let figures = [1; FIGURES_MAX];
    Entry { url, time: Timestamp::UNIX_EPOCH, head, body, form: Form::HastyText, notes: b"outline 1\n", figures }
}

/// Queues addresses, and lets one crew after another claim some of them.
fn claims(name: &str, place: &Path, crews: &[usize], queued: u64, count: u64) -> Result<(), String> {
    let began = Instant::now();
    fill(&*open_crawl(place, "bench").map_err(text)?.1, queued)?;
    let filled = began.elapsed().as_secs_f64();
    let count = count.min(queued * 9 / 10 / crews.len() as u64);
    let label = format!("{name}, {queued}");
    crews.iter().try_for_each(|workers| claims_of(&label, place, *workers, count, filled))
}

fn claims_of(label: &str, place: &Path, workers: usize, count: u64, filled: f64) -> Result<(), String> {
    let crews: Vec<_> = (0..workers).map(|_| open_crawl(place, "bench")).collect::<Result<_, _>>().map_err(text)?;
    let used = processor::used_seconds();
    let (taken, claiming, recording) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    let began = Instant::now();
    std::thread::scope(|scope| {
        let handles: Vec<_> = crews
            .iter()
            .map(|(_, frontier)| scope.spawn(|| work(&**frontier, count, &taken, &claiming, &recording)))
            .collect();
        handles.into_iter().try_for_each(|handle| handle.join().expect("no worker panics"))
    })?;
    let seconds = began.elapsed().as_secs_f64();
    let taken = taken.into_inner() as f64;
    let calls = taken / CLAIMS as f64;
    let millis = |nanoseconds: AtomicU64| nanoseconds.into_inner() as f64 / 1e6 / calls;
    println!(
        "{label:<28} {workers:>8} {:>12.0} {:>12.0} {:>14.1} {:>14.1} {filled:>14.0}",
        taken / seconds,
        taken / (processor::used_seconds() - used),
        millis(claiming),
        millis(recording)
    );
    Ok(())
}

/// Claims and ends addresses until so many were taken by all workers.
fn work(
    frontier: &dyn Frontier,
    count: u64,
    taken: &AtomicU64,
    claiming: &AtomicU64,
    recording: &AtomicU64,
) -> Result<(), String> {
    let want = Want { limit: CLAIMS, per_host: 8, lease: Duration::from_secs(3600) };
    while taken.load(Ordering::Relaxed) < count {
        let began = Instant::now();
        let claims = frontier.claim(Timestamp::now(), &want).map_err(text)?;
        claiming.fetch_add(began.elapsed().as_nanos() as u64, Ordering::Relaxed);
        taken.fetch_add(claims.len() as u64, Ordering::Relaxed);
        let endings = claims.iter().map(|claim| (claim.id, Ending::Done { status: 200 })).collect();
        let began = Instant::now();
        frontier.record(&Batch { endings, ..Batch::default() }).map_err(text)?;
        recording.fetch_add(began.elapsed().as_nanos() as u64, Ordering::Relaxed);
    }
    Ok(())
}

/// Queues addresses.
fn fill(frontier: &dyn Frontier, count: u64) -> Result<(), String> {
    for first in (0..count).step_by(FINDS as usize) {
        let finds = (first..count.min(first + FINDS)).map(find).collect();
        frontier.record(&Batch { finds, ..Batch::default() }).map_err(text)?;
    }
    Ok(())
}

fn find(number: u64) -> Find {
    let url = format!("http://host{}.example/section/{}/page-{number}.html", number % HOSTS, number % 97);
    Find {
        url: Url::parse(&url).expect("a valid address"),
        via: Via::Link,
        parent: None,
        depth: 1,
        hops: 0,
        decision: Decision::Follow(0),
        why: String::new(),
    }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
