//! Serves Debian's documentation packages as sites on loopback; docs/local-web.md says more.
//!
//! `web [--port PORT]`: every site has an address of its own (127.0.0.2, 127.0.0.3, …), all on one port, and answers to
//! `NAME.localhost` on any of them.

use std::fs::{self, File, OpenOptions};
use std::io::Read;
use std::path::PathBuf;
use std::process;
use std::time::Duration;

use clap::Parser;
use kuai_benches::local_web::{DEFAULT_FOLDER, Server, ServerOptions, Site};

/// A real web of our own on loopback.
#[derive(Parser)]
struct Arguments {
    /// Where the packages are unpacked (scripts/local-web fetches them).
    #[arg(long, default_value = DEFAULT_FOLDER)]
    folder: PathBuf,
    /// The port of all sites; 0 chooses a free one.
    #[arg(long, default_value_t = 8800)]
    port: u16,
    /// Serves a folder of your own as one more site.
    #[arg(long, value_name = "NAME=FOLDER")]
    site: Vec<String>,
    /// Appends a line for each request: time in microseconds, host, path, status.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Waits before each answer.
    #[arg(long, value_name = "MILLISECONDS", default_value_t = 0)]
    delay: u64,
    /// Answers every N-th request with 503.
    #[arg(long, value_name = "N")]
    fail_every: Option<u64>,
    /// The robots.txt of all sites.
    #[arg(long, value_name = "FILE")]
    robots: Option<PathBuf>,
    /// Packs text for clients that take gzip.
    #[arg(long)]
    gzip: bool,
    /// Ends when standard input does.
    #[arg(long)]
    with_parent: bool,
}

fn main() {
    if let Err(message) = serve(&Arguments::parse()) {
        eprintln!("web: {message}");
        process::exit(2);
    }
}

fn serve(arguments: &Arguments) -> Result<(), String> {
    let mut sites = Site::unpacked_in(&arguments.folder);
    for (index, given) in (0..).zip(&arguments.site) {
        let (name, folder) = given.split_once('=').ok_or(format!("{given:?} is not NAME=FOLDER"))?;
        sites.push(Site::of_folder(name, folder.as_ref(), index).ok_or(format!("there is no folder {folder}"))?);
    }
    if sites.is_empty() {
        return Err(format!("no packages in {}: run scripts/local-web", arguments.folder.display()));
    }
    let options = ServerOptions {
        delay: Duration::from_millis(arguments.delay),
        fail_every: arguments.fail_every,
        robots: arguments.robots.as_ref().map(fs::read).transpose().map_err(|error| format!("robots: {error}"))?,
        gzip: arguments.gzip,
        log: arguments.log.as_ref().map(append).transpose().map_err(|error| format!("log: {error}"))?,
    };
    let port =
        Server::start(sites.clone(), arguments.port, options).map_err(|error| format!("cannot listen: {error}"))?;
    // Written at once: a parent reads the first line and may not wait for the others.
    let lines: Vec<_> = sites.iter().map(|site| format!("{} {}\n", site.name, site.start_url(port))).collect();
    print!("{}", lines.concat());
    if arguments.with_parent {
        // The end of the input is all that matters.
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        return Ok(());
    }
    loop {
        std::thread::park();
    }
}

fn append(path: &PathBuf) -> std::io::Result<File> {
    OpenOptions::new().create(true).append(true).open(path)
}
