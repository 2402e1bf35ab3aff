//! How far a long command has come, on standard error.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar on a terminal, a line every few seconds elsewhere, nothing when quiet.
pub(crate) struct Progress {
    bar: ProgressBar,
    plain: bool,
    unit: &'static str,
    total: usize,
    done: usize,
    last_line: Instant,
}

const PLAIN_LINE_EVERY: Duration = Duration::from_secs(5);

impl Progress {
    /// Of `total` things called `unit`.
    pub(crate) fn new(total: usize, unit: &'static str, quiet: bool) -> Progress {
        Progress::drawn(total, unit, &format!("{{bar:30}} {{pos}}/{{len}} {unit}  {{per_sec}}  {{eta}} left"), quiet)
    }

    /// Of a file's bytes, in the units that people use for them.
    pub(crate) fn of_bytes(total: u64, quiet: bool) -> Progress {
        let template = "{bar:30} {decimal_bytes}/{decimal_total_bytes}  {decimal_bytes_per_sec}  {eta} left";
        Progress::drawn(total as usize, "bytes", template, quiet)
    }

    fn drawn(total: usize, unit: &'static str, template: &str, quiet: bool) -> Progress {
        let terminal = io::stderr().is_terminal();
        let target = if quiet || !terminal { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let style = ProgressStyle::with_template(template).expect("the template is well formed");
        let bar = ProgressBar::with_draw_target(Some(total as u64), target).with_style(style);
        Progress { bar, plain: !quiet && !terminal, unit, total, done: 0, last_line: Instant::now() }
    }

    /// One more is done.
    pub(crate) fn step(&mut self) {
        self.at(self.done as u64 + 1, self.total as u64);
    }

    /// So many are done, of so many.
    pub(crate) fn at(&mut self, done: u64, total: u64) {
        (self.done, self.total) = (done as usize, total as usize);
        self.bar.set_length(total);
        self.bar.set_position(done);
        if self.plain && self.last_line.elapsed() >= PLAIN_LINE_EVERY {
            self.last_line = Instant::now();
            anstream::eprintln!("{} of {} {}", self.done, self.total, self.unit);
        }
    }

    /// Says something without spoiling the bar.
    pub(crate) fn say(&self, message: &str) {
        self.bar.suspend(|| anstream::eprintln!("{message}"));
    }

    /// All is done, or as much as there will be.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
