//! How many blocks that match stood at each of some times: the history of a phrase.

use std::sync::Arc;

use kuai_page::Timestamp;
use tantivy::collector::{Collector, SegmentCollector};
use tantivy::columnar::ColumnValues;
use tantivy::{DocId, Score, SegmentOrdinal, SegmentReader};

use crate::error::Error;
use crate::index::Index;
use crate::query::{Strictness, compile};
use crate::schema::{column, gone_column, moment};
use crate::search::Request;

/// Times that can be asked for at once.
const TIMES_MAX: usize = 1000;

impl Index {
    /// How many blocks that match a request stood at each time, whatever its period; a block counts once for each page. Times must be in order; those
    /// beyond the first thousand are left out.
    pub fn standing(&self, request: &Request, times: &[Timestamp]) -> Result<Vec<u64>, Error> {
        let searcher = self.searcher();
        let languages = self.languages(&searcher)?;
        let wanted = compile(&request.query, &request.filters, Strictness::Most, self, &languages);
        let times = times.iter().take(TIMES_MAX).map(|time| moment(*time)).collect();
        Ok(searcher.search(&wanted.query, &Standing { times })?)
    }
}

struct Standing {
    times: Arc<[i64]>,
}

/// Counts of a segment: by how much each time has more than the one before.
struct SegmentStanding {
    times: Arc<[i64]>,
    first: Arc<dyn ColumnValues<i64>>,
    gone: Arc<dyn ColumnValues<i64>>,
    steps: Vec<i64>,
}

impl Collector for Standing {
    type Fruit = Vec<u64>;
    type Child = SegmentStanding;

    fn for_segment(&self, _: SegmentOrdinal, reader: &SegmentReader) -> tantivy::Result<SegmentStanding> {
        let columns = reader.fast_fields();
        Ok(SegmentStanding {
            times: Arc::clone(&self.times),
            first: columns.column_first_or_default(column::FIRST)?,
            gone: gone_column(columns, reader.max_doc())?,
            steps: vec![0; self.times.len() + 1],
        })
    }

    fn requires_scoring(&self) -> bool {
        false
    }

    fn merge_fruits(&self, counts: Vec<Vec<u64>>) -> tantivy::Result<Vec<u64>> {
        let mut all = vec![0; self.times.len()];
        for counts in counts {
            all.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        Ok(all)
    }
}

impl SegmentCollector for SegmentStanding {
    type Fruit = Vec<u64>;

    fn collect(&mut self, doc: DocId, _: Score) {
        let (first, gone) = (self.first.get_val(doc), self.gone.get_val(doc));
        let from = self.times.partition_point(|time| *time < first);
        let until = self.times.partition_point(|time| *time < gone);
        if from < until {
            self.steps[from] += 1;
            self.steps[until] -= 1;
        }
    }

    fn harvest(self) -> Vec<u64> {
        let mut standing = 0;
        let counts = self.steps.iter().take(self.times.len()).map(|step| {
            standing += step;
            standing as u64
        });
        counts.collect()
    }
}
