//! What changed between two versions, block by block, and for whom: a reader of the text, or nobody.
//!
//! A version whose text reads as before has no changed, added or removed blocks, however much its scripts, tokens and
//! attributes differ; one whose text reads otherwise has at least one. Nothing is said about when or by whom.

use kuai_page::Label;

use crate::matching::{Candidate, Match, match_blocks};
use crate::outline::OutlineBlock;
use crate::visible::{self, Visible};

/// A version to compare: its decoded source, and its blocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side<'a> {
    pub(crate) source: &'a str,
    pub(crate) blocks: &'a [OutlineBlock],
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
    pub(crate) kinds: ChangeKinds,
    /// The source outside the blocks of the earlier version.
    pub(crate) old_frame: String,
    /// The source outside the blocks of the later version.
    pub(crate) new_frame: String,
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
    let (old_leaves, new_leaves) = (leaves(old.blocks), leaves(new.blocks));
    let found = match_blocks(&candidates(old, &old_leaves), &candidates(new, &new_leaves));
    let mut comparison =
        Comparison { blocks: in_place(old, new, &old_leaves, &new_leaves, &found), ..Comparison::default() };
    let (old_frame, new_frame) = (frame(old, &old_leaves), frame(new, &new_leaves));
    comparison.is_layout_changed = !is_same_layout(&old_frame, &new_frame);
    let (mut is_shape_changed, mut is_arranged_otherwise) = (false, false);
    if old_frame != new_frame {
        let (old, new) = (visible::read(&old_frame), visible::read(&new_frame));
        comparison.is_layout_text_changed = !words(&old.spelling).eq(words(&new.spelling));
        is_arranged_otherwise = old.spelling != new.spelling;
        is_shape_changed = old.shape != new.shape;
    }
    let seems_changed = is_arranged_otherwise
        || comparison
            .blocks
            .iter()
            .any(|change| change.is_moved || !matches!(change.relation, Relation::Same | Relation::Touched));
    // Blocks that were only cut otherwise seem to come and go: then the whole texts decide.
    let texts = seems_changed.then(|| (visible::read(old.source), visible::read(new.source)));
    match texts {
        Some((old_whole, new_whole)) if old_whole.spelling != new_whole.spelling => comparison.tell_content(old, new),
        texts => comparison.tell_no_content(texts, is_shape_changed),
    }
    (comparison.old_frame, comparison.new_frame) = (old_frame, new_frame);
    if old.source != new.source && comparison.kinds == ChangeKinds::default() {
        comparison.kinds.add(ChangeKind::Invisible);
    }
    comparison
}

impl Comparison {
    /// The kinds of a change that a reader sees.
    fn tell_content(&mut self, old: Side<'_>, new: Side<'_>) {
        for change in &self.blocks {
            let is_seen = change.is_moved || !matches!(change.relation, Relation::Same | Relation::Touched);
            let block =
                change.new.map(|index| &new.blocks[index]).or_else(|| change.old.map(|index| &old.blocks[index]));
            if let Some(block) = block.filter(|_| is_seen) {
                self.kinds.add(ChangeKind::of_label(block.label));
            }
        }
        // What no block explains was said outside all of them, or moved there.
        self.is_layout_text_changed |= !self.kinds.has_content();
        if self.is_layout_text_changed {
            self.kinds.add(ChangeKind::Main);
        }
        if self.is_layout_changed {
            self.kinds.add(ChangeKind::Frame);
        }
    }

    /// The kinds of a change that no reader sees: whatever came, went or moved was only cut otherwise.
    fn tell_no_content(&mut self, texts: Option<(Visible, Visible)>, is_frame_shape_changed: bool) {
        self.is_layout_text_changed = false;
        for change in &mut self.blocks {
            change.is_moved = false;
            if change.relation != Relation::Same {
                change.relation = Relation::Touched;
            }
        }
        let is_shape_changed = texts.map_or(is_frame_shape_changed, |(old, new)| old.shape != new.shape);
        if is_shape_changed {
            self.kinds.add(ChangeKind::Frame);
        }
    }
}

/// The innermost blocks, by index.
fn leaves(blocks: &[OutlineBlock]) -> Vec<usize> {
    (0..blocks.len())
        .filter(|&index| blocks.get(index + 1).is_none_or(|next| next.depth <= blocks[index].depth))
        .collect()
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
) -> Vec<BlockChange> {
    let mut is_kept = vec![false; old_leaves.len()];
    found.iter().flatten().for_each(|found| is_kept[found.old] = true);
    let removed_from = |from: usize| (from..old_leaves.len()).take_while(|index| !is_kept[*index]).collect::<Vec<_>>();
    let removed = |index: usize| BlockChange {
        relation: Relation::Removed,
        is_moved: false,
        old: Some(old_leaves[index]),
        new: None,
    };
    let mut changes: Vec<BlockChange> = removed_from(0).into_iter().map(removed).collect();
    for (found, new_index) in found.iter().zip(new_leaves) {
        let old_index = found.map(|found| old_leaves[found.old]);
        let relation = match (found, old_index) {
            (Some(found), Some(old_index)) if found.is_changed => {
                relation(old.blocks[old_index].span.of(old.source), new.blocks[*new_index].span.of(new.source))
            }
            (Some(_), _) => Relation::Same,
            (None, _) => Relation::Added,
        };
        let is_moved = found.is_some_and(|found| found.is_moved);
        changes.push(BlockChange { relation, is_moved, old: old_index, new: Some(*new_index) });
        if let Some(found) = found {
            changes.extend(removed_from(found.old + 1).into_iter().map(removed));
        }
    }
    changes
}

/// How two different sources of one block relate.
fn relation(old: &str, new: &str) -> Relation {
    match visible::read(old).spelling == visible::read(new).spelling {
        true => Relation::Touched,
        false => Relation::Changed,
    }
}

/// Stands for a block in a frame: a word of its own, so that text that moves past a block is seen to move.
pub(crate) const SLOT: &str = " \u{1F} ";

/// The words of a text outside the blocks.
fn words(spelling: &str) -> impl Iterator<Item = &str> {
    spelling.split(' ').filter(|word| *word != SLOT.trim())
}

/// The source outside the innermost blocks, with a slot for each.
fn frame(side: Side<'_>, leaves: &[usize]) -> String {
    let mut frame = String::new();
    let mut taken = 0;
    for &index in leaves {
        let span = side.blocks[index].span.range();
        frame.push_str(&side.source[taken..span.start]);
        frame.push_str(SLOT);
        taken = span.end;
    }
    frame.push_str(&side.source[taken..]);
    frame
}

/// Whether two frames differ in no more than white space and how many blocks lie in them.
fn is_same_layout(a: &str, b: &str) -> bool {
    let letters = |frame: &'_ str| -> Vec<u8> {
        let words = frame.split_ascii_whitespace().filter(|word| *word != SLOT.trim());
        words.flat_map(str::bytes).collect()
    };
    a == b || letters(a) == letters(b)
}

#[cfg(test)]
mod tests {
    use kuai_page::{BlockTree, Page, Span};

    use super::*;
    use crate::cut::cut;

    fn blocks(html: &str) -> Vec<OutlineBlock> {
        let page = Page::from_html(html);
        cut(&page, &BlockTree::from_spans([Span::new(0, html.len() as u32)]), 1)
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
        check("<title>a</title><p>x<p>y", "<title>b</title><p>x<p>y", "[0, 0, 0] 0 main frame");
    }

    #[test]
    fn nothing_changed_is_nothing() {
        check(PAGE, PAGE, "[0, 0, 0] 0");
    }
}
