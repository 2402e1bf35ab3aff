//! Posts of a thread are main text together: people wrote them, so one is short and another says thanks, and the model is less sure of it. A
//! thread without some of its posts is wrong. (Forums of `wcxb` .836 to .838, all other figures the same.)

use rustc_hash::FxHashMap;

use super::kinds::LINK_SHARE_MIN;
use super::outline::{Outline, Unit};

/// Units that stand in elements of the same shapes, at least, to be taken for posts.
const UNITS_MIN: u32 = 3;
/// The share of their words that must be kept: .5 does nearly the same.
const KEPT_SHARE_MIN: f32 = 0.6;
/// Words of a unit and how likely it is main text, at least: shorter ones are dates and buttons as often.
const LENGTH_MIN: f32 = 3.0;
pub(super) const LIKELY_MIN: f32 = 0.1;

/// Units of the same shapes.
#[derive(Default)]
struct Alike {
    units: u32,
    length: f32,
    kept: f32,
}

/// Keeps what stands in elements like those of the posts that are kept and is at least so likely: [`LIKELY_MIN`], or more or less for who asks for that.
pub(super) fn keep_posts(outline: &Outline, likely: &[f32], likely_min: f32, kept: &mut [bool]) {
    let mut all: FxHashMap<[u32; 3], Alike> = FxHashMap::default();
    for (unit, &is_kept) in outline.units.iter().zip(&*kept) {
        let alike = all.entry(shapes(outline, unit)).or_default();
        alike.units += 1;
        alike.length += unit.text.length;
        alike.kept += if is_kept { unit.text.length } else { 0.0 };
    }
    all.retain(|_, alike| alike.units >= UNITS_MIN && alike.kept >= KEPT_SHARE_MIN * alike.length);
    for (index, unit) in outline.units.iter().enumerate() {
        let may_be = likely[index] >= likely_min && unit.text.length >= LENGTH_MIN && unit.text.link < LINK_SHARE_MIN;
        kept[index] |= may_be && all.contains_key(&shapes(outline, unit));
    }
}

/// Of the element that a unit stands in and of the two around it.
fn shapes(outline: &Outline, unit: &Unit) -> [u32; 3] {
    let around = outline.parent(unit.element);
    [unit.element, around, outline.parent(around)].map(|element| outline.elements[element as usize].shape)
}

#[cfg(test)]
mod tests {
    use kuai_page::Page;

    use super::super::subject::Subject;
    use super::*;

    /// Which of four posts is kept where the first two are, and the last unit of the page is said to be as likely.
    fn kept_of(last: &str, likely: f32) -> [bool; 4] {
        let post = "<div class=post><p>The lamp was lit every night, and nobody asked who paid for the oil.</div>";
        let page = Page::from_html(&format!("{post}{post}<div class=menu>Mark all as read</div>{last}"));
        let outline = Outline::read(&page, &Subject::of(&Default::default()));
        let mut kept = vec![true, true, false, false];
        keep_posts(&outline, &[0.9, 0.8, 0.3, likely], LIKELY_MIN, &mut kept);
        [kept[0], kept[1], kept[2], kept[3]]
    }

    #[test]
    fn a_short_post_is_kept_with_the_others() {
        assert_eq!(kept_of("<div class=post><p>Thanks, that was it.</div>", 0.15), [true, true, false, true]);
    }

    #[test]
    fn what_the_model_is_sure_is_none_and_links_and_single_words_are_not() {
        assert!(!kept_of("<div class=post><p>Thanks, that was it.</div>", 0.05)[3]);
        assert!(!kept_of("<div class=post><p><a href=/1>Report this post</a></div>", 0.15)[3]);
        assert!(!kept_of("<div class=post><p>Edited</div>", 0.15)[3]);
    }

    #[test]
    fn what_stands_elsewhere_is_not() {
        assert!(!kept_of("<div class=signature><p>Thanks, that was it.</div>", 0.15)[3]);
    }
}
