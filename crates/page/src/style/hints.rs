//! Presentational attributes: `align`, `bgcolor`, `width`, `<font>` and friends, as declarations.
//!
//! They stand between the browser's own sheet and the author's.

use cssparser::color::parse_named_color;
use kuai_html::{Attribute, Dom, NodeId, Tag};

use super::parse::{Lists, parse_value_text};
use super::property::{Declaration, Property, Sum, Value};
use super::value::*;

/// What a table says of its cells.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct TableHints {
    /// `cellpadding`, in pixels.
    cell_padding: Option<f32>,
    /// Whether cells have a border, as the table has one.
    cell_border: bool,
}

impl TableHints {
    /// Those of what is in no table.
    pub(super) const NONE: TableHints = TableHints { cell_padding: None, cell_border: false };

    /// Reads the attributes of a `table`.
    pub(super) fn read(dom: Dom<'_>, table: NodeId) -> TableHints {
        TableHints {
            cell_padding: dom.attribute(table, "cellpadding").and_then(number),
            cell_border: dom.attribute(table, "border").is_some_and(|value| number(value) != Some(0.0)),
        }
    }

    fn is_empty(self) -> bool {
        self == TableHints::default()
    }
}

/// Whether the attribute is one of those that matter here.
pub(super) fn is_hint(attribute: &Attribute<'_>) -> bool {
    is_hint_name(attribute.name) && attribute.value.len() <= VALUE_LENGTH_MAX
}

/// Whether the element stands where its parents' attributes matter to it.
pub(super) fn is_hinted_around(dom: Dom<'_>, node: NodeId, table: TableHints) -> bool {
    (matches!(dom.tag(node), Tag::Td | Tag::Th) && !table.is_empty()) || is_folded(dom, node)
}

/// The attributes that matter, written so that elements with the same hints have the same key.
pub(super) fn key(dom: Dom<'_>, node: NodeId, table: TableHints, key: &mut String) {
    key.clear();
    let tag = dom.tag(node);
    for attribute in dom.attributes(node) {
        if is_hint(&attribute) {
            key.push_str(attribute.name);
            key.push('=');
            key.push_str(attribute.value);
            key.push('\n');
        }
    }
    let in_table = matches!(tag, Tag::Td | Tag::Th) && !table.is_empty();
    key.push_str(tag.name());
    key.push_str(if is_folded(dom, node) { "|folded" } else { "" });
    if in_table {
        key.push_str(if table.cell_border { "|border" } else { "|" });
        if let Some(padding) = table.cell_padding {
            key.extend(padding.to_bits().to_be_bytes().map(char::from));
        }
    }
}

/// Whether the element stands in a `<details>` that is not open.
pub(super) fn is_folded(dom: Dom<'_>, node: NodeId) -> bool {
    dom.tag(node) != Tag::Summary
        && dom
            .parent(node)
            .is_some_and(|parent| dom.tag(parent) == Tag::Details && dom.attribute(parent, "open").is_none())
}

/// A presentational value is short; what is longer is no hint.
const VALUE_LENGTH_MAX: usize = 64;

fn is_hint_name(name: &str) -> bool {
    matches!(
        name,
        "align"
            | "bgcolor"
            | "width"
            | "height"
            | "color"
            | "size"
            | "face"
            | "border"
            | "cellspacing"
            | "hspace"
            | "vspace"
            | "nowrap"
            | "hidden"
            | "popover"
            | "dir"
            | "text"
            | "background"
            | "type"
            | "open"
            | "clear"
            | "leftmargin"
            | "marginwidth"
            | "topmargin"
            | "marginheight"
            | "frameborder"
    )
}

/// The declarations that an element's attributes stand for.
pub(super) fn read(dom: Dom<'_>, node: NodeId, table: TableHints, lists: &mut Lists) -> Vec<Declaration> {
    let mut hints = Hints { tag: dom.tag(node), out: Vec::new() };
    if matches!(hints.tag, Tag::Td | Tag::Th) {
        hints.cell(table);
    }
    for attribute in dom.attributes(node) {
        let value = attribute.value.trim_matches(|char: char| char.is_ascii_whitespace());
        if value.len() <= VALUE_LENGTH_MAX {
            hints.attribute(attribute.name, value, lists);
        }
    }
    if is_folded(dom, node) {
        hints.hide();
    }
    hints.out
}

struct Hints {
    tag: Tag,
    out: Vec<Declaration>,
}

impl Hints {
    fn push(&mut self, property: Property, value: Value) {
        self.out.push(Declaration { property, value });
    }

    fn push_all(&mut self, properties: &[Property], px: f32) {
        for &property in properties {
            self.push(property, Value::Length(Sum::px(px)));
        }
    }

    fn cell(&mut self, table: TableHints) {
        if let Some(px) = table.cell_padding {
            self.push_all(&PADDINGS, px);
        }
        if table.cell_border {
            self.border(1.0);
        }
    }

    fn border(&mut self, px: f32) {
        self.push_all(&BORDER_WIDTHS, px);
        for property in BORDER_STYLES {
            self.push(property, Value::Flag(px > 0.0));
        }
    }

    fn attribute(&mut self, name: &str, value: &str, lists: &mut Lists) {
        let tag = self.tag;
        let is_cell = matches!(tag, Tag::Td | Tag::Th);
        let is_picture =
            matches!(tag, Tag::Img | Tag::Iframe | Tag::Object | Tag::Embed | Tag::Video | Tag::Canvas | Tag::Applet);
        let in_table = is_cell || matches!(tag, Tag::Tr | Tag::Tbody | Tag::Thead | Tag::Tfoot);
        match name {
            "align" => self.align(&value.to_ascii_lowercase()),
            "bgcolor" if in_table || matches!(tag, Tag::Table | Tag::Body | Tag::Marquee) => {
                self.color(Property::BackgroundColor, value);
            }
            "background" if in_table || matches!(tag, Tag::Table | Tag::Body) && !value.is_empty() => {
                self.push(Property::BackgroundImage, Value::Flag(true));
            }
            "text" if tag == Tag::Body => self.color(Property::Color, value),
            "color" if matches!(tag, Tag::Font | Tag::Basefont) => self.color(Property::Color, value),
            "face" if tag == Tag::Font => self.out.extend(parse_value_text("font-family", value, lists)),
            "size" if tag == Tag::Font => self.font_size(value),
            "size" if tag == Tag::Hr => self.length(Property::Height, value, false),
            "width" if is_cell || is_picture || matches!(tag, Tag::Table | Tag::Hr | Tag::Col | Tag::Marquee) => {
                self.length(Property::Width, value, true);
            }
            "height" if is_picture || matches!(tag, Tag::Table | Tag::Tr | Tag::Td | Tag::Th | Tag::Marquee) => {
                self.length(Property::Height, value, true);
            }
            "border" if tag == Tag::Table => self.border(number(value).unwrap_or(1.0)),
            "border" if is_picture => self.border(number(value).unwrap_or(0.0)),
            "frameborder" if tag == Tag::Iframe && matches!(value, "0" | "no") => self.border(0.0),
            "cellspacing" if tag == Tag::Table => self.length(Property::BorderSpacing, value, false),
            "hspace" if is_picture || tag == Tag::Table => {
                self.margins(&[Property::MarginLeft, Property::MarginRight], value);
            }
            "vspace" if is_picture || tag == Tag::Table => {
                self.margins(&[Property::MarginTop, Property::MarginBottom], value);
            }
            "leftmargin" | "marginwidth" if tag == Tag::Body => {
                self.margins(&[Property::MarginLeft, Property::MarginRight], value);
            }
            "topmargin" | "marginheight" if tag == Tag::Body => {
                self.margins(&[Property::MarginTop, Property::MarginBottom], value);
            }
            "nowrap" if is_cell => self.push(Property::WhiteSpace, Value::WhiteSpace(WhiteSpace::NoWrap)),
            "popover" => self.hide(),
            "hidden" if !value.eq_ignore_ascii_case("until-found") => self.hide(),
            "dir" => self.direction(value),
            "type" => self.kind(value),
            "clear" if tag == Tag::Br => self.clear(&value.to_ascii_lowercase()),
            "open" if tag == Tag::Dialog => self.push(Property::Display, Value::Display(Display::Block)),
            _ => {}
        }
    }

    fn hide(&mut self) {
        self.push(Property::Display, Value::Display(Display::None));
    }

    fn direction(&mut self, value: &str) {
        let right_to_left = value.eq_ignore_ascii_case("rtl");
        if right_to_left || value.eq_ignore_ascii_case("ltr") {
            self.push(Property::Direction, Value::Flag(right_to_left));
        }
    }

    /// `type` of a list, or of an input that is not shown.
    fn kind(&mut self, value: &str) {
        match (self.tag, value) {
            (Tag::Input, value) if value.eq_ignore_ascii_case("hidden") => self.hide(),
            (Tag::Input, value) if is_button(value) => {
                self.push_all(&[Property::PaddingLeft, Property::PaddingRight], 6.0);
                self.push(Property::TextAlign, Value::TextAlign(TextAlign::Center));
                self.push(Property::BoxSizing, Value::Flag(true));
            }
            (Tag::Input, value) if is_mark(value) => {
                self.push_all(&PADDINGS, 0.0);
                self.border(0.0);
                self.push(Property::MarginLeft, Value::Length(Sum::px(4.0)));
                self.push(Property::MarginRight, Value::Length(Sum::px(3.0)));
            }
            (Tag::Input, value) if value.eq_ignore_ascii_case("image") => {
                self.push_all(&PADDINGS, 0.0);
                self.border(0.0);
            }
            (Tag::Ol | Tag::Li, "1" | "a" | "A" | "i" | "I") => {
                self.push(Property::ListStyleType, Value::ListStyle(ListStyle::Ordered));
            }
            (Tag::Ul | Tag::Li, value) if value.eq_ignore_ascii_case("none") => {
                self.push(Property::ListStyleType, Value::ListStyle(ListStyle::None));
            }
            _ => {}
        }
    }

    fn clear(&mut self, value: &str) {
        let clear = match value {
            "left" => Clear::Left,
            "right" => Clear::Right,
            "all" | "both" => Clear::Both,
            _ => return,
        };
        self.push(Property::Clear, Value::Clear(clear));
    }

    fn align(&mut self, value: &str) {
        match self.tag {
            Tag::Img | Tag::Iframe | Tag::Object | Tag::Embed | Tag::Input | Tag::Applet => match value {
                "left" => self.push(Property::Float, Value::Float(Float::Left)),
                "right" => self.push(Property::Float, Value::Float(Float::Right)),
                _ => {}
            },
            Tag::Table => match value {
                "left" => self.push(Property::Float, Value::Float(Float::Left)),
                "right" => self.push(Property::Float, Value::Float(Float::Right)),
                "center" | "middle" => {
                    self.push(Property::MarginLeft, Value::Auto);
                    self.push(Property::MarginRight, Value::Auto);
                }
                _ => {}
            },
            Tag::Hr => match value {
                "left" => self.push(Property::MarginLeft, Value::Length(Sum::px(0.0))),
                "right" => self.push(Property::MarginRight, Value::Length(Sum::px(0.0))),
                _ => {}
            },
            Tag::Td
            | Tag::Th
            | Tag::Tr
            | Tag::Tbody
            | Tag::Thead
            | Tag::Tfoot
            | Tag::Div
            | Tag::P
            | Tag::H1
            | Tag::H2
            | Tag::H3
            | Tag::H4
            | Tag::H5
            | Tag::H6
            | Tag::Caption
            | Tag::Legend => self.align_text(value),
            _ => {}
        }
    }

    fn align_text(&mut self, value: &str) {
        // In paragraphs and headings only text is aligned, elsewhere blocks as well.
        let is_plain = matches!(self.tag, Tag::P | Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6);
        let align = match value {
            "left" => TextAlign::Left,
            "center" | "middle" if is_plain => TextAlign::Center,
            "center" | "middle" => TextAlign::CenterAll,
            "right" if is_plain => TextAlign::Right,
            "right" => TextAlign::RightAll,
            "justify" => TextAlign::Justify,
            _ => return,
        };
        self.push(Property::TextAlign, Value::TextAlign(align));
    }

    fn color(&mut self, property: Property, value: &str) {
        if let Some(color) = legacy_color(value) {
            self.push(property, Value::Color(color));
        }
    }

    fn font_size(&mut self, value: &str) {
        let digits = value.trim_start_matches(['+', '-']);
        let Some(number) = number(digits) else { return };
        let size = match value.as_bytes().first() {
            Some(b'+') => 3.0 + number,
            Some(b'-') => 3.0 - number,
            _ => number,
        };
        let px = [10.0, 13.0, 16.0, 18.0, 24.0, 32.0, 48.0][(size.clamp(1.0, 7.0) as usize) - 1];
        self.push(Property::FontSize, Value::Length(Sum::px(px)));
    }

    fn length(&mut self, property: Property, value: &str, percent_allowed: bool) {
        let Some(amount) = number(value) else { return };
        let is_percent = value.trim_start_matches(|char: char| char.is_ascii_digit() || char == '.').starts_with('%');
        // A width of 0 in a table means none.
        if amount == 0.0 && matches!(self.tag, Tag::Td | Tag::Th | Tag::Table) && property != Property::BorderSpacing {
            return;
        }
        let sum = match is_percent && percent_allowed {
            true => Sum { percent: amount, ..Sum::default() },
            false => Sum::px(amount),
        };
        self.push(property, Value::Length(sum));
    }

    fn margins(&mut self, properties: &[Property], value: &str) {
        if let Some(px) = number(value) {
            self.push_all(properties, px);
        }
    }
}

const PADDINGS: [Property; 4] =
    [Property::PaddingTop, Property::PaddingRight, Property::PaddingBottom, Property::PaddingLeft];
const BORDER_WIDTHS: [Property; 4] =
    [Property::BorderTopWidth, Property::BorderRightWidth, Property::BorderBottomWidth, Property::BorderLeftWidth];
const BORDER_STYLES: [Property; 4] =
    [Property::BorderTopStyle, Property::BorderRightStyle, Property::BorderBottomStyle, Property::BorderLeftStyle];

fn is_button(kind: &str) -> bool {
    ["submit", "button", "reset"].iter().any(|button| kind.eq_ignore_ascii_case(button))
}

fn is_mark(kind: &str) -> bool {
    ["checkbox", "radio"].iter().any(|mark| kind.eq_ignore_ascii_case(mark))
}

/// The number that a value begins with.
fn number(value: &str) -> Option<f32> {
    let value = value.trim_start();
    let end = value.find(|char: char| !char.is_ascii_digit() && char != '.').unwrap_or(value.len());
    value[..end].parse::<f32>().ok().filter(|number| number.is_finite())
}

/// A colour as attributes write it: a name, digits with or without `#`, or nonsense read as the standard says.
fn legacy_color(value: &str) -> Option<Color> {
    if value.is_empty() || value.eq_ignore_ascii_case("transparent") {
        return None;
    }
    if let Ok((red, green, blue)) = parse_named_color(&value.to_ascii_lowercase()) {
        return Some(Color::opaque(red, green, blue));
    }
    let digits: Vec<u8> = value.trim_start_matches('#').chars().map(hex_or_zero).collect();
    if digits.len() == 3 && value.starts_with('#') {
        return Some(Color::opaque(digits[0] * 17, digits[1] * 17, digits[2] * 17));
    }
    let length = digits.len().div_ceil(3).max(1);
    let part = |index: usize| {
        let digit = |place: usize| digits.get(index * length + place).copied().unwrap_or(0);
        if length == 1 { digit(0) } else { digit(0) * 16 + digit(1) }
    };
    Some(Color::opaque(part(0), part(1), part(2)))
}

fn hex_or_zero(char: char) -> u8 {
    char.to_digit(16).map_or(0, |digit| digit as u8)
}
