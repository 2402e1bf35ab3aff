//! Both trees written as html5lib's tests write them, one node a line.

use html5ever::ns;
use kuai_html::{Dom, Edge, Namespace, NodeId, NodeKind, Tag};

use crate::arena::{Data, Link};

/// Our tree below a node, `depth` levels in at first.
pub fn ours(dom: Dom<'_>, root: NodeId) -> String {
    let mut out = String::new();
    let mut depth: usize = 0;
    for edge in dom.walk(root) {
        match edge {
            Edge::Enter(node) if node == root => {}
            Edge::Leave(node) if node == root => {}
            Edge::Enter(node) => {
                our_node(dom, node, depth, &mut out);
                depth += if is_template(dom, node) { 2 } else { 1 };
            }
            Edge::Leave(node) => depth -= if is_template(dom, node) { 2 } else { 1 },
        }
    }
    out
}

fn is_template(dom: Dom<'_>, node: NodeId) -> bool {
    dom.tag(node) == Tag::Template
}

fn our_node(dom: Dom<'_>, node: NodeId, depth: usize, out: &mut String) {
    match dom.kind(node) {
        NodeKind::Document => {}
        NodeKind::Doctype => {
            if let Some(doctype) = dom.doctype() {
                let ids = doctype.public_id.is_some() || doctype.system_id.is_some();
                let (public_id, system_id) = (doctype.public_id.unwrap_or(""), doctype.system_id.unwrap_or(""));
                write_doctype(doctype.name, ids.then_some((public_id, system_id)), depth, out);
            }
        }
        NodeKind::Text => line(depth, &format!("\"{}\"", dom.text(node)), out),
        NodeKind::Comment => line(depth, &format!("<!-- {} -->", dom.text(node)), out),
        NodeKind::Element => {
            let prefix = match dom.namespace(node) {
                Namespace::Html => "",
                Namespace::Svg => "svg ",
                Namespace::MathMl => "math ",
            };
            line(depth, &format!("<{prefix}{}>", dom.name(node)), out);
            let foreign = dom.namespace(node) != Namespace::Html;
            let attributes = dom.attributes(node).map(|attribute| {
                let name = attribute.name.to_owned();
                let name = if foreign && is_prefixed(&name) { name.replacen(':', " ", 1) } else { name };
                (name, attribute.value.to_owned())
            });
            write_attributes(attributes.collect(), depth, out);
            if is_template(dom, node) {
                line(depth + 1, "content", out);
            }
        }
    }
}

/// Attributes that the standard puts into a namespace of their own.
fn is_prefixed(name: &str) -> bool {
    matches!(
        name,
        "xlink:actuate"
            | "xlink:arcrole"
            | "xlink:href"
            | "xlink:role"
            | "xlink:show"
            | "xlink:title"
            | "xlink:type"
            | "xml:lang"
            | "xml:space"
            | "xmlns:xlink"
    )
}

/// html5ever's tree below a node.
pub fn theirs(root: Link<'_>) -> String {
    let mut out = String::new();
    let mut todo: Vec<(Link<'_>, usize)> = Vec::new();
    push_children(root, 0, &mut todo);
    while let Some((node, depth)) = todo.pop() {
        match &node.data {
            Data::Document => {}
            Data::Doctype(name, public_id, system_id) => {
                let ids = !public_id.is_empty() || !system_id.is_empty();
                write_doctype(name, ids.then_some((public_id.as_ref(), system_id.as_ref())), depth, &mut out);
            }
            Data::Text(text) => line(depth, &format!("\"{}\"", text.borrow()), &mut out),
            Data::Comment(text) => line(depth, &format!("<!-- {text} -->"), &mut out),
            Data::Element { name, attributes, content, .. } => {
                let prefix = match name.ns {
                    ns!(svg) => "svg ",
                    ns!(mathml) => "math ",
                    _ => "",
                };
                line(depth, &format!("<{prefix}{}>", name.local), &mut out);
                let named = attributes.borrow().iter().map(their_attribute).collect();
                write_attributes(named, depth, &mut out);
                push_children(node, depth + 1, &mut todo);
                if let Some(content) = content {
                    line(depth + 1, "content", &mut out);
                    push_children(content, depth + 2, &mut todo);
                }
            }
        }
    }
    out
}

fn their_attribute(attribute: &html5ever::Attribute) -> (String, String) {
    let local = &attribute.name.local;
    let name = match attribute.name.ns {
        ns!(xlink) => format!("xlink {local}"),
        ns!(xml) => format!("xml {local}"),
        ns!(xmlns) if &**local != "xmlns" => format!("xmlns {local}"),
        _ => local.to_string(),
    };
    (name, attribute.value.to_string())
}

fn push_children<'a>(node: Link<'a>, depth: usize, todo: &mut Vec<(Link<'a>, usize)>) {
    let start = todo.len();
    let mut child = node.first_child.get();
    while let Some(node) = child {
        todo.push((node, depth));
        child = node.next.get();
    }
    todo[start..].reverse();
}

fn write_doctype(name: &str, ids: Option<(&str, &str)>, depth: usize, out: &mut String) {
    match ids {
        Some((public_id, system_id)) => {
            line(depth, &format!("<!DOCTYPE {name} \"{public_id}\" \"{system_id}\">"), out);
        }
        None => line(depth, &format!("<!DOCTYPE {name}>"), out),
    }
}

fn write_attributes(mut attributes: Vec<(String, String)>, depth: usize, out: &mut String) {
    attributes.sort();
    for (name, value) in attributes {
        line(depth + 1, &format!("{name}=\"{value}\""), out);
    }
}

fn line(depth: usize, text: &str, out: &mut String) {
    out.push_str("| ");
    out.extend(std::iter::repeat_n("  ", depth));
    out.push_str(text);
    out.push('\n');
}
