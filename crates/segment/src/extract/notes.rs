//! Footnotes: which links refer to a note of the same page, and which elements are those notes.

use std::collections::HashMap;

use kuai_page::{Dom, NodeId, Page, Run, Tag, TextOptions, Url};

use super::table::{self, TableUse};
use super::wanted::Kept;

/// The footnotes met so far.
pub(super) struct Notes<'a> {
    /// The page's own address, if it is known.
    own_address: Option<&'a str>,
    /// Elements by id or name, read off the page at the first link that looks like a reference.
    targets: Option<HashMap<&'a str, NodeId>>,
    /// Names of notes by their elements.
    names: HashMap<NodeId, String>,
    /// Elements by names of notes.
    owners: HashMap<String, NodeId>,
}

/// A reference to a note.
pub(super) struct Reference {
    /// The name of the note.
    pub(super) name: String,
    /// What the page shows, such as `[1]`.
    pub(super) shown: String,
}

/// Characters of a reference; more is a link in words.
const SHOWN_CHARACTERS_MAX: usize = 8;

/// Characters of the number of a note, with what stands around it.
const LABEL_CHARACTERS_MAX: usize = SHOWN_CHARACTERS_MAX + 2;

/// Elements between the link back from a note and its sign.
const WAY_BACK_DEPTH_MAX: usize = 4;

impl<'a> Notes<'a> {
    pub(super) fn of(page: &'a Page) -> Notes<'a> {
        let own_address = page.url().map(Url::as_str);
        Notes { own_address, targets: None, names: HashMap::new(), owners: HashMap::new() }
    }

    /// The place within the page that a link leads to, also where it is written with the page's address.
    pub(super) fn fragment<'h>(&self, href: &'h str) -> Option<&'h str> {
        let (address, fragment) = href.split_once('#')?;
        let is_own = || self.own_address.is_some_and(|own| is_same_page(address, own));
        (address.is_empty() || is_own()).then_some(fragment)
    }

    /// The name of the note that this element is.
    pub(super) fn name_of(&self, node: NodeId) -> Option<&String> {
        self.names.get(&node)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// What a link refers to, if that is a note further down that is kept too.
    pub(super) fn reference(&mut self, page: &'a Page, kept: &Kept, link: NodeId) -> Option<Reference> {
        let dom = page.dom();
        let href = dom.attribute(link, "href").filter(|href| href.contains('#'))?;
        if !looks_like_reference(dom, link) {
            return None;
        }
        self.own_address = self.own_address.or_else(|| page.metadata().canonical.as_ref().map(Url::as_str));
        let target = self.fragment(href).filter(|target| !target.is_empty())?;
        let shown = page.flow().text_of(dom, link, TextOptions::default());
        let word = word_of(&shown)?;
        let found = *self.targets.get_or_insert_with(|| targets(dom)).get(target)?;
        let note = note_around(dom, found)?;
        if self.names.get(&note).is_some_and(|name| name.split('-').next() != Some(word)) {
            // It is told under another number already, which would take the place of what this one shows.
            return None;
        }
        let is_below = page.flow().range_of(note).start >= page.flow().range_of(link).end;
        if !is_below || !kept.at(dom.span(note)) || !self.says_something(page, note, word) {
            return None;
        }
        Some(Reference { name: self.name(note, word), shown: shown.clone() })
    }

    /// The address of the note that a link within the page leads to, where notes have addresses of their own.
    pub(super) fn address(&self, dom: Dom<'_>, href: &str) -> Option<String> {
        let note = note_around(dom, self.target(href)?)?;
        self.names.get(&note).map(|name| format!("#fn-{name}"))
    }

    fn target(&self, href: &str) -> Option<NodeId> {
        self.targets.as_ref()?.get(self.fragment(href)?).copied()
    }

    /// Whether a link within the page, inside a note, only leads back to where it was referred to.
    pub(super) fn is_way_back(&self, page: &Page, link: NodeId, note: NodeId, name: &str) -> bool {
        let dom = page.dom();
        let Some(href) = dom.attribute(link, "href").filter(|href| self.fragment(href).is_some()) else { return false };
        let shown = page.flow().text_of(dom, link, TextOptions::default());
        let is_number = word_of(&shown) == Some(name);
        match self.target(href) {
            Some(target) => {
                let is_sign = !shown.chars().any(char::is_alphanumeric);
                (is_sign || is_number) && dom.span(target).start < dom.span(note).start
            }
            None => is_number || shown.starts_with(['↩', '↑', '↵', '^']),
        }
    }

    /// Whether a cell or term only holds the number of the note beside it.
    pub(super) fn is_label_beside(&self, page: &Page, node: NodeId) -> bool {
        let dom = page.dom();
        let name = || self.names.get(&next_element(dom, node)?);
        !self.is_empty()
            && name().is_some_and(|name| {
                has_class(dom, node, "label")
                    || word_of(&page.flow().text_of(dom, node, TextOptions::default())) == Some(name)
            })
    }

    /// Whether a part of a note only holds its number, or the ways back from it.
    pub(super) fn is_label(&self, page: &Page, node: NodeId, name: &str) -> bool {
        let dom = page.dom();
        let is_number = || {
            let shown = page.flow().text_of(dom, node, TextOptions::default());
            word_of(&shown).is_none_or(|word| word == name) && shown.chars().count() <= LABEL_CHARACTERS_MAX
        };
        has_class(dom, node, "backrefs") || (has_class(dom, node, "label") && is_number())
    }

    /// Whether a note has text beside the way back from it.
    fn says_something(&self, page: &Page, note: NodeId, name: &str) -> bool {
        let dom = page.dom();
        let has_words = |run: &Run| !run.hidden && dom.text(run.node).contains(|sign: char| !sign.is_whitespace());
        let leads_back = |run: &Run| {
            let mut around = dom.ancestors(run.node).take(WAY_BACK_DEPTH_MAX);
            let link = around.find(|&node| dom.tag(node) == Tag::A);
            link.is_some_and(|link| self.is_way_back(page, link, note, name))
        };
        page.flow().runs_of(note).iter().any(|run| has_words(run) && !leads_back(run))
    }

    /// The name of a note: what refers to it, as far as that is not taken by another.
    fn name(&mut self, note: NodeId, word: &str) -> String {
        if let Some(name) = self.names.get(&note) {
            return name.clone();
        }
        let is_taken = self.owners.contains_key(word);
        let name = if is_taken { format!("{word}-{}", self.names.len() + 1) } else { word.to_owned() };
        self.names.insert(note, name.clone());
        self.owners.insert(name.clone(), note);
        name
    }
}

/// The number or letter of a reference such as `1`, `[1]` or `(a)`.
fn word_of(shown: &str) -> Option<&str> {
    let word = shown.trim_matches(['[', ']', '(', ')', '〔', '〕', '［', '］']);
    let is_short = (1..=SHOWN_CHARACTERS_MAX).contains(&word.chars().count());
    (is_short && word.chars().all(char::is_alphanumeric)).then_some(word)
}

fn looks_like_reference(dom: Dom<'_>, link: NodeId) -> bool {
    let is_raised = |node: NodeId| dom.tag(node) == Tag::Sup;
    let raised = dom.ancestors(link).take(2).any(is_raised) || dom.first_child(link).is_some_and(is_raised);
    let has = |name: &str, sign: &str| dom.attribute(link, name).is_some_and(|value| value.contains(sign));
    let is_marked = has("role", "doc-noteref")
        || has("epub:type", "noteref")
        || has("class", "footnote")
        || has("class", "noteref");
    // Links that hold a link are possible through misplaced tables.
    (raised || is_marked) && !dom.ancestors(link).any(|node| dom.tag(node) == Tag::A)
}

fn targets(dom: Dom<'_>) -> HashMap<&str, NodeId> {
    let mut targets = HashMap::new();
    for node in dom.descendants(dom.root()).filter(|&node| dom.is_element(node)) {
        let name =
            dom.attribute(node, "id").or_else(|| dom.attribute(node, "name").filter(|_| dom.tag(node) == Tag::A));
        if let Some(name) = name {
            targets.entry(name).or_insert(node);
        }
    }
    targets
}

/// The block that a target stands for: itself, or what it stands at the beginning of. In a table of data or in code
/// there are no notes.
fn note_around(dom: Dom<'_>, target: NodeId) -> Option<NodeId> {
    let is_note =
        |node: &NodeId| matches!(dom.tag(*node), Tag::Li | Tag::P | Tag::Div | Tag::Aside | Tag::Dd | Tag::Section);
    let is_row = |node: &NodeId| matches!(dom.tag(*node), Tag::Td | Tag::Tr | Tag::Body);
    let mut near = std::iter::once(target).chain(dom.ancestors(target)).take(4).take_while(|node| !is_row(node));
    let note = beside_label(dom, target).or_else(|| near.find(is_note))?;
    let around = dom.ancestors(note).find(|&node| matches!(dom.tag(node), Tag::Table | Tag::Pre));
    around
        .is_none_or(|node| table::use_of(dom, node) == TableUse::Layout && dom.tag(node) == Tag::Table)
        .then_some(note)
}

/// The note whose number is the target: older Sphinx puts both into cells of a table, or a term and its meaning.
fn beside_label(dom: Dom<'_>, target: NodeId) -> Option<NodeId> {
    match dom.tag(target) {
        Tag::Dt => next_element(dom, target).filter(|&next| dom.tag(next) == Tag::Dd),
        Tag::Table if has_class(dom, target, "footnote") => {
            let mut inside = dom.descendants(target).take(LABEL_LOOK_MAX);
            let label = inside.find(|&node| dom.tag(node) == Tag::Td && has_class(dom, node, "label"))?;
            next_element(dom, label)
        }
        _ => None,
    }
}

/// Nodes of a table that are looked at for the number of a note.
const LABEL_LOOK_MAX: usize = 16;

/// Nodes between an element and the next.
const BETWEEN_MAX: usize = 4;

fn next_element(dom: Dom<'_>, node: NodeId) -> Option<NodeId> {
    let after = std::iter::successors(dom.next_sibling(node), |&next| dom.next_sibling(next));
    after.take(BETWEEN_MAX).find(|&next| dom.is_element(next))
}

fn has_class(dom: Dom<'_>, node: NodeId, name: &str) -> bool {
    dom.attribute(node, "class").is_some_and(|classes| classes.split_ascii_whitespace().any(|class| class == name))
}

/// Whether an address is the page's own, with or without what was asked of it.
fn is_same_page(address: &str, own: &str) -> bool {
    fn bare(address: &str) -> &str {
        address.split_once("://").map_or(address, |(_, rest)| rest).trim_end_matches('/')
    }
    let own = own.split('#').next().unwrap_or(own);
    let unasked = own.split('?').next().unwrap_or(own);
    address.contains("://") && [own, unasked].iter().any(|own| bare(own) == bare(address))
}
