//! Fonts: sizes, weights, families and the class of typefaces they fall into.

use cssparser::{ParseError, Parser, Token};

use super::length::length;
use super::lists::Lists;
use super::{Parsed, lower, push};
use crate::style::property::{Declaration, Property, Sum, Value};
use crate::style::value::Typeface;

pub(super) fn font(input: &mut Parser<'_>, lists: &mut Lists, out: &mut Vec<Declaration>) -> Parsed<()> {
    let (mut weight, mut italic) = (Value::Number(400.0), false);
    let size = loop {
        if let Ok(size) = input.try_parse(font_size) {
            // A bare number before the size is a weight: `font: 700 12px Arial`.
            match size {
                Value::Length(Sum { px, .. }) if at_weight(px, input) => weight = Value::Number(px),
                size => break size,
            }
            continue;
        }
        match lower(input)?.as_str() {
            "italic" | "oblique" => italic = true,
            "bold" => weight = Value::Number(700.0),
            "bolder" => weight = Value::Step(1),
            "lighter" => weight = Value::Step(-1),
            "normal" | "small-caps" | "condensed" | "expanded" => {}
            // System fonts.
            "caption" | "icon" | "menu" | "message-box" | "small-caption" | "status-bar" => {
                push(out, Property::FontSize, Value::Length(Sum::px(13.333)));
                push(out, Property::FontFamily, Value::Family(lists.family("sans-serif"), Typeface::Sans));
                return Ok(());
            }
            _ => return Err(ParseError::unexpected_token()),
        }
    };
    let line_height = match input.try_parse(|input| input.expect_delim('/')) {
        Ok(()) => line_height(input)?,
        Err(_) => Value::Auto,
    };
    let family = font_family(input, lists)?;
    push(out, Property::FontSize, size);
    push(out, Property::LineHeight, line_height);
    push(out, Property::FontFamily, family);
    push(out, Property::FontWeight, weight);
    push(out, Property::FontStyle, Value::Flag(italic));
    Ok(())
}

/// Whether a number just read is a weight: it is a multiple of a hundred and a size or keyword follows.
fn at_weight(number: f32, input: &mut Parser<'_>) -> bool {
    let state = input.state();
    let next_is_size = matches!(input.next(), Ok(Token::Dimension { .. } | Token::Percentage { .. }));
    input.reset(&state);
    next_is_size && number >= 100.0 && number % 100.0 == 0.0
}

pub(super) fn font_size(input: &mut Parser<'_>) -> Parsed<Value> {
    let keyword = input.try_parse(|input| {
        let px = match lower(input)?.as_str() {
            "xx-small" => 9.0,
            "x-small" => 10.0,
            "small" => 13.0,
            "medium" => 16.0,
            "large" => 18.0,
            "x-large" => 24.0,
            "xx-large" => 32.0,
            "xxx-large" => 48.0,
            "larger" => return Ok(Value::Step(1)),
            "smaller" => return Ok(Value::Step(-1)),
            _ => return Err(ParseError::unexpected_token()),
        };
        Ok(Value::Length(Sum::px(px)))
    });
    keyword.or_else(|_: ParseError<()>| length(input))
}

pub(super) fn line_height(input: &mut Parser<'_>) -> Parsed<Value> {
    if input.try_parse(|input| input.expect_ident_matching("normal")).is_ok() {
        return Ok(Value::Auto);
    }
    if let Ok(factor) = input.try_parse(|input| input.expect_number()) {
        return Ok(Value::Number(factor));
    }
    length(input)
}

pub(super) fn font_family(input: &mut Parser<'_>, lists: &mut Lists) -> Parsed<Value> {
    let names = input.parse_comma_separated(one_family)?;
    let first = names.first().map_or("", String::as_str);
    Ok(Value::Family(lists.family(first), typeface(&names)))
}

fn one_family(input: &mut Parser<'_>) -> Parsed<String> {
    if let Ok(name) = input.try_parse(|input| input.expect_string_cloned()) {
        return Ok(name.to_string());
    }
    let mut name = input.expect_ident()?.to_string();
    while let Ok(more) = input.try_parse(|input| input.expect_ident_cloned()) {
        name.push(' ');
        name.push_str(&more);
    }
    Ok(name)
}

/// The class of the first family that every machine has under this name or as a metric twin.
///
/// Decision: Verdana, Georgia and other families that may be missing are passed over for the ones named
/// behind them, so that boxes do not depend on the machine; alone they count as their nearest core family.
fn typeface(names: &[String]) -> Typeface {
    let lower: Vec<String> = names.iter().map(|name| name.to_ascii_lowercase()).collect();
    let core = lower.iter().find_map(|name| core_typeface(name));
    core.or_else(|| lower.iter().find_map(|name| like_core(name))).unwrap_or_default()
}

fn core_typeface(name: &str) -> Option<Typeface> {
    match name {
        "times" | "times new roman" | "serif" => Some(Typeface::Serif),
        "arial" | "helvetica" | "sans-serif" | "system-ui" | "ui-sans-serif" => Some(Typeface::Sans),
        "courier" | "courier new" | "monospace" | "ui-monospace" => Some(Typeface::Mono),
        _ => None,
    }
}

fn like_core(name: &str) -> Option<Typeface> {
    match name {
        "verdana"
        | "tahoma"
        | "trebuchet ms"
        | "lucida grande"
        | "lucida sans"
        | "lucida sans unicode"
        | "geneva"
        | "helvetica neue"
        | "segoe ui"
        | "roboto"
        | "open sans"
        | "calibri"
        | "microsoft yahei" => Some(Typeface::Sans),
        "consolas" | "menlo" | "monaco" => Some(Typeface::Mono),
        _ => None,
    }
}

pub(super) fn font_weight(input: &mut Parser<'_>) -> Parsed<Value> {
    match input.next()?.clone() {
        Token::Number { value, .. } => Ok(Value::Number(value.clamp(1.0, 1000.0))),
        Token::Ident(name) => match name.to_ascii_lowercase().as_str() {
            "normal" => Ok(Value::Number(400.0)),
            "bold" => Ok(Value::Number(700.0)),
            "bolder" => Ok(Value::Step(1)),
            "lighter" => Ok(Value::Step(-1)),
            _ => Err(ParseError::unexpected_token()),
        },
        _ => Err(ParseError::unexpected_token()),
    }
}
