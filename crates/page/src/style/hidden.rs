//! Which elements of a page are hidden, without the rest of their styles: what [`Styles::is_hidden`](super::Styles) says, several times cheaper.
//!
//! Few rules can hide anything: eleven of the two hundred that a home page has for its own elements. So it is found out first which elements
//! such a rule, a style or an attribute might hide, and by which aspect of their style. The cascade runs for these alone, with the rules that
//! have a say about that aspect.

use kuai_html::{Dom, NodeId, Tag};

use super::aspects::{Aspects, Said, is_collapsed};
use super::cascade::{HIDDEN_BIT, cascade};
use super::hints;
use super::matching::Matcher;
use super::selector::Subjects;
use super::sheet::{Rules, WrittenRule};
use super::user_agent::UserAgent;
use super::vocabulary::AskedNames;
use super::{Sheets, StyleSheet};
use crate::Limits;

/// The elements of a page that a browser would not show.
///
/// Decision: what nothing might hide is taken to be styled as its name says, so letters whose size shrinks from element to element until
/// nothing is left of them are not known to be hidden, and variables are known where the root or the element itself defines them.
#[derive(Clone, Debug, Default)]
pub struct Hidden {
    nodes: Vec<bool>,
}

impl Hidden {
    /// Reads what is hidden off the page's own style sheets and those handed in; the flag says whether a limit was hit.
    pub(crate) fn read(dom: Dom<'_>, sheets: &[StyleSheet], limits: &Limits) -> (Hidden, bool) {
        let sheets = Sheets::of(dom, sheets);
        let subjects = Subjects::read(dom, limits.style_steps);
        let (mut written, cut) = sheets.read(limits, subjects.vocabulary());
        written.retain_mut(|rule| {
            rule.said = Said::read(rule.body);
            !rule.said.about.is_empty()
        });
        let asked = Asked::read(dom, &written, &subjects, limits);
        let telling = written.iter().filter(|rule| asked.names.may_ask(rule.selectors, rule.said.about));
        let (rules, full) = Rules::parse(telling, dom.quirks(), limits);
        let matcher = Matcher::with_filter(dom, &rules, &subjects);
        let cascaded = cascade(dom, &rules, Some(matcher), |node| asked.nodes[node.index()]);
        let nodes = cascaded.nodes.iter().map(|entry| entry & HIDDEN_BIT != 0).collect();
        (Hidden { nodes }, cut || full || asked.limit_hit || cascaded.limit_hit)
    }

    /// Whether a browser would not show the text in this element (or this text), see [`Styles::is_hidden`](super::Styles::is_hidden).
    pub fn at(&self, node: NodeId) -> bool {
        self.nodes.get(node.index()).is_some_and(|&hidden| hidden)
    }
}

/// The elements that might be hidden.
struct Asked {
    /// By which aspects each node might be.
    nodes: Vec<Aspects>,
    /// What they are called.
    names: AskedNames,
    limit_hit: bool,
}

impl Asked {
    fn read(dom: Dom<'_>, written: &[WrittenRule<'_>], subjects: &Subjects<'_>, limits: &Limits) -> Asked {
        let hiding = written.iter().filter(|rule| !rule.said.hiding.is_empty());
        let (rules, limit_hit) = Rules::parse(hiding, dom.quirks(), limits);
        let mut matcher = Matcher::new(dom, &rules, subjects);
        let mut asked =
            Asked { nodes: vec![Aspects::NONE; dom.len()], names: AskedNames::new(dom.quirks()), limit_hit };
        for node in dom.descendants(dom.root()).filter(|&node| dom.is_element(node)) {
            let parent = dom.parent(node).unwrap_or(NodeId::DOCUMENT);
            let mut aspects = (asked.nodes[parent.index()] & Aspects::INHERITED) | hidden_by_itself(dom, node);
            matcher.each_match(node, Aspects::ALL, |_, rule| {
                aspects |= if rule.is_after { Aspects::NONE } else { rule.said.hiding };
            });
            asked.nodes[node.index()] = aspects;
            if !aspects.is_empty() {
                subjects.each_name(node, |kind, name| asked.names.insert(kind, name, aspects));
            }
        }
        asked.ask_root(dom, subjects);
        asked.limit_hit |= matcher.limit_hit;
        asked
    }

    /// Most pages define their variables there.
    fn ask_root(&mut self, dom: Dom<'_>, subjects: &Subjects<'_>) {
        if let Some(root) = dom.children(NodeId::DOCUMENT).find(|&node| dom.is_element(node)) {
            self.nodes[root.index()] = Aspects::ALL;
            subjects.each_name(root, |kind, name| self.names.insert(kind, name, Aspects::ALL));
        }
    }
}

/// By what its name and attributes might hide an element.
fn hidden_by_itself(dom: Dom<'_>, node: NodeId) -> Aspects {
    let tag = dom.tag(node);
    let is_closed = UserAgent::get().hides(tag) || hints::is_folded(dom, node);
    let mut aspects = if is_closed { Aspects::DISPLAY } else { Aspects::NONE };
    for attribute in dom.attributes(node) {
        aspects |= match attribute.name {
            "style" => Said::read(attribute.value).hiding,
            "hidden" | "popover" => Aspects::DISPLAY,
            "type" if tag == Tag::Input => Aspects::DISPLAY,
            "width" | "height" if is_collapsed(attribute.value.trim_start()) => Aspects::SIZE,
            _ => Aspects::NONE,
        };
    }
    aspects
}
