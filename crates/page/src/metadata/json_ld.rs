//! JSON-LD: what a page says of itself for machines.
//!
//! Broken JSON is mended where the break is a common one, and else passed over. Nesting is bounded by the JSON
//! parser (128 levels), size by a budget for the whole page.

use std::collections::{HashMap, HashSet};

use kuai_html::{Dom, NodeId, NodeKind};
use serde_json::{Map, Value};

/// Bytes of JSON-LD that are read of one page.
pub(super) const BYTES_MAX: usize = 4 << 20;

/// Objects that are looked at for a property.
const OBJECTS_MAX: usize = 1000;

/// Bytes of the longest name; longer ones, which many references may lead to, are texts.
const NAME_BYTES_MAX: usize = 500;

/// Values that are looked through for objects that others refer to.
const VALUES_MAX: usize = 50_000;

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

/// All objects of a page, and where to find those that others refer to.
#[derive(Debug, Default)]
pub(super) struct Graph<'a> {
    /// Those at the top, in lists and in `@graph`, the page's main thing first.
    pub(super) objects: Vec<&'a Map<String, Value>>,
    /// Those at any depth.
    all: Vec<&'a Map<String, Value>>,
    /// Those that say more than their `@id`, by it; of several one that has a name.
    by_id: HashMap<&'a str, &'a Map<String, Value>>,
}

impl<'a> Graph<'a> {
    pub(super) fn of(values: &'a [Value]) -> Graph<'a> {
        let all = everything(values);
        Graph { objects: objects(values), by_id: by_id(&all), all }
    }

    /// The names that a value tells: strings, or objects with a name, here or where their `@id` leads.
    pub(super) fn names(&self, value: Option<&'a Value>) -> Vec<String> {
        let values = match value {
            Some(Value::Array(items)) => items.as_slice(),
            Some(value) => std::slice::from_ref(value),
            None => &[],
        };
        values.iter().take(OBJECTS_MAX).filter_map(|value| self.name(value)).collect()
    }

    /// The object that a value is, the first of its list, or where its `@id` leads.
    pub(super) fn object(&self, value: Option<&'a Value>) -> Option<&'a Map<String, Value>> {
        match value? {
            Value::Array(items) => items.iter().take(OBJECTS_MAX).find_map(|item| self.resolved(item.as_object()?)),
            value => self.resolved(value.as_object()?),
        }
    }

    fn resolved(&self, object: &'a Map<String, Value>) -> Option<&'a Map<String, Value>> {
        if object.len() > 1 {
            return Some(object);
        }
        self.by_id.get(object.get("@id")?.as_str()?).copied()
    }

    /// The names of bodies that are not those of persons too.
    pub(super) fn bodies(&self) -> HashSet<String> {
        let named = |kinds: &[&str]| -> HashSet<String> {
            let of_kind = self.all.iter().filter(|object| kinds.iter().any(|kind| is_kind(object, kind)));
            of_kind.filter_map(|object| name_of(object)).collect()
        };
        let persons = named(&["Person"]);
        named(&["Organization", "Corporation"]).into_iter().filter(|name| !persons.contains(name)).collect()
    }

    fn name(&self, value: &'a Value) -> Option<String> {
        match value {
            Value::Object(object) => {
                let referred = || name_of(self.by_id.get(object.get("@id")?.as_str()?)?);
                name_of(object).or_else(referred)
            }
            value => string(value).map(str::to_owned),
        }
    }
}

/// Whether a type of an object is this or one of its kind: `NewsMediaOrganization` is an `Organization`.
fn is_kind(object: &Map<String, Value>, kind: &str) -> bool {
    strings(object.get("@type")).iter().any(|found| found.ends_with(kind))
}

/// The name of a person or body.
fn name_of(object: &Map<String, Value>) -> Option<String> {
    let first = |key: &str| {
        let names = strings(object.get(key));
        names.first().filter(|name| name.len() <= NAME_BYTES_MAX).map(|name| (*name).to_owned())
    };
    first("name").or_else(|| first("@value")).or_else(|| {
        let parts: Vec<String> = ["givenName", "familyName"].iter().filter_map(|key| first(key)).collect();
        Some(parts.join(" ")).filter(|name| !name.is_empty())
    })
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
    objects.sort_by_key(|object| rank(object));
    objects
}

/// The objects at any depth.
fn everything(values: &[Value]) -> Vec<&Map<String, Value>> {
    let mut all = Vec::new();
    let mut pending: Vec<&Value> = values.iter().rev().collect();
    for _ in 0..VALUES_MAX {
        match pending.pop() {
            Some(Value::Array(items)) => pending.extend(items.iter().rev().take(OBJECTS_MAX)),
            Some(Value::Object(object)) => {
                all.push(object);
                pending.extend(object.values().filter(|value| value.is_array() || value.is_object()).take(OBJECTS_MAX));
            }
            Some(_) => {}
            None => break,
        }
    }
    all
}

fn by_id<'a>(all: &[&'a Map<String, Value>]) -> HashMap<&'a str, &'a Map<String, Value>> {
    let mut found: HashMap<&str, &Map<String, Value>> = HashMap::new();
    for object in all.iter().filter(|object| object.len() > 1) {
        if let Some(id) = object.get("@id").and_then(Value::as_str) {
            let known = found.entry(id).or_insert(object);
            if name_of(known).is_none() && name_of(object).is_some() {
                *known = object;
            }
        }
    }
    found
}

/// Pieces of writing come first, reviews of what the page is about behind them, and all others last.
fn rank(object: &Map<String, Value>) -> usize {
    if is_article(object) {
        0
    } else if is_a(object, &["Review"]) {
        1
    } else {
        2
    }
}

/// Whether the object is a piece of writing, rather than its site, publisher or place in a menu.
pub(super) fn is_article(object: &Map<String, Value>) -> bool {
    let is_writing = |kind: &str| {
        let kind = kind.rsplit(['/', ':']).next().unwrap_or(kind);
        kind.ends_with("Article") || kind.ends_with("Posting") || matches!(kind, "Report" | "CreativeWork")
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
        Value::Object(object) => match object.get("name").or_else(|| object.get("@value"))? {
            Value::Array(names) => names.first()?.as_str()?,
            name => name.as_str()?,
        },
        _ => return None,
    };
    Some(text.trim()).filter(|text| !text.is_empty())
}
