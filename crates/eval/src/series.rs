//! Site models on real series of pages: pages of one host, of which each teaches in turn and the others are judged.

use std::collections::BTreeMap;

use kuai_page::Page;
use kuai_segment::{DEFAULT_METHOD, Example, LearnError, Misfit, SiteModel, Wanted, method, text};

use crate::metrics::{NoiseBlocks, noise_blocks, word_overlap};
use crate::{Corpus, threads};

/// Pages that make a series.
const SERIES_PAGES_MIN: usize = 3;
/// Hosts of addresses that stand for ones nobody knows.
const NO_HOST: &str = "example.com";

/// A host's pages, judged.
#[derive(Clone, Debug)]
pub struct Series {
    /// The corpus.
    pub set: String,
    /// The host.
    pub host: String,
    /// How many pages it has.
    pub page_count: usize,
    /// Those that cannot teach, with the reason.
    pub refused: Vec<(String, LearnError)>,
    /// Every page that teaches with every other page.
    pub lessons: Vec<LessonResult>,
}

/// How a model that one page taught did on another.
#[derive(Clone, Debug)]
pub struct LessonResult {
    /// The page that taught.
    pub teacher: String,
    /// The page that was judged.
    pub page: String,
    /// What the model made of it, or why it fits none.
    pub model: Result<ModelScore, Misfit>,
    /// Word F1 of the default method.
    pub default_f: f64,
}

/// How good a cleaned page is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModelScore {
    /// Word F1.
    pub word_f: f64,
    /// Noise blocks removed.
    pub noise: NoiseBlocks,
}

impl Series {
    /// The pages that the models fit.
    pub fn fitting(&self) -> impl Iterator<Item = (ModelScore, f64)> {
        self.lessons.iter().filter_map(|lesson| Some((lesson.model.clone().ok()?, lesson.default_f)))
    }

    /// Word F1 of the models and of the default method on the pages that the models fit.
    pub fn mean_f(&self) -> Option<(f64, f64)> {
        let count = self.fitting().count();
        let sum = self.fitting().fold((0.0, 0.0), |sum, (model, default)| (sum.0 + model.word_f, sum.1 + default));
        (count > 0).then(|| (sum.0 / count as f64, sum.1 / count as f64))
    }
}

/// A page of a series.
struct Labelled {
    id: String,
    page: Page,
    gold: String,
    default_f: f64,
}

/// What the default method says of pages, by their ids: that of a model which has not seen their hosts, where one wants to be fair.
pub type DefaultTexts = BTreeMap<String, String>;

/// Judges every series of a corpus. The default method is asked only about pages that `default_texts` does not have. `done` is called
/// after each series.
pub fn series(corpus: &Corpus, default_texts: &DefaultTexts, jobs: usize, done: impl Fn() + Sync) -> Vec<Series> {
    let hosts: Vec<(String, Vec<usize>)> = hosts(corpus).into_iter().collect();
    let jobs = if jobs == 0 { threads::default_jobs() } else { jobs };
    threads::map(&hosts, jobs, |(host, entries)| judge(corpus, default_texts, host, entries), done)
}

/// The hosts of a corpus that make series, with the places of their entries.
fn hosts(corpus: &Corpus) -> BTreeMap<String, Vec<usize>> {
    let mut hosts: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, entry) in corpus.entries().iter().enumerate() {
        let host = entry.url.as_ref().and_then(|url| url.host_str()).map(|host| host.trim_start_matches("www."));
        if let Some(host) = host.filter(|host| *host != NO_HOST) {
            hosts.entry(host.to_owned()).or_default().push(index);
        }
    }
    hosts.retain(|_, entries| entries.len() >= SERIES_PAGES_MIN);
    hosts
}

fn judge(corpus: &Corpus, default_texts: &DefaultTexts, host: &str, entries: &[usize]) -> Series {
    let pages: Vec<Labelled> = entries.iter().filter_map(|&entry| labelled(corpus, default_texts, entry)).collect();
    let mut series = Series {
        set: corpus.name.clone(),
        host: host.to_owned(),
        page_count: entries.len(),
        refused: Vec::new(),
        lessons: Vec::new(),
    };
    for (index, teacher) in pages.iter().enumerate() {
        match SiteModel::learn(&[Example { page: &teacher.page, answer: &teacher.gold }]) {
            Ok(learnt) => {
                let others = pages.iter().enumerate().filter(|(other, _)| *other != index);
                series.lessons.extend(others.map(|(_, page)| lesson(&learnt.model, teacher, page)));
            }
            Err(error) => series.refused.push((teacher.id.clone(), error)),
        }
    }
    series
}

fn labelled(corpus: &Corpus, default_texts: &DefaultTexts, entry: usize) -> Option<Labelled> {
    let entry = &corpus.entries()[entry];
    let labelled = corpus.read(entry).ok()?;
    let gold = labelled.gold.text.clone()?;
    let page = labelled.page().plain();
    let default_f = match default_texts.get(&entry.id) {
        Some(told) => word_overlap(&gold, told).score().f,
        None => word_overlap(&gold, &default_text(&page)?).score().f,
    };
    Some(Labelled { id: entry.id.clone(), page, gold, default_f })
}

fn default_text(page: &Page) -> Option<String> {
    let method = method(DEFAULT_METHOD)?;
    let tree = method.segmenter(&method.defaults()).judge(page).tree;
    Some(text(page, &tree, &Wanted::of(method)))
}

fn lesson(model: &SiteModel, teacher: &Labelled, page: &Labelled) -> LessonResult {
    let score = |text: &str| ModelScore {
        word_f: word_overlap(&page.gold, text).score().f,
        noise: noise_blocks(&page.page, &page.gold, text),
    };
    LessonResult {
        teacher: teacher.id.clone(),
        page: page.id.clone(),
        model: model.clean(&page.page).map(|cleaned| score(&cleaned.text)),
        default_f: page.default_f,
    }
}
