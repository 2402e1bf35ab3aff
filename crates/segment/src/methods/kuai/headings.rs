//! Headings of what is kept are kept with it: a text whose parts have lost their names is cut. The model is less sure of headings than of
//! paragraphs, since those of menus and teasers look the same. (`wcxb` +.0003, by phrases +.001: 88 pages better, 58 worse.)

use super::outline::Outline;

/// Words of a heading at most, and how likely it is main text at least.
const LENGTH_MAX: f32 = 20.0;
const LIKELY_MIN: f32 = 0.2;
/// Words that must be kept up to the next heading, and the share of all that stands there.
const KEPT_MIN: f32 = 8.0;
const KEPT_SHARE_MIN: f32 = 0.5;
/// Words of the first line below it that is more than a date or a button, which must be kept.
const LINE_LENGTH_MIN: f32 = 5.0;

/// Keeps headings of parts that are kept.
pub(super) fn keep_headings(outline: &Outline, likely: &[f32], kept: &mut [bool]) {
    let units = &outline.units;
    let headings: Vec<usize> = (0..units.len()).filter(|&index| outline.rank_of(&units[index]).is_some()).collect();
    for (place, &heading) in headings.iter().enumerate() {
        if kept[heading] || likely[heading] < LIKELY_MIN || units[heading].text.length > LENGTH_MAX {
            continue;
        }
        let end = headings.get(place + 1).copied().unwrap_or(units.len());
        kept[heading] = is_kept(outline, heading + 1, &kept[heading + 1..end]);
    }
}

/// Whether a part of a page, of which each unit is kept or not, is kept from its beginning on and for the most part.
fn is_kept(outline: &Outline, start: usize, kept: &[bool]) -> bool {
    let units = &outline.units[start..start + kept.len()];
    let length: f32 = units.iter().map(|unit| unit.text.length).sum();
    let kept_length = outline.kept_length(start, kept);
    let first = units.iter().position(|unit| unit.text.length >= LINE_LENGTH_MIN);
    first.is_some_and(|first| kept[first]) && kept_length >= KEPT_MIN && kept_length >= KEPT_SHARE_MIN * length
}

#[cfg(test)]
mod tests {
    use kuai_page::Page;

    use super::super::subject::Subject;
    use super::*;

    const TEXT: &str = "<p>It stands at the end of the pier and has been lit every night since then.</p>";

    /// Whether the heading of the second part is kept that is so likely, where of the rest each unit is kept or not.
    fn is_heading_kept(part: &str, likely: f32, rest: &[bool]) -> bool {
        let page = Page::from_html(&format!("<h2>Where</h2>{TEXT}<h2>How high</h2>{part}<h2>Comments</h2><p>First!"));
        let outline = Outline::read(&page, &Subject::of(&Default::default()));
        let mut kept = vec![true, true, false];
        kept.extend_from_slice(rest);
        let likely: Vec<f32> = (0..kept.len()).map(|unit| if unit == 2 { likely } else { 0.5 }).collect();
        keep_headings(&outline, &likely, &mut kept);
        assert!(!kept[kept.len() - 2], "nothing below that one is kept");
        kept[2]
    }

    #[test]
    fn the_heading_of_a_part_that_is_kept_is_kept() {
        assert!(is_heading_kept(TEXT, 0.3, &[true, false, false]));
        assert!(is_heading_kept(&format!("<p>2024{TEXT}"), 0.3, &[false, true, false, false]));
    }

    #[test]
    fn it_is_not_where_the_part_is_not_or_begins_with_something_else_or_the_model_is_sure() {
        assert!(!is_heading_kept(TEXT, 0.3, &[false, false, false]));
        assert!(!is_heading_kept(&format!("<p>Buy a lamp like this one</p>{TEXT}"), 0.3, &[false, true, false, false]));
        assert!(!is_heading_kept(TEXT, 0.1, &[true, false, false]));
    }
}
