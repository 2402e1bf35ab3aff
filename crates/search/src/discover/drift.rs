//! Pages that drifted: a page that kept to its topic and talks about something else now.
//!
//! The words of the first and the last page of the extent are compared, each weighed by how rare it is in the archive. A page whose words change from
//! one version to the next anyway, such as a list of news, has no topic to drift from: at both ends, neighbours have to be alike.

use kuai_archive::{Archive, CutPage, Sighting};
use kuai_page::{Label, Url};
use rustc_hash::FxHashMap;
use tantivy::{Searcher, Term};

use super::{Extent, Finding};
use crate::error::Error;
use crate::index::Index;
use crate::language::Language;
use crate::tokens::Cut;
use crate::walk::{Going, each_url, read};

/// Pages that are less alike have nothing to do with each other.
const DRIFTED_BELOW: f32 = 0.15;

/// Neighbours that are more alike keep to a topic.
const STEADY_ABOVE: f32 = 0.5;

/// Different words that a page must have to be about anything.
const WORDS_MIN: usize = 20;

/// Words that are told of each end.
const WORDS_SHOWN: usize = 6;

/// Bytes of main text that are looked at.
const TEXT_BYTES_MAX: usize = 100_000;

/// Pages that are told.
const FINDINGS_MAX: usize = 1_000;

/// Words with their weights.
type Weights = FxHashMap<String, f32>;

impl Index {
    /// Pages that drifted within the extent, those that went farthest first.
    pub(super) fn drifted(&self, archive: &Archive, extent: &Extent, going: Going<'_>) -> Result<Vec<Finding>, Error> {
        let view = self.view();
        let mut found: Vec<(f32, Finding)> = Vec::new();
        each_url(archive, going, |url| {
            if extent.has_site(url) && found.len() < FINDINGS_MAX {
                found.extend(self.drift(archive, &view.searcher, url, extent)?);
            }
            Ok(())
        })?;
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        Ok(found.into_iter().map(|(_, finding)| finding).collect())
    }

    fn drift(
        &self,
        archive: &Archive,
        searcher: &Searcher,
        url: &Url,
        extent: &Extent,
    ) -> Result<Option<(f32, Finding)>, Error> {
        let mut shown: Vec<Sighting> = archive.sightings(url)?;
        shown.retain(|sighting| extent.has(sighting.time));
        shown.dedup_by_key(|sighting| sighting.number);
        let [first, second, .., before_last, last] = shown.as_slice() else { return Ok(None) };
        let weights = |sighting: &Sighting| -> Result<Weights, Error> {
            let page = read(archive, url, sighting.number)?;
            Ok(page.map(|page| self.weights(searcher, &page)).unwrap_or_default())
        };
        let (then, now) = (weights(first)?, weights(last)?);
        let likeness = cosine(&then, &now);
        if likeness >= DRIFTED_BELOW || then.len().min(now.len()) < WORDS_MIN {
            return Ok(None);
        }
        let is_steady =
            cosine(&then, &weights(second)?) > STEADY_ABOVE && cosine(&weights(before_last)?, &now) > STEADY_ABOVE;
        let (from, to) = (first.time, last.time);
        let finding = || {
            let (before, after) = (heaviest(&then), heaviest(&now));
            Finding::Drift { url: url.clone(), from, to, likeness, before, after }
        };
        Ok(is_steady.then(|| (likeness, finding())))
    }

    /// The words of a page's text, by how often they stand there and how rare they are in the index.
    fn weights(&self, searcher: &Searcher, page: &CutPage) -> Weights {
        let mut text = String::new();
        for passage in page.passages().iter().filter(|passage| is_text(passage.label)) {
            if text.len() < TEXT_BYTES_MAX {
                text.push_str(&passage.text);
                text.push('\n');
            }
        }
        let language = Language::of_text(&text).unwrap_or_default();
        let mut weights = Weights::default();
        for token in self.tokenizer.cut(&text, language, Cut::Query) {
            *weights.entry(token.text).or_default() += 1.0;
        }
        let documents = searcher.num_docs() as f32;
        for (word, weight) in &mut weights {
            let term = Term::from_field_text(self.fields.text, word);
            let count = searcher.doc_freq(&term).unwrap_or_default() as f32;
            *weight = (1.0 + weight.ln()) * (1.0 + documents / (1.0 + count)).ln();
        }
        weights
    }
}

fn is_text(label: Option<Label>) -> bool {
    matches!(label, None | Some(Label::Main | Label::Title))
}

/// How alike two pages are, from 0 to 1; summed in the order of words, so that it is the same every time.
fn cosine(a: &Weights, b: &Weights) -> f32 {
    let mut words: Vec<&String> = a.keys().filter(|word| b.contains_key(*word)).collect();
    words.sort_unstable();
    let dot: f32 = words.iter().map(|word| a[*word] * b[*word]).sum();
    let lengths = length(a) * length(b);
    if lengths > 0.0 { dot / lengths } else { 0.0 }
}

fn length(weights: &Weights) -> f32 {
    let mut squares: Vec<f32> = weights.values().map(|weight| weight * weight).collect();
    squares.sort_by(f32::total_cmp);
    squares.iter().sum::<f32>().sqrt()
}

fn heaviest(weights: &Weights) -> Vec<String> {
    let mut words: Vec<(&String, &f32)> =
        weights.iter().filter(|(word, _)| word.chars().all(char::is_alphabetic)).collect();
    words.sort_by(|a, b| b.1.total_cmp(a.1).then_with(|| a.0.cmp(b.0)));
    words.into_iter().take(WORDS_SHOWN).map(|(word, _)| word.clone()).collect()
}
