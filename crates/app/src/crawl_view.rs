//! How a crawl goes, live: two lines on a terminal, a plain line every few seconds elsewhere.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use kuai::{Stage, Status};

use crate::terminal::cut_to_width;
use crate::wording::{counted, size};

const PLAIN_LINE_EVERY: Duration = Duration::from_secs(5);
/// Columns where nobody says how many there are.
const USUAL_WIDTH: usize = 100;

/// Shows how a crawl goes.
pub(crate) struct CrawlView {
    bar: ProgressBar,
    is_plain: bool,
    last_line: Instant,
}

impl CrawlView {
    pub(crate) fn new(quiet: bool) -> CrawlView {
        let is_terminal = io::stderr().is_terminal();
        let target = if quiet || !is_terminal { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let style = ProgressStyle::with_template("{spinner} {msg}").expect("the template is well formed");
        let bar = ProgressBar::with_draw_target(None, target).with_style(style);
        CrawlView { bar, is_plain: !quiet && !is_terminal, last_line: Instant::now() }
    }

    pub(crate) fn show(&mut self, status: &Status) {
        if self.is_plain && self.last_line.elapsed() >= PLAIN_LINE_EVERY {
            self.last_line = Instant::now();
            anstream::eprintln!("{}", line(status));
        } else if !self.is_plain {
            let width = console::Term::stderr().size_checked().map_or(USUAL_WIDTH, |(_, columns)| columns.into());
            let last = status.last.as_ref().map(|url| url.as_str()).unwrap_or_default();
            let lines = [cut_to_width(&line(status), width - 3), format!("  {}", cut_to_width(last, width - 3))];
            self.bar.set_message(lines.join("\n"));
            self.bar.tick();
        }
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// How it goes, in a line.
fn line(status: &Status) -> String {
    let seconds = status.elapsed.as_secs_f64().max(0.001);
    let mut parts = vec![
        format!(
            "{} ({:.0}/s, {}/s)",
            counted(status.kept, "page"),
            status.kept as f64 / seconds,
            size((status.bytes as f64 / seconds) as u64)
        ),
        format!("{} queued", status.counts.of(Stage::Ready) + status.counts.of(Stage::Claimed)),
        counted(status.hosts as u64, "host"),
        format!("{} new, {} changed, {} same", status.new, status.changed, status.same),
    ];
    if status.judged > 0 {
        let share = 100.0 * status.on_topic as f64 / status.judged as f64;
        parts.push(format!("{} on topic ({share:.0} %)", status.on_topic));
    }
    if status.failed > 0 {
        parts.push(format!("{} failed", status.failed));
    }
    parts.push(format!("{} saved", size(status.bytes.saturating_sub(status.stored))));
    if let Some(wait) = status.waiting {
        parts.push(format!("waiting {} s for a host", wait.as_secs() + 1));
    }
    parts.join(", ")
}
