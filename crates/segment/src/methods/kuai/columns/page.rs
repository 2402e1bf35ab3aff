//! Columns of a page as a whole.

use kuai_page::{Page, Tag};

use super::super::head::{Head, KINDS};
use super::super::outline::Outline;
use super::log;
use super::measures::Measures;
use super::repeats::Repeats;
use super::surroundings::Surroundings;

const NAMES: &[&str] = &[
    "page_units",
    "page_text",
    "page_link",
    "page_marks",
    "page_long",
    "page_elements",
    "page_p",
    "page_li",
    "page_td",
    "page_h1",
    "page_h2",
    "page_h3",
    "page_articles",
    "page_pre",
    "page_forms",
    "page_buttons",
    "page_length",
    "text_ratio",
    "open_graph",
    "holder_text",
    "holder_link",
    "holder_share",
    "text_holder_share",
    "text_holder_link",
    "repeated_share",
    "repeated_most",
    "page_prices",
    "page_dates",
    "page_wide",
    "page_stops",
    "url_depth",
    "url_length",
    "url_digits",
    "url_html",
    "url_dashes",
    "made_by_discourse",
    "made_by_wordpress",
];

/// Words of addresses that tell what sort of page it is.
const ADDRESS_WORDS: [(&str, &[&str]); 7] = [
    (
        "url_forum",
        &["forum", "thread", "topic", "/t/", "community", "discuss", "showthread", "viewtopic", "question", "/r/"],
    ),
    ("url_product", &["product", "/p/", "/dp/", "item", "/shop", "store"]),
    (
        "url_documentation",
        &["docs", "doc/", "documentation", "reference", "guide", "tutorial", "api", "manual", "wiki"],
    ),
    ("url_collection", &["categor", "collection/", "collections/", "/c/", "/cat", "tag/", "topics"]),
    ("url_article", &["blog", "news", "article", "post", "story", "/201", "/202"]),
    ("url_service", &["service", "solution", "about", "pricing", "platform", "features", "company"]),
    ("url_listing", &["list", "search", "directory", "best", "top", "jobs", "events", "rank"]),
];

/// The names of all columns of pages.
pub(super) fn names() -> Vec<&'static str> {
    let addresses = ADDRESS_WORDS.iter().map(|(name, _)| *name);
    NAMES.iter().copied().chain(addresses).chain(KINDS).collect()
}

/// The columns of a page.
pub(super) fn read(
    page: &Page,
    outline: &Outline,
    head: &Head<'_>,
    measures: &Measures,
    repeats: &Repeats,
    surroundings: &Surroundings,
) -> Vec<f32> {
    let mut row = Vec::with_capacity(NAMES.len() + ADDRESS_WORDS.len() + KINDS.len());
    write_text(page, outline, measures, &mut row);
    row.push(kind_class(head.kind));
    write_holders(measures, surroundings, &mut row);
    let repeated = repeats.rows.iter().map(|item| item.count * item.share).fold(0.0, f32::max);
    row.extend([repeated, repeats.rows.iter().map(|item| item.count).fold(0.0, f32::max)]);
    write_shares(outline, &mut row);
    write_address(head, &mut row);
    let generator = head.generator.to_ascii_lowercase();
    row.extend(["discourse", "wordpress"].map(|name| f32::from(generator.contains(name))));
    let address = head.url[..head.url.floor_char_boundary(1_000)].to_ascii_lowercase();
    row.extend(ADDRESS_WORDS.iter().map(|(_, words)| f32::from(words.iter().any(|word| address.contains(word)))));
    row.extend((0..KINDS.len()).map(|kind| (head.kinds >> kind & 1) as f32));
    row
}

fn write_text(page: &Page, outline: &Outline, measures: &Measures, row: &mut Vec<f32>) {
    let count = outline.elements.len().max(1) as f32;
    let of = |tag: Tag| outline.elements.iter().filter(|element| element.tag == tag).count() as f32;
    let whole = measures.sums.first().copied().unwrap_or_default();
    let total = measures.total;
    let length = page.source().len() as f32;
    row.extend([
        log(whole.units()),
        log(whole.text),
        whole.link / total,
        whole.marks / total,
        whole.long / total,
        log(count),
    ]);
    row.extend([of(Tag::P) / count, of(Tag::Li) / count, of(Tag::Td) / count]);
    row.extend([of(Tag::H1).min(20.0), of(Tag::H2).min(60.0), of(Tag::H3).min(60.0)]);
    row.extend([of(Tag::Article), of(Tag::Pre), of(Tag::Form), of(Tag::Button)]);
    row.extend([log(length), whole.text / length.max(1.0) * 100.0]);
}

fn kind_class(kind: &str) -> f32 {
    let is = |name: &str| kind.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    if kind.is_empty() {
        0.0
    } else if is("article") {
        1.0
    } else if is("website") {
        2.0
    } else if is("product") {
        3.0
    } else {
        4.0
    }
}

fn write_holders(measures: &Measures, surroundings: &Surroundings, row: &mut Vec<f32>) {
    let none = Default::default();
    let holder = measures.sums.get(surroundings.holder as usize).unwrap_or(&none);
    let text_holder = measures.sums.get(surroundings.text_holder as usize).unwrap_or(&none);
    row.extend([log(holder.text), holder.link / holder.text.max(1.0), holder.text / measures.total]);
    row.extend([text_holder.text / measures.total, text_holder.link / text_holder.text.max(1.0)]);
}

fn write_shares(outline: &Outline, row: &mut Vec<f32>) {
    let units = &outline.units;
    let count = units.len().max(1) as f32;
    row.push(units.iter().filter(|unit| unit.text.price).count() as f32 / count);
    row.push(units.iter().filter(|unit| unit.text.date).count() as f32);
    row.extend([outline.shares.wide / count, outline.shares.stops / count]);
}

fn write_address(head: &Head<'_>, row: &mut Vec<f32>) {
    let path = head.path();
    let path = &path[..path.floor_char_boundary(1_000)];
    let count = |wanted: fn(&u8) -> bool| path.bytes().filter(wanted).count() as f32;
    row.push(count(|byte| *byte == b'/') + f32::from(!path.is_empty()));
    row.push(path.len() as f32);
    row.push(count(u8::is_ascii_digit));
    row.push(f32::from(path.ends_with(".html") || path.ends_with(".htm") || path.ends_with(".shtml")));
    row.push(count(|byte| *byte == b'-'));
}
