//! Who wrote a page, of all who are said to have.
//!
//! In: what data, metas, links and the byline say. Out: names. What stands for no author (`admin`, an identifier) is left
//! out, and the site itself is the author only where data or metas say so and nobody else is named.

use super::collect::Found;
use super::json_ld::{Graph, is_a};
use super::{distinct, person};

/// Metas that name authors, the surest first.
const AUTHOR_METAS: [&str; 13] = [
    "citation_author",
    "citation_authors",
    "author",
    "dc.creator",
    "dcterms.creator",
    "dc:creator",
    "dc.contributor.author",
    "parsely-author",
    "article:author",
    "og:article:author",
    "article:author_name",
    "sailthru.author",
    "byl",
];

/// Types of JSON-LD whose author need not be the page's.
const OTHER_WORKS: [&str; 7] = ["WebSite", "Review", "Comment", "Product", "Answer", "Question", "ItemList"];

/// Objects of JSON-LD with an author that are asked.
const OBJECTS_MAX: usize = 50;

/// Links to authors on a page that is by them; pages with more list the works of many.
const AUTHOR_LINKS_MAX: usize = 3;

/// The authors from the first source that names somebody; `is_site` and `is_editor` tell whose a
/// name is, `byline` is asked where data, metas and links are silent.
pub(super) fn choose(
    found: &Found<'_>,
    graph: &Graph<'_>,
    is_site: impl Fn(&str) -> bool,
    is_editor: impl Fn(&str) -> bool,
    byline: impl FnOnce() -> Vec<String>,
) -> Vec<String> {
    let persons =
        |names: &Vec<String>| -> Vec<String> { names.iter().filter(|name| !is_site(name)).cloned().collect() };
    let said = || said(found, graph, &is_editor);
    let named = said().map(|names| persons(&names)).find(|names| !names.is_empty());
    let linked = linked(found);
    let by_link = || Some(persons(&linked)).filter(|names| !names.is_empty());
    let near_title = || Some(persons(&byline())).filter(|names| !names.is_empty());
    let site = || said().chain([linked.clone()]).find(|names| !names.is_empty());
    named.or_else(by_link).or_else(near_title).or_else(site).unwrap_or_default()
}

/// The names that each source has, the surest first: data of the page, metas, data of other things on it. Metas name
/// editors too.
fn said<'a>(
    found: &'a Found<'_>,
    graph: &'a Graph<'_>,
    is_editor: &'a impl Fn(&str) -> bool,
) -> impl Iterator<Item = Vec<String>> + 'a {
    let is_other = |object: &serde_json::Map<String, serde_json::Value>| is_a(object, &OTHER_WORKS);
    let with_author = graph.objects.iter().filter(|object| object.contains_key("author")).take(OBJECTS_MAX);
    let works = with_author.clone().filter(move |object| !is_other(object));
    let others = with_author.filter(|object| is_a(object, &OTHER_WORKS[..2]));
    let in_works = works.map(|object| graph.names(object.get("author")));
    let in_metas = AUTHOR_METAS
        .iter()
        .map(|name| found.meta_contents(name).filter(|name| !is_editor(name)).map(str::to_owned).collect());
    let in_others = others.map(|object| graph.names(object.get("author")));
    in_works.chain(in_metas).chain(in_others).map(|names: Vec<String>| cleaned(&names))
}

/// The texts of links to authors, where they are few.
fn linked(found: &Found<'_>) -> Vec<String> {
    let names: Vec<String> = found.author_links.iter().filter_map(|text| person::linked(text)).collect();
    let names = distinct(names.iter().map(String::as_str));
    if names.len() > AUTHOR_LINKS_MAX { Vec::new() } else { names }
}

fn cleaned(names: &[String]) -> Vec<String> {
    let names: Vec<String> = names.iter().flat_map(|name| person::said(name)).collect();
    distinct(names.iter().map(String::as_str))
}
