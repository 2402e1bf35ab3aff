//! `kuai import`: takes WARC files into the archive.

use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use kuai::{Archive, ImportEvent, Imported};

use crate::interrupt::Interrupt;
use crate::place::Place;
use crate::progress::Progress;
use crate::wording::counted;
use crate::{Outcome, json};

/// Take WARC files into the archive.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kuai import crawl.warc.gz
  kuai import *.warc.gz --json          what became of each file, one JSON object a line

Plain, gzip and zstd files, of any tool. Answers are kept with their headers and requests byte for byte, revisits get the bodies that they refer to.
What is in the archive already is not added again: an import that was stopped is simply run again. Damaged records are named and passed over; the
exit code is then 2.")]
pub(crate) struct Import {
    #[command(flatten)]
    place: Place,
    /// WARC files, packed or not.
    #[arg(required = true, value_name = "FILE.warc[.gz|.zst]")]
    files: Vec<PathBuf>,
    /// Rules that give versions metadata and labels, and say how pages are cut (TOML).
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
    /// Write one JSON object a file.
    #[arg(long)]
    json: bool,
}

impl Import {
    pub(crate) fn run(self, quiet: bool) -> anyhow::Result<Outcome> {
        let archive = self.place.write_by_rules(self.rules.as_deref())?;
        let interrupt = Interrupt::watch();
        let mut problems = 0;
        for path in &self.files {
            let imported = import_file(&archive, path, &interrupt, quiet)?;
            problems += imported.problems;
            if self.json {
                anstream::println!("{}", json::exchange::imported(path, &imported));
            } else if !quiet {
                anstream::println!("{}: {}", path.display(), told(&imported));
            }
            if interrupt.is_raised() {
                bail!("interrupted in {}: run the same again to go on", path.display());
            }
        }
        Ok(if problems == 0 { Outcome::Done } else { Outcome::SomeFailed })
    }
}

fn import_file(archive: &Archive, path: &Path, interrupt: &Interrupt, quiet: bool) -> anyhow::Result<Imported> {
    let cannot_read = || format!("cannot read {}", path.display());
    let file = File::open(path).with_context(cannot_read)?;
    let length = file.metadata().with_context(cannot_read)?.len();
    let mut progress = Progress::new(length as usize, "bytes", quiet);
    let mut watch = |event: ImportEvent| {
        match event {
            ImportEvent::Progress(position) => progress.at(position, length),
            ImportEvent::Problem(what) => progress.say(&format!("kuai: {} {what}", path.display())),
            _ => {}
        }
        !interrupt.is_raised()
    };
    let imported =
        kuai::import(archive, file, &mut watch).with_context(|| format!("cannot import {}", path.display()))?;
    progress.finish();
    if imported.records == 0 && imported.problems > 0 {
        bail!("{} is no WARC file", path.display());
    }
    Ok(imported)
}

/// What became of a file, for people.
fn told(imported: &Imported) -> String {
    let Imported { records, new_urls, new_versions, seen_again, known, passed_over, problems } = imported;
    let mut text = format!(
        "{}: {new_urls} of new addresses, {new_versions} as new versions, {seen_again} seen again, {known} known already, {passed_over} passed over",
        counted(*records, "record")
    );
    if *problems > 0 {
        text.push_str(&format!("; {}", counted(*problems, "problem")));
    }
    text
}
