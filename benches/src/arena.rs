//! html5ever into an arena: the simplest sink that keeps the whole tree, to compare with.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::{Attribute, ExpandedName, ParseOpts, QualName, parse_document, parse_fragment};

/// What a node holds.
#[derive(Debug)]
pub enum Data {
    /// The root.
    Document,
    /// `<!DOCTYPE …>`: name, public and system identifier.
    Doctype(StrTendril, StrTendril, StrTendril),
    /// Text.
    Text(StrTendril),
    /// A comment.
    Comment(StrTendril),
    /// An element; the last part is the node that holds a template's content.
    Element(QualName, Vec<Attribute>, Option<usize>, bool),
    /// A processing instruction, which HTML never makes.
    Instruction,
}

/// A node by the indices of its relatives.
#[derive(Debug)]
pub struct Node {
    /// What it holds.
    pub data: Data,
    /// Its parent.
    pub parent: Option<usize>,
    /// Its children in order.
    pub children: Vec<usize>,
}

/// The sink, and the tree once parsing is done. Node 0 is the document.
#[derive(Debug)]
pub struct Arena {
    nodes: RefCell<Vec<Node>>,
    quirks: Cell<QuirksMode>,
}

/// Parses a document with html5ever.
pub fn parse(source: &str, scripting: bool) -> Vec<Node> {
    let mut options = ParseOpts::default();
    options.tree_builder.scripting_enabled = scripting;
    parse_document(Arena::new(), options).one(source)
}

/// Parses a fragment with html5ever.
pub fn parse_in(source: &str, context: QualName, scripting: bool) -> Vec<Node> {
    let mut options = ParseOpts::default();
    options.tree_builder.scripting_enabled = scripting;
    parse_fragment(Arena::new(), options, context, Vec::new(), scripting).one(source)
}

impl Arena {
    fn new() -> Self {
        let arena = Arena { nodes: RefCell::new(Vec::new()), quirks: Cell::new(QuirksMode::NoQuirks) };
        arena.add(Data::Document);
        arena
    }

    fn add(&self, data: Data) -> usize {
        let mut nodes = self.nodes.borrow_mut();
        nodes.push(Node { data, parent: None, children: Vec::new() });
        nodes.len() - 1
    }

    fn unlink(&self, node: usize) {
        let mut nodes = self.nodes.borrow_mut();
        if let Some(parent) = nodes[node].parent.take() {
            let siblings = &mut nodes[parent].children;
            if let Some(index) = siblings.iter().rposition(|&sibling| sibling == node) {
                siblings.remove(index);
            }
        }
    }

    fn insert(&self, parent: usize, index: usize, child: NodeOrText<usize>) {
        match child {
            NodeOrText::AppendNode(node) => {
                self.unlink(node);
                let mut nodes = self.nodes.borrow_mut();
                let index = index.min(nodes[parent].children.len());
                nodes[parent].children.insert(index, node);
                nodes[node].parent = Some(parent);
            }
            NodeOrText::AppendText(text) => {
                let previous = index.checked_sub(1).map(|index| self.nodes.borrow()[parent].children[index]);
                if let Some(previous) = previous {
                    if let Data::Text(held) = &mut self.nodes.borrow_mut()[previous].data {
                        held.push_tendril(&text);
                        return;
                    }
                }
                let node = self.add(Data::Text(text));
                let mut nodes = self.nodes.borrow_mut();
                nodes[parent].children.insert(index, node);
                nodes[node].parent = Some(parent);
            }
        }
    }
}

impl TreeSink for Arena {
    type Handle = usize;
    type Output = Vec<Node>;
    type ElemName<'a> = ExpandedName<'a>;

    fn finish(self) -> Vec<Node> {
        self.nodes.into_inner()
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> usize {
        0
    }

    fn elem_name<'a>(&'a self, &target: &'a usize) -> ExpandedName<'a> {
        // The names live in the arena, which hands out no reference that outlives a borrow; they are interned, so a
        // leaked copy would be needed. An element's name never changes, so the slot of a second list is returned.
        self.name_of(target)
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, flags: ElementFlags) -> usize {
        let content = flags.template.then(|| self.add(Data::Document));
        self.add(Data::Element(name, attributes, content, flags.mathml_annotation_xml_integration_point))
    }

    fn create_comment(&self, text: StrTendril) -> usize {
        self.add(Data::Comment(text))
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> usize {
        self.add(Data::Instruction)
    }

    fn append(&self, &parent: &usize, child: NodeOrText<usize>) {
        let count = self.nodes.borrow()[parent].children.len();
        self.insert(parent, count, child);
    }

    fn append_before_sibling(&self, &sibling: &usize, child: NodeOrText<usize>) {
        if let NodeOrText::AppendNode(node) = child {
            self.unlink(node);
        }
        let Some(parent) = self.nodes.borrow()[sibling].parent else { return };
        let index = self.nodes.borrow()[parent].children.iter().rposition(|&child| child == sibling);
        self.insert(parent, index.unwrap_or(0), child);
    }

    fn append_based_on_parent_node(&self, element: &usize, previous: &usize, child: NodeOrText<usize>) {
        match self.nodes.borrow()[*element].parent.is_some() {
            true => self.append_before_sibling(element, child),
            false => self.append(previous, child),
        }
    }

    fn append_doctype_to_document(&self, name: StrTendril, public_id: StrTendril, system_id: StrTendril) {
        let node = self.add(Data::Doctype(name, public_id, system_id));
        self.append(&0, NodeOrText::AppendNode(node));
    }

    fn add_attrs_if_missing(&self, &target: &usize, attributes: Vec<Attribute>) {
        if let Data::Element(_, held, ..) = &mut self.nodes.borrow_mut()[target].data {
            for attribute in attributes {
                if !held.iter().any(|known| known.name == attribute.name) {
                    held.push(attribute);
                }
            }
        }
    }

    fn remove_from_parent(&self, &target: &usize) {
        self.unlink(target);
    }

    fn reparent_children(&self, &node: &usize, &new_parent: &usize) {
        let mut nodes = self.nodes.borrow_mut();
        let children = std::mem::take(&mut nodes[node].children);
        for &child in &children {
            nodes[child].parent = Some(new_parent);
        }
        nodes[new_parent].children.extend(children);
    }

    fn get_template_contents(&self, &target: &usize) -> usize {
        match self.nodes.borrow()[target].data {
            Data::Element(_, _, Some(content), _) => content,
            _ => target,
        }
    }

    fn same_node(&self, one: &usize, other: &usize) -> bool {
        one == other
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.quirks.set(mode);
    }

    fn is_mathml_annotation_xml_integration_point(&self, &target: &usize) -> bool {
        matches!(self.nodes.borrow()[target].data, Data::Element(_, _, _, true))
    }
}
