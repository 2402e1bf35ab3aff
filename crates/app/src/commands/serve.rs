//! `kuai serve`: shows the archive to browsers and to the tools of other archives, and takes their orders.

use std::io::{self, BufRead, IsTerminal};
use std::net::SocketAddr;
use std::path::PathBuf;

use anyhow::{Context, bail};
use kuai_serve::{Access, Options, Role, Server, password_line, token_line};

use crate::Outcome;
use crate::interrupt::Interrupt;
use crate::place::Place;

/// Serve the archive: pages as they were, Memento, CDX, a user interface and its API.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_help = "\
Examples:
  kuai serve
  kuai serve --archive news --listen 127.0.0.1:9000 --replay-listen 127.0.0.1:9001
  curl http://127.0.0.1:8080/timemap/link/https://example.org/
  curl 'http://127.0.0.1:8080/cdx?url=*.example.org&filter==status:200&collapse=urlkey&limit=10'

  kuai serve password --name anna --role admin >> access.txt   who may come in, where others can:
  kuai serve token --name backup --role read >> access.txt
  kuai serve --listen 0.0.0.0:8080 --access access.txt

Open http://127.0.0.1:8080/web/https://example.org/ in a browser for the page as it was last, or /web/2024/… for the one nearest to a time. Archived pages come
from an origin of their own (the next port), where their scripts reach neither this server's API nor the live Web. docs/serve.md has the addresses and what they answer,
and who may do what.")]
pub(crate) struct Serve {
    #[command(subcommand)]
    secret: Option<Secret>,
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
    /// Who may come in: a file of lines as `kuai serve password` and `kuai serve token` write them. $KUAI_TOKEN, if set, is the token of an administrator.
    #[arg(long, value_name = "FILE", env = "KUAI_ACCESS")]
    access: Option<PathBuf>,
    /// Let everybody who reaches this machine read the archive. Whoever logs in may do more.
    #[arg(long)]
    allow_public: bool,
    /// How the people whose pages are collected can reach you: an address for the User-Agent header.
    #[arg(long, value_name = "MAIL|URL", env = "KUAI_CONTACT")]
    contact: Option<String>,
}

#[derive(clap::Subcommand)]
enum Secret {
    /// Ask for a password, and write the line that lets its owner in: `… >> access.txt`.
    #[command(after_help = "\
Examples:
  kuai serve password --name anna --role admin >> access.txt
  pass show kuai | kuai serve password --name anna --role admin >> access.txt")]
    Password(Who),
    /// Make a token for a program, and write the line that lets it in: `… >> access.txt`. The token itself is told once, on standard error.
    #[command(after_help = "\
Examples:
  kuai serve token --name backup --role read >> access.txt
  curl -H \"Authorization: Bearer $TOKEN\" http://archive.example.org:8080/api/v1/home")]
    Token(Who),
}

#[derive(clap::Args)]
struct Who {
    /// What it is called in the file and in the user interface.
    #[arg(long)]
    name: String,
    /// read: look at everything; collect: also crawl the public Web politely and teach site models; admin: everything.
    #[arg(long, default_value = "read")]
    role: Role,
}

impl Serve {
    pub(crate) fn run(self, quiet: bool) -> anyhow::Result<Outcome> {
        match self.secret {
            Some(Secret::Password(who)) => {
                anstream::println!("{}", password_line(&who.name, who.role, &password()?)?);
                Ok(Outcome::Done)
            }
            Some(Secret::Token(who)) => {
                let (token, line) = token_line(&who.name, who.role)?;
                anstream::eprintln!("kuai: the token of {}, which is not shown again: {token}", who.name);
                anstream::println!("{line}");
                Ok(Outcome::Done)
            }
            None => self.serve(quiet),
        }
    }

    fn serve(self, quiet: bool) -> anyhow::Result<Outcome> {
        let usual = Options::new(self.listen);
        let options = Options {
            replay_listen: self.replay_listen.unwrap_or(usual.replay_listen),
            access: self.access()?,
            origin: self.origin,
            replay_origin: self.replay_origin,
            place: Some(self.place.address()?.to_owned()),
            allow_public: self.allow_public,
            contact: self.contact,
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

    fn access(&self) -> anyhow::Result<Option<Access>> {
        let mut access = None;
        if let Some(file) = &self.access {
            let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
            access = Some(Access::read(&text).with_context(|| file.display().to_string())?);
        }
        let token = std::env::var("KUAI_TOKEN").ok().filter(|token| !token.is_empty());
        match token {
            Some(token) => {
                let access = access.unwrap_or_default().with_token("token", Role::Admin, &token);
                Ok(Some(access.context("$KUAI_TOKEN")?))
            }
            None => Ok(access),
        }
    }
}

/// A password from the terminal, twice and unseen, or from standard input.
fn password() -> anyhow::Result<String> {
    if !io::stdin().is_terminal() {
        let mut line = String::new();
        io::stdin().lock().read_line(&mut line).context("cannot read standard input")?;
        return Ok(line.trim_end_matches(['\r', '\n']).to_owned());
    }
    let terminal = console::Term::stderr();
    let ask = |what: &str| {
        terminal.write_str(what).and_then(|()| terminal.read_secure_line()).context("cannot read the password")
    };
    let password = ask("Password: ")?;
    if ask("The same again: ")? != password {
        bail!("the two passwords differ");
    }
    Ok(password)
}
