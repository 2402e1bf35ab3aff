//! How every element looks once the page is simplified: whether all in it is alike, or it must be split.
//!
//! One walk, bottom up. Elements that say nothing about layout (SPAN, EM, STRONG, FONT ...) are seen through: only
//! their text counts.

use kuai_page::{Dom, Edge, NodeId, Page, Tag};

use crate::cues::{self, Cue, CueSet};

/// What an element holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    /// Nothing that is shown.
    #[default]
    Empty,
    /// Images or fields without text.
    Image,
    /// Text, with some links perhaps.
    Text,
    /// Links for the most part.
    Links,
    /// A heading.
    Heading,
    /// A short line of cue words, such as a date or share buttons.
    CueLine,
    /// Things that differ, so that it can be split.
    Mixed,
}

/// How an element looks. Elements are alike when their looks are equal (rule 1).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Look {
    pub(super) kind: Kind,
    /// Whether a browser would not show it.
    // Decision: what is hidden makes blocks of its own, so that nothing shown is judged by it; its links are still
    // links of the page, as those of a closed tab.
    hidden: bool,
    /// Lists inside that are not parts of one list.
    lists: u8,
    /// What its author called it, as far as that tells parts of a page apart.
    called: CueSet,
    /// Font size in pixels, weight and colours of the element that splits the page here.
    font_size: f32,
    font_weight: u16,
    color: u32,
    background: Option<u32>,
}

/// The looks of all elements, by node index, and which hold an element that splits a page.
pub(super) struct Looks {
    pub(super) looks: Vec<Look>,
    holds_split: Vec<bool>,
    holds_layout: Vec<bool>,
}

impl Looks {
    pub(super) fn of(page: &Page) -> Looks {
        let dom = page.dom();
        let mut looks = Looks {
            looks: vec![Look::default(); dom.len()],
            holds_split: vec![false; dom.len()],
            holds_layout: vec![false; dom.len()],
        };
        for run in page.flow().runs() {
            let kind = if run.linked { Kind::Links } else { Kind::Text };
            looks.looks[run.node.index()] = Look { kind, hidden: run.hidden, ..Look::default() };
        }
        for edge in dom.walk(dom.root()) {
            let Edge::Leave(node) = edge else { continue };
            if dom.is_element(node) {
                looks.close(page, node);
            }
            if let Some(parent) = dom.parent(node) {
                looks.tell_parent(dom, node, parent);
            }
        }
        looks
    }

    pub(super) fn kind(&self, node: NodeId) -> Kind {
        self.looks[node.index()].kind
    }

    /// Whether an element that splits a page lies below.
    pub(super) fn holds_split(&self, node: NodeId) -> bool {
        self.holds_split[node.index()]
    }

    /// Whether an element of the first rank (TABLE, DIV ...) lies below.
    pub(super) fn holds_layout(&self, node: NodeId) -> bool {
        self.holds_layout[node.index()]
    }

    /// Gives an element its look once all below it is known.
    fn close(&mut self, page: &Page, node: NodeId) {
        let dom = page.dom();
        let tag = dom.tag(node);
        let holds_split = self.holds_split(node);
        let look = &mut self.looks[node.index()];
        if matches!(
            tag,
            Tag::Img | Tag::Input | Tag::Video | Tag::Embed | Tag::Object | Tag::Textarea | Tag::Select | Tag::Button
        ) && look.kind == Kind::Empty
        {
            look.kind = Kind::Image;
        }
        if look.kind == Kind::Empty || !is_splitting(tag) && !is_heading(tag) {
            return;
        }
        if !holds_split {
            look.kind = kind_of_atom(page, node, look.kind);
        }
        look.lists = u8::from(is_list(tag) || tag == Tag::Table);
        look.called = look.called | (cues::name_cues(dom, node) & TELLING_NAMES);
        if rank(tag) != Some(Rank::Layout) || !holds_split {
            let style = page.styles().of(node);
            look.font_size = style.font_size;
            look.font_weight = style.font_weight;
            look.color = pack(style.color);
            look.background = style.background.map(pack);
        }
    }

    fn tell_parent(&mut self, dom: Dom<'_>, node: NodeId, parent: NodeId) {
        let tag = dom.tag(node);
        let own = self.looks[node.index()];
        let is_split = is_splitting(tag) && own.kind != Kind::Empty;
        self.holds_split[parent.index()] |= is_split || self.holds_split[node.index()];
        self.holds_layout[parent.index()] |=
            (is_split && rank(tag) == Some(Rank::Layout)) || self.holds_layout[node.index()];
        let around = &mut self.looks[parent.index()];
        *around = join(*around, own);
    }
}

/// Names that tell parts of a page apart.
const TELLING_NAMES: CueSet = CueSet::all(&[
    Cue::Navigation,
    Cue::Footer,
    Cue::Comment,
    Cue::Advert,
    Cue::Share,
    Cue::Related,
    Cue::Sidebar,
    Cue::Meta,
]);

/// The look of what holds both.
fn join(around: Look, own: Look) -> Look {
    match (around.kind, own.kind) {
        (_, Kind::Empty) => around,
        (Kind::Empty, _) => own,
        (Kind::Image, Kind::Text | Kind::Links) if !own.hidden => own,
        (Kind::Text | Kind::Links, Kind::Image) if !around.hidden => around,
        _ if around.kind != own.kind
            || around.hidden != own.hidden
            || around.called != own.called
            || !around.is_styled_like(own) =>
        {
            Look { kind: Kind::Mixed, ..around }
        }
        (Kind::Links, Kind::Links) if around.lists + own.lists > 1 => Look { kind: Kind::Mixed, ..around },
        _ => Look { lists: around.lists | own.lists, ..around },
    }
}

impl Look {
    /// Loose text has no style of its own here and is like anything.
    fn is_styled_like(self, other: Look) -> bool {
        let style = |look: Look| (look.font_size, look.font_weight, look.color, look.background);
        let is_unknown = |look: Look| look.font_size == 0.0;
        is_unknown(self) || is_unknown(other) || style(self) == style(other)
    }
}

/// Most characters of a line of cue words, and the least share of them that cue words make up.
const CUE_LINE_CHARACTERS_MAX: u32 = 80;
const CUE_LINE_SHARE_MIN: f64 = 0.12;

/// What an element without splitting elements in it is: its links decide, and its words where they are few.
fn kind_of_atom(page: &Page, node: NodeId, below: Kind) -> Kind {
    let dom = page.dom();
    let count = page.flow().count_of(dom, node);
    if is_heading(dom.tag(node)) {
        return Kind::Heading;
    }
    if count.characters == 0 {
        return below;
    }
    if count.link_share() >= 0.5 {
        return Kind::Links;
    }
    if count.characters <= CUE_LINE_CHARACTERS_MAX {
        let text = page.flow().text_of(dom, node, kuai_page::TextOptions::default());
        let (says, cue_characters) = cues::text_cues(&text);
        let is_cue_line = f64::from(cue_characters) >= f64::from(count.characters) * CUE_LINE_SHARE_MIN;
        if is_cue_line || says.has(Cue::Copyright) {
            return Kind::CueLine;
        }
    }
    Kind::Text
}

/// The ordered tag set of the paper: what splits first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// TABLE and DIV.
    // Decision: today's sectioning elements, and FORM, divide pages as DIV does.
    Layout,
    Row,
    /// P; headings divide text as paragraphs do.
    Paragraph,
    Rule,
    List,
}

pub(super) fn rank(tag: Tag) -> Option<Rank> {
    use Tag::*;
    Some(match tag {
        Table | Div | Section | Article | Main | Aside | Nav | Header | Footer | Form | Fieldset | Center
        | Blockquote | Figure | Details | Dialog | Search => Rank::Layout,
        Tr => Rank::Row,
        P | Pre | H1 | H2 | H3 | H4 | H5 | H6 => Rank::Paragraph,
        Hr => Rank::Rule,
        Ul | Ol | Menu | Dir | Dl => Rank::List,
        _ => return None,
    })
}

pub(super) fn is_splitting(tag: Tag) -> bool {
    rank(tag).is_some()
}

pub(super) fn is_heading(tag: Tag) -> bool {
    matches!(tag, Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6)
}

fn is_list(tag: Tag) -> bool {
    rank(tag) == Some(Rank::List)
}

fn pack(color: kuai_page::Color) -> u32 {
    u32::from_be_bytes([color.red, color.green, color.blue, color.alpha])
}
