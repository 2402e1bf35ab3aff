//! Crawls on disk, a file each beside the archive, so that a server knows them again. What they have visited is in the frontier.

use std::path::{Path, PathBuf};
use std::{fs, io};

use super::job::{Job, JobState};

/// The folder of crawls, beside the archive's own files.
const FOLDER: &str = "jobs";
/// Files that are read.
const FILES_MAX: usize = 1000;

/// Writes a crawl down, all of it or nothing.
pub(super) fn save(archive: &Path, job: &Job) -> io::Result<()> {
    fs::create_dir_all(archive.join(FOLDER))?;
    let file = file(archive, job.id);
    let unfinished = file.with_extension("json.tmp");
    let told = Job { live: None, ..job.clone() };
    fs::write(&unfinished, serde_json::to_vec(&told)?)?;
    fs::rename(&unfinished, &file)
}

/// The crawls that were written down. Those that ran when the server went can go on.
pub(super) fn load(archive: &Path) -> Vec<Job> {
    let Ok(entries) = fs::read_dir(archive.join(FOLDER)) else { return Vec::new() };
    let files =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|end| end == "json"));
    files.take(FILES_MAX).filter_map(|path| read(&path)).collect()
}

/// Forgets a crawl.
pub(super) fn remove(archive: &Path, id: u64) {
    // One that stays is removed with the next.
    let _ = fs::remove_file(file(archive, id));
}

fn read(path: &Path) -> Option<Job> {
    let read = fs::read(path).and_then(|bytes| Ok(serde_json::from_slice::<Job>(&bytes)?));
    match read {
        Ok(mut job) => {
            if job.state.is_active() {
                job.state = JobState::Paused;
            }
            Some(job)
        }
        Err(error) => {
            eprintln!("kuai: {}: {error}", path.display());
            None
        }
    }
}

fn file(archive: &Path, id: u64) -> PathBuf {
    archive.join(FOLDER).join(format!("{id}.json"))
}
