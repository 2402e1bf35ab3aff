//! Compares a capture with the one before it, and says what of that matters to a watch.

use std::collections::HashSet;

use kuai_archive::{
    Archive, BlockDiff, Change, Diff, Error as ArchiveError, Passage, Relation, Snapshot, StoreError, WordChange,
    WordSide, diff,
};
use kuai_page::{Span, Timestamp, Url};
use kuai_search::{BlockId, Filter, Index, Period, Query, Request};

use super::alert::{Alert, AlertBlock, Happening};
use super::error::Error;
use super::list::Watch;
use super::subject::Subject;

/// Blocks of an alert.
const BLOCKS_MAX: usize = 100;
/// Letters of a block that are told; what is unchanged in it counts too.
const LETTERS_MAX: usize = 4_000;
/// Letters of a title.
const TITLE_LETTERS_MAX: usize = 200;
/// Blocks that a query may find on a page and those below it.
const HITS_MAX: usize = 10_000;

/// What a capture says that the one before it did not, or the other way round.
pub(super) struct Step {
    url: Url,
    sequence: u64,
    title: String,
    before: Option<Side>,
    after: Side,
    blocks: Vec<StepBlock>,
}

/// One of the two pages.
struct Side {
    time: Timestamp,
    passages: Vec<Passage>,
}

struct StepBlock {
    block: AlertBlock,
    old: Option<Span>,
    new: Option<Span>,
}

/// What came of looking at a capture.
pub(super) enum Looked {
    /// It differs in what a reader sees.
    Differs(Box<Step>),
    /// It does not, or it is no page.
    Same,
    /// It cannot be read any more.
    Unreadable,
}

/// Looks at a step of the change feed.
pub(super) fn look(archive: &Archive, url: &Url, change: &Change) -> Result<Looked, Error> {
    match step(archive, url, change.row.sequence) {
        Ok(Some(step)) if !step.blocks.is_empty() => Ok(Looked::Differs(Box::new(step))),
        Ok(_) => Ok(Looked::Same),
        Err(ArchiveError::BadNotes { .. } | ArchiveError::Store(StoreError::Damaged { .. })) => Ok(Looked::Unreadable),
        Err(error) => Err(error.into()),
    }
}

fn step(archive: &Archive, url: &Url, sequence: u64) -> Result<Option<Step>, ArchiveError> {
    let sightings = archive.sightings(url)?;
    let Some(place) = sightings.iter().position(|sighting| sighting.sequence == sequence) else { return Ok(None) };
    let (now, before) = (sightings[place], place.checked_sub(1).map(|before| sightings[before]));
    if before.is_some_and(|before| before.number == now.number) {
        return Ok(None);
    }
    let history = archive.history(url)?;
    let read = |number: u32| {
        let info = history.iter().find(|version| version.number == number);
        info.map(|info| archive.read(url, info)).transpose()
    };
    let Some(after) = read(now.number)? else { return Ok(None) };
    let earlier = before.map(|before| read(before.number)).transpose()?.flatten();
    let side = |number: u32, time: Timestamp| {
        let passages = archive.page(url, number)?.map(|page| page.passages()).unwrap_or_default();
        Ok::<_, ArchiveError>(Side { time, passages })
    };
    let after_side = side(now.number, now.time)?;
    let blocks = match &earlier {
        Some(earlier) => differing(&diff(earlier, &after)),
        None => after_side.passages.iter().map(new_block).collect(),
    };
    Ok(Some(Step {
        url: url.clone(),
        sequence,
        title: title(&after),
        before: before.map(|before| side(before.number, before.time)).transpose()?,
        after: after_side,
        blocks,
    }))
}

fn title(snapshot: &Snapshot) -> String {
    snapshot.page().title().chars().take(TITLE_LETTERS_MAX).collect()
}

/// The blocks that a reader sees to differ.
fn differing(diff: &Diff) -> Vec<StepBlock> {
    if !diff.counts.kinds.has_content() {
        return Vec::new();
    }
    let mut blocks: Vec<StepBlock> = diff.blocks.iter().filter_map(changed_block).collect();
    // Words that only stand elsewhere are no news.
    if diff.layout.iter().any(|change| change.side != WordSide::Both) {
        let words = bounded(&diff.layout);
        let block = AlertBlock { happening: Happening::Changed, label: None, topic: None, words };
        blocks.push(StepBlock { block, old: None, new: None });
    }
    blocks
}

fn changed_block(block: &BlockDiff) -> Option<StepBlock> {
    let happening = match block.relation {
        Relation::Added => Happening::Appeared,
        Relation::Changed => Happening::Changed,
        Relation::Removed => Happening::Vanished,
        Relation::Same | Relation::Touched => return None,
    };
    let has_text = block.words.iter().any(|change| !change.text.trim().is_empty());
    let told = AlertBlock { happening, label: block.label, topic: block.topic.clone(), words: bounded(&block.words) };
    has_text.then_some(StepBlock { block: told, old: block.old, new: block.new })
}

fn new_block(passage: &Passage) -> StepBlock {
    let words = bounded(&[WordChange { side: WordSide::New, text: passage.text.clone() }]);
    let (label, topic) = (passage.label, passage.topic.clone());
    let block = AlertBlock { happening: Happening::Appeared, label, topic, words };
    StepBlock { block, old: None, new: Some(passage.span) }
}

/// Words up to a bounded number of letters.
fn bounded(words: &[WordChange]) -> Vec<WordChange> {
    let mut left = LETTERS_MAX;
    let cut = |change: &WordChange| {
        let text: String = change.text.chars().take(left).collect();
        left -= text.chars().count();
        (!text.is_empty()).then_some(WordChange { side: change.side, text })
    };
    words.iter().map_while(cut).collect()
}

impl Step {
    /// What a watch has to tell of it, if anything.
    pub(super) fn alert(
        &self,
        archive: &Archive,
        index: Option<&Index>,
        watch: &Watch,
    ) -> Result<Option<Alert>, Error> {
        if self.before.is_none() && !watch.subject.rings_for_new_pages() {
            return Ok(None);
        }
        let found = match (&watch.subject, index) {
            (Subject::Query(query), Some(index)) => Some(self.found(archive, index, query)?),
            (Subject::Query(_), None) => return Ok(None),
            _ => None,
        };
        let matters =
            |block: &&StepBlock| watch.takes(block.block.label) && found.as_ref().is_none_or(|found| found.has(block));
        let mut blocks: Vec<AlertBlock> = self.blocks.iter().filter(matters).map(|block| block.block.clone()).collect();
        if blocks.is_empty() {
            return Ok(None);
        }
        let more = blocks.len().saturating_sub(BLOCKS_MAX);
        blocks.truncate(BLOCKS_MAX);
        Ok(Some(Alert {
            watch: watch.number,
            subject: watch.subject.to_string(),
            sequence: self.sequence,
            url: self.url.to_string(),
            title: self.title.clone(),
            before: self.before.as_ref().map(|before| before.time),
            time: self.after.time,
            blocks,
            more,
        }))
    }

    /// What a query finds on the page before and after.
    fn found(&self, archive: &Archive, index: &Index, query: &str) -> Result<Found, Error> {
        let of_side = |side: &Side| {
            let ids = matching(archive, index, query, &self.url, side.time)?;
            let passages = side.passages.iter().filter(|passage| ids.contains(&BlockId::of(&passage.text)));
            Ok::<Vec<Passage>, Error>(passages.cloned().collect())
        };
        let old = self.before.as_ref().map(of_side).transpose()?.unwrap_or_default();
        Ok(Found { old, new: of_side(&self.after)? })
    }
}

/// The blocks that a query finds on a page, and on those whose addresses begin as its does, at some time.
fn matching(
    archive: &Archive,
    index: &Index,
    query: &str,
    url: &Url,
    time: Timestamp,
) -> Result<HashSet<BlockId>, Error> {
    let query: Query = query.parse().map_err(kuai_search::Error::from)?;
    let filters = Filter::new("url", url.as_str()).into_iter().collect();
    let request = Request { filters, period: Period::At(time), limit: HITS_MAX, ..Request::new(query) };
    let answer = index.search(archive, &request)?;
    // Blocks with some of the words only are a help to people who search, and no alarm.
    let hits = if answer.is_loose { Vec::new() } else { answer.hits };
    Ok(hits.into_iter().map(|hit| hit.block).collect())
}

/// The passages that a query finds in two versions of a page.
struct Found {
    old: Vec<Passage>,
    new: Vec<Passage>,
}

impl Found {
    fn has(&self, block: &StepBlock) -> bool {
        let lies_in = |passages: &[Passage], span: Option<Span>| {
            span.is_some_and(|span| {
                passages.iter().any(|passage| passage.span.start < span.end && span.start < passage.span.end)
            })
        };
        match (block.old, block.new) {
            (None, None) => texts(&self.old) != texts(&self.new),
            (old, new) => lies_in(&self.old, old) || lies_in(&self.new, new),
        }
    }
}

/// What passages outside all blocks say.
fn texts(passages: &[Passage]) -> Vec<&str> {
    passages.iter().filter(|passage| passage.label.is_none()).map(|passage| passage.text.as_str()).collect()
}
