//! Tells a command: the alert as JSON on its standard input. It has a bounded time, and exit code 0 means that it was told.

use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::AsyncWriteExt;
use tokio::process::{Child, Command};
use tokio::time::timeout;

/// How long a command may take.
pub(super) const TIME_MAX: Duration = Duration::from_secs(60);

/// Runs a command by the shell, and waits for it.
pub(super) fn tell(command: &str, json: &str, time_max: Duration) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let failed = |error: std::io::Error| format!("cannot run `{command}`: {error}");
    runtime.map_err(failed)?.block_on(async {
        let mut child = Command::new("sh")
            .args(["-c", command])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()
            .map_err(failed)?;
        let status = match timeout(time_max, feed_and_wait(&mut child, json)).await {
            Ok(status) => status.map_err(failed)?,
            Err(_) => {
                kill(&child);
                return Err(format!("`{command}` took longer than {} seconds and was stopped", time_max.as_secs()));
            }
        };
        if status.success() { Ok(()) } else { Err(format!("`{command}` ended with {status}")) }
    })
}

async fn feed_and_wait(child: &mut Child, json: &str) -> std::io::Result<std::process::ExitStatus> {
    let stdin = child.stdin.take();
    let feed = async move {
        if let Some(mut stdin) = stdin {
            // A command need not read what it is told.
            let _ = stdin.write_all(format!("{json}\n").as_bytes()).await;
        }
    };
    tokio::join!(feed, child.wait()).1
}

/// Ends the shell and what it started.
fn kill(child: &Child) {
    let group = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
    if let Some(group) = group {
        // It may have ended meanwhile.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_reads_the_alert() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("told");
        tell(&format!("cat > {}", file.display()), "{\"a\":1}", TIME_MAX).unwrap();
        assert_eq!(std::fs::read_to_string(file).unwrap(), "{\"a\":1}\n");
    }

    #[test]
    fn a_command_need_not_read() {
        assert_eq!(tell("true", &"x".repeat(1 << 20), TIME_MAX), Ok(()));
    }

    #[test]
    fn a_command_that_fails_was_not_told() {
        assert_eq!(tell("exit 3", "{}", TIME_MAX), Err("`exit 3` ended with exit status: 3".to_owned()));
    }

    #[test]
    fn a_command_that_never_ends_is_stopped() {
        let told = tell("sleep 600", "{}", Duration::from_millis(50));
        assert_eq!(told, Err("`sleep 600` took longer than 0 seconds and was stopped".to_owned()));
    }
}
