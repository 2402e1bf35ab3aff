//! One kind of page of a site: which of its text is content, as far as examples tell.

use std::cell::OnceCell;

use super::areas::{Areas, Finder, Words};
use super::opinion::Opinion;
use super::paragraphs::{Paragraphs, Split};
use super::phrases::Phrases;
use super::reading::{Reading, RunBlocks};
use kuai_page::Page;

/// From so many words on, examples tell of all text in an area; fewer tell of text that is about as short.
const TELLING_WORDS_MIN: u32 = 30;
/// How much longer than all that the examples have in an area one text in it may be, and all of them together.
const RUN_FACTOR: u32 = 2;
const AREA_FACTOR: u32 = 10;

/// What is known about pages of one kind.
#[derive(Clone, Debug)]
pub(super) struct Template {
    pub(super) areas: Areas,
    pub(super) paragraphs: Paragraphs,
    pub(super) phrases: Phrases,
    /// The share of content in the words of the examples.
    pub(super) content_share: f64,
}

/// A page, judged run by run.
pub(super) struct Judged<'p> {
    pub(super) reading: Reading<'p>,
    /// By run: whether it is content.
    pub(super) kept: Vec<bool>,
    /// Words of the page, those in places that the examples have, and those that are content.
    pub(super) words: usize,
    pub(super) words_known: usize,
    pub(super) words_kept: usize,
}

impl Template {
    /// Judges a page.
    pub(super) fn judge<'p>(&self, page: &'p Page) -> Judged<'p> {
        let mut finder = Finder::new(&self.areas);
        let reading = Reading::of(page, |place, shape| finder.enter(place, shape));
        let split = self.paragraphs.best_split(&reading);
        let judge = Judge::new(self, &reading, split.as_ref());
        let (mut words, mut words_known, mut words_kept) = (0, 0, 0);
        let mut kept = Vec::with_capacity(reading.runs.len());
        for (index, run) in reading.runs.iter().enumerate() {
            let count = reading.word_count(run);
            let verdict = judge.verdict(index, Words::default());
            words += count;
            let area = self.areas.get(run.place.area);
            let is_known = area.all.verdict().is_some() || (run.place.is_own && area.own != Words::default());
            words_known += if is_known { count } else { 0 };
            let is_kept = verdict.unwrap_or_else(|| judge.ask(run));
            words_kept += if is_kept { count } else { 0 };
            kept.push(is_kept);
        }
        Judged { reading, kept, words, words_known, words_kept }
    }
}

/// Judges the runs of a page.
pub(super) struct Judge<'a, 'p> {
    template: &'a Template,
    reading: &'a Reading<'p>,
    split: Option<&'a Split>,
    /// By area: the words that the page has there.
    page_words: Vec<u32>,
    opinion: OnceCell<Opinion>,
}

impl<'a, 'p> Judge<'a, 'p> {
    pub(super) fn new(template: &'a Template, reading: &'a Reading<'p>, split: Option<&'a Split>) -> Judge<'a, 'p> {
        let mut page_words = vec![0_u32; template.areas.list().len()];
        for run in &reading.runs {
            let words = &mut page_words[run.place.area as usize];
            *words = words.saturating_add(reading.word_count(run) as u32);
        }
        Judge { template, reading, split, page_words, opinion: OnceCell::new() }
    }

    /// Whether a run is content; `None` where examples do not tell. `left_out` are words of the examples that do not count.
    pub(super) fn verdict(&self, index: usize, left_out: Words) -> Option<bool> {
        let run = &self.reading.runs[index];
        let area = self.template.areas.get(run.place.area);
        let page_words = self.page_words[run.place.area as usize];
        let run_words = self.reading.word_count(run) as u32;
        let telling = |words: Words| {
            let count = words.kept + words.noise;
            let is_alike =
                count.saturating_mul(RUN_FACTOR) >= run_words && count.saturating_mul(AREA_FACTOR) >= page_words;
            let is_enough = count >= TELLING_WORDS_MIN || is_alike;
            words.verdict().filter(|_| is_enough)
        };
        if run.place.is_strange {
            return None;
        }
        // What an example has once can only be told by itself.
        let others =
            |words: Words| Some(words.without(left_out)).filter(|rest| *rest != Words::default()).unwrap_or(words);
        if let Some(verdict) = telling(others(area.all)) {
            return Some(verdict);
        }
        if !run.place.is_own || area.all.verdict().is_some() {
            return None;
        }
        let own = others(area.own);
        telling(own).or_else(|| self.split.filter(|_| own.is_mixed()).map(|split| split.inside[index]))
    }

    /// Whether the default method takes a run for content.
    pub(super) fn ask(&self, run: &RunBlocks) -> bool {
        let opinion = self.opinion.get_or_init(|| Opinion::of(self.reading.page));
        self.reading.blocks.get(run.blocks.start).is_some_and(|block| opinion.is_content(block.span))
    }
}
