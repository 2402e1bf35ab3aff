//! `kuai urls`: the addresses in an archive.

use std::io::{self, Write};

use crate::Outcome;
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
  kuai urls --json                        one JSON object a line")]
pub(crate) struct Urls {
    #[command(flatten)]
    place: Place,
    /// Only addresses that begin so.
    #[arg(default_value = "")]
    prefix: String,
    /// One JSON object a line.
    #[arg(long)]
    json: bool,
}

/// Addresses that are asked for at a time.
const PAGE: usize = 1000;

impl Urls {
    pub(crate) fn run(self) -> anyhow::Result<Outcome> {
        let archive = self.place.read()?;
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
}
