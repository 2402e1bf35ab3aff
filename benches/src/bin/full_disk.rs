//! Fills the disk under a crawl, and looks whether it says so and goes on when there is room again.
//!
//! `full_disk [MEGABYTES]`: the archive lies in a small file system in memory, which a user namespace allows without root (Linux, `unshare`).
//! The crawl must fail with a message that names the lack of space; with more room the same command must end well, with the same
//! archive as an undisturbed crawl and nothing fetched again that was committed.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{self, Command, Output};

use clap::Parser;
use kuai::{Access, open};
use kuai_benches::crawler::Crawler;
use kuai_benches::holdings::{Faults, captures, check_same};
use kuai_benches::local_web::LocalWeb;

/// Any of these in the message tells the user what is wrong.
const WORDS_FOR_FULL: [&str; 3] = ["no space", "disk is full", "disk full"];

/// Room for every crawl of a site.
const WIDE: &str = "size=2g";

/// Fills the disk under a crawl and then makes room.
#[derive(Parser)]
struct Arguments {
    /// The size of the disk at first; smaller than the archive will be.
    #[arg(default_value_t = 3)]
    megabytes: u32,
    /// The site to collect.
    #[arg(long, default_value = "postgresql-doc")]
    site: String,
    /// Set in the process that may mount.
    #[arg(long, hide = true)]
    inside: bool,
    #[command(flatten)]
    crawler: Crawler,
}

fn main() {
    let arguments = Arguments::parse();
    let outcome = if arguments.inside { run(&arguments) } else { run_inside() };
    match outcome {
        Ok(is_good) => process::exit(i32::from(!is_good)),
        Err(message) => {
            eprintln!("full_disk: {message}");
            process::exit(2);
        }
    }
}

/// Starts this program again where it may mount, and where mounts end with it.
fn run_inside() -> Result<bool, String> {
    let mut command = Command::new("unshare");
    command.args(["--user", "--map-root-user", "--mount"]).arg(std::env::current_exe().map_err(text)?).arg("--inside");
    let status = command.args(std::env::args_os().skip(1)).status();
    let status = status.map_err(|error| format!("unshare: {error} (Debian: util-linux)"))?;
    match status.code() {
        Some(code @ (0 | 1)) => Ok(code == 0),
        _ => Err("could not be run in a namespace of its own".to_owned()),
    }
}

fn run(arguments: &Arguments) -> Result<bool, String> {
    let site = arguments.crawler.site(&arguments.site)?;
    let folder = tempfile::tempdir().map_err(text)?;
    let log = folder.path().join("requests");
    let web = LocalWeb::start(&arguments.crawler.folder, &log, &[]).map_err(text)?;
    let start = site.start_url(web.port());
    let crawl = |place: &Path| arguments.crawler.command(&start, place).output().map_err(text);
    let expected = folder.path().join("undisturbed");
    expect_end(&crawl(&expected)?)?;

    let disk = folder.path().join("disk");
    std::fs::create_dir(&disk).map_err(text)?;
    mount(&["-t", "tmpfs", "-o", &format!("size={}m", arguments.megabytes), "none"], &disk)?;
    let place = disk.join("archive");
    let mut faults = Faults::default();
    judge_failure(&crawl(&place)?, &mut faults);
    let committed = committed(&place)?;
    let line = web.requests(0).map_err(text)?.len();
    println!("{} addresses were in the archive when the disk of {} MB was full", committed.len(), arguments.megabytes);

    mount(&["-o", &format!("remount,{WIDE}")], &disk)?;
    expect_end(&crawl(&place)?)?;
    for request in web.requests(line).map_err(text)? {
        if committed.contains(&request.url) && !request.url.ends_with("/robots.txt") {
            faults.add("fetched again after its commit", request.url);
        }
    }
    let urls = check_same(&expected, &place, &mut faults).map_err(text)?;
    println!("{urls} addresses after room was made");
    faults.tell();
    Ok(faults.is_empty())
}

/// A crawl on a full disk fails, and says why.
fn judge_failure(output: &Output, faults: &mut Faults) {
    let message = String::from_utf8_lossy(&output.stderr);
    println!("on the full disk it ended with {} and said:\n{}", output.status, message.trim_end());
    if output.status.code() != Some(2) {
        faults.add("does not fail with 2 on a full disk", output.status.to_string());
    }
    let lower = message.to_lowercase();
    if !WORDS_FOR_FULL.iter().any(|words| lower.contains(words)) {
        faults.add("does not say that the disk is full", message);
    }
}

fn expect_end(output: &Output) -> Result<(), String> {
    let message = || format!("the crawl failed: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    if output.status.success() { Ok(()) } else { Err(message()) }
}

fn committed(place: &Path) -> Result<BTreeSet<String>, String> {
    let archive = open(place, Access::Read).map_err(|error| format!("the archive on the full disk: {error}"))?;
    Ok(captures(&archive).map_err(text)?.into_keys().collect())
}

fn mount(arguments: &[&str], disk: &Path) -> Result<(), String> {
    let status = Command::new("mount").args(arguments).arg(disk).status().map_err(|error| format!("mount: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("mount failed: {status}")) }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
