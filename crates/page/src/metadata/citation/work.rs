//! The scholarly work that a page's JSON-LD tells of, and what it is part of: an issue, its volume, their journal.

use serde_json::{Map, Value};

use crate::metadata::json_ld::{self, Graph};
use crate::text::one_line;

/// An issue is part of a volume, which is part of a journal.
const DEPTH_MAX: usize = 4;

/// A work and what it is part of, from the inside out.
pub(super) struct Work<'a> {
    graph: &'a Graph<'a>,
    chain: Vec<&'a Map<String, Value>>,
}

impl<'a> Work<'a> {
    /// The work of a page, if there is one.
    pub(super) fn find(graph: &'a Graph<'a>) -> Option<Work<'a>> {
        let is_work = |object: &&&Map<String, Value>| is_scholarly(object);
        let mut at: &Map<String, Value> = graph.objects.iter().find(is_work)?;
        let mut chain = vec![at];
        while chain.len() <= DEPTH_MAX
            && let Some(outer) = graph.object(at.get("isPartOf"))
        {
            chain.push(outer);
            at = outer;
        }
        Some(Work { graph, chain })
    }

    /// What the work says of itself.
    pub(super) fn get(&self, key: &str) -> Option<&'a Value> {
        self.chain.first()?.get(key)
    }

    /// The first name or text of a property of the work itself.
    pub(super) fn text(&self, key: &str) -> Option<String> {
        self.graph.names(self.get(key)).first().map(|text| one_line(text))
    }

    /// A property of the work, or of what it is part of.
    pub(super) fn part(&self, key: &str) -> Option<String> {
        self.chain.iter().find_map(|object| first_text(object.get(key)?))
    }

    /// The outermost that has a name, and is no page or site.
    pub(super) fn journal(&self) -> Option<String> {
        let parts =
            self.chain.iter().skip(1).rev().filter(|object| !json_ld::is_a(object, &["WebPage", "WebSite", "Blog"]));
        parts.into_iter().find_map(|object| first_text(object.get("name")?))
    }
}

/// Whether an object is a work for scholars.
pub(super) fn is_scholarly(object: &Map<String, Value>) -> bool {
    json_ld::is_a(object, &["ScholarlyArticle", "MedicalScholarlyArticle", "Thesis", "Book", "Chapter", "Report"])
}

fn first_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(one_line(text)).filter(|text| !text.is_empty()),
        Value::Number(number) => Some(number.to_string()),
        Value::Array(values) => values.first().and_then(Value::as_str).map(one_line),
        _ => None,
    }
}
