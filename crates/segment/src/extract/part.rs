//! What encloses text and matters to a reader, and which elements mean it.

use kuai_page::{Dom, NodeId, Tag};

use super::code;

/// Something that encloses text and matters to a reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part<'a> {
    Heading(u8),
    List {
        /// How its items are numbered, if they are.
        numbers: Option<Numbers<'a>>,
    },
    Item {
        /// The number that the page gives it.
        number: Option<i32>,
    },
    Quote,
    Pre {
        language: &'a str,
    },
    Table,
    Row,
    Cell {
        header: bool,
        columns: u16,
        rows: u16,
    },
    Figure,
    /// Of a figure.
    Caption,
    /// Of a table.
    TableCaption,
    /// A list of terms and what they mean.
    Terms,
    Term,
    Meaning,
    /// A footnote of this name.
    Note(String),
    Link(String),
    Strong,
    Emphasis,
    Strike,
    Code,
    Below,
    Above,
}

/// How the items of a list are numbered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Numbers<'a> {
    /// The number of its first item.
    pub(super) start: i32,
    /// Whether they count down.
    pub(super) reversed: bool,
    /// What HTML calls letters or Roman numerals that stand for the numbers: `a`, `A`, `i` or `I`.
    pub(super) style: Option<&'a str>,
}

impl Numbers<'_> {
    /// From one item to the next.
    pub(super) fn step(&self) -> i32 {
        if self.reversed { -1 } else { 1 }
    }
}

impl Part<'_> {
    /// Whether text before and after it stands on the same line.
    pub(super) fn is_inline(&self) -> bool {
        use Part::*;
        matches!(self, Link(_) | Strong | Emphasis | Strike | Code | Below | Above)
    }

    /// Whether both are of one kind. One inside its like says nothing new.
    pub(super) fn is_like(&self, other: &Part<'_>) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

/// The part that a block element means; tables depend on what they hold, and so are not among them.
pub(super) fn block_part<'a>(dom: Dom<'a>, node: NodeId) -> Option<Part<'a>> {
    use Tag::*;
    Some(match dom.tag(node) {
        H1 => Part::Heading(1),
        H2 => Part::Heading(2),
        H3 => Part::Heading(3),
        H4 => Part::Heading(4),
        H5 => Part::Heading(5),
        H6 => Part::Heading(6),
        Ul | Menu | Dir => Part::List { numbers: None },
        Ol => Part::List { numbers: Some(numbers(dom, node)) },
        Li => Part::Item { number: number(dom, node, "value") },
        Blockquote => Part::Quote,
        Pre | Listing | Xmp | Plaintext => Part::Pre { language: code::language(dom, node) },
        Figure => Part::Figure,
        Figcaption => Part::Caption,
        Dl => Part::Terms,
        Dt => Part::Term,
        Dd => Part::Meaning,
        _ => return None,
    })
}

/// The part of a table of data.
pub(super) fn table_part<'a>(dom: Dom<'a>, node: NodeId) -> Option<Part<'a>> {
    Some(match dom.tag(node) {
        Tag::Table => Part::Table,
        Tag::Caption => Part::TableCaption,
        Tag::Tr => Part::Row,
        tag @ (Tag::Td | Tag::Th) => {
            let span = |name| number(dom, node, name).and_then(|count| u16::try_from(count).ok()).unwrap_or(1).max(1);
            Part::Cell { header: tag == Tag::Th, columns: span("colspan"), rows: span("rowspan") }
        }
        _ => return None,
    })
}

/// The part that an inline element means; links are not among them.
pub(super) fn inline_part<'a>(tag: Tag) -> Option<Part<'a>> {
    use Tag::*;
    Some(match tag {
        B | Strong => Part::Strong,
        I | Em | Cite | Dfn | Var => Part::Emphasis,
        S | Strike | Del => Part::Strike,
        Code | Kbd | Samp | Tt => Part::Code,
        Sub => Part::Below,
        Sup => Part::Above,
        _ => return None,
    })
}

/// Whether the borders of such an element end a paragraph, as far as its name tells.
pub(super) fn is_block(tag: Tag) -> bool {
    use Tag::*;
    matches!(
        tag,
        Address
            | Article
            | Aside
            | Blockquote
            | Body
            | Caption
            | Center
            | Dd
            | Details
            | Dialog
            | Dir
            | Div
            | Dl
            | Dt
            | Fieldset
            | Figcaption
            | Figure
            | Footer
            | Form
            | H1
            | H2
            | H3
            | H4
            | H5
            | H6
            | Header
            | Hgroup
            | Hr
            | Legend
            | Li
            | Listing
            | Main
            | Menu
            | Nav
            | Ol
            | P
            | Plaintext
            | Pre
            | Search
            | Section
            | Summary
            | Table
            | Tbody
            | Td
            | Tfoot
            | Th
            | Thead
            | Tr
            | Ul
            | Xmp
    )
}

fn numbers<'a>(dom: Dom<'a>, list: NodeId) -> Numbers<'a> {
    let reversed = dom.attribute(list, "reversed").is_some();
    let count = || dom.children(list).filter(|&child| dom.tag(child) == Tag::Li).count();
    let first = || if reversed { i32::try_from(count()).unwrap_or(1) } else { 1 };
    Numbers {
        start: number(dom, list, "start").unwrap_or_else(first),
        reversed,
        style: dom.attribute(list, "type").filter(|style| matches!(*style, "a" | "A" | "i" | "I")),
    }
}

fn number(dom: Dom<'_>, node: NodeId, name: &str) -> Option<i32> {
    dom.attribute(node, name)?.trim().parse().ok()
}
