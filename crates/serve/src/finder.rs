//! The search index of the archive that is served: what is asked, and how it goes on following the archive.
//!
//! Others may write to the same index (`kuai index`, `kuai search`), so it is opened anew whenever there is something to take in, and shown when that is
//! done; what was shown before is asked meanwhile.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use kuai::Archive;
use kuai::search::{Error, Index};

/// Captures that a request takes in itself, so that what came just now is found; more are left to the thread that follows the archive.
const WAITED_FOR_MAX: u64 = 64;

/// See above.
pub(crate) struct Finder {
    /// Where the index lies; in memory where the archive does, or where its folder cannot be written.
    folder: Option<PathBuf>,
    shown: RwLock<Option<Arc<Index>>>,
    /// Held by whoever takes something in.
    following: Mutex<()>,
}

impl Finder {
    pub(crate) fn new(folder: Option<PathBuf>) -> Finder {
        Finder { folder, shown: RwLock::default(), following: Mutex::default() }
    }

    /// What can be asked now, and how many captures it does not know yet; none where nothing is there to be asked yet.
    pub(crate) fn index(&self, archive: &Archive) -> Result<Option<(Arc<Index>, u64)>, Error> {
        let newest = archive.stats()?.captures;
        if (1..=WAITED_FOR_MAX).contains(&newest.saturating_sub(self.sequence())) {
            // What another process is taking in at this moment is seen the next time.
            self.follow(archive, &mut || true).or_else(is_locked)?;
        }
        let shown = self.shown.read().unwrap_or_else(PoisonError::into_inner).clone();
        Ok(shown.map(|index| {
            let behind = newest.saturating_sub(index.sequence());
            (index, behind)
        }))
    }

    /// Takes in what is new, as long as `go_on` says so. Tells whether everything is taken in.
    pub(crate) fn follow(&self, archive: &Archive, go_on: &mut dyn FnMut() -> bool) -> Result<bool, Error> {
        let _following = self.following.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_shown() && archive.stats()?.captures == self.sequence() {
            return Ok(true);
        }
        let mut index = self.open()?;
        if !self.is_shown() && index.sequence() > 0 {
            // What was there before can be asked while the rest is taken in.
            self.show(index);
            index = self.open()?;
        }
        let behind = index.follow(archive, &mut |_, _| go_on())?.behind;
        self.show(index);
        Ok(behind == 0)
    }

    fn show(&self, index: Index) {
        *self.shown.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(index));
    }

    /// Whether it is made anew each time, so that to stop on the way is to lose it.
    pub(crate) fn is_in_memory(&self) -> bool {
        self.folder.is_none()
    }

    fn open(&self) -> Result<Index, Error> {
        let Some(folder) = &self.folder else { return Index::in_memory() };
        match Index::open(folder) {
            Ok(opened) => Ok(opened.index),
            Err(Error::Io { source, .. })
                if matches!(source.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem) =>
            {
                Index::in_memory()
            }
            Err(error) => Err(error),
        }
    }

    fn is_shown(&self) -> bool {
        self.shown.read().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    fn sequence(&self) -> u64 {
        let shown = self.shown.read().unwrap_or_else(PoisonError::into_inner);
        shown.as_ref().map_or(0, |index| index.sequence())
    }
}

/// That another process is writing is no fault.
fn is_locked(error: Error) -> Result<bool, Error> {
    if matches!(error, Error::Locked { .. }) { Ok(false) } else { Err(error) }
}
