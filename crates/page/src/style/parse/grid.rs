//! The columns of a grid, and how many of them an item spans.

use cssparser::{ParseError, Parser, Token};

use super::length::sum;
use super::lists::Lists;
use super::{Parsed, at_end, rest};
use crate::style::property::{Sum, Value};
use crate::style::value::Length;

/// A column of a grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Track {
    /// A length.
    Fixed(Length),
    /// A share of the room left over.
    Fraction(f32),
    /// As wide as its content asks for.
    Auto,
}

/// Columns of a grid that are kept.
const TRACKS_MAX: usize = 64;

/// The columns of a grid; `repeat(auto-fill, …)` is counted against the window's width.
pub(super) fn grid_columns(input: &mut Parser<'_>, lists: &mut Lists) -> Parsed<u16> {
    let mut tracks = Vec::new();
    if input.try_parse(|input| input.expect_ident_matching("none")).is_ok() {
        return Ok(0);
    }
    while !at_end(input) {
        if input.try_parse(|input| input.expect_function_matching("repeat")).is_ok() {
            input.parse_nested_block(|input| repeat(input, &mut tracks))?;
        } else {
            tracks.extend(track(input)?);
        }
    }
    tracks.truncate(TRACKS_MAX);
    Ok(if tracks.is_empty() { 0 } else { lists.grid(tracks) })
}

fn repeat(input: &mut Parser<'_>, tracks: &mut Vec<Track>) -> Parsed<()> {
    let count = input.try_parse(|input| input.expect_integer()).ok();
    if count.is_none() {
        input.expect_ident()?;
    }
    input.expect_comma()?;
    let mut once = Vec::new();
    while !input.is_exhausted() && once.len() < TRACKS_MAX {
        once.extend(track(input)?);
    }
    let once_px: f32 = once.iter().map(track_px).sum();
    // Decision: what fills a row is counted as if the grid were a common content width.
    let times = count.map_or_else(|| (1100.0 / once_px.max(50.0)) as usize, |count| count.max(1) as usize);
    for _ in 0..times.clamp(1, TRACKS_MAX) {
        tracks.extend(once.iter().copied());
        tracks.truncate(TRACKS_MAX);
    }
    if count.is_none() {
        // Columns that fill a row share it evenly.
        tracks.iter_mut().for_each(|track| *track = Track::Fraction(1.0));
    }
    Ok(())
}

fn track_px(track: &Track) -> f32 {
    match track {
        Track::Fixed(length) => length.against(1100.0).unwrap_or(200.0),
        _ => 200.0,
    }
}

/// One column; names of lines give none.
fn track(input: &mut Parser<'_>) -> Parsed<Option<Track>> {
    let resolve = |sum: Sum| Track::Fixed(sum.resolve(16.0, 16.0));
    let state = input.state();
    match input.next()?.clone() {
        Token::Dimension { value, unit, .. } if unit.eq_ignore_ascii_case("fr") => {
            Ok(Some(Track::Fraction(value.clamp(0.0, 1000.0))))
        }
        Token::Ident(_) => Ok(Some(Track::Auto)),
        Token::SquareBracketBlock => input.parse_nested_block(|input| {
            rest(input);
            Ok(None)
        }),
        Token::Function(name) if name.eq_ignore_ascii_case("minmax") => input.parse_nested_block(|input| {
            let least = track_end(input);
            input.expect_comma()?;
            let most = track_end(input);
            Ok(Some(match (least, most) {
                (_, Track::Fraction(share)) => Track::Fraction(share),
                (_, Track::Fixed(length)) => Track::Fixed(length),
                (least, Track::Auto) => least,
            }))
        }),
        Token::Function(name) if name.eq_ignore_ascii_case("fit-content") => input.parse_nested_block(|input| {
            rest(input);
            Ok(Some(Track::Auto))
        }),
        _ => {
            input.reset(&state);
            Ok(Some(resolve(sum(input, 0)?)))
        }
    }
}

/// One bound of a `minmax()`.
fn track_end(input: &mut Parser<'_>) -> Track {
    let fraction = input.try_parse(|input| match input.next()? {
        Token::Dimension { value, unit, .. } if unit.eq_ignore_ascii_case("fr") => Ok(*value),
        _ => Err(ParseError::<()>::unexpected_token()),
    });
    if let Ok(share) = fraction {
        return Track::Fraction(share.clamp(0.0, 1000.0));
    }
    if input.try_parse(|input| input.expect_ident_cloned()).is_ok() {
        return Track::Auto;
    }
    sum(input, 0).map_or(Track::Auto, |sum| Track::Fixed(sum.resolve(16.0, 16.0)))
}

/// How many columns `grid-column` spans: `span n`, `a / b`, `1 / -1` (all: 0).
pub(super) fn grid_span(input: &mut Parser<'_>) -> Parsed<Value> {
    let (mut lines, mut span, mut after_span) = (Vec::new(), None, false);
    while !at_end(input) {
        match input.next()?.clone() {
            Token::Ident(name) => after_span = name.eq_ignore_ascii_case("span"),
            Token::Number { int_value: Some(number), .. } if after_span => span = Some(number),
            Token::Number { int_value: Some(number), .. } => lines.push(number),
            _ => {}
        }
    }
    let span = match (span, &lines[..]) {
        (Some(span), _) => span.clamp(1, TRACKS_MAX as i32),
        (None, [start, -1]) if *start == 1 => 0,
        (None, [start, end]) if *start > 0 && *end > 0 => end.saturating_sub(*start).clamp(1, TRACKS_MAX as i32),
        _ => 1,
    };
    Ok(Value::Number(span as f32))
}
