//! Where a page shows its title: around there stand the names and dates of what it holds.

use kuai_html::{Dom, NodeId, NodeKind, Tag};

use super::parts::key;

/// Texts of headings are compared as far as this.
const HEADING_NODES_MAX: usize = 60;

/// Characters of each of their texts that are compared.
const HEADING_CHARACTERS_MAX: usize = 1000;

/// Places that may show the title, the best first.
#[derive(Default)]
struct Places {
    heading: Option<Place>,
    text: Option<Place>,
    first_h1: Option<NodeId>,
    first_h2: Option<NodeId>,
}

/// A place that shows a title, and which of the titles it is.
#[derive(Clone, Copy)]
struct Place {
    node: NodeId,
    title: usize,
}

/// The node that shows the title: a heading that says it, a text that does, the first `h1`, the first `h2`.
pub(super) fn find(dom: Dom<'_>, titles: &[&str]) -> Option<NodeId> {
    let places = Places::of(dom, titles);
    places.shown().map(|place| place.node).or(places.first_h1).or(places.first_h2)
}

/// Which of these titles the page shows: the first that a heading says, or a text that is no link.
pub(super) fn shown<'a>(dom: Dom<'_>, titles: &[&'a str]) -> Option<&'a str> {
    if titles.is_empty() {
        return None;
    }
    titles.get(Places::of(dom, titles).shown()?.title).copied()
}

impl Places {
    fn of(dom: Dom<'_>, titles: &[&str]) -> Places {
        let keys: Vec<String> = titles.iter().map(|title| key(title)).collect();
        let mut places = Places::default();
        let mut walk = dom.walk(dom.root());
        while let Some(edge) = walk.next() {
            let kuai_html::Edge::Enter(node) = edge else { continue };
            match (dom.kind(node), dom.tag(node)) {
                (_, Tag::Head | Tag::Script | Tag::Style | Tag::Template | Tag::Title) => walk.skip_children(node),
                (_, Tag::H1 | Tag::H2 | Tag::H3) => {
                    places.see_heading(dom, node, &keys);
                    if places.heading.is_some() {
                        break;
                    }
                }
                (NodeKind::Text, _) if places.text.is_none() => places.see_text(dom, node, &keys),
                _ => {}
            }
        }
        places
    }

    fn shown(&self) -> Option<Place> {
        self.heading.or(self.text)
    }

    fn see_heading(&mut self, dom: Dom<'_>, node: NodeId, keys: &[String]) {
        match dom.tag(node) {
            Tag::H1 => self.first_h1 = self.first_h1.or(Some(node)),
            Tag::H2 => self.first_h2 = self.first_h2.or(Some(node)),
            _ => {}
        }
        let texts = dom.descendants(node).take(HEADING_NODES_MAX).filter(|&below| dom.is_text(below));
        let text: String = texts.flat_map(|text| dom.text(text).chars().take(HEADING_CHARACTERS_MAX)).collect();
        self.heading = place(keys, &key(&text), node);
    }

    /// A text that is the title, and no link to the page itself.
    fn see_text(&mut self, dom: Dom<'_>, node: NodeId, keys: &[String]) {
        let text = dom.text(node).trim();
        let longest = keys.iter().map(String::len).max().unwrap_or_default();
        // A key is no longer than its text, but for signs between letters, and a text of another length need not be read.
        if text.is_empty() || text.len() > longest * 2 {
            return;
        }
        let is_link = dom.ancestors(node).take(3).any(|above| dom.tag(above) == Tag::A);
        if !is_link {
            self.text = place(keys, &key(text), node);
        }
    }
}

/// The place of a node that says this, where that is one of the titles.
fn place(keys: &[String], said: &str, node: NodeId) -> Option<Place> {
    let title = keys.iter().position(|key| key == said).filter(|_| !said.is_empty())?;
    Some(Place { node, title })
}
