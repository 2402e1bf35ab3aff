//! What a computed style is made of: [`Style`] and the small types of its fields.
//!
//! Everything here is plain and `Copy`; relative units other than per cents are resolved already.

/// How an element takes part in layout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Display {
    /// In the line.
    #[default]
    Inline,
    /// A block.
    Block,
    /// A block that stands in the line.
    InlineBlock,
    /// A block with a marker.
    ListItem,
    /// A table.
    Table,
    /// A table that stands in the line.
    InlineTable,
    /// `tbody`, `thead`, `tfoot`.
    TableRowGroup,
    /// A row of a table.
    TableRow,
    /// A cell of a table.
    TableCell,
    /// The caption of a table.
    TableCaption,
    /// `col` and `colgroup`.
    TableColumn,
    /// A block whose children are laid out by flex.
    Flex,
    /// The same, standing in the line.
    InlineFlex,
    /// A block whose children are laid out on a grid.
    Grid,
    /// The same, standing in the line.
    InlineGrid,
    /// No box of its own; its children stand in its place.
    Contents,
    /// Not shown.
    None,
}

impl Display {
    /// Whether the element stands in a line among text.
    pub fn is_inline(self) -> bool {
        matches!(
            self,
            Display::Inline
                | Display::InlineBlock
                | Display::InlineTable
                | Display::InlineFlex
                | Display::InlineGrid
                | Display::Contents
        )
    }

    /// Whether the element starts a new line and ends it: neither in a line, nor a cell, nor hidden.
    pub fn is_block(self) -> bool {
        !self.is_inline() && !matches!(self, Display::None | Display::TableCell | Display::TableColumn)
    }
}

/// The scheme by which a box is placed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Position {
    /// Where the flow puts it.
    #[default]
    Static,
    /// Moved from where the flow puts it.
    Relative,
    /// Against the nearest positioned ancestor.
    Absolute,
    /// Against the window.
    Fixed,
    /// In the flow, until scrolled.
    Sticky,
}

/// To which side a box floats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Float {
    /// Not at all.
    #[default]
    None,
    /// To the left.
    Left,
    /// To the right.
    Right,
}

/// Which floats a box stands below.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Clear {
    /// None.
    #[default]
    None,
    /// Those to the left.
    Left,
    /// Those to the right.
    Right,
    /// All.
    Both,
}

/// How the lines of a block are aligned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TextAlign {
    /// At the left.
    #[default]
    Left,
    /// In the middle.
    Center,
    /// At the right.
    Right,
    /// At both edges.
    Justify,
    /// In the middle, blocks inside included: `<center>` and `align=center`.
    CenterAll,
    /// At the right, blocks inside included: `align=right`.
    RightAll,
}

/// What white space in the source does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum WhiteSpace {
    /// Runs of it are one space, lines wrap.
    #[default]
    Normal,
    /// Runs of it are one space, lines do not wrap.
    NoWrap,
    /// It stands as written, lines do not wrap.
    Pre,
    /// It stands as written, lines wrap.
    PreWrap,
    /// Runs of it are one space, line breaks stand, lines wrap.
    PreLine,
}

impl WhiteSpace {
    /// Whether line breaks of the source are line breaks of the page.
    pub fn keeps_breaks(self) -> bool {
        matches!(self, WhiteSpace::Pre | WhiteSpace::PreWrap | WhiteSpace::PreLine)
    }

    /// Whether spaces of the source stand as written.
    pub fn keeps_spaces(self) -> bool {
        matches!(self, WhiteSpace::Pre | WhiteSpace::PreWrap)
    }

    /// Whether long lines are broken.
    pub fn wraps(self) -> bool {
        !matches!(self, WhiteSpace::NoWrap | WhiteSpace::Pre)
    }
}

/// The marker of a list item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ListStyle {
    /// A filled dot, circle, square or picture.
    #[default]
    Bullet,
    /// A number or letter.
    Ordered,
    /// No marker.
    None,
}

/// Along which axis a flex container lays out its children.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FlexDirection {
    /// From left to right.
    #[default]
    Row,
    /// From right to left.
    RowReverse,
    /// From top to bottom.
    Column,
    /// From bottom to top.
    ColumnReverse,
}

/// Where the free room of a flex line goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Justify {
    /// Behind the items.
    #[default]
    Start,
    /// On both sides of the items.
    Center,
    /// Before the items.
    End,
    /// Between the items.
    Between,
    /// Around every item.
    Around,
}

/// The class of typefaces that a font family belongs to; decides how wide its letters are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Typeface {
    /// Times and its like.
    #[default]
    Serif,
    /// Arial, Helvetica and their like.
    Sans,
    /// Letters of one width.
    Mono,
}

/// The height of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum LineHeight {
    /// As the font says.
    #[default]
    Normal,
    /// This many font sizes.
    Factor(f32),
    /// In pixels.
    Px(f32),
}

/// A length: pixels plus a share of the containing block, or left to the layout.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Length {
    /// Left to the layout (for maximum sizes: no limit).
    #[default]
    Auto,
    /// `px` pixels and `percent` per cent of the containing block together.
    Fixed {
        /// The part in pixels.
        px: f32,
        /// The part in per cent of the containing block, 100 being all of it.
        percent: f32,
    },
}

impl Length {
    /// No length at all.
    pub const ZERO: Length = Length::Fixed { px: 0.0, percent: 0.0 };

    /// A length in pixels.
    pub const fn px(px: f32) -> Length {
        Length::Fixed { px, percent: 0.0 }
    }

    /// The length in pixels against a containing block this large; `None` for `Auto`.
    pub fn against(self, base: f32) -> Option<f32> {
        match self {
            Length::Auto => None,
            Length::Fixed { px, percent } => Some(px + percent * base / 100.0),
        }
    }

    /// The length where it does not depend on the containing block.
    pub fn fixed(self) -> Option<f32> {
        match self {
            Length::Fixed { px, percent: 0.0 } => Some(px),
            _ => None,
        }
    }

    /// Whether it depends on the containing block's size.
    pub fn is_relative(self) -> bool {
        matches!(self, Length::Fixed { percent, .. } if percent != 0.0)
    }
}

/// Four values, one per side of a box.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sides<T> {
    /// Above.
    pub top: T,
    /// To the right.
    pub right: T,
    /// Below.
    pub bottom: T,
    /// To the left.
    pub left: T,
}

impl<T: Copy> Sides<T> {
    /// The same value on all sides.
    pub const fn all(value: T) -> Sides<T> {
        Sides { top: value, right: value, bottom: value, left: value }
    }
}

/// A colour with its opacity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Color {
    /// Red, 0 to 255.
    pub red: u8,
    /// Green, 0 to 255.
    pub green: u8,
    /// Blue, 0 to 255.
    pub blue: u8,
    /// Opacity, 0 (not seen) to 255.
    pub alpha: u8,
}

impl Color {
    /// Black.
    pub const BLACK: Color = Color { red: 0, green: 0, blue: 0, alpha: 255 };
    /// Nothing to be seen.
    pub const TRANSPARENT: Color = Color { red: 0, green: 0, blue: 0, alpha: 0 };

    /// A colour that lets nothing through.
    pub const fn opaque(red: u8, green: u8, blue: u8) -> Color {
        Color { red, green, blue, alpha: 255 }
    }
}

/// What the style sheets say of one element, inherited values included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// How the element takes part in layout.
    pub display: Display,
    /// Whether it can be seen as far as `visibility` says.
    pub visible: bool,
    /// The scheme by which it is placed.
    pub position: Position,
    /// Offsets from the edges of the containing block, for positioned boxes.
    pub inset: Sides<Length>,
    /// To which side it floats.
    pub float: Float,
    /// Which floats it stands below.
    pub clear: Clear,
    /// Whether a clearing pseudo-element closes it, so that it holds its floats.
    pub clears_inside: bool,
    /// Given width.
    pub width: Length,
    /// Given height.
    pub height: Length,
    /// Smallest width.
    pub min_width: Length,
    /// Largest width.
    pub max_width: Length,
    /// Smallest height.
    pub min_height: Length,
    /// Largest height.
    pub max_height: Length,
    /// Whether given sizes include padding and border.
    pub border_box: bool,
    /// Margins.
    pub margin: Sides<Length>,
    /// Paddings.
    pub padding: Sides<Length>,
    /// Widths of the borders that are drawn, in pixels.
    pub border: Sides<f32>,
    /// Background colour; `None` where the background shows through.
    pub background: Option<Color>,
    /// Whether there is a background picture or gradient.
    pub background_image: bool,
    /// Colour of the text.
    pub color: Color,
    /// The first font family, an index for [`super::Styles::font_family`].
    pub font_family: u16,
    /// The class of typefaces of the font family.
    pub typeface: Typeface,
    /// Font size in pixels.
    pub font_size: f32,
    /// Font weight; 400 is normal, 700 is bold.
    pub font_weight: u16,
    /// Whether the text is italic or oblique.
    pub italic: bool,
    /// Whether the text is shown in capitals.
    pub uppercase: bool,
    /// Room between letters in pixels.
    pub letter_spacing: f32,
    /// The height of a line.
    pub line_height: LineHeight,
    /// How lines are aligned.
    pub text_align: TextAlign,
    /// Indentation of the first line; far to the left it hides the text.
    pub text_indent: Length,
    /// What white space does.
    pub white_space: WhiteSpace,
    /// Whether text runs from right to left.
    pub right_to_left: bool,
    /// The marker of a list item.
    pub list_style: ListStyle,
    /// Whether what does not fit is cut off (or can be scrolled to).
    pub clips: bool,
    /// Whether `clip` or `clip-path` cuts everything away.
    pub clipped_away: bool,
    /// Opacity, 0 to 1.
    pub opacity: f32,
    /// The axis of a flex container.
    pub flex_direction: FlexDirection,
    /// Whether a flex container breaks into lines.
    pub flex_wrap: bool,
    /// Share of the free room that a flex item takes.
    pub flex_grow: f32,
    /// Share of the missing room that a flex item gives.
    pub flex_shrink: f32,
    /// Size of a flex item before free room is shared out.
    pub flex_basis: Length,
    /// Where the free room of a flex line goes.
    pub justify: Justify,
    /// Room between rows of a flex or grid container, in pixels.
    pub row_gap: f32,
    /// Room between columns of a flex or grid container, in pixels.
    pub column_gap: f32,
    /// Columns of a grid container, an index for [`super::Styles::grid_columns`]; 0 is one column.
    pub grid_columns: u16,
    /// Columns that a grid item spans; 0 is all of them.
    pub grid_span: u8,
    /// Room between table cells, in pixels.
    pub border_spacing: f32,
    /// Whether table cells share their borders, so that there is no room between them.
    pub border_collapse: bool,
    /// Whether the columns of a table do not look at their content.
    pub table_fixed: bool,
}

impl Style {
    /// The style of an element about which nothing is said.
    pub const INITIAL: Style = Style {
        display: Display::Inline,
        visible: true,
        position: Position::Static,
        inset: Sides::all(Length::Auto),
        float: Float::None,
        clear: Clear::None,
        clears_inside: false,
        width: Length::Auto,
        height: Length::Auto,
        min_width: Length::Auto,
        max_width: Length::Auto,
        min_height: Length::Auto,
        max_height: Length::Auto,
        border_box: false,
        margin: Sides::all(Length::ZERO),
        padding: Sides::all(Length::ZERO),
        border: Sides::all(0.0),
        background: None,
        background_image: false,
        color: Color::BLACK,
        font_family: 0,
        typeface: Typeface::Serif,
        font_size: 16.0,
        font_weight: 400,
        italic: false,
        uppercase: false,
        letter_spacing: 0.0,
        line_height: LineHeight::Normal,
        text_align: TextAlign::Left,
        text_indent: Length::ZERO,
        white_space: WhiteSpace::Normal,
        right_to_left: false,
        list_style: ListStyle::Bullet,
        clips: false,
        clipped_away: false,
        opacity: 1.0,
        flex_direction: FlexDirection::Row,
        flex_wrap: false,
        flex_grow: 0.0,
        flex_shrink: 1.0,
        flex_basis: Length::Auto,
        justify: Justify::Start,
        row_gap: 0.0,
        column_gap: 0.0,
        grid_columns: 0,
        grid_span: 1,
        border_spacing: 2.0,
        border_collapse: false,
        table_fixed: false,
    };

    /// What a child starts from: inherited values, all others initial.
    pub(crate) fn inherited(&self) -> Style {
        Style {
            visible: self.visible,
            color: self.color,
            font_family: self.font_family,
            typeface: self.typeface,
            font_size: self.font_size,
            font_weight: self.font_weight,
            italic: self.italic,
            uppercase: self.uppercase,
            letter_spacing: self.letter_spacing,
            line_height: self.line_height,
            text_align: self.text_align,
            text_indent: self.text_indent,
            white_space: self.white_space,
            right_to_left: self.right_to_left,
            list_style: self.list_style,
            border_spacing: self.border_spacing,
            border_collapse: self.border_collapse,
            ..Style::INITIAL
        }
    }

    /// Whether the box is taken out of the flow: floating or placed absolutely.
    pub fn is_out_of_flow(&self) -> bool {
        self.float != Float::None || self.is_absolute()
    }

    /// Whether the box is placed against an ancestor or the window.
    pub fn is_absolute(&self) -> bool {
        matches!(self.position, Position::Absolute | Position::Fixed)
    }

    /// The height of a line in pixels.
    pub fn line_px(&self) -> f32 {
        match self.line_height {
            LineHeight::Normal => self.font_size * 1.15,
            LineHeight::Factor(factor) => self.font_size * factor,
            LineHeight::Px(px) => px,
        }
    }

    /// Whether this style alone hides the text that stands directly in the element.
    pub(crate) fn hides_own_text(&self) -> bool {
        let pushed_out =
            matches!(self.text_indent, Length::Fixed { px, percent } if px < PUSHED_OUT || percent < -90.0);
        !self.visible || pushed_out || self.font_size < 1.0
    }

    /// Whether this style hides the element with everything inside it, whatever is said there.
    pub(crate) fn hides_all_inside(&self) -> bool {
        let outside = |length: Length| length.fixed().is_some_and(|px| px < PUSHED_OUT);
        let nothing = |length: Length| length.fixed().is_some_and(|px| px <= 1.0);
        self.display == Display::None
            || self.opacity < 0.01
            || self.clipped_away
            || (self.position != Position::Static && (outside(self.inset.left) || outside(self.inset.top)))
            || (self.is_absolute() && (outside(self.inset.right) || outside(self.inset.bottom)))
            || outside(self.margin.left)
            || outside(self.margin.top)
            || (self.clips && self.display != Display::Inline && self.is_collapsed(nothing))
    }

    fn is_collapsed(&self, nothing: impl Fn(Length) -> bool) -> bool {
        let padded = [self.padding.top, self.padding.bottom].into_iter().any(|side| !nothing(side));
        nothing(self.width) || (nothing(self.height) && !padded) || nothing(self.max_height)
    }
}

/// Further out than this, in pixels, nobody scrolls: a trick to hide text.
const PUSHED_OUT: f32 = -900.0;

impl Default for Style {
    fn default() -> Style {
        Style::INITIAL
    }
}
