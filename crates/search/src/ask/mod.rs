//! Answers questions with sentences of the archive, word for word, each with its page and time. Nothing is made up: where no sentence
//! has enough of the question's words, nothing is found.

mod question;
mod sentences;

use std::collections::BTreeSet;

use kuai_archive::Archive;
use kuai_page::Timestamp;
use tantivy::{Searcher, Term};

pub(crate) use self::sentences::sentences;
use crate::error::Error;
use crate::hits::Best;
use crate::index::Index;
use crate::language::Language;
use crate::period::Period;
use crate::query::{Query, Strictness, compile};
use crate::schema::{NEVER, moment, time};
use crate::search::Record;
use crate::tokens::{Cut, is_ideograph};
use question::{Expects, Question};

/// Blocks whose sentences are weighed.
const BLOCKS: usize = 40;

/// A sentence has to have so much of the weight of the question's words, its block and title included.
const COVERED_MIN: f32 = 0.55;

/// What a word counts that stands in the block or the title but not in the sentence.
const NEARBY: f32 = 0.5;

/// What an answer of the kind that is asked for counts more.
const FITTING: f32 = 1.25;

/// A sentence that answers a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// The sentence, word for word.
    pub sentence: String,
    /// The page.
    pub url: String,
    /// The title of the page.
    pub title: String,
    /// The capture that showed it first.
    pub first_seen: Timestamp,
    /// The last capture that showed it.
    pub last_seen: Timestamp,
    /// The first capture of the page that did not show it any more.
    pub gone: Option<Timestamp>,
    /// How well it answers, from 0 on.
    pub score: f32,
}

/// A word of a question: its forms in the index, and its weight.
struct Weighed {
    forms: BTreeSet<String>,
    weight: f32,
}

impl Index {
    /// The sentences that answer a question best. It is asked about `at`, or about the time that it names, or about now.
    pub fn ask(
        &self,
        archive: &Archive,
        question: &str,
        at: Option<Timestamp>,
        limit: usize,
    ) -> Result<Vec<Reply>, Error> {
        let question = question::read(question);
        let period = match (at, question.period) {
            (Some(at), _) => Period::At(at),
            (None, Some((from, to))) => Period::Between(from, to),
            (None, None) => Period::Now,
        };
        let mut replies = self.replies(archive, &question, period, None)?;
        // What is said of a year on later pages answers as well.
        if let (None, Some(year)) = (at, &question.year) {
            replies.extend(self.replies(archive, &question, Period::Now, Some(year))?);
        }
        replies.sort_by(|a, b| {
            b.score.total_cmp(&a.score).then_with(|| (a.first_seen, &a.url).cmp(&(b.first_seen, &b.url)))
        });
        let mut seen = BTreeSet::new();
        replies.retain(|reply| seen.insert(reply.sentence.clone()));
        replies.truncate(limit);
        Ok(replies)
    }

    /// Sentences of a period; only such as have a year in them, if one is given.
    fn replies(
        &self,
        archive: &Archive,
        question: &Question,
        period: Period,
        year: Option<&str>,
    ) -> Result<Vec<Reply>, Error> {
        let view = self.view();
        let languages = self.languages(&view.searcher)?;
        let words = self.weighed(&view.searcher, &languages, &question.words)?;
        if question.words.is_empty() {
            return Ok(Vec::new());
        }
        let query = Query::of_words(question.words.clone());
        let wanted = compile(&query, &[], Strictness::Half, self, &languages);
        let best = Best { view: &view, period, limit: BLOCKS, with_facets: false };
        let harvest = view.searcher.search(&wanted.query, &best)?;
        let mut replies = Vec::new();
        for found in &harvest.found {
            let record = Record::read(&view, found.address);
            let Some(passage) = record.passage(archive)? else { continue };
            let best = self.best_sentence(&passage.text, &record, &words, question, year);
            if let Some((sentence, score)) = best {
                let overlap = overlap(period, &record);
                replies.push(reply(archive, &record, sentence, score * overlap)?);
            }
        }
        Ok(replies)
    }

    /// The words of a question with their forms in all languages; the rarer, the heavier.
    fn weighed(&self, searcher: &Searcher, languages: &[Language], words: &[String]) -> Result<Vec<Weighed>, Error> {
        let all = searcher.num_docs().max(1) as f32;
        let mut weighed = Vec::new();
        for word in words.iter().flat_map(|word| self.parts(word)) {
            let forms: BTreeSet<String> = languages
                .iter()
                .chain([&Language::default()])
                .flat_map(|language| self.tokenizer.cut(&word, *language, Cut::Query))
                .map(|token| token.text)
                .collect();
            let mut count = 0;
            for form in &forms {
                count += searcher.doc_freq(&Term::from_field_text(self.fields.text, form))?;
            }
            weighed.push(Weighed { forms, weight: (1.0 + all / (1.0 + count as f32)).ln() });
        }
        Ok(weighed)
    }

    /// The words that a word written without spaces is made of.
    fn parts(&self, word: &str) -> Vec<String> {
        match word.chars().any(is_ideograph) {
            false => vec![word.to_owned()],
            true => {
                let tokens = self.tokenizer.cut(word, Language::default(), Cut::Query);
                tokens.iter().map(|token| word[token.span.clone()].to_owned()).collect()
            }
        }
    }

    /// The best sentence of a block, where one is good enough.
    fn best_sentence(
        &self,
        text: &str,
        record: &Record,
        words: &[Weighed],
        question: &Question,
        year: Option<&str>,
    ) -> Option<(String, f32)> {
        let tokens = |text: &str| -> BTreeSet<String> {
            self.tokenizer.tokens(text, record.language).into_iter().map(|token| token.text).collect()
        };
        let around: BTreeSet<String> = tokens(text).into_iter().chain(tokens(&record.title)).collect();
        let whole: f32 = words.iter().map(|word| word.weight).sum();
        let score = |sentence: &str| {
            let inside = tokens(sentence);
            let share = |word: &Weighed| match (word.forms.is_disjoint(&inside), word.forms.is_disjoint(&around)) {
                (false, _) => word.weight,
                (true, false) => word.weight * NEARBY,
                (true, true) => 0.0,
            };
            let covered = words.iter().map(share).sum::<f32>() / whole.max(f32::MIN_POSITIVE);
            let fits = if fits(sentence, question, words, &inside) { FITTING } else { 1.0 };
            (covered >= COVERED_MIN).then_some(covered * fits)
        };
        let candidates = sentences(text).into_iter().filter(|sentence| year.is_none_or(|year| sentence.contains(year)));
        let scored = candidates.filter_map(|sentence| Some((sentence.to_owned(), score(sentence)?)));
        scored.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.len().cmp(&a.0.len())))
    }
}

/// Whether a sentence has the kind of thing in it that is asked for, besides the question's own words.
fn fits(sentence: &str, question: &Question, words: &[Weighed], inside: &BTreeSet<String>) -> bool {
    let is_new = |word: &str| {
        let lower = word.to_lowercase();
        !words.iter().any(|known| known.forms.iter().any(|form| lower.starts_with(form.as_str())))
    };
    match question.expects {
        Expects::Anything => false,
        Expects::Number => inside.iter().any(|token| token.chars().any(char::is_numeric)) || has_number_word(sentence),
        Expects::Date => sentence.split(|letter: char| !letter.is_ascii_digit()).any(|number| number.len() == 4),
        Expects::Name => {
            let mut spoken = sentence.split_whitespace().skip(1);
            let is_name = |word: &str| word.chars().next().is_some_and(char::is_uppercase) && is_new(word);
            spoken.any(is_name) || sentence.chars().any(is_ideograph)
        }
    }
}

fn has_number_word(sentence: &str) -> bool {
    const WORDS: [&str; 15] = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "twenty",
        "hundred", "thousand",
    ];
    let chinese = |letter: char| "一二三四五六七八九十百千万两".contains(letter);
    sentence.chars().any(chinese)
        || sentence
            .split(|letter: char| !letter.is_alphabetic())
            .any(|word| WORDS.contains(&word.to_lowercase().as_str()))
}

/// How much of a period a block stood through, from 0.9 to 1: of two that answer alike, the one that stood longer.
fn overlap(period: Period, record: &Record) -> f32 {
    let Period::Between(from, to) = period else { return 1.0 };
    let (from, to) = (moment(from), moment(to).max(moment(from) + 1));
    let stood = record.gone.min(to).saturating_sub(record.first.max(from)).max(0);
    0.9 + 0.1 * (stood as f32 / (to - from) as f32)
}

fn reply(archive: &Archive, record: &Record, sentence: String, score: f32) -> Result<Reply, Error> {
    Ok(Reply {
        sentence,
        url: record.url.clone(),
        title: record.title.clone(),
        first_seen: time(record.first),
        last_seen: record.last_seen(archive)?,
        gone: (record.gone != NEVER).then(|| time(record.gone)),
        score,
    })
}
