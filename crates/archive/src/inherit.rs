//! Takes over the cut of the version before where a page changed in its words or its tokens but not in its structure.
//!
//! Nearly all changes of real pages are of this kind, and a cut that stays as it is makes a steady history: no block comes or goes
//! because a method weighed the page otherwise. Where anything else changed there is nothing to take over, and the page is
//! cut anew. One pass over the source, with bounded searches for where a changed part ends.

use std::ops::Range;

use kuai_html::{Tag, TokenKind, tokens};
use kuai_page::Span;
use memchr::memmem;

use crate::compare::{BlockChange, Comparison, Relation, Side, words_without_slots};
use crate::outline::{Outline, OutlineBlock, assign_links};
use crate::succession::Predecessor;
use crate::visible::{self, Visible};

/// Bytes by which the end of a changed part is found again.
const ANCHOR_BYTES: usize = 64;

/// How much longer than before a changed part may have become, beyond twice its length.
const GROWTH_BYTES_MAX: usize = 4096;

/// The blocks of a page whose structure is that of the version before, and what changed in them.
pub(crate) struct Inherited {
    pub(crate) blocks: Vec<OutlineBlock>,
    pub(crate) comparison: Comparison,
}

/// Takes over the cut of the version before, if the structure is the same.
pub(crate) fn inherit(before: &Predecessor, source: &str) -> Option<Inherited> {
    let old = Side { source: &before.source, blocks: &before.outline.blocks };
    let parts = follow(old, source)?;
    let mut blocks = moved_blocks(&before.outline, &parts)?;
    assign_links(&link_starts(&before.outline, source, &parts), &mut blocks);
    let comparison = compare_parts(old, Side { source, blocks: &blocks }, &parts)?;
    Some(Inherited { blocks, comparison })
}

/// A stretch of the old source and where it is in the new one: an innermost block, or what lies between two.
struct Part {
    /// The index of the block.
    block: Option<usize>,
    old: Range<usize>,
    new: Range<usize>,
    is_same: bool,
}

/// Finds every innermost block of the old version, and all between them, in the new source.
fn follow(old: Side<'_>, source: &str) -> Option<Vec<Part>> {
    let mut parts: Vec<Part> = Vec::new();
    for (block, range) in stretches(old) {
        let start = parts.last().map_or(0, |part| part.new.end);
        let content = &old.source[range.clone()];
        let is_same = source.get(start..)?.as_bytes().starts_with(content.as_bytes());
        let is_last = range.end == old.source.len();
        let end = match is_same {
            true => start + content.len(),
            false if is_last => source.len(),
            // Two changed parts side by side cannot be told apart.
            false if parts.last().is_some_and(|part| !part.is_same) => return None,
            false => {
                start + find_end(&old.source.as_bytes()[range.end..], source.as_bytes().get(start..)?, content.len())?
            }
        };
        source.get(start..end)?;
        parts.push(Part { block, old: range, new: start..end, is_same });
    }
    let reaches_end = parts.last().is_some_and(|part| part.new.end == source.len());
    reaches_end.then_some(parts)
}

/// The innermost blocks and what lies between them, in order; empty stretches are left out, but for a source without any.
fn stretches(side: Side<'_>) -> Vec<(Option<usize>, Range<usize>)> {
    let mut stretches = Vec::new();
    let mut place = 0;
    for index in (0..side.blocks.len()).filter(|index| side.is_leaf(*index)) {
        let span = side.blocks[index].span.range();
        stretches.push((None, place..span.start));
        place = span.end;
        stretches.push((Some(index), span));
    }
    stretches.push((None, place..side.source.len()));
    stretches.retain(|(_, range)| !range.is_empty());
    stretches
}

/// Where a changed part ends: before what followed it.
fn find_end(following: &[u8], source: &[u8], length_before: usize) -> Option<usize> {
    let anchor = &following[..following.len().min(ANCHOR_BYTES)];
    let window = (2 * length_before + GROWTH_BYTES_MAX + anchor.len()).min(source.len());
    memmem::find(&source[..window], anchor)
}

/// The old blocks at their new places; `None` where the border of one lies in what changed.
fn moved_blocks(outline: &Outline, parts: &[Part]) -> Option<Vec<OutlineBlock>> {
    let borders = Borders { parts };
    let moved = |block: &OutlineBlock| {
        let span = Span::new(borders.start(block.span.start)?, borders.end(block.span.end)?);
        Some(OutlineBlock { span, links: Vec::new(), ..block.clone() })
    };
    outline.blocks.iter().map(moved).collect()
}

/// Where a place of the old source is in the new one.
struct Borders<'a> {
    parts: &'a [Part],
}

impl Borders<'_> {
    /// Of a place at which something begins.
    fn start(&self, place: u32) -> Option<u32> {
        let part = &self.parts[self.parts.partition_point(|part| part.old.end <= place as usize)];
        self.place_in(part, place as usize)
    }

    /// Of a place at which something ends.
    fn end(&self, place: u32) -> Option<u32> {
        let part = &self.parts[self.parts.partition_point(|part| part.old.end < place as usize)];
        self.place_in(part, place as usize)
    }

    fn place_in(&self, part: &Part, place: usize) -> Option<u32> {
        let (from_start, from_end) = (place - part.old.start, part.old.end - place);
        let new = match part.is_same || from_start == 0 {
            true => part.new.start + from_start,
            false if from_end == 0 => part.new.end,
            false => return None,
        };
        Some(new as u32)
    }
}

/// Where the links of the new page begin, as far as they lie in blocks.
fn link_starts(outline: &Outline, source: &str, parts: &[Part]) -> Vec<u32> {
    let mut old_starts: Vec<u32> = outline.blocks.iter().flat_map(|block| block.links.iter().copied()).collect();
    old_starts.sort_unstable();
    let mut starts = Vec::with_capacity(old_starts.len());
    for part in parts {
        if part.is_same {
            let first = old_starts.partition_point(|start| (*start as usize) < part.old.start);
            let inside = old_starts[first..].iter().take_while(|start| (**start as usize) < part.old.end);
            starts.extend(inside.map(|start| (*start as usize - part.old.start + part.new.start) as u32));
        } else {
            let links = tokens(&source[part.new.clone()]).filter(|token| match &token.kind {
                TokenKind::StartTag(tag) => matches!(tag.tag, Tag::A | Tag::Area) && tag.attribute("href").is_some(),
                _ => false,
            });
            starts.extend(links.map(|link| link.span.start + part.new.start as u32));
        }
    }
    starts
}

/// What changed; `None` where the structure did.
fn compare_parts(old: Side<'_>, new: Side<'_>, parts: &[Part]) -> Option<Comparison> {
    let mut comparison = Comparison::default();
    for part in parts {
        let (before, after) = (&old.source[part.old.clone()], &new.source[part.new.clone()]);
        let mut relation = Relation::Same;
        if !part.is_same {
            let (before_seen, after_seen) = (visible::read(before), visible::read(after));
            if !has_same_structure(before, after, &before_seen, &after_seen) {
                return None;
            }
            relation = if before_seen.spelling == after_seen.spelling { Relation::Touched } else { Relation::Changed };
            comparison.is_shape_changed |= part.block.is_none() && before_seen.shape != after_seen.shape;
            if part.block.is_none() {
                comparison.is_layout_changed |= !words_without_slots(before).eq(words_without_slots(after));
                comparison.is_layout_text_changed |= relation == Relation::Changed;
            }
        }
        if part.block.is_some() {
            comparison.blocks.push(BlockChange { relation, is_moved: false, old: part.block, new: part.block });
        }
    }
    match comparison.has_seen_changes() {
        true => comparison.tell_content(old, new),
        false => comparison.tell_no_content(),
    }
    comparison.tell_invisible(old.source != new.source);
    Some(comparison)
}

/// Whether a part is laid out as before, and ends in the same state.
fn has_same_structure(before: &str, after: &str, before_seen: &Visible, after_seen: &Visible) -> bool {
    let behind_last = |part: &str, letter: char| part.rfind(letter).map_or(0, |at| part.len() - at);
    // What follows the last tag must be the same, or else a comment or a tag may be open where there was none.
    let tail = behind_last(before, '>');
    let is_same_end = tail == behind_last(after, '>')
        && before.as_bytes()[before.len() - tail..] == after.as_bytes()[after.len() - tail..];
    let is_alike = before_seen.layout().eq(after_seen.layout()) && !before_seen.is_open && !after_seen.is_open;
    is_alike && is_same_end && !after.is_empty() && !before.contains("<base") && !after.contains("<base")
}
