//! Media queries and `@supports`, answered for a screen 1280 px wide.

use cssparser::{ParseError, Parser, Token};

use super::parse::{WINDOW_HEIGHT_PX, WINDOW_WIDTH_PX, is_known};

/// Whether a list of media queries holds on our screen. An empty list does.
pub(super) fn matches_media(input: &mut Parser<'_>) -> bool {
    input.skip_whitespace();
    if input.is_exhausted() {
        return true;
    }
    // A query that is not understood does not hold, but its neighbours may.
    let queries = input.parse_comma_separated_ignoring_errors(|input| query(input).map_err(|()| error()));
    queries.into_iter().any(|holds| holds)
}

/// The same for the text of a `media` attribute.
pub(super) fn matches_media_text(text: &str) -> bool {
    matches_media(&mut Parser::new(text))
}

fn error() -> ParseError<()> {
    ParseError::unexpected_token()
}

fn query(input: &mut Parser<'_>) -> Result<bool, ()> {
    let (mut holds, mut negated, mut either) = (true, false, false);
    let mut any_holds = false;
    while let Ok(token) = input.next() {
        match token.clone() {
            Token::Ident(word) => match word.to_ascii_lowercase().as_str() {
                "not" => negated = true,
                "only" | "and" => {}
                "or" => either = true,
                "all" | "screen" => {}
                _ => holds = false,
            },
            Token::ParenthesisBlock => {
                let held = nested(input)?;
                any_holds |= held;
                holds = if either { any_holds } else { holds && held };
            }
            Token::Function(_) => {
                nested(input)?;
                holds = false;
            }
            _ => return Err(()),
        }
    }
    Ok(holds != negated)
}

fn nested(input: &mut Parser<'_>) -> Result<bool, ()> {
    input.parse_nested_block(|input| condition(input).map_err(|()| error())).map_err(|_| ())
}

/// The inside of parentheses: a feature, or further queries.
fn condition(input: &mut Parser<'_>) -> Result<bool, ()> {
    let state = input.state();
    let first = input.next().map_err(|_| ())?.clone();
    let Token::Ident(name) = first else {
        input.reset(&state);
        return if matches!(first, Token::ParenthesisBlock) { query(input) } else { range(input) };
    };
    if name.eq_ignore_ascii_case("not") {
        input.reset(&state);
        return query(input);
    }
    let name = name.to_ascii_lowercase();
    match input.next().cloned() {
        Err(_) => Ok(has_feature(&name)),
        Ok(Token::Colon) => {
            let held = feature(&name, input);
            while input.next().is_ok() {}
            held
        }
        Ok(_) => {
            input.reset(&state);
            range(input)
        }
    }
}

fn has_feature(name: &str) -> bool {
    matches!(name, "width" | "height" | "color" | "hover" | "any-hover" | "pointer" | "any-pointer" | "scripting")
        && name != "scripting"
}

fn feature(name: &str, input: &mut Parser<'_>) -> Result<bool, ()> {
    let (bound, axis) = match name {
        "min-width" | "min-device-width" => (Bound::Least, WINDOW_WIDTH_PX),
        "max-width" | "max-device-width" => (Bound::Most, WINDOW_WIDTH_PX),
        "min-height" | "min-device-height" => (Bound::Least, WINDOW_HEIGHT_PX),
        "max-height" | "max-device-height" => (Bound::Most, WINDOW_HEIGHT_PX),
        "width" | "device-width" => (Bound::Exact, WINDOW_WIDTH_PX),
        "height" | "device-height" => (Bound::Exact, WINDOW_HEIGHT_PX),
        _ => return keyword_feature(name, input),
    };
    let px = length_px(input)?;
    Ok(match bound {
        Bound::Least => axis >= px,
        Bound::Most => axis <= px,
        Bound::Exact => axis == px,
    })
}

enum Bound {
    Least,
    Most,
    Exact,
}

fn keyword_feature(name: &str, input: &mut Parser<'_>) -> Result<bool, ()> {
    let value = match input.next().map_err(|_| ())? {
        Token::Ident(word) => word.to_ascii_lowercase(),
        Token::Number { value, .. } => value.to_string(),
        Token::Dimension { value, .. } => value.to_string(),
        _ => return Err(()),
    };
    Ok(match name {
        "orientation" => value == "landscape",
        "hover" | "any-hover" => value == "hover",
        "pointer" | "any-pointer" => value == "fine",
        "prefers-color-scheme" => value == "light",
        "prefers-reduced-motion" | "prefers-contrast" | "prefers-reduced-transparency" => value == "no-preference",
        "forced-colors" | "inverted-colors" => value == "none",
        "scripting" => value == "none",
        "color-gamut" => value == "srgb",
        "display-mode" => value == "browser",
        "update" => value == "fast",
        // One device pixel per CSS pixel.
        "min-resolution" | "-webkit-min-device-pixel-ratio" | "min--moz-device-pixel-ratio" => {
            value.parse::<f32>().is_ok_and(|ratio| ratio <= 1.0)
        }
        "max-resolution" | "-webkit-max-device-pixel-ratio" => value.parse::<f32>().is_ok_and(|ratio| ratio >= 1.0),
        _ => false,
    })
}

/// `width >= 600px`, `400px <= width < 900px`.
fn range(input: &mut Parser<'_>) -> Result<bool, ()> {
    let (mut sides, mut signs) = (Vec::new(), String::new());
    let mut comparisons = Vec::new();
    loop {
        let state = input.state();
        match input.next().cloned() {
            Err(_) => break,
            Ok(Token::Delim(sign @ ('<' | '>' | '='))) => signs.push(sign),
            Ok(token) => {
                if !sides.is_empty() {
                    comparisons.push(std::mem::take(&mut signs));
                }
                sides.push(match token {
                    Token::Ident(name) if name.ends_with("width") => WINDOW_WIDTH_PX,
                    Token::Ident(name) if name.ends_with("height") => WINDOW_HEIGHT_PX,
                    _ => {
                        input.reset(&state);
                        length_px(input)?
                    }
                });
            }
        }
        if sides.len() > 3 {
            return Err(());
        }
    }
    if comparisons.is_empty() {
        return Err(());
    }
    Ok(comparisons.iter().zip(sides.windows(2)).all(|(sign, pair)| match sign.as_str() {
        "<" => pair[0] < pair[1],
        "<=" => pair[0] <= pair[1],
        ">" => pair[0] > pair[1],
        ">=" => pair[0] >= pair[1],
        "=" => pair[0] == pair[1],
        _ => false,
    }))
}

fn length_px(input: &mut Parser<'_>) -> Result<f32, ()> {
    match input.next().map_err(|_| ())? {
        Token::Number { value, .. } => Ok(*value),
        Token::Dimension { value, unit, .. } => match unit.to_ascii_lowercase().as_str() {
            "px" => Ok(*value),
            "em" | "rem" => Ok(*value * 16.0),
            "pt" => Ok(*value * 96.0 / 72.0),
            "cm" => Ok(*value * 96.0 / 2.54),
            "in" => Ok(*value * 96.0),
            _ => Err(()),
        },
        _ => Err(()),
    }
}

/// Whether the condition of an `@supports` rule holds: the property it names is one we read.
pub(super) fn supports(input: &mut Parser<'_>) -> bool {
    let (mut holds, mut either, mut negated) = (true, false, false);
    let mut any_holds = false;
    while let Ok(token) = input.next() {
        let held = match token.clone() {
            Token::Ident(word) => {
                either |= word.eq_ignore_ascii_case("or");
                negated |= word.eq_ignore_ascii_case("not");
                continue;
            }
            Token::ParenthesisBlock => nested_supports(input),
            Token::Function(name) => !name.eq_ignore_ascii_case("selector") && nested_supports(input),
            _ => return false,
        };
        let held = held != std::mem::take(&mut negated);
        any_holds |= held;
        holds = if either { any_holds } else { holds && held };
    }
    holds
}

fn nested_supports(input: &mut Parser<'_>) -> bool {
    let held = input.parse_nested_block(|input| {
        let state = input.state();
        let held = match input.next()?.clone() {
            Token::Ident(name) if !name.eq_ignore_ascii_case("not") => {
                let known = is_known(&name.to_ascii_lowercase());
                while input.next().is_ok() {}
                known
            }
            _ => {
                input.reset(&state);
                supports(input)
            }
        };
        Ok::<bool, ParseError<()>>(held)
    });
    held.unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: bool) {
        assert_eq!(matches_media_text(text), expected, "{text}");
    }

    #[test]
    fn media_queries_are_answered_for_a_wide_screen() {
        check("", true);
        check("all", true);
        check("screen, print", true);
        check("print", false);
        check("speech", false);
        check("not print", true);
        check("only screen and (min-width: 768px)", true);
        check("screen and (max-width: 767px)", false);
        check("(min-width: 100em)", false);
        check("(min-width: 40em) and (max-width: 90em)", true);
        check("(width >= 600px)", true);
        check("(400px <= width < 900px)", false);
        check("(prefers-color-scheme: dark)", false);
        check("(prefers-color-scheme: light)", true);
        check("(orientation: portrait)", false);
        check("screen and (-webkit-min-device-pixel-ratio: 2)", false);
        check("(max-width: 500px) or (min-width: 1000px)", true);
        check("not all and (monochrome)", true);
        check("((((", false);
    }

    #[test]
    fn supports_holds_for_what_is_read() {
        let check = |text: &str, expected: bool| assert_eq!(supports(&mut Parser::new(text)), expected, "{text}");
        check("(display: grid)", true);
        check("not (display: grid)", false);
        check("(display: grid) and (not (mask-type: alpha))", true);
        check("(mask-type: alpha) or (display: flex)", true);
        check("selector(:has(a))", false);
    }
}
