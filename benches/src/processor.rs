//! Processor time of this process and of the Postgres that `scripts/shared-servers` runs for it.

use std::fs;
use std::path::Path;

/// Ticks of the system's clock in a second, as Linux tells times of processes.
const TICKS: f64 = 100.0;

/// The processor time that was used so far, in seconds: ours, and that of the server with everything it has started.
pub fn used_seconds() -> f64 {
    let server = std::env::var_os("KUAI_TEST_POSTGRES_DATA").and_then(|folder| postmaster(Path::new(&folder)));
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let ticks = processes.filter_map(|process| {
        let number: u32 = process.file_name().to_str()?.parse().ok()?;
        let times = Times::read(&fs::read_to_string(process.path().join("stat")).ok()?)?;
        Some(match Some(number) == server {
            true => times.own + times.ended_children,
            false if number == std::process::id() || Some(times.parent) == server => times.own,
            false => 0,
        })
    });
    ticks.sum::<u64>() as f64 / TICKS
}

fn postmaster(folder: &Path) -> Option<u32> {
    fs::read_to_string(folder.join("postmaster.pid")).ok()?.lines().next()?.trim().parse().ok()
}

/// Times of a process, in ticks.
#[derive(Debug, PartialEq)]
struct Times {
    parent: u32,
    own: u64,
    ended_children: u64,
}

impl Times {
    /// From `/proc/N/stat`. The name stands in brackets and may hold anything.
    fn read(stat: &str) -> Option<Times> {
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let ticks = |index: usize| fields.get(index)?.parse::<u64>().ok();
        Some(Times {
            parent: fields.get(1)?.parse().ok()?,
            own: ticks(11)? + ticks(12)?,
            ended_children: ticks(13)? + ticks(14)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_behind_a_name_with_brackets() {
        let stat = "7 (a (b) c) S 3 7 7 0 -1 4 1 2 3 4 10 20 30 40 20 0 1 0 5 6 7";
        assert_eq!(Times::read(stat), Some(Times { parent: 3, own: 30, ended_children: 70 }));
        assert_eq!(Times::read("7 (cut"), None);
    }
}
