//! `kuai due`: what to visit next, and why.

use kuai::{Timestamp, read_frontiers};
use serde::Serialize;

use crate::Outcome;
use crate::pages::json_line;
use crate::place::{Place, time};

/// List what is due to be visited again, and why.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kuai due                         what is due now
  kuai due --until 2027-01-31      what will be due by then
  kuai due --all --json            every planned visit, one JSON object a line")]
pub(crate) struct Due {
    #[command(flatten)]
    place: Place,
    /// What is due by this time [default: now].
    #[arg(long, value_parser = time)]
    until: Option<Timestamp>,
    /// All planned visits.
    #[arg(long, conflicts_with = "until")]
    all: bool,
    /// At most so many.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    limit: usize,
    /// One JSON object a line.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct DueJson<'a> {
    url: &'a str,
    due: String,
    why: &'a str,
}

impl Due {
    pub(crate) fn run(self) -> anyhow::Result<Outcome> {
        self.place.read()?;
        let until = if self.all { None } else { Some(self.until.unwrap_or_else(Timestamp::now)) };
        // Planned visits belong to the archive, so every crawl knows them all.
        let frontiers = read_frontiers(self.place.address()?)?;
        let visits =
            frontiers.first().map(|(_, frontier)| frontier.due(until, self.limit)).transpose()?.unwrap_or_default();
        for visit in &visits {
            let due = whole_seconds(visit.due);
            if self.json {
                let url = visit.url.as_str();
                anstream::println!("{}", json_line(&DueJson { url, due: due.to_string(), why: &visit.why }));
            } else {
                anstream::println!("{due}  {}  {}", visit.url, visit.why);
            }
        }
        Ok(if visits.is_empty() { Outcome::Nothing } else { Outcome::Done })
    }
}

fn whole_seconds(time: Timestamp) -> Timestamp {
    Timestamp::from_second(time.as_second()).unwrap_or(time)
}
