//! What a command costs: processor time of all its threads, the most memory it had, the time it took.
//!
//! The system adds up the children of a process, and lets a new program inherit the memory peak of the one that starts it. So a
//! command is started by a fresh small process: this program once more, which [`run_if_asked`] sees to.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::{self, Command, Stdio};
use std::time::Instant;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;

/// The first argument of the process that starts the command.
const ASKED: &str = "--run-measured";

/// What a command cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Processor time in user and system mode.
    pub cpu_seconds: f64,
    /// Time on the clock.
    pub wall_seconds: f64,
    /// The most memory that a process of it had.
    pub peak_megabytes: f64,
    /// The exit status, if it had one.
    pub status: Option<i32>,
}

/// Runs a command to its end and measures it. Its standard output is thrown away, its messages go to `messages`.
pub fn run(command: &Command, messages: &Path) -> io::Result<Cost> {
    let mut starter = Command::new(std::env::current_exe()?);
    starter.arg(ASKED).arg(command.get_program()).args(command.get_args());
    starter.stdin(Stdio::null()).stderr(std::fs::File::create(messages)?);
    let output = starter.output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    read_cost(&text).ok_or_else(|| io::Error::other(format!("{:?} could not be started", command.get_program())))
}

/// To be called first in `main` of programs that [`run`] commands: does the starting where that is what the process is for.
pub fn run_if_asked() {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_some_and(|first| first == ASKED) {
        let status = start(arguments.collect());
        process::exit(status);
    }
}

fn start(words: Vec<OsString>) -> i32 {
    let Some((program, arguments)) = words.split_first() else { return 2 };
    let clock = Instant::now();
    let Ok(status) = Command::new(program).args(arguments).stdout(Stdio::null()).status() else { return 2 };
    let wall = clock.elapsed().as_secs_f64();
    let Ok(usage) = getrusage(UsageWho::RUSAGE_CHILDREN) else { return 2 };
    let cpu = (usage.user_time() + usage.system_time()).num_microseconds() as f64 / 1e6;
    let peak = usage.max_rss() as f64 * 1024.0 / 1e6;
    println!("{cpu} {wall} {peak} {}", status.code().map_or("none".to_owned(), |code| code.to_string()));
    0
}

fn read_cost(text: &str) -> Option<Cost> {
    let mut words = text.split_whitespace();
    let mut number = || words.next()?.parse().ok();
    let (cpu_seconds, wall_seconds, peak_megabytes) = (number()?, number()?, number()?);
    Some(Cost { cpu_seconds, wall_seconds, peak_megabytes, status: words.next()?.parse().ok() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cost_reads_as_it_was_written() {
        let cost = Cost { cpu_seconds: 1.5, wall_seconds: 2.0, peak_megabytes: 30.0, status: Some(0) };
        assert_eq!(read_cost("1.5 2 30 0\n"), Some(cost));
        assert_eq!(read_cost("1.5 2 30 none\n"), Some(Cost { status: None, ..cost }));
        assert_eq!(read_cost(""), None);
    }
}
