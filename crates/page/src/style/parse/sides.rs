//! Shorthands of the box: margins, paddings, insets and borders, side by side.

use cssparser::{ParseError, Parser};

use super::color::color;
use super::length::{length, length_or_auto};
use super::{Parsed, at_end, lower, push};
use crate::style::property::{Declaration, Property, Sum, Value};

pub(super) const MARGIN: [Property; 4] =
    [Property::MarginTop, Property::MarginRight, Property::MarginBottom, Property::MarginLeft];
pub(super) const PADDING: [Property; 4] =
    [Property::PaddingTop, Property::PaddingRight, Property::PaddingBottom, Property::PaddingLeft];
pub(super) const INSET: [Property; 4] = [Property::Top, Property::Right, Property::Bottom, Property::Left];
pub(super) const BORDER_WIDTH: [Property; 4] =
    [Property::BorderTopWidth, Property::BorderRightWidth, Property::BorderBottomWidth, Property::BorderLeftWidth];
pub(super) const BORDER_STYLE: [Property; 4] =
    [Property::BorderTopStyle, Property::BorderRightStyle, Property::BorderBottomStyle, Property::BorderLeftStyle];

pub(super) fn four_sides(
    properties: [Property; 4],
    input: &mut Parser<'_>,
    out: &mut Vec<Declaration>,
    one: impl Fn(&mut Parser<'_>) -> Parsed<Value>,
) -> Parsed<()> {
    let top = one(input)?;
    let right = input.try_parse(&one).unwrap_or_else(|_| top.clone());
    let bottom = input.try_parse(&one).unwrap_or_else(|_| top.clone());
    let left = input.try_parse(&one).unwrap_or_else(|_| right.clone());
    for (property, value) in properties.into_iter().zip([top, right, bottom, left]) {
        push(out, property, value);
    }
    Ok(())
}

pub(super) fn two_sides(properties: [Property; 2], input: &mut Parser<'_>, out: &mut Vec<Declaration>) -> Parsed<()> {
    let start = length_or_auto(input)?;
    let end = input.try_parse(length_or_auto).unwrap_or_else(|_| start.clone());
    push(out, properties[0], start);
    push(out, properties[1], end);
    Ok(())
}

pub(super) fn border_width(input: &mut Parser<'_>) -> Parsed<Value> {
    let keyword = input.try_parse(|input| match lower(input)?.as_str() {
        "thin" => Ok(1.0),
        "medium" => Ok(3.0),
        "thick" => Ok(5.0),
        _ => Err(ParseError::unexpected_token()),
    });
    keyword.map(|px| Value::Length(Sum::px(px))).or_else(|_: ParseError<()>| length(input))
}

pub(super) fn border_style(input: &mut Parser<'_>) -> Parsed<Value> {
    match lower(input)?.as_str() {
        "none" | "hidden" => Ok(Value::Flag(false)),
        "solid" | "dashed" | "dotted" | "double" | "groove" | "ridge" | "inset" | "outset" => Ok(Value::Flag(true)),
        _ => Err(ParseError::unexpected_token()),
    }
}

pub(super) fn border(sides: &[usize], input: &mut Parser<'_>, out: &mut Vec<Declaration>) -> Parsed<()> {
    let (mut width, mut style, mut any) = (None, None, false);
    while !at_end(input) {
        any = true;
        if style.is_none()
            && let Ok(value) = input.try_parse(border_style)
        {
            style = Some(value);
        } else if width.is_none()
            && let Ok(value) = input.try_parse(border_width)
        {
            width = Some(value);
        } else {
            color(input)?;
        }
    }
    if !any {
        return Err(ParseError::unexpected_token());
    }
    let width = width.unwrap_or(Value::Length(Sum::px(3.0)));
    let style = style.unwrap_or(Value::Flag(false));
    for &side in sides {
        push(out, BORDER_WIDTH[side], width.clone());
        push(out, BORDER_STYLE[side], style.clone());
    }
    Ok(())
}
