//! Everything that the model can know of a page, for training and for looking at.

use kuai_page::{Page, Span};

use super::columns::{self, Columns};
use super::head::Head;
use super::outline::{Element, Outline, Unit};
use super::ruled_out::rule_out;
use super::subject::Subject;

/// Everything that the model can know of a page.
#[derive(Clone, Debug, Default)]
pub struct Features {
    /// The names of the columns of units.
    pub unit_columns: Vec<&'static str>,
    /// The names of the columns of the page.
    pub page_columns: Vec<&'static str>,
    /// The columns of the page.
    pub page: Vec<f32>,
    /// The block-level elements: parents stand before their children.
    pub elements: Vec<FeatureElement>,
    /// The units of text.
    pub units: Vec<FeatureUnit>,
}

/// A block-level element.
#[derive(Clone, Debug)]
pub struct FeatureElement {
    /// The element around it; the first has itself.
    pub parent: u32,
    /// Its tag.
    pub tag: &'static str,
    /// Its tag and classes, hashed.
    pub shape: u32,
    /// Its names, hashed.
    pub names: Vec<u32>,
}

/// A unit of text.
#[derive(Clone, Debug)]
pub struct FeatureUnit {
    /// The element it stands in.
    pub element: u32,
    /// Its place in the source.
    pub span: Span,
    /// Its text.
    pub text: String,
    /// The names of the inline elements in it, hashed.
    pub names: Vec<u32>,
    /// Its first words, hashed.
    pub words: Vec<u32>,
    /// Its length in words.
    pub length: f32,
    /// Whether rules say that it is no main text, whatever the model says.
    pub ruled_out: bool,
    /// Its columns.
    pub row: Vec<f32>,
}

/// The features of a page.
pub fn features(page: &Page) -> Features {
    let head = Head::read(page);
    let subject = Subject::of(&head);
    let outline = Outline::read(page, &subject);
    let columns = Columns::read(page, &outline, &head, &subject);
    let element = |element: &Element| FeatureElement {
        parent: element.parent,
        tag: element.tag.name(),
        shape: element.shape,
        names: outline.names_of(element.names).to_vec(),
    };
    let row_of = |index: usize| {
        let mut row = Vec::new();
        columns.write_unit(&outline, index, &mut row);
        row
    };
    let mut may_be_main = vec![true; outline.units.len()];
    rule_out(&outline, columns.title(), &mut may_be_main);
    let unit = |(index, unit): (usize, &Unit)| FeatureUnit {
        element: unit.element,
        span: unit.span,
        text: outline.text_of(unit).to_owned(),
        names: outline.names_of(unit.names).to_vec(),
        words: outline.words_of(unit).to_vec(),
        length: unit.text.length,
        ruled_out: !may_be_main[index],
        row: row_of(index),
    };
    Features {
        unit_columns: columns::unit_columns(),
        page_columns: columns::page_columns(),
        elements: outline.elements.iter().map(element).collect(),
        units: outline.units.iter().enumerate().map(unit).collect(),
        page: columns.page.clone(),
    }
}
