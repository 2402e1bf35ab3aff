//! The JSON of `kuai features`.

use kuai_segment::{FeatureElement, FeatureUnit, Features};
use serde::Serialize;

use crate::input::Source;

/// A page as the model sees it.
#[derive(Serialize)]
pub(crate) struct FeaturesJson<'a> {
    path: &'a str,
    page_columns: &'a [&'static str],
    unit_columns: &'a [&'static str],
    page: &'a [f32],
    elements: Vec<ElementJson<'a>>,
    units: Vec<UnitJson<'a>>,
}

#[derive(Serialize)]
struct ElementJson<'a> {
    parent: u32,
    tag: &'static str,
    shape: u32,
    names: &'a [u32],
}

#[derive(Serialize)]
struct UnitJson<'a> {
    element: u32,
    span: [u32; 2],
    text: &'a str,
    names: &'a [u32],
    words: &'a [u32],
    length: f32,
    ruled_out: bool,
    row: &'a [f32],
}

impl<'a> FeaturesJson<'a> {
    pub(crate) fn new(source: &'a Source, features: &'a Features) -> FeaturesJson<'a> {
        let element = |element: &'a FeatureElement| ElementJson {
            parent: element.parent,
            tag: element.tag,
            shape: element.shape,
            names: &element.names,
        };
        let unit = |unit: &'a FeatureUnit| UnitJson {
            element: unit.element,
            span: [unit.span.start, unit.span.end],
            text: &unit.text,
            names: &unit.names,
            words: &unit.words,
            length: unit.length,
            ruled_out: unit.ruled_out,
            row: &unit.row,
        };
        FeaturesJson {
            path: &source.place,
            page_columns: &features.page_columns,
            unit_columns: &features.unit_columns,
            page: &features.page,
            elements: features.elements.iter().map(element).collect(),
            units: features.units.iter().map(unit).collect(),
        }
    }
}
