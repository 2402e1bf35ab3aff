//! Where a page shows its title: around there stand the names and dates of what it holds.

use kuai_html::{Dom, NodeId, NodeKind, Tag};

use super::headline::key;

/// Texts of headings are compared as far as this.
const HEADING_NODES_MAX: usize = 60;

/// Characters of each of their texts that are compared.
const HEADING_CHARACTERS_MAX: usize = 1000;

/// Places that may show the title, the best first.
#[derive(Default)]
struct Places {
    heading: Option<NodeId>,
    text: Option<NodeId>,
    first_h1: Option<NodeId>,
    first_h2: Option<NodeId>,
}

/// The node that shows the title: a heading that says it, a text that does, the first `h1`, the first `h2`.
pub(super) fn find(dom: Dom<'_>, titles: &[&str]) -> Option<NodeId> {
    let keys: Vec<String> = titles.iter().map(|title| key(title)).filter(|key| !key.is_empty()).collect();
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
    places.heading.or(places.text).or(places.first_h1).or(places.first_h2)
}

impl Places {
    fn see_heading(&mut self, dom: Dom<'_>, node: NodeId, keys: &[String]) {
        match dom.tag(node) {
            Tag::H1 => self.first_h1 = self.first_h1.or(Some(node)),
            Tag::H2 => self.first_h2 = self.first_h2.or(Some(node)),
            _ => {}
        }
        let texts = dom.descendants(node).take(HEADING_NODES_MAX).filter(|&below| dom.is_text(below));
        let text: String = texts.flat_map(|text| dom.text(text).chars().take(HEADING_CHARACTERS_MAX)).collect();
        let said = key(&text);
        if keys.contains(&said) {
            self.heading = Some(node);
        }
    }

    /// A text that is the title, and no link to the page itself.
    fn see_text(&mut self, dom: Dom<'_>, node: NodeId, keys: &[String]) {
        let text = dom.text(node).trim();
        let longest = keys.iter().map(String::len).max().unwrap_or_default();
        // A key is no longer than its text, but for signs between letters, and a text of another length need not be read.
        if text.is_empty() || text.len() > longest * 2 {
            return;
        }
        let said = key(text);
        let is_link = dom.ancestors(node).take(3).any(|above| dom.tag(above) == Tag::A);
        if !is_link && keys.contains(&said) {
            self.text = Some(node);
        }
    }
}
