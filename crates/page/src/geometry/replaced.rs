//! Elements whose size does not come from their content: pictures, frames, form controls.

use kuai_html::{Dom, NodeId, Tag};

use super::letters::Letters;
use super::model::{Edges, border_box, clamp_width};
use crate::{Length, Style};

/// The size of an element's content before style sheets speak: width, height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Natural {
    pub(super) width: f32,
    pub(super) height: f32,
}

/// Whether the element's size does not come from its content: it has a [`natural`] size.
pub(super) fn is_replaced(dom: Dom<'_>, node: NodeId) -> bool {
    match dom.tag(node) {
        Tag::Img | Tag::Image | Tag::Input | Tag::Textarea | Tag::Select | Tag::Iframe | Tag::Video => true,
        Tag::Embed | Tag::Canvas | Tag::Applet | Tag::Meter | Tag::Progress => true,
        Tag::Object => dom.first_child(node).is_none(),
        Tag::Foreign => dom.name(node) == "svg",
        _ => false,
    }
}

/// The natural size of a replaced element; `None` for elements with content of their own.
pub(super) fn natural(dom: Dom<'_>, node: NodeId, style: &Style) -> Option<Natural> {
    let size = |width: f32, height: f32| Some(Natural { width, height });
    match dom.tag(node) {
        Tag::Img | Tag::Image => Some(picture(dom, node, style)),
        Tag::Input => Some(input(dom, node, style)),
        Tag::Textarea => {
            let columns = number(dom, node, "cols").unwrap_or(20.0);
            let rows = number(dom, node, "rows").unwrap_or(2.0);
            size(columns * style.font_size * 0.6 + 17.0, rows * style.line_px())
        }
        Tag::Select => Some(select(dom, node, style)),
        Tag::Iframe | Tag::Video | Tag::Embed | Tag::Canvas | Tag::Applet => size(300.0, 150.0),
        Tag::Object if dom.first_child(node).is_none() => size(0.0, 0.0),
        Tag::Meter | Tag::Progress => size(80.0, 16.0),
        Tag::Foreign if dom.name(node) == "svg" => {
            let width = number(dom, node, "width");
            let height = number(dom, node, "height");
            size(width.or(height).unwrap_or(24.0), height.or(width).unwrap_or(24.0))
        }
        _ => None,
    }
}

/// The border box of a replaced element in a containing block this wide.
pub(super) fn border_size(style: &Style, natural: Natural, base: f32) -> (f32, f32) {
    let edges = Edges::of(style, base);
    let width = style.width.against(base).map(|width| border_box(style, width, edges.across()) - edges.across());
    let height = style.height.fixed().map(|height| border_box(style, height, edges.down()) - edges.down());
    let ratio = if natural.width > 0.0 { natural.height / natural.width } else { 0.0 };
    let (width, height) = match (width, height) {
        (Some(width), Some(height)) => (width, height),
        (Some(width), None) => (width, width * ratio),
        (None, Some(height)) if ratio > 0.0 => (height / ratio, height),
        (None, Some(height)) => (natural.width, height),
        (None, None) => (natural.width, natural.height),
    };
    let outer = clamp_width(style, width + edges.across(), base);
    // A picture that is held narrower keeps its shape.
    let squeezed = if outer < width + edges.across() && style.height == Length::Auto {
        outer / (width + edges.across())
    } else {
        1.0
    };
    let height = height * squeezed;
    let most = style.max_height.fixed().unwrap_or(f32::MAX);
    (outer, height.min(most).max(style.min_height.fixed().unwrap_or(0.0)) + edges.down())
}

fn number(dom: Dom<'_>, node: NodeId, name: &str) -> Option<f32> {
    let value = dom.attribute(node, name)?.trim();
    let end = value.find(|char: char| !char.is_ascii_digit() && char != '.').unwrap_or(value.len());
    let is_relative = value[end..].starts_with('%');
    value[..end]
        .parse::<f32>()
        .ok()
        .filter(|number| !is_relative && number.is_finite())
        .map(|number| number.min(10_000.0))
}

/// A picture whose size nobody gives. Tried from 60 to 150 px wide on the `segment` pages: no difference to speak of.
const PICTURE: Natural = Natural { width: 100.0, height: 60.0 };

/// What the name of such a picture says of its size.
fn guess(source: &str) -> Natural {
    let path = source.split(['?', '#']).next().unwrap_or(source);
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if has(&["spacer", "pixel", "blank", "clear.", "trans.", "1x1", "dot."]) {
        Natural { width: 1.0, height: 1.0 }
    } else if has(&["icon", "ico_", "ico-", "bullet", "arrow", "btn_", "facebook", "twitter", "rss", "print", "star"]) {
        Natural { width: 18.0, height: 18.0 }
    } else if has(&["logo", "banner", "header"]) {
        Natural { width: 200.0, height: 60.0 }
    } else {
        PICTURE
    }
}

fn picture(dom: Dom<'_>, node: NodeId, style: &Style) -> Natural {
    let source = dom.attribute(node, "src").unwrap_or("").trim();
    if source.is_empty() {
        // A browser shows the alternative text in place of nothing.
        let alternative = dom.attribute(node, "alt").unwrap_or("");
        let width = Letters::of(style).width(alternative);
        return Natural { width, height: if width > 0.0 { style.line_px() } else { 0.0 } };
    }
    match (number(dom, node, "width"), number(dom, node, "height")) {
        (Some(width), Some(height)) => Natural { width, height },
        (Some(width), None) => Natural { width, height: width * guess(source).height / guess(source).width },
        (None, Some(height)) => Natural { width: height * guess(source).width / guess(source).height, height },
        (None, None) => guess(source),
    }
}

fn input(dom: Dom<'_>, node: NodeId, style: &Style) -> Natural {
    let kind = dom.attribute(node, "type").unwrap_or("text").trim().to_ascii_lowercase();
    let line = style.font_size * 1.15;
    let button = |text: &str| Natural { width: Letters::of(style).width(text), height: line };
    let value = dom.attribute(node, "value");
    match kind.as_str() {
        "hidden" => Natural { width: 0.0, height: 0.0 },
        "checkbox" | "radio" => Natural { width: 13.0, height: 13.0 },
        "submit" => button(value.unwrap_or("Submit")),
        "reset" => button(value.unwrap_or("Reset")),
        "button" => button(value.unwrap_or("")),
        "image" => picture(dom, node, style),
        "file" => Natural { width: 240.0, height: line + 6.0 },
        "range" => Natural { width: 129.0, height: 16.0 },
        "color" => Natural { width: 50.0, height: 27.0 },
        _ => {
            // Chromium makes a text field as wide as so many average letters.
            let size = number(dom, node, "size").filter(|&size| size > 0.0).unwrap_or(20.0);
            Natural { width: (size * style.font_size * 0.556).ceil(), height: line }
        }
    }
}

fn select(dom: Dom<'_>, node: NodeId, style: &Style) -> Natural {
    let letters = Letters::of(style);
    let texts = dom.descendants(node).filter(|&child| dom.is_text(child));
    let widest = texts.map(|text| letters.width(dom.text(text).trim())).fold(0.0, f32::max);
    let rows = number(dom, node, "size").unwrap_or(1.0).clamp(1.0, 50.0);
    Natural { width: widest + 22.0, height: rows * (style.font_size * 1.15).ceil() + 2.0 }
}
