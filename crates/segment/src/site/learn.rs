//! Learns one kind of page from examples: pages, each with its clean text.

use kuai_page::Page;

use super::align::align;
use super::areas::{Areas, Place, Words};
use super::paragraphs::{MARKS_MAX, Paragraphs, Split, contexts};
use super::phrases::Phrases;
use super::reading::{Reading, RunBlocks};
use super::template::{Judge, Template};
use super::text_block::push_words;
use super::{Example, Found, LearnError};

/// A block is content when at least this share of its words is in the answer.
const KEPT_SHARE_MIN: f64 = 0.5;
/// An answer of which less is found is not this page's.
const FOUND_SHARE_MIN: f64 = 0.7;
/// Paragraphs of the answer that are told as missing.
const MISSING_MAX: usize = 100;

/// An example, read and compared with its answer.
pub(super) struct Marked<'p> {
    reading: Reading<'p>,
    /// By block: whether it is content; `None` for a block without words.
    kept: Vec<Option<bool>>,
    /// The first and the last block of every paragraph.
    paragraphs: Vec<(usize, usize)>,
    pub(super) found: Found,
}

/// What examples of one kind teach, and how right it is: each run of text judged by all the others (F1 of words).
pub(super) fn learn(examples: &[Example<'_>]) -> Result<(Template, f64, Vec<Found>), LearnError> {
    let mut areas = Areas::new();
    let mut marked = Vec::new();
    for (index, example) in examples.iter().enumerate() {
        marked.push(mark(example, index, &mut areas)?);
    }
    for one in &marked {
        for (run, words) in one.reading.runs.iter().map(|run| (run, one.verdict(run))) {
            areas.add(run.place, words);
        }
    }
    let (areas, numbers) = areas.pruned();
    for one in &mut marked {
        one.renumber(&numbers);
    }
    let all = areas.get(0).all;
    let mut template = Template {
        paragraphs: paragraphs(&areas, &marked),
        phrases: phrases(&areas, &marked),
        content_share: f64::from(all.kept) / f64::from((all.kept + all.noise).max(1)),
        areas,
    };
    let unsplit = rightness(&template, &marked, &|_| None);
    let splits: [f64; MARKS_MAX] = std::array::from_fn(|index| {
        rightness(&template, &marked, &|one| Some(one.split(&template.paragraphs, index + 1)))
    });
    // A way of splitting that tells less than the default method does is none.
    template.paragraphs.set_agreement(splits.map(|split| if split > unsplit { split } else { 0.0 }));
    let rightness = splits.into_iter().fold(unsplit, f64::max);
    Ok((template, rightness, marked.into_iter().map(|one| one.found).collect()))
}

impl Marked<'_> {
    /// The words of a run, as noise or content for the most part: what else stands in it is a phrase.
    fn verdict(&self, run: &RunBlocks) -> Words {
        let Words { kept, noise } = self.words(run);
        let mut words = Words::default();
        words.add(kept + noise, kept > noise);
        words
    }

    /// The words of a run.
    fn words(&self, run: &RunBlocks) -> Words {
        let mut words = Words::default();
        for block in run.blocks.clone() {
            if let Some(is_kept) = self.kept[block] {
                words.add(self.reading.blocks[block].words.len() as u32, is_kept);
            }
        }
        words
    }

    fn renumber(&mut self, numbers: &[u32]) {
        for run in &mut self.reading.runs {
            let number = numbers[run.place.area as usize];
            // What was pruned belongs to the area around it now.
            run.place = Place { area: number, ..run.place };
        }
    }

    /// The run that a block stands in.
    fn run_of(&self, block: usize) -> usize {
        self.reading.runs.partition_point(|run| run.blocks.end <= block)
    }

    /// The first and the last run of each paragraph, `None` where the paragraph begins or ends inside one.
    fn ends(&self) -> impl Iterator<Item = (Option<usize>, Option<usize>)> {
        self.paragraphs.iter().map(|&(first, last)| {
            let (first_run, last_run) = (self.run_of(first), self.run_of(last));
            let is_plain = |blocks: std::ops::Range<usize>| blocks.into_iter().all(|block| self.kept[block].is_none());
            let begins = is_plain(self.reading.runs[first_run].blocks.start..first);
            let ends = is_plain(last + 1..self.reading.runs[last_run].blocks.end);
            (begins.then_some(first_run), ends.then_some(last_run))
        })
    }

    /// The example split by what its other paragraphs teach.
    fn split(&self, paragraphs: &Paragraphs, mark_count: usize) -> Split {
        let mut own = vec![(false, false); self.reading.runs.len()];
        // What stands before the first and after the last paragraph stands there once on every page.
        self.ends().skip(1).filter_map(|(first, _)| first).for_each(|run| own[run].0 = true);
        let but_last = self.paragraphs.len().saturating_sub(1);
        self.ends().take(but_last).filter_map(|(_, last)| last).for_each(|run| own[run].1 = true);
        paragraphs.split(&self.reading, mark_count, &|run| own[run])
    }
}

/// F1 of the words of the examples, each run judged without itself.
fn rightness(template: &Template, marked: &[Marked<'_>], split: &dyn Fn(&Marked<'_>) -> Option<Split>) -> f64 {
    let (mut right, mut kept, mut wanted) = (0_u64, 0_u64, 0_u64);
    for one in marked {
        let split = split(one);
        let judge = Judge::new(template, &one.reading, split.as_ref());
        for (index, run) in one.reading.runs.iter().enumerate() {
            let words = one.verdict(run);
            let is_kept = judge.verdict(index, words).unwrap_or_else(|| judge.ask(run));
            wanted += u64::from(words.kept);
            if is_kept {
                right += u64::from(words.kept);
                kept += u64::from(words.kept + words.noise);
            }
        }
    }
    2.0 * right as f64 / (kept + wanted).max(1) as f64
}

/// The contexts of paragraphs that begin or end where noise stands beside content; elsewhere the area tells all.
fn paragraphs(areas: &Areas, marked: &[Marked<'_>]) -> Paragraphs {
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for one in marked {
        let runs = &one.reading.runs;
        let is_mixed = |run: Option<usize>| run.is_some_and(|run| areas.get(runs[run].place.area).own.is_mixed());
        let (mut begins, mut ends): (Vec<&RunBlocks>, Vec<&RunBlocks>) = (Vec::new(), Vec::new());
        for (first, last) in one.ends().filter(|(first, last)| is_mixed(*first) || is_mixed(*last)) {
            begins.extend(first.map(|run| &runs[run]));
            ends.extend(last.map(|run| &runs[run]));
        }
        contexts(&one.reading, begins.into_iter(), true, &mut before);
        contexts(&one.reading, ends.into_iter(), false, &mut after);
    }
    Paragraphs::from_lists(before, after, [0.0; MARKS_MAX])
}

/// Noise inside runs that hold content, and beside content in one area; what is content elsewhere is none.
fn phrases(areas: &Areas, marked: &[Marked<'_>]) -> Phrases {
    let mut found = Vec::new();
    for one in marked {
        for run in &one.reading.runs {
            let words = one.words(run);
            if words.is_mixed() || (words.noise > 0 && areas.get(run.place.area).own.is_mixed()) {
                noise_in(one, run, &mut found);
            }
        }
    }
    let phrases = Phrases::from_list(found);
    let mut refuted = Vec::new();
    for one in marked {
        for (run, block) in one.reading.runs.iter().flat_map(|run| run.blocks.clone().map(move |block| (run, block))) {
            if one.kept[block] == Some(true) && phrases.at(&one.reading, block, run.blocks.end).is_some() {
                refuted.push(one.reading.blocks[block].text.trim().to_owned());
            }
        }
    }
    let is_sound = |phrase: &String| !refuted.iter().any(|text| phrase.starts_with(text.as_str()));
    Phrases::from_list(phrases.list().iter().filter(|phrase| is_sound(phrase)).cloned())
}

/// The stretches of noise in a run.
fn noise_in(one: &Marked<'_>, run: &RunBlocks, out: &mut Vec<String>) {
    let mut stretch = String::new();
    for block in run.blocks.clone() {
        if one.kept[block] == Some(false) {
            stretch.push_str(one.reading.blocks[block].text);
        } else if !stretch.is_empty() {
            out.push(std::mem::take(&mut stretch).trim().to_owned());
        }
    }
    if !stretch.is_empty() {
        out.push(stretch.trim().to_owned());
    }
}

/// Reads an example and finds its answer in it.
fn mark<'p>(example: &Example<'p>, index: usize, areas: &mut Areas) -> Result<Marked<'p>, LearnError> {
    let lines: Vec<&str> = example.answer.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let (mut words, mut ends) = (Vec::new(), Vec::new());
    for line in &lines {
        push_words(line, &mut words);
        ends.push(words.len());
    }
    if words.is_empty() {
        return Err(LearnError::EmptyAnswer { example: index });
    }
    let reading = Reading::of(example.page, |place: Place, shape: &str| areas.enter(place, shape));
    if reading.words.is_empty() {
        return Err(LearnError::EmptyPage { example: index });
    }
    let partners = align(&words, &reading.words);
    let share = partners.iter().flatten().count() as f64 / words.len() as f64;
    if share < FOUND_SHARE_MIN {
        return Err(LearnError::NotFound { example: index, share });
    }
    let kept = kept_blocks(&reading, &partners);
    let mut paragraphs = Vec::new();
    let mut missing = Vec::new();
    let mut start = 0;
    for (line, end) in lines.iter().zip(ends) {
        let found: Vec<usize> = partners[start..end].iter().flatten().map(|&word| block_of(&reading, word)).collect();
        match (found.first(), found.last()) {
            (Some(&first), Some(&last)) if found.len() * 2 >= end - start => paragraphs.push((first, last)),
            _ if end > start && missing.len() < MISSING_MAX => missing.push((*line).to_owned()),
            _ => {}
        }
        start = end;
    }
    Ok(Marked { reading, kept, paragraphs, found: Found { share, missing } })
}

/// By text block of a page: whether a text says it; `None` for blocks without words.
pub fn said_blocks(page: &Page, text: &str) -> Vec<Option<bool>> {
    let mut words = Vec::new();
    push_words(text, &mut words);
    let reading = Reading::of(page, |place, _| place);
    kept_blocks(&reading, &align(&words, &reading.words))
}

fn kept_blocks(reading: &Reading<'_>, partners: &[Option<u32>]) -> Vec<Option<bool>> {
    let mut is_said = vec![false; reading.words.len()];
    partners.iter().flatten().for_each(|&word| is_said[word as usize] = true);
    let is_kept = |words: std::ops::Range<usize>| {
        let said = is_said[words.clone()].iter().filter(|said| **said).count();
        (!words.is_empty()).then(|| said as f64 >= KEPT_SHARE_MIN * words.len() as f64)
    };
    reading.blocks.iter().map(|block| is_kept(block.words.clone())).collect()
}

fn block_of(reading: &Reading<'_>, word: u32) -> usize {
    reading.blocks.partition_point(|block| block.words.end <= word as usize)
}
