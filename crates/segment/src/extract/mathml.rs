//! Formulas in MathML that come without TeX, as a line of text: `x^2`, `a/b`, `√(x+1)`.

use kuai_page::{Dom, NodeId};

/// Elements inside each other that are told apart; what is deeper is told as it is.
const DEPTH_MAX: usize = 32;

/// Nodes of a formula that are looked at; a longer one is told as its text.
const NODES_MAX: usize = 2_000;

/// A formula as a line of text; `None` where its text alone says as much.
pub(super) fn line(dom: Dom<'_>, math: NodeId) -> Option<String> {
    let looked_at = || dom.descendants(math).take(NODES_MAX + 1);
    if looked_at().count() > NODES_MAX || !looked_at().any(|node| has_signs(dom, node)) {
        return None;
    }
    let mut line = String::new();
    write(dom, math, 0, &mut line);
    (!line.is_empty()).then_some(line)
}

/// Whether what an element holds is drawn at another height, so that its text alone would be read as something else.
fn has_signs(dom: Dom<'_>, node: NodeId) -> bool {
    dom.is_element(node)
        && matches!(dom.name(node), "msup" | "msub" | "msubsup" | "mfrac" | "msqrt" | "mroot" | "munder" | "munderover")
}

fn write(dom: Dom<'_>, node: NodeId, depth: usize, out: &mut String) {
    if dom.is_text(node) {
        out.push_str(&written(dom.text(node)));
        return;
    }
    let parts: Vec<String> = parts(dom, node, depth);
    match (dom.name(node), parts.as_slice()) {
        ("annotation" | "annotation-xml", _) => {}
        // An accent.
        ("mover", [base, above]) if !above.contains(char::is_alphanumeric) => out.extend([base.as_str(), above]),
        ("msup" | "mover", [base, above]) => out.extend([base, "^", &group(above)]),
        ("msub" | "munder", [base, below]) => out.extend([base, "_", &group(below)]),
        ("msubsup" | "munderover", [base, below, above]) => {
            out.extend([base, "_", &group(below), "^", &group(above)]);
        }
        ("mfrac", [above, below]) => out.extend([&group(above), "/", &group(below)]),
        ("mroot", [base, index]) => out.extend([&group(index), "√", &group(base)]),
        ("msqrt", _) => out.extend(["√", &group(&parts.concat())]),
        ("mtr", _) => out.push_str(&parts.join(" ")),
        ("mtable", _) => out.push_str(&parts.join("; ")),
        _ => out.push_str(&parts.concat()),
    }
}

/// What the children of an element say.
fn parts(dom: Dom<'_>, node: NodeId, depth: usize) -> Vec<String> {
    if depth >= DEPTH_MAX {
        return dom.descendants(node).filter(|&node| dom.is_text(node)).map(|text| written(dom.text(text))).collect();
    }
    let is_leaf = dom.first_child(node).is_some_and(|child| dom.is_text(child) && dom.next_sibling(child).is_none());
    let children = dom.children(node).filter(|&child| is_leaf || dom.is_element(child));
    let tell = |child| {
        let mut part = String::new();
        write(dom, child, depth + 1, &mut part);
        part
    };
    children.map(tell).collect()
}

/// A text without the operators that nobody sees, such as the one of a product.
fn written(text: &str) -> String {
    let is_seen = |character: &char| !matches!(character, '\u{2061}'..='\u{2064}');
    text.split_ascii_whitespace().collect::<Vec<_>>().join(" ").chars().filter(is_seen).collect()
}

/// What stands together: in brackets, unless it is one number or sign, or has them.
fn group(part: &str) -> String {
    let is_number = part.chars().all(|character| character.is_ascii_digit() || character == '.');
    if is_number || part.chars().count() == 1 { part.to_owned() } else { format!("({part})") }
}
