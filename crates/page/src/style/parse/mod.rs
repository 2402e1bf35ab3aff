//! Parses declarations: the name and value of a property or shorthand into longhands.
//!
//! What is not understood is dropped, as the standard asks. No value is looked at more than twice.

mod background;
mod clip;
mod color;
mod flex;
mod font;
mod grid;
mod keyword;
mod length;
mod lists;
mod longhand;
mod sides;

use cssparser::{
    AtRuleParser, CowRcStr, DeclarationParser, ParseError, Parser, ParserState, QualifiedRuleParser,
    RuleBodyItemParser, RuleBodyParser, Token,
};

use super::property::{Block, Declaration, Property, Value};
use background::background;
use flex::{flex, flex_flow, gap};
use font::font;
use keyword::list_style;
use length::{length, length_or_auto};
use longhand::longhand;
use sides::{
    BORDER_STYLE, BORDER_WIDTH, INSET, MARGIN, PADDING, border, border_style, border_width, four_sides, two_sides,
};

pub use grid::Track;
pub(crate) use length::{WINDOW_HEIGHT_PX, WINDOW_WIDTH_PX};
pub(super) use lists::Lists;

type Parsed<T> = Result<T, ParseError<()>>;

/// Parses the text of a declaration block or style attribute.
pub(super) fn parse_block(input: &mut Parser<'_>, lists: &mut Lists) -> Block {
    let mut parser = BlockParser { lists, block: Block::default(), declarations: Vec::new() };
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

/// Whether anything comes of values under this lower-case name.
fn is_read(name: &str) -> bool {
    let is_shorthand = matches!(
        name,
        "margin"
            | "padding"
            | "inset"
            | "border"
            | "background"
            | "font"
            | "list-style"
            | "flex"
            | "flex-flow"
            | "gap"
            | "border-width"
            | "border-style"
            | "border-top"
            | "border-right"
            | "border-bottom"
            | "border-left"
            | "margin-inline"
            | "margin-block"
            | "padding-inline"
            | "padding-block"
            | "overflow-x"
            | "overflow-y"
            | "grid-gap"
            | "grid-row-gap"
            | "grid-column-gap"
            | "grid-column-end"
            | "-webkit-box-sizing"
            | "-moz-box-sizing"
    );
    is_shorthand || Property::from_name(name).is_some()
}

/// Whether a property of this name is known, for `@supports`.
pub(super) fn is_known(name: &str) -> bool {
    let other = ["margin", "padding", "border", "background", "font", "flex", "grid", "gap", "list-style", "inset"];
    Property::from_name(name).is_some() || name.starts_with("--") || other.iter().any(|start| name.starts_with(start))
}

struct BlockParser<'l> {
    lists: &'l mut Lists,
    block: Block,
    /// Those of one value, kept for its memory.
    declarations: Vec<Declaration>,
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
        let name = Word::new(&name);
        if !is_read(&name) {
            return Err(ParseError::unexpected_token());
        }
        let start = input.state();
        self.declarations.clear();
        let parsed = parse_value(&name, input, self.lists, &mut self.declarations);
        let important = input.try_parse(cssparser::parse_important).is_ok();
        if parsed.is_ok() && input.is_exhausted() {
            let list = if important { &mut self.block.important } else { &mut self.block.normal };
            list.append(&mut self.declarations);
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
pub(super) fn rest<'i>(input: &mut Parser<'i>) -> &'i str {
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
    let longhands: &[Property] = match name {
        "margin" => &MARGIN,
        "padding" => &PADDING,
        "inset" => &INSET,
        "border" => {
            push_longhands("border-width", value, out);
            &BORDER_STYLE
        }
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

fn lower(input: &mut Parser<'_>) -> Parsed<Word> {
    Ok(input.expect_ident().map(|ident| Word::new(ident))?)
}

/// A word in lower case, without a place of its own in memory; empty where it is longer than any that is known.
pub(super) struct Word {
    bytes: [u8; 32],
    length: usize,
}

impl Word {
    pub(super) fn new(text: &str) -> Word {
        let mut word = Word { bytes: [0; 32], length: 0 };
        if let Some(bytes) = word.bytes.get_mut(..text.len()) {
            bytes.copy_from_slice(text.as_bytes());
            bytes.make_ascii_lowercase();
            word.length = text.len();
        }
        word
    }

    fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.length]).expect("lower-casing ASCII letters keeps text valid")
    }
}

impl std::ops::Deref for Word {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

/// Whether the value ends here: nothing more, or `!important`.
fn at_end(input: &mut Parser<'_>) -> bool {
    let state = input.state();
    let end = matches!(input.next(), Err(_) | Ok(Token::Delim('!')));
    input.reset(&state);
    end
}
