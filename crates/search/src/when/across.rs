//! Sentences that run over the borders of blocks: no block has all of such a one, but its words stand on the page together, and then the page
//! itself is read.

use std::collections::{BTreeMap, BTreeSet};

use kuai_archive::{Archive, Sighting};
use kuai_page::Url;
use rustc_hash::FxHashMap;
use tantivy::Term;
use tantivy::collector::DocSetCollector;
use tantivy::query::{BooleanQuery, Query, TermQuery};
use tantivy::schema::IndexRecordOption;

use super::certain;
use crate::error::Error;
use crate::index::Index;
use crate::language::Language;
use crate::schema::moment;
use crate::tokens::{Cut, is_ideograph, plain};
use crate::view::View;
use crate::walk;

/// Versions of pages that are read.
const READ_MAX: usize = 1_000;

/// Addresses that are looked at where none is given.
const ADDRESSES_MAX: usize = 20;

/// Words of a sentence that are looked at.
const WORDS_MAX: usize = 64;

/// Blocks that are asked where they stand, where no address is given.
const BLOCKS_MAX: usize = 1_000;

/// A time through which something stood, its end not included.
pub(super) type Stretch = (i64, i64);

/// A sentence that is looked for on whole pages.
pub(super) struct Across<'a> {
    index: &'a Index,
    archive: &'a Archive,
    view: &'a View,
    /// As it is compared.
    wanted: &'a str,
    words: Vec<Word>,
    left: usize,
}

/// A word of the sentence in its forms in all languages.
struct Word {
    forms: BTreeSet<String>,
    /// Whether blocks cannot end within it. Where no spaces are written, what are words hangs on what stands beside them.
    is_sure: bool,
}

impl<'a> Across<'a> {
    pub(super) fn new(
        index: &'a Index,
        archive: &'a Archive,
        view: &'a View,
        sentence: &str,
        wanted: &'a str,
        languages: &[Language],
    ) -> Across<'a> {
        let mut words: BTreeMap<(usize, usize), BTreeSet<String>> = BTreeMap::new();
        for language in languages {
            let tokens = index.tokenizer.cut(sentence, *language, Cut::Query);
            for token in certain(&tokens) {
                words.entry((token.position, token.width)).or_default().insert(token.text.clone());
            }
        }
        let word = |forms: BTreeSet<String>| {
            let is_sure = !forms.iter().any(|form| form.contains(is_ideograph));
            Word { forms, is_sure }
        };
        let words = words.into_values().map(word).take(WORDS_MAX).collect();
        Across { index, archive, view, wanted, words, left: READ_MAX }
    }

    /// Whether more pages were to be read than may be.
    pub(super) fn is_out(&self) -> bool {
        self.left == 0
    }

    /// Addresses where a block has a third of the words.
    pub(super) fn addresses(&self) -> Result<Vec<String>, Error> {
        if self.words.len() < 2 {
            return Ok(Vec::new());
        }
        let words = self.words.iter().map(|word| self.any_form(word)).collect();
        let enough = self.words.len().div_ceil(3);
        let query = BooleanQuery::union_with_minimum_required_clauses(words, enough);
        let mut found: Vec<_> = self.view.searcher.search(&query, &DocSetCollector)?.into_iter().collect();
        found.sort_unstable();
        let urls: BTreeSet<String> = found
            .into_iter()
            .take(BLOCKS_MAX)
            .map(|address| self.view.columns_of(address).url.of(address.doc_id))
            .collect();
        Ok(urls.into_iter().take(ADDRESSES_MAX).collect())
    }

    /// The times through which a page said the sentence, but for those that are known.
    pub(super) fn times(&mut self, url: &Url, known: &[Stretch]) -> Result<Vec<Stretch>, Error> {
        let mut lives = Vec::new();
        for word in &self.words {
            lives.push((self.lives(url, word)?, word.is_sure));
        }
        let sightings = self.archive.sightings(url)?;
        let (mut says, mut times) = (FxHashMap::default(), Vec::new());
        for (from, to) in stretches(&lives) {
            let Some(sighting) = sightings.iter().rev().find(|sighting| moment(sighting.time) <= from) else {
                continue;
            };
            if self.left == 0 || known.iter().any(|known| known.0 <= from && from < known.1) {
                continue;
            }
            let has_it = match says.get(&sighting.number) {
                Some(has_it) => *has_it,
                None => self.reads(url, sighting)?,
            };
            says.insert(sighting.number, has_it);
            times.extend(has_it.then_some((from, to)));
        }
        Ok(times)
    }

    /// Whether a version of a page says the sentence.
    fn reads(&mut self, url: &Url, sighting: &Sighting) -> Result<bool, Error> {
        self.left -= 1;
        let Some(page) = walk::read(self.archive, url, sighting.number)? else { return Ok(false) };
        let texts: Vec<String> = page.passages().into_iter().map(|passage| passage.text).collect();
        Ok(plain(&texts.join("\n")).contains(self.wanted))
    }

    /// When blocks with a word stood at an address.
    fn lives(&self, url: &Url, word: &Word) -> Result<Vec<Stretch>, Error> {
        let at_url = Term::from_field_text(self.index.fields.url, url.as_str());
        let both = BooleanQuery::intersection(vec![term_query(at_url), self.any_form(word)]);
        let found = self.view.searcher.search(&both, &DocSetCollector)?;
        let life = |address: tantivy::DocAddress| {
            let columns = self.view.columns_of(address);
            (columns.first.get_val(address.doc_id), columns.gone.get_val(address.doc_id))
        };
        Ok(found.into_iter().map(life).collect())
    }

    fn any_form(&self, word: &Word) -> Box<dyn Query> {
        let form = |form: &String| term_query(Term::from_field_text(self.index.fields.text, form));
        Box::new(BooleanQuery::union(word.forms.iter().map(form).collect()))
    }
}

pub(super) fn term_query(term: Term) -> Box<dyn Query> {
    Box::new(TermQuery::new(term, IndexRecordOption::Basic))
}

/// The times between any two changes through which all sure words stood, and half of the others.
fn stretches(lives: &[(Vec<Stretch>, bool)]) -> Vec<Stretch> {
    let mut changes: Vec<(i64, usize, i32)> = Vec::new();
    for (place, (times, _)) in lives.iter().enumerate() {
        changes.extend(times.iter().flat_map(|(first, gone)| [(*first, place, 1), (*gone, place, -1)]));
    }
    changes.sort_unstable();
    let sure = lives.iter().filter(|(_, is_sure)| *is_sure).count();
    let others_wanted = (lives.len() - sure).div_ceil(2);
    let mut standing = vec![0; lives.len()];
    let (mut sure_standing, mut others_standing) = (0, 0);
    let mut stretches = Vec::new();
    for (number, (time, place, step)) in changes.iter().enumerate() {
        let before = standing[*place];
        standing[*place] += step;
        let change = i32::from(standing[*place] > 0) - i32::from(before > 0);
        if lives[*place].1 {
            sure_standing += change
        } else {
            others_standing += change
        }
        let Some((next, ..)) = changes.get(number + 1).filter(|next| next.0 > *time) else { continue };
        if !lives.is_empty() && sure_standing as usize == sure && others_standing as usize >= others_wanted {
            stretches.push((*time, *next));
        }
    }
    stretches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_are_where_all_words_stand_and_end_with_every_change() {
        let lives = [(vec![(0, 10), (20, 30)], true), (vec![(5, 25)], true)];
        assert_eq!(stretches(&lives), [(5, 10), (20, 25)]);
        let lives = [(vec![(0, 10)], true), (vec![(0, 10), (4, 6)], true)];
        assert_eq!(stretches(&lives), [(0, 4), (4, 6), (6, 10)]);
    }

    #[test]
    fn of_words_without_spaces_half_will_do() {
        let lives = [(vec![(0, 10)], false), (vec![(5, 25)], false), (vec![], false), (vec![(5, 6)], true)];
        assert_eq!(stretches(&lives), [(5, 6)]);
        assert_eq!(stretches(&[]), []);
    }
}
