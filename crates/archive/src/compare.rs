//! What changed between two versions, block by block, and for whom: a reader of the text, or nobody.
//!
//! A version whose text reads as before has no changed, added or removed blocks, however much its scripts, tokens and
//! attributes differ; one whose text reads otherwise has at least one. Nothing is said about when or by whom.

use std::hash::BuildHasher;

use kuai_page::Label;
use rustc_hash::FxBuildHasher;

use crate::matching::{Candidate, Match, match_blocks};
use crate::outline::OutlineBlock;
use crate::visible;

/// A version to compare: its decoded source, and its blocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side<'a> {
    pub(crate) source: &'a str,
    pub(crate) blocks: &'a [OutlineBlock],
}

impl<'a> Side<'a> {
    /// The source of a block.
    pub(crate) fn content(&self, index: usize) -> &'a str {
        self.blocks[index].span.of(self.source)
    }

    /// Whether a block has no block inside it.
    pub(crate) fn is_leaf(&self, index: usize) -> bool {
        self.blocks.get(index + 1).is_none_or(|next| next.depth <= self.blocks[index].depth)
    }
}

/// How a block of one version relates to the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// In both, byte for byte.
    Same,
    /// In both; its source differs, what it says does not.
    Touched,
    /// In both, and says something else.
    Changed,
    /// Present in the later version, absent in the earlier.
    Added,
    /// Present in the earlier version, absent in the later.
    Removed,
}

/// A block of either version, and its counterpart in the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BlockChange {
    pub(crate) relation: Relation,
    /// Whether it stands elsewhere among the blocks that both have.
    pub(crate) is_moved: bool,
    /// Its index among the old blocks.
    pub(crate) old: Option<usize>,
    /// Its index among the new blocks.
    pub(crate) new: Option<usize>,
}

/// What kinds of things changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChangeKinds(u8);

/// A kind of change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ChangeKind {
    /// What the page is there for.
    Main,
    /// Links for moving about, and links to other pages.
    Navigation,
    /// Advertising.
    Advert,
    /// Copyright lines and other text that is no content.
    Other,
    /// How the page is laid out: its tags, not its text.
    Frame,
    /// What nobody sees: scripts, tokens, identifiers, time stamps.
    Invisible,
}

/// What changed from one version to another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Comparison {
    /// The innermost blocks of both: the new ones in order, each removed one where it stood.
    pub(crate) blocks: Vec<BlockChange>,
    /// Whether the source outside the blocks differs in more than white space.
    pub(crate) is_layout_changed: bool,
    /// Whether the text outside the blocks reads otherwise.
    pub(crate) is_layout_text_changed: bool,
    /// Whether the tags outside the blocks differ.
    pub(crate) is_shape_changed: bool,
    pub(crate) kinds: ChangeKinds,
}

impl ChangeKind {
    /// All kinds, in the order in which they are told.
    pub const ALL: [ChangeKind; 6] = [
        ChangeKind::Main,
        ChangeKind::Navigation,
        ChangeKind::Advert,
        ChangeKind::Other,
        ChangeKind::Frame,
        ChangeKind::Invisible,
    ];

    /// The name used in JSON and the UI.
    pub fn name(self) -> &'static str {
        match self {
            ChangeKind::Main => "main",
            ChangeKind::Navigation => "navigation",
            ChangeKind::Advert => "advert",
            ChangeKind::Other => "other",
            ChangeKind::Frame => "frame",
            ChangeKind::Invisible => "invisible",
        }
    }

    /// The kind of a change in the text of a block with this label.
    pub fn of_label(label: Option<Label>) -> ChangeKind {
        match label {
            Some(Label::Navigation | Label::Related) => ChangeKind::Navigation,
            Some(Label::Advert) => ChangeKind::Advert,
            Some(Label::Copyright | Label::Noise) => ChangeKind::Other,
            Some(Label::Main | Label::Title | Label::Small | Label::Meta | Label::Comment) | None => ChangeKind::Main,
        }
    }

    /// Whether a reader sees it.
    pub fn is_content(self) -> bool {
        !matches!(self, ChangeKind::Frame | ChangeKind::Invisible)
    }
}

impl ChangeKinds {
    pub(crate) fn add(&mut self, kind: ChangeKind) {
        self.0 |= 1 << kind as u8;
    }

    /// Whether this kind is among them.
    pub fn has(self, kind: ChangeKind) -> bool {
        self.0 & (1 << kind as u8) != 0
    }

    /// The kinds, in the order in which they are told.
    pub fn iter(self) -> impl Iterator<Item = ChangeKind> {
        ChangeKind::ALL.into_iter().filter(move |kind| self.has(*kind))
    }

    /// Whether a reader of the page sees that something changed.
    pub fn has_content(self) -> bool {
        self.iter().any(ChangeKind::is_content)
    }

    pub(crate) fn to_bits(self) -> u32 {
        u32::from(self.0)
    }

    pub(crate) fn from_bits(bits: u32) -> ChangeKinds {
        ChangeKinds(bits as u8)
    }
}

impl Comparison {
    /// How many blocks have this relation.
    pub(crate) fn count(&self, relation: Relation) -> u32 {
        self.blocks.iter().filter(|change| change.relation == relation).count() as u32
    }

    /// How many blocks moved.
    pub(crate) fn moved_count(&self) -> u32 {
        self.blocks.iter().filter(|change| change.is_moved).count() as u32
    }
}

/// Compares two versions.
pub(crate) fn compare(old: Side<'_>, new: Side<'_>) -> Comparison {
    let (old_leaves, new_leaves) = (leaves(old), leaves(new));
    let found = match_blocks(&candidates(old, &old_leaves), &candidates(new, &new_leaves));
    let mut balance = Balance::default();
    let blocks = in_place(old, new, &old_leaves, &new_leaves, &found, &mut balance);
    let mut comparison = Comparison { blocks, ..Comparison::default() };
    let (old_frame, new_frame) = (frame(old), frame(new));
    comparison.is_layout_changed = !words_without_slots(&old_frame).eq(words_without_slots(&new_frame));
    let mut is_arranged_otherwise = false;
    if old_frame != new_frame {
        let (old, new) = (visible::read(&old_frame), visible::read(&new_frame));
        balance.add(&old.spelling, &new.spelling);
        comparison.is_layout_text_changed = !words_without_slots(&old.spelling).eq(words_without_slots(&new.spelling));
        is_arranged_otherwise = old.spelling != new.spelling;
        comparison.is_shape_changed = old.shape != new.shape;
    }
    if balance.is_upset() {
        comparison.tell_content(old, new);
    } else if is_arranged_otherwise || comparison.has_seen_changes() {
        // The same words in another order, or only cut otherwise: then the whole texts decide.
        let (old_whole, new_whole) = (visible::read(old.source), visible::read(new.source));
        match old_whole.spelling == new_whole.spelling {
            true => {
                comparison.is_shape_changed = old_whole.shape != new_whole.shape;
                comparison.tell_no_content();
            }
            false => comparison.tell_content(old, new),
        }
    } else {
        comparison.tell_no_content();
    }
    comparison.tell_invisible(old.source != new.source);
    comparison
}

/// What the words of two texts weigh against each other; in balance where both have the same words, in any order.
#[derive(Default)]
struct Balance {
    hasher: FxBuildHasher,
    sum: u64,
}

impl Balance {
    fn add(&mut self, old: &str, new: &str) {
        let weight =
            |text: &str| words_without_slots(text).fold(0u64, |sum, word| sum.wrapping_add(self.hasher.hash_one(word)));
        self.sum = self.sum.wrapping_add(weight(new)).wrapping_sub(weight(old));
    }

    /// Whether the words are others for certain.
    fn is_upset(&self) -> bool {
        self.sum != 0
    }
}

impl Comparison {
    /// Whether some block seems to say something else, to have come, gone or moved.
    pub(crate) fn has_seen_changes(&self) -> bool {
        self.is_layout_text_changed || self.blocks.iter().any(BlockChange::is_seen)
    }

    /// Tells the kinds of a change that a reader sees.
    pub(crate) fn tell_content(&mut self, old: Side<'_>, new: Side<'_>) {
        for change in self.blocks.iter().filter(|change| change.is_seen()) {
            let new_block = change.new.map(|index| &new.blocks[index]);
            let block = new_block.or_else(|| change.old.map(|index| &old.blocks[index]));
            self.kinds.add(ChangeKind::of_label(block.and_then(|block| block.label)));
        }
        // What no block explains was said outside all of them, or moved there.
        self.is_layout_text_changed |= !self.kinds.has_content();
        if self.is_layout_text_changed {
            self.kinds.add(ChangeKind::Main);
        }
        if self.is_shape_changed {
            self.kinds.add(ChangeKind::Frame);
        }
    }

    /// Tells the kinds of a change that no reader sees: whatever came, went or moved was only cut otherwise.
    pub(crate) fn tell_no_content(&mut self) {
        self.is_layout_text_changed = false;
        for change in &mut self.blocks {
            change.is_moved = false;
            if change.relation != Relation::Same {
                change.relation = Relation::Touched;
            }
        }
        if self.is_shape_changed {
            self.kinds.add(ChangeKind::Frame);
        }
    }

    /// Tells of a change that no other kind explains.
    pub(crate) fn tell_invisible(&mut self, is_changed: bool) {
        if is_changed && self.kinds == ChangeKinds::default() {
            self.kinds.add(ChangeKind::Invisible);
        }
    }
}

impl BlockChange {
    /// Whether it is there for a reader of the text.
    fn is_seen(&self) -> bool {
        self.is_moved || !matches!(self.relation, Relation::Same | Relation::Touched)
    }
}

/// The innermost blocks, by index.
fn leaves(side: Side<'_>) -> Vec<usize> {
    (0..side.blocks.len()).filter(|index| side.is_leaf(*index)).collect()
}

fn candidates<'a>(side: Side<'a>, leaves: &[usize]) -> Vec<Candidate<'a>> {
    let candidate = |&index: &usize| {
        let block = &side.blocks[index];
        Candidate { content: block.span.of(side.source), topic: block.topic.as_deref() }
    };
    leaves.iter().map(candidate).collect()
}

/// The changes in the order of the new page, each removed block behind the one that stood before it.
fn in_place(
    old: Side<'_>,
    new: Side<'_>,
    old_leaves: &[usize],
    new_leaves: &[usize],
    found: &[Option<Match>],
    balance: &mut Balance,
) -> Vec<BlockChange> {
    let mut is_kept = vec![false; old_leaves.len()];
    found.iter().flatten().for_each(|found| is_kept[found.old] = true);
    let mut changes: Vec<BlockChange> = Vec::with_capacity(new_leaves.len());
    let remove_from = |from: usize, changes: &mut Vec<BlockChange>, balance: &mut Balance| {
        for index in (from..old_leaves.len()).take_while(|index| !is_kept[*index]) {
            let old_index = old_leaves[index];
            balance.add(&visible::read(old.content(old_index)).spelling, "");
            let (old, new) = (Some(old_index), None);
            changes.push(BlockChange { relation: Relation::Removed, is_moved: false, old, new });
        }
    };
    remove_from(0, &mut changes, balance);
    for (found, &new_index) in found.iter().zip(new_leaves) {
        let old_index = found.map(|found| old_leaves[found.old]);
        let relation = match old_index {
            Some(old_index) if found.is_some_and(|found| found.is_changed) => {
                relation(old.content(old_index), new.content(new_index), balance)
            }
            Some(_) => Relation::Same,
            None => {
                balance.add("", &visible::read(new.content(new_index)).spelling);
                Relation::Added
            }
        };
        let is_moved = found.is_some_and(|found| found.is_moved);
        changes.push(BlockChange { relation, is_moved, old: old_index, new: Some(new_index) });
        if let Some(found) = found {
            remove_from(found.old + 1, &mut changes, balance);
        }
    }
    changes
}

/// How two different sources of one block relate.
fn relation(old: &str, new: &str, balance: &mut Balance) -> Relation {
    let (old, new) = (visible::read(old).spelling, visible::read(new).spelling);
    if old == new {
        return Relation::Touched;
    }
    balance.add(&old, &new);
    Relation::Changed
}

/// Stands for a block in a frame: a word of its own, so that text that moves past a block is seen to move.
pub(crate) const SLOT: &str = " \u{1F} ";

/// The words of a frame, or of its text, without the slots.
pub(crate) fn words_without_slots(text: &str) -> impl Iterator<Item = &str> {
    text.split_ascii_whitespace().filter(|word| *word != SLOT.trim())
}

/// The source outside the innermost blocks, with a slot for each.
pub(crate) fn frame(side: Side<'_>) -> String {
    let mut frame = String::new();
    let mut taken = 0;
    for index in leaves(side) {
        let span = side.blocks[index].span.range();
        frame.push_str(&side.source[taken..span.start]);
        frame.push_str(SLOT);
        taken = span.end;
    }
    frame.push_str(&side.source[taken..]);
    frame
}

#[cfg(test)]
mod tests {
    use kuai_page::{BlockTree, Page, Span};

    use super::*;
    use crate::cut::cut;

    fn blocks(html: &str) -> Vec<OutlineBlock> {
        let page = Page::from_html(html);
        cut(&page, &BlockTree::from_spans([Span::new(0, html.len() as u32)]), 1, |_| None)
    }

    fn compared(old: &str, new: &str) -> Comparison {
        let (old_blocks, new_blocks) = (blocks(old), blocks(new));
        compare(Side { source: old, blocks: &old_blocks }, Side { source: new, blocks: &new_blocks })
    }

    fn check(old: &str, new: &str, expected: &str) {
        let comparison = compared(old, new);
        let counts = [Relation::Added, Relation::Removed, Relation::Changed].map(|relation| comparison.count(relation));
        let kinds: Vec<_> = comparison.kinds.iter().map(ChangeKind::name).collect();
        assert_eq!(format!("{counts:?} {} {}", comparison.moved_count(), kinds.join(" ")).trim(), expected);
    }

    const PAGE: &str = "<body><p>One two</p><p>Three four</p><p>Five</p>";

    #[test]
    fn an_edited_paragraph_is_changed() {
        check(PAGE, &PAGE.replace("four", "4"), "[0, 0, 1] 0 main");
    }

    #[test]
    fn a_paragraph_put_in_is_added_and_leaves_the_layout_as_it_was() {
        let more = PAGE.replace("<p>Five", "<p>New</p>\n<p>Five");
        check(PAGE, &more, "[1, 0, 0] 0 main");
        assert!(!compared(PAGE, &more).is_layout_changed);
        check(&more, PAGE, "[0, 1, 0] 0 main");
    }

    #[test]
    fn a_token_is_no_change_of_content() {
        check(PAGE, &PAGE.replace("<p>Five", "<p data-token=1>Five"), "[0, 0, 0] 0 invisible");
        check(PAGE, &PAGE.replace("<body>", "<script>a()</script><body>"), "[0, 0, 0] 0 invisible");
    }

    #[test]
    fn other_tags_around_the_same_text_are_a_change_of_the_frame() {
        check(PAGE, &PAGE.replace("<body>", "<body><main>"), "[0, 0, 0] 0 frame");
    }

    #[test]
    fn a_paragraph_that_moves_is_moved() {
        check(PAGE, "<body><p>Five</p><p>One two</p><p>Three four</p>", "[0, 0, 0] 1 main");
    }

    #[test]
    fn text_outside_all_blocks_that_moves_past_one_has_moved() {
        let (old, new) = ("<body><p>One</p><p>Two</p>before<p>Three", "<body><p>One</p>before<p>Two</p><p>Three");
        check(old, new, "[0, 0, 0] 0 main");
        assert!(compared(old, new).is_layout_text_changed);
    }

    #[test]
    fn the_title_counts_as_content() {
        check("<title>a</title><p>x<p>y", "<title>b</title><p>x<p>y", "[0, 0, 0] 0 main");
    }

    #[test]
    fn nothing_changed_is_nothing() {
        check(PAGE, PAGE, "[0, 0, 0] 0");
    }
}
