//! html5ever into an arena: the simplest sink that keeps the whole tree, to compare with.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};

use html5ever::driver::parse_fragment_for_element;
use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink, create_element};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::{Attribute, ParseOpts, QualName, local_name, parse_document};
use typed_arena::Arena;

/// A reference to a node of the arena.
pub type Link<'a> = &'a Node<'a>;

/// What a node holds.
pub enum Data<'a> {
    /// The root, or what holds the content of a template.
    Document,
    /// `<!DOCTYPE …>`: name, public and system identifier.
    Doctype(StrTendril, StrTendril, StrTendril),
    /// Text.
    Text(RefCell<StrTendril>),
    /// A comment.
    Comment(StrTendril),
    /// An element.
    Element {
        /// Its name.
        name: QualName,
        /// Its attributes.
        attributes: RefCell<Vec<Attribute>>,
        /// What holds the content of a template.
        content: Option<Link<'a>>,
        /// Whether it is an `annotation-xml` that holds HTML.
        holds_html: bool,
    },
}

/// A node and its relatives.
pub struct Node<'a> {
    /// What it holds.
    pub data: Data<'a>,
    parent: Cell<Option<Link<'a>>>,
    /// Its first child.
    pub first_child: Cell<Option<Link<'a>>>,
    last_child: Cell<Option<Link<'a>>>,
    previous: Cell<Option<Link<'a>>>,
    /// Its next sibling.
    pub next: Cell<Option<Link<'a>>>,
}

impl<'a> Node<'a> {
    fn new(data: Data<'a>) -> Self {
        Node {
            data,
            parent: Cell::default(),
            first_child: Cell::default(),
            last_child: Cell::default(),
            previous: Cell::default(),
            next: Cell::default(),
        }
    }

    fn unlink(&self) {
        let (parent, previous, next) = (self.parent.take(), self.previous.take(), self.next.take());
        match (previous, parent) {
            (Some(previous), _) => previous.next.set(next),
            (None, Some(parent)) => parent.first_child.set(next),
            _ => {}
        }
        match (next, parent) {
            (Some(next), _) => next.previous.set(previous),
            (None, Some(parent)) => parent.last_child.set(previous),
            _ => {}
        }
    }

    fn link(&'a self, parent: Link<'a>, before: Option<Link<'a>>) {
        self.unlink();
        let previous = match before {
            Some(before) => before.previous.replace(Some(self)),
            None => parent.last_child.replace(Some(self)),
        };
        match previous {
            Some(previous) => previous.next.set(Some(self)),
            None => parent.first_child.set(Some(self)),
        }
        self.parent.set(Some(parent));
        self.previous.set(previous);
        self.next.set(before);
    }
}

/// Parses a document with html5ever.
pub fn parse<'a>(source: &str, scripting: bool, arena: &'a Arena<Node<'a>>) -> Link<'a> {
    parse_document(Sink::new(arena), options(scripting)).one(source)
}

/// Parses a fragment with html5ever.
pub fn parse_in<'a>(source: &str, context: QualName, scripting: bool, arena: &'a Arena<Node<'a>>) -> Link<'a> {
    let sink = Sink::new(arena);
    let is_form = context.local == local_name!("form");
    let element = create_element(&sink, context, Vec::new());
    // The standard looks for a form from the context upwards; html5ever leaves that to its caller.
    let form = is_form.then_some(element);
    parse_fragment_for_element(sink, options(scripting), element, scripting, form).one(source)
}

fn options(scripting: bool) -> ParseOpts {
    let mut options = ParseOpts::default();
    options.tree_builder.scripting_enabled = scripting;
    options
}

struct Sink<'a> {
    arena: &'a Arena<Node<'a>>,
    document: Link<'a>,
}

impl<'a> Sink<'a> {
    fn new(arena: &'a Arena<Node<'a>>) -> Self {
        Sink { arena, document: arena.alloc(Node::new(Data::Document)) }
    }

    fn add(&self, data: Data<'a>) -> Link<'a> {
        self.arena.alloc(Node::new(data))
    }

    fn insert(&self, parent: Link<'a>, before: Option<Link<'a>>, child: NodeOrText<Link<'a>>) {
        match child {
            NodeOrText::AppendNode(node) => node.link(parent, before),
            NodeOrText::AppendText(text) => {
                let previous = before.map_or(parent.last_child.get(), |before| before.previous.get());
                match previous.map(|previous| &previous.data) {
                    Some(Data::Text(held)) => held.borrow_mut().push_tendril(&text),
                    _ => self.add(Data::Text(RefCell::new(text))).link(parent, before),
                }
            }
        }
    }
}

impl<'a> TreeSink for Sink<'a> {
    type Handle = Link<'a>;
    type Output = Link<'a>;
    type ElemName<'b>
        = &'b QualName
    where
        Self: 'b;

    fn finish(self) -> Link<'a> {
        self.document
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> Link<'a> {
        self.document
    }

    fn elem_name(&self, target: &Link<'a>) -> &QualName {
        match &target.data {
            Data::Element { name, .. } => name,
            _ => panic!("only elements have names"),
        }
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, flags: ElementFlags) -> Link<'a> {
        self.add(Data::Element {
            name,
            attributes: RefCell::new(attributes),
            content: flags.template.then(|| self.add(Data::Document)),
            holds_html: flags.mathml_annotation_xml_integration_point,
        })
    }

    fn create_comment(&self, text: StrTendril) -> Link<'a> {
        self.add(Data::Comment(text))
    }

    fn create_pi(&self, _: StrTendril, data: StrTendril) -> Link<'a> {
        self.add(Data::Comment(data))
    }

    fn append(&self, parent: &Link<'a>, child: NodeOrText<Link<'a>>) {
        self.insert(parent, None, child);
    }

    fn append_before_sibling(&self, sibling: &Link<'a>, child: NodeOrText<Link<'a>>) {
        if let Some(parent) = sibling.parent.get() {
            self.insert(parent, Some(sibling), child);
        }
    }

    fn append_based_on_parent_node(&self, element: &Link<'a>, previous: &Link<'a>, child: NodeOrText<Link<'a>>) {
        match element.parent.get() {
            Some(parent) => self.insert(parent, Some(element), child),
            None => self.insert(previous, None, child),
        }
    }

    fn append_doctype_to_document(&self, name: StrTendril, public_id: StrTendril, system_id: StrTendril) {
        self.add(Data::Doctype(name, public_id, system_id)).link(self.document, None);
    }

    fn add_attrs_if_missing(&self, target: &Link<'a>, attributes: Vec<Attribute>) {
        if let Data::Element { attributes: held, .. } = &target.data {
            let mut held = held.borrow_mut();
            for attribute in attributes {
                if !held.iter().any(|known| known.name == attribute.name) {
                    held.push(attribute);
                }
            }
        }
    }

    fn remove_from_parent(&self, target: &Link<'a>) {
        target.unlink();
    }

    fn reparent_children(&self, node: &Link<'a>, new_parent: &Link<'a>) {
        while let Some(child) = node.first_child.get() {
            child.link(new_parent, None);
        }
    }

    fn get_template_contents(&self, target: &Link<'a>) -> Link<'a> {
        match target.data {
            Data::Element { content: Some(content), .. } => content,
            _ => target,
        }
    }

    fn same_node(&self, one: &Link<'a>, other: &Link<'a>) -> bool {
        std::ptr::eq(*one, *other)
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn is_mathml_annotation_xml_integration_point(&self, target: &Link<'a>) -> bool {
        matches!(target.data, Data::Element { holds_html: true, .. })
    }

    fn allow_declarative_shadow_roots(&self, _: &Link<'a>) -> bool {
        false
    }
}
