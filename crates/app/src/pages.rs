//! What commands over pages share: which pages, by which method, on how many threads, and how results go out.

use std::io::{self, IsTerminal, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use kuai_page::{BlockTree, Page};
use kuai_segment::{DEFAULT_METHOD, METHODS, Method, Segmenter, Settings, method};
use serde::Serialize;

use crate::input::{self, Source};
use crate::json::FailureJson;
use crate::{Outcome, batch};

/// Pages and how to cut them.
#[derive(clap::Args)]
pub(crate) struct Pages {
    /// Files, http(s) addresses, or `-` for standard input.
    #[arg(value_name = "PAGE", required_unless_present = "batch")]
    pages: Vec<String>,
    /// The address that a page's links are resolved against.
    #[arg(long, value_name = "URL", conflicts_with = "batch")]
    url: Option<String>,
    /// Many pages: a folder (every .html and .htm below it), or a list (`path` or `path<TAB>url` a line).
    #[arg(long, value_name = "DIR|LIST", conflicts_with = "pages")]
    batch: Option<PathBuf>,
    /// Threads [default: one a core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// How to cut pages into blocks, several one after another; `kuai methods` lists them.
    #[arg(long = "method", value_name = "METHOD", default_value = DEFAULT_METHOD)]
    methods: Vec<String>,
    /// Set a parameter of the method.
    #[arg(long = "set", value_name = "NAME=VALUE")]
    settings: Vec<String>,
}

/// A page cut by one method.
pub(crate) struct Cut {
    pub(crate) method: &'static Method,
    pub(crate) tree: BlockTree,
}

/// How results are written one after another.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stream {
    /// For people: each page under its name where there are several.
    Text,
    /// A JSON document a line, failures too.
    JsonLines,
}

impl Pages {
    /// Reads every page, cuts it, and writes what `render` makes of it, in order. A page that cannot be read is
    /// named on standard error and the others go on.
    pub(crate) fn run(
        &self,
        quiet: bool,
        stream: Stream,
        render: impl Fn(&Source, &Page, &[Cut]) -> String + Sync,
    ) -> anyhow::Result<Outcome> {
        let methods = self.chosen_methods()?;
        let sources = self.sources()?;
        let segmenters: Vec<_> =
            methods.iter().map(|(method, settings)| (*method, method.segmenter(settings))).collect();
        let jobs = self.jobs.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from);
        let work = |source: &Source| {
            let read_and_cut = || -> anyhow::Result<String> {
                let page = source.read()?;
                let cut = |(method, segmenter): &(&'static Method, Box<dyn Segmenter>)| Cut {
                    method,
                    tree: segmenter.segment(&page),
                };
                Ok(render(source, &page, &segmenters.iter().map(cut).collect::<Vec<_>>()))
            };
            panic::catch_unwind(AssertUnwindSafe(read_and_cut))
                .unwrap_or_else(|_| Err(anyhow!("a fault in kuai: please report this page")))
        };
        let mut progress = Progress::new(sources.len(), quiet || self.batch.is_none());
        let mut out = io::BufWriter::new(anstream::AutoStream::auto(io::stdout()).lock());
        let mut failed = 0;
        let mut found_text = false;
        batch::in_order(&sources, jobs, work, |source, result| -> anyhow::Result<()> {
            match result {
                Ok(text) => {
                    found_text |= !text.is_empty();
                    write_result(&mut out, source, &text, stream, sources.len() > 1)?;
                }
                Err(error) => {
                    failed += 1;
                    let reason = format!("{error:#}");
                    progress.say(&format!("kuai: {}: {reason}", source.place));
                    if stream == Stream::JsonLines {
                        writeln!(out, "{}", json_line(&FailureJson { path: &source.place, error: reason }))?;
                    }
                }
            }
            progress.step();
            Ok(())
        })?;
        out.flush()?;
        progress.finish(failed);
        Ok(match (failed, found_text) {
            (1.., _) => Outcome::SomeFailed,
            (0, true) => Outcome::Done,
            (0, false) => Outcome::Nothing,
        })
    }

    /// How many pages were named, as far as the command line tells.
    pub(crate) fn is_one_page(&self) -> bool {
        self.batch.is_none() && self.pages.len() == 1
    }

    fn sources(&self) -> anyhow::Result<Vec<Source>> {
        match &self.batch {
            Some(place) => input::batch(place),
            None => self.pages.iter().map(|place| Source::new(place, self.url.as_deref())).collect(),
        }
    }

    fn chosen_methods(&self) -> anyhow::Result<Vec<(&'static Method, Settings)>> {
        self.methods.iter().map(|name| self.chosen_method(name)).collect()
    }

    fn chosen_method(&self, name: &str) -> anyhow::Result<(&'static Method, Settings)> {
        let method = method(name).with_context(|| {
            let names: Vec<_> = METHODS.iter().map(|method| method.name).collect();
            format!("there is no method {name}; there are {}", names.join(", "))
        })?;
        let mut settings = method.defaults();
        for setting in &self.settings {
            let Some((name, value)) = setting.split_once('=') else {
                bail!("--set takes NAME=VALUE, not {setting}");
            };
            let value: f64 = value.trim().parse().with_context(|| format!("{name} takes a number, not {value}"))?;
            settings.set(name.trim(), value)?;
        }
        Ok((method, settings))
    }
}

/// One JSON document on one line.
pub(crate) fn json_line(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("our types hold nothing that JSON cannot say")
}

fn write_result(out: &mut impl Write, source: &Source, text: &str, stream: Stream, several: bool) -> io::Result<()> {
    if several && stream == Stream::Text {
        writeln!(out, "==> {} <==", source.place)?;
    }
    writeln!(out, "{text}")?;
    if several && stream == Stream::Text { writeln!(out) } else { Ok(()) }
}

/// A bar on a terminal, a line every few seconds elsewhere, nothing when quiet.
struct Progress {
    bar: ProgressBar,
    plain: bool,
    total: usize,
    done: usize,
    last_line: Instant,
}

const PLAIN_LINE_EVERY: Duration = Duration::from_secs(5);

impl Progress {
    fn new(total: usize, quiet: bool) -> Progress {
        let terminal = io::stderr().is_terminal();
        let target = if quiet || !terminal { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} pages  {per_sec}  {eta} left")
            .expect("the template is well formed");
        let bar = ProgressBar::with_draw_target(Some(total as u64), target).with_style(style);
        Progress { bar, plain: !quiet && !terminal, total, done: 0, last_line: Instant::now() }
    }

    fn step(&mut self) {
        self.bar.inc(1);
        self.done += 1;
        if self.plain && self.last_line.elapsed() >= PLAIN_LINE_EVERY {
            self.last_line = Instant::now();
            anstream::eprintln!("{} of {} pages", self.done, self.total);
        }
    }

    fn say(&self, message: &str) {
        self.bar.suspend(|| anstream::eprintln!("{message}"));
    }

    fn finish(&self, failed: usize) {
        self.bar.finish_and_clear();
        if failed > 0 && self.total > 1 {
            anstream::eprintln!("kuai: {failed} of {} pages could not be read", self.total);
        }
    }
}
