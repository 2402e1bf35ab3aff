//! What was looked for and found: blocks with the time through which they stood, counts, and how often it was said at what time.

use std::cmp::Reverse;

use askama::Template;
use kuai::Label;
use kuai::search::{Answer, Filter, Hit, Index, Period, Query, Request, Snippet};
use kuai::{Archive, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::paging::Paging;
use super::{Time, View};
use crate::plot::Curve;
use crate::refusal::Refusal;
use crate::shared::State;
use crate::visitor::Visitor;
use crate::words::Words;

/// Hits on a page, and pages of them.
const HITS_PER_PAGE: usize = 10;
const PAGES_MAX: usize = 100;

/// Sites that are counted.
const SITES_MAX: usize = 12;

/// Points of the plot.
const POINTS: i64 = 60;

/// What to look for.
#[derive(Deserialize, IntoParams)]
pub(crate) struct SearchAsked {
    /// Words, "phrases", AND, OR, -word, and fields such as `kind:`, `site:`, `url:`, `language:`, `topic:`, `title:`.
    #[serde(default)]
    q: String,
    /// As the Web stood at this time: `2019-06-30`.
    at: Option<String>,
    /// The same in seconds since 1970.
    second: Option<i64>,
    /// What ever stood.
    ever: Option<bool>,
    /// Pages of this host, and of those below it.
    site: Option<String>,
    /// Blocks of this kind, or `content`.
    kind: Option<String>,
    /// Blocks in this language: `en`, `zh`.
    language: Option<String>,
    /// Which page of hits, from 1.
    #[param(minimum = 1, maximum = 100)]
    page: Option<usize>,
}

/// What was found.
#[derive(Serialize, ToSchema)]
pub(crate) struct SearchView {
    query: String,
    /// The time that is meant; none for now, or ever.
    at: Option<Time>,
    /// Whether what is gone is looked through, too.
    is_ever: bool,
    /// The times of the first and last capture of the archive.
    range: Option<Range>,
    /// How many blocks match; a block counts once for each page and lifetime.
    matching: u64,
    /// Whether no block has most of the words, so that these have some only.
    is_loose: bool,
    /// Captures that cannot be found yet; none where there is no index yet.
    behind: Option<u64>,
    paging: Paging,
    hits: Vec<HitLine>,
    facets: Facets,
    /// How many blocks that match stood at times from the first capture to the last.
    history: Vec<SaidAt>,
}

/// From a time to another.
#[derive(Clone, Copy, Serialize, ToSchema)]
pub(crate) struct Range {
    pub(crate) first: Time,
    pub(crate) last: Time,
}

/// A block that was found.
#[derive(Serialize, ToSchema)]
struct HitLine {
    block: String,
    url: String,
    title: String,
    kind: Option<&'static str>,
    topic: Option<String>,
    language: Option<&'static str>,
    snippet: Vec<Piece>,
    first_seen: Time,
    last_seen: Time,
    /// The first capture of the page without it.
    absent_after: Option<Time>,
    /// On how many pages the same text stood.
    pages: u64,
    score: f32,
}

/// A part of a text.
#[derive(Serialize, ToSchema)]
struct Piece {
    text: String,
    /// Whether it was looked for.
    is_match: bool,
}

/// Counts of what matches.
#[derive(Default, Serialize, ToSchema)]
struct Facets {
    /// By the year in which it was first seen.
    years: Vec<Count>,
    sites: Vec<Count>,
    kinds: Vec<Count>,
}

#[derive(Serialize, ToSchema)]
struct Count {
    name: String,
    count: u64,
}

/// How many blocks stood at a time.
#[derive(Serialize, ToSchema)]
struct SaidAt {
    time: Time,
    blocks: u64,
}

#[derive(Template)]
#[template(path = "search.html")]
struct SearchPage<'a> {
    visitor: &'a Visitor,
    w: &'a Words,
    view: &'a SearchView,
    curve: Option<Curve>,
}

impl View for SearchView {
    type Asked = SearchAsked;
    const NAME: &'static str = "search";
    const ABOUT: &'static str =
        "Blocks that say so, now, at a time or ever, with counts and the history of what was looked for.";

    fn read(server: &State, asked: SearchAsked) -> Result<SearchView, Refusal> {
        let archive = server.holdings.archive();
        server.holdings.tally().refresh(archive)?;
        let range = server.holdings.tally().read().range;
        let range = range.map(|(first, last)| Range { first: first.into(), last: last.into() });
        let at = asked.at()?;
        let mut view = SearchView {
            query: asked.q.trim().to_owned(),
            at,
            is_ever: at.is_none() && asked.ever.unwrap_or(false),
            range,
            matching: 0,
            is_loose: false,
            behind: None,
            paging: Paging::new(None, 0, HITS_PER_PAGE),
            hits: Vec::new(),
            facets: Facets::default(),
            history: Vec::new(),
        };
        let Some((index, behind)) = server.finder.index(archive)? else { return Ok(view) };
        view.behind = Some(behind);
        if !view.query.is_empty() {
            view.find(&index, archive, &asked)?;
        }
        Ok(view)
    }

    fn page(&self, visitor: &Visitor) -> askama::Result<String> {
        let counts: Vec<u64> = self.history.iter().map(|point| point.blocks).collect();
        let curve = counts.iter().any(|count| *count > 0).then(|| Curve::of(&counts, 600, 70));
        SearchPage { visitor, w: visitor.words, view: self, curve }.render()
    }
}

impl SearchPage<'_> {
    /// The same, now.
    fn now(&self) -> String {
        self.visitor.changed(&["at", "second", "ever", "page"], None)
    }

    /// The same, at any time.
    fn ever(&self) -> String {
        self.visitor.changed(&["at", "second", "ever", "page"], Some(("ever", "true")))
    }
}

impl SearchAsked {
    fn at(&self) -> Result<Option<Time>, Refusal> {
        let second = self.second.and_then(|second| Timestamp::from_second(second).ok()).map(Time);
        let written = self.at.as_deref().filter(|text| !text.is_empty()).map(Time::until).transpose()?;
        Ok(written.or(second))
    }

    fn filters(&self) -> Result<Vec<Filter>, Refusal> {
        let fields = [("site", &self.site), ("kind", &self.kind), ("language", &self.language)];
        let given = fields.into_iter().filter_map(|(name, value)| Some((name, value.as_deref()?)));
        let filter = |(name, value): (&str, &str)| Filter::new(name, value).map_err(Refusal::bad_request);
        given.filter(|(_, value)| !value.is_empty()).map(filter).collect()
    }
}

impl SearchView {
    fn find(&mut self, index: &Index, archive: &Archive, asked: &SearchAsked) -> Result<(), Refusal> {
        let query: Query =
            self.query.parse().map_err(|error: kuai::search::QueryError| Refusal::bad_request(error.to_string()))?;
        let period = match (self.at, self.is_ever) {
            (Some(time), _) => Period::At(time.0),
            (None, true) => Period::Ever,
            (None, false) => Period::Now,
        };
        let page = asked.page.unwrap_or(1).clamp(1, PAGES_MAX);
        let request = Request {
            filters: asked.filters()?,
            period,
            offset: (page - 1) * HITS_PER_PAGE,
            limit: HITS_PER_PAGE,
            with_facets: true,
            ..Request::new(query)
        };
        let answer = index.search(archive, &request)?;
        // The same text on several pages is one hit, so the pages end where a page is not full.
        let is_full = answer.hits.len() == HITS_PER_PAGE && page < PAGES_MAX;
        let total = request.offset + answer.hits.len() + usize::from(is_full);
        self.paging = Paging::new(Some(page), total, HITS_PER_PAGE);
        self.matching = answer.matching;
        self.is_loose = answer.is_loose;
        self.facets = Facets::of(&answer);
        self.hits = answer.hits.into_iter().map(HitLine::new).collect();
        if let Some(range) = self.range {
            let times = points(range);
            let counts = index.standing(&request, &times)?;
            self.history =
                times.iter().zip(counts).map(|(time, blocks)| SaidAt { time: Time(*time), blocks }).collect();
        }
        Ok(())
    }

    /// Where the life of a hit stands on a line of 1000 from the first capture to the last: its start and its length.
    fn life(&self, hit: &HitLine) -> (i64, i64) {
        let Some(Range { first, last }) = self.range else { return (0, 1000) };
        let length = (last.second() - first.second()).max(1);
        let place = |time: Time| ((time.second() - first.second()) * 1000 / length).clamp(0, 1000);
        let (start, end) = (place(hit.first_seen), place(hit.last_seen));
        // What was seen once is seen.
        (start.min(992), (end - start).max(8))
    }
}

impl HitLine {
    fn new(hit: Hit) -> HitLine {
        HitLine {
            block: hit.block.to_string(),
            url: hit.url,
            title: hit.title,
            kind: hit.label.map(Label::name),
            topic: hit.topic,
            language: Some(hit.language.code()).filter(|code| !code.is_empty()),
            snippet: pieces(&hit.snippet),
            first_seen: hit.first_seen.into(),
            last_seen: hit.last_seen.into(),
            absent_after: hit.gone.map(Time),
            pages: hit.pages,
            score: hit.score,
        }
    }
}

impl Facets {
    fn of(answer: &Answer) -> Facets {
        let count = |name: String, count: &u64| Count { name, count: *count };
        let facets = &answer.facets;
        let mut sites: Vec<Count> = facets.sites.iter().map(|(site, number)| count(site.clone(), number)).collect();
        sites.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.name.cmp(&b.name)));
        sites.truncate(SITES_MAX);
        let kinds =
            facets.kinds.iter().filter_map(|(kind, number)| Some(count(kind.as_ref()?.name().to_owned(), number)));
        let mut kinds: Vec<Count> = kinds.collect();
        kinds.sort_by_key(|kind| Reverse(kind.count));
        let years = facets.years.iter().map(|(year, number)| count(year.to_string(), number));
        Facets { years: years.collect(), sites, kinds }
    }
}

fn pieces(snippet: &Snippet) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut place = 0;
    let mut push = |text: &str, is_match| {
        if !text.is_empty() {
            pieces.push(Piece { text: text.to_owned(), is_match });
        }
    };
    for mark in &snippet.marks {
        push(&snippet.text[place..mark.start], false);
        push(&snippet.text[mark.clone()], true);
        place = mark.end;
    }
    push(&snippet.text[place..], false);
    pieces
}

/// Times from the first capture to the last, at equal distances.
fn points(range: Range) -> Vec<Timestamp> {
    let (first, last) = (range.first.second(), range.last.second());
    let at = |point: i64| first + (last - first) * point / (POINTS - 1);
    // A capture of the last second may have a part of a second more.
    let time = |point| if point == POINTS - 1 { Some(range.last.0) } else { Timestamp::from_second(at(point)).ok() };
    (0..POINTS).filter_map(time).collect()
}
