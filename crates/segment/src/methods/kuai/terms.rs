//! Terms are kept with what describes them: without them a list of definitions says things of nothing, or, where one stands in another, of the wrong
//! thing. The model is less sure of them, being short. (All figures the same.)

use kuai_page::Tag;
use rustc_hash::FxHashMap;

use super::others::contents;
use super::outline::{NOWHERE, Outline};

/// How likely a term must be main text, the words of its descriptions, and the share of them that must be kept, at least. Shorter ones are figures of
/// those who post.
const LIKELY_MIN: f32 = 0.1;
const LENGTH_MIN: f32 = 3.0;
const KEPT_SHARE_MIN: f32 = 0.5;

/// The terms that stand last in an element so far, and their descriptions.
#[derive(Default)]
struct Entry {
    terms: Vec<u32>,
    is_described: bool,
    length: f32,
    kept: f32,
}

impl Entry {
    /// Its terms, if what describes them is kept; the next ones follow.
    fn take_if_kept(&mut self) -> Vec<u32> {
        let entry = std::mem::take(self);
        let is_kept = entry.length >= LENGTH_MIN && entry.kept >= KEPT_SHARE_MIN * entry.length;
        if is_kept { entry.terms } else { Vec::new() }
    }
}

/// Keeps terms whose descriptions are kept.
pub(super) fn keep_terms(outline: &Outline, likely: &[f32], kept: &mut [bool]) {
    if !outline.elements.iter().any(|element| element.tag == Tag::Dt) {
        return;
    }
    let kept_terms = kept_terms(outline, likely, kept);
    let item_of = innermost_items(outline);
    for (index, unit) in outline.units.iter().enumerate() {
        let item = item_of[unit.element as usize];
        kept[index] |= item != NOWHERE && kept_terms[item as usize] && likely[index] >= LIKELY_MIN;
    }
}

/// Which elements are terms whose descriptions are kept for the most part.
fn kept_terms(outline: &Outline, likely: &[f32], kept: &[bool]) -> Vec<bool> {
    let contents = contents(outline, likely, kept);
    let mut found = vec![false; outline.elements.len()];
    let mut entries: FxHashMap<u32, Entry> = FxHashMap::default();
    let items = outline.elements.iter().enumerate().filter(|(_, element)| matches!(element.tag, Tag::Dt | Tag::Dd));
    for (index, element) in items {
        let entry = entries.entry(element.parent).or_default();
        if element.tag == Tag::Dd {
            entry.is_described = true;
            entry.length += contents[index].words;
            entry.kept += contents[index].kept;
            continue;
        }
        if entry.is_described {
            entry.take_if_kept().into_iter().for_each(|term| found[term as usize] = true);
        }
        entry.terms.push(index as u32);
    }
    entries.values_mut().flat_map(Entry::take_if_kept).for_each(|term| found[term as usize] = true);
    found
}

/// The innermost term or description around each element, itself counted.
fn innermost_items(outline: &Outline) -> Vec<u32> {
    let mut item_of = vec![NOWHERE; outline.elements.len()];
    for (index, element) in outline.elements.iter().enumerate() {
        let is_item = matches!(element.tag, Tag::Dt | Tag::Dd);
        item_of[index] = if is_item { index as u32 } else { item_of[element.parent as usize] };
    }
    item_of
}

#[cfg(test)]
mod tests {
    use kuai_page::Page;

    use super::super::subject::Subject;
    use super::*;

    const SURE: f32 = 0.9;
    const UNSURE: f32 = 0.2;

    /// What is kept of a page of which only long units were, where terms are so likely.
    fn kept_of(html: &str, likely: f32) -> Vec<String> {
        let page = Page::from_html(html);
        let outline = Outline::read(&page, &Subject::of(&Default::default()));
        let likely: Vec<f32> =
            outline.units.iter().map(|unit| if unit.text.words > 3 { SURE } else { likely }).collect();
        let mut kept: Vec<bool> = likely.iter().map(|&likely| likely == SURE).collect();
        keep_terms(&outline, &likely, &mut kept);
        let units = outline.units.iter().zip(kept).filter(|(_, kept)| *kept);
        units.map(|(unit, _)| outline.text_of(unit).to_owned()).collect()
    }

    #[test]
    fn a_term_is_kept_with_what_describes_it() {
        let list = "<dl><dt>Wick<dt>Taper<dd>What burns in the lamp.<dt>Glass<dd>None</dl>";
        assert_eq!(kept_of(list, UNSURE), ["Wick", "Taper", "What burns in the lamp."]);
        assert_eq!(kept_of(list, 0.05), ["What burns in the lamp."]);
        let grouped = "<dl><div><dt>Wick<dd>What burns in the lamp.</div><div><dt>Glass<dd>None</div></dl>";
        assert_eq!(kept_of(grouped, UNSURE), ["Wick", "What burns in the lamp."]);
    }

    #[test]
    fn what_figures_count_is_left_to_the_model() {
        let html = "<p>The lamp burns all night.<dl><dt>Posts<dd>9<dt>Wick<dd>What burns in the lamp.</dl>";
        assert_eq!(kept_of(html, UNSURE), ["The lamp burns all night.", "Wick", "What burns in the lamp."]);
    }

    #[test]
    fn a_list_in_a_description_keeps_the_terms_of_both() {
        let list = "<dl><dt>class Lamp<dd><dl><dt>max_height<dd>As tall as a man stands.</dl></dl>";
        assert_eq!(kept_of(list, UNSURE), ["class Lamp", "max_height", "As tall as a man stands."]);
    }
}
