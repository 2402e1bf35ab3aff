//! What `kuai collect` costs on the local web, beside `wget -r` and Scrapy, and whether it collects what is there.
//!
//! `collect [--sites postgresql-doc,rust-doc]`: the server is a process of its own; every crawler runs alone and with politeness off.
//! Pages are counted by the server's log. The archive is compared with the files: every page that links lead to, found by an own
//! walk with html5ever, is there once and byte for byte.

use std::path::Path;
use std::process::{self, Command};

use clap::Parser;
use kuai_benches::crawler::Crawler;
use kuai_benches::holdings::{Faults, check_against_files};
use kuai_benches::local_web::LocalWeb;
use kuai_benches::measured::{self, Cost};
use kuai_benches::reach::Reach;

/// The spider that Scrapy runs.
const SPIDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/peers/spider.py");

/// Measures `kuai collect` on the local web.
#[derive(Parser)]
struct Arguments {
    /// The sites to collect.
    #[arg(long, value_delimiter = ',', default_value = "postgresql-doc,rust-doc")]
    sites: Vec<String>,
    /// The crawlers to run.
    #[arg(long, value_delimiter = ',', default_value = "kuai,wget,scrapy")]
    crawlers: Vec<String>,
    #[command(flatten)]
    crawler: Crawler,
}

fn main() {
    measured::run_if_asked();
    let arguments = Arguments::parse();
    let mut is_good = true;
    for name in &arguments.sites {
        match run(name, &arguments) {
            Ok(site_is_good) => is_good &= site_is_good,
            Err(message) => {
                eprintln!("collect: {message}");
                process::exit(2);
            }
        }
    }
    process::exit(i32::from(!is_good));
}

fn run(name: &str, arguments: &Arguments) -> Result<bool, String> {
    let site = arguments.crawler.site(name)?;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let log = folder.path().join("requests");
    let web = LocalWeb::start(&arguments.crawler.folder, &log, &[]).map_err(|error| error.to_string())?;
    let start = site.start_url(web.port());
    let reach = Reach::of(&site, web.port());
    println!("{name}: {} pages can be reached, and {} other addresses", reach.pages.len(), reach.others.len());
    println!(
        "  {:<8} {:>7} {:>9} {:>9} {:>8} {:>8} {:>8} {:>9}",
        "", "pages", "requests", "CPU s", "a 1,000", "of kuai", "peak MB", "MB kept"
    );
    let mut of_kuai = None;
    let mut faults = Faults::default();
    for crawler in &arguments.crawlers {
        let place = folder.path().join(crawler);
        let command = match crawler.as_str() {
            "kuai" => arguments.crawler.command(&start, &place),
            "wget" => wget(&start, &place),
            "scrapy" => scrapy(&start),
            other => return Err(format!("no crawler is called {other}")),
        };
        let Some(row) = measure(&command, &web, &reach, &folder.path().join("messages"))? else {
            println!("  {crawler:<8} is not installed");
            continue;
        };
        let kept = megabytes_below(&place);
        of_kuai = of_kuai.or((crawler == "kuai").then_some(row.cpu_a_thousand()));
        let ratio = of_kuai.map_or("".to_owned(), |ours: f64| format!("{:.2}x", row.cpu_a_thousand() / ours));
        println!(
            "  {crawler:<8} {:>7} {:>9} {:>9.2} {:>8.2} {ratio:>8} {:>8.0} {kept:>9.1}",
            row.pages,
            row.requests,
            row.cost.cpu_seconds,
            row.cpu_a_thousand(),
            row.cost.peak_megabytes
        );
        if crawler == "kuai" {
            if row.cost.status != Some(0) {
                return Err(format!("kuai failed with {:?}: {}", row.cost.status, row.messages));
            }
            check_against_files(&place, &reach, &mut faults).map_err(|error| format!("the archive: {error}"))?;
            faults.tell();
            if faults.is_empty() {
                println!("  every page is in kuai's archive once, byte for byte, and nothing that no link leads to");
            }
        }
    }
    Ok(faults.is_empty())
}

struct Row {
    cost: Cost,
    /// Pages of the site that were served, each counted once.
    pages: usize,
    requests: usize,
    messages: String,
}

impl Row {
    fn cpu_a_thousand(&self) -> f64 {
        self.cost.cpu_seconds * 1000.0 / self.pages.max(1) as f64
    }
}

/// Runs a crawler and counts what it asked for; none where it is not installed.
fn measure(command: &Command, web: &LocalWeb, reach: &Reach, messages: &Path) -> Result<Option<Row>, String> {
    let text = |error: std::io::Error| error.to_string();
    let before = web.requests(0).map_err(text)?.len();
    let Ok(cost) = measured::run(command, messages) else { return Ok(None) };
    let requests = web.requests(before).map_err(text)?;
    let mut urls: Vec<_> = requests.iter().filter(|line| line.status == 200).map(|line| &line.url).collect();
    urls.sort();
    urls.dedup();
    let pages = urls.iter().filter(|url| reach.pages.contains_key(**url)).count();
    let messages = std::fs::read_to_string(messages).unwrap_or_default();
    Ok(Some(Row { cost, pages, requests: requests.len(), messages }))
}

fn wget(start: &str, place: &Path) -> Command {
    let mut command = Command::new("wget");
    command.args(["--recursive", "--level=inf", "--follow-tags=a,area", "--no-verbose", "--execute=robots=off"]);
    command.arg("--directory-prefix").arg(place).arg(start);
    command
}

fn scrapy(start: &str) -> Command {
    let mut command = Command::new("scrapy");
    command.args(["runspider", SPIDER, "-a"]).arg(format!("url={start}"));
    command
}

fn megabytes_below(folder: &Path) -> f64 {
    let mut folders = vec![folder.to_owned()];
    let mut bytes = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            match entry.metadata() {
                Ok(metadata) if metadata.is_dir() => folders.push(entry.path()),
                Ok(metadata) => bytes += metadata.len(),
                Err(_) => {}
            }
        }
    }
    bytes as f64 / 1e6
}
