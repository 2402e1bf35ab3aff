//! Kills a crawl again and again, and looks whether anything was lost, doubled or fetched twice.
//!
//! `kills [KILLS]`: an undisturbed crawl gives the archive that is expected. Then the same crawl is killed with `kill -9` at random moments
//! and started again by the same command, until it was killed often enough, and ends undisturbed. Both archives must be the same, and
//! what was in the archive after a kill must not be in the server's log later.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{self, Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use clap::Parser;
use kuai::{Access, open};
use kuai_benches::crawler::Crawler;
use kuai_benches::holdings::{Faults, captures, check_same};
use kuai_benches::local_web::LocalWeb;

/// A crawl is left alone at least so long.
const LIFE_MIN: Duration = Duration::from_millis(50);

/// A crawl that takes longer than this is a fault of its own.
const CRAWL_MAX: Duration = Duration::from_secs(600);

/// Kills in all, those that hit nothing included, are at most so many times those that are asked for.
const KILLS_FACTOR_MAX: usize = 20;

/// Crawls that end before they were killed often enough; each is killed twice as soon as the one before.
const ATTEMPTS_MAX: usize = 8;

/// Kills a crawl at random moments and compares what comes of it.
#[derive(Parser)]
struct Arguments {
    /// How often the crawl is killed while it runs.
    #[arg(default_value_t = 20)]
    kills: usize,
    /// The site to collect.
    #[arg(long, default_value = "postgresql-doc")]
    site: String,
    /// The server waits before each answer, so that the crawl is long enough to be killed often.
    #[arg(long, value_name = "MILLISECONDS", default_value_t = 10)]
    answer_delay: u64,
    /// Other moments.
    #[arg(long, default_value_t = 5)]
    seed: u64,
    #[command(flatten)]
    crawler: Crawler,
}

fn main() {
    match run(&Arguments::parse()) {
        Ok(is_good) => process::exit(i32::from(!is_good)),
        Err(message) => {
            eprintln!("kills: {message}");
            process::exit(2);
        }
    }
}

fn run(arguments: &Arguments) -> Result<bool, String> {
    let site = arguments.crawler.site(&arguments.site)?;
    let folder = tempfile::tempdir().map_err(text)?;
    let delay = arguments.answer_delay.to_string();
    let log = folder.path().join("requests");
    let web = LocalWeb::start(&arguments.crawler.folder, &log, &["--delay", &delay]).map_err(text)?;
    let start = site.start_url(web.port());
    let expected = folder.path().join("undisturbed");
    let clock = Instant::now();
    let mut crawl = Crawl { crawler: &arguments.crawler, start: &start, place: expected.clone(), web: &web };
    crawl.finish()?;
    let whole = clock.elapsed();
    let requests = web.requests(0).map_err(text)?.len();
    println!("undisturbed: {requests} requests in {:.1} s", whole.as_secs_f64());

    let mut chance = Chance(arguments.seed);
    let mut life_max = (whole / 3).min(whole * 2 / arguments.kills.max(1) as u32).max(LIFE_MIN * 2);
    for attempt in 0..ATTEMPTS_MAX {
        crawl.place = folder.path().join(format!("disturbed{attempt}"));
        let mut faults = Faults::default();
        let Some(told) = disturb(&crawl, arguments.kills, life_max, &mut chance, &mut faults)? else {
            // It ended before it was killed often enough, so the next one is killed sooner.
            life_max = (life_max / 2).max(LIFE_MIN * 2);
            continue;
        };
        let urls = check_same(&expected, &crawl.place, &mut faults).map_err(text)?;
        told.tell(urls);
        faults.tell();
        return Ok(faults.is_empty());
    }
    Err("the crawl ends too soon to be killed so often; a greater --answer-delay makes it longer".to_owned())
}

/// A crawl that can be started again and again.
struct Crawl<'a> {
    crawler: &'a Crawler,
    start: &'a str,
    place: PathBuf,
    web: &'a LocalWeb,
}

impl Crawl<'_> {
    fn spawn(&self) -> Result<Child, String> {
        let mut command = self.crawler.command(self.start, &self.place);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command.spawn().map_err(|error| format!("{}: {error}", command.get_program().display()))
    }

    /// Lets it run to its end.
    fn finish(&self) -> Result<(), String> {
        match live(&mut self.spawn()?, CRAWL_MAX)? {
            true => Ok(()),
            false => Err(format!("the crawl did not end within {} s", CRAWL_MAX.as_secs())),
        }
    }
}

/// What the kills met.
#[derive(Default)]
struct Told {
    kills: usize,
    idle_kills: usize,
    /// Addresses in the archive after each kill that hit.
    committed: Vec<usize>,
    requests: usize,
    distinct: usize,
}

impl Told {
    fn tell(&self, urls: usize) {
        let growth: Vec<_> = self.committed.iter().map(usize::to_string).collect();
        println!("addresses in the archive after each kill: {}", growth.join(" "));
        println!(
            "{:>6} {:>12} {:>10} {:>10} {:>18}",
            "kills", "hit nothing", "addresses", "requests", "asked for again"
        );
        let again = self.requests - self.distinct;
        println!("{:>6} {:>12} {urls:>10} {:>10} {again:>18}", self.kills, self.idle_kills, self.requests);
    }
}

/// Kills a crawl so many times and then lets it end; none where it ended too soon.
fn disturb(
    crawl: &Crawl,
    kills: usize,
    life_max: Duration,
    chance: &mut Chance,
    faults: &mut Faults,
) -> Result<Option<Told>, String> {
    let first_line = crawl.web.requests(0).map_err(text)?.len();
    let mut judge = Judge { line: first_line, committed: BTreeSet::new() };
    let mut told = Told::default();
    while told.kills < kills {
        let mut child = crawl.spawn()?;
        if live(&mut child, LIFE_MIN + chance.below(life_max - LIFE_MIN))? {
            return Ok(None);
        }
        child.kill().and_then(|()| child.wait()).map_err(text)?;
        // A kill counts when it hit a crawl that had begun to fetch.
        if judge.look(crawl, faults)? {
            told.kills += 1;
            told.committed.push(judge.committed.len());
        } else {
            told.idle_kills += 1;
        }
        if told.kills + told.idle_kills > kills * KILLS_FACTOR_MAX {
            return Err("the crawl does not get on between kills; a greater --answer-delay makes it longer".to_owned());
        }
    }
    crawl.finish()?;
    judge.look(crawl, faults)?;
    let requests = crawl.web.requests(first_line).map_err(text)?;
    told.requests = requests.len();
    told.distinct = requests.iter().map(|line| &line.url).collect::<BTreeSet<_>>().len();
    Ok(Some(told))
}

/// Knows what was in the archive at the last kill, and how far the log went then.
struct Judge {
    line: usize,
    committed: BTreeSet<String>,
}

impl Judge {
    /// Finds requests since the last kill for what was in the archive already, and looks what is in it now. Tells whether there
    /// were requests for pages at all.
    fn look(&mut self, crawl: &Crawl, faults: &mut Faults) -> Result<bool, String> {
        let requests = crawl.web.requests(self.line).map_err(text)?;
        self.line += requests.len();
        let mut pages = requests.iter().filter(|line| !line.url.ends_with("/robots.txt")).peekable();
        let has_begun = pages.peek().is_some();
        for line in pages.filter(|line| self.committed.contains(&line.url)) {
            faults.add("fetched again after its commit", &line.url);
        }
        let now = committed(&crawl.place)?;
        for url in self.committed.difference(&now) {
            faults.add("lost after its commit", url);
        }
        self.committed = now;
        Ok(has_begun)
    }
}

/// The addresses in an archive; none where the crawl did not come to make one.
fn committed(place: &Path) -> Result<BTreeSet<String>, String> {
    if !place.exists() {
        return Ok(BTreeSet::new());
    }
    let archive = open(place, Access::Read).map_err(|error| format!("the archive after a kill: {error}"))?;
    Ok(captures(&archive).map_err(text)?.into_keys().collect())
}

/// Waits for a child, but not longer than this; tells whether it ended by itself, and well.
fn live(child: &mut Child, life: Duration) -> Result<bool, String> {
    let deadline = Instant::now() + life;
    loop {
        match child.try_wait().map_err(text)? {
            Some(status) if status.success() => return Ok(true),
            Some(status) => return Err(format!("the crawl failed: {status}")),
            None if Instant::now() >= deadline => return Ok(false),
            None => thread::sleep(Duration::from_millis(1)),
        }
    }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Numbers that look random and are the same in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: Duration) -> Duration {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        Duration::from_micros((self.0 >> 33) % end.as_micros().max(1) as u64)
    }
}
