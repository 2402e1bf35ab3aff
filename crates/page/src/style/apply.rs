//! Computes one element's style: declarations in the order of the cascade, applied over the parent's style.

use super::parse::{Lists, parse_value_text};
use super::property::{Declaration, Property, Sum, Value};
use super::value::*;
use super::variables::Variables;

/// What an element's style is computed from, besides its declarations.
pub(super) struct Context<'a> {
    pub(super) parent: &'a Style,
    pub(super) root_font_size: f32,
    pub(super) variables: &'a Variables,
    /// The element's scope of variables.
    pub(super) scope: u32,
}

/// A style on its way: border widths and styles are apart until all is said.
struct Draft<'a> {
    context: &'a Context<'a>,
    style: Style,
    border_widths: Sides<f32>,
    border_drawn: Sides<bool>,
}

/// Applies declarations, weakest first.
pub(super) fn compute(context: &Context<'_>, declarations: &[&Declaration], lists: &mut Lists) -> Style {
    let mut draft = Draft {
        context,
        style: context.parent.inherited(),
        border_widths: Sides::all(MEDIUM_BORDER_PX),
        border_drawn: Sides::all(false),
    };
    // Lengths depend on the font size, so it comes first.
    for declaration in declarations.iter().filter(|declaration| declaration.property == Property::FontSize) {
        draft.apply(declaration, Pass::FontSize, lists);
    }
    for declaration in declarations {
        draft.apply(declaration, Pass::Others, lists);
    }
    draft.finish()
}

/// The width of a border that has only a style.
const MEDIUM_BORDER_PX: f32 = 3.0;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    FontSize,
    Others,
}

impl Draft<'_> {
    fn apply(&mut self, declaration: &Declaration, pass: Pass, lists: &mut Lists) {
        let property = declaration.property;
        if let Value::Variables(text) = &declaration.value {
            let Some(value) = self.context.variables.substitute(self.context.scope, &text.1) else { return };
            for parsed in parse_value_text(&text.0, &value, lists) {
                self.apply_parsed(parsed.property, &parsed.value, pass);
            }
            return;
        }
        self.apply_parsed(property, &declaration.value, pass);
    }

    fn apply_parsed(&mut self, property: Property, value: &Value, pass: Pass) {
        if (pass == Pass::FontSize) != (property == Property::FontSize) {
            return;
        }
        match value {
            Value::Inherit => self.take_over(property, true),
            Value::Initial => self.take_over(property, false),
            Value::Unset => self.take_over(property, property.is_inherited()),
            Value::Variables(_) => {}
            value => self.set(property, value),
        }
    }

    fn take_over(&mut self, property: Property, inherit: bool) {
        let from = if inherit { self.context.parent } else { &Style::INITIAL };
        property.copy(&mut self.style, from);
        if property == Property::FontFamily {
            self.style.typeface = from.typeface;
        }
        let (width, drawn) = (&mut self.border_widths, &mut self.border_drawn);
        match property {
            Property::BorderTopWidth => width.top = from.border.top,
            Property::BorderRightWidth => width.right = from.border.right,
            Property::BorderBottomWidth => width.bottom = from.border.bottom,
            Property::BorderLeftWidth => width.left = from.border.left,
            Property::BorderTopStyle => drawn.top = from.border.top > 0.0,
            Property::BorderRightStyle => drawn.right = from.border.right > 0.0,
            Property::BorderBottomStyle => drawn.bottom = from.border.bottom > 0.0,
            Property::BorderLeftStyle => drawn.left = from.border.left > 0.0,
            _ => {}
        }
    }

    fn set(&mut self, property: Property, value: &Value) {
        match *value {
            Value::Length(sum) => self.set_length(property, sum),
            Value::Auto => self.set_auto(property),
            Value::Flag(flag) => self.set_flag(property, flag),
            Value::Number(number) => self.set_number(property, number),
            Value::Step(step) => self.set_step(property, step),
            Value::Color(color) => self.set_color(property, color),
            Value::CurrentColor => {
                let color = if property == Property::Color { self.context.parent.color } else { self.style.color };
                self.set_color(property, color);
            }
            Value::Display(display) => self.style.display = display,
            Value::Position(position) => self.style.position = position,
            Value::Float(float) => self.style.float = float,
            Value::Clear(clear) => self.style.clear = clear,
            Value::Family(family, typeface) => {
                self.style.font_family = family;
                self.style.typeface = typeface;
            }
            Value::TextAlign(align) => self.style.text_align = align,
            Value::WhiteSpace(white_space) => self.style.white_space = white_space,
            Value::ListStyle(list_style) => self.style.list_style = list_style,
            Value::FlexDirection(direction) => self.style.flex_direction = direction,
            Value::Justify(justify) => self.style.justify = justify,
            Value::Grid(grid) => self.style.grid_columns = grid,
            Value::Inherit | Value::Initial | Value::Unset | Value::Variables(_) => {}
        }
    }

    fn set_length(&mut self, property: Property, sum: Sum) {
        if property == Property::FontSize {
            let parent_size = self.context.parent.font_size;
            let length = sum.resolve(parent_size, self.context.root_font_size);
            self.style.font_size = length.against(parent_size).unwrap_or(parent_size).clamp(0.0, FONT_SIZE_MAX_PX);
            return;
        }
        let length = sum.resolve(self.style.font_size, self.context.root_font_size);
        let px = length.against(0.0).unwrap_or(0.0);
        if let Some(place) = self.length_place(property) {
            *place = length;
            return;
        }
        match property {
            Property::LineHeight => {
                self.style.line_height = LineHeight::Px(length.against(self.style.font_size).unwrap_or(px).max(0.0));
            }
            Property::LetterSpacing => self.style.letter_spacing = px.clamp(-50.0, 50.0),
            Property::BorderSpacing => self.style.border_spacing = px.max(0.0),
            Property::RowGap => self.style.row_gap = px.max(0.0),
            Property::ColumnGap => self.style.column_gap = px.max(0.0),
            Property::BorderTopWidth => self.border_widths.top = px.max(0.0),
            Property::BorderRightWidth => self.border_widths.right = px.max(0.0),
            Property::BorderBottomWidth => self.border_widths.bottom = px.max(0.0),
            Property::BorderLeftWidth => self.border_widths.left = px.max(0.0),
            _ => {}
        }
    }

    fn length_place(&mut self, property: Property) -> Option<&mut Length> {
        let style = &mut self.style;
        let place = match property {
            Property::Top => &mut style.inset.top,
            Property::Right => &mut style.inset.right,
            Property::Bottom => &mut style.inset.bottom,
            Property::Left => &mut style.inset.left,
            Property::Width => &mut style.width,
            Property::Height => &mut style.height,
            Property::MinWidth => &mut style.min_width,
            Property::MaxWidth => &mut style.max_width,
            Property::MinHeight => &mut style.min_height,
            Property::MaxHeight => &mut style.max_height,
            Property::MarginTop => &mut style.margin.top,
            Property::MarginRight => &mut style.margin.right,
            Property::MarginBottom => &mut style.margin.bottom,
            Property::MarginLeft => &mut style.margin.left,
            Property::PaddingTop => &mut style.padding.top,
            Property::PaddingRight => &mut style.padding.right,
            Property::PaddingBottom => &mut style.padding.bottom,
            Property::PaddingLeft => &mut style.padding.left,
            Property::TextIndent => &mut style.text_indent,
            Property::FlexBasis => &mut style.flex_basis,
            _ => return None,
        };
        Some(place)
    }

    fn set_auto(&mut self, property: Property) {
        if let Some(place) = self.length_place(property) {
            *place = Length::Auto;
            return;
        }
        match property {
            Property::LineHeight => self.style.line_height = LineHeight::Normal,
            Property::LetterSpacing => self.style.letter_spacing = 0.0,
            Property::RowGap => self.style.row_gap = 0.0,
            Property::ColumnGap => self.style.column_gap = 0.0,
            _ => {}
        }
    }

    fn set_flag(&mut self, property: Property, flag: bool) {
        let place = match property {
            Property::Visibility => &mut self.style.visible,
            Property::BoxSizing => &mut self.style.border_box,
            Property::FontStyle => &mut self.style.italic,
            Property::TextTransform => &mut self.style.uppercase,
            Property::Direction => &mut self.style.right_to_left,
            Property::Overflow => &mut self.style.clips,
            Property::Clip | Property::ClipPath => &mut self.style.clipped_away,
            Property::BackgroundImage => &mut self.style.background_image,
            Property::FlexWrap => &mut self.style.flex_wrap,
            Property::BorderCollapse => &mut self.style.border_collapse,
            Property::TableLayout => &mut self.style.table_fixed,
            Property::BorderTopStyle => &mut self.border_drawn.top,
            Property::BorderRightStyle => &mut self.border_drawn.right,
            Property::BorderBottomStyle => &mut self.border_drawn.bottom,
            Property::BorderLeftStyle => &mut self.border_drawn.left,
            _ => return,
        };
        *place = flag;
    }

    fn set_number(&mut self, property: Property, number: f32) {
        match property {
            Property::FontWeight => self.style.font_weight = number as u16,
            Property::LineHeight => self.style.line_height = LineHeight::Factor(number.clamp(0.0, 100.0)),
            Property::Opacity => self.style.opacity = number.clamp(0.0, 1.0),
            Property::FlexGrow => self.style.flex_grow = number.clamp(0.0, 1.0e4),
            Property::FlexShrink => self.style.flex_shrink = number.clamp(0.0, 1.0e4),
            Property::GridColumn => self.style.grid_span = number as u8,
            _ => {}
        }
    }

    fn set_step(&mut self, property: Property, step: i8) {
        let parent = self.context.parent;
        match (property, step > 0) {
            (Property::FontWeight, true) => {
                self.style.font_weight = if parent.font_weight < 400 { 400 } else { parent.font_weight.max(700) };
            }
            (Property::FontWeight, false) => {
                self.style.font_weight = if parent.font_weight > 600 { 400 } else { 100 };
            }
            (Property::FontSize, true) => self.style.font_size = (parent.font_size * 1.2).min(FONT_SIZE_MAX_PX),
            (Property::FontSize, false) => self.style.font_size = parent.font_size / 1.2,
            _ => {}
        }
    }

    fn set_color(&mut self, property: Property, color: Color) {
        match property {
            Property::Color => self.style.color = color,
            Property::BackgroundColor => self.style.background = (color.alpha > 0).then_some(color),
            _ => {}
        }
    }

    fn finish(self) -> Style {
        let mut style = self.style;
        let width = |drawn: bool, width: f32| if drawn { width } else { 0.0 };
        style.border = Sides {
            top: width(self.border_drawn.top, self.border_widths.top),
            right: width(self.border_drawn.right, self.border_widths.right),
            bottom: width(self.border_drawn.bottom, self.border_widths.bottom),
            left: width(self.border_drawn.left, self.border_widths.left),
        };
        if style.is_absolute() {
            style.float = Float::None;
        }
        let in_flex = matches!(
            self.context.parent.display,
            Display::Flex | Display::InlineFlex | Display::Grid | Display::InlineGrid
        );
        if style.is_out_of_flow() || in_flex {
            style.display = blockified(style.display);
        }
        style
    }
}

/// Letters larger than this are not laid out.
const FONT_SIZE_MAX_PX: f32 = 400.0;

/// The display of a box that stands alone though it was meant for a line or table.
fn blockified(display: Display) -> Display {
    match display {
        Display::Inline
        | Display::InlineBlock
        | Display::TableRowGroup
        | Display::TableRow
        | Display::TableCell
        | Display::TableCaption
        | Display::TableColumn => Display::Block,
        Display::InlineTable => Display::Table,
        Display::InlineFlex => Display::Flex,
        Display::InlineGrid => Display::Grid,
        other => other,
    }
}
