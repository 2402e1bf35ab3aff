//! Sections under a heading that sends the reader elsewhere: "Similar items", "You may also like". Their items are as well written as the text, so the
//! model keeps some. Pages that are there to list things head their own parts so, and keep them.

use kuai_page::Tag;

use super::asides::points_elsewhere;
use super::model::Judgement;
use super::others::drop_unless_little_is_left;
use super::outline::{Outline, Unit};

/// Characters of such a heading, at most.
const HEADING_CHARACTERS_MAX: u32 = 60;
/// How likely what is kept of such a section is main text, at most: .6 to .8 are as good on the labelled pages.
const UNSURE_MAX: f32 = 0.7;

/// Takes sections that lead elsewhere out of main text.
pub(super) fn drop_sections(outline: &Outline, judgement: &Judgement, kept: &mut [bool]) {
    if judgement.is_list() {
        return;
    }
    let units = &outline.units;
    let mut index = 0;
    while index < units.len() {
        let start = index;
        index += 1;
        let Some(rank) = rank_of(outline, &units[start]).filter(|_| heads_elsewhere(outline, &units[start])) else {
            continue;
        };
        let is_inside = |unit: &&Unit| rank_of(outline, unit).is_none_or(|below| below > rank);
        index += units[index..].iter().take_while(is_inside).count();
        if is_unsure(&units[start..index], &judgement.likely[start..index], &kept[start..index]) {
            drop_unless_little_is_left(outline, kept, |unit| (start..index).contains(&unit));
        }
    }
}

fn rank_of(outline: &Outline, unit: &Unit) -> Option<u8> {
    [Tag::H1, Tag::H2, Tag::H3, Tag::H4, Tag::H5, Tag::H6]
        .iter()
        .position(|&tag| tag == outline.tag_of(unit))
        .map(|rank| rank as u8)
}

fn heads_elsewhere(outline: &Outline, unit: &Unit) -> bool {
    unit.text.characters <= HEADING_CHARACTERS_MAX && points_elsewhere(outline.text_of(unit).trim())
}

fn is_unsure(units: &[Unit], likely: &[f32], kept: &[bool]) -> bool {
    let kept = || units.iter().zip(likely).zip(kept).filter(|(_, kept)| **kept).map(|(judged, _)| judged);
    let words: f32 = kept().map(|(unit, _)| unit.text.length).sum();
    let expected: f32 = kept().map(|(unit, likely)| unit.text.length * likely).sum();
    words > 0.0 && expected < UNSURE_MAX * words
}

#[cfg(test)]
mod tests {
    use kuai_page::Page;

    use super::super::subject::Subject;
    use super::*;

    /// Which of the text, the section's heading, its item and the text behind it are left, given how likely the item is main text and the page a listing.
    fn left(heading: &str, item_likely: f32, listing: f32) -> [bool; 4] {
        let page = Page::from_html(&format!(
            "<h1>A lamp</h1><p>It stands at the end of the pier and has been lit every night since then.<h2>{heading}</h2>
             <div><h3>Another lamp, of brass</h3></div><h2>Size</h2><p>As tall as a man, and as wide as his outstretched arms."
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
    fn it_stays_where_the_model_is_sure_of_it_or_the_page_lists_things() {
        assert_eq!(left("Similar items", 0.9, 0.0), [true; 4]);
        assert_eq!(left("Similar items", 0.4, 0.8), [true; 4]);
    }
}
