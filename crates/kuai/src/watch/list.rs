//! The watches of an archive, in a small file beside it: `watch/watches.json`, written whole, readable by its owner only.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use kuai_page::{Label, Url};
use serde::{Deserialize, Serialize};

use super::error::{Error, io_error};
use super::files::write_whole;
use super::subject::{Kind, Subject};
use super::tell::new_secret;

/// The folder of the watches, beside the archive's own files.
const FOLDER: &str = "watch";
const FILE: &str = "watches.json";
const LOCK: &str = "lock";
/// The form of the file.
const FORMAT: u32 = 1;
/// How many watches there may be.
pub const WATCHES_MAX: usize = 1_000;
/// Bytes of the file: more than so many watches can need.
const FILE_BYTES_MAX: u64 = 64 << 20;

/// The watches of an archive. As long as the value lives, no other process changes them.
pub struct Watches {
    folder: PathBuf,
    list: List,
    _lock: File,
}

#[derive(Debug, Serialize, Deserialize)]
struct List {
    format: u32,
    /// The number of the next watch; none is used twice.
    next: u32,
    watches: Vec<Watch>,
}

/// Somebody's wish to be told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Watch {
    /// What it is called by.
    pub number: u32,
    /// What is watched.
    pub subject: Subject,
    /// Which blocks matter: those of any of these kinds.
    pub kinds: Vec<Kind>,
    /// How to tell; never empty.
    pub channels: Vec<Channel>,
}

/// A way of telling, and how far in the change feed it was told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Channel {
    /// How.
    #[serde(flatten)]
    pub way: Way,
    /// The last capture of the change feed that is done with.
    pub mark: u64,
}

/// How somebody is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "way", rename_all = "kebab-case")]
pub enum Way {
    /// By whoever runs the watches.
    Show,
    /// By a command, with the alert as JSON on its standard input.
    Command {
        /// What the shell runs.
        command: String,
    },
    /// By HTTP POST of the alert as JSON, signed.
    Webhook {
        /// Where to.
        url: String,
        /// What it is signed with, in base64.
        secret: String,
        /// Whether addresses that are not of the public Web may be told.
        allow_private: bool,
    },
    /// By an e-mail message: appended to an mbox file, or a file of its own in a folder.
    Mail {
        /// The file or folder.
        file: PathBuf,
    },
    /// By an entry of an Atom feed.
    Feed {
        /// The file.
        file: PathBuf,
    },
}

impl Way {
    /// A webhook with a new secret.
    pub fn new_webhook(url: &Url, allow_private: bool) -> Result<Way, Error> {
        let refused = |error: getrandom::Error| Error::Secret(error.to_string());
        Ok(Way::Webhook { url: url.to_string(), secret: new_secret().map_err(refused)?, allow_private })
    }
}

impl Watch {
    /// Whether blocks with this label matter.
    pub(super) fn takes(&self, label: Option<Label>) -> bool {
        self.kinds.iter().any(|kind| kind.takes(label))
    }
}

impl Watches {
    /// The watches beside the archive in a folder; none need be there.
    pub fn open(archive: &Path) -> Result<Watches, Error> {
        let folder = archive.join(FOLDER);
        fs::create_dir_all(&folder).map_err(io_error("make", &folder))?;
        let lock = lock(&folder)?;
        let list = read(&folder.join(FILE))?;
        Ok(Watches { folder, list, _lock: lock })
    }

    /// All of them, in the order in which they were made.
    pub fn all(&self) -> &[Watch] {
        &self.list.watches
    }

    /// Adds a watch that rings for what comes behind this place in the change feed, and gives its number. Without a way it is shown.
    pub fn add(&mut self, subject: Subject, kinds: Vec<Kind>, ways: Vec<Way>, mark: u64) -> Result<u32, Error> {
        if self.list.watches.len() >= WATCHES_MAX {
            return Err(Error::TooMany { max: WATCHES_MAX });
        }
        let number = self.list.next;
        let kinds = if kinds.is_empty() { vec![Kind::Content] } else { kinds };
        let ways = if ways.is_empty() { vec![Way::Show] } else { ways };
        let channels = ways.into_iter().map(|way| Channel { way, mark }).collect();
        self.list.watches.push(Watch { number, subject, kinds, channels });
        self.list.next += 1;
        self.save()?;
        Ok(number)
    }

    /// Removes a watch, and says whether there was one.
    pub fn remove(&mut self, number: u32) -> Result<bool, Error> {
        let before = self.list.watches.len();
        self.list.watches.retain(|watch| watch.number != number);
        let is_removed = self.list.watches.len() < before;
        if is_removed {
            self.save()?;
        }
        Ok(is_removed)
    }

    pub(super) fn all_mut(&mut self) -> &mut [Watch] {
        &mut self.list.watches
    }

    pub(super) fn save(&self) -> Result<(), Error> {
        let file = self.folder.join(FILE);
        let bytes = serde_json::to_vec_pretty(&self.list).map_err(|error| bad(&file, &error))?;
        // Secrets are in it.
        write_whole(&file, &bytes, 0o600).map_err(io_error("write", &file))
    }
}

fn lock(folder: &Path) -> Result<File, Error> {
    let file = folder.join(LOCK);
    let lock = File::create(&file).map_err(io_error("open", &file))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(Error::Locked { folder: folder.to_owned() }),
        Err(TryLockError::Error(error)) => Err(io_error("lock", &file)(error)),
    }
}

fn read(file: &Path) -> Result<List, Error> {
    let length = match fs::metadata(file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Ok(List { format: FORMAT, next: 1, watches: Vec::new() });
        }
        found => found.map_err(io_error("look at", file))?.len(),
    };
    if length > FILE_BYTES_MAX {
        return Err(bad(file, &format!("it has {length} bytes")));
    }
    let bytes = fs::read(file).map_err(io_error("read", file))?;
    let list: List = serde_json::from_slice(&bytes).map_err(|error| bad(file, &error))?;
    match list.format {
        FORMAT => Ok(list),
        other => Err(bad(file, &format!("it is of form {other}, and this kuai knows form {FORMAT}"))),
    }
}

fn bad(file: &Path, why: &dyn std::fmt::Display) -> Error {
    Error::BadFile { file: file.to_owned(), why: why.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> Subject {
        Subject::Page("https://example.org/".to_owned())
    }

    #[test]
    fn watches_are_there_when_opened_again_and_numbers_are_used_once() {
        let folder = tempfile::tempdir().unwrap();
        let mut watches = Watches::open(folder.path()).unwrap();
        let ways = vec![Way::Command { command: "cat".to_owned() }, Way::Feed { file: "changes.atom".into() }];
        assert_eq!(watches.add(page(), vec![Kind::Label(Label::Main)], ways, 7).unwrap(), 1);
        assert_eq!(watches.add(page(), Vec::new(), Vec::new(), 7).unwrap(), 2);
        assert!(watches.remove(2).unwrap() && !watches.remove(2).unwrap());
        let kept = watches.all().to_vec();
        drop(watches);
        let mut watches = Watches::open(folder.path()).unwrap();
        assert_eq!(watches.all(), kept);
        assert_eq!(watches.add(page(), Vec::new(), Vec::new(), 7).unwrap(), 3);
    }

    #[test]
    fn two_processes_do_not_change_them_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let _first = Watches::open(folder.path()).unwrap();
        assert!(matches!(Watches::open(folder.path()), Err(Error::Locked { .. })));
    }

    #[test]
    fn a_file_of_another_form_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join(FOLDER)).unwrap();
        for text in ["{\"format\":2,\"next\":1,\"watches\":[]}", "{", ""] {
            fs::write(folder.path().join(FOLDER).join(FILE), text).unwrap();
            assert!(matches!(Watches::open(folder.path()), Err(Error::BadFile { .. })), "{text}");
        }
    }
}
