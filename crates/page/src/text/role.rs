//! How an element takes part in the flow of text: its style says whether it is shown and in what shape, its name
//! tells paragraphs from other blocks, and what is no text at all.

use kuai_html::{Dom, NodeId, Tag};

use super::spacing::Part;
use crate::{Display, Styles};

/// What an element does to the text inside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// What is inside is no text of the page at all: code, metadata, fallbacks.
    NoText,
    /// Its style tells whether the text inside is shown.
    Styled(Part),
    /// All the text inside is not shown, whatever the styles say.
    Withheld(Part),
}

/// The role of an element.
pub(super) fn role_of(dom: Dom<'_>, styles: &Styles, node: NodeId) -> Role {
    let tag = dom.tag(node);
    if is_no_text(dom, node, tag) {
        return Role::NoText;
    }
    let part = part_of(tag, styles.of(node).display);
    if is_withheld(dom, node, tag) { Role::Withheld(part) } else { Role::Styled(part) }
}

/// Whether the element is there to keep the white space inside it.
pub(super) fn is_preformatted(tag: Tag) -> bool {
    matches!(tag, Tag::Pre | Tag::Listing | Tag::Xmp | Tag::Plaintext | Tag::Textarea)
}

/// Whether the element is there for code, of which no word is parted.
pub(super) fn is_code(tag: Tag) -> bool {
    matches!(tag, Tag::Code | Tag::Kbd | Tag::Samp | Tag::Tt | Tag::Var)
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

/// Decision: of the options of a `select` only a chosen one is shown, as on the closed control.
fn is_withheld(dom: Dom<'_>, node: NodeId, tag: Tag) -> bool {
    match tag {
        Tag::Option => dom.attribute(node, "selected").is_none(),
        Tag::Foreign => matches!(dom.name(node), "annotation" | "annotation-xml"),
        _ => false,
    }
}

fn part_of(tag: Tag, display: Display) -> Part {
    match (tag, display) {
        (Tag::Br, _) => Part::Break,
        (Tag::Option | Tag::Optgroup, _) => Part::Control,
        // Readings stand above their words, and part none of them.
        (Tag::Rt | Tag::Rp | Tag::Rtc, _) => Part::Inline,
        (_, Display::TableCell) => Part::Cell,
        // Where hidden text is asked for, it is parted from the shown text around it.
        (_, display) if display.is_block() || display == Display::None => {
            if has_blank_lines(tag) {
                Part::Paragraph
            } else {
                Part::Block
            }
        }
        (Tag::Button | Tag::Select | Tag::Input | Tag::Textarea | Tag::Meter | Tag::Progress, _) => Part::Control,
        _ => Part::Inline,
    }
}

/// Whether a block of this name is parted by blank lines. Margins would tell, but style sheets use them for so much
/// else that the name is the better sign.
fn has_blank_lines(tag: Tag) -> bool {
    let is_heading = matches!(tag, Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6);
    let is_code = matches!(tag, Tag::Pre | Tag::Listing | Tag::Xmp | Tag::Plaintext);
    is_heading || is_code || matches!(tag, Tag::P | Tag::Hr | Tag::Blockquote)
}
