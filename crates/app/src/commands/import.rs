//! `kuai import`: takes WARC and WACZ files into the archive.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use kuai::{ImportEvent, Imported, Importer};

use crate::interrupt::Interrupt;
use crate::place::Place;
use crate::progress::Progress;
use crate::wording::counted;
use crate::{Outcome, json};

/// Take WARC and WACZ files into the archive.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kuai import crawl.warc.gz
  kuai import *.warc.gz collection.wacz --json   what became of each file, one JSON object a line
  kuai import --whole huge.warc.gz               faster: pages are kept whole, without their blocks

Plain, gzip and zstd files, of any tool. Answers are kept with their headers and requests byte for byte, revisits get the bodies that they refer to,
from the same file, an earlier one or the archive. What is in the archive already is not added again: an import that was stopped or killed is simply run
again. Pages are pressed lightly as they come in, and as well as ever by `kuai compact`. Damaged records are named and passed over; the exit code is then 2.")]
pub(crate) struct Import {
    #[command(flatten)]
    place: Place,
    /// WARC files, packed or not, and WACZ files.
    #[arg(required = true, value_name = "FILE.warc[.gz|.zst]|FILE.wacz")]
    files: Vec<PathBuf>,
    /// Keep pages whole: nothing is known of their blocks, but they come in several times faster.
    #[arg(long)]
    whole: bool,
    /// Rules that give versions metadata and labels, and say how pages are cut (TOML).
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
    /// Write one JSON object a file.
    #[arg(long)]
    json: bool,
}

impl Import {
    pub(crate) fn run(self, quiet: bool) -> anyhow::Result<Outcome> {
        // A misspelt name is told before an archive is made for it, and before the files in front of it take their time.
        self.files.iter().try_for_each(|path| open(path).map(drop))?;
        let archive = self.place.write_by_rules(self.rules.as_deref())?;
        let archive = archive.in_haste();
        let archive = if self.whole { archive.with_whole_pages() } else { archive };
        let importer = Importer::new(&archive)?;
        let interrupt = Interrupt::watch();
        let mut sum = Imported::default();
        for path in &self.files {
            let imported = import_file(&importer, path, &interrupt, quiet)?;
            sum = sum.plus(imported);
            if self.json {
                anstream::println!("{}", json::exchange::imported(path, &imported));
            } else if !quiet {
                anstream::println!("{}: {}", path.display(), told(&imported));
            }
            if interrupt.is_raised() {
                bail!("interrupted in {}: run the same again to go on", path.display());
            }
        }
        if self.files.len() > 1 && !self.json && !quiet {
            anstream::println!("{}: {}", counted(self.files.len() as u64, "file"), told(&sum));
        }
        Ok(if sum.problems == 0 { Outcome::Done } else { Outcome::SomeFailed })
    }
}

fn open(path: &Path) -> anyhow::Result<File> {
    File::open(path).with_context(|| format!("cannot read {}", path.display()))
}

fn import_file(importer: &Importer<'_>, path: &Path, interrupt: &Interrupt, quiet: bool) -> anyhow::Result<Imported> {
    let cannot_read = || format!("cannot read {}", path.display());
    let mut file = open(path)?;
    let length = file.metadata().with_context(cannot_read)?.len();
    let mut progress = Progress::of_bytes(length, quiet);
    let mut watch = |event: ImportEvent| {
        match event {
            ImportEvent::Progress(position) => progress.at(position, length),
            ImportEvent::Problem(what) => progress.say(&format!("kuai: {} {what}", path.display())),
            _ => {}
        }
        !interrupt.is_raised()
    };
    let imported = match is_zip(&mut file).with_context(cannot_read)? {
        true => importer.import_wacz(file, &mut watch),
        false => importer.import(file, &mut watch),
    };
    progress.finish();
    let imported = imported.with_context(|| format!("cannot import {}", path.display()))?;
    if imported.records == 0 && imported.problems > 0 {
        bail!("{} is no WARC file", path.display());
    }
    Ok(imported)
}

/// Whether a file is a ZIP file, as WACZ files are, whatever its name.
fn is_zip(file: &mut File) -> io::Result<bool> {
    let mut first = Vec::new();
    file.take(4).read_to_end(&mut first)?;
    // A pipe cannot be read twice, but a file that is not even four bytes long holds nothing.
    file.rewind()?;
    Ok(first == b"PK\x03\x04")
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
