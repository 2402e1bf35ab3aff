//! When a sentence stood where: first seen, last seen, with the captures that show it.

mod across;

use std::collections::BTreeMap;

use kuai_archive::Archive;
use kuai_page::{Timestamp, Url};
use tantivy::Term;
use tantivy::collector::DocSetCollector;
use tantivy::query::{BooleanQuery, DisjunctionMaxQuery, Query};

use across::{Across, Stretch, term_query};

use crate::error::Error;
use crate::index::Index;
use crate::language::Language;
use crate::schema::{NEVER, moment, time};
use crate::search::Record;
use crate::tokens::{Cut, Token, plain};
use crate::view::View;

/// Lifetimes whose text is read to see whether the sentence is in it.
const CANDIDATES_MAX: usize = 5_000;

/// Bytes of a sentence.
const SENTENCE_BYTES_MAX: usize = 4096;

/// Where and when a sentence stood.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct When {
    /// Its times on each page, in the order of when it was first seen.
    pub spells: Vec<Spell>,
    /// Whether more blocks might have it than were looked at.
    pub is_partial: bool,
}

/// A time through which a page said a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spell {
    /// The page.
    pub url: String,
    /// The last capture of the page before it that did not have it; none where the first capture of the page has it.
    pub absent_before: Option<Timestamp>,
    /// The first capture that has it.
    pub first_seen: Timestamp,
    /// The last capture that has it.
    pub last_seen: Timestamp,
    /// The first capture behind it that does not have it; none where the newest has it.
    pub absent_after: Option<Timestamp>,
}

impl Index {
    /// When a sentence stood on which pages, or on one. White space, width, case and traditional forms make no difference; everything else does.
    pub fn when(&self, archive: &Archive, sentence: &str, url: Option<&Url>) -> Result<When, Error> {
        let sentence = &sentence[..sentence.floor_char_boundary(SENTENCE_BYTES_MAX)];
        let wanted = plain(sentence);
        let mut when = When::default();
        if wanted.is_empty() {
            return Ok(when);
        }
        let view = self.view();
        let mut languages = self.languages(&view.searcher)?;
        languages.push(Language::default());
        let mut stood: BTreeMap<String, Vec<Stretch>> = BTreeMap::new();
        let records = self.candidates(&view, sentence, &languages, url)?;
        when.is_partial = records.len() > CANDIDATES_MAX;
        for record in records.into_iter().take(CANDIDATES_MAX) {
            let passage = record.passage(archive)?;
            if passage.is_some_and(|passage| plain(&passage.text).contains(&wanted)) {
                stood.entry(record.url).or_default().push((record.first, record.gone));
            }
        }
        let mut across = Across::new(self, archive, &view, sentence, &wanted, &languages);
        let addresses = url.map_or_else(|| across.addresses(), |url| Ok(vec![url.to_string()]))?;
        for address in addresses {
            let Ok(url) = Url::parse(&address) else { continue };
            let known = stood.get(&address).map(Vec::as_slice).unwrap_or_default();
            let times = across.times(&url, known)?;
            if !times.is_empty() {
                stood.entry(address).or_default().extend(times);
            }
        }
        when.is_partial |= across.is_out();
        for (url, times) in stood {
            when.spells.extend(spells(archive, &url, times)?);
        }
        when.spells.sort_by(|a, b| (a.first_seen, &a.url).cmp(&(b.first_seen, &b.url)));
        Ok(when)
    }

    /// Lifetimes that have all words of a sentence.
    fn candidates(
        &self,
        view: &View,
        sentence: &str,
        languages: &[Language],
        url: Option<&Url>,
    ) -> Result<Vec<Record>, Error> {
        let of_language = |language: &Language| {
            let tokens = self.tokenizer.cut(sentence, *language, Cut::Query);
            let mut words: Vec<&str> = certain(&tokens).map(|token| token.text.as_str()).collect();
            words.sort_unstable();
            words.dedup();
            let terms = words.iter().map(|word| term_query(Term::from_field_text(self.fields.text, word)));
            (!words.is_empty()).then(|| Box::new(BooleanQuery::intersection(terms.collect())) as Box<dyn Query>)
        };
        let mut queries: Vec<Box<dyn Query>> = languages.iter().filter_map(of_language).collect();
        if queries.is_empty() {
            return Ok(Vec::new());
        }
        queries = vec![Box::new(DisjunctionMaxQuery::new(queries))];
        queries.extend(url.map(|url| term_query(Term::from_field_text(self.fields.url, url.as_str()))));
        let mut found: Vec<_> =
            view.searcher.search(&BooleanQuery::intersection(queries), &DocSetCollector)?.into_iter().collect();
        found.sort_unstable();
        found.truncate(CANDIDATES_MAX + 1);
        Ok(found.into_iter().map(|address| Record::read(view, address)).collect())
    }
}

/// The tokens that stand in every text that has the sentence. What stands at either end may be part of a longer word there (`3.` of `3.9`, or
/// the first ideographs of a word); where nothing else is left, it has to do.
fn certain(tokens: &[Token]) -> impl Iterator<Item = &Token> {
    let end = tokens.iter().map(|token| token.position + token.width).max().unwrap_or(0);
    let is_inside = move |token: &&Token| token.position > 0 && token.position + token.width < end;
    let has_others = tokens.iter().any(|token| is_inside(&token));
    tokens.iter().filter(move |token| !has_others || is_inside(token))
}

/// Joins the times through which blocks of a page had a sentence, and finds the captures around them.
fn spells(archive: &Archive, url: &str, mut times: Vec<Stretch>) -> Result<Vec<Spell>, Error> {
    let Ok(address) = Url::parse(url) else { return Ok(Vec::new()) };
    let captures: Vec<Timestamp> = archive.sightings(&address)?.iter().map(|sighting| sighting.time).collect();
    times.sort_unstable();
    let mut joined: Vec<Stretch> = Vec::new();
    for (first, gone) in times {
        // A page that is cut otherwise has the sentence in another block from the same capture on.
        match joined.last_mut().filter(|last| first <= last.1) {
            Some(last) => last.1 = last.1.max(gone),
            None => joined.push((first, gone)),
        }
    }
    let spell = |(first, gone): Stretch| Spell {
        url: url.to_owned(),
        absent_before: captures.iter().rev().copied().find(|capture| moment(*capture) < first),
        first_seen: time(first),
        last_seen: captures.iter().rev().copied().find(|capture| moment(*capture) < gone).unwrap_or(time(first)),
        absent_after: (gone != NEVER).then(|| time(gone)),
    };
    Ok(joined.into_iter().map(spell).collect())
}
