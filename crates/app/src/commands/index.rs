//! `kuai index`: brings the search index up to date, and tells its state.

use std::path::PathBuf;

use anyhow::Context;
use kuai::search::Index as SearchIndex;

use super::links::ranked;
use crate::Outcome;
use crate::interrupt::Interrupt;
use crate::json::search::IndexJson;
use crate::pages::json_line;
use crate::place::Place;
use crate::search_index::{follow, open};
use crate::wording::{counted, size};

/// Bring the search index up to date, and say what is in it. `kuai search` does so too, but gives up after some seconds.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kuai index                            take in what is new, and say what the index holds
  kuai index --state                    only say so
  kuai index --rebuild                  throw the index away and make it again
  kuai index --dictionary words.txt     with words of your own for Chinese, a line each: word [frequency]
  kuai index --rank                     from now on, pages that others recommend come before their like
  kuai index --no-rank                  no longer

The index lies in the folder `search` of the archive. It can be deleted at any time; nothing is lost but time. Ctrl-C keeps what
is taken in so far.")]
pub(crate) struct Index {
    #[command(flatten)]
    place: Place,
    /// Take nothing in.
    #[arg(long, conflicts_with_all = ["rebuild", "dictionary"])]
    state: bool,
    /// Throw the index away and make it again.
    #[arg(long)]
    rebuild: bool,
    /// Words of your own, by which Chinese is cut from now on; makes the index again.
    #[arg(long, value_name = "FILE")]
    dictionary: Option<PathBuf>,
    /// Weigh hits by how much the texts and related links of other pages recommend their pages, as the archive stands now (`kuai links --rank`).
    #[arg(long, conflicts_with = "state")]
    rank: bool,
    /// Weigh all pages alike again.
    #[arg(long, conflicts_with_all = ["rank", "state"])]
    no_rank: bool,
    /// One JSON object.
    #[arg(long)]
    json: bool,
}

impl Index {
    pub(crate) fn run(self, quiet: bool) -> anyhow::Result<Outcome> {
        let archive = self.place.read()?;
        let folder = kuai::search_folder(self.place.folder()?);
        if let Some(file) = &self.dictionary {
            let words = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
            SearchIndex::set_dictionary(&folder, &words).with_context(|| format!("cannot use {}", file.display()))?;
        }
        if self.rank {
            let ranked = ranked(&archive, None, quiet)?;
            SearchIndex::set_ranks(&folder, &ranked)?;
        }
        if self.no_rank {
            SearchIndex::set_ranks(&folder, &[])?;
        }
        let mut index = match self.rebuild || self.dictionary.is_some() {
            true => SearchIndex::begin(&folder)?,
            false => open(&folder, quiet)?,
        };
        if !self.state {
            let interrupt = Interrupt::watch();
            follow(&mut index, &archive, quiet, &mut || !interrupt.is_raised())?;
        }
        let state = IndexJson {
            blocks: index.document_count(),
            bytes: index.byte_count(),
            captures: index.sequence(),
            behind: index.behind(&archive)?,
        };
        match self.json {
            true => anstream::println!("{}", json_line(&state)),
            false => anstream::println!("{}", text(&state)),
        }
        Ok(Outcome::Done)
    }
}

fn text(state: &IndexJson) -> String {
    let holds = format!("{} of {}", counted(state.blocks, "block lifetime"), counted(state.captures, "capture"));
    let behind = match state.behind {
        0 => "up to date".to_owned(),
        behind => format!("{} to come", counted(behind, "capture")),
    };
    format!("{holds}, {}; {behind}", size(state.bytes))
}
