//! `kuai tune`: a method's parameters, chosen on labelled pages.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;
use kuai_eval::{METRICS, Metric, TuneOptions, Tuned, metric, tune};
use kuai_segment::Method;

use super::eval::open_set;
use crate::Outcome;
use crate::progress::Progress;
use crate::settings::{ParameterFile, named_method};

/// Choose a method's parameters on labelled pages.
#[derive(clap::Args)]
#[command(after_help = "\
The score that counts is the cross-validated one: every page is judged with parameters that were chosen on pages of other
sites. Where that is no better than before, the parameters stay as they were. `kuai eval --help` tells the forms of labelled
pages.

Example:
  kuai tune spcola --set my-pages -o my.toml && kuai extract --parameters my.toml --method spcola page.html")]
pub(crate) struct Tune {
    /// The method; `kuai methods` lists them.
    method: String,
    /// The labelled pages: a folder, or the name of one below $KUAI_DATA.
    #[arg(long, value_name = "NAME|DIR")]
    set: String,
    /// Write the parameters to this file [default: standard output].
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Start from the parameters in this file.
    #[arg(long, value_name = "FILE")]
    parameters: Option<PathBuf>,
    /// What is to grow, as `kuai eval --json` names it; several count by their mean [default: what suits the pages].
    #[arg(long = "metric", value_name = "METRIC", num_args = 1..)]
    metrics: Vec<String>,
    /// Parts that the pages are dealt into for cross-validation.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(2..=100))]
    folds: u16,
    /// Settings to try at most.
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    trials: u32,
    /// Threads [default: one a core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

impl Tune {
    pub(crate) fn run(self, quiet: bool) -> anyhow::Result<Outcome> {
        let method = named_method(&self.method)?;
        let options = TuneOptions {
            metrics: self.metrics.iter().map(|name| named_metric(name)).collect::<anyhow::Result<_>>()?,
            folds: usize::from(self.folds),
            trials_max: self.trials as usize,
            jobs: self.jobs.map_or(0, usize::from),
            ..TuneOptions::default()
        };
        let start = ParameterFile::read(self.parameters.as_ref())?.settings(method);
        let corpus = open_set(Some(&self.set))?;
        let mut progress = Progress::new(options.trials_max, "trials", quiet);
        let tuned = tune(&corpus, method, &start, &options, |_| progress.step())?;
        progress.finish();
        for fault in &tuned.faults {
            anstream::eprintln!("kuai: {fault}");
        }
        let summary = summary(&tuned);
        if !quiet {
            anstream::eprintln!("{summary}");
        }
        let file = parameter_file(method, &tuned, &corpus.name, &summary);
        match &self.output {
            Some(path) => fs::write(path, file).with_context(|| format!("cannot write {}", path.display()))?,
            None => io::stdout().write_all(file.as_bytes())?,
        }
        Ok(Outcome::Done)
    }
}

fn named_metric(name: &str) -> anyhow::Result<&'static Metric> {
    metric(name).with_context(|| {
        let names: Vec<_> = METRICS.iter().map(|metric| metric.name).collect();
        format!("there is no metric {name}; there are {}", names.join(", "))
    })
}

fn summary(tuned: &Tuned) -> String {
    let names: Vec<_> = tuned.metrics.iter().map(|metric| metric.name).collect();
    let mut text = format!(
        "{} on {} pages: {:.4} before, {:.4} after by cross-validation in {} folds ({:.4} on the pages it was chosen on), {} trials",
        names.join(", "),
        tuned.page_count,
        tuned.before,
        tuned.cross_validated,
        tuned.folds,
        tuned.fitted,
        tuned.trials,
    );
    if tuned.page_count < tuned.corpus_page_count {
        let _ = write!(text, "; an even sample of {} pages", tuned.corpus_page_count);
    }
    if !tuned.holds {
        text.push_str("; that is no better on unseen pages, so the parameters stay as they were");
    }
    text
}

fn parameter_file(method: &'static Method, tuned: &Tuned, set: &str, summary: &str) -> String {
    let mut text = format!("# kuai tune {} on {set}\n# {summary}\n[{}]\n", method.name, method.name);
    for parameter in method.parameters {
        let value = tuned.settings.get(parameter.name);
        let was =
            if value == parameter.default { String::new() } else { format!("  # {} by default", parameter.default) };
        let _ = writeln!(text, "{} = {value}{was}", parameter.name);
    }
    text
}
