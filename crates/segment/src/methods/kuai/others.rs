//! Teasers on the page of an article: items of a row in which nearly all have a linked heading, or one long link. The model keeps some where
//! the text itself is short, or theirs is long. But the items of a list that is the text, as of the ten best of something, have linked headings
//! too: a row counts as teasers only where the model is clearly less sure of it than of the rest.

use rustc_hash::FxHashMap;

use super::outline::{Element, Outline};
use super::reading::UnitText;

/// Share of links and words from which a unit heads an item that leads elsewhere, and levels above it at which the item may stand.
const HEADING_LINK_MIN: f32 = 0.8;
const HEADING_LENGTH_MIN: f32 = 3.0;
const HEADING_LEVELS_MAX: usize = 8;
/// Items that make a row of teasers, the share of them that lead elsewhere, and words an item on average. Lower shares and longer items change little.
const TEASERS_MIN: u32 = 3;
const HEADED_SHARE_MIN: f32 = 0.8;
const ITEM_LENGTH_MAX: f32 = 300.0;
/// How likely teasers are main text beside what is kept elsewhere, at most. Chosen on the labelled pages; .7 to .9 are nearly as good.
const TEASERS_RATIO_MAX: f32 = 0.8;
/// Words from which a link is a teaser by itself.
const LINK_LENGTH_MIN: f32 = 15.0;
/// Words that must be left of the text.
pub(super) const LEFT_LENGTH_MIN: f32 = 8.0;

/// Takes other texts out of the main text of an article.
pub(super) fn drop_others(outline: &Outline, likely: &[f32], kept: &mut [bool]) {
    drop_unless_little_is_left(outline, kept, |index| {
        let text = &outline.units[index].text;
        text.link >= HEADING_LINK_MIN && text.length >= LINK_LENGTH_MIN
    });
    let is_other = others(outline, likely, kept);
    drop_unless_little_is_left(outline, kept, |index| is_other[outline.units[index].element as usize]);
}

/// Takes units out of main text, unless hardly anything would be left of it.
pub(super) fn drop_unless_little_is_left(outline: &Outline, kept: &mut [bool], is_dropped: impl Fn(usize) -> bool) {
    let stays = |index: &usize| kept[*index] && !is_dropped(*index);
    let left: f32 = (0..kept.len()).filter(stays).map(|index| outline.units[index].text.length).sum();
    if left >= LEFT_LENGTH_MIN {
        kept.iter_mut().enumerate().for_each(|(index, kept)| *kept &= !is_dropped(index));
    }
}

/// What stands in an element, or in all items of a row.
#[derive(Clone, Copy, Default)]
pub(super) struct Content {
    /// Words, those that are kept, and those times how likely each is main text.
    pub(super) words: f32,
    pub(super) kept: f32,
    likely: f32,
}

impl Content {
    fn add(&mut self, other: Content) {
        self.words += other.words;
        self.kept += other.kept;
        self.likely += other.likely;
    }
}

/// Siblings of one shape.
#[derive(Default)]
struct Row {
    items: u32,
    headed: u32,
    content: Content,
}

impl Row {
    /// Whether it is other texts than that of the page, which has this content.
    fn is_other(&self, page: Content) -> bool {
        let content = &self.content;
        let rest = Content { kept: page.kept - content.kept, likely: page.likely - content.likely, ..page };
        let is_less_sure = content.likely * rest.kept < TEASERS_RATIO_MAX * rest.likely * content.kept;
        self.is_teasers() && is_less_sure && rest.kept >= LEFT_LENGTH_MIN
    }

    fn is_teasers(&self) -> bool {
        let items = self.items as f32;
        let leads_elsewhere = self.headed as f32 >= HEADED_SHARE_MIN * items;
        self.items >= TEASERS_MIN && leads_elsewhere && self.content.words <= ITEM_LENGTH_MAX * items
    }
}

/// Which elements are other texts, or stand in one.
fn others(outline: &Outline, likely: &[f32], kept: &[bool]) -> Vec<bool> {
    let contents = contents(outline, likely, kept);
    let headed = headed(outline);
    let row_of = |element: &Element| (element.parent, element.shape);
    let elements = || outline.elements.iter().zip(&contents).enumerate().skip(1);
    // Only rows of which something is kept matter, and most have nothing: the others take no memory.
    let has_kept = elements().filter(|(_, (_, content))| content.kept > 0.0);
    let mut rows: FxHashMap<_, Row> = has_kept.map(|(_, (element, _))| (row_of(element), Row::default())).collect();
    for (index, (element, content)) in elements().filter(|(_, (_, content))| content.words > 0.0) {
        let Some(row) = rows.get_mut(&row_of(element)) else { continue };
        row.items += 1;
        row.headed += u32::from(headed[index]);
        row.content.add(*content);
    }
    let page = contents.first().copied().unwrap_or_default();
    rows.retain(|_, row| row.is_other(page));
    outline.with_all_inside(|element| rows.contains_key(&row_of(&outline.elements[element as usize])))
}

/// What stands in each element.
pub(super) fn contents(outline: &Outline, likely: &[f32], kept: &[bool]) -> Vec<Content> {
    let mut contents = vec![Content::default(); outline.elements.len()];
    for ((unit, likely), kept) in outline.units.iter().zip(likely).zip(kept) {
        let words = unit.text.length;
        let kept = if *kept { words } else { 0.0 };
        contents[unit.element as usize].add(Content { words, kept, likely: kept * likely });
    }
    outline.add_up(&mut contents, Content::add);
    contents
}

/// Which elements have a linked heading in them.
fn headed(outline: &Outline) -> Vec<bool> {
    let mut headed = vec![false; outline.elements.len()];
    let is_heading = |text: &UnitText| text.link >= HEADING_LINK_MIN && text.length >= HEADING_LENGTH_MIN;
    for unit in outline.units.iter().filter(|unit| is_heading(&unit.text)) {
        let around = std::iter::successors(Some(unit.element), |&element| Some(outline.parent(element)));
        around.take(HEADING_LEVELS_MAX).for_each(|element| headed[element as usize] = true);
    }
    headed
}

#[cfg(test)]
mod tests {
    use kuai_page::Page;

    use super::super::subject::Subject;
    use super::*;

    const TEXT: &str =
        "<p>The lighthouse stands at the end of the pier, and it has been lit every night since then.</p>";

    /// Whether the text and the items of a row are left, given how likely each is main text.
    fn left(item: &str, text_likely: f32, items_likely: f32) -> (bool, bool) {
        let page = Page::from_html(&format!("<main>{TEXT}</main><ul>{}</ul>", item.repeat(4)));
        let subject = Subject::of(&Default::default());
        let outline = Outline::read(&page, &subject);
        let likely: Vec<f32> =
            (0..outline.units.len()).map(|index| if index == 0 { text_likely } else { items_likely }).collect();
        let mut kept = vec![true; likely.len()];
        drop_others(&outline, &likely, &mut kept);
        (kept[0], kept[1..].iter().all(|kept| *kept))
    }

    const TEASER: &str =
        "<li><h3><a href=/1>The keeper who left</a></h3><p>He took the lamp with him, and nobody saw it again.</p>";

    #[test]
    fn a_row_that_leads_elsewhere_goes_where_the_model_is_less_sure_of_it() {
        assert_eq!(left(TEASER, 0.9, 0.6), (true, false));
    }

    #[test]
    fn a_list_that_is_the_text_stays() {
        assert_eq!(left(TEASER, 0.9, 0.85), (true, true));
        assert_eq!(left(&TEASER.replace("<a href=/1>", "<b>"), 0.9, 0.6), (true, true));
    }

    #[test]
    fn a_whole_paragraph_that_is_a_link_goes() {
        let linked = "<li><a href=/1>He took the lamp with him when he left, and nobody in the whole town ever saw it again.</a>";
        assert_eq!(left(linked, 0.5, 0.9), (true, false));
    }

    #[test]
    fn a_page_without_other_text_keeps_its_rows() {
        let page = Page::from_html(&format!("<ul>{}</ul>", TEASER.repeat(4)));
        let subject = Subject::of(&Default::default());
        let outline = Outline::read(&page, &subject);
        let mut kept = vec![true; outline.units.len()];
        drop_others(&outline, &vec![0.5; kept.len()], &mut kept);
        assert!(kept.iter().all(|kept| *kept));
        drop_others(&Outline::default(), &[], &mut []);
    }
}
