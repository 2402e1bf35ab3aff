//! Values of longhands: which reader each property has.

use cssparser::Parser;

use super::background::background_image;
use super::clip::{clip, clip_path};
use super::color::color;
use super::flex::{flex_direction, flex_wrap};
use super::font::{font_family, font_size, font_weight, line_height};
use super::grid::{grid_columns, grid_span};
use super::keyword::{display, keyword_value, list_style_type};
use super::length::{length, length_or_auto, number_or_percentage};
use super::lists::Lists;
use super::sides::{border_style, border_width};
use super::{Parsed, lower, push};
use crate::style::property::{Declaration, Property, Value};
use crate::style::value::ListStyle;

pub(super) fn longhand(
    property: Property,
    input: &mut Parser<'_>,
    lists: &mut Lists,
    out: &mut Vec<Declaration>,
) -> Parsed<()> {
    let value = longhand_value(property, input, lists)?;
    push(out, property, value);
    Ok(())
}

fn longhand_value(property: Property, input: &mut Parser<'_>, lists: &mut Lists) -> Parsed<Value> {
    match property {
        Property::Top
        | Property::Right
        | Property::Bottom
        | Property::Left
        | Property::Width
        | Property::Height
        | Property::MinWidth
        | Property::MaxWidth
        | Property::MinHeight
        | Property::MaxHeight
        | Property::MarginTop
        | Property::MarginRight
        | Property::MarginBottom
        | Property::MarginLeft
        | Property::FlexBasis
        | Property::LetterSpacing
        | Property::RowGap
        | Property::ColumnGap => length_or_auto(input),
        Property::PaddingTop
        | Property::PaddingRight
        | Property::PaddingBottom
        | Property::PaddingLeft
        | Property::TextIndent => length(input),
        Property::BorderSpacing => {
            let spacing = length(input)?;
            let _ = input.try_parse(length);
            Ok(spacing)
        }
        Property::BorderTopWidth
        | Property::BorderRightWidth
        | Property::BorderBottomWidth
        | Property::BorderLeftWidth => border_width(input),
        Property::BorderTopStyle
        | Property::BorderRightStyle
        | Property::BorderBottomStyle
        | Property::BorderLeftStyle => border_style(input),
        Property::BackgroundColor | Property::Color => color(input),
        Property::FontFamily => font_family(input, lists),
        Property::FontSize => font_size(input),
        Property::LineHeight => line_height(input),
        Property::Opacity => number_or_percentage(input),
        Property::FlexGrow | Property::FlexShrink => Ok(Value::Number(input.expect_number()?)),
        Property::FontWeight => font_weight(input),
        Property::Clip => clip(input),
        Property::ClipPath => clip_path(input),
        Property::BackgroundImage => background_image(input),
        Property::GridTemplateColumns => Ok(Value::Grid(grid_columns(input, lists)?)),
        Property::GridColumn => grid_span(input),
        Property::FlexDirection => flex_direction(input),
        Property::FlexWrap => flex_wrap(input),
        Property::ListStyleType => Ok(Value::ListStyle(match input.try_parse(|input| input.expect_string_cloned()) {
            Ok(_) => ListStyle::Bullet,
            Err(_) => list_style_type(input)?,
        })),
        Property::Display => display(input),
        Property::Overflow => {
            let value = keyword_value(property, &lower(input)?)?;
            let _ = input.try_parse(|input| input.expect_ident_cloned());
            Ok(value)
        }
        _ => keyword_value(property, &lower(input)?),
    }
}
