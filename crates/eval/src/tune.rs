//! Chooses a method's parameters on labelled pages: the papers' future work.
//!
//! A coordinate search tries values for one parameter after another and keeps what is better. Cross-validation tells whether
//! that holds on pages it has not seen: pages are dealt into folds by site, each fold is judged with parameters that were chosen
//! on the others. The same pages always give the same parameters.

use std::collections::{BTreeMap, HashMap};

use kuai_page::Page;
use kuai_segment::{Method, Parameter, Settings};

use crate::evaluate::{answer_of, score};
use crate::measures::{Group, Metric, PageScores, metric};
use crate::stream::Stream;
use crate::{Corpus, Entry, Error, Fault, Gold, threads};

/// How to tune.
#[derive(Clone, Debug)]
pub struct TuneOptions {
    /// The metrics whose mean is to grow; empty for the headline ones of the corpus.
    pub metrics: Vec<&'static Metric>,
    /// How many parts the pages are dealt into.
    pub folds: usize,
    /// How many different settings are tried at most.
    pub trials_max: usize,
    /// Bytes of pages that are held at once; of larger corpora an even sample is taken.
    pub bytes_max: usize,
    /// Threads; 0 for one a core.
    pub jobs: usize,
}

impl Default for TuneOptions {
    fn default() -> Self {
        TuneOptions { metrics: Vec::new(), folds: 5, trials_max: 400, bytes_max: 64 << 20, jobs: 0 }
    }
}

/// What tuning found.
#[derive(Clone, Debug)]
pub struct Tuned {
    /// What was to grow.
    pub metrics: Vec<&'static Metric>,
    /// The best settings on all pages; the ones started from where tuning does not hold on unseen pages.
    pub settings: Settings,
    /// Whether tuning holds on unseen pages.
    pub holds: bool,
    /// The score on all pages before.
    pub before: f64,
    /// The score of each page with parameters chosen on other sites.
    pub cross_validated: f64,
    /// The score of the best settings on the pages that they were chosen on.
    pub fitted: f64,
    /// How many pages it rests on.
    pub page_count: usize,
    /// How many pages the corpus has.
    pub corpus_page_count: usize,
    /// How many folds there were; there are never more than sites.
    pub folds: usize,
    /// How many settings were tried.
    pub trials: usize,
    /// What was wrong with the labels.
    pub faults: Vec<Fault>,
}

/// Tunes a method, starting from these settings. `tried` is called after each trial with their number.
pub fn tune(
    corpus: &Corpus,
    method: &'static Method,
    start: &Settings,
    options: &TuneOptions,
    tried: impl FnMut(usize),
) -> Result<Tuned, Error> {
    if method.parameters.is_empty() {
        return Err(Error::NoParameters(method.name));
    }
    let (pages, faults) = hold(corpus, options);
    let jobs = if options.jobs == 0 { threads::default_jobs() } else { options.jobs };
    let mut trials =
        Trials { method, pages: &pages, jobs, done: HashMap::new(), trials_max: options.trials_max, tried };
    let first = values(method, start);
    let metrics = if options.metrics.is_empty() { headlines(trials.scores(&first)) } else { options.metrics.clone() };
    let goal = Goal { metrics };
    let all: Vec<usize> = (0..pages.len()).collect();
    let before = goal.of(trials.scores(&first), &all).ok_or(Error::NothingToScore)?;

    let folds = deal(&pages, options.folds.max(2));
    // The whole is searched first: should the trials run out, it is the folds that know less, not the result.
    let best = search(&mut trials, &goal, &first, &all);
    let fitted = goal.of(trials.scores(&best), &all).unwrap_or(before);
    let mut unseen: Vec<PageScores> = Vec::new();
    for fold in &folds {
        let others: Vec<usize> = all.iter().copied().filter(|page| !fold.contains(page)).collect();
        let chosen = if others.is_empty() { first.clone() } else { search(&mut trials, &goal, &first, &others) };
        let scores = trials.scores(&chosen);
        unseen.extend(fold.iter().map(|&page| scores[page].clone()));
    }
    let everything: Vec<usize> = (0..unseen.len()).collect();
    let cross_validated = goal.of(&unseen, &everything).unwrap_or(before);
    let holds = cross_validated > before;
    Ok(Tuned {
        settings: if holds { settings(method, &best) } else { start.clone() },
        holds,
        before,
        cross_validated,
        fitted,
        page_count: pages.len(),
        corpus_page_count: corpus.entries().len(),
        folds: folds.len(),
        trials: trials.done.len(),
        metrics: goal.metrics,
        faults,
    })
}

/// A page that stays parsed while many settings are tried on it.
struct HeldPage {
    page: Page,
    stream: Stream,
    gold: Gold,
    site: String,
}

/// Reads the pages, or as many as may be held, evenly over the corpus.
fn hold(corpus: &Corpus, options: &TuneOptions) -> (Vec<HeldPage>, Vec<Fault>) {
    let bytes = |entry: &Entry| entry.path.metadata().map_or(0, |metadata| metadata.len() as usize);
    let total: usize = corpus.entries().iter().map(bytes).sum();
    let step = total.div_ceil(options.bytes_max.max(1)).max(1);
    let (mut pages, mut faults) = (Vec::new(), corpus.faults.clone());
    for entry in corpus.entries().iter().step_by(step) {
        match corpus.read(entry) {
            Ok(labelled) => {
                let page = labelled.page();
                let stream = Stream::read(page.dom());
                faults.extend(labelled.faults.iter().cloned());
                pages.push(HeldPage { page, stream, gold: labelled.gold, site: site(entry) });
            }
            Err(fault) => faults.push(fault),
        }
    }
    (pages, faults)
}

/// Pages of one site look alike and must not stand on both sides: the host, or the name up to its first digit or underscore.
fn site(entry: &Entry) -> String {
    let host = entry.url.as_ref().and_then(|url| url.host_str()).filter(|host| *host != "example.com");
    let name_end = entry.id.find(|character: char| character.is_ascii_digit() || character == '_');
    let name = &entry.id[..name_end.unwrap_or(entry.id.len())];
    match host {
        Some(host) => host.trim_start_matches("www.").to_owned(),
        None if name.is_empty() => entry.id.clone(),
        None => name.to_owned(),
    }
}

/// Deals whole sites into folds of about equal size.
fn deal(pages: &[HeldPage], folds: usize) -> Vec<Vec<usize>> {
    let mut sites: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, page) in pages.iter().enumerate() {
        sites.entry(&page.site).or_default().push(index);
    }
    let mut sites: Vec<Vec<usize>> = sites.into_values().collect();
    sites.sort_by_key(|pages| std::cmp::Reverse(pages.len()));
    let mut dealt: Vec<Vec<usize>> = vec![Vec::new(); folds];
    for site in sites {
        let smallest = dealt.iter_mut().min_by_key(|fold| fold.len()).expect("there are at least two folds");
        smallest.extend(site);
    }
    dealt.retain(|fold| !fold.is_empty());
    dealt
}

/// What is to grow.
struct Goal {
    metrics: Vec<&'static Metric>,
}

impl Goal {
    fn of(&self, scores: &[PageScores], pages: &[usize]) -> Option<f64> {
        let scores: Vec<&PageScores> = pages.iter().map(|&page| &scores[page]).collect();
        let figure = |metric: &&Metric| {
            let value = metric.of_set(&scores)?;
            Some(if metric.less_is_better { 1.0 - value } else { value })
        };
        let figures: Vec<f64> = self.metrics.iter().filter_map(figure).collect();
        (!figures.is_empty()).then(|| figures.iter().sum::<f64>() / figures.len() as f64)
    }
}

/// The headline metrics of the first group that the corpus has gold for: rates before text before strings before blocks.
fn headlines(scores: &[PageScores]) -> Vec<&'static Metric> {
    let pages: Vec<&PageScores> = scores.iter().collect();
    let of_group = |group: Group| -> Vec<&'static Metric> {
        let metrics = group.headline().iter().filter_map(|name| metric(name));
        metrics.filter(|metric| metric.of_set(&pages).is_some()).collect()
    };
    Group::ALL.into_iter().map(of_group).find(|metrics| !metrics.is_empty()).unwrap_or_default()
}

/// Settings that were tried, with their scores on all pages, so that the folds share the work.
struct Trials<'a, F: FnMut(usize)> {
    method: &'static Method,
    pages: &'a [HeldPage],
    jobs: usize,
    done: HashMap<Vec<u64>, Vec<PageScores>>,
    trials_max: usize,
    tried: F,
}

impl<F: FnMut(usize)> Trials<'_, F> {
    fn scores(&mut self, values: &[f64]) -> &[PageScores] {
        let key: Vec<u64> = values.iter().map(|value| value.to_bits()).collect();
        if !self.done.contains_key(&key) {
            let segmenter = self.method.segmenter(&settings(self.method, values));
            let work = |held: &HeldPage| {
                let (answer, _) = answer_of(&held.page, &*segmenter, &held.stream, self.method, &held.gold);
                score(&held.gold, &answer, &held.stream)
            };
            let scores = threads::map(self.pages, self.jobs, work, || ());
            self.done.insert(key.clone(), scores);
            (self.tried)(self.done.len());
        }
        &self.done[&key]
    }

    fn may_try(&self, values: &[f64]) -> bool {
        let key: Vec<u64> = values.iter().map(|value| value.to_bits()).collect();
        self.done.len() < self.trials_max || self.done.contains_key(&key)
    }
}

/// Less than this is noise, and not worth leaving the defaults for.
const GAIN_MIN: f64 = 5e-4;

/// Rounds over all parameters; later ones take smaller steps.
const ROUNDS: usize = 3;

fn search(trials: &mut Trials<'_, impl FnMut(usize)>, goal: &Goal, start: &[f64], pages: &[usize]) -> Vec<f64> {
    let mut best = start.to_vec();
    let mut best_score = goal.of(trials.scores(&best), pages).unwrap_or(0.0);
    for round in 0..ROUNDS {
        let mut moved = false;
        for (index, parameter) in trials.method.parameters.iter().enumerate() {
            for value in candidates(parameter, best[index], round) {
                let mut values = best.clone();
                values[index] = value;
                if !trials.may_try(&values) {
                    continue;
                }
                let score = goal.of(trials.scores(&values), pages).unwrap_or(0.0);
                if score > best_score + GAIN_MIN {
                    (best, best_score, moved) = (values, score, true);
                }
            }
        }
        if !moved && round > 0 {
            break;
        }
    }
    best
}

/// Values to try for a parameter: over its whole range in the first round, near the best so far in the others.
fn candidates(parameter: &Parameter, best: f64, round: usize) -> Vec<f64> {
    let Parameter { min, max, .. } = *parameter;
    let width = max - min;
    let mut values: Vec<f64> = match round {
        // Halves and doubles reach small values of wide ranges, which even steps over the range would miss.
        0 => [0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 4.0]
            .into_iter()
            .flat_map(|factor| [best * factor, parameter.default * factor])
            .chain([0.0, 0.03, 0.1, 0.25, 0.5, 0.75, 1.0].map(|share| min + share * width))
            .collect(),
        1 => [0.7, 0.85, 1.2, 1.4].map(|factor| best * factor).to_vec(),
        _ => [0.9, 0.95, 1.05, 1.1].map(|factor| best * factor).to_vec(),
    };
    for value in &mut values {
        *value = rounded(*value).clamp(min, max);
    }
    values.retain(|value| *value != best);
    values.sort_by(|one, other| (one - best).abs().total_cmp(&(other - best).abs()).then(one.total_cmp(other)));
    values.dedup();
    values
}

/// Three figures are more than any corpus can tell apart.
fn rounded(value: f64) -> f64 {
    if value == 0.0 {
        return 0.0;
    }
    let scale = 10_f64.powi(2 - value.abs().log10().floor() as i32);
    let rounded = (value * scale).round() / scale;
    // Through text, so that 0.3 is 0.3 and not its neighbour.
    format!("{rounded:.6}").parse().unwrap_or(rounded)
}

fn values(method: &Method, settings: &Settings) -> Vec<f64> {
    method.parameters.iter().map(|parameter| settings.get(parameter.name)).collect()
}

fn settings(method: &'static Method, values: &[f64]) -> Settings {
    let mut settings = method.defaults();
    for (parameter, &value) in method.parameters.iter().zip(values) {
        settings.set(parameter.name, value).expect("values are kept in the parameter's range");
    }
    settings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_short_and_in_range() {
        let parameter = Parameter { name: "x", symbol: "", summary: "", default: 0.3, min: 0.0, max: 1.0 };
        for round in 0..3 {
            let values = candidates(&parameter, 0.3, round);
            assert!(
                values.iter().all(|value| (0.0..=1.0).contains(value) && format!("{value}").len() <= 6),
                "{values:?}"
            );
            assert!(!values.contains(&0.3));
        }
        assert_eq!(rounded(0.123_456), 0.123);
        assert_eq!(rounded(1234.0), 1230.0);
    }
}
