//! Goes once through all documents that match and keeps the best, one for each text, whatever pages and times it stands at.
//!
//! The order is the same whatever segments the index is in: by score, then by block, and of one block's documents the earliest, then
//! the first address.

use kuai_page::Label;
use rustc_hash::FxHashMap;
use tantivy::collector::{Collector, SegmentCollector};
use tantivy::{DocAddress, DocId, Score, SegmentOrdinal, SegmentReader};

use crate::facets::{Facets, SegmentFacets};
use crate::period::Period;
use crate::schema::kind_of;
use crate::view::{Columns, View};

/// Collects the best blocks of a period.
pub(crate) struct Best<'a> {
    pub(crate) view: &'a View,
    pub(crate) period: Period,
    /// How many blocks are wanted.
    pub(crate) limit: usize,
    pub(crate) with_facets: bool,
}

/// A block that was found.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) score: Score,
    pub(crate) block: u64,
    pub(crate) first: i64,
    pub(crate) url: String,
    pub(crate) address: DocAddress,
}

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Harvest {
    /// The best blocks, best first.
    pub(crate) found: Vec<Found>,
    /// Documents that match: a block counts once for each page and lifetime.
    pub(crate) matching: u64,
    pub(crate) facets: Facets,
}

/// How much a block's score weighs by what it is for. Chosen by hand, not tuned.
fn weight(label: Option<Label>) -> Score {
    match label {
        Some(Label::Title) => 1.3,
        Some(Label::Main) => 1.2,
        None | Some(Label::Small) => 1.0,
        Some(Label::Meta | Label::Comment) => 0.9,
        Some(Label::Related | Label::Noise) => 0.6,
        Some(Label::Navigation | Label::Advert | Label::Copyright) => 0.4,
    }
}

impl Collector for Best<'_> {
    type Fruit = Harvest;
    type Child = SegmentBest;

    fn for_segment(&self, segment: SegmentOrdinal, _: &SegmentReader) -> tantivy::Result<SegmentBest> {
        let columns = self.view.columns(segment);
        Ok(SegmentBest {
            segment,
            period: self.period,
            limit: self.limit.max(1),
            columns: columns.clone(),
            weights: std::array::from_fn(|number| weight(kind_of(number as u64))),
            best: FxHashMap::default(),
            threshold: Score::NEG_INFINITY,
            matching: 0,
            facets: self.with_facets.then(|| SegmentFacets::new(columns)),
        })
    }

    fn requires_scoring(&self) -> bool {
        true
    }

    fn merge_fruits(&self, harvests: Vec<Harvest>) -> tantivy::Result<Harvest> {
        let mut all = Harvest::default();
        let mut best: FxHashMap<u64, Found> = FxHashMap::default();
        for harvest in harvests {
            all.matching += harvest.matching;
            all.facets.add(harvest.facets);
            for found in harvest.found {
                match best.get(&found.block) {
                    Some(known) if !is_better(&found, known) => {}
                    _ => drop(best.insert(found.block, found)),
                }
            }
        }
        all.found = best.into_values().collect();
        all.found.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.block.cmp(&b.block)));
        all.found.truncate(self.limit);
        Ok(all)
    }
}

/// Whether one document of a block stands for it rather than another.
fn is_better(found: &Found, known: &Found) -> bool {
    let order = found.score.total_cmp(&known.score).reverse();
    order.then(found.first.cmp(&known.first)).then_with(|| found.url.cmp(&known.url)).is_lt()
}

/// The best blocks of a segment.
pub(crate) struct SegmentBest {
    segment: SegmentOrdinal,
    period: Period,
    limit: usize,
    columns: Columns,
    weights: [Score; 1 + Label::ALL.len()],
    best: FxHashMap<u64, Kept>,
    /// What scores less cannot be among the best.
    threshold: Score,
    matching: u64,
    facets: Option<SegmentFacets>,
}

/// A document that is among the best so far.
#[derive(Clone, Copy)]
struct Kept {
    score: Score,
    first: i64,
    /// Addresses of a segment are numbered in their order.
    url: u64,
    doc: DocId,
}

impl Kept {
    fn is_better(&self, known: &Kept) -> bool {
        let order = self.score.total_cmp(&known.score).reverse();
        order.then(self.first.cmp(&known.first)).then(self.url.cmp(&known.url)).is_lt()
    }
}

impl SegmentCollector for SegmentBest {
    type Fruit = Harvest;

    fn collect(&mut self, doc: DocId, score: Score) {
        let first = self.columns.first.get_val(doc);
        if self.period != Period::Ever && !self.period.has(first, self.columns.gone.get_val(doc)) {
            return;
        }
        self.matching += 1;
        let kind = self.columns.kind.get_val(doc);
        if let Some(facets) = &mut self.facets {
            facets.count(doc, first, kind);
        }
        let score = score * self.weights.get(kind as usize).copied().unwrap_or(1.0) * self.columns.boost(doc);
        if score >= self.threshold {
            self.keep(doc, score, first);
        }
    }

    fn harvest(mut self) -> Harvest {
        self.prune();
        let found = self.best.iter().map(|(block, kept)| Found {
            score: kept.score,
            block: *block,
            first: kept.first,
            url: self.columns.url.name(kept.url),
            address: DocAddress::new(self.segment, kept.doc),
        });
        Harvest {
            found: found.collect(),
            matching: self.matching,
            facets: self.facets.map(SegmentFacets::harvest).unwrap_or_default(),
        }
    }
}

impl SegmentBest {
    fn keep(&mut self, doc: DocId, score: Score, first: i64) {
        let url = self.columns.url.ord(doc).unwrap_or_default();
        let kept = Kept { score, first, url, doc };
        let block = self.columns.block.get_val(doc);
        match self.best.get(&block) {
            Some(known) if !kept.is_better(known) => {}
            _ => drop(self.best.insert(block, kept)),
        }
        if self.best.len() >= self.limit * 2 + 64 {
            self.prune();
        }
    }

    /// Lets go of all but the best.
    fn prune(&mut self) {
        if self.best.len() <= self.limit {
            return;
        }
        let mut order: Vec<(Score, u64)> = self.best.iter().map(|(block, kept)| (kept.score, *block)).collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        order.drain(..self.limit);
        for (score, block) in order {
            self.threshold = self.threshold.max(score);
            self.best.remove(&block);
        }
    }
}
