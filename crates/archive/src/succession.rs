//! How a version follows from the one before it: what changed, how old each block is now, and what to keep whole next.

use std::collections::HashSet;

use kuai_page::Label;

use crate::compare::{Comparison, Relation, Side, compare};
use crate::inherit::{Inherited, inherit};
use crate::level::{self, Folded, RegionKey, Why, fold, region_keys};
use crate::outline::{Age, Outline, OutlineBlock};

/// A version that was committed before, as far as the next one needs it.
pub(crate) struct Predecessor {
    pub(crate) source: String,
    pub(crate) outline: Outline,
}

/// Takes over the outline of the version before, where only words or tokens changed. Says what did.
pub(crate) fn take_over(outline: &mut Outline, source: &str, before: &Predecessor, number: u32) -> Option<Comparison> {
    let is_cut_alike = (&outline.method, outline.level, &outline.charset)
        == (&before.outline.method, before.outline.level, &before.outline.charset);
    if !is_cut_alike || before.outline.is_due {
        return None;
    }
    let Inherited { mut blocks, comparison } = inherit(before, source)?;
    if has_changed_together(&comparison, source, &blocks, &before.outline) {
        return None;
    }
    for change in comparison.blocks.iter().filter(|change| change.relation == Relation::Changed) {
        let block = &mut blocks[change.new.expect("what changed is there")];
        block.age = Age { first: block.age.first, changed: number, edits: block.age.edits + 1 };
    }
    outline.blocks = blocks;
    outline.base.clone_from(&before.outline.base);
    outline.choices = level::choose(source, outline, number, &before.outline.choices, |_| false);
    outline.is_due = outline.choices != before.outline.choices;
    Some(comparison)
}

/// Whether a region changed that is whole because its parts change together: only a new cut tells whether they still do.
fn has_changed_together(comparison: &Comparison, source: &str, blocks: &[OutlineBlock], before: &Outline) -> bool {
    let is_together = |key: RegionKey| {
        before.choices.iter().any(|choice| choice.region == key && matches!(choice.why, Why::ChangesTogether(_)))
    };
    if !before.choices.iter().any(|choice| is_together(choice.region)) {
        return false;
    }
    let keys = region_keys(source, blocks);
    let mut changed = comparison.blocks.iter().filter(|change| change.relation == Relation::Changed);
    changed.any(|change| change.new.is_some_and(|index| is_together(keys[index])))
}

/// Fills in what an outline owes to the version before: regions that are kept whole, ages, choices. Says what changed.
pub(crate) fn succeed(outline: &mut Outline, source: &str, before: &Predecessor, number: u32) -> Comparison {
    let whole: HashSet<RegionKey> = before.outline.choices.iter().map(|choice| choice.region).collect();
    let parts = std::mem::take(&mut outline.blocks);
    outline.blocks = fold(&parts, &region_keys(source, &parts), |key| whole.contains(&key)).blocks.into_owned();
    let old_side = Side { source: &before.source, blocks: &before.outline.blocks };
    let (old, new) = fold_alike(old_side, Side { source, blocks: &outline.blocks });
    let old_side = Side { blocks: &old.blocks, ..old_side };
    let comparison = compare(old_side, Side { source, blocks: &new.blocks });

    let origins = origins(&comparison, old_side, new.blocks.len());
    let ages = ages(outline, source, &new, &origins, number);
    let now = new.now;
    outline.blocks.iter_mut().zip(ages).for_each(|(block, age)| block.age = age);
    for (index, block) in outline.blocks.iter_mut().enumerate() {
        // A block that says what it said is what it was, whatever the rest of the page became.
        if let Some(origin) = origins[now[index]].as_ref().filter(|origin| origin.content == block.span.of(source)) {
            block.label = origin.label;
            block.topic = origin.topic.map(str::to_owned);
        }
    }
    let is_broken_up = |region: &OutlineBlock| {
        let index = outline.blocks.iter().position(|block| block.span == region.span);
        let origin = index.and_then(|index| origins[now[index]].as_ref());
        origin.is_some_and(|origin| is_partly_in(&parts, region, source, origin.content))
    };
    outline.choices = level::choose(source, outline, number, &before.outline.choices, is_broken_up);
    outline.is_due = outline.choices != before.outline.choices;
    comparison
}

/// Gives the blocks of a URL's first version their ages.
pub(crate) fn begin(outline: &mut Outline, number: u32) {
    for index in 0..outline.blocks.len() {
        let age =
            if outline.is_leaf(index) { Age { first: number, changed: number, edits: 0 } } else { Age::default() };
        outline.blocks[index].age = age;
    }
}

/// Where a block comes from.
#[derive(Clone)]
struct Origin<'a> {
    /// What it was.
    content: &'a str,
    /// How old it was.
    age: Age,
    label: Option<Label>,
    topic: Option<&'a str>,
    /// Whether it says something else now.
    is_changed: bool,
}

/// Folds on each side what is one innermost block on the other, so that both are cut alike.
pub(crate) fn fold_alike<'old, 'new>(old: Side<'old>, new: Side<'new>) -> (Folded<'old>, Folded<'new>) {
    let (old_keys, new_keys) = (region_keys(old.source, old.blocks), region_keys(new.source, new.blocks));
    let (old_leaves, new_leaves) = (leaf_keys(old, &old_keys), leaf_keys(new, &new_keys));
    let old_folded = fold(old.blocks, &old_keys, |key| new_leaves.contains(&key));
    (old_folded, fold(new.blocks, &new_keys, |key| old_leaves.contains(&key)))
}

fn leaf_keys(side: Side<'_>, keys: &[RegionKey]) -> HashSet<RegionKey> {
    keys.iter().enumerate().filter(|(index, _)| side.is_leaf(*index)).map(|(_, key)| *key).collect()
}

/// For each of the new side's blocks, where it comes from.
fn origins<'a>(comparison: &Comparison, old: Side<'a>, new_count: usize) -> Vec<Option<Origin<'a>>> {
    let mut origins = vec![None; new_count];
    for change in &comparison.blocks {
        if let (Some(old_index), Some(new_index)) = (change.old, change.new) {
            let block = &old.blocks[old_index];
            let is_changed = change.relation == Relation::Changed;
            let (label, topic) = (block.label, block.topic.as_deref());
            let content = block.span.of(old.source);
            origins[new_index] = Some(Origin { content, age: block.age, label, topic, is_changed });
        }
    }
    origins
}

/// The age of every block of the new version. A block that only its tokens changed in is as old as before.
fn ages(
    outline: &Outline,
    source: &str,
    compared: &Folded<'_>,
    origins: &[Option<Origin<'_>>],
    number: u32,
) -> Vec<Age> {
    let born = Age { first: number, changed: number, edits: 0 };
    let age = |(index, block): (usize, &OutlineBlock)| {
        let now = compared.now[index];
        let is_folded = compared.blocks[now].span != block.span;
        match &origins[now] {
            _ if !outline.is_leaf(index) => Age::default(),
            Some(origin) if is_folded && !origin.content.contains(block.span.of(source)) => born,
            Some(origin) if is_folded || !origin.is_changed => origin.age,
            Some(origin) => Age { first: origin.age.first, changed: number, edits: origin.age.edits + 1 },
            None => born,
        }
    };
    outline.blocks.iter().enumerate().map(age).collect()
}

/// Whether some, but not all, parts of a region are in what it was before.
fn is_partly_in(parts: &[OutlineBlock], region: &OutlineBlock, source: &str, before: &str) -> bool {
    let inside = parts.iter().filter(|part| part.depth > region.depth && region.span.contains(part.span));
    let (kept, all) =
        inside.fold((0, 0), |(kept, all), part| (kept + usize::from(before.contains(part.span.of(source))), all + 1));
    0 < kept && kept < all
}

#[cfg(test)]
mod tests {
    use kuai_page::{BlockTree, Page, Span};

    use super::*;
    use crate::cut::cut;

    fn outline(html: &str) -> Outline {
        let page = Page::from_html(html);
        Outline {
            blocks: cut(&page, &BlockTree::from_spans([Span::new(0, html.len() as u32)]), 1, |_| None),
            ..Outline::default()
        }
    }

    /// Commits the pages one after the other; gives the ages of the last one's innermost blocks as `first-changed`.
    fn ages_of(pages: &[&str]) -> (Vec<String>, Outline) {
        let mut last: Option<Predecessor> = None;
        for (number, html) in pages.iter().enumerate() {
            let mut outline = outline(html);
            match &last {
                Some(before) => drop(succeed(&mut outline, html, before, number as u32)),
                None => begin(&mut outline, number as u32),
            }
            last = Some(Predecessor { source: (*html).to_owned(), outline });
        }
        let outline = last.expect("there are pages").outline;
        (outline.leaves().map(|block| format!("{}-{}", block.age.first, block.age.changed)).collect(), outline)
    }

    #[test]
    fn paragraphs_remember_when_they_were_edited() {
        let pages = ["<p>one a</p><p>two a</p>", "<p>one a</p><p>two b</p>", "<p>one c</p><p>two b</p><p>three</p>"];
        assert_eq!(ages_of(&pages).0, ["0-2", "0-1", "2-2"]);
    }

    #[test]
    fn a_moved_paragraph_keeps_its_age() {
        assert_eq!(
            ages_of(&["<p>one<p>two<p>three", "<p>two<p>three<p>four", "<p>four<p>two<p>three"]).0,
            ["1-1", "0-0", "0-0"]
        );
    }

    #[test]
    fn a_token_makes_no_block_younger() {
        assert_eq!(ages_of(&["<p id=1>one<p>two", "<p id=2>one<p>two"]).0, ["0-0", "0-0"]);
    }

    #[test]
    fn what_never_changes_is_kept_whole_until_it_does() {
        let steady: Vec<&str> = vec!["<p>one<p>two<p>six"; 10];
        let (ages, outline) = ages_of(&steady);
        assert_eq!((ages.as_slice(), outline.choices.len()), (["0-0".to_owned()].as_slice(), 1));
        let mut changed = steady.clone();
        changed.push("<p>one<p>2<p>six");
        assert!(ages_of(&changed).1.choices.is_empty());
        changed.push("<p>one<p>2<p>six");
        assert_eq!(ages_of(&changed).0.len(), 3);
    }
}
