//! Two versions of a page side by side: blocks lined up, and the words that differ in them.

use askama::Template;
use kuai::{BlockDiff, ChangeKind, Diff, Relation, VersionInfo};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::changes::Changes;
use super::said::SaidWords;
use super::{Time, View};
use crate::refusal::Refusal;
use crate::shared::State;
use crate::target;
use crate::visitor::Visitor;
use crate::words::Words;

/// Blocks that are shown, and bytes of their texts.
const BLOCKS_MAX: usize = 1000;
const TEXT_BYTES_MAX: usize = 2 << 20;

/// Versions that can be chosen from, the newest ones.
const CHOICES_MAX: usize = 200;

/// Which page, and which of its versions.
#[derive(Deserialize, IntoParams)]
pub(crate) struct CompareAsked {
    /// The address.
    url: String,
    /// The latest page at or before this time; the one before the later without one.
    from: Option<String>,
    /// The latest page at or before this time; the newest without one.
    to: Option<String>,
    /// Whether to leave out navigation, adverts, small print and what stayed the same.
    content: Option<bool>,
}

/// Two versions side by side.
#[derive(Serialize, ToSchema)]
pub(crate) struct CompareView {
    url: String,
    from: Side,
    to: Side,
    changes: Changes,
    is_content_only: bool,
    /// Blocks in the order of the later page; those that only the earlier one has, where they stood.
    blocks: Vec<ComparedBlock>,
    /// How many more there would be.
    left_out: usize,
    /// When there are pages to compare, the newest first.
    choices: Vec<Time>,
}

/// A version.
#[derive(Serialize, ToSchema)]
struct Side {
    time: Time,
    status: u16,
    bytes: u64,
    blocks: u32,
}

/// A block in both.
#[derive(Serialize, ToSchema)]
struct ComparedBlock {
    change: BlockChange,
    is_moved: bool,
    kind: Option<&'static str>,
    topic: Option<String>,
    words: Vec<SaidWords>,
}

/// What became of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum BlockChange {
    Same,
    /// Says the same in another source.
    Touched,
    Changed,
    Added,
    Removed,
    Moved,
}

#[derive(Template)]
#[template(path = "compare.html")]
struct ComparePage<'a> {
    visitor: &'a Visitor,
    w: &'a Words,
    view: &'a CompareView,
}

impl View for CompareView {
    type Asked = CompareAsked;
    const NAME: &'static str = "compare";
    const ABOUT: &'static str = "Two versions of a page, block by block, with the words that differ.";

    fn read(server: &State, asked: CompareAsked) -> Result<CompareView, Refusal> {
        let archive = server.holdings.archive();
        let url = server.holdings.known(&target::address(&asked.url)?)?;
        let time = |text: &Option<String>| text.as_deref().filter(|text| !text.is_empty()).map(Time::until).transpose();
        let (from, to) = (time(&asked.from)?, time(&asked.to)?);
        let diff = archive.diff(&url, from.map(|time| time.0), to.map(|time| time.0))?;
        let is_content_only = asked.content.unwrap_or(false);
        let history = archive.history(&url)?;
        let choices = history.iter().rev().filter(|version| version.is_page).take(CHOICES_MAX);
        let mut view = CompareView {
            url: url.into(),
            from: Side::new(&diff.from),
            to: Side::new(&diff.to),
            changes: Changes::of(false, Some(&diff.counts)),
            is_content_only,
            blocks: Vec::new(),
            left_out: 0,
            choices: choices.map(|version| version.time.into()).collect(),
        };
        view.take(&diff);
        Ok(view)
    }

    fn page(&self, visitor: &Visitor) -> askama::Result<String> {
        ComparePage { visitor, w: visitor.words, view: self }.render()
    }
}

impl ComparePage<'_> {
    /// The blocks in stretches: each that differs by itself, and those between them that do not.
    fn stretches(&self) -> impl Iterator<Item = &[ComparedBlock]> {
        self.view.blocks.chunk_by(|one, other| one.is_quiet() && other.is_quiet())
    }
}

impl CompareView {
    /// Takes over the blocks that are wanted, as far as there is room.
    fn take(&mut self, diff: &Diff) {
        let mut room = TEXT_BYTES_MAX;
        let layout = (!diff.layout.is_empty()).then(|| ComparedBlock {
            change: BlockChange::Changed,
            is_moved: false,
            kind: None,
            topic: None,
            words: diff.layout.iter().map(SaidWords::new).collect(),
        });
        let wanted = diff.blocks.iter().filter(|block| !self.is_content_only || is_content(block));
        for block in wanted.map(ComparedBlock::new).chain(layout) {
            let length: usize = block.words.iter().map(|words| words.text.len()).sum();
            if self.blocks.len() >= BLOCKS_MAX || length > room {
                self.left_out += 1;
                continue;
            }
            room -= length;
            self.blocks.push(block);
        }
    }
}

impl Side {
    fn new(version: &VersionInfo) -> Side {
        let VersionInfo { time, status, bytes, changes, .. } = version;
        Side { time: (*time).into(), status: *status, bytes: *bytes, blocks: changes.blocks }
    }
}

impl ComparedBlock {
    fn new(block: &BlockDiff) -> ComparedBlock {
        let change = match (block.relation, block.is_moved) {
            (Relation::Added, _) => BlockChange::Added,
            (Relation::Removed, _) => BlockChange::Removed,
            (Relation::Changed, _) => BlockChange::Changed,
            (_, true) => BlockChange::Moved,
            (Relation::Touched, false) => BlockChange::Touched,
            (Relation::Same, false) => BlockChange::Same,
        };
        ComparedBlock {
            change,
            is_moved: block.is_moved,
            kind: block.label.map(|label| label.name()),
            topic: block.topic.clone(),
            words: block.words.iter().map(SaidWords::new).collect(),
        }
    }

    /// Whether there is nothing to see in it.
    fn is_quiet(&self) -> bool {
        matches!(self.change, BlockChange::Same | BlockChange::Touched)
    }

    /// The name of its style.
    fn class(&self) -> &'static str {
        match self.change {
            BlockChange::Same | BlockChange::Touched => "is-same",
            BlockChange::Changed => "is-changed",
            BlockChange::Added => "is-added",
            BlockChange::Removed => "is-removed",
            BlockChange::Moved => "is-moved",
        }
    }

    /// What became of it, in a word.
    fn told(&self, w: &Words) -> &'static str {
        match self.change {
            BlockChange::Same => w.was_same,
            BlockChange::Touched => w.was_touched,
            BlockChange::Changed => w.was_changed,
            BlockChange::Added => w.was_added,
            BlockChange::Removed => w.was_removed,
            BlockChange::Moved => w.was_moved,
        }
    }
}

/// Whether what the page is there for reads otherwise in a block.
fn is_content(block: &BlockDiff) -> bool {
    let is_changed = matches!(block.relation, Relation::Added | Relation::Removed | Relation::Changed);
    is_changed && ChangeKind::of_label(block.label) == ChangeKind::Main
}
