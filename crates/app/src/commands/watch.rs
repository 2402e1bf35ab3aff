//! `kuai watch`: tells when blocks of content appear, change or vanish.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anstyle::Style;
use anyhow::Context;
use clap::Subcommand;
use kuai::watch::{Alert, Kind, Ran, Round, Subject, Watches, Way, body, run, subject_line};
use kuai::{Timestamp, Url};

use crate::Outcome;
use crate::interrupt::Interrupt;
use crate::json::watch::{AlertJson, WatchJson, way_and_place};
use crate::pages::json_line;
use crate::place::{Place, address};
use crate::search_index;
use crate::terminal::harmless;
use crate::wording::counted;

/// Tell when blocks of content appear, change or vanish: on a page, on a site, or among what a query finds.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kuai watch add https://example.org/news --kind main
  kuai watch add example.org --feed changes.atom          all pages of a site, as an Atom feed
  kuai watch add 'lamp OR lantern' --command 'jq .url'    blocks that say so, on any page
  kuai watch add example.org --webhook https://hooks.example.net/kuai
  kuai watch list
  kuai watch remove 2
  kuai watch run                                          tell what is new since the last run, as after a crawl

What no reader sees (tokens, scripts, markup) never rings.")]
pub(crate) struct Watch {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Add(Add),
    List(List),
    Remove(Remove),
    Run(Run),
}

/// Watch a page, a site, or what a query finds, from now on.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kuai watch add https://example.org/news --mail ~/mail/changes
  kuai watch add example.org --kind main --kind title --feed /srv/www/changes.atom
  kuai watch add 'site:example.org \"opening hours\"' --command ./tell.sh

Several ways of telling may be given; without any, `kuai watch run` shows what rang. The secret that signs a webhook is shown once, here.")]
struct Add {
    #[command(flatten)]
    place: Place,
    /// An address, a host, or a query.
    #[arg(value_name = "URL|SITE|QUERY", value_parser = Subject::read)]
    subject: Subject,
    /// Blocks of this kind only: main, title …; content (all but links, adverts and noise) or any [default: content].
    #[arg(long, value_name = "KIND", value_parser = Kind::read)]
    kind: Vec<Kind>,
    /// Run this by the shell, with the alert as JSON on its standard input; it has a minute.
    #[arg(long, value_name = "COMMAND")]
    command: Vec<String>,
    /// Post the alert as JSON to this address, signed.
    #[arg(long, value_name = "URL", value_parser = address)]
    webhook: Vec<Url>,
    /// Let webhooks lead to addresses that are not of the public Web.
    #[arg(long, requires = "webhook")]
    allow_private: bool,
    /// Append an e-mail message to this mbox file; where it is a folder, write a file a message.
    #[arg(long, value_name = "FILE")]
    mail: Vec<PathBuf>,
    /// Keep this Atom feed.
    #[arg(long, value_name = "FILE")]
    feed: Vec<PathBuf>,
}

/// List the watches.
#[derive(clap::Args)]
struct List {
    #[command(flatten)]
    place: Place,
    /// One JSON object a watch, a line each.
    #[arg(long)]
    json: bool,
}

/// Remove a watch by its number.
#[derive(clap::Args)]
struct Remove {
    #[command(flatten)]
    place: Place,
    /// The number, as `kuai watch list` shows it.
    number: u32,
}

/// Look at what is new in the archive since the last run, and tell.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kuai collect … && kuai watch run
  kuai watch run --json          one JSON object an alert

What could not be told (a server that is down, a command that failed) is told by the next run. Exits with 0 where something rang, 1 where
nothing did, 2 where something could not be told.")]
struct Run {
    #[command(flatten)]
    place: Place,
    /// One JSON object an alert, a line each.
    #[arg(long)]
    json: bool,
}

impl Watch {
    pub(crate) fn run(self, quiet: bool) -> anyhow::Result<Outcome> {
        match self.action {
            Action::Add(add) => add.run(quiet),
            Action::List(list) => list.run(),
            Action::Remove(remove) => remove.run(),
            Action::Run(run) => run.run(quiet),
        }
    }
}

impl Add {
    fn run(self, quiet: bool) -> anyhow::Result<Outcome> {
        let mark = self.place.read()?.stats()?.captures;
        let mut watches = Watches::open(self.place.folder()?)?;
        let ways = self.ways()?;
        let secrets: Vec<String> = ways.iter().filter_map(secret).collect();
        let number = watches.add(self.subject, self.kind, ways, mark)?;
        anstream::println!("{number}");
        if !quiet {
            secrets.iter().for_each(|secret| anstream::eprintln!("kuai: webhooks are signed with {secret}"));
        }
        Ok(Outcome::Done)
    }

    fn ways(&self) -> anyhow::Result<Vec<Way>> {
        let commands = self.command.iter().map(|command| Ok(Way::Command { command: command.clone() }));
        let webhooks = self.webhook.iter().map(|url| Ok(Way::new_webhook(url, self.allow_private)?));
        let mails = self.mail.iter().map(|file| Ok(Way::Mail { file: absolute(file)? }));
        let feeds = self.feed.iter().map(|file| Ok(Way::Feed { file: absolute(file)? }));
        commands.chain(webhooks).chain(mails).chain(feeds).collect()
    }
}

fn secret(way: &Way) -> Option<String> {
    match way {
        Way::Webhook { secret, .. } => Some(secret.clone()),
        _ => None,
    }
}

/// A file by a name that holds wherever the watches are run.
fn absolute(file: &Path) -> anyhow::Result<PathBuf> {
    std::path::absolute(file).with_context(|| format!("cannot use {}", file.display()))
}

impl List {
    fn run(self) -> anyhow::Result<Outcome> {
        self.place.read()?;
        let watches = Watches::open(self.place.folder()?)?;
        let mut out = io::BufWriter::new(anstream::stdout().lock());
        for watch in watches.all() {
            match self.json {
                true => writeln!(out, "{}", json_line(&WatchJson::new(watch)))?,
                false => writeln!(out, "{}", line(watch))?,
            }
        }
        out.flush()?;
        Ok(if watches.all().is_empty() { Outcome::Nothing } else { Outcome::Done })
    }
}

/// A watch for people.
fn line(watch: &kuai::watch::Watch) -> String {
    let kinds: Vec<_> = watch.kinds.iter().map(|kind| kind.name()).collect();
    let ways = watch.channels.iter().map(|channel| match way_and_place(&channel.way) {
        (way, Some(place)) => format!("{way} {}", harmless(&place)),
        (way, None) => way.to_owned(),
    });
    let (subject, ways) = (watch.subject.to_string(), ways.collect::<Vec<_>>().join(", "));
    format!("{:>3}  {}  ({})  {ways}", watch.number, harmless(&subject), kinds.join(", "))
}

impl Remove {
    fn run(self) -> anyhow::Result<Outcome> {
        self.place.read()?;
        if Watches::open(self.place.folder()?)?.remove(self.number)? {
            return Ok(Outcome::Done);
        }
        anstream::eprintln!("kuai: there is no watch {}; `kuai watch list` shows those there are", self.number);
        Ok(Outcome::Nothing)
    }
}

impl Run {
    fn run(self, quiet: bool) -> anyhow::Result<Outcome> {
        let archive = self.place.read()?;
        let folder = self.place.folder()?;
        let mut watches = Watches::open(folder)?;
        let interrupt = Interrupt::watch();
        let has_queries = watches.all().iter().any(|watch| matches!(watch.subject, Subject::Query(_)));
        let index = match has_queries {
            true => {
                let mut index = search_index::open(&kuai::search_folder(folder), quiet)?;
                search_index::follow(&mut index, &archive, quiet, &mut || !interrupt.is_raised())?;
                Some(index)
            }
            false => None,
        };
        let round = Round {
            archive: &archive,
            index: index.as_ref(),
            json: &|alert| json_line(&AlertJson::new(alert)),
            now: &Timestamp::now,
            go_on: &|| !interrupt.is_raised(),
        };
        let mut out = anstream::stdout().lock();
        let mut shown = Ok(());
        let ran = run(&round, &mut watches, &mut |alert| {
            if shown.is_ok() {
                shown = writeln!(out, "{}", self.text(alert));
            }
        })?;
        shown?;
        Ok(self.ended(&ran, watches.all().is_empty(), quiet))
    }

    fn text(&self, alert: &Alert) -> String {
        if self.json {
            return json_line(&AlertJson::new(alert));
        }
        let bold = Style::new().bold();
        format!("{bold}{}{bold:#}\n{}", harmless(&subject_line(alert)), harmless(&body(alert)))
    }

    fn ended(&self, ran: &Ran, is_without_watches: bool, quiet: bool) -> Outcome {
        for failure in &ran.failures {
            anstream::eprintln!("kuai: watch {}: {}; the next run tells it again", failure.watch, failure.why);
        }
        if ran.unreadable > 0 && !quiet {
            let captures = counted(ran.unreadable, "capture");
            anstream::eprintln!("kuai: {captures} cannot be read and were passed over; `kuai verify` says more");
        }
        if is_without_watches && !quiet {
            anstream::eprintln!("kuai: nothing is watched; `kuai watch add` begins");
        }
        match (ran.failures.is_empty(), ran.alerts) {
            (false, _) => Outcome::SomeFailed,
            (true, 0) => Outcome::Nothing,
            (true, _) => Outcome::Done,
        }
    }
}
