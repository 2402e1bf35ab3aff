//! Under what licence a page may be used, and not a photo or a script on it.

use kuai_html::{Dom, NodeId, Tag};
use serde_json::Value;
use url::Url;

use super::collect::{Found, LicenceLink};
use super::json_ld::Graph;
use super::marks::mark;
use super::plain::plain;
use crate::links::web_url;
use crate::text::one_line;

/// Metas that name a licence.
const METAS: [&str; 5] = ["dcterms.license", "dc.rights.license", "dcterms.rights", "dc.rights", "citation_license"];

/// Words of an address that leads to a licence, in lower case.
const ADDRESS_WORDS: [&str; 13] = [
    "licen",
    "lizenz",
    "creativecommons",
    "copyright",
    "rights",
    "terms",
    "legal",
    "gnu.org",
    "opensource",
    "opendata",
    "etalab",
    "nutzung",
    "/cc-",
];

/// Words of a text about a licence, in lower case.
const LICENCE_WORDS: [&str; 12] = [
    "licen",
    "lizenz",
    "licenc",
    "licença",
    "лиценз",
    "creative commons",
    "许可",
    "协议",
    "授權",
    "授权",
    "public domain",
    "ライセンス",
];

/// Words of a text about a licence of something on the page, in lower case.
const OTHER_WORDS: [&str; 14] = [
    "photo",
    "image",
    "picture",
    "music",
    "song",
    "script",
    "icon",
    "foto",
    "bild",
    "video",
    "illustration",
    "font",
    "图片",
    "audio",
];

/// Elements around a link whose tags and classes are looked at.
const ANCESTORS_MAX: usize = 12;

/// Elements around a link whose text may tell what it is a licence of.
const BLOCKS_MAX: usize = 3;

/// Characters of the text around a link that are looked at.
const TEXT_CHARACTERS_MAX: usize = 400;

/// The licence from the first source that names one.
pub(super) fn choose(dom: Dom<'_>, found: &Found<'_>, graph: &Graph<'_>, base: Option<&Url>) -> Option<String> {
    let address = |href: &str| web_url(base, href).map(String::from).filter(|address| is_licence_address(address));
    let links = found.links.iter().filter(|link| link.has_rel("license"));
    let of_page = || links.clone().find_map(|link| address(link.href));
    let linked =
        || found.licences.iter().filter(|link| !is_of_other(dom, link.node)).find_map(|link| address(link.href));
    let in_metas =
        || METAS.iter().filter_map(|name| found.meta_content(name)).map(plain).find(|text| says_licence(text));
    let only = || {
        let own: Vec<&LicenceLink<'_>> = found.creative_commons.iter().filter(|link| is_own(dom, link.node)).collect();
        let first = own.first()?.href;
        own.iter().all(|link| link.href == first).then(|| address(first)).flatten()
    };
    of_page().or_else(linked).or_else(|| in_json(graph)).or_else(in_metas).or_else(only)
}

fn in_json(graph: &Graph<'_>) -> Option<String> {
    let value = graph.objects.iter().find_map(|object| object.get("license"))?;
    let place = value.get("url").or_else(|| value.get("@id")).or_else(|| value.get("name")).unwrap_or(value);
    let text = place.as_str().or_else(|| place.as_array().and_then(|list| list.first()).and_then(Value::as_str))?;
    Some(one_line(text)).filter(|text| !text.is_empty() && !is_list_of_licences(text))
}

/// Whether an address is that of a licence, and not of an imprint or of all licences that there are.
fn is_licence_address(address: &str) -> bool {
    let lower = address.to_lowercase();
    ADDRESS_WORDS.iter().any(|word| lower.contains(word)) && !is_list_of_licences(&lower)
}

/// Whether an address is of Creative Commons but of none of its licences.
fn is_list_of_licences(address: &str) -> bool {
    let Some((_, path)) = address.split_once("creativecommons.org") else { return false };
    !["/licenses/by", "/licenses/nc", "/licenses/sa", "/licenses/nd", "/publicdomain/zero", "/publicdomain/mark"]
        .iter()
        .any(|start| path.starts_with(start))
}

/// Whether a meta about rights names a licence, and does not merely reserve them.
fn says_licence(text: &str) -> bool {
    let lower = text.to_lowercase();
    let is_short_name =
        lower.split(|sign: char| !sign.is_alphanumeric()).any(|word| matches!(word, "cc" | "cc0" | "gfdl" | "gpl"));
    is_short_name
        || LICENCE_WORDS.iter().any(|word| lower.contains(word))
        || (lower.starts_with("http") && is_licence_address(&lower))
}

/// Whether a link to a licence is about the page: words of licences stand near it, or it stands at the page's end.
fn is_own(dom: Dom<'_>, node: NodeId) -> bool {
    if is_badge(dom, node) {
        return true;
    }
    if is_of_other(dom, node) {
        return false;
    }
    let text = text_around(dom, node).to_lowercase();
    let is_other = OTHER_WORDS.iter().any(|word| text.contains(word));
    let in_footer = dom.ancestors(node).take(ANCESTORS_MAX).any(|above| {
        dom.tag(above) == Tag::Footer || has_class(dom, above, &["footer", "license", "licence", "copyright"])
    });
    !is_other && (in_footer || LICENCE_WORDS.iter().any(|word| text.contains(word)))
}

/// Whether a link is a picture without text, as those are that Creative Commons gives to authors of pages.
fn is_badge(dom: Dom<'_>, node: NodeId) -> bool {
    let any = |holds: &dyn Fn(NodeId) -> bool| dom.descendants(node).take(BADGE_NODES_MAX).any(holds);
    let has_text = any(&|below| dom.is_text(below) && !dom.text(below).trim().is_empty());
    !has_text && any(&|below| matches!(dom.tag(below), Tag::Img | Tag::Svg))
}

/// Nodes of a link that are looked at.
const BADGE_NODES_MAX: usize = 30;

/// Whether a link stands in a figure, a caption or a comment.
fn is_of_other(dom: Dom<'_>, node: NodeId) -> bool {
    dom.ancestors(node).take(ANCESTORS_MAX).any(|above| {
        matches!(dom.tag(above), Tag::Figure | Tag::Figcaption | Tag::Caption)
            || has_class(dom, above, &["caption", "credit", "figure", "comment", "thumb"])
    })
}

fn has_class(dom: Dom<'_>, node: NodeId, words: &[&str]) -> bool {
    let class = mark(dom, node, "class").to_ascii_lowercase();
    let mut parts = class.split(|sign: char| !sign.is_ascii_alphanumeric());
    parts.any(|part| words.contains(&part))
}

/// The text of the elements around a link, of the smallest that has more text than the link.
fn text_around(dom: Dom<'_>, node: NodeId) -> String {
    let mut text = String::new();
    for above in dom.ancestors(node).take(BLOCKS_MAX) {
        text.clear();
        for below in dom.descendants(above).take(TEXT_CHARACTERS_MAX).filter(|&below| dom.is_text(below)) {
            text.extend(dom.text(below).chars().take(TEXT_CHARACTERS_MAX));
            if text.len() > TEXT_CHARACTERS_MAX {
                break;
            }
        }
        let is_block = matches!(dom.tag(above), Tag::P | Tag::Div | Tag::Li | Tag::Td | Tag::Section);
        if is_block && text.trim().chars().count() > 20 {
            break;
        }
    }
    text
}
