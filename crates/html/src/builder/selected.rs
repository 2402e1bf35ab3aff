//! `selectedcontent`: where a `select` shows the option that is chosen, the standard copies that option's content into it.
//!
//! After "the option element" and "the selectedcontent element" of the standard: when an option is popped off the stack of
//! open elements, "maybe clone an option into selectedcontent". Without scripts nothing chooses another option, so it is
//! enough to copy once, when all options are closed. The copies are made up ([`crate::Origin::Implied`]): they have no
//! place in the source of their own.

use std::collections::HashSet;

use super::Builder;
use crate::Tag;
use crate::tree::NONE;

const NAME: &str = "selectedcontent";

impl Builder<'_, '_> {
    /// Fills the first `selectedcontent` of every `select` that can have one.
    pub(super) fn mirror_selected(&mut self) {
        let is_named = |&(node, name): &(u32, _)| (self.string(name) == NAME).then_some(node);
        let targets: Vec<u32> = self.tree.names().iter().filter_map(is_named).collect();
        let mut served = HashSet::new();
        for target in targets {
            let Some(select) = self.select_shown_by(target).filter(|&select| served.insert(select)) else { continue };
            if let Some(option) = self.chosen_option(select) {
                self.empty(target);
                self.copy_children(option, target);
            }
        }
    }

    fn empty(&mut self, node: u32) {
        loop {
            match self.node(node).first_child() {
                NONE => return,
                child => self.detach(child),
            }
        }
    }

    /// The select around a `selectedcontent`, unless the standard disables it there: in an option, in another one of its
    /// kind, in two selects, in a select of several choices.
    fn select_shown_by(&self, target: u32) -> Option<u32> {
        let mut select = None;
        for ancestor in self.ancestors(target) {
            match self.html_tag(ancestor) {
                Tag::Select if select.is_some() => return None,
                Tag::Select => select = Some(ancestor),
                Tag::Option => return None,
                Tag::Unknown if self.string(self.tree.name_of(ancestor)) == NAME => return None,
                _ => {}
            }
        }
        select.filter(|&select| !self.has(select, "multiple"))
    }

    /// The last option that says `selected`, or else the first that is not disabled, if the select shows one at a time.
    fn chosen_option(&self, select: u32) -> Option<u32> {
        let (mut first, mut selected) = (None, None);
        let mut next = self.after(select, select);
        while let Some(node) = next {
            if self.html_tag(node) == Tag::Option && self.select_of(node) == Some(select) {
                if self.has(node, "selected") {
                    selected = Some(node);
                }
                if first.is_none() && !self.is_disabled(node) {
                    first = Some(node);
                }
            }
            next = self.after(node, select);
        }
        let size = self.attribute_of(select, "size").and_then(|size| size.trim().parse::<u32>().ok());
        selected.or(first.filter(|_| size.is_none_or(|size| size <= 1)))
    }

    /// "The option element nearest ancestor select".
    fn select_of(&self, option: u32) -> Option<u32> {
        let mut in_group = false;
        for ancestor in self.ancestors(option) {
            match self.html_tag(ancestor) {
                Tag::Datalist | Tag::Hr | Tag::Option => return None,
                Tag::Optgroup if in_group => return None,
                Tag::Optgroup => in_group = true,
                Tag::Select => return Some(ancestor),
                _ => {}
            }
        }
        None
    }

    fn is_disabled(&self, option: u32) -> bool {
        let parent = self.tree.nodes[option as usize].parent;
        let is_group = parent != NONE && self.html_tag(parent) == Tag::Optgroup;
        self.has(option, "disabled") || (is_group && self.has(parent, "disabled"))
    }

    /// Copies all below one node to the end of another, as far as the limit of nodes allows.
    fn copy_children(&mut self, from: u32, to: u32) {
        let mut next = self.after(from, from);
        // The nodes around the next one, each with its copy.
        let mut copies = vec![(from, to)];
        while let Some(node) = next {
            if self.tree.nodes.len() > self.limits.nodes {
                self.nodes_hit = true;
                return;
            }
            let parent = self.tree.nodes[node as usize].parent;
            copies.truncate(1 + copies.iter().rposition(|&(original, _)| original == parent).unwrap_or(0));
            let copy = self.copy_into(node, copies[copies.len() - 1].1);
            copies.push((node, copy));
            next = self.after(node, from);
        }
    }

    fn copy_into(&mut self, node: u32, parent: u32) -> u32 {
        if self.tree.nodes[node as usize].tag == Tag::Unknown && self.tree.nodes[node as usize].is_element() {
            let name = self.tree.name_of(node);
            self.tree.name_next(name);
        }
        let at = self.tree.content_start(parent);
        let copy = self.tree.nodes[node as usize].copied(at);
        self.insert(copy, super::insert::Position::last_in(parent))
    }
}

#[cfg(test)]
mod tests {
    use crate::{Dom, NodeId, Options, Origin, Tree, parse};

    /// The text that the page's `selectedcontent` elements show.
    fn check(select: &str, expected: &str) {
        let source = format!("<select{select}</select>");
        let options = Options { mirror_selected: true, ..Options::default() };
        let mut tree = Tree::default();
        parse(&source, &options, &mut tree);
        let dom = tree.dom(&source);
        let shown: String = shown(dom).map(|node| dom.text(node)).collect();
        assert_eq!(shown, expected, "{source}");
        assert!(self::shown(dom).all(|node| dom.origin(node) != Origin::Source), "{source}");
    }

    fn shown(dom: Dom<'_>) -> impl Iterator<Item = NodeId> {
        let targets = dom.descendants(dom.root()).filter(move |&node| dom.name(node) == "selectedcontent");
        targets.flat_map(move |target| dom.descendants(target))
    }

    #[test]
    fn the_first_option_is_shown_unless_another_is_selected() {
        check("><button><selectedcontent></button><option>a<option>b", "a");
        check("><button><selectedcontent></button><option>a<option selected><i>b</i>c", "bc");
        check(
            "><button><selectedcontent></button><option disabled>a<optgroup disabled><option>b</optgroup><option>c",
            "c",
        );
    }

    #[test]
    fn a_list_of_several_choices_shows_none() {
        check(" multiple><button><selectedcontent></button><option>a", "");
        check(" size=4><button><selectedcontent></button><option>a", "");
    }

    #[test]
    fn an_option_does_not_show_itself() {
        check("><option>a<selectedcontent>", "");
    }

    #[test]
    fn names_that_html_does_not_know_are_copied_too() {
        let source = "<select><button><selectedcontent></button><option><x-y>a</x-y><!--c--></select>";
        let mut tree = Tree::default();
        parse(source, &Options { mirror_selected: true, ..Options::default() }, &mut tree);
        let dom = tree.dom(source);
        let copy = shown(dom).next().expect("the option's content was copied");
        assert_eq!((dom.name(copy), dom.start_tag(copy)), ("x-y", None));
    }
}
