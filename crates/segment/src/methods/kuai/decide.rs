//! Which units are main text, given how likely each is.

use rustc_hash::FxHashMap;

use super::alike;
use super::columns::LENGTH_MIN;
use super::model::Judgement;
use super::outline::{Outline, Unit};

/// Bounds of the likelihood from which a unit is kept. Chosen on folds of the training pages, where a fixed bound of one half loses
/// a point and a half of F1.
const BOUND: (f32, f32) = (0.2, 0.5);
/// How likely the likeliest unit must be for a page to have any main text: of labelled pages on which none is, most are shells that scripts
/// would fill, and what they show is menus.
const LIKELIEST_MIN: f32 = 0.25;
/// Words from which a text that stands on the page twice is kept once.
const REPEATED_WORDS_MIN: u32 = 6;
/// How much likelier the later of two equal texts must be to be the one that is kept.
const LATER_MARGIN: f32 = 0.05;

/// Whether each unit is kept: those above the bound that makes the expected F1 greatest. A leaning below 0 asks for more, above 0 for less.
pub(super) fn decide(outline: &Outline, judgement: &Judgement, best: f32, leaning: f32) -> Vec<bool> {
    let likely = &judgement.likely;
    // Where each unit is main text or not by itself, that bound is half the F1.
    let bound = if judgement.is_article() { joint_bound(outline, likely) } else { best / 2.0 };
    let bound = bound.clamp(BOUND.0, BOUND.1);
    let lean =
        |bound: f32| if leaning < 0.0 { bound - leaning * (1.0 - bound) / 2.0 } else { bound * (1.0 - leaning / 2.0) };
    let has_main = likely.iter().any(|&likely| likely >= lean(LIKELIEST_MIN));
    let bound = lean(bound);
    let mut kept: Vec<bool> = likely.iter().map(|&likely| has_main && likely >= bound).collect();
    if let Some(rule) = alike::rule_for(judgement) {
        alike::keep_alike(outline, likely, lean(alike::LIKELY_MIN), &rule, &mut kept);
    }
    if !judgement.is_documentation() {
        drop_repeats(outline, likely, &mut kept);
    }
    kept
}

/// The best F1 that keeping the likeliest units can be expected to have.
pub(super) fn best_expected(outline: &Outline, likely: &[f32]) -> f32 {
    let length = |index: usize| outline.units[index].text.length.max(LENGTH_MIN);
    let total: f32 = (0..likely.len()).map(|index| likely[index] * length(index)).sum();
    let mut order: Vec<usize> = (0..likely.len()).collect();
    order.sort_by(|&one, &other| likely[other].total_cmp(&likely[one]));
    let (mut best, mut hit, mut taken) = (0.0_f32, 0.0, 0.0);
    for index in order {
        hit += likely[index] * length(index);
        taken += length(index);
        best = best.max(2.0 * hit / (taken + total));
    }
    best
}

/// Likelihoods that are told apart where units are main text together.
const STEPS: usize = 40;

/// The bound that makes the expected F1 greatest where units are main text together: all those whose likelihood is above a number that nobody
/// knows. Thirty teasers of .4 are then all main text or, likelier, none of them; each by itself, they would promise twelve.
fn joint_bound(outline: &Outline, likely: &[f32]) -> f32 {
    let step_of = |index: usize| (index as f32 + 0.5) / STEPS as f32;
    // Words of the units that are as likely as each step.
    let mut words = [0.0_f32; STEPS];
    for (unit, likely) in outline.units.iter().zip(likely) {
        let steps = ((likely * STEPS as f32 + 0.5) as usize).min(STEPS);
        if let Some(last) = steps.checked_sub(1) {
            words[last] += unit.text.length.max(LENGTH_MIN);
        }
    }
    for index in (0..STEPS - 1).rev() {
        words[index] += words[index + 1];
    }
    let f1 = |kept: usize, main: usize| 2.0 * words[kept.max(main)] / (words[kept] + words[main]);
    let mut best = (BOUND.0, 0.0);
    for kept in (0..STEPS).filter(|&kept| words[kept] > 0.0 && (BOUND.0..=BOUND.1).contains(&step_of(kept))) {
        let sum = (0..STEPS).map(|main| f1(kept, main)).sum::<f32>();
        if sum > best.1 {
            best = (step_of(kept), sum);
        }
    }
    best.0
}

/// Of equal texts the likeliest is kept, except in code and tables, and where they stand side by side: those are refrains.
fn drop_repeats(outline: &Outline, likely: &[f32], kept: &mut [bool]) {
    let mut first: FxHashMap<&str, usize> = FxHashMap::default();
    for (index, unit) in outline.units.iter().enumerate() {
        let words = unit.text.words;
        if !kept[index] || words < REPEATED_WORDS_MIN || outline.is_in_code_or_cell(unit) {
            continue;
        }
        // The same paragraph may stand there indented by a wide space and not.
        let text = outline.text_of(unit).trim();
        let before = *first.entry(text).or_insert(index);
        if before == index || stand_together(outline, unit, &outline.units[before]) {
            continue;
        }
        if likely[index] > likely[before] + LATER_MARGIN {
            kept[before] = false;
            first.insert(text, index);
        } else {
            kept[index] = false;
        }
    }
}

/// Whether two units stand in the same element, or in elements side by side.
fn stand_together(outline: &Outline, one: &Unit, other: &Unit) -> bool {
    one.element == other.element || outline.parent(one.element) == outline.parent(other.element)
}

#[cfg(test)]
mod tests {
    use kuai_page::Page;

    use super::super::subject::Subject;
    use super::*;

    /// What is kept of a page of eleven paragraphs and thirty teasers that is an article this surely.
    fn kept_of(article: f32, text: f32, teasers: f32, leaning: f32) -> (bool, bool) {
        let paragraph = "<p>Thirty words of a text that somebody wrote about something, over and over again, with a comma here and there, ";
        let items: String =
            (0..30).map(|number| format!("<li>Teaser {number} says a little of something else")).collect();
        let page = Page::from_html(&(paragraph.repeat(11) + "<ul>" + &items + "</ul>"));
        let subject = Subject::of(&Default::default());
        let outline = Outline::read(&page, &subject);
        let likely: Vec<f32> = (0..outline.units.len()).map(|index| if index < 11 { text } else { teasers }).collect();
        let best = best_expected(&outline, &likely);
        let kept = decide(
            &outline,
            &Judgement { types: vec![article, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], likely, is_chinese: false },
            best,
            leaning,
        );
        (kept[0], kept[20])
    }

    #[test]
    fn what_is_likely_alike_is_kept_or_not_together_where_a_page_is_an_article() {
        assert_eq!(kept_of(0.1, 0.9, 0.4, 0.0), (true, true));
        assert_eq!(kept_of(0.9, 0.9, 0.4, 0.0), (true, false));
    }

    #[test]
    fn who_asks_for_surer_text_gets_surer_posts() {
        let post = |day| format!("<div><p>On day {day} the lamp was lit, and nobody asked who paid for the oil.</div>");
        let page = Page::from_html(&(1..5).map(post).collect::<String>());
        let outline = Outline::read(&page, &Subject::of(&Default::default()));
        let kept_of = |leaning: f32| {
            let judgement =
                Judgement { types: vec![0.0, 0.0, 0.0, 1.0], likely: vec![0.9, 0.9, 0.9, 0.15], is_chinese: false };
            decide(&outline, &judgement, 0.9, leaning)[3]
        };
        assert!(kept_of(0.0) && !kept_of(-1.0));
    }

    #[test]
    fn a_page_of_which_nothing_is_likely_has_no_main_text_unless_more_is_asked_for() {
        assert_eq!(kept_of(0.1, 0.22, 0.1, 0.0), (false, false));
        assert_eq!(kept_of(0.1, 0.3, 0.1, 0.0), (true, false));
        assert_eq!(kept_of(0.1, 0.22, 0.1, 1.0), (true, true));
    }
}
