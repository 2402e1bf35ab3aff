//! Images that belong to the text: where they really are, and which are only decoration.

use kuai_page::{Dom, NodeId, Tag};

/// Attributes in which pages keep the address of an image until a script puts it in place.
const LAZY_ATTRIBUTES: [&str; 8] = [
    "data-src",
    "data-original",
    "data-lazy-src",
    "data-actualsrc",
    "data-original-src",
    "data-url",
    "data-lazyload",
    "data-echo",
];

/// Smaller images are icons, spacers and counters.
const SIDE_MIN: u32 = 32;

/// The address of an image as written; `None` where it has none or is decoration.
pub(super) fn source<'a>(dom: Dom<'a>, image: NodeId) -> Option<&'a str> {
    if is_small(dom, image) || is_decoration(dom, image) {
        return None;
    }
    let attribute = |name: &str| dom.attribute(image, name).map(str::trim).filter(|value| !value.is_empty());
    let lazy = LAZY_ATTRIBUTES.iter().find_map(|name| attribute(name));
    let in_set = || ["srcset", "data-srcset"].iter().find_map(|name| largest(attribute(name)?));
    let written = attribute("src").filter(|address| !address.starts_with("data:"));
    lazy.or(written).or_else(in_set).or_else(|| beside(dom, image))
}

/// Sources of a picture element that are looked at.
const SOURCES_MAX: usize = 20;

/// The address in a `source` of the same `picture`.
fn beside<'a>(dom: Dom<'a>, image: NodeId) -> Option<&'a str> {
    let picture = dom.parent(image).filter(|&parent| dom.tag(parent) == Tag::Picture)?;
    let sources = dom.children(picture).take(SOURCES_MAX).filter(|&child| dom.tag(child) == Tag::Source);
    sources
        .filter_map(|source| dom.attribute(source, "srcset").or_else(|| dom.attribute(source, "data-srcset")))
        .find_map(largest)
}

/// The address of the largest candidate of a source set: `a.png 1x, b.png 2x`.
fn largest(set: &str) -> Option<&str> {
    let candidates = set.split(", ").filter_map(|candidate| {
        let mut words = candidate.split_ascii_whitespace();
        let address = words.next()?.trim_end_matches(',');
        let size: f32 =
            words.next().and_then(|size| size.trim_end_matches(['w', 'x', ',']).parse().ok()).unwrap_or(1.0);
        (!address.is_empty() && !address.starts_with("data:")).then_some((address, size))
    });
    candidates.max_by(|(_, one), (_, other)| one.total_cmp(other)).map(|(address, _)| address)
}

fn is_small(dom: Dom<'_>, image: NodeId) -> bool {
    let side =
        |name| dom.attribute(image, name).and_then(|size| size.trim().trim_end_matches("px").parse::<u32>().ok());
    ["width", "height"].into_iter().filter_map(side).any(|side| side < SIDE_MIN)
}

/// An empty description says that the image adds nothing; figures and sized images of careless pages have it too.
fn is_decoration(dom: Dom<'_>, image: NodeId) -> bool {
    let says_so = dom.attribute(image, "alt").is_some_and(|alt| alt.trim().is_empty());
    let in_figure = || dom.ancestors(image).take(4).any(|node| matches!(dom.tag(node), Tag::Figure | Tag::Picture));
    says_so && dom.attribute(image, "width").is_none() && !in_figure()
}
