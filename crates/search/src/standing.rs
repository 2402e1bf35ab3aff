//! How many blocks that match stood at each of some times: the history of a phrase.

use std::sync::Arc;

use kuai_page::Timestamp;
use tantivy::collector::{Collector, SegmentCollector};
use tantivy::{DocId, Score, SegmentOrdinal, SegmentReader};

use crate::error::Error;
use crate::index::Index;
use crate::query::{Strictness, compile};
use crate::schema::moment;
use crate::search::Request;
use crate::view::{Columns, View};

/// Times that can be asked for at once.
const TIMES_MAX: usize = 1000;

impl Index {
    /// How many blocks that match a request stood at each time, whatever its period; a block counts once for each page. Times must be in order; those
    /// beyond the first thousand are left out.
    pub fn standing(&self, request: &Request, times: &[Timestamp]) -> Result<Vec<u64>, Error> {
        let view = self.view();
        let languages = self.languages(&view.searcher)?;
        let wanted = compile(&request.query, &request.filters, Strictness::Most, self, &languages);
        let times = times.iter().take(TIMES_MAX).map(|time| moment(*time)).collect();
        Ok(view.searcher.search(&wanted.query, &Standing { view: &view, times })?)
    }
}

struct Standing<'a> {
    view: &'a View,
    times: Arc<[i64]>,
}

/// Counts of a segment: by how much each time has more than the one before.
struct SegmentStanding {
    times: Arc<[i64]>,
    columns: Columns,
    steps: Vec<i64>,
}

impl Collector for Standing<'_> {
    type Fruit = Vec<u64>;
    type Child = SegmentStanding;

    fn for_segment(&self, segment: SegmentOrdinal, _: &SegmentReader) -> tantivy::Result<SegmentStanding> {
        Ok(SegmentStanding {
            times: Arc::clone(&self.times),
            columns: self.view.columns(segment).clone(),
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
        let (first, gone) = (self.columns.first.get_val(doc), self.columns.gone.get_val(doc));
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
