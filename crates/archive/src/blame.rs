//! When each block of a page was first seen, and when it last came to say something else.

use std::collections::HashMap;

use kuai_page::{Label, Span, Timestamp, Url};

use crate::archive::{Archive, Snapshot, latest_page};
use crate::diff::topic_of;
use crate::history::Summary;
use crate::store::Row;
use crate::{Error, visible};

/// A page with the history of its blocks.
#[derive(Clone, Debug)]
pub struct Blame {
    /// The version that was asked for.
    pub version: Snapshot,
    /// Its innermost blocks in source order.
    pub blocks: Vec<BlameBlock>,
}

/// A block with its history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlameBlock {
    /// Where it is in the decoded source.
    pub span: Span,
    /// What it is for.
    pub label: Option<Label>,
    /// What it is about.
    pub topic: Option<String>,
    /// What it says.
    pub text: String,
    /// The capture that showed it first.
    pub first_seen: Timestamp,
    /// The capture in which what it says was last another than in the one before.
    pub last_changed: Timestamp,
    /// In how many versions it stands, this one included, whatever it said in them.
    pub versions: u32,
}

impl Archive {
    /// The blocks of the latest page at or before a time, with their histories.
    pub fn blame(&self, url: &Url, at: Option<Timestamp>) -> Result<Blame, Error> {
        let history = self.history(url)?;
        let version = self.read(url, latest_page(url, &history, at)?)?;
        let rows = self.rows(url)?;
        let blocks = blame_blocks(&version, &rows);
        Ok(Blame { version, blocks })
    }
}

fn blame_blocks(version: &Snapshot, rows: &[Row]) -> Vec<BlameBlock> {
    let times: HashMap<u32, Timestamp> = rows.iter().map(|row| (row.number, row.time)).collect();
    let time_of = |number: u32| times.get(&number).copied().unwrap_or(version.info.time);
    let pages: Vec<u32> = rows.iter().filter(|row| is_page_version(row)).map(|row| row.number).collect();
    let page = version.page();
    let outline = &version.outline;
    let leaves = (0..outline.blocks.len()).filter(|index| outline.is_leaf(*index));
    let blame = |index: usize| {
        let block = &outline.blocks[index];
        let text = page.source().get(block.span.range()).map(visible::text).unwrap_or_default();
        let stands = |number: &&u32| (block.age.first..=version.info.number).contains(*number);
        BlameBlock {
            span: block.span,
            label: block.label,
            topic: topic_of(&outline.blocks, index, &text),
            text,
            first_seen: time_of(block.age.first),
            last_changed: time_of(block.age.changed),
            versions: pages.iter().filter(stands).count() as u32,
        }
    };
    leaves.map(blame).collect()
}

fn is_page_version(row: &Row) -> bool {
    let summary = Summary::of(row);
    summary.is_page && !summary.is_again
}
