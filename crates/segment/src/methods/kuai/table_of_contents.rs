//! Tables of contents: links that say what headings further down say. They are a way through the text and none of it. (Documentation of `wcxb`
//! +.0009, all else the same.)

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use super::kinds::LINK_SHARE_MIN;
use super::leads::folded;
use super::others::drop_unless_little_is_left;
use super::outline::{Outline, Unit};

/// Entries at least, and the share of all units from the first to the last.
const ENTRIES_MIN: usize = 3;
const ENTRIES_SHARE_MIN: f32 = 0.6;
/// Words of the heading of a table at most.
const HEADING_LENGTH_MAX: f32 = 4.0;
/// Units between two entries at most: their numbers stand apart from them.
const GAP_MAX: usize = 1;

/// Takes tables of contents out of main text, unless there would be no other.
pub(super) fn drop_tables_of_contents(outline: &Outline, kept: &mut [bool]) {
    let units = &outline.units;
    if !units.iter().zip(&*kept).any(|(unit, kept)| *kept && is_linked(outline, unit)) {
        return;
    }
    let headings = headings(outline);
    if headings.len() < ENTRIES_MIN {
        return;
    }
    let is_below = |index: usize, said: u64| headings.get(&said).is_some_and(|&heading| heading > index);
    let is_entry = |unit: &Unit, index| {
        is_linked(outline, unit) && saying(outline, unit).is_some_and(|said| is_below(index, said))
    };
    let entries: Vec<usize> = (0..units.len()).filter(|&index| is_entry(&units[index], index)).collect();
    let mut is_dropped = vec![false; units.len()];
    for table in entries.chunk_by(|before, entry| entry - before <= GAP_MAX + 1) {
        let (first, last) = (table[0], table[table.len() - 1]);
        if table.len() < ENTRIES_MIN || (table.len() as f32) < ENTRIES_SHARE_MIN * (last - first + 1) as f32 {
            continue;
        }
        for index in first..=last {
            is_dropped[index] = is_linked(outline, &units[index]);
        }
        if let Some(before) = first.checked_sub(1) {
            is_dropped[before] |= heads_table(outline, &units[before]);
        }
    }
    drop_unless_little_is_left(outline, kept, |index| is_dropped[index]);
}

fn is_linked(outline: &Outline, unit: &Unit) -> bool {
    unit.text.link >= LINK_SHARE_MIN && outline.rank_of(unit).is_none()
}

/// Whether a unit right before a table of contents can be its heading: not what heads the page.
fn heads_table(outline: &Outline, unit: &Unit) -> bool {
    outline.rank_of(unit).is_some_and(|rank| rank > 0) && unit.text.length <= HEADING_LENGTH_MAX
}

/// What headings say, and where the last of them stands that says so.
fn headings(outline: &Outline) -> FxHashMap<u64, usize> {
    let headings = outline.units.iter().enumerate().filter(|(_, unit)| outline.rank_of(unit).is_some());
    headings.filter_map(|(index, unit)| Some((saying(outline, unit)?, index))).collect()
}

/// The letters and digits of a unit, hashed, without the number that it begins with; none where nothing else is there.
fn saying(outline: &Outline, unit: &Unit) -> Option<u64> {
    let is_number = |letter: char| letter.is_numeric() || letter == '.' || letter.is_whitespace();
    let mut hasher = FxHasher::default();
    let mut words = 0;
    for word in outline.text_of(unit).trim_start_matches(is_number).split(|letter: char| !letter.is_alphanumeric()) {
        if !word.is_empty() {
            word.chars().map(folded).for_each(|letter| letter.hash(&mut hasher));
            ' '.hash(&mut hasher);
            words += 1;
        }
    }
    (words > 0).then(|| hasher.finish())
}

#[cfg(test)]
mod tests {
    use kuai_page::Page;

    use super::super::subject::Subject;
    use super::*;

    /// What is left of a page of these entries and of parts on lamps and keepers, of which all was kept.
    fn left_of(entries: &[&str]) -> Vec<String> {
        let items: String = entries.iter().map(|entry| format!("<li><a href=#x>{entry}</a>")).collect();
        let parts = ["The lamp", "The keepers", "The oil"].map(|heading| {
            format!("<h2>{heading}</h2><p>It stands at the end of the pier and has been lit every night since then.")
        });
        let page = Page::from_html(&format!("<ul>{items}</ul>{}", parts.concat()));
        let outline = Outline::read(&page, &Subject::of(&Default::default()));
        let mut kept = vec![true; outline.units.len()];
        drop_tables_of_contents(&outline, &mut kept);
        let left = outline.units.iter().zip(kept).filter(|(_, kept)| *kept);
        left.take(3).map(|(unit, _)| outline.text_of(unit).to_owned()).collect()
    }

    #[test]
    fn links_that_say_what_headings_below_say_are_no_text() {
        let text = "It stands at the end of the pier and has been lit every night since then.";
        assert_eq!(left_of(&["The lamp", "The keepers", "The oil"]), ["The lamp", text, "The keepers"]);
        assert_eq!(left_of(&["1. The lamp", "1.1 The KEEPERS", "Prices", "2 The oil"])[..2], ["The lamp", text]);
    }

    #[test]
    fn its_heading_goes_with_it() {
        let parts = ["The lamp", "The keepers", "The oil"];
        let items: String = parts.iter().map(|part| format!("<li><a href=#x>{part}</a>")).collect();
        let text = |part| format!("<h2>{part}</h2><p>It has been lit every night since then.");
        let texts = parts.map(text).concat();
        for (heading, count) in [("<h2>On this page</h2>", 6), ("<h1>Corrow</h1>", 7), ("<p>A light at sea</p>", 7)] {
            let page = Page::from_html(&format!("{heading}<ul>{items}</ul>{texts}"));
            let outline = Outline::read(&page, &Subject::of(&Default::default()));
            let mut kept = vec![true; outline.units.len()];
            drop_tables_of_contents(&outline, &mut kept);
            assert_eq!(kept.iter().filter(|kept| **kept).count(), count, "{heading}");
        }
    }

    #[test]
    fn other_links_are_left_to_the_model() {
        assert_eq!(left_of(&["The lamp", "The keepers", "Prices"])[..2], ["The lamp", "The keepers"]);
        assert_eq!(left_of(&["Lamps", "Keepers", "Oils"])[..2], ["Lamps", "Keepers"]);
    }
}
