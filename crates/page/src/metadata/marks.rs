//! Attributes by which elements say what they hold, looked at only as far as honest ones are long.

use kuai_html::{Dom, NodeId};

/// Bytes of a value that are looked at.
const BYTES_MAX: usize = 400;

/// The beginning of an attribute's value; empty where there is none.
pub(super) fn mark<'a>(dom: Dom<'a>, node: NodeId, name: &str) -> &'a str {
    let value = dom.attribute(node, name).unwrap_or_default();
    &value[..value.floor_char_boundary(BYTES_MAX)]
}
