//! Lengths: numbers with units, per cents, and the arithmetic of `calc()` and its kin.

use cssparser::{ParseError, Parser, Token};

use super::{Parsed, Word, lower};
use crate::style::property::{Sum, Value};

pub(super) fn length(input: &mut Parser<'_>) -> Parsed<Value> {
    Ok(Value::Length(sum(input, 0)?))
}

pub(super) fn length_or_auto(input: &mut Parser<'_>) -> Parsed<Value> {
    let auto = input.try_parse(|input| match lower(input)?.as_str() {
        "auto" | "none" | "normal" | "max-content" | "min-content" | "fit-content" | "content" => Ok(Value::Auto),
        _ => Err(ParseError::unexpected_token()),
    });
    auto.or_else(|_: ParseError<()>| length(input))
}

/// One length, per cent or arithmetic of them. `depth` bounds nested `calc()`.
pub(super) fn sum(input: &mut Parser<'_>, depth: u8) -> Parsed<Sum> {
    match input.next()?.clone() {
        Token::Number { value, .. } => Ok(Sum::px(value)),
        Token::Percentage { unit_value, .. } => Ok(Sum { percent: unit_value * 100.0, ..Sum::default() }),
        Token::Dimension { value, unit, .. } => unit_sum(value, &unit).ok_or_else(ParseError::unexpected_token),
        Token::Function(name) if depth < 8 => {
            let name = Word::new(&name);
            input.parse_nested_block(|input| arithmetic(&name, input, depth + 1))
        }
        Token::ParenthesisBlock if depth < 8 => input.parse_nested_block(|input| calculate(input, depth + 1)),
        _ => Err(ParseError::unexpected_token()),
    }
}

fn unit_sum(value: f32, unit: &str) -> Option<Sum> {
    let px = |factor: f32| Some(Sum::px(value * factor));
    match Word::new(unit).as_str() {
        "px" => px(1.0),
        "em" => Some(Sum { em: value, ..Sum::default() }),
        "rem" => Some(Sum { rem: value, ..Sum::default() }),
        "ex" | "ch" => Some(Sum { em: value * 0.5, ..Sum::default() }),
        "pt" => px(96.0 / 72.0),
        "pc" => px(16.0),
        "in" => px(96.0),
        "cm" => px(96.0 / 2.54),
        "mm" => px(96.0 / 25.4),
        "vw" | "svw" | "lvw" | "dvw" | "vi" => px(WINDOW_WIDTH_PX / 100.0),
        "vh" | "svh" | "lvh" | "dvh" | "vb" => px(WINDOW_HEIGHT_PX / 100.0),
        "vmin" => px(WINDOW_WIDTH_PX.min(WINDOW_HEIGHT_PX) / 100.0),
        "vmax" => px(WINDOW_WIDTH_PX.max(WINDOW_HEIGHT_PX) / 100.0),
        _ => None,
    }
}

/// The window that styles and boxes are computed for.
pub(crate) const WINDOW_WIDTH_PX: f32 = 1280.0;
/// Its height, which few pages ask for.
pub(crate) const WINDOW_HEIGHT_PX: f32 = 1024.0;

fn arithmetic(name: &str, input: &mut Parser<'_>, depth: u8) -> Parsed<Sum> {
    if name == "calc" || name == "-webkit-calc" {
        return calculate(input, depth);
    }
    let arguments = input.parse_comma_separated(|input| calculate(input, depth))?;
    // Decision: lengths are compared as if the containing block were the window.
    let size = |sum: &Sum| sum.px + sum.percent * WINDOW_WIDTH_PX / 100.0 + (sum.em + sum.rem) * 16.0;
    let ordered = |a: &Sum, b: &Sum| size(a).total_cmp(&size(b));
    let chosen = match name {
        "min" => arguments.iter().copied().min_by(ordered),
        "max" => arguments.iter().copied().max_by(ordered),
        "clamp" if arguments.len() == 3 => {
            let capped = [arguments[1], arguments[2]].into_iter().min_by(ordered);
            capped.and_then(|capped| [arguments[0], capped].into_iter().max_by(ordered))
        }
        _ => None,
    };
    chosen.ok_or_else(ParseError::unexpected_token)
}

/// A sum of products; a plain number counts as a factor.
fn calculate(input: &mut Parser<'_>, depth: u8) -> Parsed<Sum> {
    let mut total = product(input, depth)?;
    while !input.is_exhausted() {
        let sign = match input.next()? {
            Token::Delim('+') => 1.0,
            Token::Delim('-') => -1.0,
            Token::Comma => return Err(ParseError::unexpected_token()),
            _ => return Err(ParseError::unexpected_token()),
        };
        total = total.plus(product(input, depth)?, sign);
    }
    Ok(total)
}

fn product(input: &mut Parser<'_>, depth: u8) -> Parsed<Sum> {
    let mut value = sum(input, depth)?;
    loop {
        let state = input.state();
        match input.next() {
            Ok(Token::Delim('*')) => {
                let other = sum(input, depth)?;
                // One side is a plain number, which `sum` reads as pixels.
                let is_plain = |sum: Sum| sum.percent == 0.0 && sum.em == 0.0 && sum.rem == 0.0;
                value = if is_plain(other) { value.times(other.px) } else { other.times(value.px) };
            }
            Ok(Token::Delim('/')) => {
                let divisor = sum(input, depth)?.px;
                value = if divisor == 0.0 { Sum::default() } else { value.times(1.0 / divisor) };
            }
            _ => {
                input.reset(&state);
                return Ok(value);
            }
        }
    }
}

pub(super) fn number_or_percentage(input: &mut Parser<'_>) -> Parsed<Value> {
    match input.next()? {
        Token::Number { value, .. } => Ok(Value::Number(*value)),
        Token::Percentage { unit_value, .. } => Ok(Value::Number(*unit_value)),
        _ => Err(ParseError::unexpected_token()),
    }
}
