//! Sections under a line that sends the reader elsewhere: "Similar items", "You may also like". Their items are as well written as the text, so the
//! model keeps some. Pages that are there to list things head their own parts so, and keep them.

use super::asides::points_elsewhere;
use super::model::Judgement;
use super::others::LEFT_LENGTH_MIN;
use super::outline::{Outline, Unit};

/// Characters of such a line, at most.
const HEADING_CHARACTERS_MAX: u32 = 60;
/// How likely what is kept of such a section is main text, at most: .7 to .9 are nearly as good on the labelled pages.
const UNSURE_MAX: f32 = 0.8;

/// Takes sections that lead elsewhere out of main text.
pub(super) fn drop_sections(outline: &Outline, judgement: &Judgement, kept: &mut [bool]) {
    if judgement.is_list() {
        return;
    }
    let units = &outline.units;
    let kept_end = kept.iter().rposition(|kept| *kept).map_or(0, |last| last + 1);
    let mut left = outline.kept_length(0, kept);
    let mut start = 0;
    while start < kept_end {
        let mut end = start + 1;
        if heads_elsewhere(outline, &units[start]) {
            end = end_of_section(outline, start).max(end_of_headed(outline, start));
            let section = &mut kept[start..end];
            let (words, expected) = kept_words(&units[start..end], &judgement.likely[start..end], section);
            if expected < UNSURE_MAX * words && left - words >= LEFT_LENGTH_MIN {
                section.fill(false);
                left -= words;
            }
        }
        start = end;
    }
}

/// The unit before which the section of a heading ends; of other lines only they themselves.
fn end_of_section(outline: &Outline, start: usize) -> usize {
    let units = &outline.units;
    let Some(rank) = outline.rank_of(&units[start]) else { return start + 1 };
    let is_inside = |unit: &&Unit| outline.rank_of(unit).is_none_or(|below| below > rank);
    start + 1 + units[start + 1..].iter().take_while(is_inside).count()
}

/// The unit before which the largest element ends that begins with this one.
fn end_of_headed(outline: &Outline, start: usize) -> usize {
    let units = &outline.units;
    let Some(before) = start.checked_sub(1).map(|before| units[before].element) else { return start + 1 };
    let Some(headed) = outline.below_meeting(units[start].element, before) else { return start + 1 };
    let depth = outline.elements[headed as usize].depth;
    let is_below = |index: &u32| outline.elements[*index as usize].depth > depth;
    let last = (headed + 1..outline.elements.len() as u32).take_while(is_below).last().unwrap_or(headed);
    start + 1 + units[start + 1..].iter().take_while(|unit| (headed..=last).contains(&unit.element)).count()
}

fn heads_elsewhere(outline: &Outline, unit: &Unit) -> bool {
    unit.text.characters <= HEADING_CHARACTERS_MAX && points_elsewhere(outline.text_of(unit).trim())
}

/// The words that are kept, and how many of them can be expected to be main text.
fn kept_words(units: &[Unit], likely: &[f32], kept: &[bool]) -> (f32, f32) {
    let judged = units.iter().zip(likely).zip(kept).filter(|(_, kept)| **kept).map(|(judged, _)| judged);
    judged.fold((0.0, 0.0), |(words, expected), (unit, likely)| {
        (words + unit.text.length, expected + unit.text.length * likely)
    })
}

#[cfg(test)]
mod tests {
    use kuai_page::Page;

    use super::super::subject::Subject;
    use super::*;

    /// Which of the text, the section's heading, its item and the text behind it are left, given how likely the item is main text and the page a listing.
    fn left(heading: &str, item_likely: f32, listing: f32) -> [bool; 4] {
        left_of(&format!("<h2>{heading}</h2><div><h3>Another lamp, of brass</h3></div>"), item_likely, listing)
    }

    fn left_of(section: &str, item_likely: f32, listing: f32) -> [bool; 4] {
        let page = Page::from_html(&format!(
            "<h1>A lamp</h1><p>It stands at the end of the pier and has been lit every night since then.{section}
             <h2>Size</h2><p>As tall as a man, and as wide as his outstretched arms."
        ));
        let outline = Outline::read(&page, &Subject::of(&Default::default()));
        let likely: Vec<f32> = (0..outline.units.len()).map(|unit| if unit == 3 { item_likely } else { 0.6 }).collect();
        let mut kept = vec![true; likely.len()];
        let types = vec![0.0, 0.0, 0.0, 0.0, listing, 1.0 - listing, 0.0];
        drop_sections(&outline, &Judgement { types, likely, is_chinese: false }, &mut kept);
        [kept[1], kept[2], kept[3], kept[5]]
    }

    #[test]
    fn a_section_that_is_headed_as_similar_goes_up_to_the_next_heading() {
        assert_eq!(left("Similar items", 0.4, 0.0), [true, false, false, true]);
        assert_eq!(left("You may also like", 0.4, 0.0), [true, false, false, true]);
        assert_eq!(left("What it is made of", 0.4, 0.0), [true; 4]);
        assert_eq!(left("Related work", 0.4, 0.0), [true; 4]);
    }

    #[test]
    fn a_line_that_is_no_heading_sends_away_with_all_that_stands_in_the_element_it_begins() {
        let item = "<div><h3>Another lamp, of brass</h3></div>";
        let headed = format!("<section><div><b>Similar items</b></div>{item}</section>");
        assert_eq!(left_of(&headed, 0.4, 0.0), [true, false, false, true]);
        assert_eq!(left_of(&format!("<p>Similar items</p>{item}"), 0.4, 0.0), [true, false, true, true]);
        assert_eq!(left_of(&headed.replace("Similar items", "你可能还想看"), 0.4, 0.0), [true, false, false, true]);
    }

    #[test]
    fn headings_inside_the_element_do_not_end_it() {
        let section = "<section><h3>Similar items</h3><div><h2>Another lamp, of brass</h2></div></section>";
        assert_eq!(left_of(section, 0.4, 0.0), [true, false, false, true]);
    }

    #[test]
    fn it_stays_where_the_model_is_sure_of_it_or_the_page_lists_things() {
        assert_eq!(left("Similar items", 0.9, 0.0), [true; 4]);
        assert_eq!(left("Similar items", 0.4, 0.8), [true; 4]);
    }
}
