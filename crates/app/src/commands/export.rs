//! `kuai export`: writes what the archive holds as a file for other archives and tools.

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use kuai::{Archive, ExportError, Exported, Packing, Selection, Timestamp};

use crate::place::{Place, time};
use crate::progress::Progress;
use crate::wording::counted;
use crate::{Outcome, json};

/// Write what the archive holds as a WARC or WACZ file, for other archives and tools.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kuai export -o all.warc.gz
  kuai export --url https://example.org/ --from 2024-01-01T00:00:00Z --to 2024-12-31 -o example.warc.gz
  kuai export --collection Newspapers -o newspapers.wacz
  kuai export -o blocks.parquet

The name, or --format, says what is written: .warc, .warc.gz, .warc.zst; .wacz, which holds its index and the text of its pages besides; or
.parquet, a table of blocks for analysis. Headers and bodies are written byte for byte as they were captured, and a body that stands in the file already
as a revisit of it.")]
pub(crate) struct Export {
    #[command(flatten)]
    place: Place,
    /// Only addresses that begin so; may be given several times.
    #[arg(long = "url", value_name = "PREFIX")]
    urls: Vec<String>,
    /// Only captures from this time on.
    #[arg(long, value_name = "TIME", value_parser = time)]
    from: Option<Timestamp>,
    /// Only captures up to this time.
    #[arg(long, value_name = "TIME", value_parser = time)]
    to: Option<Timestamp>,
    /// Only captures that the rules gave this label or `collection`; may be given several times.
    #[arg(long = "collection", value_name = "NAME")]
    collections: Vec<String>,
    /// The file to write.
    #[arg(long, short, value_name = "FILE.warc.gz|FILE.wacz|FILE.parquet")]
    output: PathBuf,
    /// What to write, where the name does not say it: warc, warc.gz, warc.zst, wacz or parquet.
    #[arg(long, value_name = "FORMAT", value_parser = Format::named)]
    format: Option<Format>,
    /// Say what was written as JSON.
    #[arg(long)]
    json: bool,
}

impl Export {
    pub(crate) fn run(self, quiet: bool) -> anyhow::Result<Outcome> {
        let format = self.format.map_or_else(|| Format::of(&self.output), Ok)?;
        let archive = self.place.read()?;
        let total = archive.stats()?.captures;
        let selection = Selection { prefixes: self.urls, from: self.from, to: self.to, collections: self.collections };
        let unfinished = unfinished_name(&self.output);
        let file = File::create(&unfinished).with_context(|| format!("cannot make {}", unfinished.display()))?;
        let mut progress = Progress::new(total as usize, "captures", quiet);
        let step = |done| progress.at(done, total);
        let written = format.write(&archive, &selection, &unfinished, file, step);
        progress.finish();
        let exported = match written {
            Ok(exported) if exported.captures > 0 => exported,
            other => {
                // It is of no use to anybody, and what went wrong with the writing matters more than what with the tidying.
                let _ = fs::remove_file(&unfinished);
                other.with_context(|| format!("cannot write {}", self.output.display()))?;
                anstream::eprintln!("kuai: nothing in the archive fits");
                return Ok(Outcome::Nothing);
            }
        };
        fs::rename(&unfinished, &self.output).with_context(|| format!("cannot write {}", self.output.display()))?;
        if self.json {
            anstream::println!("{}", json::exchange::exported(&self.output, &exported));
        } else if !quiet {
            anstream::println!("{}: {}", self.output.display(), told(&exported));
        }
        Ok(Outcome::Done)
    }
}

/// What a file is.
#[derive(Clone, Copy)]
enum Format {
    Warc(Packing),
    Wacz,
    Parquet,
}

/// How the names of files end, behind a dot.
const FORMATS: [(&str, Format); 5] = [
    ("warc", Format::Warc(Packing::Plain)),
    ("warc.gz", Format::Warc(Packing::Gzip)),
    ("warc.zst", Format::Warc(Packing::Zstd)),
    ("wacz", Format::Wacz),
    ("parquet", Format::Parquet),
];

impl Format {
    fn of(path: &Path) -> anyhow::Result<Format> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_ending = |ending: &str| name.strip_suffix(ending).is_some_and(|before| before.ends_with('.'));
        match FORMATS.iter().find(|(ending, _)| is_ending(ending)) {
            Some((_, format)) => Ok(*format),
            None => bail!("{} does not say what to write: end it in {}", path.display(), listed(".")),
        }
    }

    fn named(name: &str) -> Result<Format, String> {
        let found = FORMATS.iter().find(|(known, _)| *known == name);
        found.map(|(_, format)| *format).ok_or_else(|| format!("there are {}", listed("")))
    }

    fn write(
        self,
        archive: &Archive,
        selection: &Selection,
        path: &Path,
        file: File,
        step: impl FnMut(u64),
    ) -> Result<Exported, ExportError> {
        let (out, now) = (BufWriter::new(file), Timestamp::now());
        match self {
            Format::Warc(packing) => kuai::export(archive, selection, out, packing, now, step),
            Format::Wacz => kuai::export_wacz(archive, selection, out, folder_of(path), now, step),
            Format::Parquet => kuai::export_blocks(archive, selection, out, step),
        }
    }
}

/// All formats, for people.
fn listed(before: &str) -> String {
    let [names @ .., last] = FORMATS.map(|(name, _)| format!("{before}{name}"));
    format!("{} or {last}", names.join(", "))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A half-written file never stands under the name of a whole one.
fn unfinished_name(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".tmp");
    PathBuf::from(name)
}

fn told(exported: &Exported) -> String {
    let Exported { captures, revisits, bytes } = exported;
    format!("{}, {revisits} of them revisits, in {}", counted(*captures, "capture"), counted(*bytes, "byte"))
}
