//! `kuai urls`: the addresses in an archive.

use std::io::{self, Write};

use kuai::{Stage, read_frontiers};
use serde::Serialize;

use crate::Outcome;
use crate::explain::explained;
use crate::json::archive::UrlJson;
use crate::pages::json_line;
use crate::place::Place;
use crate::wording::counted;

/// List the addresses in an archive, grouped by host.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kuai urls
  kuai urls https://example.org/news/     those that begin so
  kuai urls --failed                      what crawls could not get, and why
  kuai urls --skipped                     what crawls found and did not visit, and why
  kuai urls --json                        one JSON object a line")]
pub(crate) struct Urls {
    #[command(flatten)]
    place: Place,
    /// Only addresses that begin so.
    #[arg(default_value = "")]
    prefix: String,
    /// Those that crawls could not get, with the reason.
    #[arg(long)]
    failed: bool,
    /// Those that crawls found and did not visit, with the reason.
    #[arg(long, conflicts_with = "failed")]
    skipped: bool,
    /// One JSON object a line.
    #[arg(long)]
    json: bool,
}

/// Addresses that are asked for at a time.
const PAGE: usize = 1000;

impl Urls {
    pub(crate) fn run(self) -> anyhow::Result<Outcome> {
        let archive = self.place.read()?;
        if self.failed || self.skipped {
            return self.not_had(if self.failed { Stage::Failed } else { Stage::Skipped });
        }
        let mut out = io::BufWriter::new(io::stdout().lock());
        let mut last: Option<String> = None;
        loop {
            let rows = archive.urls(&self.prefix, last.as_deref(), PAGE)?;
            for row in &rows {
                if self.json {
                    writeln!(out, "{}", json_line(&UrlJson::new(row)))?;
                } else {
                    let captures = counted(u64::from(row.entry_count), "capture");
                    writeln!(out, "{}  {captures}, {} to {}", row.url, row.first, row.last)?;
                }
            }
            match rows.last() {
                Some(row) => last = Some(row.url.clone()),
                None => break,
            }
        }
        out.flush()?;
        Ok(if last.is_some() { Outcome::Done } else { Outcome::Nothing })
    }

    /// Lists what crawls could not get or did not visit.
    fn not_had(&self, stage: Stage) -> anyhow::Result<Outcome> {
        let mut out = io::BufWriter::new(io::stdout().lock());
        let mut outcome = Outcome::Nothing;
        for (_, frontier) in read_frontiers(self.place.address()?)? {
            let mut last = None;
            loop {
                let known = frontier.list(stage, last, PAGE)?;
                let Some(end) = known.last() else { break };
                last = Some(end.id);
                for known in known.iter().filter(|known| known.url.as_str().starts_with(&self.prefix)) {
                    outcome = Outcome::Done;
                    let reason = explained(&known.reason);
                    if self.json {
                        writeln!(
                            out,
                            "{}",
                            json_line(&NotHadJson {
                                url: known.url.as_str(),
                                reason: &reason,
                                attempts: known.attempts
                            })
                        )?;
                    } else {
                        writeln!(out, "{}  {reason}", known.url)?;
                    }
                }
            }
        }
        out.flush()?;
        Ok(outcome)
    }
}

/// An address that crawls know and the archive has not.
#[derive(Serialize)]
struct NotHadJson<'a> {
    url: &'a str,
    reason: &'a str,
    attempts: u32,
}
