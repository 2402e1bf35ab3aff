//! Flex containers and items, and the gaps that grids share with them.

use cssparser::{ParseError, Parser};

use super::length::length_or_auto;
use super::{Parsed, at_end, lower, push};
use crate::style::property::{Declaration, Property, Sum, Value};
use crate::style::value::FlexDirection;

pub(super) fn flex(input: &mut Parser<'_>, out: &mut Vec<Declaration>) -> Parsed<()> {
    let keyword = input.try_parse(|input| match lower(input)?.as_str() {
        "none" => Ok((0.0, 0.0)),
        "auto" => Ok((1.0, 1.0)),
        _ => Err(ParseError::<()>::unexpected_token()),
    });
    let (mut grow, mut shrink, mut basis) = (None, 1.0, Value::Length(Sum::px(0.0)));
    if let Ok((growing, shrinking)) = keyword {
        (grow, shrink, basis) = (Some(growing), shrinking, Value::Auto);
    }
    while !at_end(input) {
        if let Ok(number) = input.try_parse(|input| input.expect_number()) {
            match grow {
                None => grow = Some(number),
                Some(_) => shrink = number,
            }
        } else {
            basis = length_or_auto(input)?;
        }
    }
    push(out, Property::FlexGrow, Value::Number(grow.unwrap_or(1.0)));
    push(out, Property::FlexShrink, Value::Number(shrink));
    push(out, Property::FlexBasis, basis);
    Ok(())
}

pub(super) fn flex_flow(input: &mut Parser<'_>, out: &mut Vec<Declaration>) -> Parsed<()> {
    while !at_end(input) {
        if let Ok(direction) = input.try_parse(flex_direction) {
            push(out, Property::FlexDirection, direction);
        } else {
            push(out, Property::FlexWrap, flex_wrap(input)?);
        }
    }
    Ok(())
}

pub(super) fn flex_direction(input: &mut Parser<'_>) -> Parsed<Value> {
    let direction = match lower(input)?.as_str() {
        "row" => FlexDirection::Row,
        "row-reverse" => FlexDirection::RowReverse,
        "column" => FlexDirection::Column,
        "column-reverse" => FlexDirection::ColumnReverse,
        _ => return Err(ParseError::unexpected_token()),
    };
    Ok(Value::FlexDirection(direction))
}

pub(super) fn flex_wrap(input: &mut Parser<'_>) -> Parsed<Value> {
    match lower(input)?.as_str() {
        "wrap" | "wrap-reverse" => Ok(Value::Flag(true)),
        "nowrap" => Ok(Value::Flag(false)),
        _ => Err(ParseError::unexpected_token()),
    }
}

pub(super) fn gap(input: &mut Parser<'_>, out: &mut Vec<Declaration>) -> Parsed<()> {
    let row = length_or_auto(input)?;
    let column = input.try_parse(length_or_auto).unwrap_or_else(|_| row.clone());
    push(out, Property::RowGap, row);
    push(out, Property::ColumnGap, column);
    Ok(())
}
