//! Tables of data and lists are main text whole: a cell or an item that says "Daily" is as likely a menu's as a text's, and without it the table is
//! wrong. But in lists links by themselves do something rather than tell something; in forums posts stand in tables, with buttons beside them; and lists
//! of what is for sale have as much of one as of the other.

use kuai_page::Tag;
use rustc_hash::FxHashMap;

use super::kinds::LINK_SHARE_MIN;
use super::model::Judgement;
use super::others::drop_unless_little_is_left;
use super::outline::{NOWHERE, Outline, Unit};

/// Units that a whole has at least.
const UNITS_MIN: u32 = 3;
/// Words of a unit of a table of data on average, and of the longest, at most: what holds more is laid out in a table, not told by it.
const MEAN_LENGTH_MAX: f32 = 15.0;
const LENGTH_MAX: f32 = 100.0;
/// The share of its words from which a list is kept whole, and a table: with less of it a table goes, as rows without their names say nothing.
const LIST_KEPT_SHARE_MIN: f32 = 0.5;
const TABLE_KEPT_SHARE_MIN: f32 = 0.2;

/// A table or list, without the tables and lists inside it.
#[derive(Default)]
struct Whole {
    is_table: bool,
    /// Whether another table stands in it.
    is_layout: bool,
    units: u32,
    length: f32,
    longest: f32,
    kept: f32,
    linked: f32,
}

impl Whole {
    fn add(&mut self, unit: &Unit, is_kept: bool) {
        self.units += 1;
        self.length += unit.text.length;
        self.longest = self.longest.max(unit.text.length);
        self.kept += if is_kept { unit.text.length } else { 0.0 };
        self.linked += unit.text.length * unit.text.link;
    }

    /// Whether links tell something there: names in a table are, if the table is no list of links.
    fn tells_by_links(&self) -> bool {
        self.is_table && self.linked < LINK_SHARE_MIN * self.length
    }

    /// Whether it is kept whole or goes; `None` where each unit is judged by itself.
    fn is_main(&self, judgement: &Judgement) -> Option<bool> {
        let is_kept = |share: f32| self.kept >= share * self.length;
        match self.is_table {
            _ if self.units < UNITS_MIN => None,
            true => (self.is_data() && !judgement.is_forum()).then(|| is_kept(TABLE_KEPT_SHARE_MIN)),
            false => (judgement.is_read() && is_kept(LIST_KEPT_SHARE_MIN)).then_some(true),
        }
    }

    fn is_data(&self) -> bool {
        !self.is_layout && self.longest <= LENGTH_MAX && self.length <= MEAN_LENGTH_MAX * self.units as f32
    }
}

/// Keeps tables of data whole or not at all, and all of the lists that are kept for the most part.
pub(super) fn keep_whole(outline: &Outline, judgement: &Judgement, kept: &mut [bool]) {
    let (whole_of, mut wholes) = wholes(outline);
    for (unit, &is_kept) in outline.units.iter().zip(&*kept) {
        if let Some(whole) = wholes.get_mut(&whole_of[unit.element as usize]) {
            whole.add(unit, is_kept);
        }
    }
    let whole_around = |unit: &Unit, is_main: bool| {
        wholes.get(&whole_of[unit.element as usize]).filter(|whole| whole.is_main(judgement) == Some(is_main))
    };
    for (unit, kept) in outline.units.iter().zip(&mut *kept) {
        let whole = whole_around(unit, true);
        *kept |= whole.is_some_and(|whole| whole.tells_by_links() || unit.text.link < LINK_SHARE_MIN);
    }
    drop_unless_little_is_left(outline, kept, |index| whole_around(&outline.units[index], false).is_some());
}

/// The innermost table or list around each element, itself counted, and all of them.
fn wholes(outline: &Outline) -> (Vec<u32>, FxHashMap<u32, Whole>) {
    let mut whole_of = vec![NOWHERE; outline.elements.len()];
    let mut wholes: FxHashMap<u32, Whole> = FxHashMap::default();
    for (index, element) in outline.elements.iter().enumerate() {
        let around = whole_of[element.parent as usize];
        whole_of[index] = around;
        let is_table = element.tag == Tag::Table;
        if is_table && let Some(around) = wholes.get_mut(&around) {
            around.is_layout = true;
        }
        if is_table || matches!(element.tag, Tag::Ul | Tag::Ol) {
            whole_of[index] = index as u32;
            wholes.insert(index as u32, Whole { is_table, ..Whole::default() });
        }
    }
    (whole_of, wholes)
}

#[cfg(test)]
mod tests {
    use kuai_page::Page;

    use super::super::subject::Subject;
    use super::*;

    const ARTICLE: usize = 0;
    const FORUM: usize = 3;
    const PRODUCT: usize = 5;

    const TABLE: &str = "<p>What to take.<table><tr><th>Drug<th>How often<tr><td>Semaglutide by injection<td>Weekly<tr><td>Orlistat in capsules<td>Daily</table>";
    const LIST: &str =
        "<p>What to take.<ul><li>Semaglutide by injection<li>Weekly<li>Orlistat in capsules<li>Daily</ul>";

    /// How many units of a page of some type are kept, given whether each was before.
    fn kept_of(html: &str, page_type: usize, is_kept: impl Fn(usize) -> bool) -> usize {
        let page = Page::from_html(html);
        let outline = Outline::read(&page, &Subject::of(&Default::default()));
        let mut kept: Vec<bool> = (0..outline.units.len()).map(is_kept).collect();
        let likely = vec![0.5; kept.len()];
        let types = (0..7).map(|index| if index == page_type { 1.0 } else { 0.0 }).collect();
        keep_whole(&outline, &Judgement { types, likely, is_chinese: false }, &mut kept);
        kept.iter().filter(|kept| **kept).count()
    }

    #[test]
    fn a_table_that_is_kept_for_the_most_part_is_kept_whole() {
        let is_long = |unit: usize| [0, 1, 3, 5].contains(&unit);
        assert_eq!(kept_of(TABLE, PRODUCT, is_long), 7);
        assert_eq!(kept_of(TABLE, PRODUCT, |unit| unit < 2), 2);
        let text = format!("<p>What to take and when to take it is told below.{TABLE}");
        assert_eq!(kept_of(&text, PRODUCT, |unit| unit < 3), 2, "the rest of the table goes where enough is left");
        let linked = TABLE.replace("Weekly", "<a href=/weekly>Weekly</a>");
        assert_eq!(kept_of(&linked, PRODUCT, is_long), 7);
    }

    #[test]
    fn a_table_that_posts_or_other_tables_stand_in_is_not() {
        let is_long = |unit: usize| [0, 1, 3, 5].contains(&unit);
        assert_eq!(kept_of(TABLE, FORUM, is_long), 4);
        let around = TABLE.replace(
            "<table>",
            "<table><tr><td>Read this first, all of it, and slowly please<td>Print<td>Share<td>Mail<tr><td><table>",
        );
        assert_eq!(kept_of(&around, PRODUCT, |unit| unit < 2), 2);
        let long = TABLE.replace("Orlistat", &"and then ".repeat(60));
        assert_eq!(kept_of(&long, PRODUCT, is_long), 4);
    }

    #[test]
    fn a_list_is_kept_whole_on_pages_that_are_there_to_be_read() {
        let is_long = |unit: usize| [0, 1, 3].contains(&unit);
        assert_eq!(kept_of(LIST, ARTICLE, is_long), 5);
        assert_eq!(kept_of(LIST, PRODUCT, is_long), 3);
        assert_eq!(kept_of(LIST, ARTICLE, |unit| unit == 0), 1);
        let linked = LIST.replace("Weekly", "<a href=/weekly>Buy</a>");
        assert_eq!(kept_of(&linked, ARTICLE, is_long), 4);
    }
}
