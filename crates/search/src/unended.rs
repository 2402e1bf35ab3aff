//! Finds the lifetime of a block at an address that has not ended: an address has one at most. The address is looked up and the rest read from
//! columns, so that nothing more need be indexed for it.

use tantivy::query::{EmptyScorer, EnableScoring, Explanation, Query, Scorer, Weight};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, Score, SegmentReader, TERMINATED, TantivyError, Term};

use crate::said::BlockId;
use crate::schema::column;

/// Asks for the lifetime of a block at an address that has not ended.
#[derive(Clone, Debug)]
pub(crate) struct Unended {
    pub(crate) url: Term,
    pub(crate) block: BlockId,
}

impl Query for Unended {
    fn weight(&self, _: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        Ok(Box::new(self.clone()))
    }
}

impl Weight for Unended {
    fn scorer(&self, segment: &SegmentReader, _: Score) -> tantivy::Result<Box<dyn Scorer>> {
        Ok(match self.find(segment)? {
            Some(doc) => Box::new(Only(doc)),
            None => Box::new(EmptyScorer),
        })
    }

    fn explain(&self, _: &SegmentReader, doc: DocId) -> tantivy::Result<Explanation> {
        Err(TantivyError::InvalidArgument(format!("document {doc} is found by its columns, without a score")))
    }
}

impl Unended {
    fn find(&self, segment: &SegmentReader) -> tantivy::Result<Option<DocId>> {
        let words = segment.inverted_index(self.url.field())?;
        let Some(mut of_url) = words.read_postings(&self.url, IndexRecordOption::Basic)? else { return Ok(None) };
        let block = segment.fast_fields().u64(column::BLOCK)?;
        let gone = segment.fast_fields().column_opt::<i64>(column::GONE)?;
        let has_ended = |doc| gone.as_ref().is_some_and(|gone| gone.first(doc).is_some());
        let is_alive = |doc| segment.alive_bitset().is_none_or(|alive| alive.is_alive(doc));
        while of_url.doc() != TERMINATED {
            let doc = of_url.doc();
            if block.first(doc) == Some(self.block.0) && !has_ended(doc) && is_alive(doc) {
                return Ok(Some(doc));
            }
            of_url.advance();
        }
        Ok(None)
    }
}

/// One document.
struct Only(DocId);

impl DocSet for Only {
    fn advance(&mut self) -> DocId {
        self.0 = TERMINATED;
        TERMINATED
    }

    fn doc(&self) -> DocId {
        self.0
    }

    fn size_hint(&self) -> u32 {
        1
    }
}

impl Scorer for Only {
    fn score(&mut self) -> Score {
        1.0
    }
}
