//! How a block was edited: what it said before, and what it came to say, as far as the versions around its lifetimes tell.

use kuai::search::{BlockId, Index, Listed};
use kuai::{Archive, BlockDiff, Relation, Timestamp, Url, VersionInfo, WordSide, diff};
use serde::Serialize;
use utoipa::ToSchema;

use super::Time;
use super::said::SaidWords;
use crate::refusal::Refusal;

/// Edits that are followed to either side; the pages of the blocks at the ends go on.
const EDITS_MAX: usize = 4;

/// Lifetimes of a text that are looked at to find one on a page.
const LIFETIMES_MAX: usize = 1000;

/// A block came to say something else.
#[derive(Serialize, ToSchema)]
pub(crate) struct Edit {
    /// The capture that showed it first.
    pub(crate) time: Time,
    /// The page before it.
    pub(crate) before: Time,
    /// The block as it was, and as it became.
    pub(crate) old: String,
    pub(crate) new: String,
    pub(crate) words: Vec<SaidWords>,
}

/// The edits around one lifetime of a block, in the order of time.
pub(super) fn edits(index: &Index, archive: &Archive, url: &Url, lifetime: &Listed) -> Result<Vec<Edit>, Refusal> {
    let history: Vec<VersionInfo> = archive.history(url)?.into_iter().filter(|version| version.is_page).collect();
    let walk = Walk { index, archive, url, history };
    let mut edits = Vec::new();
    let (mut block, mut first_seen) = (lifetime.block, lifetime.first_seen);
    while edits.len() < EDITS_MAX {
        let Some((edit, old)) = walk.edit_at(first_seen, |_, new| new == block)?.map(|(edit, old, _)| (edit, old))
        else {
            break;
        };
        edits.push(edit);
        let Some(earlier) = walk.lifetime(old, |known| known.gone == Some(first_seen))? else { break };
        (block, first_seen) = (old, earlier.first_seen);
    }
    edits.reverse();
    let (mut block, mut gone) = (lifetime.block, lifetime.gone);
    for _ in 0..EDITS_MAX {
        let Some(time) = gone else { break };
        let Some((edit, _, new)) = walk.edit_at(time, |old, _| old == block)? else { break };
        edits.push(edit);
        let Some(later) = walk.lifetime(new, |known| known.first_seen == time)? else { break };
        (block, gone) = (new, later.gone);
    }
    Ok(edits)
}

/// The versions of a page, gone through by what the index knows about its texts.
struct Walk<'a> {
    index: &'a Index,
    archive: &'a Archive,
    url: &'a Url,
    history: Vec<VersionInfo>,
}

impl Walk<'_> {
    /// The edit that the capture at a time showed first, of the block that `is_it` knows by what it said before and behind; with both.
    fn edit_at(
        &self,
        time: Timestamp,
        is_it: impl Fn(BlockId, BlockId) -> bool,
    ) -> Result<Option<(Edit, BlockId, BlockId)>, Refusal> {
        // The index has its times in microseconds.
        let is_at = |version: &VersionInfo| version.time.as_microsecond() == time.as_microsecond();
        let Some(place) = self.history.iter().position(is_at).filter(|place| *place > 0) else { return Ok(None) };
        let (before, after) = (&self.history[place - 1], &self.history[place]);
        let diff = diff(&self.archive.read(self.url, before)?, &self.archive.read(self.url, after)?);
        let changed = diff.blocks.iter().filter(|block| block.relation == Relation::Changed);
        let mut sides = changed.map(|block| (block, side(block, WordSide::Old), side(block, WordSide::New)));
        let found = sides.find(|(_, old, new)| is_it(*old, *new));
        Ok(found.map(|(block, old, new)| {
            let words = block.words.iter().map(SaidWords::new).collect();
            let (time, before) = (after.time.into(), before.time.into());
            (Edit { time, before, old: old.to_string(), new: new.to_string(), words }, old, new)
        }))
    }

    /// The lifetime of a text on the page that is the one.
    fn lifetime(&self, block: BlockId, is_it: impl Fn(&Listed) -> bool) -> Result<Option<Listed>, Refusal> {
        let (lifetimes, _) = self.index.lifetimes(block, LIFETIMES_MAX)?;
        Ok(lifetimes.into_iter().find(|known| known.url == self.url.as_str() && is_it(known)))
    }
}

/// What a block said on one side.
fn side(block: &BlockDiff, side: WordSide) -> BlockId {
    let words = block.words.iter().filter(|words| words.side == side || words.side == WordSide::Both);
    BlockId::of(&words.map(|words| words.text.as_str()).collect::<String>())
}
