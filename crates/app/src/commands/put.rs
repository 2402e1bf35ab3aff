//! `kuai put`: stores captures that are given by hand.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use kuai::{Archive, Capture, Outcome as Stored, Timestamp, Url};
use serde::Deserialize;

use crate::Outcome;
use crate::interrupt::Interrupt;
use crate::place::{Place, address, time};
use crate::progress::Progress;
use crate::wording::{self, counted};

/// Store captures that are given by hand.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kuai put --url https://example.org/ page.html
  kuai put --url https://example.org/ --time 20240131235959 --header 'Content-Type: text/html; charset=gbk' page.html
  kuai put --list captures.jsonl        many, in the order of the list, one JSON object a line:
      {\"url\": \"https://example.org/\", \"time\": \"2024-01-31T23:59:59Z\", \"file\": \"page.html\", \"status\": 200, \"headers\": [[\"Server\", \"nginx\"]]}")]
pub(crate) struct Put {
    #[command(flatten)]
    place: Place,
    /// The captured body; `-` for standard input.
    #[arg(required_unless_present = "list")]
    file: Option<PathBuf>,
    /// The address it was captured from.
    #[arg(long, value_parser = address, required_unless_present = "list")]
    url: Option<Url>,
    /// When it was captured [default: now].
    #[arg(long, value_parser = time)]
    time: Option<Timestamp>,
    /// The HTTP status of the answer.
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u16).range(100..=999))]
    status: u16,
    /// A header line of the answer, as it came; may be given several times.
    #[arg(long = "header", value_name = "NAME: VALUE")]
    headers: Vec<String>,
    /// Many captures: a JSON object a line, files relative to the list.
    #[arg(long, value_name = "FILE.jsonl", conflicts_with_all = ["file", "url", "time", "status", "headers"])]
    list: Option<PathBuf>,
    /// Rules that give versions metadata and labels, and say how pages are cut (TOML).
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
}

/// A line of a list.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    url: String,
    time: String,
    file: PathBuf,
    status: Option<u16>,
    #[serde(default)]
    headers: HeaderList,
}

/// Headers as pairs, which keeps their order and repetitions, or as an object.
#[derive(Deserialize)]
#[serde(untagged)]
enum HeaderList {
    Pairs(Vec<(String, String)>),
    Object(BTreeMap<String, String>),
}

impl Default for HeaderList {
    fn default() -> HeaderList {
        HeaderList::Pairs(Vec::new())
    }
}

/// Captures that are made durable together.
const BATCH: usize = 64;

impl Put {
    pub(crate) fn run(self, quiet: bool) -> anyhow::Result<Outcome> {
        let archive = self.place.write_by_rules(self.rules.as_deref())?;
        match &self.list {
            Some(list) => put_list(&archive, list, quiet),
            None => {
                let committed = archive.commit(&self.capture()?)?;
                archive.sync()?;
                if !quiet {
                    anstream::println!("{}", told(&committed.outcome));
                }
                Ok(Outcome::Done)
            }
        }
    }

    /// The one capture that the flags describe.
    fn capture(self) -> anyhow::Result<Capture> {
        let (url, file) = self.url.zip(self.file).expect("required where there is no list");
        let headers = self.headers.iter().map(|line| header(line)).collect::<anyhow::Result<_>>()?;
        let time = self.time.unwrap_or_else(now);
        Ok(Capture {
            status: self.status,
            reason: reason(self.status),
            headers,
            ..Capture::new(url, time, body(&file)?)
        })
    }
}

/// The time of a capture made now: whole seconds, as archives write them.
fn now() -> Timestamp {
    Timestamp::from_second(Timestamp::now().as_second()).expect("the clock's time is one")
}

fn body(file: &Path) -> anyhow::Result<Vec<u8>> {
    if file == Path::new("-") {
        let mut body = Vec::new();
        io::stdin().lock().read_to_end(&mut body).context("cannot read standard input")?;
        return Ok(body);
    }
    fs::read(file).with_context(|| format!("cannot read {}", file.display()))
}

/// What an answer says beside its status, where it is given by hand: nothing unless it is the usual one.
fn reason(status: u16) -> String {
    if status == 200 { "OK".to_owned() } else { String::new() }
}

fn header(line: &str) -> anyhow::Result<(String, Vec<u8>)> {
    let (name, value) = line.split_once(':').ok_or_else(|| anyhow!("{line:?} is no header: write NAME: VALUE"))?;
    Ok((name.to_owned(), value.trim_start().as_bytes().to_vec()))
}

/// What became of a capture, for people.
fn told(outcome: &Stored) -> String {
    match outcome {
        Stored::NewUrl(changes) => format!("new address, {}", counted(u64::from(changes.blocks), "block")),
        Stored::NewVersion(changes) => format!("new version: {}", wording::changes(changes)),
        Stored::SeenAgain => "seen again: the same as the version before".to_owned(),
    }
}

/// Stores the captures of a list. What was stored before a bad line or Ctrl-C stays stored, and is said.
fn put_list(archive: &Archive, list: &Path, quiet: bool) -> anyhow::Result<Outcome> {
    let interrupt = Interrupt::watch();
    let folder = list.parent().unwrap_or(Path::new(""));
    let total = lines(list)?.count();
    let mut progress = Progress::new(total, "captures", quiet);
    let mut tally = Tally::default();
    for (index, line) in lines(list)?.enumerate() {
        let line = line.with_context(|| format!("cannot read {}", list.display()))?;
        if !line.trim().is_empty() {
            let put = capture_of(&line, folder).and_then(|capture| Ok(archive.commit(&capture)?.outcome));
            if let Err(error) = &put {
                archive.sync()?;
                progress.say(&format!("{} captures are stored, up to line {index}", tally.total()));
                bail!("{}, line {}: {error:#}", list.display(), index + 1);
            }
            put.iter().for_each(|outcome| tally.add(outcome));
        }
        if index % BATCH == BATCH - 1 {
            archive.sync()?;
        }
        progress.step();
        if interrupt.is_raised() {
            archive.sync()?;
            progress.finish();
            bail!("interrupted: {} captures are stored, up to line {} of {}", tally.total(), index + 1, list.display());
        }
    }
    archive.sync()?;
    progress.finish();
    if !quiet {
        anstream::println!("{tally}");
    }
    Ok(Outcome::Done)
}

fn lines(list: &Path) -> anyhow::Result<impl Iterator<Item = io::Result<String>>> {
    let file = fs::File::open(list).with_context(|| format!("cannot read {}", list.display()))?;
    Ok(BufReader::new(file).lines())
}

fn capture_of(line: &str, folder: &Path) -> anyhow::Result<Capture> {
    let line: Line = serde_json::from_str(line)?;
    let url = address(&line.url).map_err(|error| anyhow!("url: {error}"))?;
    let time = time(&line.time).map_err(|error| anyhow!("time: {error}"))?;
    let headers = match line.headers {
        HeaderList::Pairs(pairs) => pairs,
        HeaderList::Object(object) => object.into_iter().collect(),
    };
    let headers = headers.into_iter().map(|(name, value)| (name, value.into_bytes())).collect();
    let status = line.status.unwrap_or(200);
    Ok(Capture { status, reason: reason(status), headers, ..Capture::new(url, time, body(&folder.join(&line.file))?) })
}

/// What became of many captures.
#[derive(Default)]
struct Tally {
    urls: u64,
    versions: u64,
    again: u64,
}

impl Tally {
    fn add(&mut self, outcome: &Stored) {
        match outcome {
            Stored::NewUrl(_) => self.urls += 1,
            Stored::NewVersion(_) => self.versions += 1,
            Stored::SeenAgain => self.again += 1,
        }
    }

    fn total(&self) -> u64 {
        self.urls + self.versions + self.again
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Tally { urls, versions, again } = self;
        let total = counted(self.total(), "capture");
        write!(out, "{total}: {urls} of new addresses, {versions} as new versions, {again} seen again")
    }
}
