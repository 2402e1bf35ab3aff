//! The history of a URL: its versions in the order of time, and when each was seen again.
//!
//! Says "present in A, absent in B", never "deleted at": a failed fetch is an entry of its own and no disappearance.

use kuai_page::Timestamp;

use crate::compare::{ChangeKind, ChangeKinds, Comparison, Relation};
use crate::store::{Change, ContentHash, FIGURES_MAX, Figures, Form, Row};

/// What is known of a version without reading it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionInfo {
    /// Which entry of its URL it is, in the order of arrival.
    pub number: u32,
    /// Its place in the change feed of the archive.
    pub sequence: u64,
    /// When it was captured.
    pub time: Timestamp,
    /// What its body is known by.
    pub hash: ContentHash,
    /// The HTTP status.
    pub status: u16,
    /// Whether it is a page, and so has blocks.
    pub is_page: bool,
    /// How it differs from the page before it.
    pub changes: ChangeCounts,
    /// Bytes of its body.
    pub bytes: u64,
    /// Bytes that it took when it was written.
    pub stored: u64,
    /// When the same was seen again before another version came.
    pub seen_again: Vec<Timestamp>,
}

/// How many blocks a version has, and how many of them differ from the version before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChangeCounts {
    /// Innermost blocks in all.
    pub blocks: u32,
    /// Present here, absent before.
    pub added: u32,
    /// Present before, absent here.
    pub removed: u32,
    /// Say something else. Text outside all blocks counts as one block.
    pub changed: u32,
    /// Stand elsewhere.
    pub moved: u32,
    /// Say the same in another source.
    pub touched: u32,
    /// Whether the source outside the blocks differs.
    pub layout: bool,
    /// What kinds of things changed.
    pub kinds: ChangeKinds,
}

impl VersionInfo {
    /// Whether the server gave what was asked for.
    pub fn is_success(&self) -> bool {
        is_success(self.status)
    }

    /// When it was last seen at or before a time.
    pub(crate) fn last_seen(&self, at: Timestamp) -> Option<Timestamp> {
        self.seen_again.iter().copied().chain([self.time]).filter(|time| *time <= at).max()
    }
}

/// Whether a status says that the server gave what was asked for.
pub(crate) fn is_success(status: u16) -> bool {
    (200..300).contains(&status)
}

impl ChangeCounts {
    pub(crate) fn of(comparison: &Comparison, block_count: u32) -> ChangeCounts {
        ChangeCounts {
            blocks: block_count,
            added: comparison.count(Relation::Added),
            removed: comparison.count(Relation::Removed),
            changed: comparison.count(Relation::Changed) + u32::from(comparison.is_layout_text_changed),
            moved: comparison.moved_count(),
            touched: comparison.count(Relation::Touched),
            layout: comparison.is_layout_changed,
            kinds: comparison.kinds,
        }
    }

    /// Whether what the page is there for changed: its text, titles and notes, in words that a reader sees. Navigation, adverts and tokens
    /// are none of that. Known of every version ever kept.
    pub fn is_content_changed(&self) -> bool {
        self.kinds.has(ChangeKind::Main)
    }

    /// The counts of a page with nothing before it.
    pub(crate) fn first(block_count: u32) -> ChangeCounts {
        ChangeCounts { blocks: block_count, added: block_count, layout: true, ..ChangeCounts::default() }
    }
}

impl Change {
    /// How the version that came in differs from the one before it; none where the same was there already.
    pub fn changes(&self) -> Option<ChangeCounts> {
        let summary = Summary::of(&self.row);
        (!summary.is_again).then_some(summary.changes)
    }

    /// The HTTP status of the answer that came in.
    pub fn status(&self) -> u16 {
        Summary::of(&self.row).status
    }
}

/// What an entry is, in the figures that the store keeps with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    /// Whether the same was there before.
    pub(crate) is_again: bool,
    pub(crate) is_page: bool,
    pub(crate) status: u16,
    pub(crate) changes: ChangeCounts,
}

/// How the body of a stored entry is best kept, wherever it goes.
pub fn form_of(row: &Row) -> Form {
    let summary = Summary::of(row);
    if summary.is_page && summary.status != NOT_MODIFIED { Form::Text } else { Form::Blob }
}

/// Where each number lies among the figures of an entry. Those that are mostly 0 stand last, where they cost nothing.
pub(crate) mod figure {
    pub(crate) const FLAGS: usize = 0;
    pub(crate) const BLOCKS: usize = 1;
    pub(crate) const LAYOUTS: usize = 2;
    pub(crate) const CHANGED: usize = 3;
    pub(crate) const ADDED: usize = 4;
    pub(crate) const REMOVED: usize = 5;
    pub(crate) const TOUCHED: usize = 6;
    pub(crate) const MOVED: usize = 7;
    pub(crate) const AGAIN: usize = 8;
    pub(crate) const STATUS: usize = 9;
}

/// The status that costs nothing to keep, as nearly all entries have it.
const USUAL_STATUS: u16 = 200;

const IS_PAGE: u32 = 1;

/// Flags above this one are the kinds of change.
const KINDS_SHIFT: u32 = 1;

impl Summary {
    pub(crate) fn to_figures(self) -> Figures {
        let mut figures = [0; FIGURES_MAX];
        let changes = self.changes;
        figures[figure::STATUS] = u32::from(self.status ^ USUAL_STATUS);
        figures[figure::FLAGS] = (if self.is_page { IS_PAGE } else { 0 }) | changes.kinds.to_bits() << KINDS_SHIFT;
        figures[figure::AGAIN] = u32::from(self.is_again);
        figures[figure::BLOCKS] = changes.blocks;
        figures[figure::ADDED] = changes.added;
        figures[figure::REMOVED] = changes.removed;
        figures[figure::CHANGED] = changes.changed;
        figures[figure::MOVED] = changes.moved;
        figures[figure::TOUCHED] = changes.touched;
        figures[figure::LAYOUTS] = u32::from(changes.layout);
        figures
    }

    pub(crate) fn of(row: &Row) -> Summary {
        let figures = &row.figures;
        let changes = ChangeCounts {
            blocks: figures[figure::BLOCKS],
            added: figures[figure::ADDED],
            removed: figures[figure::REMOVED],
            changed: figures[figure::CHANGED],
            moved: figures[figure::MOVED],
            touched: figures[figure::TOUCHED],
            layout: figures[figure::LAYOUTS] != 0,
            kinds: ChangeKinds::from_bits(figures[figure::FLAGS] >> KINDS_SHIFT),
        };
        Summary {
            is_again: figures[figure::AGAIN] != 0,
            is_page: figures[figure::FLAGS] & IS_PAGE != 0,
            status: figures[figure::STATUS] as u16 ^ USUAL_STATUS,
            changes,
        }
    }
}

/// The versions among the entries of a URL, in the order of time.
pub(crate) fn versions(rows: Vec<Row>) -> Vec<VersionInfo> {
    assign(rows, &mut |_, _, _| {})
}

/// Like [`versions`], and tells of each entry, in the order of time, which version it showed, with its time and sequence number.
pub(crate) fn assign(mut rows: Vec<Row>, see: &mut dyn FnMut(&VersionInfo, Timestamp, u64)) -> Vec<VersionInfo> {
    rows.sort_by_key(|row| (row.time, row.number));
    let mut versions: Vec<VersionInfo> = Vec::new();
    for row in rows {
        let (summary, time, sequence) = (Summary::of(&row), row.time, row.sequence);
        let same = versions.iter().rposition(|version| summary.is_again && is_same(version, &row, summary));
        match same {
            Some(index) => versions[index].seen_again.push(time),
            None => versions.push(version(row, summary)),
        }
        see(&versions[same.unwrap_or(versions.len() - 1)], time, sequence);
    }
    versions
}

/// Whether a version is the one that an entry saw again: the same bytes and status, or what "not modified" speaks of.
fn is_same(version: &VersionInfo, row: &Row, summary: Summary) -> bool {
    match summary.status {
        NOT_MODIFIED => version.is_success(),
        status => version.status == status && version.hash == row.hash,
    }
}

/// When the server gave what was asked for, in the order of time, and whether its content differed from the time before.
pub(crate) fn visits(mut rows: Vec<Row>) -> Vec<(Timestamp, bool)> {
    rows.sort_by_key(|row| (row.time, row.number));
    rows.iter().filter_map(visit).collect()
}

/// A failed fetch says nothing about the page, and is no visit.
fn visit(row: &Row) -> Option<(Timestamp, bool)> {
    let Summary { is_again, is_page, status, changes } = Summary::of(row);
    // What is no page has no blocks: any other bytes are another content.
    let is_changed = !is_again && (!is_page || changes.is_content_changed());
    (is_success(status) || status == NOT_MODIFIED).then_some((row.time, is_changed))
}

/// The status of an answer that only says that nothing changed.
pub(crate) const NOT_MODIFIED: u16 = 304;

fn version(row: Row, summary: Summary) -> VersionInfo {
    VersionInfo {
        number: row.number,
        sequence: row.sequence,
        time: row.time,
        hash: row.hash,
        status: summary.status,
        is_page: summary.is_page,
        changes: summary.changes,
        bytes: row.body_length,
        stored: row.stored_length,
        seen_again: Vec::new(),
    }
}
