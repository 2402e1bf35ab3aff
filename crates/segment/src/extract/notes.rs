//! Footnotes: which links refer to a note of the same page, and which elements are those notes.

use std::collections::HashMap;

use kuai_page::{Dom, NodeId, Page, Run, Tag, TextOptions};

use super::table::{self, TableUse};
use super::wanted::Kept;

/// The footnotes met so far.
#[derive(Default)]
pub(super) struct Notes<'a> {
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

/// Elements between the link back from a note and its sign.
const WAY_BACK_DEPTH_MAX: usize = 4;

impl<'a> Notes<'a> {
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
        let target = dom.attribute(link, "href")?.strip_prefix('#')?;
        if target.is_empty() || !looks_like_reference(dom, link) {
            return None;
        }
        let shown = page.flow().text_of(dom, link, TextOptions::default());
        let word = word_of(&shown)?;
        let found = *self.targets.get_or_insert_with(|| targets(dom)).get(target)?;
        let note = note_around(dom, found)?;
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
        self.targets.as_ref()?.get(href.strip_prefix('#')?).copied()
    }

    /// Whether a link within the page, inside a note, only leads back to where it was referred to.
    pub(super) fn is_way_back(&self, page: &Page, link: NodeId, note: NodeId, name: &str) -> bool {
        let dom = page.dom();
        let Some(href) = dom.attribute(link, "href").filter(|href| href.starts_with('#')) else { return false };
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
    let note = near.find(is_note)?;
    let around = dom.ancestors(note).find(|&node| matches!(dom.tag(node), Tag::Table | Tag::Pre));
    around
        .is_none_or(|node| table::use_of(dom, node) == TableUse::Layout && dom.tag(node) == Tag::Table)
        .then_some(note)
}
