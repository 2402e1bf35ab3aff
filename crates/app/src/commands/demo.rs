//! `kuai demo`: a small web of our own, its archive of two years, and the server on it.

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use kuai::{Access, Archive, Url, open};
use kuai_demo::{Town, VISITS, last_visit, make};
use kuai_serve::{Options, ServeError, Server};

use crate::Outcome;
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::wording::{counted, size};

/// Where it listens, unless somebody else does.
const LISTEN: ([u8; 4], u16) = ([127, 0, 0, 1], 8080);
/// A page that every archive of a demo has, and hardly any other.
const LANDMARK: &str = "http://chaosheng.example/tide/1";

/// Try kuai at once: collects a made-up web over two simulated years and shows the archive in the browser.
#[derive(clap::Args)]
#[command(after_help = "\
Nothing outside this machine is asked. The sites (a library, a journal, a forum, a novel in instalments; English and Chinese) are served on loopback and
collected at twelve times with the real crawler; only the clock is made up. Delete the folder when you have seen enough.

Examples:
  kuai demo
  kuai demo --archive /tmp/try --listen 127.0.0.1:9000")]
pub(crate) struct Demo {
    /// Where to make the archive; one that an earlier demo left there is shown again.
    #[arg(long, value_name = "FOLDER", default_value = "kuai-demo")]
    archive: PathBuf,
    /// Where to listen [default: 127.0.0.1:8080, or a free port where that is taken].
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<SocketAddr>,
}

impl Demo {
    pub(crate) fn run(self, quiet: bool) -> anyhow::Result<Outcome> {
        let interrupt = Interrupt::watch();
        let town = Town::open(last_visit()).context("the sample sites cannot be served")?;
        if !self.archive.exists() {
            collect(&self.archive, &town, quiet, &interrupt)?;
        }
        let archive = made_earlier(&self.archive)?;
        let holdings = holdings(&archive)?;
        let server = self.bind(archive)?;
        let address = format!("http://{}/", server.address());
        if quiet {
            anstream::println!("{address}");
        } else {
            anstream::print!("{}", welcome(&holdings, &address, &self.archive, &town));
        }
        server.run(|| interrupt.is_raised())?;
        Ok(Outcome::Done)
    }

    /// Listens where it was told to, or where it usually does, or on any port.
    fn bind(&self, archive: Archive) -> anyhow::Result<Server> {
        let options = |listen| Options { place: Some(self.archive.clone()), ..Options::new(listen) };
        match Server::bind(archive, options(self.listen.unwrap_or(LISTEN.into()))) {
            Err(ServeError::Listen { source, .. }) if self.listen.is_none() && is_taken(&source) => {
                Ok(Server::bind(open(&self.archive, Access::Read)?, options((LISTEN.0, 0).into()))?)
            }
            bound => Ok(bound?),
        }
    }
}

fn is_taken(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::AddrInUse | io::ErrorKind::PermissionDenied)
}

fn collect(folder: &Path, town: &Town, quiet: bool, interrupt: &Interrupt) -> anyhow::Result<()> {
    let mut progress = Progress::new(0, "crawls", quiet);
    let made = make(folder, town, &mut |step| {
        progress.at(step.done as u64, step.total as u64);
        !interrupt.is_raised()
    });
    progress.finish();
    made.with_context(|| format!("cannot make the archive {}", folder.display()))
}

/// The archive of a demo, and of nothing else: a demo must not show what somebody collects in earnest.
fn made_earlier(folder: &Path) -> anyhow::Result<Archive> {
    let landmark = Url::parse(LANDMARK).context("the landmark is an address")?;
    let archive = open(folder, Access::Read).ok();
    match archive.filter(|archive| archive.history(&landmark).is_ok_and(|history| !history.is_empty())) {
        Some(archive) => Ok(archive),
        None => {
            let folder = folder.display();
            bail!("{folder} is there already and is not the archive of a demo: name another folder with --archive")
        }
    }
}

/// What there is to see, in a line.
fn holdings(archive: &Archive) -> anyhow::Result<String> {
    let stats = archive.stats()?;
    Ok(format!(
        "{} of {} collected {} times from {} to {}: {}, kept in {}",
        counted(stats.captures, "capture"),
        counted(stats.urls, "address"),
        VISITS.len(),
        VISITS[0],
        VISITS[VISITS.len() - 1],
        size(stats.bytes_captured),
        size(stats.bytes_stored),
    ))
}

/// The address, and five things to try.
fn welcome(holdings: &str, address: &str, folder: &Path, town: &Town) -> String {
    let folder = folder.display();
    let live = town.doors().first().map(|(_, door)| format!("http://{door}/")).unwrap_or_default();
    format!(
        "\
{holdings}

  {address}

Five things to try:

1. The library's first page as it was two years ago; step from change to change
   {address}view?url=http://saltmarsh-library.example/&time=20241007
2. Everything that was ever said about the flood, and how long it stood there
   {address}search?q=flood&ever=true
3. A review that is edited sentence by sentence, then and now
   {address}compare?url=http://tidal-studies.example/articles/carbon&from=20241007&to=20260907
4. A question about the past
   kuai ask 'who was the director of the library in 2024?' --archive {folder}
5. The library is still online: collect it yourself, here or under Collect
   kuai collect {live} --allow-private --delay 0 --archive {folder}

Ctrl-C ends it; the archive stays in {folder}.
"
    )
}
