//! What is alike is main text together where a page is a thread or lists things. People wrote the posts of a thread, so one is short and another says
//! thanks, and the model is less sure of it; of a list of offers it keeps some brands and some prices. Either is wrong without the rest. (Forums of
//! `wcxb` .836 to .838; its collections +.005 and listings +.004, means of three seeds; all other figures the same.)

use rustc_hash::FxHashMap;

use super::kinds::LINK_SHARE_MIN;
use super::model::Judgement;
use super::outline::{Outline, Unit};

/// Units that stand in elements of the same shapes, at least.
const UNITS_MIN: u32 = 3;
/// How likely each must be main text, at least.
pub(super) const LIKELY_MIN: f32 = 0.1;

/// What is taken for alike, and which of it is kept.
pub(super) struct Rule {
    /// The share of their words that must be kept.
    kept_share_min: f32,
    /// Words of a unit at least.
    length_min: f32,
    /// The share of it that may be linked.
    link_max: f32,
}

/// Posts: .5 of their words does nearly the same; shorter units and links are dates and buttons as often.
const POSTS: Rule = Rule { kept_share_min: 0.6, length_min: 3.0, link_max: LINK_SHARE_MIN };
/// Items of lists, and each of their parts: .2 of their words does nearly the same. What they are called is mostly a link, a price one word.
const ITEMS: Rule = Rule { kept_share_min: 0.3, length_min: 0.0, link_max: f32::INFINITY };

/// What is kept together on a page, if anything.
pub(super) fn rule_for(judgement: &Judgement) -> Option<Rule> {
    if judgement.is_forum() { Some(POSTS) } else { judgement.is_surely_list().then_some(ITEMS) }
}

/// Units of the same shapes.
#[derive(Default)]
struct Alike {
    units: u32,
    length: f32,
    kept: f32,
}

/// Keeps what stands in elements like those of what is kept and is at least so likely: [`LIKELY_MIN`], or more or less for who asks for that.
pub(super) fn keep_alike(outline: &Outline, likely: &[f32], likely_min: f32, rule: &Rule, kept: &mut [bool]) {
    let mut all: FxHashMap<[u32; 3], Alike> = FxHashMap::default();
    for (unit, &is_kept) in outline.units.iter().zip(&*kept) {
        let alike = all.entry(shapes(outline, unit)).or_default();
        alike.units += 1;
        alike.length += unit.text.length;
        alike.kept += if is_kept { unit.text.length } else { 0.0 };
    }
    all.retain(|_, alike| alike.units >= UNITS_MIN && alike.kept >= rule.kept_share_min * alike.length);
    for (index, unit) in outline.units.iter().enumerate() {
        let text = &unit.text;
        let may_be = likely[index] >= likely_min && text.length >= rule.length_min && text.link < rule.link_max;
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
        keep_alike(&outline, &[0.9, 0.8, 0.3, likely], LIKELY_MIN, &POSTS, &mut kept);
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

    /// How many of three offers' names and prices are kept where one of the names is, and the last price is said to be as likely.
    fn offers_kept(likely: f32, rule: &Rule) -> usize {
        let offer = |name| format!("<li class=offer><h3><a href=/{name}>Lamp of {name}</a></h3><p>12</p></li>");
        let page = Page::from_html(&format!("<ul>{}</ul>", ["brass", "tin", "glass"].map(offer).concat()));
        let outline = Outline::read(&page, &Subject::of(&Default::default()));
        let mut kept = vec![true, true, false, false, false, false];
        keep_alike(&outline, &[0.5, 0.5, 0.3, 0.3, 0.3, likely], LIKELY_MIN, rule, &mut kept);
        kept.into_iter().filter(|kept| *kept).count()
    }

    #[test]
    fn of_a_list_of_offers_each_has_its_name_and_its_price() {
        assert_eq!(offers_kept(0.2, &ITEMS), 6);
        assert_eq!(offers_kept(0.05, &ITEMS), 5);
        assert_eq!(offers_kept(0.2, &POSTS), 2);
    }
}
