//! STAND-IN, to be replaced by the standard's parser: knows tags, attributes, text and void elements only.

use crate::tree::{AttributeData, NONE, NodeData, Text};
use crate::{Limits, Namespace, NodeKind, Note, Origin, Span, Tag, Tree};

/// How to parse.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Whether the page is read as by a browser that runs scripts (`noscript` is then raw text).
    pub scripting: bool,
    /// Bounds.
    pub limits: Limits,
}

/// Parses a whole document into `tree`, whose memory is used again.
pub fn parse(source: &str, _options: &Options, tree: &mut Tree) -> Vec<Note> {
    *tree = Tree::default();
    let end = source.len() as u32;
    let add = |parent: u32, kind, tag: Tag, span, text, tree: &mut Tree| {
        let id = tree.nodes.len() as u32;
        let previous = if parent == NONE { NONE } else { tree.nodes[parent as usize].last_child };
        tree.nodes.push(NodeData {
            parent,
            first_child: NONE,
            last_child: NONE,
            previous,
            next: NONE,
            kind,
            origin: Origin::Source,
            namespace: Namespace::Html,
            tag,
            span,
            start_tag_end: span.start,
            end_tag_start: span.end,
            text,
            attributes_start: tree.attributes.len() as u32,
            attributes_count: 0,
        });
        if parent != NONE {
            if previous == NONE {
                tree.nodes[parent as usize].first_child = id
            } else {
                tree.nodes[previous as usize].next = id
            }
            tree.nodes[parent as usize].last_child = id;
        }
        id
    };
    add(NONE, NodeKind::Document, Tag::Unknown, Span::new(0, end), Text::Empty, tree);
    let mut stack = vec![0u32];
    let bytes = source.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let parent = *stack.last().expect("the document stays open");
        let rest = &source[at..];
        let until = |needle: &str| rest.find(needle).map_or(source.len(), |found| at + found + needle.len());
        if rest.starts_with("<!--") {
            let stop = until("-->");
            add(parent, NodeKind::Comment, Tag::Unknown, Span::new(at as u32, stop as u32), Text::Empty, tree);
            at = stop;
        } else if rest.starts_with("<!") {
            at = until(">");
        } else if rest.starts_with('<') && rest[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/') {
            let stop = until(">");
            let inner = rest[1..stop - at].trim_end_matches('>');
            let closing = inner.starts_with('/');
            let inner = inner.trim_start_matches('/');
            let name_end = inner.find(|c: char| c.is_whitespace() || c == '/').unwrap_or(inner.len());
            let tag = Tag::from_name(&inner[..name_end].to_ascii_lowercase());
            if closing {
                if let Some(depth) = stack.iter().rposition(|&id| tree.nodes[id as usize].tag == tag && id != 0) {
                    for &id in &stack[depth..] {
                        let node = &mut tree.nodes[id as usize];
                        node.end_tag_start = at as u32;
                        node.span.end = at as u32;
                    }
                    tree.nodes[stack[depth] as usize].span.end = stop as u32;
                    stack.truncate(depth);
                }
            } else {
                let id = add(parent, NodeKind::Element, tag, Span::new(at as u32, stop as u32), Text::Empty, tree);
                tree.nodes[id as usize].start_tag_end = stop as u32;
                let offset = |part: &str| (part.as_ptr() as usize - source.as_ptr() as usize) as u32;
                let mut attrs = inner[name_end..].trim_matches(|c: char| c.is_whitespace() || c == '/');
                while !attrs.is_empty() {
                    let name_end = attrs.find(|c: char| c.is_whitespace() || c == '=').unwrap_or(attrs.len());
                    let name = &attrs[..name_end];
                    let mut value = "";
                    attrs = attrs[name_end..].trim_start();
                    if let Some(after) = attrs.strip_prefix('=') {
                        let after = after.trim_start();
                        let (skip, stop) = match after.chars().next() {
                            Some(q @ ('"' | '\'')) => (1, after[1..].find(q).map_or(after.len(), |found| found + 1)),
                            _ => (0, after.find(char::is_whitespace).unwrap_or(after.len())),
                        };
                        value = &after[skip.min(stop)..stop];
                        attrs = after[stop..].trim_start_matches(['"', '\'']);
                    }
                    attrs = attrs.trim_start();
                    let span = |part: &str| Span::new(offset(part), offset(part) + part.len() as u32);
                    if name.is_empty() {
                        break;
                    }
                    let value = if value.is_empty() { Text::Empty } else { Text::Source(span(value)) };
                    tree.attributes.push(AttributeData { name: Text::Source(span(name)), value, span: span(name) });
                    tree.nodes[id as usize].attributes_count += 1;
                }
                at = stop;
                if !tag.is_void() {
                    tree.nodes[id as usize].span.end = end;
                    tree.nodes[id as usize].end_tag_start = end;
                    stack.push(id);
                    if matches!(tag, Tag::Script | Tag::Style | Tag::Title | Tag::Textarea) {
                        let close = format!("</{}", tag.name());
                        let stop = source[at..].find(&close).map_or(source.len(), |found| at + found);
                        if stop > at {
                            let span = Span::new(at as u32, stop as u32);
                            add(id, NodeKind::Text, Tag::Unknown, span, Text::Source(span), tree);
                        }
                        at = stop;
                    }
                }
                continue;
            }
            at = stop;
        } else {
            let stop = rest[1..].find('<').map_or(source.len(), |found| at + 1 + found);
            let span = Span::new(at as u32, stop as u32);
            add(parent, NodeKind::Text, Tag::Unknown, span, Text::Source(span), tree);
            at = stop;
        }
    }
    Vec::new()
}
