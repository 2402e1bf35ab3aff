//! Walks the kept parts of a page and tells a sink what a reader sees: headings, paragraphs, lists, tables, text.
//!
//! Elements open only when something kept follows inside them, so a sink never sees an empty one.

use kuai_page::{Dom, Edge, NodeId, NodeKind, Page, Tag};

/// Something that encloses text and matters to a reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part<'a> {
    Heading(u8),
    List {
        ordered: bool,
    },
    Item,
    Quote,
    Pre {
        language: &'a str,
    },
    Table,
    Row,
    Cell {
        header: bool,
    },
    Link(&'a str),
    Strong,
    Emphasis,
    Code,
    /// A block that means nothing but the end of a paragraph.
    Block,
}

impl Part<'_> {
    /// Whether text before and after it stands on the same line.
    pub(super) fn is_inline(&self) -> bool {
        matches!(self, Part::Link(_) | Part::Strong | Part::Emphasis | Part::Code)
    }
}

/// Writes what the walk tells it.
pub(super) trait Sink {
    fn open(&mut self, part: &Part<'_>);
    fn close(&mut self, part: &Part<'_>);
    /// White space is collapsed already, except inside `Pre`.
    fn text(&mut self, text: &str);
    fn line_break(&mut self);
    fn rule(&mut self);
    fn image(&mut self, source: &str, alt: &str);
}

/// Tells `sink` all text nodes that `keep` takes, with what encloses them.
pub(super) fn walk(page: &Page, keep: impl Fn(NodeId) -> bool, sink: &mut impl Sink) {
    let dom = page.dom();
    let Some(body) = dom.body() else { return };
    let mut writer =
        Writer { open: Vec::new(), pending: Vec::new(), tables: Vec::new(), pre_depth: 0, space: Space::Start, sink };
    let mut steps = dom.walk(body);
    while let Some(edge) = steps.next() {
        match edge {
            Edge::Enter(node) => match dom.kind(node) {
                NodeKind::Text if keep(node) => writer.text(dom.text(node)),
                NodeKind::Element if is_skipped(dom, node) => steps.skip_children(node),
                NodeKind::Element => writer.enter(dom, node, &keep),
                _ => {}
            },
            Edge::Leave(node) => writer.leave(node),
        }
    }
}

fn is_skipped(dom: Dom<'_>, node: NodeId) -> bool {
    use Tag::*;
    matches!(dom.tag(node), Script | Style | Template | Iframe | Select | Textarea | Object | Foreign | Head)
}

/// What stands before the next text.
#[derive(Clone, Copy, PartialEq)]
enum Space {
    /// A paragraph or line begins: no white space is shown.
    Start,
    /// White space was seen and is shown before the next word.
    Pending,
    /// The last thing was a word.
    Word,
}

struct Writer<'a, 's, S> {
    open: Vec<(NodeId, Part<'a>)>,
    pending: Vec<(NodeId, Part<'a>)>,
    /// The tables around, and whether each holds data.
    tables: Vec<(NodeId, bool)>,
    pre_depth: u32,
    space: Space,
    sink: &'s mut S,
}

impl<'a, S: Sink> Writer<'a, '_, S> {
    fn enter(&mut self, dom: Dom<'a>, node: NodeId, keep: &impl Fn(NodeId) -> bool) {
        match dom.tag(node) {
            Tag::Br => {
                self.sink.line_break();
                self.space = Space::Start;
            }
            Tag::Hr if !self.open.is_empty() => self.sink.rule(),
            Tag::Img if self.stands_among_kept(dom, node, keep) => {
                self.flush();
                self.sink.image(dom.attribute(node, "src").unwrap_or(""), dom.attribute(node, "alt").unwrap_or(""));
                self.space = Space::Word;
            }
            _ => {
                if dom.tag(node) == Tag::Table {
                    self.tables.push((node, is_data_table(dom, node)));
                }
                let in_data_table = self.tables.last().is_some_and(|(_, holds_data)| *holds_data);
                if let Some(part) = part_of(dom, node, in_data_table) {
                    self.pending.push((node, part));
                }
            }
        }
    }

    /// An image belongs to the text when something kept encloses it: it has no text to be judged by.
    fn stands_among_kept(&self, dom: Dom<'a>, node: NodeId, keep: &impl Fn(NodeId) -> bool) -> bool {
        dom.attribute(node, "alt").is_some_and(|alt| !alt.trim().is_empty()) && keep(node)
    }

    fn leave(&mut self, node: NodeId) {
        self.tables.pop_if(|(table, _)| *table == node);
        if self.pending.last().is_some_and(|(owner, _)| *owner == node) {
            self.pending.pop();
        } else if self.open.last().is_some_and(|(owner, _)| *owner == node)
            && let Some((_, part)) = self.open.pop()
        {
            self.sink.close(&part);
            self.note_border(&part, false);
        }
    }

    fn flush(&mut self) {
        for (node, part) in std::mem::take(&mut self.pending) {
            if part.is_inline() && self.space == Space::Pending {
                // The space belongs outside the part.
                self.sink.text(" ");
                self.space = Space::Word;
            }
            self.sink.open(&part);
            self.note_border(&part, true);
            self.open.push((node, part));
        }
    }

    fn note_border(&mut self, part: &Part<'_>, opening: bool) {
        if matches!(part, Part::Pre { .. }) {
            self.pre_depth = if opening { self.pre_depth + 1 } else { self.pre_depth.saturating_sub(1) };
        }
        if !part.is_inline() {
            self.space = Space::Start;
        }
    }

    fn text(&mut self, text: &str) {
        let in_pre = self.pre_depth > 0 || self.pending.iter().any(|(_, part)| matches!(part, Part::Pre { .. }));
        if in_pre {
            if !text.is_empty() {
                self.flush();
                self.sink.text(text);
            }
            return;
        }
        let mut words = text.split_ascii_whitespace();
        let Some(first) = words.next() else {
            self.note_space(!text.is_empty());
            return;
        };
        self.note_space(text.starts_with(|first: char| first.is_ascii_whitespace()));
        self.flush_blocks_then_space();
        let mut shown = String::with_capacity(text.len());
        if self.space == Space::Pending {
            shown.push(' ');
        }
        shown.push_str(first);
        for word in words {
            shown.push(' ');
            shown.push_str(word);
        }
        self.sink.text(&shown);
        self.space = Space::Word;
        self.note_space(text.ends_with(|last: char| last.is_ascii_whitespace()));
    }

    fn flush_blocks_then_space(&mut self) {
        if self.pending.iter().any(|(_, part)| !part.is_inline()) {
            self.space = Space::Start;
        }
        self.flush();
    }

    fn note_space(&mut self, seen: bool) {
        if seen && self.space == Space::Word {
            self.space = Space::Pending;
        }
    }
}

fn part_of<'a>(dom: Dom<'a>, node: NodeId, in_data_table: bool) -> Option<Part<'a>> {
    use Tag::*;
    Some(match dom.tag(node) {
        H1 => Part::Heading(1),
        H2 => Part::Heading(2),
        H3 => Part::Heading(3),
        H4 => Part::Heading(4),
        H5 => Part::Heading(5),
        H6 => Part::Heading(6),
        Ul | Menu | Dir => Part::List { ordered: false },
        Ol => Part::List { ordered: true },
        Li => Part::Item,
        Blockquote => Part::Quote,
        Pre | Listing | Xmp | Plaintext => Part::Pre { language: code_language(dom, node) },
        Table if in_data_table => Part::Table,
        Tr if in_data_table => Part::Row,
        Td if in_data_table => Part::Cell { header: false },
        Th if in_data_table => Part::Cell { header: true },
        A => Part::Link(dom.attribute(node, "href")?),
        B | Strong => Part::Strong,
        I | Em | Cite | Dfn | Var => Part::Emphasis,
        Code | Kbd | Samp | Tt => Part::Code,
        Address | Article | Aside | Body | Center | Dd | Details | Dialog | Div | Dl | Dt | Fieldset | Figcaption
        | Figure | Footer | Form | Header | Hgroup | Main | Nav | P | Search | Section | Summary | Table | Caption
        | Tbody | Thead | Tfoot | Tr | Td | Th | Legend | Optgroup | Option => Part::Block,
        _ => return None,
    })
}

/// The language that a code block's classes name, as highlighters write it.
fn code_language<'a>(dom: Dom<'a>, pre: NodeId) -> &'a str {
    let inner = dom.children(pre).find(|&child| dom.tag(child) == Tag::Code);
    let classes = [Some(pre), inner].into_iter().flatten().filter_map(|node| dom.attribute(node, "class"));
    let mut words = classes.flat_map(str::split_ascii_whitespace);
    words.find_map(|class| class.strip_prefix("language-").or(class.strip_prefix("lang-"))).unwrap_or("")
}

/// Elements looked at before a table is taken for one of data.
const TABLE_LOOK_MAX: usize = 4_000;

/// Whether a table holds data in rows and columns, not the layout of a page: no table or heading inside, and a second
/// column somewhere. The look stops at the first inner table, so nesting costs nothing.
fn is_data_table(dom: Dom<'_>, table: NodeId) -> bool {
    let mut row_of_last_cell = None;
    let mut has_columns = false;
    for node in dom.descendants(table).take(TABLE_LOOK_MAX) {
        match dom.tag(node) {
            Tag::Table | Tag::Form | Tag::H1 | Tag::H2 | Tag::H3 | Tag::Article | Tag::Section | Tag::Nav => {
                return false;
            }
            Tag::Td | Tag::Th => {
                let row = dom.parent(node);
                has_columns |= row == row_of_last_cell;
                row_of_last_cell = row;
            }
            _ => {}
        }
    }
    has_columns
}
