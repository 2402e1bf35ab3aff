//! `kuai stats`: how much an archive holds, and what it saves.

use crate::Outcome;
use crate::json::archive::StatsJson;
use crate::pages::json_line;
use crate::place::Place;
use crate::wording::size;

/// Say how much an archive holds, and what keeping blocks once saves.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kuai stats
  kuai stats --json")]
pub(crate) struct Stats {
    #[command(flatten)]
    place: Place,
    /// One JSON object.
    #[arg(long)]
    json: bool,
}

impl Stats {
    pub(crate) fn run(self) -> anyhow::Result<Outcome> {
        let stats = self.place.read()?.stats()?;
        if self.json {
            anstream::println!("{}", json_line(&StatsJson::new(&stats)));
            return Ok(Outcome::Done);
        }
        let share = 100.0 * stats.bytes_stored as f64 / stats.bytes_captured.max(1) as f64;
        anstream::println!("addresses  {:>10}", stats.urls);
        anstream::println!("captures   {:>10}", stats.captures);
        anstream::println!("versions   {:>10}", stats.versions);
        anstream::println!("blocks     {:>10}", stats.blocks);
        anstream::println!("layouts    {:>10}", stats.layouts);
        anstream::println!("captured   {:>10}", size(stats.bytes_captured));
        anstream::println!("stored     {:>10}  ({share:.1} % of what was captured)", size(stats.bytes_stored));
        Ok(Outcome::Done)
    }
}
