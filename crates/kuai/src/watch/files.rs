//! Files that are there whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Writes a file beside its place and moves it there, so that no reader ever sees half of it. `mode` says who may read it.
pub(super) fn write_whole(file: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(".tmp");
    let unfinished = file.with_file_name(name);
    // What a killed process left might be readable by others.
    match fs::remove_file(&unfinished) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut out = OpenOptions::new().write(true).create_new(true).mode(mode).open(&unfinished)?;
    out.write_all(bytes)?;
    out.sync_all()?;
    fs::rename(&unfinished, file)?;
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}
