//! Columns of a unit's own text.

use kuai_page::Tag;

use super::super::outline::{Outline, Unit};
use super::super::subject::Subject;
use super::copies::Copies;
use super::{columns, log};

columns!(NAMES, write(unit: &Unit, tag: Tag, title_recall: f32, copies: u8) {
    "length" => log(unit.text.length),
    "link" => unit.text.link,
    "tag" => tag_class(tag),
    "title_recall" => title_recall,
    "copies" => copies,
});

/// How much a unit shares with the title and the description.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Overlap {
    pub(super) title_recall: f32,
    pub(super) title_precision: f32,
    pub(super) description_recall: f32,
}

impl Overlap {
    pub(super) fn of(unit: &Unit, subject: &Subject) -> Overlap {
        let text = &unit.text;
        Overlap {
            title_recall: subject.title.share(text.title_words),
            title_precision: f32::from(text.title_words) / text.words.max(1) as f32,
            description_recall: subject.description.share(text.description_words),
        }
    }
}

pub(super) fn write_unit(outline: &Outline, subject: &Subject, copies: &Copies, index: usize, row: &mut Vec<f32>) {
    let unit = &outline.units[index];
    write(unit, outline.tag_of(unit), Overlap::of(unit, subject).title_recall, copies.all[index], row);
}

fn tag_class(tag: Tag) -> u8 {
    use Tag::*;
    match tag {
        P => 1,
        Div => 2,
        Li => 3,
        Td | Th => 4,
        H1 => 5,
        H2 => 6,
        H3 => 7,
        H4 | H5 | H6 => 8,
        Pre => 9,
        Blockquote => 10,
        Figcaption | Caption => 11,
        Dt => 12,
        Dd => 13,
        Button => 14,
        Label => 15,
        Section | Article => 16,
        Body => 17,
        Summary => 18,
        Unknown => 19,
        Noscript => 20,
        _ => 0,
    }
}
