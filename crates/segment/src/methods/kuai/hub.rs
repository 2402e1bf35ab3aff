//! Pages that are there for their links. Decision: pages labelled so are too few to learn from, and the model finds nothing in them;
//! SPCOLA has a rule for them.

use kuai_page::{BlockTree, Label, Page};

use super::super::{Method, spcola};
use super::model::Judgement;
use super::outline::Outline;
use crate::places::Places;

/// Words in links for each other word from which a page leads to others, and words that are then too few to be what it is there for.
const LINK_RATIO_MIN: f32 = 3.0;
const MAIN_MAX: f32 = 12.0;
/// How likely a unit of a Chinese page must be to count among those words: the model has seen no list of links in Chinese, and of such pages it
/// keeps now this line and now that.
const CHINESE_LIKELY_MIN: f32 = 0.5;
/// Words and share of links from which a unit tells where it leads, and how many such units are worth a page: with fewer there is
/// nothing to be had from it.
const TELLING_LENGTH_MIN: f32 = 6.0;
const TELLING_LINK_MIN: f32 = 0.5;
const TELLING_MIN: usize = 30;

/// The blocks of a page that is there for its links, where SPCOLA finds any that are its main text.
pub(super) fn blocks(page: &Page, outline: &Outline, judgement: &Judgement, kept: &[bool]) -> Option<BlockTree> {
    static SPCOLA: &Method = &spcola::METHOD;
    if judgement.is_article() || !is_hub(outline, judgement, kept) {
        return None;
    }
    let tree = SPCOLA.cutter(&SPCOLA.defaults()).cut(page);
    (main_length(outline, &tree) > MAIN_MAX).then_some(tree)
}

fn is_hub(outline: &Outline, judgement: &Judgement, kept: &[bool]) -> bool {
    let likely_min = if judgement.is_chinese { CHINESE_LIKELY_MIN } else { 0.0 };
    let (mut linked, mut whole, mut main, mut telling) = (0.0, 0.0, 0.0, 0);
    for ((unit, &kept), &likely) in outline.units.iter().zip(kept).zip(&judgement.likely) {
        let text = &unit.text;
        linked += text.length * text.link;
        whole += text.length;
        main += if kept && likely >= likely_min { text.length } else { 0.0 };
        telling += usize::from(text.link >= TELLING_LINK_MIN && text.length >= TELLING_LENGTH_MIN);
    }
    linked >= LINK_RATIO_MIN * (whole - linked) && main <= MAIN_MAX && telling >= TELLING_MIN
}

fn main_length(outline: &Outline, tree: &BlockTree) -> f32 {
    let places = Places::of(tree);
    let is_main = |place: u32| places.at(place).is_some_and(|block| tree.blocks()[block].label == Some(Label::Main));
    outline.units.iter().filter(|unit| is_main(unit.span.start)).map(|unit| unit.text.length).sum()
}
