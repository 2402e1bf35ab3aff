//! Two versions side by side: which blocks differ, and which words in them.

use kuai_page::{Label, Span, Timestamp, Url};
use similar::{Algorithm, DiffTag, capture_diff_slices};

use crate::archive::{Archive, Snapshot, last_seen, latest_page};
use crate::compare::{BlockChange, Relation, SLOT, Side, compare, frame};
use crate::history::{ChangeCounts, VersionInfo};
use crate::outline::OutlineBlock;
use crate::succession::fold_alike;
use crate::{Error, visible};

/// What differs between two versions of one address.
#[derive(Clone, Debug)]
pub struct Diff {
    /// The earlier version.
    pub from: VersionInfo,
    /// The later version.
    pub to: VersionInfo,
    /// How much differs.
    pub counts: ChangeCounts,
    /// All innermost blocks of both, in the order of the later page; those that only the earlier one has, where they stood.
    pub blocks: Vec<BlockDiff>,
    /// The text outside all blocks, where it differs.
    pub layout: Vec<WordChange>,
}

/// A block in two versions.
#[derive(Clone, Debug)]
pub struct BlockDiff {
    /// How it differs.
    pub relation: Relation,
    /// Whether it stands elsewhere.
    pub is_moved: bool,
    /// What it is for.
    pub label: Option<Label>,
    /// What it is about.
    pub topic: Option<String>,
    /// Where it is in the earlier version.
    pub old: Option<Span>,
    /// Where it is in the later version.
    pub new: Option<Span>,
    /// Its text with what differs in it.
    pub words: Vec<WordChange>,
}

/// A run of words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordChange {
    /// Where it stands.
    pub side: WordSide,
    /// The words, with the space between them.
    pub text: String,
}

/// Which version a run of words stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordSide {
    /// In both.
    Both,
    /// In the earlier version only.
    Old,
    /// In the later version only.
    New,
}

/// Words of a text that are compared one by one; longer texts are compared by line.
const WORDS_MAX: usize = 4000;

impl Archive {
    /// What differs between two pages of an address: the latest at or before each time. Without a `to` the newest, and without a
    /// `from` the one before that.
    pub fn diff(&self, url: &Url, from: Option<Timestamp>, to: Option<Timestamp>) -> Result<Diff, Error> {
        let history = self.history(url)?;
        let until = to.unwrap_or(Timestamp::MAX);
        let to = latest_page(url, &history, to)?;
        let from = match from {
            Some(_) => latest_page(url, &history, from)?,
            None => last_seen(&history, until, |version| version.is_page && version.number != to.number).unwrap_or(to),
        };
        Ok(diff(&self.read(url, from)?, &self.read(url, to)?))
    }
}

/// What differs between two versions.
pub fn diff(from: &Snapshot, to: &Snapshot) -> Diff {
    let (old_page, new_page) = (from.page(), to.page());
    let old = Side { source: old_page.source(), blocks: &from.outline.blocks };
    let new = Side { source: new_page.source(), blocks: &to.outline.blocks };
    let (old_folded, new_folded) = fold_alike(old, new);
    let (old, new) = (Side { blocks: &old_folded.blocks, ..old }, Side { blocks: &new_folded.blocks, ..new });
    let comparison = compare(old, new);
    let layout = match comparison.is_layout_text_changed {
        true => words(&frame_text(&frame(old)), &frame_text(&frame(new))),
        false => Vec::new(),
    };
    Diff {
        from: from.info.clone(),
        to: to.info.clone(),
        counts: ChangeCounts::of(&comparison, to.outline.leaves().count() as u32),
        blocks: comparison.blocks.iter().map(|change| block_diff(change, old, new)).collect(),
        layout,
    }
}

fn block_diff(change: &BlockChange, old: Side<'_>, new: Side<'_>) -> BlockDiff {
    let old_block = change.old.map(|index| &old.blocks[index]);
    let new_block = change.new.map(|index| &new.blocks[index]);
    let text = |block: Option<&OutlineBlock>, source: &str| {
        block.map_or(String::new(), |block| visible::text(block.span.of(source)))
    };
    let (old_text, new_text) = (text(old_block, old.source), text(new_block, new.source));
    let (blocks, index, text) = match (change.new, change.old) {
        (Some(index), _) => (new.blocks, Some(index), &new_text),
        (None, index) => (old.blocks, index, &old_text),
    };
    BlockDiff {
        relation: change.relation,
        is_moved: change.is_moved,
        label: index.and_then(|index| blocks[index].label),
        topic: index.and_then(|index| topic_of(blocks, index, text)),
        old: old_block.map(|block| block.span),
        new: new_block.map(|block| block.span),
        words: words(&old_text, &new_text),
    }
}

/// The text outside all blocks, with a line for each run of blocks.
fn frame_text(frame: &str) -> String {
    let lines = visible::text(&frame.replace(SLOT, "<p>…</p>"));
    let mut lines: Vec<&str> = lines.lines().collect();
    lines.dedup();
    lines.join("\n")
}

/// What a block is about: its own topic, that of the nearest block around it that has one, or its first words.
pub(crate) fn topic_of(blocks: &[OutlineBlock], index: usize, text: &str) -> Option<String> {
    let mut depth = blocks[index].depth + 1;
    let around = blocks[..=index].iter().rev().filter(|block| {
        let is_around = block.depth < depth;
        depth = depth.min(block.depth);
        is_around
    });
    let mut topics = around.filter_map(|block| block.topic.clone());
    topics.next().or_else(|| Some(first_words(text)).filter(|words| !words.is_empty()))
}

fn first_words(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().take(TOPIC_WORDS).collect();
    words.join(" ").chars().take(TOPIC_LETTERS).collect()
}

/// Words of a text that stand for its topic.
const TOPIC_WORDS: usize = 6;

/// Letters of a text that stand for its topic, where it is written without spaces.
const TOPIC_LETTERS: usize = 60;

/// The words of two texts with where each stands.
fn words(old: &str, new: &str) -> Vec<WordChange> {
    let (mut old_words, mut new_words) = (split_words(old), split_words(new));
    if old_words.len().max(new_words.len()) > WORDS_MAX {
        (old_words, new_words) = (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
    }
    let mut changes: Vec<WordChange> = Vec::new();
    let mut push = |side: WordSide, words: &[&str]| match changes.last_mut() {
        _ if words.is_empty() => {}
        Some(last) if last.side == side => last.text.push_str(&words.concat()),
        _ => changes.push(WordChange { side, text: words.concat() }),
    };
    for step in capture_diff_slices(Algorithm::Patience, &old_words, &new_words) {
        let (tag, old_range, new_range) = step.as_tag_tuple();
        match tag {
            DiffTag::Equal => push(WordSide::Both, &new_words[new_range]),
            DiffTag::Delete | DiffTag::Insert | DiffTag::Replace => {
                push(WordSide::Old, &old_words[old_range]);
                push(WordSide::New, &new_words[new_range]);
            }
        }
    }
    changes
}

/// Cuts a text into words, each with the space behind it; a letter of a script without spaces is a word.
fn split_words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut start = 0;
    let mut last: Option<char> = None;
    for (place, letter) in text.char_indices() {
        let begins = match last {
            None => false,
            Some(_) if letter.is_whitespace() => false,
            Some(last) => last.is_whitespace() || is_single(letter) || is_single(last),
        };
        if begins {
            words.push(&text[start..place]);
            start = place;
        }
        last = Some(letter);
    }
    if start < text.len() {
        words.push(&text[start..]);
    }
    words
}

/// Whether a letter stands for itself: punctuation, and letters of scripts without spaces.
fn is_single(letter: char) -> bool {
    !letter.is_whitespace() && (!letter.is_alphanumeric() || crate::likeness::is_ideographic(letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(old: &str, new: &str, expected: &str) {
        let written: String = words(old, new)
            .iter()
            .map(|change| match change.side {
                WordSide::Both => change.text.clone(),
                WordSide::Old => format!("[-{}-]", change.text),
                WordSide::New => format!("{{+{}+}}", change.text),
            })
            .collect();
        assert_eq!(written, expected);
    }

    #[test]
    fn words_are_told_apart() {
        check("It was a dark night.", "It was a stormy night.", "It was a [-dark -]{+stormy +}night.");
    }

    #[test]
    fn chinese_is_compared_by_letter() {
        check("床前明月光", "床前看月光", "床前[-明-]{+看+}月光");
    }

    #[test]
    fn a_text_on_one_side_only_is_all_of_that_side() {
        check("", "new", "{+new+}");
        check("old", "", "[-old-]");
        check("", "", "");
    }
}
