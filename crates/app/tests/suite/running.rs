//! Runs kuai and gives what came of it: exit code, standard output and standard error.

use std::path::Path;

use assert_cmd::Command;

pub(crate) type Came = (i32, String, String);

/// kuai in a folder, knowing of no other archive.
pub(crate) fn kuai(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("kuai").unwrap();
    command.current_dir(folder).env_remove("KUAI_ARCHIVE").args(arguments);
    command
}

pub(crate) fn finish(mut command: Command) -> Came {
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

pub(crate) fn run(folder: &Path, arguments: &[&str]) -> Came {
    finish(kuai(folder, arguments))
}
