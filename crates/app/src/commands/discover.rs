//! `kuai discover`: what is worth knowing in an archive without having asked for it.

use std::io::{self, Write};

use anstyle::Style;
use kuai::search::{Extent, Finding};
use kuai::{Timestamp, Url};

use super::search::from_time;
use crate::Outcome;
use crate::json::discover::FindingJson;
use crate::pages::json_line;
use crate::place::{Place, time};
use crate::progress::Progress;
use crate::search_index::open_to_ask;
use crate::terminal::harmless;
use crate::wording::counted;

/// Find bursts of change, texts that spread, pages that drifted and links that died.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kuai discover                                          in the whole archive
  kuai discover --site example.org                       on a host and those below it
  kuai discover --from 2019-01-01 --to 2019-12-31        what happened then
  kuai discover --json                                   one JSON object a finding

Every finding says what it rests on: addresses, times of captures, words. Nothing is known of the time between two captures, and a page that was
captured more often may seem to have changed more often.")]
pub(crate) struct Discover {
    #[command(flatten)]
    place: Place,
    /// Nothing that happened before.
    #[arg(long, value_name = "TIME", value_parser = from_time)]
    from: Option<Timestamp>,
    /// Nothing that happened later.
    #[arg(long, value_name = "TIME", value_parser = time)]
    to: Option<Timestamp>,
    /// Only pages of this host, and of those below it.
    #[arg(long, value_name = "HOST")]
    site: Option<String>,
    /// One JSON object a finding, a line each.
    #[arg(long)]
    json: bool,
}

impl Discover {
    pub(crate) fn run(self, quiet: bool) -> anyhow::Result<Outcome> {
        let (archive, index) = open_to_ask(&self.place, quiet)?;
        let (from, to) = (self.from.unwrap_or(Timestamp::MIN), self.to.unwrap_or(Timestamp::MAX));
        let mut progress = Progress::new(0, "addresses", quiet);
        let findings = index.discover(&archive, &Extent { from, to, site: self.site }, &mut |done, total| {
            progress.at(done, total);
            true
        });
        progress.finish();
        let findings = findings?;
        let mut out = io::BufWriter::new(anstream::stdout().lock());
        for finding in &findings {
            match self.json {
                true => writeln!(out, "{}", json_line(&FindingJson::new(finding)))?,
                false => writeln!(out, "{}", line(finding))?,
            }
        }
        out.flush()?;
        if findings.is_empty() && !quiet {
            anstream::eprintln!("kuai: nothing found");
        }
        Ok(if findings.is_empty() { Outcome::Nothing } else { Outcome::Done })
    }
}

/// Pages that are named in a line.
const NAMED: usize = 3;

/// A finding for people.
fn line(finding: &Finding) -> String {
    let bold = Style::new().bold();
    let (sort, told) = match finding {
        Finding::Burst { url, changes, from, to, all, life } => {
            let changes = counted(u64::from(*changes), "change");
            let life = format!("of {all} from {} to {}", life.0, life.1);
            ("burst", format!("{}  {changes} from {from} to {to}, {life}", address(url)))
        }
        Finding::Spread { text, stations } => {
            let station = |(url, time): &(String, Timestamp)| format!("{} {time}", harmless(url));
            ("spread", format!("“{}”  {}", harmless(&text.replace('\n', " ")), named(stations, " → ", station)))
        }
        Finding::Drift { url, from, to, likeness, before, after } => {
            let words = |words: &[String]| harmless(&words.join(" "));
            let (before, after) = (words(before), words(after));
            ("drift", format!("{}  {before} ({from}) → {after} ({to}), likeness {likeness:.2}", address(url)))
        }
        Finding::Died { url, status, since, last_there, linked_from } => {
            let there = last_there.map(|time| format!(", there at {time}")).unwrap_or_default();
            let from = named(linked_from, ", ", address);
            ("died", format!("{}  {status} since {since}{there}; linked from {from}", address(url)))
        }
    };
    format!("{bold}{sort:<6}{bold:#}  {told}")
}

fn address(url: &Url) -> String {
    harmless(url.as_str())
}

/// The first few, and how many more there are.
fn named<T>(all: &[T], between: &str, name: impl Fn(&T) -> String) -> String {
    let shown: Vec<String> = all.iter().take(NAMED).map(name).collect();
    let more = match all.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    shown.join(between) + &more
}
