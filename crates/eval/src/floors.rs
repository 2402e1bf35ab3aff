//! Floors under the scores on our own pages: a change that makes a method worse fails a test and must be argued.
//!
//! The file holds the pages' digest and, for each method, a floor for each metric. While the pages stay as they are, writing
//! floors anew only raises them; other pages make other floors.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Deserialize;

use crate::{Corpus, Evaluation, METRICS, metric};

/// Floors by method and metric.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct Floors {
    /// The digest of the pages that the floors were measured on.
    pub pages: String,
    /// Method, metric, floor.
    #[serde(flatten)]
    pub methods: BTreeMap<String, BTreeMap<String, f64>>,
}

/// Scores are written with four figures and may differ in the last.
const SLACK: f64 = 1e-4;

impl Floors {
    /// Reads a file of floors.
    pub fn parse(text: &str) -> Result<Floors, toml::de::Error> {
        toml::from_str(text)
    }

    /// What fell below its floor, a sentence each.
    pub fn broken(&self, evaluation: &Evaluation) -> Vec<String> {
        let mut broken = Vec::new();
        for (name, floors) in &self.methods {
            let Some(method) = evaluation.methods.iter().find(|method| method.name == *name) else {
                broken.push(format!("{name} has floors and is no method any more"));
                continue;
            };
            for (metric_name, &floor) in floors {
                let Some(metric) = metric(metric_name) else {
                    broken.push(format!("{metric_name} of {name} has a floor and is no metric any more"));
                    continue;
                };
                let score = method.score(metric).unwrap_or(0.0);
                if score < floor - SLACK {
                    broken.push(format!("{metric_name} of {name} is {score:.4}, its floor {floor:.4}"));
                }
            }
        }
        broken
    }

    /// Floors for all methods at today's scores; where the pages are the same, never below what they were.
    pub fn raised(&self, evaluation: &Evaluation, pages: &str) -> Floors {
        let same_pages = self.pages == pages;
        let mut methods = BTreeMap::new();
        for method in evaluation.methods.iter().filter(|method| !method.is_baseline) {
            let old = self.methods.get(&method.name).filter(|_| same_pages);
            let floors = METRICS.iter().filter(|metric| !metric.less_is_better).filter_map(|metric| {
                let old = old.and_then(|floors| floors.get(metric.name)).copied();
                let score = (method.score(metric)? * 1e4).floor() / 1e4;
                Some((metric.name.to_owned(), old.map_or(score, |old| old.max(score))))
            });
            methods.insert(method.name.clone(), floors.collect());
        }
        Floors { pages: pages.to_owned(), methods }
    }

    /// As written to the file.
    pub fn to_text(&self) -> String {
        let mut text = format!(
            "# Floors under the scores on crates/eval/pages: a drop fails `tests/floors.rs`. `just floors` raises them;\n\
             # a floor is lowered by hand, and the commit argues why.\n\npages = {:?}\n",
            self.pages
        );
        for (method, floors) in &self.methods {
            let _ = write!(text, "\n[{method}]\n");
            // In the order of the table of metrics, which is the order of reading.
            for metric in METRICS {
                if let Some(floor) = floors.get(metric.name) {
                    let _ = writeln!(text, "{} = {floor}", metric.name);
                }
            }
        }
        text
    }
}

/// A digest of a corpus's pages with their labels (FNV-1a, 64 bits): not against malice, only against forgetting.
pub fn digest(corpus: &Corpus) -> String {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut add = |bytes: &[u8]| {
        for &byte in bytes {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for entry in corpus.entries() {
        add(entry.id.as_bytes());
        add(&std::fs::read(&entry.path).unwrap_or_default());
    }
    format!("{hash:016x}")
}
