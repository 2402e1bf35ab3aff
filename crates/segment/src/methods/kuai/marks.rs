//! Units to blocks: main text in runs, the rest in groups that stand together in the page.

use kuai_page::{BlockTree, Label, Page, Span};
use rustc_hash::FxHashMap;

use super::outline::Outline;
use crate::label;

/// Units that a group of other text should have before the element around it is not asked for more.
const GROUP_UNITS_MIN: u32 = 3;

/// Characters of a line that is taken for the heading of what follows it, at most.
const HEADING_CHARACTERS_MAX: u32 = 24;
/// Like elements side by side that make a row.
const ITEMS_MIN: u32 = 3;

/// The blocks of a page: main text labelled so, the rest without a label.
pub(super) fn blocks(page: &Page, outline: &Outline, kept: &[bool]) -> BlockTree {
    let groups = groups(outline, kept);
    let mut blocks: Vec<(Span, Option<Label>)> = Vec::new();
    let mut before = None;
    let mut is_heading = false;
    for (index, unit) in outline.units.iter().enumerate() {
        let label = kept[index].then_some(Label::Main);
        let group = if kept[index] { None } else { Some(groups[unit.element as usize]) };
        match blocks.last_mut() {
            // Text that the standard moved stands elsewhere in the source: it is a block of its own.
            Some((span, of)) if *of == label && (before == Some(group) || is_heading) && span.end <= unit.span.start => {
                *span = span.union(unit.span);
                is_heading = false;
            }
            _ => {
                blocks.push((unit.span, label));
                is_heading = label.is_none() && unit.text.characters <= HEADING_CHARACTERS_MAX && unit.text.link == 0.0;
            }
        }
        before = Some(group);
    }
    if blocks.is_empty() {
        blocks.push((page.span(), Some(Label::Noise)));
    }
    BlockTree::from_labelled(blocks)
}

/// Labels what is no main text by the rules of SPCOLA. What those take for text, and the model does not, is noise.
pub(super) fn label_rest(page: &Page, tree: BlockTree) -> BlockTree {
    let is_main: Vec<bool> = tree.blocks().iter().map(|block| block.label == Some(Label::Main)).collect();
    let mut tree = label(page, tree);
    for ((_, label, _), is_main) in tree.blocks_mut().zip(is_main) {
        if !is_main && matches!(label, Some(Label::Main | Label::Small | Label::Title)) {
            *label = Some(Label::Noise);
        }
    }
    tree
}

/// The element whose text is a group, by element: the first on the way up with enough units that is not one of a row of like elements, as
/// far as no main text is in it.
fn groups(outline: &Outline, kept: &[bool]) -> Vec<u32> {
    let mut units = vec![0_u32; outline.elements.len()];
    let mut has_main = vec![false; outline.elements.len()];
    for (unit, &kept) in outline.units.iter().zip(kept) {
        units[unit.element as usize] += 1;
        has_main[unit.element as usize] |= kept;
    }
    for index in (1..outline.elements.len()).rev() {
        let parent = outline.elements[index].parent as usize;
        units[parent] += units[index];
        has_main[parent] |= has_main[index];
    }
    // Of each row its first element and how many there are.
    let mut rows: FxHashMap<(u32, u32), (u32, u32)> = FxHashMap::default();
    for (index, element) in outline.elements.iter().enumerate().filter(|&(index, _)| units[index] > 0) {
        rows.entry((element.parent, element.shape)).or_insert((index as u32, 0)).1 += 1;
    }
    let mut groups: Vec<u32> = Vec::with_capacity(outline.elements.len());
    let mut in_row: Vec<bool> = Vec::with_capacity(outline.elements.len());
    for (index, element) in outline.elements.iter().enumerate() {
        let own = index as u32;
        let parent = element.parent as usize;
        let (first, count) = rows.get(&(element.parent, element.shape)).copied().unwrap_or((own, 1));
        let is_item = count >= ITEMS_MIN && !has_main[index];
        let is_in_row = index > 0 && in_row[parent];
        groups.push(match () {
            () if is_in_row => groups[parent],
            () if index == 0 || !(is_item || units[index] < GROUP_UNITS_MIN) => own,
            // Beside main text a row is a group, elsewhere all that stands together.
            () if has_main[parent] => first,
            () => groups[parent],
        });
        in_row.push(is_in_row || is_item);
    }
    groups
}
