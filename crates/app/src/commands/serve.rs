//! `kuai serve`: shows the archive to browsers and to the tools of other archives.

use std::net::SocketAddr;

use kuai_serve::{Options, Server};

use crate::Outcome;
use crate::interrupt::Interrupt;
use crate::place::Place;

/// Serve the archive: pages as they were, Memento and CDX.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kuai serve
  kuai serve --archive news --listen 127.0.0.1:9000 --replay-listen 127.0.0.1:9001
  curl http://127.0.0.1:8080/timemap/link/https://example.org/
  curl 'http://127.0.0.1:8080/cdx?url=*.example.org&filter==status:200&collapse=urlkey&limit=10'

Open http://127.0.0.1:8080/web/https://example.org/ in a browser for the page as it was last, or /web/2024/… for the one nearest to a time. Archived pages come
from an origin of their own (the next port), where their scripts reach neither this server's API nor the live Web. docs/serve.md has the addresses and what they answer.")]
pub(crate) struct Serve {
    #[command(flatten)]
    place: Place,
    /// Where to listen.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    /// Where to serve archived pages from [default: the next port].
    #[arg(long, value_name = "ADDRESS")]
    replay_listen: Option<SocketAddr>,
    /// How browsers reach --listen, if by another name: `https://archive.example.org`.
    #[arg(long, value_name = "ORIGIN")]
    origin: Option<String>,
    /// How browsers reach --replay-listen, if by another name.
    #[arg(long, value_name = "ORIGIN")]
    replay_origin: Option<String>,
    /// Let everybody who reaches this machine read the archive.
    #[arg(long)]
    allow_public: bool,
}

impl Serve {
    pub(crate) fn run(self, quiet: bool) -> anyhow::Result<Outcome> {
        let usual = Options::new(self.listen);
        let options = Options {
            replay_listen: self.replay_listen.unwrap_or(usual.replay_listen),
            origin: self.origin,
            replay_origin: self.replay_origin,
            folder: Some(self.place.folder()?.to_owned()),
            allow_public: self.allow_public,
            ..usual
        };
        let server = Server::bind(self.place.read()?, options)?;
        let interrupt = Interrupt::watch();
        if !quiet {
            anstream::eprintln!("kuai: archived pages come from http://{}/; Ctrl-C ends it", server.replay_address());
        }
        anstream::println!("http://{}/", server.address());
        server.run(|| interrupt.is_raised())?;
        Ok(Outcome::Done)
    }
}
