//! What commands over pages share: which pages, by which method, on how many threads, and how results go out.

use std::ffi::OsString;
use std::io::{self, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::thread;

use anyhow::{anyhow, bail};
use kuai::SiteModels;
use kuai_page::{BlockTree, Page};
use kuai_segment::{DEFAULT_METHOD, Judged, Method, Segmenter, Settings, method};
use serde::Serialize;

use crate::input::{self, Source, Sources};
use crate::json::FailureJson;
use crate::progress::Progress;
use crate::settings::{ParameterFile, named_method, set_all};
use crate::{Outcome, batch};

/// Which pages, read on how many threads.
#[derive(clap::Args)]
pub(crate) struct Inputs {
    /// Files, http(s) addresses, or `-` for standard input.
    #[arg(value_name = "PAGE", required_unless_present = "batch")]
    pages: Vec<OsString>,
    /// The page's address: links are resolved against it, and the default method takes it into account.
    #[arg(long, value_name = "URL", conflicts_with = "batch")]
    url: Option<String>,
    /// Many pages: a folder (every .html and .htm below it), or a list (`path` or `path<TAB>url` a line).
    #[arg(long, value_name = "DIR|LIST", conflicts_with = "pages")]
    batch: Option<PathBuf>,
    /// Threads [default: one a core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

/// Pages and how to cut them.
#[derive(clap::Args)]
pub(crate) struct Pages {
    #[command(flatten)]
    inputs: Inputs,
    /// How to cut pages into blocks, several one after another; `kuai methods` lists them.
    #[arg(long = "method", value_name = "METHOD", default_value = DEFAULT_METHOD)]
    methods: Vec<String>,
    /// Set a parameter of the method.
    #[arg(long = "set", value_name = "NAME=VALUE")]
    settings: Vec<String>,
    /// A file with parameters of methods, as `kuai tune` writes it; --set goes before it.
    #[arg(long, value_name = "FILE")]
    parameters: Option<PathBuf>,
    /// Sure text (-1) or much text (1), for methods that can be asked for it.
    #[arg(skip)]
    pub(crate) leaning: Option<f64>,
    /// What the pages are cut for.
    #[arg(skip)]
    pub(crate) aim: Aim,
    /// Levels of nested blocks to keep; a method that cuts to a level is asked for this one.
    #[arg(skip)]
    pub(crate) level: Option<u32>,
    /// Models of sites, which go before the default method.
    #[arg(skip)]
    pub(crate) site_models: Option<SiteModels>,
}

/// What pages are cut for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Aim {
    /// Their blocks.
    #[default]
    Blocks,
    /// Their text and what each part of it is for. Nobody asks how the pages look, unless a method does.
    Text,
    /// Their main text and nothing else.
    MainText,
}

/// A page cut by one method.
pub(crate) struct Cut {
    pub(crate) method: &'static Method,
    /// Whether it was not the method but the model of the page's site that told text from noise.
    pub(crate) by_site_model: bool,
    pub(crate) judged: Judged,
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
    /// Reads and cuts every page and writes what `render` makes of it, in order.
    pub(crate) fn run(
        &self,
        quiet: bool,
        stream: Stream,
        render: impl Fn(&Source, &Page, &[Cut]) -> String + Sync,
    ) -> anyhow::Result<Outcome> {
        let methods = self.chosen_methods()?;
        let segmenters: Vec<_> =
            methods.iter().map(|(method, settings)| (*method, method.segmenter(settings))).collect();
        let plain = self.aim != Aim::Blocks && methods.iter().all(|(method, _)| !method.reads_styles);
        self.inputs.run(quiet, stream, |source, page| {
            let page = if plain { page.plain() } else { source.with_sheets(page) };
            let page = &page;
            let cut = |(method, segmenter): &(&'static Method, Box<dyn Segmenter>)| {
                let judged = match self.aim {
                    Aim::Blocks => self.to_level(segmenter.segment(page)).into(),
                    Aim::Text => segmenter.judge(page),
                    Aim::MainText => segmenter.judge_main(page),
                };
                Cut { method, by_site_model: false, judged }
            };
            let cuts = match self.cut_by_site(source, page) {
                Some(cut) => vec![cut],
                None => segmenters.iter().map(cut).collect(),
            };
            Some(render(source, page, &cuts))
        })
    }

    fn to_level(&self, tree: BlockTree) -> BlockTree {
        match self.level {
            Some(level) => tree.to_level(level),
            None => tree,
        }
    }

    /// Cuts a page by the model of its site, where there is one and the default method would be taken otherwise.
    fn cut_by_site(&self, source: &Source, page: &Page) -> Option<Cut> {
        let method = method(DEFAULT_METHOD).filter(|method| self.methods == [method.name] && self.leaning.is_none())?;
        match self.site_models.as_ref()?.clean(page) {
            Ok(None) => None,
            Ok(Some(Ok(cleaned))) => Some(Cut { method, by_site_model: true, judged: cleaned.blocks().clone().into() }),
            Ok(Some(Err(misfit))) => {
                anstream::eprintln!("kuai: {}: {misfit}; the default method is taken", source.place);
                None
            }
            Err(error) => {
                anstream::eprintln!("kuai: the site model cannot be read: {error}; the default method is taken");
                None
            }
        }
    }

    /// How many pages were named, as far as the command line tells.
    pub(crate) fn is_one_page(&self) -> bool {
        self.inputs.batch.is_none() && self.inputs.pages.len() == 1
    }

    fn chosen_methods(&self) -> anyhow::Result<Vec<(&'static Method, Settings)>> {
        let file = ParameterFile::read(self.parameters.as_ref())?;
        self.methods.iter().map(|name| self.chosen_method(name, &file)).collect()
    }

    fn chosen_method(&self, name: &str, file: &ParameterFile) -> anyhow::Result<(&'static Method, Settings)> {
        let method = named_method(name)?;
        let mut settings = file.settings(method);
        for (name, asked) in [("level", self.level.map(f64::from)), ("leaning", self.leaning)] {
            if let Some(value) = asked.filter(|_| method.parameters.iter().any(|parameter| parameter.name == name)) {
                settings.set(name, value)?;
            }
        }
        set_all(&mut settings, &self.settings)?;
        Ok((method, settings))
    }
}

impl Inputs {
    /// Reads every page and writes what `render` makes of it, in order; nothing where it makes nothing of it. A page that cannot be
    /// read is named on standard error and the others go on.
    pub(crate) fn run(
        &self,
        quiet: bool,
        stream: Stream,
        render: impl Fn(&Source, Page) -> Option<String> + Sync,
    ) -> anyhow::Result<Outcome> {
        let Sources { count, each } = self.sources()?;
        let jobs = self.jobs.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from);
        let work = |source: &Source| {
            let read_and_render = || -> anyhow::Result<Option<String>> { Ok(render(source, source.read()?)) };
            panic::catch_unwind(AssertUnwindSafe(read_and_render))
                .unwrap_or_else(|_| Err(anyhow!("{}: a fault in kuai: please report this page", source.place)))
        };
        let mut progress = Progress::new(count, "pages", quiet || self.batch.is_none());
        let mut out = io::BufWriter::with_capacity(OUT_BYTES, io::stdout().lock());
        let (mut told, mut failed) = (0, 0_usize);
        let mut found_text = false;
        batch::in_order(each, jobs.min(count), work, |source, result| -> anyhow::Result<()> {
            match result {
                Ok(None) => {}
                Ok(Some(text)) => {
                    found_text |= !text.is_empty();
                    write_result(&mut out, source, &text, stream, count > 1)?;
                }
                Err(error) => {
                    failed += 1;
                    let reason = format!("{error:#}");
                    progress.say(&format!("kuai: {reason}"));
                    if stream == Stream::JsonLines {
                        writeln!(out, "{}", json_line(&FailureJson { path: &source.place, error: reason }))?;
                    }
                }
            }
            told += 1;
            progress.step();
            Ok(())
        })?;
        out.flush()?;
        progress.finish();
        if told != count {
            bail!("the list changed or broke off while it was read: it named {count} pages, {told} were found in it");
        }
        if failed > 0 && count > 1 {
            anstream::eprintln!("kuai: {failed} of {count} pages could not be read");
        }
        Ok(match (failed, found_text) {
            (1.., _) => Outcome::SomeFailed,
            (0, true) => Outcome::Done,
            (0, false) => {
                if !quiet && stream == Stream::Text {
                    anstream::eprintln!("kuai: nothing was found; --json says more");
                }
                Outcome::Nothing
            }
        })
    }

    fn sources(&self) -> anyhow::Result<Sources> {
        match &self.batch {
            Some(place) => input::batch(place),
            None => {
                let sources = self.pages.iter().map(|place| Source::new(place, self.url.as_deref()));
                Ok(sources.collect::<anyhow::Result<Vec<Source>>>()?.into())
            }
        }
    }
}

/// One JSON document on one line.
pub(crate) fn json_line(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("our types hold nothing that JSON cannot say")
}

/// Bytes that are written at once.
const OUT_BYTES: usize = 1 << 16;

fn write_result(
    out: &mut io::BufWriter<impl Write>,
    source: &Source,
    text: &str,
    stream: Stream,
    several: bool,
) -> io::Result<()> {
    // Whoever is interrupted has told whole lines.
    if out.buffer().len() + text.len() >= out.capacity() {
        out.flush()?;
    }
    if several && stream == Stream::Text {
        writeln!(out, "==> {} <==", source.place)?;
    }
    writeln!(out, "{text}")?;
    if several && stream == Stream::Text { writeln!(out) } else { Ok(()) }
}
