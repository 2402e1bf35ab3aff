//! The search index of a command's archive, brought up to date before it is asked.

use std::io::ErrorKind;
use std::path::Path;
use std::time::{Duration, Instant};

use kuai::Archive;
use kuai::search::{Error, Index, Opened};

use crate::place::Place;
use crate::progress::Progress;
use crate::wording::counted;

/// How long a search brings the index up to date before it goes on with what is there.
const CATCH_UP_AT_MOST: Duration = Duration::from_secs(10);

/// Opens the archive of a command and its index, and brings the index up to date for a bounded time; says what the user should know.
pub(crate) fn open_to_ask(place: &Place, quiet: bool) -> anyhow::Result<(Archive, Index)> {
    let archive = place.read()?;
    let mut index = open(&kuai::search_folder(place.folder()?), quiet)?;
    let started = Instant::now();
    match follow(&mut index, &archive, quiet, &mut || started.elapsed() < CATCH_UP_AT_MOST) {
        Ok(0) => {}
        Ok(behind) => {
            say(quiet, &format!("the newest {} not searched yet; `kuai index` takes them in", captures(behind)))
        }
        Err(Error::Locked { .. }) => {
            let behind = index.behind(&archive)?;
            say(quiet, &format!("another process is taking in the newest {} not searched yet", captures(behind)));
        }
        Err(Error::Io { source, .. }) if is_refused(source.kind()) => {
            say(quiet, "the search index cannot be written, so what is new in the archive is not searched");
        }
        Err(error) => return Err(error.into()),
    }
    Ok((archive, index))
}

/// Opens an index, or begins one; in memory where the archive's folder cannot be written.
pub(crate) fn open(folder: &Path, quiet: bool) -> anyhow::Result<Index> {
    match Index::open(folder) {
        Ok(Opened { index, discarded }) => {
            if let Some(why) = discarded {
                say(quiet, &format!("the search index is made anew: {why}"));
            }
            Ok(index)
        }
        Err(Error::Io { source, .. }) if is_refused(source.kind()) => {
            say(
                quiet,
                "the archive's folder cannot be written, so its search index is made in memory, for this time only",
            );
            Ok(Index::in_memory()?)
        }
        Err(error) => Err(error.into()),
    }
}

/// Takes in what is new, as long as `go_on` says so. Tells how many captures are left.
pub(crate) fn follow(
    index: &mut Index,
    archive: &Archive,
    quiet: bool,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<u64, Error> {
    let mut progress = Progress::new(0, "captures indexed", quiet);
    let followed = index.follow(archive, &mut |done, total| {
        progress.at(done, total);
        go_on()
    });
    progress.finish();
    let followed = followed?;
    if followed.begun_anew {
        say(quiet, "the search index was made of another archive, so it is made anew");
    }
    if followed.unreadable > 0 {
        let captures = counted(followed.unreadable, "capture");
        say(quiet, &format!("{captures} cannot be read and so not be searched; `kuai verify` says more"));
    }
    Ok(followed.behind)
}

fn captures(count: u64) -> String {
    if count == 1 { "capture is".to_owned() } else { format!("{count} captures are") }
}

fn is_refused(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem)
}

fn say(quiet: bool, message: &str) {
    if !quiet {
        anstream::eprintln!("kuai: {message}");
    }
}
