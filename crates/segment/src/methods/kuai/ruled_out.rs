//! What is no main text whatever the model says: the title, notes of copyright, marks of adverts, statements of rights, lists of related links,
//! tables of contents, asides, and what wikis put around a text. Labelled pages have too few of them to learn from.

use kuai_page::Tag;

use super::asides::drop_asides;
use super::kinds::LINK_SHARE_MIN;
use super::outline::{Outline, Unit};
use super::table_of_contents::drop_tables_of_contents;
use super::wiki::drop_parts_of_wikis;
use crate::cues::{Cue, text_cues};

/// Takes out of main text what is none, whatever the model says.
pub(super) fn rule_out(outline: &Outline, title: Option<usize>, kept: &mut [bool]) {
    drop_title(outline, title, kept);
    // Before notes, since the line that heads a statement is one.
    drop_statements(outline, kept);
    drop_notes(outline, kept);
    drop_related(outline, kept);
    drop_tables_of_contents(outline, kept);
    drop_asides(outline, kept);
    drop_parts_of_wikis(outline, kept);
}

/// Decision: the heading that says what the title says is told as the title, not as text, unless it is all the text there is. Of labelled
/// pages 5 % of articles and fewer than half of all others have it in their text.
fn drop_title(outline: &Outline, title: Option<usize>, kept: &mut [bool]) {
    let is_heading = |unit: &Unit| matches!(outline.tag_of(unit), Tag::H1 | Tag::H2 | Tag::H3);
    if let Some(title) = title.filter(|&title| is_heading(&outline.units[title])) {
        kept[title] &= kept.iter().filter(|kept| **kept).count() == 1;
    }
}

/// Characters of a line that is only a note of copyright or the mark of an advert, at most, and the shares of it that say so.
const NOTE_CHARACTERS_MAX: u32 = 160;
const COPYRIGHT_NOTE_SHARE_MIN: f32 = 0.2;
const ADVERT_MARK_SHARE_MIN: f32 = 0.6;

/// Takes notes of copyright and marks of adverts out of main text, however it stands around them.
fn drop_notes(outline: &Outline, kept: &mut [bool]) {
    for (unit, kept) in outline.units.iter().zip(kept).filter(|(_, kept)| **kept) {
        if unit.text.characters > NOTE_CHARACTERS_MAX {
            continue;
        }
        let (says, cue_characters) = text_cues(outline.text_of(unit));
        let share = cue_characters as f32 / unit.text.characters as f32;
        let is_note = says.has(Cue::Copyright) && share >= COPYRIGHT_NOTE_SHARE_MIN;
        let is_mark = says.has(Cue::Advert) && share >= ADVERT_MARK_SHARE_MIN;
        *kept = !(is_note || is_mark);
    }
}

/// Characters of the line that heads a statement of rights, its units, the levels at which they may stand below what holds it, and the share of the
/// page's text that it may be, all at most.
const STATEMENT_HEADING_CHARACTERS_MAX: u32 = 16;
const STATEMENT_UNITS_MAX: usize = 40;
const STATEMENT_LEVELS_MAX: usize = 4;
const STATEMENT_SHARE_MAX: f32 = 0.25;

/// Takes statements of rights out of main text: the line that heads one, and what follows it to the end of the element around that line.
fn drop_statements(outline: &Outline, kept: &mut [bool]) {
    let units = &outline.units;
    let length_of = |units: &[Unit]| units.iter().map(|unit| unit.text.length).sum::<f32>();
    let length_max = STATEMENT_SHARE_MAX * length_of(units);
    let mut index = 0;
    while index < units.len() {
        let mut end = index + 1;
        if kept[index] && heads(Cue::Statement, STATEMENT_HEADING_CHARACTERS_MAX, outline, &units[index]) {
            let holder = outline.parent(units[index].element);
            let is_inside = |unit: &&Unit| is_below(outline, unit.element, holder);
            let count = units[end..].iter().take(STATEMENT_UNITS_MAX).take_while(is_inside).count();
            end += count;
            if count < STATEMENT_UNITS_MAX && length_of(&units[index..end]) <= length_max {
                kept[index..end].fill(false);
            }
        }
        index = end;
    }
}

fn is_below(outline: &Outline, element: u32, holder: u32) -> bool {
    std::iter::successors(Some(element), |&below| Some(outline.parent(below)))
        .take(STATEMENT_LEVELS_MAX)
        .any(|around| around == holder)
}

/// Characters of a line that heads related links, at most, and the links that make a list.
const RELATED_HEADING_CHARACTERS_MAX: u32 = 40;
const RELATED_LIST_MIN: usize = 2;

/// Takes lists of links under a heading that calls them related out of main text: readers want them apart, wherever they stand.
fn drop_related(outline: &Outline, kept: &mut [bool]) {
    let units = &outline.units;
    let mut index = 0;
    while index < units.len() {
        let mut end = index + 1;
        if heads(Cue::Related, RELATED_HEADING_CHARACTERS_MAX, outline, &units[index]) {
            end += units[end..].iter().take_while(|unit| unit.text.link >= LINK_SHARE_MIN).count();
            if end - index > RELATED_LIST_MIN {
                kept[index..end].fill(false);
            }
        }
        index = end;
    }
}

/// The share of a heading that says what it heads, at least.
const HEADING_SHARE_MIN: f32 = 0.3;

/// Whether a unit is a line of at most so many characters that heads what the cue speaks of.
fn heads(cue: Cue, characters_max: u32, outline: &Outline, unit: &Unit) -> bool {
    let is_line = unit.text.link < LINK_SHARE_MIN && unit.text.characters <= characters_max;
    is_line && {
        let (says, cue_characters) = text_cues(outline.text_of(unit));
        says.has(cue) && cue_characters as f32 >= HEADING_SHARE_MIN * unit.text.characters as f32
    }
}
