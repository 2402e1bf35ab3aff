//! `clip` and `clip-path`, as far as they hide everything.

use cssparser::{Parser, Token};

use super::{Parsed, rest};
use crate::style::property::Value;

/// `clip: rect(...)` hides everything when right is at left or bottom at top (give or take a pixel).
pub(super) fn clip(input: &mut Parser<'_>) -> Parsed<Value> {
    if input.try_parse(|input| input.expect_ident_matching("auto")).is_ok() {
        return Ok(Value::Flag(false));
    }
    input.expect_function_matching("rect")?;
    input.parse_nested_block(|input| {
        let mut sides = Vec::with_capacity(4);
        while let Ok(token) = input.next() {
            match token {
                Token::Number { value, .. } | Token::Dimension { value, .. } => sides.push(*value),
                Token::Ident(_) => sides.push(f32::NAN),
                _ => {}
            }
        }
        let hides = matches!(sides[..], [top, right, bottom, left] if right - left <= 1.0 || bottom - top <= 1.0);
        Ok(Value::Flag(hides))
    })
}

/// `clip-path: inset(50%)` or more, or a circle of no size, hides everything.
pub(super) fn clip_path(input: &mut Parser<'_>) -> Parsed<Value> {
    if input.try_parse(|input| input.expect_ident_cloned()).is_ok() {
        return Ok(Value::Flag(false));
    }
    let name = input.expect_function()?.to_ascii_lowercase();
    input.parse_nested_block(|input| {
        let first = input.next().ok().cloned();
        rest(input);
        let hides = match (name.as_str(), first) {
            ("inset", Some(Token::Percentage { unit_value, .. })) => unit_value >= 0.5,
            ("circle", Some(Token::Number { value, .. } | Token::Dimension { value, .. })) => value == 0.0,
            _ => false,
        };
        Ok(Value::Flag(hides))
    })
}
