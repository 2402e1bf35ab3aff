//! Links beside headings by which readers of a wiki edit what they head.

use kuai_page::{Dom, NodeId};

/// Classes that wikis give to them: MediaWiki today and before, Baidu's encyclopedia.
const CLASSES: [&str; 4] = ["mw-editsection", "editsection", "edit-icon", "j-edit-link"];

/// Whether an element is such a link, with the brackets around it.
pub(super) fn is_edit_link(dom: Dom<'_>, node: NodeId) -> bool {
    let classes = dom.attribute(node, "class");
    classes.is_some_and(|classes| classes.split_ascii_whitespace().any(|class| CLASSES.contains(&class)))
}
