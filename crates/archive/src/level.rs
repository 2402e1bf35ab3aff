//! The level manager: how finely a URL's pages are cut, learnt from how they change.
//!
//! A region whose parts never change, or always change together, is kept as one block from the next version on; one that
//! stops to behave so is cut again. All of it is told from the ages of the blocks of the newest version, which hold the
//! history of each, so nothing older is read. Choices are kept with the version and say why they were made.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use crate::outline::{Outline, OutlineBlock};

/// Entries without a change after which a region counts as steady.
// Decision: weekly visits show a change of season by then, and daily ones a week with its end.
const STEADY_ENTRIES: u32 = 8;

/// Entries from one choice of regions to the next: a page is cut anew after each, so they are made together.
const CHOICE_ENTRIES: u32 = 8;

/// Changes in common after which parts count as one.
const COMMON_CHANGES: u32 = 3;

/// Parts from which keeping a region whole spares anything.
const PARTS_MIN: usize = 3;

/// Bytes of a start tag that tell one region from another.
const TAG_BYTES_MAX: usize = 256;

/// A region that is kept whole, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What the region is known by from version to version.
    pub region: RegionKey,
    /// Why it is kept whole.
    pub why: Why,
}

/// Why a region is kept whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// None of its parts changed in so many entries.
    NeverChanged(u32),
    /// All of its parts changed together, so many times.
    ChangesTogether(u32),
}

/// What a region is known by: its depth, its start tag, its topic, and which of those that are alike in these it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RegionKey(u32);

impl Choice {
    pub(crate) fn write(&self) -> String {
        let (word, count) = match self.why {
            Why::NeverChanged(count) => ("never", count),
            Why::ChangesTogether(count) => ("together", count),
        };
        format!("{:08x} {word} {count}", self.region.0)
    }

    pub(crate) fn read(text: &str) -> Option<Choice> {
        let mut words = text.split(' ');
        let region = RegionKey(u32::from_str_radix(words.next()?, 16).ok()?);
        let why = match (words.next()?, words.next()?.parse().ok()?) {
            ("never", count) => Why::NeverChanged(count),
            ("together", count) => Why::ChangesTogether(count),
            _ => return None,
        };
        Some(Choice { region, why })
    }
}

impl fmt::Display for Why {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::NeverChanged(count) => write!(out, "no part changed in {count} visits"),
            Why::ChangesTogether(count) => write!(out, "all parts changed together, {count} times"),
        }
    }
}

/// The key of every block.
pub(crate) fn region_keys(source: &str, blocks: &[OutlineBlock]) -> Vec<RegionKey> {
    let mut seen: HashMap<u32, u32> = HashMap::new();
    let key = |block: &OutlineBlock| {
        let content = block.span.of(source).as_bytes();
        let tag = &content[..content.len().min(TAG_BYTES_MAX)];
        let tag = &tag[..tag.iter().position(|byte| *byte == b'>').unwrap_or(tag.len())];
        // The topic keeps regions apart that look alike, so that one put in before them makes none of them another.
        let kind = hash(hash(block.depth, tag), block.topic.as_deref().unwrap_or_default().as_bytes());
        let which = seen.entry(kind).or_default();
        *which += 1;
        RegionKey(hash(*which, &kind.to_le_bytes()))
    };
    blocks.iter().map(key).collect()
}

/// Blocks of which some were folded: what lay inside them is gone.
pub(crate) struct Folded<'a> {
    /// The blocks that remain. A folded region has taken over the links and ages of its parts.
    pub(crate) blocks: Cow<'a, [OutlineBlock]>,
    /// For each block before, the one that remains of it or around it.
    pub(crate) now: Vec<usize>,
}

/// Leaves out what lies inside the regions that `is_whole` keeps whole.
pub(crate) fn fold<'a>(
    blocks: &'a [OutlineBlock],
    keys: &[RegionKey],
    is_whole: impl Fn(RegionKey) -> bool,
) -> Folded<'a> {
    let has_parts = |index: usize| blocks.get(index + 1).is_some_and(|next| next.depth > blocks[index].depth);
    if !keys.iter().enumerate().any(|(index, key)| has_parts(index) && is_whole(*key)) {
        return Folded { blocks: Cow::Borrowed(blocks), now: (0..blocks.len()).collect() };
    }
    let mut kept: Vec<OutlineBlock> = Vec::with_capacity(blocks.len());
    let mut now = Vec::with_capacity(blocks.len());
    let mut whole_depth = u32::MAX;
    for (block, key) in blocks.iter().zip(keys) {
        if block.depth > whole_depth {
            let region = kept.last_mut().expect("a block lies inside one that was kept");
            region.take_in(block);
        } else {
            whole_depth = if is_whole(*key) { block.depth } else { u32::MAX };
            kept.push(block.clone());
        }
        now.push(kept.len() - 1);
    }
    Folded { blocks: Cow::Owned(kept), now }
}

impl OutlineBlock {
    /// Takes over the links and the age of a block inside.
    fn take_in(&mut self, inner: &OutlineBlock) {
        self.links.extend(&inner.links);
        self.links.sort_unstable();
        // A region without an age of its own is as old as its parts.
        let is_first_part = self.age.first == 0 && self.age.changed == 0;
        self.age.first = if is_first_part { inner.age.first } else { self.age.first.min(inner.age.first) };
        self.age.changed = self.age.changed.max(inner.age.changed);
        self.age.edits = self.age.edits.max(inner.age.edits);
    }
}

/// Decides which regions the next version keeps whole. `number` is the entry of `outline`; `is_broken_up` says of a region
/// that was kept whole whether only a part of it changed.
pub(crate) fn choose(
    source: &str,
    outline: &Outline,
    number: u32,
    before: &[Choice],
    is_broken_up: impl Fn(&OutlineBlock) -> bool,
) -> Vec<Choice> {
    let keys = region_keys(source, &outline.blocks);
    let mut choices = Vec::new();
    for (index, (block, region)) in outline.blocks.iter().zip(keys).enumerate() {
        let why = match before.iter().find(|choice| choice.region == region) {
            Some(choice) => still_whole(choice, block, number, &is_broken_up),
            None if outline.is_leaf(index) || !number.is_multiple_of(CHOICE_ENTRIES) => None,
            None => why_whole(&outline.blocks[index..], number),
        };
        choices.extend(why.map(|why| Choice { region, why }));
    }
    choices
}

/// Whether a region that was kept whole goes on so.
fn still_whole(
    choice: &Choice,
    block: &OutlineBlock,
    number: u32,
    is_broken_up: impl Fn(&OutlineBlock) -> bool,
) -> Option<Why> {
    let has_changed = block.age.changed == number && block.age.first < number;
    match choice.why {
        Why::NeverChanged(_) if has_changed => None,
        Why::ChangesTogether(_) if has_changed && is_broken_up(block) => None,
        why => Some(why),
    }
}

/// Whether the first of `blocks`, a region of innermost blocks, behaves as one block.
fn why_whole(blocks: &[OutlineBlock], number: u32) -> Option<Why> {
    let (region, rest) = blocks.split_first()?;
    let parts: Vec<_> = rest.iter().take_while(|block| block.depth > region.depth).collect();
    let is_flat = parts.iter().all(|part| part.depth == region.depth + 1);
    let first = parts.first().filter(|_| is_flat && parts.len() >= PARTS_MIN)?;
    let is_steady =
        |part: &&OutlineBlock| part.age.edits == 0 && number.saturating_sub(part.age.first) >= STEADY_ENTRIES;
    if parts.iter().all(is_steady) {
        return Some(Why::NeverChanged(number - first.age.first));
    }
    let is_alike = |part: &&OutlineBlock| part.age.edits == first.age.edits && part.age.changed == first.age.changed;
    let is_common = first.age.edits >= COMMON_CHANGES && parts.iter().all(is_alike);
    is_common.then_some(Why::ChangesTogether(first.age.edits))
}

/// FNV-1a: small, and the same for ever.
fn hash(seed: u32, bytes: &[u8]) -> u32 {
    let start = 0x811C_9DC5 ^ seed.wrapping_mul(0x9E37_79B1);
    bytes.iter().fold(start, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use kuai_page::Span;

    use super::*;
    use crate::outline::Age;

    const SOURCE: &str = "<ul id=a><li>one</li><li>two</li><li>six</li></ul>";

    fn outline(ages: [Age; 2]) -> Outline {
        let block = |start, end, depth, age| OutlineBlock {
            span: Span::new(start, end),
            depth,
            label: None,
            topic: None,
            links: Vec::new(),
            age,
        };
        let parts = [block(9, 21, 1, ages[0]), block(21, 33, 1, ages[1]), block(33, 45, 1, ages[1])];
        let blocks = std::iter::once(block(0, 50, 0, Age::default())).chain(parts).collect();
        Outline { blocks, ..Outline::default() }
    }

    fn choices(ages: [Age; 2], number: u32) -> Vec<Why> {
        choose(SOURCE, &outline(ages), number, &[], |_| false).iter().map(|choice| choice.why).collect()
    }

    #[test]
    fn parts_that_never_change_become_one_block() {
        assert_eq!(choices([Age::default(); 2], STEADY_ENTRIES), [Why::NeverChanged(STEADY_ENTRIES)]);
        assert_eq!(choices([Age { first: 1, changed: 1, edits: 0 }; 2], STEADY_ENTRIES), []);
    }

    #[test]
    fn parts_that_change_together_become_one_block() {
        let age = Age { first: 0, changed: 9, edits: 3 };
        assert_eq!(choices([age; 2], 16), [Why::ChangesTogether(3)]);
        assert_eq!(choices([age, Age { changed: 8, ..age }], 16), []);
    }

    #[test]
    fn a_whole_region_has_the_ages_of_its_parts() {
        let age = Age { first: 2, changed: 9, edits: 3 };
        let blocks = outline([age, Age { first: 5, changed: 7, edits: 4 }]).blocks;
        let keys = region_keys(SOURCE, &blocks);
        let folded = fold(&blocks, &keys, |key| key == keys[0]);
        assert_eq!(folded.now, [0, 0, 0, 0]);
        assert_eq!(folded.blocks[0].age, Age { first: 2, changed: 9, edits: 4 });
    }

    #[test]
    fn a_steady_region_that_changes_is_cut_again() {
        let whole = Outline { blocks: outline([Age::default(); 2]).blocks[..1].to_vec(), ..Outline::default() };
        let choice = Choice { region: region_keys(SOURCE, &whole.blocks)[0], why: Why::NeverChanged(8) };
        let mut changed = whole.clone();
        changed.blocks[0].age = Age { first: 0, changed: 12, edits: 1 };
        assert_eq!(choose(SOURCE, &whole, 12, std::slice::from_ref(&choice), |_| false), std::slice::from_ref(&choice));
        assert_eq!(choose(SOURCE, &changed, 12, &[choice], |_| false), []);
    }
}
