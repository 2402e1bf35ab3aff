//! `kuai eval`: how good methods are on labelled pages, beside what the papers say of them.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anstyle::Style;
use anyhow::{Context, bail};
use kuai_eval::{
    Contender, Corpus, DefaultTexts, EvaluateOptions, Evaluation, RowKind, Table, evaluate, series, tables,
};
use kuai_segment::METHODS;

use crate::Outcome;
use crate::drawing::draw;
use crate::json::{EvalJson, SeriesJson, predictions};
use crate::pages::json_line;
use crate::progress::Progress;
use crate::series_table::series_table;
use crate::settings::{ParameterFile, named_method};

/// Judge methods on labelled pages.
#[derive(clap::Args)]
#[command(after_help = "\
A set is a folder, or the name of one below $KUAI_DATA. Its form is told by what lies in it: gold.json and list.tsv (texts),
labels/ and pages/ (labelled runs), gold.jsonl (blocks as ranges), or .html files in which <!--kuai:LABEL-->…<!--/kuai-->
enclose blocks.

Examples:
  kuai eval                                      all methods on kuai's own pages, in its repository
  kuai eval --set my-pages --html report.html    all methods on your pages, as a page with plots
  kuai eval --set blocks-zh --method spcola --method gdom --pages 5
  kuai eval --series                             site models on real series of pages: each page of a host teaches in turn, the
                                                 others are judged [default: wcxb, snippets and articles]")]
pub(crate) struct Eval {
    /// The labelled pages [default: kuai's own, where its repository is the working folder].
    #[arg(long, value_name = "NAME|DIR")]
    set: Option<String>,
    /// The methods to judge [default: all].
    #[arg(long = "method", value_name = "METHOD", num_args = 1..)]
    methods: Vec<String>,
    /// A file with parameters of methods, as `kuai tune` writes it.
    #[arg(long, value_name = "FILE")]
    parameters: Option<PathBuf>,
    /// One JSON document with all figures, of each page too.
    #[arg(long)]
    json: bool,
    /// Write a report with tables and plots, and drawings of the worst pages into FILE-drawings.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// List this many of the worst pages of each method.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pages: usize,
    /// Write what the method answered, a JSON object a page and line; takes one method.
    #[arg(long, value_name = "FILE")]
    predictions: Option<PathBuf>,
    /// Judge site models on the hosts of which a set has three pages or more, beside the default method.
    #[arg(long, conflicts_with_all = ["methods", "parameters", "html", "pages", "predictions"])]
    series: bool,
    /// What the default method says of the pages, SET.json with page and text each, from a model that has not seen their hosts;
    /// `training/extract.py --texts DIR` writes it.
    #[arg(long, value_name = "DIR", requires = "series")]
    default_texts: Option<PathBuf>,
    /// Threads [default: one a core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

impl Eval {
    pub(crate) fn run(self, quiet: bool) -> anyhow::Result<Outcome> {
        if self.series {
            return self.run_series();
        }
        let contenders = self.contenders()?;
        if self.predictions.is_some() && self.methods.len() != 1 {
            bail!("--predictions takes the answers of one method: give one --method");
        }
        let corpus = open_set(self.set.as_deref())?;
        let options =
            EvaluateOptions { jobs: self.jobs.map_or(0, usize::from), keep_answers: self.predictions.is_some() };
        let progress = Mutex::new(Progress::new(corpus.entries().len(), "pages", quiet));
        let lock = || progress.lock().unwrap_or_else(PoisonError::into_inner);
        let evaluation = evaluate(&corpus, &contenders, options, || lock().step());
        lock().finish();
        for fault in &evaluation.faults {
            anstream::eprintln!("kuai: {fault}");
        }
        if evaluation.page_count == 0 {
            bail!("no page of {} can be read", corpus.folder.display());
        }
        self.write(&evaluation)?;
        if let Some(path) = &self.html {
            write_report(path, &evaluation, &corpus, &contenders, self.pages.max(WORST_IN_REPORT))?;
        }
        Ok(Outcome::Done)
    }

    fn run_series(&self) -> anyhow::Result<Outcome> {
        let sets: Vec<&str> = self.set.as_deref().map_or(SERIES_SETS.to_vec(), |set| vec![set]);
        let mut all = Vec::new();
        for set in sets {
            let corpus = open_set(Some(set))?;
            all.extend(series(&corpus, &self.default_texts(&corpus)?, self.jobs.map_or(0, usize::from), || ()));
        }
        if self.json {
            all.iter().for_each(|series| anstream::println!("{}", json_line(&SeriesJson::new(series))));
        } else {
            anstream::print!("{}", series_table(&all));
        }
        Ok(if all.is_empty() { Outcome::Nothing } else { Outcome::Done })
    }

    fn default_texts(&self, corpus: &Corpus) -> anyhow::Result<DefaultTexts> {
        let Some(folder) = &self.default_texts else { return Ok(DefaultTexts::new()) };
        let path = folder.join(format!("{}.json", corpus.name));
        let file = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        serde_json::from_slice(&file).with_context(|| format!("{} does not give each page a text", path.display()))
    }

    fn contenders(&self) -> anyhow::Result<Vec<Contender>> {
        let file = ParameterFile::read(self.parameters.as_ref())?;
        let methods = if self.methods.is_empty() {
            METHODS.iter().collect()
        } else {
            self.methods.iter().map(|name| named_method(name)).collect::<anyhow::Result<Vec<_>>>()?
        };
        let methods = methods.into_iter().map(|method| Contender::method(method, file.settings(method)));
        Ok(methods.chain(Contender::baselines()).collect())
    }

    fn write(&self, evaluation: &Evaluation) -> anyhow::Result<()> {
        if let Some(path) = &self.predictions {
            write_file(path, &predictions(&evaluation.methods[0]))?;
        }
        let mut out = io::BufWriter::new(anstream::AutoStream::auto(io::stdout()).lock());
        if self.json {
            serde_json::to_writer_pretty(&mut out, &EvalJson::new(evaluation))?;
            writeln!(out)?;
        } else {
            write!(out, "{}", shown(evaluation, self.pages))?;
        }
        Ok(out.flush()?)
    }
}

/// Pages of each method that a report lists even when nobody asked for more.
const WORST_IN_REPORT: usize = 5;

/// The sets with several pages of one host.
const SERIES_SETS: [&str; 3] = ["wcxb", "snippets", "articles"];

/// Where our own labelled pages lie in the repository.
const OWN_PAGES: &str = "crates/eval/pages";

/// Opens a set by folder or by name.
pub(crate) fn open_set(set: Option<&str>) -> anyhow::Result<Corpus> {
    let folder = match set {
        Some(set) => set_folder(set)?,
        None if Path::new(OWN_PAGES).is_dir() => PathBuf::from(OWN_PAGES),
        None => bail!(
            "no labelled pages are named: give --set DIR, or --set NAME with $KUAI_DATA; without either, {OWN_PAGES} is \
             taken, which is there in kuai's repository"
        ),
    };
    Ok(Corpus::open(&folder)?)
}

fn set_folder(set: &str) -> anyhow::Result<PathBuf> {
    let folder = PathBuf::from(set);
    if folder.is_dir() {
        return Ok(folder);
    }
    match env::var_os("KUAI_DATA") {
        Some(data) => {
            let below = Path::new(&data).join(set);
            if !below.is_dir() {
                bail!("there is no folder {set}, nor {}", below.display());
            }
            Ok(below)
        }
        None => bail!("there is no folder {set}, and $KUAI_DATA, below which it could lie, is not set"),
    }
}

/// Writes the report, and the drawings that it links to into a folder beside it.
fn write_report(
    path: &Path,
    evaluation: &Evaluation,
    corpus: &Corpus,
    contenders: &[Contender],
    worst_count: usize,
) -> anyhow::Result<()> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let folder = path.with_file_name(format!("{stem}-drawings"));
    fs::create_dir_all(&folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let name_of = |method: &str, id: &str| {
        let plain = |character: char| if character.is_ascii_alphanumeric() { character } else { '-' };
        format!("{method}-{}.html", id.chars().map(plain).collect::<String>())
    };
    for (method, contender) in evaluation.methods.iter().zip(contenders) {
        for worst in method.worst(worst_count) {
            let Some(entry) = corpus.entries().iter().find(|entry| entry.id == worst.id) else { continue };
            let Ok(labelled) = corpus.read(entry) else { continue };
            let page = labelled.page();
            let Some((cutter, tree)) = contender.segment(&page) else { continue };
            let drawing = draw(&page, &entry.id, &[(cutter.name, tree)]);
            write_file(&folder.join(name_of(&method.name, &worst.id)), &drawing)?;
        }
    }
    let report = kuai_eval::html(evaluation, worst_count, &|method, page| {
        Some(format!("{stem}-drawings/{}", name_of(&method.name, &page.id)))
    });
    write_file(path, &report)
}

fn write_file(path: &Path, text: &str) -> anyhow::Result<()> {
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

fn shown(evaluation: &Evaluation, worst_count: usize) -> String {
    let mut text = format!("{}: {} pages", evaluation.set, evaluation.page_count);
    match evaluation.faults.len() {
        0 => text.push('\n'),
        1 => text.push_str(", one fault in the labels\n"),
        count => {
            let _ = writeln!(text, ", {count} faults in the labels");
        }
    }
    for table in tables(evaluation) {
        text.push('\n');
        write_table(&mut text, &table);
    }
    for method in evaluation.methods.iter().filter(|method| !method.is_baseline && worst_count > 0) {
        let _ = writeln!(text, "\nWorst pages of {}", method.name);
        for page in method.worst(worst_count) {
            let _ = writeln!(text, "  {:.3}  {}", page.overall().unwrap_or(0.0), page.path.display());
        }
    }
    text
}

/// Columns wrap their names at spaces, so that tables stay narrow.
fn write_table(text: &mut String, table: &Table) {
    let headings: Vec<Vec<&str>> = table.columns.iter().map(|name| name.split(' ').collect()).collect();
    let name_width = table.rows.iter().map(|row| indented(row).chars().count()).max().unwrap_or(0).max(12);
    let width = |column: usize| {
        let cells = table.rows.iter().map(|row| row.cells[column].text.chars().count());
        cells.chain(headings[column].iter().map(|word| word.chars().count())).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..table.columns.len()).map(width).collect();
    let bold = Style::new().bold();
    let _ = writeln!(text, "{bold}{}{bold:#}", table.title);
    let height = headings.iter().map(Vec::len).max().unwrap_or(0);
    for line in 0..height {
        let _ = write!(text, "{:name_width$}", "");
        for (words, width) in headings.iter().zip(&widths) {
            let word = (line + words.len()).checked_sub(height).map_or("", |index| words[index]);
            let _ = write!(text, "  {word:>width$}");
        }
        text.push('\n');
    }
    for row in &table.rows {
        let style = if row.kind == RowKind::Ours { Style::new() } else { Style::new().dimmed() };
        let name = indented(row);
        let pad = name_width - name.chars().count();
        let _ = write!(text, "{style}{name}{:pad$}", "");
        for (cell, width) in row.cells.iter().zip(&widths) {
            let style = if cell.best { bold } else { style };
            let _ = write!(text, "  {style}{:>width$}{style:#}", cell.text);
        }
        let _ = writeln!(text, "{style:#}");
    }
}

fn indented(row: &kuai_eval::Row) -> String {
    if row.kind == RowKind::Paper { format!("  {}", row.name) } else { row.name.clone() }
}
