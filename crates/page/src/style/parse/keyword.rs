//! Properties whose values are single words: display, position, float, lists and the like.

use cssparser::{ParseError, Parser, Token};

use super::{Parsed, at_end, lower, push, rest};
use crate::style::property::{Declaration, Property, Value};
use crate::style::value::*;

pub(super) fn list_style(input: &mut Parser<'_>, out: &mut Vec<Declaration>) -> Parsed<()> {
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

pub(super) fn list_style_type(input: &mut Parser<'_>) -> Parsed<ListStyle> {
    match lower(input)?.as_str() {
        "none" => Ok(ListStyle::None),
        "disc" | "circle" | "square" | "disclosure-open" | "disclosure-closed" => Ok(ListStyle::Bullet),
        "inside" | "outside" => Err(ParseError::unexpected_token()),
        _ => Ok(ListStyle::Ordered),
    }
}

pub(super) fn keyword_value(property: Property, keyword: &str) -> Parsed<Value> {
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

pub(super) fn display(input: &mut Parser<'_>) -> Parsed<Value> {
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
