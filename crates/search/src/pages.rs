//! Counts the pages that documents stand on.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use tantivy::collector::{Collector, SegmentCollector};
use tantivy::columnar::{ColumnValues, StrColumn};
use tantivy::{DocId, Score, SegmentOrdinal, SegmentReader};

use crate::period::Period;
use crate::said::BlockId;
use crate::schema::{column, gone_column};

/// Counts the pages of a block's documents that stood in a period. At one time a text stands once on a page; through a longer period a page may count
/// twice, where the text went and came back and the index has not brought both together.
pub(crate) struct Pages {
    pub(crate) block: BlockId,
    pub(crate) period: Period,
}

/// The pages of a segment.
pub(crate) struct SegmentPages {
    period: Period,
    first: Arc<dyn ColumnValues<i64>>,
    gone: Arc<dyn ColumnValues<i64>>,
    block: Arc<dyn ColumnValues<u64>>,
    wanted: BlockId,
    urls: Option<StrColumn>,
    seen: FxHashSet<u64>,
}

impl Collector for Pages {
    type Fruit = u64;
    type Child = SegmentPages;

    fn for_segment(&self, _: SegmentOrdinal, reader: &SegmentReader) -> tantivy::Result<SegmentPages> {
        let columns = reader.fast_fields();
        Ok(SegmentPages {
            period: self.period,
            first: columns.column_first_or_default(column::FIRST)?,
            gone: gone_column(columns, reader.max_doc())?,
            block: columns.column_first_or_default(column::BLOCK)?,
            wanted: self.block,
            urls: columns.str(column::URL)?,
            seen: FxHashSet::default(),
        })
    }

    fn requires_scoring(&self) -> bool {
        false
    }

    fn merge_fruits(&self, counts: Vec<u64>) -> tantivy::Result<u64> {
        Ok(counts.iter().sum())
    }
}

impl SegmentCollector for SegmentPages {
    type Fruit = u64;

    fn collect(&mut self, doc: DocId, _: Score) {
        if self.block.get_val(doc) == self.wanted.0 && self.period.has(self.first.get_val(doc), self.gone.get_val(doc))
        {
            self.seen.extend(self.urls.as_ref().and_then(|urls| urls.ords().first(doc)));
        }
    }

    fn harvest(self) -> u64 {
        self.seen.len() as u64
    }
}
