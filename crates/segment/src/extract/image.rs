//! Images that belong to the text: where they really are, and which are only decoration.

use kuai_page::{Dom, NodeId, Tag};
use memchr::memmem;

/// Attributes in which pages keep the address of an image until a script puts it in place.
const LAZY_ATTRIBUTES: [&str; 15] = [
    "data-src",
    "data-original",
    "data-lazy-src",
    "data-actualsrc",
    "data-original-src",
    "data-url",
    "data-lazyload",
    "data-echo",
    "data-lazy",
    "data-delayed-url",
    "data-src-pc",
    "data-wpfc-original-src",
    "data-img-url",
    "nitro-lazy-src",
    "ng-src",
];

/// Attributes with several addresses of an image, by size.
const SETS: [&str; 4] = ["data-srcset", "data-lazy-srcset", "nitro-lazy-srcset", "srcset"];

/// What files are called that only hold the place of an image until it is loaded.
const PLACEHOLDERS: [&str; 11] = [
    "placeholder",
    "1x1",
    "lazyload",
    "lazy-",
    "lazy_",
    "loading",
    "spacer.",
    "blank.",
    "transparent.",
    "pixel.",
    "trans.gif",
];

/// Smaller images are icons, spacers and counters.
const SIDE_MIN: u32 = 32;

/// The address of an image as written; `None` where it has none or is decoration.
pub(super) fn source<'a>(dom: Dom<'a>, image: NodeId) -> Option<&'a str> {
    if is_small(dom, image) || is_decoration(dom, image) {
        return None;
    }
    let attribute = |name: &str| dom.attribute(image, name).map(str::trim).filter(|value| !value.is_empty());
    let lazy = LAZY_ATTRIBUTES.iter().find_map(|name| attribute(name).filter(|value| is_address(value)));
    let in_set = || SETS.iter().find_map(|name| largest(attribute(name)?));
    let written = attribute("src").filter(|address| is_address(address));
    lazy.or(written).or_else(in_set).or_else(|| beside(dom, image))
}

/// Whether this is the address of the image itself, and neither a word for the script nor what holds its place.
fn is_address(value: &str) -> bool {
    let file = value.split(['?', '#']).next().unwrap_or_default().rsplit('/').next().unwrap_or_default();
    let is_placeholder = || {
        PLACEHOLDERS.iter().any(|name| memmem::find(file.to_ascii_lowercase().as_bytes(), name.as_bytes()).is_some())
    };
    !value.starts_with("data:") && value.contains(['/', '.']) && !is_placeholder()
}

/// Sources of a picture element that are looked at.
const SOURCES_MAX: usize = 20;

/// The address in a `source` of the same `picture`.
fn beside<'a>(dom: Dom<'a>, image: NodeId) -> Option<&'a str> {
    let picture = dom.parent(image).filter(|&parent| dom.tag(parent) == Tag::Picture)?;
    let mut sources = dom.children(picture).take(SOURCES_MAX).filter(|&child| dom.tag(child) == Tag::Source);
    sources.find_map(|source| SETS.iter().find_map(|name| largest(dom.attribute(source, name)?)))
}

/// The address of the largest candidate of a source set: `a.png 1x, b.png 2x`.
fn largest(set: &str) -> Option<&str> {
    let candidates = set.split(", ").filter_map(|candidate| {
        let mut words = candidate.split_ascii_whitespace();
        let address = words.next()?.trim_end_matches(',');
        let size: f32 =
            words.next().and_then(|size| size.trim_end_matches(['w', 'x', ',']).parse().ok()).unwrap_or(1.0);
        is_address(address).then_some((address, size))
    });
    candidates.max_by(|(_, one), (_, other)| one.total_cmp(other)).map(|(address, _)| address)
}

fn is_small(dom: Dom<'_>, image: NodeId) -> bool {
    let side =
        |name| dom.attribute(image, name).and_then(|size| size.trim().trim_end_matches("px").parse::<u32>().ok());
    ["width", "height"].into_iter().filter_map(side).any(|side| side < SIDE_MIN)
}

/// An empty description says that the image adds nothing; in figures, sized or as a paragraph of their own, images of careless pages have it too.
fn is_decoration(dom: Dom<'_>, image: NodeId) -> bool {
    let says_so = dom.attribute(image, "alt").is_some_and(|alt| alt.trim().is_empty());
    let in_figure = || dom.ancestors(image).take(4).any(|node| matches!(dom.tag(node), Tag::Figure | Tag::Picture));
    says_so && dom.attribute(image, "width").is_none() && !in_figure() && !is_paragraph(dom, image)
}

/// Whether a paragraph holds nothing but this image, in a link or not.
fn is_paragraph(dom: Dom<'_>, image: NodeId) -> bool {
    let is_blank = |node: NodeId| dom.is_text(node) && dom.text(node).trim().is_empty();
    let mut node = image;
    for parent in dom.ancestors(image).take(2) {
        let has_room = dom.children(parent).nth(SIBLINGS_MAX).is_none();
        if !has_room || dom.children(parent).any(|other| other != node && !is_blank(other)) {
            return false;
        }
        if dom.tag(parent) == Tag::P {
            return true;
        }
        node = parent;
    }
    false
}

/// Nodes beside an image that are looked at.
const SIBLINGS_MAX: usize = 8;
