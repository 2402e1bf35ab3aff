//! `kuai history`: the versions of an address.

use std::io::{self, Write};

use kuai::{Archive, Url, VersionInfo};

use crate::Outcome;
use crate::json::archive::HistoryJson;
use crate::pages::json_line;
use crate::place::{Place, address};
use crate::wording::{self, counted, size};

/// List the versions of an address, oldest first.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kuai history https://example.org/
  kuai history https://example.org/ --json          one JSON object a version
  kuai history https://example.org/ --json --cut    with how each was cut, and its labels and metadata")]
pub(crate) struct History {
    #[command(flatten)]
    place: Place,
    /// The address.
    #[arg(value_parser = address)]
    url: Url,
    /// One JSON object a version, a line each.
    #[arg(long)]
    json: bool,
    /// Say of every version how it was cut; reads them all, where the newest alone is read otherwise.
    #[arg(long, requires = "json")]
    cut: bool,
}

impl History {
    pub(crate) fn run(self) -> anyhow::Result<Outcome> {
        let archive = self.place.read()?;
        let versions = match archive.history(&self.url) {
            Err(error @ kuai::Error::UnknownUrl { .. }) => {
                anstream::eprintln!("kuai: {error}");
                return Ok(Outcome::Nothing);
            }
            versions => versions?,
        };
        let mut out = io::BufWriter::new(anstream::stdout().lock());
        for (index, version) in versions.iter().enumerate() {
            match self.json {
                true => {
                    let is_newest = index + 1 == versions.len();
                    writeln!(out, "{}", self.json_of(&archive, version, self.cut || is_newest)?)?;
                }
                false => writeln!(out, "{}", line(version, index == 0))?,
            }
        }
        out.flush()?;
        Ok(Outcome::Done)
    }

    fn json_of(&self, archive: &Archive, version: &VersionInfo, with_cut: bool) -> anyhow::Result<String> {
        let snapshot = with_cut.then(|| archive.read(&self.url, version)).transpose()?;
        let outline = snapshot.as_ref().map(|snapshot| &snapshot.outline);
        Ok(json_line(&HistoryJson::new(self.url.as_str(), version, outline)))
    }
}

/// A version for people.
fn line(version: &VersionInfo, is_first: bool) -> String {
    let what = match (version.is_page, is_first) {
        _ if !version.is_success() => format!("answered {}", version.status),
        (false, _) => "not a page".to_owned(),
        (true, true) => format!("first seen, {}", counted(u64::from(version.changes.blocks), "block")),
        (true, false) => wording::changes(&version.changes),
    };
    let again = match version.seen_again.as_slice() {
        [] => String::new(),
        [.., last] => format!("; seen again {}, last {last}", times(version.seen_again.len())),
    };
    format!("{}  {:>7}  +{:<7}  {what}{again}", version.time, size(version.bytes), size(version.stored))
}

fn times(count: usize) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        count => format!("{count} times"),
    }
}
