//! `kuai compact`: makes an archive smaller.

use crate::Outcome;
use crate::interrupt::Interrupt;
use crate::place::Place;
use crate::progress::Progress;
use crate::wording::size;

/// Rewrite what was written in haste so that it takes less space. Safe to stop at any moment.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kuai compact")]
pub(crate) struct Compact {
    #[command(flatten)]
    place: Place,
}

impl Compact {
    pub(crate) fn run(self, quiet: bool) -> anyhow::Result<Outcome> {
        // Reading first says that there is no archive; writing would make one.
        drop(self.place.read()?);
        let archive = self.place.write()?;
        let interrupt = Interrupt::watch();
        let mut progress = Progress::new(0, "captures", quiet);
        let compacted = archive.compact(&mut |done, total| {
            progress.at(done, total);
            !interrupt.is_raised()
        })?;
        progress.finish();
        if !quiet {
            let (before, after) = (size(compacted.bytes_before), size(compacted.bytes_after));
            anstream::println!("{} captures rewritten, {before} before, {after} now", compacted.entry_count);
        }
        Ok(Outcome::Done)
    }
}
