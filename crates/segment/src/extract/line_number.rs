//! Line numbers beside code: which elements hold nothing else.

use kuai_page::{Dom, NodeId, NodeKind, Tag};

/// Classes that highlighters give to line numbers.
const CLASSES: [&str; 17] = [
    "linenos",
    "lineno",
    "linenodiv",
    "linenumber",
    "linenumbers",
    "line-number",
    "line-numbers",
    "line-numbers-rows",
    "gutter",
    "gl",
    "rouge-gutter",
    "blob-num",
    "hljs-ln-numbers",
    "crayon-nums",
    "lnt",
    "ln",
    "lntd",
];

/// What such classes hold where tools add to them: `CodeBlock_lineNumber__x1Y2`, `cm-gutterElement`.
const CLASS_PARTS: [&str; 4] = ["linenumber", "line-number", "line_number", "gutterelement"];

/// Nodes of a column of line numbers that are looked at.
const LOOK_MAX: usize = 256;

/// Whether an element holds the line numbers of a highlighter: it is called so, and holds nothing but numbers.
pub(super) fn is_line_number(dom: Dom<'_>, node: NodeId) -> bool {
    let Some(classes) = dom.attribute(node, "class") else { return false };
    let is_called_so = |class: &str| CLASSES.contains(&class) || has_name_inside(class);
    classes.split_ascii_whitespace().any(is_called_so) && holds_numbers(dom, node)
}

/// Whether an element outside of what is known as code is a line number all the same: that of an editor in the page.
pub(super) fn is_number_of_editor(dom: Dom<'_>, node: NodeId) -> bool {
    let is_editor = |class: &str| matches!(class, "CodeMirror-linenumber" | "cm-gutterElement" | "ace_gutter-cell");
    let classes = dom.attribute(node, "class");
    classes.is_some_and(|classes| classes.split_ascii_whitespace().any(is_editor)) && holds_numbers(dom, node)
}

/// Whether an element in code that nothing calls so is the number of its row: the rows beside it have the numbers before
/// and after, and the code is a block behind it.
pub(super) fn is_number_of_row(dom: Dom<'_>, node: NodeId) -> bool {
    let holds_code = |next| matches!(dom.tag(next), Tag::Div | Tag::Pre | Tag::Code | Tag::P | Tag::Td);
    if dom.previous_sibling(node).is_some() || !dom.next_sibling(node).is_some_and(holds_code) {
        return false;
    }
    let (Some(number), Some(row)) = (number(dom, node), dom.parent(node)) else { return false };
    let beside = [(dom.previous_sibling(row), number.checked_sub(1)), (dom.next_sibling(row), number.checked_add(1))];
    let fits = |(row, expected): &(Option<NodeId>, Option<u32>)| {
        row.is_none_or(|row| dom.first_child(row).and_then(|first| self::number(dom, first)) == *expected)
    };
    beside.iter().all(fits) && beside.iter().any(|(row, _)| row.is_some())
}

fn has_name_inside(class: &str) -> bool {
    let class = class.to_ascii_lowercase();
    CLASS_PARTS.iter().any(|part| class.contains(part))
}

fn holds_numbers(dom: Dom<'_>, node: NodeId) -> bool {
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_whitespace());
    let looked_at = || dom.descendants(node).take(LOOK_MAX);
    looked_at().all(|inner| dom.kind(inner) != NodeKind::Text || is_number(dom.text(inner)))
}

/// The number that is all that an element holds.
fn number(dom: Dom<'_>, node: NodeId) -> Option<u32> {
    let text = dom.first_child(node).filter(|&text| dom.is_text(text) && dom.next_sibling(text).is_none())?;
    dom.text(text).trim().parse().ok()
}
