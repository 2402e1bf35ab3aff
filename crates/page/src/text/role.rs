//! How an element takes part in the flow of text: by its style, and where the style says nothing by its name.

use kuai_html::{Dom, NodeId, Tag};

use super::spacing::Part;
use crate::Styles;

/// What an element does to the text inside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// What is inside is no text of the page at all: code, metadata, fallbacks.
    NoText,
    /// Text that a browser would not show.
    Hidden(Part),
    /// Text that is shown.
    Shown(Part),
}

/// The role of an element.
pub(super) fn role_of(dom: Dom<'_>, _styles: &Styles, node: NodeId) -> Role {
    let tag = dom.tag(node);
    if is_no_text(dom, node, tag) {
        return Role::NoText;
    }
    let part = part_of(tag);
    if is_hidden(dom, node, tag) { Role::Hidden(part) } else { Role::Shown(part) }
}

/// Whether the white space inside is kept as it is.
pub(super) fn is_preformatted(tag: Tag) -> bool {
    matches!(tag, Tag::Pre | Tag::Listing | Tag::Xmp | Tag::Plaintext | Tag::Textarea)
}

fn is_no_text(dom: Dom<'_>, node: NodeId, tag: Tag) -> bool {
    match tag {
        Tag::Foreign => matches!(dom.name(node), "script" | "style" | "title" | "desc" | "metadata"),
        Tag::Head
        | Tag::Title
        | Tag::Script
        | Tag::Style
        | Tag::Template
        | Tag::Iframe
        | Tag::Noframes
        | Tag::Noembed
        | Tag::Audio
        | Tag::Video
        | Tag::Canvas
        | Tag::Datalist => true,
        _ => false,
    }
}

/// Decision: of the options of a `select`, the chosen one is shown. What a closed `details` holds counts as shown:
/// readers open it, and pages keep their text there.
fn is_hidden(dom: Dom<'_>, node: NodeId, tag: Tag) -> bool {
    match tag {
        Tag::Rp => true,
        Tag::Option => dom.attribute(node, "selected").is_none(),
        Tag::Dialog => dom.attribute(node, "open").is_none(),
        Tag::Foreign => matches!(dom.name(node), "annotation" | "annotation-xml"),
        _ => dom.attribute(node, "hidden").is_some(),
    }
}

fn part_of(tag: Tag) -> Part {
    match tag {
        Tag::Br => Part::Break,
        Tag::Button | Tag::Select | Tag::Input | Tag::Meter | Tag::Progress => Part::Control,
        Tag::Td | Tag::Th => Part::Cell,
        Tag::P | Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 | Tag::Hr => Part::Paragraph,
        Tag::Blockquote | Tag::Pre | Tag::Listing | Tag::Xmp | Tag::Plaintext => Part::Paragraph,
        Tag::Html | Tag::Body | Tag::Address | Tag::Article | Tag::Aside | Tag::Caption | Tag::Center => Part::Block,
        Tag::Dd | Tag::Details | Tag::Dialog | Tag::Dir | Tag::Div | Tag::Dl | Tag::Dt | Tag::Fieldset => Part::Block,
        Tag::Figcaption | Tag::Figure | Tag::Footer | Tag::Form | Tag::Frameset | Tag::Header => Part::Block,
        Tag::Hgroup | Tag::Legend | Tag::Li | Tag::Main | Tag::Menu | Tag::Nav | Tag::Ol | Tag::Optgroup => Part::Block,
        Tag::Option | Tag::Search | Tag::Section | Tag::Summary | Tag::Table | Tag::Tbody => Part::Block,
        Tag::Textarea | Tag::Tfoot | Tag::Thead | Tag::Tr | Tag::Ul | Tag::Marquee => Part::Block,
        _ => Part::Inline,
    }
}
