//! Colours: names, digits, `rgb()` and `hsl()`.

use cssparser::color::{parse_hash_color, parse_named_color};
use cssparser::{ParseError, Parser, Token};

use super::Parsed;
use crate::style::property::Value;
use crate::style::value::Color;

pub(super) fn color(input: &mut Parser<'_>) -> Parsed<Value> {
    match input.next()?.clone() {
        Token::Hash(digits) | Token::IDHash(digits) => {
            let (red, green, blue, alpha) =
                parse_hash_color(digits.as_bytes()).map_err(|()| ParseError::unexpected_token())?;
            Ok(Value::Color(Color { red, green, blue, alpha: unit_byte(alpha) }))
        }
        Token::Ident(name) if name.eq_ignore_ascii_case("transparent") => Ok(Value::Color(Color::TRANSPARENT)),
        Token::Ident(name) if name.eq_ignore_ascii_case("currentcolor") => Ok(Value::CurrentColor),
        Token::Ident(name) => {
            let (red, green, blue) = parse_named_color(&name).map_err(|()| ParseError::unexpected_token())?;
            Ok(Value::Color(Color::opaque(red, green, blue)))
        }
        Token::Function(name) => {
            let name = name.to_ascii_lowercase();
            input.parse_nested_block(|input| color_function(&name, input))
        }
        _ => Err(ParseError::unexpected_token()),
    }
}

fn unit_byte(share: f32) -> u8 {
    (share.clamp(0.0, 1.0) * 255.0).round() as u8
}

/// `rgb()` and `hsl()` with or without commas; other colour spaces count as some opaque grey.
fn color_function(name: &str, input: &mut Parser<'_>) -> Parsed<Value> {
    if name == "var" {
        return Err(ParseError::unexpected_token());
    }
    let is_rgb = name.starts_with("rgb");
    let mut parts: Vec<f32> = Vec::with_capacity(4);
    while let Ok(token) = input.next() {
        match token {
            Token::Number { value, .. } | Token::Dimension { value, .. } => parts.push(*value),
            Token::Percentage { unit_value, .. } if is_rgb && parts.len() < 3 => parts.push(unit_value * 255.0),
            Token::Percentage { unit_value, .. } => parts.push(*unit_value),
            Token::Ident(_) => parts.push(0.0),
            _ => {}
        }
    }
    let alpha = unit_byte(parts.get(3).copied().unwrap_or(1.0));
    let byte = |part: f32| part.clamp(0.0, 255.0).round() as u8;
    match (name, &parts[..]) {
        ("rgb" | "rgba", [red, green, blue, ..]) => {
            Ok(Value::Color(Color { red: byte(*red), green: byte(*green), blue: byte(*blue), alpha }))
        }
        ("hsl" | "hsla", [hue, saturation, lightness, ..]) => {
            Ok(Value::Color(Color { alpha, ..from_hsl(*hue, *saturation, *lightness) }))
        }
        ("hwb" | "lab" | "lch" | "oklab" | "oklch" | "color" | "color-mix", _) => {
            Ok(Value::Color(Color::opaque(128, 128, 128)))
        }
        _ => Err(ParseError::unexpected_token()),
    }
}

fn from_hsl(hue: f32, saturation: f32, lightness: f32) -> Color {
    let spread = saturation.clamp(0.0, 1.0) * lightness.min(1.0 - lightness);
    let channel = |offset: f32| {
        let position = (offset + hue / 30.0).rem_euclid(12.0);
        unit_byte(lightness - spread * (position - 3.0).min(9.0 - position).clamp(-1.0, 1.0))
    };
    Color::opaque(channel(0.0), channel(8.0), channel(4.0))
}
