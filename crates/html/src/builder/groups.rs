//! The groups into which the standard sorts elements, as bits looked up by tag.

use crate::Tag;

/// Bits of an open element.
pub(super) mod group {
    /// Stops the search for an end tag's element.
    pub(crate) const SPECIAL: u16 = 1;
    /// Bounds "in scope".
    pub(crate) const SCOPE: u16 = 1 << 1;
    /// Bounds "in list item scope" besides.
    pub(crate) const LIST: u16 = 1 << 2;
    /// Bounds "in button scope" besides.
    pub(crate) const BUTTON: u16 = 1 << 3;
    /// Bounds "in table scope".
    pub(crate) const TABLE: u16 = 1 << 4;
    /// Closed by "generate implied end tags".
    pub(crate) const IMPLIED_END: u16 = 1 << 5;
    /// Closed by "generate all implied end tags thoroughly" besides.
    pub(crate) const IMPLIED_END_THOROUGH: u16 = 1 << 6;
    /// `h1` to `h6`.
    pub(crate) const HEADING: u16 = 1 << 7;
    /// Content that stands in it wrongly is put before the table.
    pub(crate) const FOSTERS: u16 = 1 << 8;
    /// An element of SVG or MathML.
    pub(crate) const FOREIGN: u16 = 1 << 9;
    /// An HTML integration point.
    pub(crate) const HTML_POINT: u16 = 1 << 10;
    /// A MathML text integration point.
    pub(crate) const MATH_TEXT_POINT: u16 = 1 << 11;
    /// MathML's `annotation-xml`.
    pub(crate) const ANNOTATION: u16 = 1 << 12;
}

use group::*;

/// The groups of an HTML element.
#[inline]
pub(super) fn groups(tag: Tag) -> u16 {
    GROUPS[tag as usize]
}

static GROUPS: [u16; Tag::COUNT] = {
    use Tag::*;
    let mut groups = [0; Tag::COUNT];
    #[rustfmt::skip]
    let lists: [(u16, &[Tag]); 9] = [
        (SPECIAL, &[
            Address, Applet, Area, Article, Aside, Base, Basefont, Bgsound, Blockquote, Body, Br, Button, Caption,
            Center, Col, Colgroup, Dd, Details, Dir, Div, Dl, Dt, Embed, Fieldset, Figcaption, Figure, Footer, Form,
            Frame, Frameset, H1, H2, H3, H4, H5, H6, Head, Header, Hgroup, Hr, Html, Iframe, Img, Input, Keygen, Li,
            Link, Listing, Main, Marquee, Menu, Meta, Nav, Noembed, Noframes, Noscript, Object, Ol, P, Param,
            Plaintext, Pre, Script, Search, Section, Select, Source, Style, Summary, Table, Tbody, Td, Template,
            Textarea, Tfoot, Th, Thead, Title, Tr, Track, Ul, Wbr, Xmp,
        ]),
        (SCOPE, &[Applet, Caption, Html, Table, Td, Th, Marquee, Object, Select, Template]),
        (LIST, &[Ol, Ul]),
        (BUTTON, &[Button]),
        (TABLE, &[Html, Table, Template]),
        (IMPLIED_END, &[Dd, Dt, Li, Optgroup, Option, P, Rb, Rp, Rt, Rtc]),
        (IMPLIED_END_THOROUGH, &[Caption, Colgroup, Tbody, Td, Tfoot, Th, Thead, Tr]),
        (HEADING, &[H1, H2, H3, H4, H5, H6]),
        (FOSTERS, &[Table, Tbody, Tfoot, Thead, Tr]),
    ];
    let mut list = 0;
    while list < lists.len() {
        let (group, tags) = lists[list];
        let mut index = 0;
        while index < tags.len() {
            groups[tags[index] as usize] |= group;
            index += 1;
        }
        list += 1;
    }
    groups
};
