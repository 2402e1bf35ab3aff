//! The properties that are read, in one table, and the declarations made of them.
//!
//! A [`Declaration`] names one longhand; shorthands are split when they are parsed (`parse/`).

use super::value::*;

macro_rules! properties {
    ($($variant:ident $name:literal [$($field:ident).+] $inherited:literal),* $(,)?) => {
        /// A longhand property.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(super) enum Property {
            $($variant,)*
        }

        impl Property {
            /// The property of this lower-case name.
            pub(super) fn from_name(name: &str) -> Option<Property> {
                match name {
                    $($name => Some(Property::$variant),)*
                    _ => None,
                }
            }

            /// Whether children take the parent's value when nothing is said.
            pub(super) fn is_inherited(self) -> bool {
                match self {
                    $(Property::$variant => $inherited,)*
                }
            }

            /// Takes the property's value over from another style.
            pub(super) fn copy(self, to: &mut Style, from: &Style) {
                match self {
                    $(Property::$variant => to.$($field).+ = from.$($field).+,)*
                }
            }
        }
    };
}

properties! {
    Display "display" [display] false,
    Visibility "visibility" [visible] true,
    Position "position" [position] false,
    Top "top" [inset.top] false,
    Right "right" [inset.right] false,
    Bottom "bottom" [inset.bottom] false,
    Left "left" [inset.left] false,
    Float "float" [float] false,
    Clear "clear" [clear] false,
    Width "width" [width] false,
    Height "height" [height] false,
    MinWidth "min-width" [min_width] false,
    MaxWidth "max-width" [max_width] false,
    MinHeight "min-height" [min_height] false,
    MaxHeight "max-height" [max_height] false,
    BoxSizing "box-sizing" [border_box] false,
    MarginTop "margin-top" [margin.top] false,
    MarginRight "margin-right" [margin.right] false,
    MarginBottom "margin-bottom" [margin.bottom] false,
    MarginLeft "margin-left" [margin.left] false,
    PaddingTop "padding-top" [padding.top] false,
    PaddingRight "padding-right" [padding.right] false,
    PaddingBottom "padding-bottom" [padding.bottom] false,
    PaddingLeft "padding-left" [padding.left] false,
    BorderTopWidth "border-top-width" [border.top] false,
    BorderRightWidth "border-right-width" [border.right] false,
    BorderBottomWidth "border-bottom-width" [border.bottom] false,
    BorderLeftWidth "border-left-width" [border.left] false,
    BorderTopStyle "border-top-style" [border.top] false,
    BorderRightStyle "border-right-style" [border.right] false,
    BorderBottomStyle "border-bottom-style" [border.bottom] false,
    BorderLeftStyle "border-left-style" [border.left] false,
    BackgroundColor "background-color" [background] false,
    BackgroundImage "background-image" [background_image] false,
    Color "color" [color] true,
    FontFamily "font-family" [font_family] true,
    FontSize "font-size" [font_size] true,
    FontWeight "font-weight" [font_weight] true,
    FontStyle "font-style" [italic] true,
    TextTransform "text-transform" [uppercase] true,
    LetterSpacing "letter-spacing" [letter_spacing] true,
    LineHeight "line-height" [line_height] true,
    TextAlign "text-align" [text_align] true,
    TextIndent "text-indent" [text_indent] true,
    WhiteSpace "white-space" [white_space] true,
    Direction "direction" [right_to_left] true,
    ListStyleType "list-style-type" [list_style] true,
    Overflow "overflow" [clips] false,
    Clip "clip" [clipped_away] false,
    ClipPath "clip-path" [clipped_away] false,
    Opacity "opacity" [opacity] false,
    FlexDirection "flex-direction" [flex_direction] false,
    FlexWrap "flex-wrap" [flex_wrap] false,
    FlexGrow "flex-grow" [flex_grow] false,
    FlexShrink "flex-shrink" [flex_shrink] false,
    FlexBasis "flex-basis" [flex_basis] false,
    JustifyContent "justify-content" [justify] false,
    RowGap "row-gap" [row_gap] false,
    ColumnGap "column-gap" [column_gap] false,
    GridTemplateColumns "grid-template-columns" [grid_columns] false,
    GridColumn "grid-column" [grid_span] false,
    BorderSpacing "border-spacing" [border_spacing] true,
    BorderCollapse "border-collapse" [border_collapse] true,
    TableLayout "table-layout" [table_fixed] false,
}

/// A length as written: relative units are still to be resolved.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sum {
    pub(super) px: f32,
    pub(super) percent: f32,
    /// In font sizes of the element.
    pub(super) em: f32,
    /// In font sizes of the root element.
    pub(super) rem: f32,
}

impl Sum {
    pub(super) fn px(px: f32) -> Sum {
        Sum { px, ..Sum::default() }
    }

    pub(super) fn plus(self, other: Sum, sign: f32) -> Sum {
        Sum {
            px: self.px + sign * other.px,
            percent: self.percent + sign * other.percent,
            em: self.em + sign * other.em,
            rem: self.rem + sign * other.rem,
        }
    }

    pub(super) fn times(self, factor: f32) -> Sum {
        Sum { px: self.px * factor, percent: self.percent * factor, em: self.em * factor, rem: self.rem * factor }
    }

    /// The length with `em` and `rem` resolved to pixels.
    pub(super) fn resolve(self, font_size: f32, root_font_size: f32) -> Length {
        let px = self.px + self.em * font_size + self.rem * root_font_size;
        Length::Fixed { px: clamp_px(px), percent: self.percent.clamp(-10_000.0, 10_000.0) }
    }
}

/// Keeps absurd lengths from turning into infinities further on.
fn clamp_px(px: f32) -> f32 {
    if px.is_finite() { px.clamp(-1.0e6, 1.0e6) } else { 0.0 }
}

/// The value of a declaration, as far as it can be known without the element.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// `inherit`.
    Inherit,
    /// `initial`.
    Initial,
    /// `unset`, `revert`: inherited properties inherit, others are initial.
    Unset,
    /// The text of a value with `var()` in it, to be parsed when the variables are known, and the name of
    /// the property (or shorthand) as written.
    Variables(Box<(String, String)>),
    Display(Display),
    Position(Position),
    Float(Float),
    Clear(Clear),
    /// `auto`, `none`, `normal` of a length.
    Auto,
    Length(Sum),
    Flag(bool),
    Color(Color),
    /// `currentcolor`.
    CurrentColor,
    Family(u16, Typeface),
    /// A number: weight, opacity, factor.
    Number(f32),
    /// `bolder` (+) or `lighter` (-); `larger` or `smaller`.
    Step(i8),
    TextAlign(TextAlign),
    WhiteSpace(WhiteSpace),
    ListStyle(ListStyle),
    FlexDirection(FlexDirection),
    Justify(Justify),
    /// An index into the style sheets' grids.
    Grid(u16),
}

/// One declaration of a longhand.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Declaration {
    pub(super) property: Property,
    pub(super) value: Value,
}

/// The declarations of one rule, style attribute or element's hints.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Block {
    pub(super) normal: Vec<Declaration>,
    pub(super) important: Vec<Declaration>,
    /// Custom properties: name without the dashes, text of the value.
    pub(super) variables: Vec<(String, String)>,
}

impl Block {
    pub(super) fn is_empty(&self) -> bool {
        self.normal.is_empty() && self.important.is_empty() && self.variables.is_empty()
    }
}
