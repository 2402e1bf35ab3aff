//! `kuai copy`: carries an archive to another place.

use std::path::PathBuf;

use kuai::{Access, copy, open_store};
use serde::Serialize;

use crate::Outcome;
use crate::interrupt::Interrupt;
use crate::pages::json_line;
use crate::progress::Progress;
use crate::wording::counted;

/// Carry an archive to another place, folder or shared, and read every capture back.
///
/// The other place must be empty or have a beginning of the same archive: a copy that was stopped goes on where it stood. What crawls have still to
/// visit, the search index, site models and watches stay where they are.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kuai copy kuai-archive backup
  kuai copy kuai-archive 'postgres://kuai@db.example/web?objects=s3://bucket/web'
  kuai copy 'postgres://kuai@db.example/web' backup")]
pub(crate) struct Copy {
    /// The archive: a folder or `postgres://…`.
    from: PathBuf,
    /// Where to carry it: a folder or `postgres://…?objects=…`, made on first use.
    to: PathBuf,
    /// One JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct CopyJson {
    copied: u64,
    already: u64,
}

impl Copy {
    pub(crate) fn run(self, quiet: bool) -> anyhow::Result<Outcome> {
        // Read first, so that a place that is not there leaves no empty archive behind.
        let from = open_store(&self.from, Access::Read)?;
        let to = open_store(&self.to, Access::Write)?;
        let interrupt = Interrupt::watch();
        let mut progress = Progress::new(0, "captures", quiet);
        let copied = copy(&*from, &*to, &mut |done, total| {
            progress.at(done, total);
            !interrupt.is_raised()
        });
        progress.finish();
        let copied = copied?;
        let count = counted(copied.copied, "capture");
        anyhow::ensure!(!interrupt.is_raised(), "interrupted after {count}; the same command goes on");
        if self.json {
            anstream::println!("{}", json_line(&CopyJson { copied: copied.copied, already: copied.already }));
        } else if !quiet {
            let already =
                if copied.already > 0 { format!(", {} there already", copied.already) } else { String::new() };
            anstream::println!("{count} copied and read back{already}");
        }
        Ok(Outcome::Done)
    }
}
