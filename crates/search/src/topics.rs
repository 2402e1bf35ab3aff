//! What blocks talked about through the years: which topics are new, which are gone, which rise, each with blocks behind it.
//!
//! A topic is a word of what blocks are about, or of the title of their page, counted once for each page and year in which such a block
//! stood. Menus, adverts and small print say nothing about a site's topics and are left out.

use std::collections::BTreeMap;

use kuai_page::{Label, Timestamp};
use rustc_hash::{FxHashMap, FxHashSet};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocId, DocSet, SegmentReader, TERMINATED};

use crate::error::Error;
use crate::index::Index;
use crate::said::BlockId;
use crate::schema::{NEVER, kind_of, time};
use crate::view::Columns;

/// Pages that have to have talked about something before it is a topic.
const PAGES_MIN: u32 = 3;

/// A word on a larger share of all pages is no topic, but how the site talks.
const SHARE_MAX: f32 = 0.5;

/// Letters of a topic of a script with spaces.
const LETTERS_MIN: usize = 3;

/// What was talked about in a year.
#[derive(Clone, Debug, PartialEq)]
pub struct YearTopics {
    /// The year.
    pub year: i16,
    /// Pages that had anything to say in it.
    pub pages: u32,
    /// What was never talked about before.
    pub new: Vec<TopicCount>,
    /// What was talked about on a larger share of pages than in the year before.
    pub rising: Vec<TopicCount>,
    /// What was talked about in the year before, and not in this one.
    pub gone: Vec<TopicCount>,
    /// What was talked about most.
    pub most: Vec<TopicCount>,
}

/// A topic in a year.
#[derive(Clone, Debug, PartialEq)]
pub struct TopicCount {
    /// The word, in the form in which it is looked for.
    pub word: String,
    /// Pages that talked about it in the year.
    pub pages: u32,
    /// Pages that did in the year before.
    pub before: u32,
}

/// Pages by topic and year.
type Counts = FxHashMap<String, BTreeMap<i16, FxHashSet<u64>>>;

impl Index {
    /// The topics of each year up to `now`, of a site or of all; at most `limit` of each sort.
    pub fn topics(&self, site: Option<&str>, now: Timestamp, limit: usize) -> Result<Vec<YearTopics>, Error> {
        let mut counts = Counts::default();
        let mut pages: BTreeMap<i16, FxHashSet<u64>> = BTreeMap::new();
        let view = self.view();
        for (number, segment) in (0..).zip(view.searcher.segment_readers()) {
            let blocks = Blocks::read(segment, view.columns(number), site, year_of(now));
            for block in blocks.0.values() {
                for year in block.years() {
                    pages.entry(year).or_default().insert(block.page);
                }
            }
            self.count(segment, self.fields.topic, &blocks, &mut counts)?;
            self.count(segment, self.fields.title, &blocks, &mut counts)?;
        }
        let all: FxHashSet<u64> = pages.values().flatten().copied().collect();
        let most = (all.len() as f32 * SHARE_MAX).max(PAGES_MIN as f32) as usize;
        counts.retain(|word, years| is_topic(word) && pages_of(years).len() <= most);
        let years: Vec<(i16, u32)> = pages.iter().map(|(year, pages)| (*year, pages.len() as u32)).collect();
        Ok(years.iter().enumerate().map(|(place, year)| year_topics(&counts, &years[..place], *year, limit)).collect())
    }

    fn count(&self, segment: &SegmentReader, field: Field, blocks: &Blocks, counts: &mut Counts) -> Result<(), Error> {
        let inverted = segment.inverted_index(field)?;
        let mut terms = inverted.terms().stream().map_err(tantivy::TantivyError::from)?;
        while terms.advance() {
            let Ok(word) = std::str::from_utf8(terms.key()) else { continue };
            let word = word.to_owned();
            let mut postings = inverted
                .read_postings_from_terminfo(terms.value(), IndexRecordOption::Basic)
                .map_err(tantivy::TantivyError::from)?;
            while postings.doc() != TERMINATED {
                if let Some(block) = blocks.0.get(&postings.doc()) {
                    let years = counts.entry(word.clone()).or_default();
                    for year in block.years() {
                        years.entry(year).or_default().insert(block.page);
                    }
                }
                postings.advance();
            }
        }
        Ok(())
    }
}

/// The blocks of a segment that have a say.
struct Blocks(FxHashMap<DocId, Block>);

struct Block {
    page: u64,
    first: i16,
    last: i16,
}

impl Block {
    fn years(&self) -> impl Iterator<Item = i16> + use<> {
        self.first..=self.last
    }
}

impl Blocks {
    fn read(segment: &SegmentReader, columns: &Columns, site: Option<&str>, now: i16) -> Blocks {
        let mut hosts_of_site: FxHashMap<u64, bool> = FxHashMap::default();
        let mut is_of_site = |doc: DocId| {
            let Some(site) = site else { return true };
            let ord = columns.host.ord(doc).unwrap_or_default();
            *hosts_of_site.entry(ord).or_insert_with(|| is_below(&columns.host.name(ord), site))
        };
        let mut blocks = FxHashMap::default();
        for doc in segment.doc_ids_alive().filter(|doc| is_of_site(*doc)) {
            if !has_a_say(kind_of(columns.kind.get_val(doc))) {
                continue;
            }
            // Only what is gone has a time when it was last seen.
            let until = match columns.last.get_val(doc) {
                NEVER => now,
                last => year_of(time(last)),
            };
            let first = year_of(time(columns.first.get_val(doc)));
            // A number that is the same in every segment.
            let page = BlockId::of(&columns.url.of(doc)).0;
            blocks.insert(doc, Block { page, first, last: until.max(first) });
        }
        Blocks(blocks)
    }
}

pub(crate) fn is_below(host: &str, site: &str) -> bool {
    host.strip_suffix(site).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

fn has_a_say(label: Option<Label>) -> bool {
    !matches!(
        label,
        Some(Label::Navigation | Label::Advert | Label::Copyright | Label::Noise | Label::Related | Label::Meta)
    )
}

fn is_topic(word: &str) -> bool {
    let letters = word.chars().count();
    let is_wide = word.chars().any(crate::tokens::is_ideograph);
    let enough = if is_wide { 2 } else { LETTERS_MIN };
    letters >= enough && word.chars().all(char::is_alphabetic)
}

fn pages_of(years: &BTreeMap<i16, FxHashSet<u64>>) -> FxHashSet<u64> {
    years.values().flatten().copied().collect()
}

fn year_topics(counts: &Counts, earlier: &[(i16, u32)], (year, pages): (i16, u32), limit: usize) -> YearTopics {
    let before = earlier.last().copied();
    let mut topics =
        YearTopics { year, pages, new: Vec::new(), rising: Vec::new(), gone: Vec::new(), most: Vec::new() };
    for (word, years) in counts {
        let count = |year: i16| years.get(&year).map_or(0, |pages| pages.len() as u32);
        let (now, then) = (count(year), before.map_or(0, |(year, _)| count(year)));
        let topic = TopicCount { word: word.clone(), pages: now, before: then };
        if now >= PAGES_MIN {
            topics.most.push(topic.clone());
        }
        let Some((_, pages_before)) = before else { continue };
        let is_first = years.keys().next() == Some(&year);
        let share = |count: u32, pages: u32| count as f32 / pages.max(1) as f32;
        match () {
            () if is_first && now >= PAGES_MIN => topics.new.push(topic),
            () if now == 0 && then >= PAGES_MIN => topics.gone.push(topic),
            () if now >= PAGES_MIN && then > 0 && share(now, pages) > share(then, pages_before) => {
                topics.rising.push(topic)
            }
            () => {}
        }
    }
    let rise = |topic: &TopicCount| topic.pages as f32 / topic.before.max(1) as f32;
    topics
        .rising
        .sort_by(|a, b| rise(b).total_cmp(&rise(a)).then(b.pages.cmp(&a.pages)).then_with(|| a.word.cmp(&b.word)));
    topics.gone.sort_by(|a, b| b.before.cmp(&a.before).then_with(|| a.word.cmp(&b.word)));
    for list in [&mut topics.new, &mut topics.most] {
        list.sort_by(|a, b| b.pages.cmp(&a.pages).then_with(|| a.word.cmp(&b.word)));
    }
    for list in [&mut topics.new, &mut topics.rising, &mut topics.gone, &mut topics.most] {
        list.truncate(limit);
    }
    topics
}

fn year_of(time: Timestamp) -> i16 {
    time.to_string().split_once('-').and_then(|(year, _)| year.parse().ok()).unwrap_or_default()
}
