//! Parts that a page streams behind its end, put where its script would put them.
//!
//! Servers that render React send a page before they know all of it. In place of a part stands `<template id="B:0">`, with what is shown meanwhile
//! behind it up to the comment `/$`, or `<template id="P:0">` by itself. The part follows at the end in a hidden `<div id="S:0">`, and a script says
//! `$RC("B:0","S:0")` or `$RS("S:0","P:0")`. No script is run: the calls are read off its text. What was shown meanwhile goes into the template.

use std::collections::HashMap;

use super::Builder;
use super::insert::Position;
use crate::tree::NONE;
use crate::{Dom, Edge, NodeId, NodeKind, Tag};

/// Siblings behind a template among which the end of what is shown meanwhile is looked for.
const MEANWHILE_MAX: usize = 4096;

/// The calls that move parts: what each is named, and whether the part is named before its place.
const CALLS: [(&str, bool); 3] = [("$RC(\"", false), ("$RR(\"", false), ("$RS(\"", true)];

impl Builder<'_, '_> {
    /// Puts all parts whose place is known there.
    pub(super) fn place_streamed(&mut self) {
        let dom = self.tree.dom(self.source);
        let mut places = named(dom, self.templates.iter().copied(), &["B:", "P:"]);
        if places.is_empty() {
            return;
        }
        let mut parts = named(dom, 1..dom.len() as u32, &["S:"]);
        // A part may hold another, so the nodes that are looked at to learn how deep parts are have a bound of their own.
        let mut steps_left = 8 * self.tree.nodes.len();
        for (place, part) in moves_in(dom) {
            if let (Some(place), Some(part)) = (places.remove(&place), parts.remove(&part))
                && self.fits(place, part, &mut steps_left)
            {
                self.place(place, part);
            }
        }
    }

    /// Whether a part does not hold its own place, and what it holds is nested no deeper there than anything may be.
    fn fits(&self, place: u32, part: u32, steps_left: &mut usize) -> bool {
        if self.ancestors(place).any(|ancestor| ancestor == part) {
            return false;
        }
        // The part itself stays behind, so its content is one level up.
        let mut depth = self.ancestors(place).count() - 1;
        for edge in self.tree.dom(self.source).walk(NodeId::from_index(part as usize)) {
            *steps_left = steps_left.saturating_sub(1);
            match edge {
                Edge::Enter(_) => depth += 1,
                Edge::Leave(_) => depth -= 1,
            }
            if depth > self.limits.depth || *steps_left == 0 {
                return false;
            }
        }
        true
    }

    fn place(&mut self, template: u32, part: u32) {
        let (meanwhile, before) = self.meanwhile(template);
        let parent = self.node(template).parent;
        for node in meanwhile {
            self.move_to(node, Position::out_of_place(template, NONE));
        }
        loop {
            match self.node(part).first_child() {
                NONE => return,
                child => self.move_to(child, Position::out_of_place(parent, before)),
            }
        }
    }

    fn move_to(&mut self, node: u32, position: Position) {
        self.detach(node);
        self.attach(node, position);
    }

    /// What is shown behind a template until its part is there, and the node that follows it.
    fn meanwhile(&self, template: u32) -> (Vec<u32>, u32) {
        let dom = self.tree.dom(self.source);
        let after = self.tree.nodes[template as usize].next;
        let (mut shown, mut inner, mut node) = (Vec::new(), 0, after);
        while node != NONE && shown.len() < MEANWHILE_MAX {
            match boundary(dom, NodeId::from_index(node as usize)) {
                Some(Boundary::End) if inner == 0 => return (shown, node),
                Some(Boundary::End) => inner -= 1,
                Some(Boundary::Start) => inner += 1,
                None => {}
            }
            shown.push(node);
            node = self.tree.nodes[node as usize].next;
        }
        (Vec::new(), after)
    }
}

enum Boundary {
    Start,
    End,
}

fn boundary(dom: Dom<'_>, node: NodeId) -> Option<Boundary> {
    if dom.kind(node) != NodeKind::Comment {
        return None;
    }
    match dom.text(node) {
        "/$" => Some(Boundary::End),
        "$" | "$?" | "$!" | "$~" => Some(Boundary::Start),
        _ => None,
    }
}

/// The elements in the tree whose id begins with one of these, by their ids; the first of each.
fn named(dom: Dom<'_>, nodes: impl Iterator<Item = u32>, beginnings: &[&str]) -> HashMap<String, u32> {
    let mut found = HashMap::new();
    for node in nodes {
        let id = NodeId::from_index(node as usize);
        let name = if dom.is_element(id) { dom.attribute(id, "id") } else { None };
        if let Some(name) = name.filter(|name| beginnings.iter().any(|beginning| name.starts_with(beginning)))
            && dom.parent(id).is_some()
        {
            found.entry(name.to_owned()).or_insert(node);
        }
    }
    found
}

/// What the page's scripts move: to which place, which part.
fn moves_in(dom: Dom<'_>) -> Vec<(String, String)> {
    let nodes = (0..dom.len()).map(NodeId::from_index);
    let scripts = nodes.filter(|&node| dom.is_element(node) && dom.tag(node) == Tag::Script);
    let texts = scripts.filter_map(|script| Some(dom.text(dom.first_child(script)?)));
    texts.flat_map(calls).map(|(place, part)| (place.to_owned(), part.to_owned())).collect()
}

fn calls(script: &str) -> impl Iterator<Item = (&str, &str)> {
    script.match_indices("$R").filter_map(|(at, _)| {
        let script = &script[at..];
        let (rest, part_first) = CALLS.iter().find_map(|&(call, order)| Some((script.strip_prefix(call)?, order)))?;
        let (first, rest) = rest.split_once('"')?;
        let (second, _) = rest.strip_prefix(",\"")?.split_once('"')?;
        Some(if part_first { (second, first) } else { (first, second) })
    })
}

#[cfg(test)]
mod tests {
    use crate::{Edge, Limits, NodeKind, Options, Origin, Tree, parse};

    /// Texts and the comments and templates around them, as they come in the tree.
    fn read(source: &str, limits: Limits) -> String {
        let mut tree = Tree::default();
        parse(source, &Options { as_shown: true, limits, ..Options::default() }, &mut tree);
        let dom = tree.dom(source);
        let mut read = String::new();
        for edge in dom.walk(dom.body().expect("every page has a body")) {
            match edge {
                Edge::Enter(node) if dom.kind(node) == NodeKind::Text => read += dom.text(node),
                Edge::Enter(node) if dom.name(node) == "template" => read += "[",
                Edge::Leave(node) if dom.name(node) == "template" => read += "]",
                _ => {}
            }
        }
        read
    }

    fn check(source: &str, expected: &str) {
        assert_eq!(read(source, Limits::default()), expected, "{source}");
    }

    const CALL: &str = "<script>$RC=function(a,b){};$RC(\"B:0\",\"S:0\")</script>";

    #[test]
    fn a_part_stands_where_its_boundary_is_and_not_what_was_shown_meanwhile() {
        let source = "<p>a</p><!--$?--><template id=\"B:0\"></template><i>wait</i><!--$-->b<!--/$--><!--/$--><p>z</p>";
        let part = "<div hidden id=\"S:0\"><p>text</p> more</div>";
        let with =
            |call: &str| format!("<body>{source}{part}{call}").replace("<script>$RC=function(a,b){};", "<script>");
        check(&with(CALL), "a[waitb]text morez$RC(\"B:0\",\"S:0\")");
        check(&with(""), "a[]waitbztext more");
    }

    #[test]
    fn a_part_of_a_part_stands_where_its_template_is() {
        check(
            "<body><!--$?--><template id=B:0></template><!--/$-->z<div hidden id=S:0>a<template id=P:1></template>c</div>\
             <div hidden id=S:1>b</div><script>$RS(\"S:1\",\"P:1\");$RC(\"B:0\",\"S:0\")</script>",
            "[]a[]bcz$RS(\"S:1\",\"P:1\");$RC(\"B:0\",\"S:0\")",
        );
    }

    #[test]
    fn what_is_put_elsewhere_is_told_to_be_moved_and_the_rest_is_not() {
        let source =
            format!("<main><template id=B:0></template><!--/$--><p>z</main><div hidden id=S:0><p>a</div>{CALL}");
        let mut tree = Tree::default();
        parse(&source, &Options { as_shown: true, ..Options::default() }, &mut tree);
        let dom = tree.dom(&source);
        let paragraphs = dom.descendants(dom.root()).filter(|&node| dom.name(node) == "p");
        let origins: Vec<Origin> = paragraphs.map(|node| dom.origin(node)).collect();
        assert_eq!(origins, [Origin::Moved, Origin::Source]);
    }

    #[test]
    fn a_part_that_holds_its_own_place_stays() {
        let source = format!(
            "<div id=S:0>a<template id=B:0></template>b<!--/$--></div>{}",
            CALL.replace("$RC=function(a,b){};", "")
        );
        check(&source, "a[]b$RC(\"B:0\",\"S:0\")");
    }

    #[test]
    fn no_part_goes_deeper_than_the_limit() {
        let deep = |levels: usize| {
            let (start, end) = ("<div>".repeat(levels), "</div>".repeat(levels));
            format!("{start}<template id=B:0></template>y<!--/$-->{end}<div id=S:0><b>x</b></div>{CALL}")
        };
        let limits = Limits { depth: 12, ..Limits::default() };
        assert!(read(&deep(4), limits).starts_with("[y]x"));
        assert!(read(&deep(9), limits).starts_with("[]yx"));
    }

    #[test]
    fn the_standards_tree_is_left_alone() {
        let source = format!("<div>a<template id=B:0></template><!--/$-->z</div><div id=S:0>b</div>{CALL}");
        let mut tree = Tree::default();
        parse(&source, &Options::default(), &mut tree);
        let dom = tree.dom(&source);
        assert!(dom.descendants(dom.root()).all(|node| dom.origin(node) != Origin::Moved));
    }
}
