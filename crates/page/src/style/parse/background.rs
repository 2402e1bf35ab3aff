//! Backgrounds: the colour, and whether there is a picture.

use cssparser::{ParseError, Parser, Token};

use super::color::color;
use super::{Parsed, at_end, push, rest};
use crate::style::property::{Declaration, Property, Value};
use crate::style::value::Color;

pub(super) fn background(input: &mut Parser<'_>, out: &mut Vec<Declaration>) -> Parsed<()> {
    let (mut image, mut background) = (false, Value::Color(Color::TRANSPARENT));
    while !at_end(input) {
        if let Ok(value) = input.try_parse(color) {
            background = value;
            continue;
        }
        match input.next()?.clone() {
            Token::UnquotedUrl(_) => image = true,
            Token::Function(name) => {
                if name.eq_ignore_ascii_case("var") {
                    return Err(ParseError::unexpected_token());
                }
                image |= name.eq_ignore_ascii_case("url") || name.ends_with("gradient") || name.contains("image");
                let skipped: Parsed<()> = input.parse_nested_block(|input| {
                    rest(input);
                    Ok(())
                });
                skipped?;
            }
            _ => {}
        }
    }
    push(out, Property::BackgroundColor, background);
    push(out, Property::BackgroundImage, Value::Flag(image));
    Ok(())
}

pub(super) fn background_image(input: &mut Parser<'_>) -> Parsed<Value> {
    if input.try_parse(|input| input.expect_ident_matching("none")).is_ok() {
        return Ok(Value::Flag(false));
    }
    while !at_end(input) {
        if let Token::Function(name) = input.next()?.clone() {
            if name.eq_ignore_ascii_case("var") {
                return Err(ParseError::unexpected_token());
            }
            let skipped: Parsed<()> = input.parse_nested_block(|input| {
                rest(input);
                Ok(())
            });
            skipped?;
        }
    }
    Ok(Value::Flag(true))
}
