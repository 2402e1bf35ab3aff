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

/// The address of a shared archive in the Postgres of `scripts/shared-servers`, its objects in a folder; `None` where there is no server, which only
/// ./check minds.
pub(crate) fn shared_place(folder: &Path) -> Option<String> {
    let Some(server) = std::env::var_os("KUAI_TEST_POSTGRES") else {
        assert!(std::env::var_os("KUAI_TEST_REQUIRED").is_none(), "run scripts/shared-servers");
        println!("SKIPPED: KUAI_TEST_POSTGRES is not set; `scripts/shared-servers cargo nextest run` runs this too");
        return None;
    };
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos();
    let objects = folder.join("objects");
    Some(format!("{}?schema=app_{since}&objects={}", server.to_string_lossy(), objects.display()))
}
