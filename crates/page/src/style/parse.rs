//! Parses declarations: the name and value of a property or shorthand into longhands.
//!
//! What is not understood is dropped, as the standard asks. No value is looked at more than twice.

use cssparser::color::{parse_hash_color, parse_named_color};
use cssparser::{
    AtRuleParser, CowRcStr, DeclarationParser, ParseError, Parser, ParserState, QualifiedRuleParser,
    RuleBodyItemParser, RuleBodyParser, Token,
};

use super::property::*;
use super::value::*;

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

/// Lists that computed styles refer to by index: font families and grids.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    pub(super) families: Vec<String>,
    pub(super) grids: Vec<Vec<Track>>,
}

impl Lists {
    fn family(&mut self, name: &str) -> u16 {
        let known = self.families.iter().position(|family| family.eq_ignore_ascii_case(name));
        let index = known.unwrap_or_else(|| {
            if self.families.len() < LIST_LENGTH_MAX {
                self.families.push(name.to_owned());
            }
            self.families.len() - 1
        });
        (index + 1) as u16
    }

    fn grid(&mut self, tracks: Vec<Track>) -> u16 {
        let known = self.grids.iter().position(|grid| *grid == tracks);
        let index = known.unwrap_or_else(|| {
            if self.grids.len() < LIST_LENGTH_MAX {
                self.grids.push(tracks);
            }
            self.grids.len() - 1
        });
        (index + 1) as u16
    }
}

/// Distinct families or grids that are kept; the lists are searched from the start, so they stay short.
const LIST_LENGTH_MAX: usize = 256;
/// Columns of a grid that are kept.
const TRACKS_MAX: usize = 64;

type Parsed<T> = Result<T, ParseError<()>>;

/// Parses the text of a declaration block or style attribute.
pub(super) fn parse_block(input: &mut Parser<'_>, lists: &mut Lists) -> Block {
    let mut parser = BlockParser { lists, block: Block::default() };
    for _ in RuleBodyParser::new(input, &mut parser) {}
    parser.block
}

/// Parses the value of one property or shorthand from text, after variables were put in.
pub(super) fn parse_value_text(name: &str, text: &str, lists: &mut Lists) -> Vec<Declaration> {
    let mut out = Vec::new();
    let mut input = Parser::new(text);
    let parsed: Parsed<()> = input.parse_entirely(|input| parse_value(name, input, lists, &mut out));
    if parsed.is_err() {
        out.clear();
    }
    out
}

/// Whether a property of this name is read at all, for `@supports`.
pub(super) fn is_known(name: &str) -> bool {
    let other = ["margin", "padding", "border", "background", "font", "flex", "grid", "gap", "list-style", "inset"];
    Property::from_name(name).is_some() || name.starts_with("--") || other.iter().any(|start| name.starts_with(start))
}

struct BlockParser<'l> {
    lists: &'l mut Lists,
    block: Block,
}

impl<'i> DeclarationParser<'i> for BlockParser<'_> {
    type Declaration = ();
    type Error = ();

    fn parse_value(&mut self, name: CowRcStr<'i>, input: &mut Parser<'i>, _start: &ParserState) -> Parsed<()> {
        if let Some(variable) = name.strip_prefix("--") {
            let text = rest(input);
            self.block.variables.push((variable.to_owned(), text.trim().to_owned()));
            return Ok(());
        }
        let name = name.to_ascii_lowercase();
        let start = input.state();
        let mut declarations = Vec::new();
        let parsed = parse_value(&name, input, self.lists, &mut declarations);
        let important = input.try_parse(cssparser::parse_important).is_ok();
        if parsed.is_ok() && input.is_exhausted() {
            let list = if important { &mut self.block.important } else { &mut self.block.normal };
            list.append(&mut declarations);
            return Ok(());
        }
        input.reset(&start);
        self.keep_for_variables(&name, rest(input))
    }
}

impl BlockParser<'_> {
    /// A value with `var()` in it is kept as text until an element's variables are known.
    fn keep_for_variables(&mut self, name: &str, text: &str) -> Parsed<()> {
        let Some(property) = stand_in(name).filter(|_| text.contains("var(")) else {
            return Err(ParseError::unexpected_token());
        };
        let (text, important) = match text.trim().strip_suffix("important").map(str::trim_end) {
            Some(start) if start.ends_with('!') => (start.trim_end_matches('!'), true),
            _ => (text, false),
        };
        let value = Value::Variables(Box::new((name.to_owned(), text.to_owned())));
        let list = if important { &mut self.block.important } else { &mut self.block.normal };
        list.push(Declaration { property, value });
        Ok(())
    }
}

/// The longhand under which a value with variables is filed: `font` before the lengths that depend on it.
fn stand_in(name: &str) -> Option<Property> {
    match name {
        "font" => Some(Property::FontSize),
        "background" => Some(Property::BackgroundColor),
        _ => Property::from_name(name).or_else(|| is_known(name).then_some(Property::MarginTop)),
    }
}

impl<'i> AtRuleParser<'i> for BlockParser<'_> {
    type Prelude = ();
    type AtRule = ();
    type Error = ();
}

impl<'i> QualifiedRuleParser<'i> for BlockParser<'_> {
    type Prelude = ();
    type QualifiedRule = ();
    type Error = ();
}

impl RuleBodyItemParser<'_, (), ()> for BlockParser<'_> {
    fn parse_declarations(&self) -> bool {
        true
    }

    fn parse_qualified(&self) -> bool {
        false
    }
}

/// What is left of the input, as text.
fn rest<'i>(input: &mut Parser<'i>) -> &'i str {
    let start = input.position();
    while input.next().is_ok() {}
    input.slice_from(start)
}

fn parse_value(name: &str, input: &mut Parser<'_>, lists: &mut Lists, out: &mut Vec<Declaration>) -> Parsed<()> {
    if let Ok(value) = input.try_parse(wide_keyword) {
        let count = out.len();
        push_longhands(name, &value, out);
        return if out.len() > count { Ok(()) } else { Err(ParseError::unexpected_token()) };
    }
    match name {
        "margin" => four_sides(MARGIN, input, out, length_or_auto),
        "padding" => four_sides(PADDING, input, out, length),
        "inset" => four_sides(INSET, input, out, length_or_auto),
        "border-width" => four_sides(BORDER_WIDTH, input, out, border_width),
        "border-style" => four_sides(BORDER_STYLE, input, out, border_style),
        "border" => border(&[0, 1, 2, 3], input, out),
        "border-top" => border(&[0], input, out),
        "border-right" => border(&[1], input, out),
        "border-bottom" => border(&[2], input, out),
        "border-left" => border(&[3], input, out),
        "background" => background(input, out),
        "font" => font(input, lists, out),
        "list-style" => list_style(input, out),
        "flex" => flex(input, out),
        "flex-flow" => flex_flow(input, out),
        "gap" | "grid-gap" => gap(input, out),
        "overflow-x" | "overflow-y" => longhand(Property::Overflow, input, lists, out),
        "grid-column-end" => longhand(Property::GridColumn, input, lists, out),
        "margin-inline" => two_sides([Property::MarginLeft, Property::MarginRight], input, out),
        "margin-block" => two_sides([Property::MarginTop, Property::MarginBottom], input, out),
        "padding-inline" => two_sides([Property::PaddingLeft, Property::PaddingRight], input, out),
        "padding-block" => two_sides([Property::PaddingTop, Property::PaddingBottom], input, out),
        "-webkit-box-sizing" | "-moz-box-sizing" => longhand(Property::BoxSizing, input, lists, out),
        "grid-row-gap" => longhand(Property::RowGap, input, lists, out),
        "grid-column-gap" => longhand(Property::ColumnGap, input, lists, out),
        _ => match Property::from_name(name) {
            Some(property) => longhand(property, input, lists, out),
            None => Err(ParseError::unexpected_token()),
        },
    }
}

const MARGIN: [Property; 4] =
    [Property::MarginTop, Property::MarginRight, Property::MarginBottom, Property::MarginLeft];
const PADDING: [Property; 4] =
    [Property::PaddingTop, Property::PaddingRight, Property::PaddingBottom, Property::PaddingLeft];
const INSET: [Property; 4] = [Property::Top, Property::Right, Property::Bottom, Property::Left];
const BORDER_WIDTH: [Property; 4] =
    [Property::BorderTopWidth, Property::BorderRightWidth, Property::BorderBottomWidth, Property::BorderLeftWidth];
const BORDER_STYLE: [Property; 4] =
    [Property::BorderTopStyle, Property::BorderRightStyle, Property::BorderBottomStyle, Property::BorderLeftStyle];

fn wide_keyword(input: &mut Parser<'_>) -> Parsed<Value> {
    let value = match lower(input)?.as_str() {
        "inherit" => Value::Inherit,
        "initial" => Value::Initial,
        "unset" | "revert" | "revert-layer" => Value::Unset,
        _ => return Err(ParseError::unexpected_token()),
    };
    Ok(value)
}

/// Declares one value for every longhand of a property or shorthand.
fn push_longhands(name: &str, value: &Value, out: &mut Vec<Declaration>) {
    let border: Vec<Property> = BORDER_WIDTH.into_iter().chain(BORDER_STYLE).collect();
    let longhands: &[Property] = match name {
        "margin" => &MARGIN,
        "padding" => &PADDING,
        "inset" => &INSET,
        "border" => &border,
        "border-width" => &BORDER_WIDTH,
        "border-style" => &BORDER_STYLE,
        "background" => &[Property::BackgroundColor, Property::BackgroundImage],
        "font" => {
            &[Property::FontSize, Property::FontFamily, Property::FontWeight, Property::FontStyle, Property::LineHeight]
        }
        "list-style" => &[Property::ListStyleType],
        "flex" => &[Property::FlexGrow, Property::FlexShrink, Property::FlexBasis],
        "overflow-x" | "overflow-y" => &[Property::Overflow],
        _ => match Property::from_name(name) {
            Some(property) => return out.push(Declaration { property, value: value.clone() }),
            None => &[],
        },
    };
    out.extend(longhands.iter().map(|&property| Declaration { property, value: value.clone() }));
}

fn push(out: &mut Vec<Declaration>, property: Property, value: Value) {
    out.push(Declaration { property, value });
}

fn lower(input: &mut Parser<'_>) -> Parsed<String> {
    Ok(input.expect_ident().map(|ident| ident.to_ascii_lowercase())?)
}

fn four_sides(
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

fn two_sides(properties: [Property; 2], input: &mut Parser<'_>, out: &mut Vec<Declaration>) -> Parsed<()> {
    let start = length_or_auto(input)?;
    let end = input.try_parse(length_or_auto).unwrap_or_else(|_| start.clone());
    push(out, properties[0], start);
    push(out, properties[1], end);
    Ok(())
}

fn length(input: &mut Parser<'_>) -> Parsed<Value> {
    Ok(Value::Length(sum(input, 0)?))
}

fn length_or_auto(input: &mut Parser<'_>) -> Parsed<Value> {
    let auto = input.try_parse(|input| match lower(input)?.as_str() {
        "auto" | "none" | "normal" | "max-content" | "min-content" | "fit-content" | "content" => Ok(Value::Auto),
        _ => Err(ParseError::unexpected_token()),
    });
    auto.or_else(|_: ParseError<()>| length(input))
}

/// One length, per cent or arithmetic of them. `depth` bounds nested `calc()`.
fn sum(input: &mut Parser<'_>, depth: u8) -> Parsed<Sum> {
    match input.next()?.clone() {
        Token::Number { value, .. } => Ok(Sum::px(value)),
        Token::Percentage { unit_value, .. } => Ok(Sum { percent: unit_value * 100.0, ..Sum::default() }),
        Token::Dimension { value, unit, .. } => unit_sum(value, &unit).ok_or_else(ParseError::unexpected_token),
        Token::Function(name) if depth < 8 => {
            let name = name.to_ascii_lowercase();
            input.parse_nested_block(|input| arithmetic(&name, input, depth + 1))
        }
        Token::ParenthesisBlock if depth < 8 => input.parse_nested_block(|input| calculate(input, depth + 1)),
        _ => Err(ParseError::unexpected_token()),
    }
}

fn unit_sum(value: f32, unit: &str) -> Option<Sum> {
    let px = |factor: f32| Some(Sum::px(value * factor));
    match unit.to_ascii_lowercase().as_str() {
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

fn border_width(input: &mut Parser<'_>) -> Parsed<Value> {
    let keyword = input.try_parse(|input| match lower(input)?.as_str() {
        "thin" => Ok(1.0),
        "medium" => Ok(3.0),
        "thick" => Ok(5.0),
        _ => Err(ParseError::unexpected_token()),
    });
    keyword.map(|px| Value::Length(Sum::px(px))).or_else(|_: ParseError<()>| length(input))
}

fn border_style(input: &mut Parser<'_>) -> Parsed<Value> {
    match lower(input)?.as_str() {
        "none" | "hidden" => Ok(Value::Flag(false)),
        "solid" | "dashed" | "dotted" | "double" | "groove" | "ridge" | "inset" | "outset" => Ok(Value::Flag(true)),
        _ => Err(ParseError::unexpected_token()),
    }
}

fn border(sides: &[usize], input: &mut Parser<'_>, out: &mut Vec<Declaration>) -> Parsed<()> {
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

/// Whether the value ends here: nothing more, or `!important`.
fn at_end(input: &mut Parser<'_>) -> bool {
    let state = input.state();
    let end = matches!(input.next(), Err(_) | Ok(Token::Delim('!')));
    input.reset(&state);
    end
}

fn background(input: &mut Parser<'_>, out: &mut Vec<Declaration>) -> Parsed<()> {
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

fn font(input: &mut Parser<'_>, lists: &mut Lists, out: &mut Vec<Declaration>) -> Parsed<()> {
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

fn font_size(input: &mut Parser<'_>) -> Parsed<Value> {
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

fn line_height(input: &mut Parser<'_>) -> Parsed<Value> {
    if input.try_parse(|input| input.expect_ident_matching("normal")).is_ok() {
        return Ok(Value::Auto);
    }
    if let Ok(factor) = input.try_parse(|input| input.expect_number()) {
        return Ok(Value::Number(factor));
    }
    length(input)
}

fn font_family(input: &mut Parser<'_>, lists: &mut Lists) -> Parsed<Value> {
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

fn list_style(input: &mut Parser<'_>, out: &mut Vec<Declaration>) -> Parsed<()> {
    let mut style = ListStyle::Bullet;
    while !at_end(input) {
        if let Ok(value) = input.try_parse(list_style_type) {
            style = value;
        } else if let Token::Function(_) = input.next()?.clone() {
            let skipped: Parsed<()> = input.parse_nested_block(|input| {
                rest(input);
                Ok(())
            });
            skipped?;
        }
    }
    push(out, Property::ListStyleType, Value::ListStyle(style));
    Ok(())
}

fn list_style_type(input: &mut Parser<'_>) -> Parsed<ListStyle> {
    match lower(input)?.as_str() {
        "none" => Ok(ListStyle::None),
        "disc" | "circle" | "square" | "disclosure-open" | "disclosure-closed" => Ok(ListStyle::Bullet),
        "inside" | "outside" => Err(ParseError::unexpected_token()),
        _ => Ok(ListStyle::Ordered),
    }
}

fn flex(input: &mut Parser<'_>, out: &mut Vec<Declaration>) -> Parsed<()> {
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

fn flex_flow(input: &mut Parser<'_>, out: &mut Vec<Declaration>) -> Parsed<()> {
    while !at_end(input) {
        if let Ok(direction) = input.try_parse(flex_direction) {
            push(out, Property::FlexDirection, direction);
        } else {
            push(out, Property::FlexWrap, flex_wrap(input)?);
        }
    }
    Ok(())
}

fn flex_direction(input: &mut Parser<'_>) -> Parsed<Value> {
    let direction = match lower(input)?.as_str() {
        "row" => FlexDirection::Row,
        "row-reverse" => FlexDirection::RowReverse,
        "column" => FlexDirection::Column,
        "column-reverse" => FlexDirection::ColumnReverse,
        _ => return Err(ParseError::unexpected_token()),
    };
    Ok(Value::FlexDirection(direction))
}

fn flex_wrap(input: &mut Parser<'_>) -> Parsed<Value> {
    match lower(input)?.as_str() {
        "wrap" | "wrap-reverse" => Ok(Value::Flag(true)),
        "nowrap" => Ok(Value::Flag(false)),
        _ => Err(ParseError::unexpected_token()),
    }
}

fn gap(input: &mut Parser<'_>, out: &mut Vec<Declaration>) -> Parsed<()> {
    let row = length_or_auto(input)?;
    let column = input.try_parse(length_or_auto).unwrap_or_else(|_| row.clone());
    push(out, Property::RowGap, row);
    push(out, Property::ColumnGap, column);
    Ok(())
}

fn longhand(property: Property, input: &mut Parser<'_>, lists: &mut Lists, out: &mut Vec<Declaration>) -> Parsed<()> {
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

fn keyword_value(property: Property, keyword: &str) -> Parsed<Value> {
    let value = match (property, keyword) {
        (Property::Visibility, "visible") => Value::Flag(true),
        (Property::Visibility, "hidden" | "collapse") => Value::Flag(false),
        (Property::Position, "static") => Value::Position(Position::Static),
        (Property::Position, "relative") => Value::Position(Position::Relative),
        (Property::Position, "absolute") => Value::Position(Position::Absolute),
        (Property::Position, "fixed") => Value::Position(Position::Fixed),
        (Property::Position, "sticky" | "-webkit-sticky") => Value::Position(Position::Sticky),
        (Property::Float, "none") => Value::Float(Float::None),
        (Property::Float, "left" | "inline-start") => Value::Float(Float::Left),
        (Property::Float, "right" | "inline-end") => Value::Float(Float::Right),
        (Property::Clear, "none") => Value::Clear(Clear::None),
        (Property::Clear, "left" | "inline-start") => Value::Clear(Clear::Left),
        (Property::Clear, "right" | "inline-end") => Value::Clear(Clear::Right),
        (Property::Clear, "both") => Value::Clear(Clear::Both),
        (Property::BoxSizing, "border-box") => Value::Flag(true),
        (Property::BoxSizing, "content-box") => Value::Flag(false),
        (Property::FontStyle, "italic" | "oblique") => Value::Flag(true),
        (Property::FontStyle, "normal") => Value::Flag(false),
        (Property::TextTransform, "uppercase") => Value::Flag(true),
        (Property::TextTransform, "none" | "lowercase" | "capitalize") => Value::Flag(false),
        (Property::TextAlign, "left" | "start") => Value::TextAlign(TextAlign::Left),
        (Property::TextAlign, "right" | "end") => Value::TextAlign(TextAlign::Right),
        (Property::TextAlign, "center") => Value::TextAlign(TextAlign::Center),
        (Property::TextAlign, "justify") => Value::TextAlign(TextAlign::Justify),
        (Property::TextAlign, "-webkit-center" | "-moz-center") => Value::TextAlign(TextAlign::CenterAll),
        (Property::TextAlign, "-webkit-right") => Value::TextAlign(TextAlign::RightAll),
        (Property::WhiteSpace, "normal") => Value::WhiteSpace(WhiteSpace::Normal),
        (Property::WhiteSpace, "nowrap") => Value::WhiteSpace(WhiteSpace::NoWrap),
        (Property::WhiteSpace, "pre") => Value::WhiteSpace(WhiteSpace::Pre),
        (Property::WhiteSpace, "pre-wrap" | "break-spaces") => Value::WhiteSpace(WhiteSpace::PreWrap),
        (Property::WhiteSpace, "pre-line") => Value::WhiteSpace(WhiteSpace::PreLine),
        (Property::Direction, "rtl") => Value::Flag(true),
        (Property::Direction, "ltr") => Value::Flag(false),
        (Property::Overflow, "visible") => Value::Flag(false),
        (Property::Overflow, "hidden" | "scroll" | "auto" | "clip" | "overlay") => Value::Flag(true),
        (Property::JustifyContent, "center") => Value::Justify(Justify::Center),
        (Property::JustifyContent, "flex-end" | "end" | "right") => Value::Justify(Justify::End),
        (Property::JustifyContent, "space-between") => Value::Justify(Justify::Between),
        (Property::JustifyContent, "space-around" | "space-evenly") => Value::Justify(Justify::Around),
        (Property::JustifyContent, "flex-start" | "start" | "left" | "normal" | "stretch") => {
            Value::Justify(Justify::Start)
        }
        (Property::BorderCollapse, "collapse") => Value::Flag(true),
        (Property::BorderCollapse, "separate") => Value::Flag(false),
        (Property::TableLayout, "fixed") => Value::Flag(true),
        (Property::TableLayout, "auto") => Value::Flag(false),
        _ => return Err(ParseError::unexpected_token()),
    };
    Ok(value)
}

fn display(input: &mut Parser<'_>) -> Parsed<Value> {
    let display = match lower(input)?.as_str() {
        "inline" | "ruby" | "ruby-base" | "ruby-text" => Display::Inline,
        "block" | "flow-root" | "run-in" => Display::Block,
        "inline-block" => Display::InlineBlock,
        "list-item" => Display::ListItem,
        "table" => Display::Table,
        "inline-table" => Display::InlineTable,
        "table-row-group" | "table-header-group" | "table-footer-group" => Display::TableRowGroup,
        "table-row" => Display::TableRow,
        "table-cell" => Display::TableCell,
        "table-caption" => Display::TableCaption,
        "table-column" | "table-column-group" => Display::TableColumn,
        "flex" | "-webkit-flex" | "-webkit-box" | "-ms-flexbox" => Display::Flex,
        "inline-flex" | "-webkit-inline-flex" | "-webkit-inline-box" => Display::InlineFlex,
        "grid" => Display::Grid,
        "inline-grid" => Display::InlineGrid,
        "contents" => Display::Contents,
        "none" => Display::None,
        _ => return Err(ParseError::unexpected_token()),
    };
    Ok(Value::Display(display))
}

fn number_or_percentage(input: &mut Parser<'_>) -> Parsed<Value> {
    match input.next()? {
        Token::Number { value, .. } => Ok(Value::Number(*value)),
        Token::Percentage { unit_value, .. } => Ok(Value::Number(*unit_value)),
        _ => Err(ParseError::unexpected_token()),
    }
}

fn font_weight(input: &mut Parser<'_>) -> Parsed<Value> {
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

/// `clip: rect(...)` hides everything when right is at left or bottom at top (give or take a pixel).
fn clip(input: &mut Parser<'_>) -> Parsed<Value> {
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
fn clip_path(input: &mut Parser<'_>) -> Parsed<Value> {
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

fn background_image(input: &mut Parser<'_>) -> Parsed<Value> {
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

/// The columns of a grid; `repeat(auto-fill, …)` is counted against the window's width.
fn grid_columns(input: &mut Parser<'_>, lists: &mut Lists) -> Parsed<u16> {
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
fn grid_span(input: &mut Parser<'_>) -> Parsed<Value> {
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

fn color(input: &mut Parser<'_>) -> Parsed<Value> {
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
