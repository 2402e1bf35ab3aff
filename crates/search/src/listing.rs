//! Everything that an index holds, to be compared and counted.

use kuai_page::{Label, Timestamp, Url};
use tantivy::collector::DocSetCollector;
use tantivy::query::{AllQuery, Query, TermQuery};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocAddress, Term};

use crate::error::Error;
use crate::index::Index;
use crate::language::Language;
use crate::period::Period;
use crate::said::BlockId;
use crate::schema::{NEVER, moment, short, time};
use crate::search::Record;

/// Lifetimes of a text that are looked at.
const LIFETIMES_MAX: usize = 10_000;

/// A lifetime as the index knows it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Listed {
    /// The page.
    pub url: String,
    /// What the text is known by.
    pub block: BlockId,
    /// The capture that showed it first.
    pub first_seen: Timestamp,
    /// The first capture of the page that did not show it any more.
    pub gone: Option<Timestamp>,
    /// The version that showed it first.
    pub number: u32,
    /// What it is for.
    pub label: Option<Label>,
    /// Its language.
    pub language: Language,
    /// The title of the page when it was first seen.
    pub title: String,
}

impl Listed {
    /// Whether it stood in a period.
    pub fn is_in(&self, period: Period) -> bool {
        period.has(moment(self.first_seen), self.gone.map_or(NEVER, moment))
    }
}

impl Index {
    /// All lifetimes, or those of one address, in order.
    pub fn list(&self, url: Option<&Url>) -> Result<Vec<Listed>, Error> {
        let view = self.view();
        let query: Box<dyn Query> = match url {
            None => Box::new(AllQuery),
            Some(url) => {
                let term = Term::from_field_text(self.fields.url, url.as_str());
                Box::new(TermQuery::new(term, IndexRecordOption::Basic))
            }
        };
        let mut listed = Vec::new();
        for address in view.searcher.search(&query, &DocSetCollector)? {
            listed.push(Listed::from(Record::read(&view, address)));
        }
        listed.sort_unstable();
        Ok(listed)
    }

    /// The lifetimes of one text on whatever pages, in the order of when it was first seen; so many at most, and how many there are.
    pub fn lifetimes(&self, block: BlockId, limit: usize) -> Result<(Vec<Listed>, usize), Error> {
        let view = self.view();
        let of_block = TermQuery::new(Term::from_field_u64(self.fields.short, short(block)), IndexRecordOption::Basic);
        let mut listed = Vec::new();
        let found = view.searcher.search(&of_block, &DocSetCollector)?.into_iter();
        let is_it = |address: &DocAddress| view.columns_of(*address).block.get_val(address.doc_id) == block.0;
        for address in found.filter(is_it).take(LIFETIMES_MAX) {
            listed.push(Listed::from(Record::read(&view, address)));
        }
        listed.sort_unstable_by(|a, b| (a.first_seen, &a.url).cmp(&(b.first_seen, &b.url)));
        let count = listed.len();
        listed.truncate(limit);
        Ok((listed, count))
    }
}

impl From<Record> for Listed {
    fn from(record: Record) -> Listed {
        Listed {
            url: record.url,
            block: record.block,
            first_seen: time(record.first),
            gone: (record.gone != NEVER).then(|| time(record.gone)),
            number: record.number,
            label: record.label,
            language: record.language,
            title: record.title,
        }
    }
}
