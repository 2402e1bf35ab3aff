//! A search: what is asked, and what was found.

use kuai_archive::Archive;
use kuai_page::{Label, Timestamp, Url};
use tantivy::DocAddress;
use tantivy::query::TermQuery;
use tantivy::schema::IndexRecordOption;
use tantivy::{Searcher, Term};

use crate::error::Error;
use crate::facets::Facets;
use crate::hits::{Best, Found};
use crate::index::Index;
use crate::language::Language;
use crate::pages::Pages;
use crate::period::Period;
use crate::query::{Filter, Query, Strictness, Wanted, compile};
use crate::said::BlockId;
use crate::schema::{NEVER, kind_of, short, time};
use crate::snippet::{Snippet, snippet};
use crate::view::View;

/// Hits that can be asked for, the ones passed over included.
const HITS_MAX: usize = 10_000;

/// What is looked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// The words.
    pub query: Query,
    /// What blocks have to be besides; filters of one field are alternatives.
    pub filters: Vec<Filter>,
    /// The time that is meant.
    pub period: Period,
    /// Hits that are passed over.
    pub offset: usize,
    /// Hits that are wanted.
    pub limit: usize,
    /// Whether to count by year, site and kind.
    pub with_facets: bool,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The hits, best first.
    pub hits: Vec<Hit>,
    /// How many match; a block counts once for each page and lifetime.
    pub matching: u64,
    /// Counts, where they were asked for.
    pub facets: Facets,
    /// Whether no block has most of the words, so that these have some only.
    pub is_loose: bool,
}

/// A block that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// The page that it stands for it: of several with the same text, the best and then the earliest.
    pub url: String,
    /// The title of that page.
    pub title: String,
    /// What it says, in short.
    pub snippet: Snippet,
    /// What its text is known by.
    pub block: BlockId,
    /// What it is for.
    pub label: Option<Label>,
    /// What it is about.
    pub topic: Option<String>,
    /// Its language.
    pub language: Language,
    /// How well it matches; to be compared within one answer only.
    pub score: f32,
    /// The capture that showed it first on that page.
    pub first_seen: Timestamp,
    /// The last capture that showed it there.
    pub last_seen: Timestamp,
    /// The first capture of that page that did not show it any more.
    pub gone: Option<Timestamp>,
    /// On how many pages the same text stood in the period.
    pub pages: u64,
}

impl Request {
    /// The best ten for a query, now.
    pub fn new(query: Query) -> Request {
        Request { query, filters: Vec::new(), period: Period::Now, offset: 0, limit: 10, with_facets: false }
    }
}

impl Index {
    /// Looks for blocks. The archive is asked for their texts.
    pub fn search(&self, archive: &Archive, request: &Request) -> Result<Answer, Error> {
        let view = self.view();
        let languages = self.languages(&view.searcher)?;
        let answer = self.answer(archive, &view, request, &languages, Strictness::Most)?;
        if answer.matching > 0 {
            return Ok(answer);
        }
        // Words that no block has together may stand in several; the best of what has some is better than nothing.
        let loose = self.answer(archive, &view, request, &languages, Strictness::Any)?;
        Ok(Answer { is_loose: loose.matching > 0, ..loose })
    }

    fn answer(
        &self,
        archive: &Archive,
        view: &View,
        request: &Request,
        languages: &[Language],
        strictness: Strictness,
    ) -> Result<Answer, Error> {
        let wanted = compile(&request.query, &request.filters, strictness, self, languages);
        let limit = request.offset.saturating_add(request.limit).min(HITS_MAX);
        let best = Best { view, period: request.period, limit, with_facets: request.with_facets };
        let harvest = view.searcher.search(&wanted.query, &best)?;
        let shown = harvest.found.iter().skip(request.offset).take(request.limit);
        let hit = |found: &Found| self.hit(archive, view, found, &wanted, request.period);
        let hits = shown.map(hit).collect::<Result<_, _>>()?;
        Ok(Answer { hits, matching: harvest.matching, facets: harvest.facets, is_loose: false })
    }

    /// The languages that the index has texts of.
    pub(crate) fn languages(&self, searcher: &Searcher) -> Result<Vec<Language>, Error> {
        let mut languages = Vec::new();
        for segment in searcher.segment_readers() {
            let terms = segment.inverted_index(self.fields.language)?;
            let mut stream = terms.terms().stream().map_err(tantivy::TantivyError::from)?;
            while stream.advance() {
                languages.extend(std::str::from_utf8(stream.key()).ok().and_then(Language::of_code));
            }
        }
        languages.sort_unstable();
        languages.dedup();
        Ok(languages)
    }

    fn hit(
        &self,
        archive: &Archive,
        view: &View,
        found: &Found,
        wanted: &Wanted,
        period: Period,
    ) -> Result<Hit, Error> {
        let record = Record::read(view, found.address);
        let passage = record.passage(archive)?;
        let (text, topic) = passage.map_or((String::new(), None), |passage| (passage.text, passage.topic));
        Ok(Hit {
            snippet: snippet(&text, record.language, &wanted.tokens, &self.tokenizer),
            topic,
            block: record.block,
            label: record.label,
            language: record.language,
            score: found.score,
            first_seen: time(record.first),
            last_seen: record.last_seen(archive)?,
            gone: (record.gone != NEVER).then(|| time(record.gone)),
            pages: self.pages(view, record.block, period)?,
            url: record.url,
            title: record.title,
        })
    }

    /// On how many pages a text stood in a period.
    fn pages(&self, view: &View, block: BlockId, period: Period) -> Result<u64, Error> {
        let of_block = TermQuery::new(Term::from_field_u64(self.fields.short, short(block)), IndexRecordOption::Basic);
        Ok(view.searcher.search(&of_block, &Pages { view, block, period })?)
    }
}

/// What the index itself knows of a lifetime.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) url: String,
    pub(crate) title: String,
    pub(crate) block: BlockId,
    pub(crate) label: Option<Label>,
    pub(crate) language: Language,
    pub(crate) first: i64,
    pub(crate) last: i64,
    pub(crate) gone: i64,
    pub(crate) number: u32,
    pub(crate) piece: usize,
}

impl Record {
    pub(crate) fn read(view: &View, address: DocAddress) -> Record {
        let (columns, doc) = (view.columns_of(address), address.doc_id);
        Record {
            url: columns.url.of(doc),
            title: columns.title.of(doc),
            block: BlockId(columns.block.get_val(doc)),
            label: kind_of(columns.kind.get_val(doc)),
            language: Language::of_code(&columns.language.of(doc)).unwrap_or_default(),
            first: columns.first.get_val(doc),
            last: columns.last.get_val(doc),
            gone: columns.gone.get_val(doc),
            number: columns.number.get_val(doc) as u32,
            piece: columns.piece.get_val(doc) as usize,
        }
    }

    /// What the block says, read from the archive; none where it cannot be read any more.
    pub(crate) fn passage(&self, archive: &Archive) -> Result<Option<kuai_archive::Passage>, Error> {
        let Ok(url) = Url::parse(&self.url) else { return Ok(None) };
        let page = archive.page(&url, self.number)?;
        let passage = page.and_then(|page| page.passage(self.piece));
        Ok(passage.filter(|passage| BlockId::of(&passage.text) == self.block))
    }

    /// The last capture that showed the block: of one that is there still, the newest that showed the page.
    pub(crate) fn last_seen(&self, archive: &Archive) -> Result<Timestamp, Error> {
        let Ok(url) = Url::parse(&self.url) else { return Ok(time(self.last)) };
        let newest =
            if self.gone == NEVER { archive.sightings(&url)?.last().map(|sighting| sighting.time) } else { None };
        Ok(newest.unwrap_or(time(self.last)))
    }
}
