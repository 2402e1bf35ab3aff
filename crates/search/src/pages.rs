//! Counts the pages that documents stand on.

use rustc_hash::FxHashSet;
use tantivy::collector::{Collector, SegmentCollector};
use tantivy::{DocId, Score, SegmentOrdinal, SegmentReader};

use crate::period::Period;
use crate::said::BlockId;
use crate::view::{Columns, View};

/// Counts the pages of a block's documents that stood in a period. At one time a text stands once on a page; through a longer period a page may count
/// twice, where the text went and came back and the index has not brought both together.
pub(crate) struct Pages<'a> {
    pub(crate) view: &'a View,
    pub(crate) block: BlockId,
    pub(crate) period: Period,
}

/// The pages of a segment.
pub(crate) struct SegmentPages {
    period: Period,
    columns: Columns,
    wanted: BlockId,
    seen: FxHashSet<u64>,
}

impl Collector for Pages<'_> {
    type Fruit = u64;
    type Child = SegmentPages;

    fn for_segment(&self, segment: SegmentOrdinal, _: &SegmentReader) -> tantivy::Result<SegmentPages> {
        Ok(SegmentPages {
            period: self.period,
            columns: self.view.columns(segment).clone(),
            wanted: self.block,
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
        let Columns { block, first, gone, url, .. } = &self.columns;
        if block.get_val(doc) == self.wanted.0 && self.period.has(first.get_val(doc), gone.get_val(doc)) {
            self.seen.extend(url.ord(doc));
        }
    }

    fn harvest(self) -> u64 {
        self.seen.len() as u64
    }
}
