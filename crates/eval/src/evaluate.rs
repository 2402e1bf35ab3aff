//! Runs methods on labelled pages, on all cores. Scores are the same every time; only the times differ.

use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;

use kuai_page::{BlockTree, Link, Page};
use kuai_segment::{Method, Segmenter, Settings, extract};

use crate::clock::thread_seconds;
use crate::measures::{BlockScores, Group, METRICS, Metric, PageScores, metric};
use crate::metrics::{bcubed_leaf, bcubed_nested, exact_blocks, fuzzy_blocks};
use crate::metrics::{noise_blocks, rates, shingle_overlap, snippets, word_overlap};
use crate::stream::Stream;
use crate::{BASELINES, Baseline, Corpus, Entry, Fault, Gold, LabelledPage, threads};

/// What is judged: a method with its settings, or a trivial cut.
pub struct Contender {
    /// Its name.
    pub name: String,
    kind: Kind,
}

enum Kind {
    Method(&'static Method, Settings, Box<dyn Segmenter>),
    Baseline(&'static Baseline),
}

impl Contender {
    /// A method with these settings.
    pub fn method(method: &'static Method, settings: Settings) -> Contender {
        let segmenter = method.segmenter(&settings);
        Contender { name: method.name.to_owned(), kind: Kind::Method(method, settings, segmenter) }
    }

    /// All trivial cuts.
    pub fn baselines() -> impl Iterator<Item = Contender> {
        BASELINES.iter().map(|cut| Contender { name: cut.name.to_owned(), kind: Kind::Baseline(cut) })
    }

    /// The method and its blocks of a page; `None` for trivial cuts.
    pub fn segment(&self, page: &Page) -> Option<(&'static Method, BlockTree)> {
        match &self.kind {
            Kind::Method(method, _, segmenter) => Some((method, segmenter.segment(page))),
            Kind::Baseline(_) => None,
        }
    }

    /// Whether it is a trivial cut.
    pub fn is_baseline(&self) -> bool {
        matches!(self.kind, Kind::Baseline(_))
    }

    /// The parameters that differ from their defaults.
    fn changed_parameters(&self) -> BTreeMap<&'static str, f64> {
        let Kind::Method(method, settings, _) = &self.kind else { return BTreeMap::new() };
        let values = method.parameters.iter().map(|parameter| (parameter, settings.get(parameter.name)));
        values
            .filter(|(parameter, value)| *value != parameter.default)
            .map(|(parameter, value)| (parameter.name, value))
            .collect()
    }
}

/// What a contender says about a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The main text.
    pub text: String,
    /// The addresses of related links.
    pub related: Vec<String>,
    /// Blocks as ranges of the page's text without white space.
    pub blocks: Vec<Vec<Range<usize>>>,
}

/// How a contender did on a page.
#[derive(Clone, Debug)]
pub struct PageResult {
    /// The page's name in the corpus.
    pub id: String,
    /// The page's file.
    pub path: PathBuf,
    /// What sort of page it is, where the corpus says so.
    pub kind: Option<String>,
    /// The scores.
    pub scores: PageScores,
    /// Bytes of the page.
    pub bytes: usize,
    /// Seconds that reading and parsing took.
    pub read_seconds: f64,
    /// Seconds that cutting took, with the styles, boxes and text that it asked for.
    pub cut_seconds: f64,
    /// What was answered, kept only on demand.
    pub answer: Option<Answer>,
}

impl PageResult {
    /// One figure for how good it is: the mean of the headline metrics of all groups.
    pub fn overall(&self) -> Option<f64> {
        let figures: Vec<f64> = headlines().filter_map(|metric| metric.of_page(&self.scores)).collect();
        (!figures.is_empty()).then(|| figures.iter().sum::<f64>() / figures.len() as f64)
    }
}

fn headlines() -> impl Iterator<Item = &'static Metric> {
    Group::ALL.into_iter().flat_map(Group::headline).filter_map(|name| metric(name))
}

/// How a contender did on a corpus.
#[derive(Clone, Debug)]
pub struct MethodResult {
    /// Its name.
    pub name: String,
    /// Whether it is a trivial cut.
    pub is_baseline: bool,
    /// Parameters that differ from their defaults.
    pub parameters: BTreeMap<&'static str, f64>,
    /// Its pages, in the order of the corpus.
    pub pages: Vec<PageResult>,
}

impl MethodResult {
    /// The figure of all pages.
    pub fn score(&self, metric: &Metric) -> Option<f64> {
        let pages: Vec<&PageScores> = self.pages.iter().map(|page| &page.scores).collect();
        metric.of_set(&pages)
    }

    /// The pages with the least overall figures, worst first.
    pub fn worst(&self, count: usize) -> Vec<&PageResult> {
        let mut pages: Vec<(f64, &PageResult)> =
            self.pages.iter().filter_map(|page| Some((page.overall()?, page))).collect();
        pages.sort_by(|one, other| one.0.total_cmp(&other.0).then_with(|| one.1.id.cmp(&other.1.id)));
        pages.into_iter().take(count).map(|(_, page)| page).collect()
    }

    /// Time and throughput; `None` for trivial cuts, which are not timed.
    pub fn speed(&self) -> Option<Speed> {
        if self.is_baseline || self.pages.is_empty() {
            return None;
        }
        let sum = |figure: fn(&PageResult) -> f64| self.pages.iter().map(figure).sum::<f64>();
        let megabytes = sum(|page| page.bytes as f64) / 1e6;
        let (read, cut) = (sum(|page| page.read_seconds), sum(|page| page.cut_seconds));
        let mut milliseconds: Vec<f64> =
            self.pages.iter().map(|page| (page.read_seconds + page.cut_seconds) * 1e3).collect();
        milliseconds.sort_by(f64::total_cmp);
        Some(Speed {
            milliseconds_mean: (read + cut) * 1e3 / self.pages.len() as f64,
            milliseconds_median: milliseconds[milliseconds.len() / 2],
            megabytes_per_second: megabytes / (read + cut).max(f64::EPSILON),
            megabytes_per_second_cut: megabytes / cut.max(f64::EPSILON),
        })
    }
}

/// How fast a method is on one core.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speed {
    /// Mean time a page, reading included.
    pub milliseconds_mean: f64,
    /// Median time a page, reading included.
    pub milliseconds_median: f64,
    /// Throughput, reading included.
    pub megabytes_per_second: f64,
    /// Throughput of cutting alone, on pages that are parsed.
    pub megabytes_per_second_cut: f64,
}

/// How all contenders did on a corpus.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The corpus's name.
    pub set: String,
    /// How many of its pages were judged.
    pub page_count: usize,
    /// What was wrong with its labels.
    pub faults: Vec<Fault>,
    /// The contenders, in the order given.
    pub methods: Vec<MethodResult>,
}

impl Evaluation {
    /// The groups of metrics that the corpus has gold for.
    pub fn groups(&self) -> Vec<Group> {
        let has = |group: &Group| {
            let mut metrics = METRICS.iter().filter(|metric| metric.group == *group);
            metrics.any(|metric| self.methods.iter().any(|method| method.score(metric).is_some()))
        };
        Group::ALL.into_iter().filter(has).collect()
    }
}

/// What to do while judging.
#[derive(Clone, Copy, Debug, Default)]
pub struct EvaluateOptions {
    /// Threads; 0 for one a core.
    pub jobs: usize,
    /// Whether answers are kept.
    pub keep_answers: bool,
}

/// Judges contenders on all pages of a corpus. `done` is called after each page.
pub fn evaluate(
    corpus: &Corpus,
    contenders: &[Contender],
    options: EvaluateOptions,
    done: impl Fn() + Sync,
) -> Evaluation {
    let jobs = if options.jobs == 0 { threads::default_jobs() } else { options.jobs };
    let work = |entry: &Entry| {
        let labelled = corpus.read(entry)?;
        let stream = labelled.gold.blocks.as_ref().map(|_| Stream::read(labelled.page().dom())).unwrap_or_default();
        let judge = |contender| judge(entry, &labelled, &stream, contender, options.keep_answers);
        let results = contenders.iter().map(judge);
        Ok((results.collect::<Vec<_>>(), labelled.faults))
    };
    let pages: Vec<Result<_, Fault>> = threads::map(corpus.entries(), jobs, work, done);
    let mut faults = corpus.faults.clone();
    let results = |contender: &Contender| MethodResult {
        name: contender.name.clone(),
        is_baseline: contender.is_baseline(),
        parameters: contender.changed_parameters(),
        pages: Vec::new(),
    };
    let mut methods: Vec<MethodResult> = contenders.iter().map(results).collect();
    let mut page_count = 0;
    for page in pages {
        match page {
            Ok((results, page_faults)) => {
                page_count += 1;
                faults.extend(page_faults);
                for (method, (result, fault)) in methods.iter_mut().zip(results) {
                    method.pages.push(result);
                    faults.extend(fault);
                }
            }
            Err(fault) => faults.push(fault),
        }
    }
    Evaluation { set: corpus.name.clone(), page_count, faults, methods }
}

/// A method that panics has answered nothing, which is a fault of ours and is told as one.
fn judge(
    entry: &Entry,
    labelled: &LabelledPage,
    stream: &Stream,
    contender: &Contender,
    keep_answer: bool,
) -> (PageResult, Option<Fault>) {
    let timed = panic::catch_unwind(AssertUnwindSafe(|| answer(labelled, stream, contender)));
    let fault = timed.is_err().then(|| Fault {
        file: entry.path.clone(),
        line: None,
        message: format!("a fault in kuai: {} cannot cut this page; please report it", contender.name),
    });
    let (answer, read_seconds, cut_seconds) = timed.unwrap_or_default();
    let scores = if contender.is_baseline() {
        let gold = Gold { blocks: labelled.gold.blocks.clone(), ..Gold::default() };
        score(&gold, &answer, stream)
    } else {
        let noise = labelled.gold.text.as_ref().map(|gold| noise_blocks(&labelled.page(), gold, &answer.text));
        PageScores { noise, ..score(&labelled.gold, &answer, stream) }
    };
    let result = PageResult {
        id: entry.id.clone(),
        path: entry.path.clone(),
        kind: entry.kind.clone(),
        scores,
        bytes: labelled.body.len(),
        read_seconds,
        cut_seconds,
        answer: keep_answer.then_some(answer),
    };
    (result, fault)
}

/// The answer, and the seconds that reading and cutting took.
fn answer(labelled: &LabelledPage, stream: &Stream, contender: &Contender) -> (Answer, f64, f64) {
    let start = thread_seconds();
    let page = labelled.page();
    page.dom();
    let parsed = thread_seconds();
    match &contender.kind {
        Kind::Method(method, _, segmenter) => {
            let (answer, cut_seconds) = answer_of(&page, &**segmenter, stream, method, &labelled.gold);
            (answer, parsed - start, cut_seconds)
        }
        Kind::Baseline(baseline) => {
            let answer = Answer { blocks: baseline.blocks(stream), ..Answer::default() };
            (answer, 0.0, 0.0)
        }
    }
}

/// What a method says, as far as there is gold to compare it with, and the seconds that its cut took.
pub(crate) fn answer_of(
    page: &Page,
    segmenter: &dyn Segmenter,
    stream: &Stream,
    method: &Method,
    gold: &Gold,
) -> (Answer, f64) {
    let mut answer = Answer::default();
    let start = thread_seconds();
    let mut cut_seconds = None;
    if gold.text.is_some() || gold.snippets.is_some() || gold.segments.is_some() {
        let tree = segmenter.judge(page).tree;
        cut_seconds = Some(thread_seconds() - start);
        let extract = extract(page, &tree, method);
        // As `kuai extract --json` writes them: resolved where they can be.
        let address = |link: &&Link| link.url.as_ref().map_or_else(|| link.href.clone(), ToString::to_string);
        answer.related = extract.related.iter().map(address).collect();
        answer.text = extract.text;
    }
    if gold.blocks.is_some() {
        let tree = segmenter.segment(page);
        // Cut twice, a page is counted once.
        cut_seconds = cut_seconds.or_else(|| Some(thread_seconds() - start));
        answer.blocks = tree.blocks().iter().map(|block| stream.ranges(page.source(), block.span)).collect();
    }
    (answer, cut_seconds.unwrap_or_default())
}

/// Compares an answer with the gold.
/// What needs the page itself is left out.
pub(crate) fn score(gold: &Gold, answer: &Answer, stream: &Stream) -> PageScores {
    let related: Vec<&str> = answer.related.iter().map(String::as_str).collect();
    PageScores {
        rates: gold.segments.as_ref().map(|segments| rates(segments, &answer.text, &related)),
        words: gold.text.as_ref().map(|text| word_overlap(text, &answer.text)),
        shingles: gold.text.as_ref().map(|text| shingle_overlap(text, &answer.text)),
        noise: None,
        snippets: gold.snippets.as_ref().map(|(wanted, unwanted)| snippets(wanted, unwanted, &answer.text)),
        blocks: gold.blocks.as_ref().map(|blocks| block_scores(blocks, &answer.blocks, stream)),
    }
}

fn block_scores(gold: &[Vec<Range<usize>>], found: &[Vec<Range<usize>>], stream: &Stream) -> BlockScores {
    let text = stream.text();
    BlockScores {
        exact: exact_blocks(gold, found, text),
        fuzzy: fuzzy_blocks(gold, found),
        bcubed_leaf: bcubed_leaf(gold, found, text.len()),
        bcubed_nested: bcubed_nested(gold, found, text.len()),
        count: found.iter().filter(|block| !block.is_empty()).count(),
    }
}
