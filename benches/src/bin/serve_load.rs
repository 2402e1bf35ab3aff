//! How fast every page of `kuai serve` is on an archive of a hundred thousand versions, how many raw bytes it replays a second, and what memory it takes.
//!
//! `serve_load KUAI [--versions N] [--seconds N] [--connections N] [--folder DIR]`. The archive is made in the folder unless it lies there already.

use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{self, Child, ChildStderr, Command, Stdio};
use std::time::{Duration, Instant};

use clap::Parser;
use kuai::search::Index;
use kuai::{Access, open, search_folder};
use kuai_benches::grown;
use kuai_benches::load::load;

/// What answers must keep to, on the machine that it was decided on (2 cores).
const PAGE_MILLISECONDS_MAX: f64 = 50.0;
const RAW_A_SECOND_MIN: f64 = 1000.0;
const MEGABYTES_MAX: f64 = 250.0;

/// Addresses whose blocks are asked for.
const BLOCKS_FROM: usize = 50;

/// Load on a server of our own.
#[derive(Parser)]
struct Arguments {
    /// The program `kuai`.
    kuai: PathBuf,
    /// Versions in the archive.
    #[arg(long, default_value_t = 100_000)]
    versions: usize,
    /// How long each address is asked for.
    #[arg(long, default_value_t = 5)]
    seconds: u64,
    /// How many ask for pages at a time; raw bytes are asked for by four times as many.
    #[arg(long, default_value_t = 2)]
    connections: usize,
    /// Where the archive is, or is made.
    #[arg(long, default_value = "/tmp/kuai-serve-load")]
    folder: PathBuf,
}

/// What a page is asked for with.
struct Asked<'a> {
    /// An archived address.
    url: &'a str,
    /// The 14 digits of a time.
    time: &'a str,
    /// What a block is known by.
    block: &'a str,
}

/// A page of the server: what it is called, and its address.
type Page = (&'static str, fn(&Asked<'_>) -> String);

/// All that is asked for.
const PAGES: [Page; 16] = [
    ("home", |_| "/".to_owned()),
    ("search", |_| "/search?q=note".to_owned()),
    ("search, ever", |_| "/search?q=note&ever=true".to_owned()),
    ("site", |asked| format!("/site?name={}", host(asked.url))),
    ("url", |asked| format!("/url?url={}", asked.url)),
    ("view", |asked| format!("/view?url={}&time={}", asked.url, asked.time)),
    ("compare", |asked| format!("/compare?url={}", asked.url)),
    ("block", |asked| format!("/block?id={}", asked.block)),
    ("inspect", |_| "/inspect".to_owned()),
    ("teach", |asked| format!("/teach?url={}", asked.url)),
    ("collect", |_| "/jobs".to_owned()),
    ("scores", |_| "/scores".to_owned()),
    ("api: home", |_| "/api/v1/home".to_owned()),
    ("api: search", |_| "/api/v1/search?q=note".to_owned()),
    ("timemap", |asked| format!("/timemap/link/{}", asked.url)),
    ("cdx", |asked| format!("/cdx?url={}", asked.url)),
];

fn main() {
    if let Err(message) = measure(&Arguments::parse()) {
        eprintln!("serve_load: {message}");
        process::exit(2);
    }
}

fn measure(arguments: &Arguments) -> Result<(), String> {
    let told = |error: io::Error| error.to_string();
    if !arguments.folder.exists() {
        make(&arguments.folder, arguments.versions);
    }
    let server = Server::start(&arguments.kuai, &arguments.folder).map_err(told)?;
    let time = Duration::from_secs(arguments.seconds);
    let urls = grown::url_count(arguments.versions);
    let blocks = blocks(&arguments.folder, urls)?;
    println!("{:<14}{:>9}{:>9}{:>9}{:>9}{:>9}", "page", "answers", "a second", "p50 ms", "p95 ms", "p99 ms");
    let mut misses = Vec::new();
    let mut tell = |name: &str, to: SocketAddr, connections: usize, page: fn(&Asked<'_>) -> String| {
        let path = |index: usize| {
            // Far apart, so that no page is asked for twice in a row.
            let url = index * 7919 % urls;
            let (time, block) = (digits(url), &blocks[index % blocks.len()]);
            page(&Asked { url: grown::address(url).as_str(), time: &time, block })
        };
        let load = load(to, connections, time, &path).map_err(told)?;
        let (p50, p95, p99) = (load.quantile(0.5), load.quantile(0.95), load.quantile(0.99));
        println!("{name:<14}{:>9}{:>9.0}{p50:>9.2}{p95:>9.2}{p99:>9.2}", load.milliseconds.len(), load.rate());
        if let Some((path, status)) = load.faults.first() {
            misses.push(format!("{name}: {} answers were no 200, the first {status} for {path}", load.faults.len()));
        }
        Ok::<_, String>(load)
    };
    let mut slow = Vec::new();
    for (name, page) in PAGES {
        let p95 = tell(name, server.main, arguments.connections, page)?.quantile(0.95);
        slow.extend((p95 > PAGE_MILLISECONDS_MAX).then(|| format!("{name}: p95 is {p95:.1} ms")));
    }
    let page = |asked: &Asked<'_>| format!("/web/{}mp_/{}", asked.time, asked.url);
    let p95 = tell("replay", server.replay, arguments.connections, page)?.quantile(0.95);
    slow.extend((p95 > PAGE_MILLISECONDS_MAX).then(|| format!("replay: p95 is {p95:.1} ms")));
    let raw = |asked: &Asked<'_>| format!("/web/{}id_/{}", asked.time, asked.url);
    let rate = tell("replay, raw", server.replay, arguments.connections * 4, raw)?.rate();
    slow.extend((rate < RAW_A_SECOND_MIN).then(|| format!("raw replay: {rate:.0} answers a second")));
    let (peak, own) = server.megabytes().map_err(told)?;
    println!("\nmemory: {peak:.0} MB at most, {own:.0} MB of them its own at the end, the rest files of the archive");
    slow.extend((own > MEGABYTES_MAX).then(|| format!("memory: {own:.0} MB")));
    misses.extend(slow);
    if misses.is_empty() { Ok(()) } else { Err(misses.join("\n")) }
}

/// What some blocks of some addresses are known by.
fn blocks(folder: &Path, urls: usize) -> Result<Vec<String>, String> {
    let index = Index::open(&search_folder(folder)).map_err(|error| error.to_string())?.index;
    let mut blocks = Vec::new();
    for number in 0..BLOCKS_FROM {
        let listed = index.list(Some(&grown::address(number * 7919 % urls))).map_err(|error| error.to_string())?;
        blocks.extend(listed.iter().map(|listed| listed.block.to_string()));
    }
    Ok(blocks)
}

fn host(url: &str) -> &str {
    url.split('/').nth(2).unwrap_or_default()
}

/// The time of an address's first capture, as replay writes it.
fn digits(url: usize) -> String {
    let index = url / 100 * 1000 + url % 100;
    grown::time(index).to_string().chars().filter(char::is_ascii_digit).collect()
}

fn make(folder: &Path, versions: usize) {
    let start = Instant::now();
    let pages = grown::small_pages();
    let archive = open(folder, Access::Write).expect("the archive is made");
    for index in 0..versions {
        archive.commit(&grown::capture(&pages, index)).expect("the capture is taken");
    }
    archive.sync().expect("the archive is synced");
    let mut index = Index::open(&search_folder(folder)).expect("the index is begun").index;
    index.follow(&archive, &mut |_, _| true).expect("the index is made");
    println!("{versions} versions archived and indexed in {:.0} s\n", start.elapsed().as_secs_f64());
}

/// A server; it ends with this value.
struct Server {
    child: Child,
    main: SocketAddr,
    replay: SocketAddr,
    /// Kept open, so that it may go on telling.
    _messages: ChildStderr,
}

impl Server {
    fn start(kuai: &Path, folder: &Path) -> io::Result<Server> {
        let mut child = Command::new(kuai)
            .args(["serve", "--listen", "127.0.0.1:0", "--archive"])
            .arg(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let main = first_address(child.stdout.take().expect("the output is piped"))?;
        let mut messages = child.stderr.take().expect("the messages are piped");
        let replay = first_address(&mut messages)?;
        Ok(Server { child, main, replay, _messages: messages })
    }

    /// The most memory it had, and what it has now that is not a file.
    fn megabytes(&self) -> io::Result<(f64, f64)> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let of = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
            line.split_whitespace().nth(1).and_then(|word| word.parse::<f64>().ok()).unwrap_or(f64::NAN) * 1024.0 / 1e6
        };
        Ok((of("VmHWM"), of("RssAnon")))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The first `http://ADDRESS/` that is told.
fn first_address(from: impl Read) -> io::Result<SocketAddr> {
    let lines = BufReader::new(from).lines().map_while(Result::ok).take(10);
    let found = lines.filter_map(|line| line.split_once("http://")?.1.split_once('/')?.0.parse().ok()).next();
    found.ok_or_else(|| io::Error::other("the server did not start"))
}
