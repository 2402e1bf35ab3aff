//! Tables of data are main text whole: a cell that says "Daily" is as likely a menu's as a text's, and without it the table is wrong. In forums, posts
//! stand in tables too, with buttons in the cells beside them; and links in a cell by themselves do something rather than tell something.

use kuai_page::Tag;
use rustc_hash::FxHashMap;

use super::kinds::LINK_SHARE_MIN;
use super::model::Judgement;
use super::outline::{NOWHERE, Outline};

/// Units that a table of data has at least, the words of one on average and of the longest at most: what holds more is laid out in a table, not told by it.
const UNITS_MIN: u32 = 4;
const MEAN_LENGTH_MAX: f32 = 15.0;
const LENGTH_MAX: f32 = 100.0;
/// The share of its words that must be kept.
const KEPT_SHARE_MIN: f32 = 0.5;

/// What stands in a table, other tables aside.
#[derive(Default)]
struct Grid {
    units: u32,
    length: f32,
    longest: f32,
    kept: f32,
    /// Whether it holds another table.
    is_layout: bool,
}

impl Grid {
    fn is_main(&self) -> bool {
        let is_data = self.units >= UNITS_MIN
            && self.length <= MEAN_LENGTH_MAX * self.units as f32
            && self.longest <= LENGTH_MAX
            && !self.is_layout;
        is_data && self.kept >= KEPT_SHARE_MIN * self.length
    }
}

/// Keeps all of the tables of data that are kept for the most part.
pub(super) fn keep_whole(outline: &Outline, judgement: &Judgement, kept: &mut [bool]) {
    if judgement.is_forum() || outline.elements.iter().all(|element| element.tag != Tag::Table) {
        return;
    }
    let (table_of, mut grids) = tables(outline);
    for (unit, &kept) in outline.units.iter().zip(&*kept) {
        if let Some(grid) = grids.get_mut(&table_of[unit.element as usize]) {
            grid.units += 1;
            grid.length += unit.text.length;
            grid.longest = grid.longest.max(unit.text.length);
            grid.kept += if kept { unit.text.length } else { 0.0 };
        }
    }
    for (unit, kept) in outline.units.iter().zip(kept) {
        let is_missing = !*kept && unit.text.link < LINK_SHARE_MIN;
        *kept |= is_missing && grids.get(&table_of[unit.element as usize]).is_some_and(Grid::is_main);
    }
}

/// The innermost table around each element, itself counted, and all tables.
fn tables(outline: &Outline) -> (Vec<u32>, FxHashMap<u32, Grid>) {
    let mut table_of = vec![NOWHERE; outline.elements.len()];
    let mut grids: FxHashMap<u32, Grid> = FxHashMap::default();
    for (index, element) in outline.elements.iter().enumerate() {
        let around = table_of[element.parent as usize];
        table_of[index] = around;
        if element.tag == Tag::Table {
            table_of[index] = index as u32;
            grids.insert(index as u32, Grid::default());
            if let Some(grid) = grids.get_mut(&around) {
                grid.is_layout = true;
            }
        }
    }
    (table_of, grids)
}

#[cfg(test)]
mod tests {
    use kuai_page::Page;

    use super::super::subject::Subject;
    use super::*;

    /// How many units of a page are kept, given whether each was before.
    fn kept_of(html: &str, forum: f32, before: impl Fn(usize) -> bool) -> usize {
        let page = Page::from_html(html);
        let outline = Outline::read(&page, &Subject::of(&Default::default()));
        let mut kept: Vec<bool> = (0..outline.units.len()).map(before).collect();
        let likely = vec![0.5; kept.len()];
        let types = vec![0.0, 0.0, 0.0, forum, 0.0, 1.0 - forum, 0.0];
        keep_whole(&outline, &Judgement { types, likely, is_chinese: false }, &mut kept);
        kept.iter().filter(|kept| **kept).count()
    }

    const DOSES: &str = "<p>What to take.<table><tr><th>Drug<th>How often<tr><td>Semaglutide by injection<td>Weekly<tr><td>Orlistat in capsules<td>Daily</table>";

    #[test]
    fn a_table_that_is_kept_for_the_most_part_is_kept_whole() {
        let is_long = |unit: usize| [0, 1, 3, 5].contains(&unit);
        assert_eq!(kept_of(DOSES, 0.0, is_long), 7);
        assert_eq!(kept_of(DOSES, 0.0, |unit| unit < 2), 2);
        let linked = DOSES.replace("Weekly", "<a href=/weekly>Buy</a>");
        assert_eq!(kept_of(&linked, 0.0, is_long), 6);
    }

    #[test]
    fn a_table_that_posts_or_other_tables_stand_in_is_not() {
        let is_long = |unit: usize| [0, 1, 3, 5].contains(&unit);
        assert_eq!(kept_of(DOSES, 0.9, is_long), 4);
        let around = DOSES.replace(
            "<table>",
            "<table><tr><td>Read this first, all of it, and slowly please<td>Print<td>Share<td>Mail<tr><td><table>",
        );
        assert_eq!(kept_of(&around, 0.0, |unit| unit < 2), 2);
        let long = DOSES.replace("Orlistat", &"and then ".repeat(60));
        assert_eq!(kept_of(&long, 0.0, is_long), 4);
    }
}
