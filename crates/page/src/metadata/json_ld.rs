//! JSON-LD: what a page says of itself for machines.
//!
//! Broken JSON is mended where the break is a common one, and else passed over. Nesting is bounded by the JSON
//! parser (128 levels), size by a budget for the whole page.

use kuai_html::{Dom, NodeId, NodeKind};
use serde_json::{Map, Value};

/// Bytes of JSON-LD that are read of one page.
pub(super) const BYTES_MAX: usize = 4 << 20;

/// Objects that are looked at for a property.
const OBJECTS_MAX: usize = 1000;

pub(super) fn is_json_ld(dom: Dom<'_>, node: NodeId) -> bool {
    let kind = dom.attribute(node, "type").unwrap_or_default();
    kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/ld+json"))
}

/// The JSON of a script element, within the budget left.
pub(super) fn read(dom: Dom<'_>, node: NodeId, budget: &mut usize) -> Option<Value> {
    let script = dom.children(node).find(|&child| dom.kind(child) == NodeKind::Text)?;
    let text = dom.text(script);
    *budget = budget.checked_sub(text.len())?;
    let text = unwrap_comment(text);
    serde_json::from_str(text).ok().or_else(|| {
        // Line breaks inside strings are what writers get wrong most; between tokens a space does as well.
        let mended: String = text.chars().map(|character| if character < ' ' { ' ' } else { character }).collect();
        serde_json::from_str(mended.trim_end_matches([' ', ';'])).ok()
    })
}

/// Takes off the comment signs that once hid scripts from browsers.
fn unwrap_comment(text: &str) -> &str {
    let mut text = text.trim();
    for (start, end) in [("//<![CDATA[", "//]]>"), ("/*<![CDATA[*/", "/*]]>*/"), ("<![CDATA[", "]]>"), ("<!--", "-->")]
    {
        text = text.strip_prefix(start).unwrap_or(text);
        text = text.strip_suffix(end).unwrap_or(text).trim();
    }
    text
}

/// The objects of all values: those at the top, in lists and in `@graph`, the page's main thing first.
pub(super) fn objects(values: &[Value]) -> Vec<&Map<String, Value>> {
    let mut objects = Vec::new();
    let mut pending: Vec<&Value> = values.iter().rev().collect();
    while let Some(value) = pending.pop() {
        match value {
            Value::Array(items) => pending.extend(items.iter().rev().take(OBJECTS_MAX)),
            Value::Object(object) if objects.len() < OBJECTS_MAX => {
                objects.push(object);
                pending.extend(["mainEntity", "@graph"].iter().filter_map(|key| object.get(*key)));
            }
            _ => {}
        }
    }
    objects.sort_by_key(|object| !is_article(object));
    objects
}

/// Whether the object is a piece of writing, rather than its site, publisher or place in a menu.
fn is_article(object: &Map<String, Value>) -> bool {
    let is_writing = |kind: &str| {
        let kind = kind.rsplit(['/', ':']).next().unwrap_or(kind);
        kind.ends_with("Article") || kind.ends_with("Posting") || matches!(kind, "Report" | "Review" | "CreativeWork")
    };
    strings(object.get("@type")).iter().any(|kind| is_writing(kind))
}

/// Whether an object says that it is of one of these types.
pub(super) fn is_a(object: &Map<String, Value>, kinds: &[&str]) -> bool {
    let named = |kind: &str| kind.rsplit(['/', ':']).next().is_some_and(|name| kinds.contains(&name));
    strings(object.get("@type")).into_iter().any(named)
}

/// A string, a list of strings, or objects with a name.
pub(super) fn strings(value: Option<&Value>) -> Vec<&str> {
    match value {
        Some(Value::Array(items)) => items.iter().filter_map(string).collect(),
        Some(value) => string(value).into_iter().collect(),
        None => Vec::new(),
    }
}

fn string(value: &Value) -> Option<&str> {
    let text = match value {
        Value::String(text) => text,
        Value::Object(object) => object.get("name").or_else(|| object.get("@value"))?.as_str()?,
        _ => return None,
    };
    Some(text.trim()).filter(|text| !text.is_empty())
}
