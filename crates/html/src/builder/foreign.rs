//! Foreign content: SVG and MathML, whose names keep their case and whose elements follow other rules.

use super::stack::name_key;
use super::{Builder, Flow, Open, group, groups};
use crate::tokenizer::Token;
use crate::tree::Text;
use crate::{Namespace, Span, Tag};

/// The groups of an element in any namespace.
pub(super) fn groups_of(namespace: Namespace, tag: Tag, name: &str) -> u16 {
    match (namespace, name) {
        (Namespace::Html, _) => groups(tag),
        (Namespace::MathMl, "mi" | "mo" | "mn" | "ms" | "mtext") => {
            group::FOREIGN | group::SPECIAL | group::SCOPE | group::MATH_TEXT_POINT
        }
        (Namespace::MathMl, "annotation-xml") => group::FOREIGN | group::SPECIAL | group::SCOPE | group::ANNOTATION,
        (Namespace::Svg, "foreignObject" | "desc" | "title") => {
            group::FOREIGN | group::SPECIAL | group::SCOPE | group::HTML_POINT
        }
        _ => group::FOREIGN,
    }
}

impl Builder<'_, '_> {
    /// Whether the token is to be processed by the rules of foreign content.
    #[inline]
    pub(super) fn is_foreign(&self, token: Token) -> bool {
        match self.adjusted_current() {
            Some(current) if current.is(group::FOREIGN) => self.is_foreign_at(current, token),
            _ => false,
        }
    }

    fn is_foreign_at(&self, current: Open, token: Token) -> bool {
        match token {
            Token::End => false,
            Token::Text(_) | Token::Null => !current.is(group::MATH_TEXT_POINT | group::HTML_POINT),
            Token::StartTag => {
                let starts_svg = self.tag.tag == Tag::Svg && current.is(group::ANNOTATION);
                let is_glyph = matches!(self.string(self.tag.name), "mglyph" | "malignmark");
                let is_text = current.is(group::MATH_TEXT_POINT) && !is_glyph;
                !(current.is(group::HTML_POINT) || is_text || starts_svg)
            }
            _ => true,
        }
    }

    pub(super) fn in_foreign(&mut self, token: Token) -> Flow {
        match token {
            Token::Null => {
                let start = self.tree.owned.len() as u32;
                self.tree.owned.push(char::REPLACEMENT_CHARACTER);
                let text = Text::Owned(Span::new(start, self.tree.owned.len() as u32));
                self.insert_text(text, self.span);
            }
            Token::Text(text) => {
                if self.frameset_ok && !self.is_space(text) {
                    self.frameset_ok = false;
                }
                self.insert_text(text, self.span);
            }
            Token::Comment(text) => self.insert_comment(text),
            Token::StartTag if self.breaks_out() => return self.break_out(token),
            Token::StartTag => {
                let namespace = self.adjusted_current().map_or(Namespace::Html, |open| open.namespace);
                self.insert_foreign(namespace);
            }
            Token::EndTag if matches!(self.tag.tag, Tag::Br | Tag::P) => return self.break_out(token),
            Token::EndTag => return self.end_in_foreign(token),
            Token::Doctype | Token::End => {}
        }
        Flow::Done
    }

    /// Whether the start tag belongs to HTML even here.
    fn breaks_out(&self) -> bool {
        use Tag::*;
        match self.tag.tag {
            B | Big | Blockquote | Body | Br | Center | Code | Dd | Div | Dl | Dt | Em | Embed | H1 | H2 | H3 | H4
            | H5 | H6 | Head | Hr | I | Img | Li | Listing | Menu | Meta | Nobr | Ol | P | Pre | Ruby | S | Small
            | Span | Strong | Strike | Sub | Sup | Table | Tt | U | Ul | Var => true,
            Font => ["color", "face", "size"].iter().any(|name| self.attribute(name).is_some()),
            _ => false,
        }
    }

    /// Closes the foreign elements and processes the token by the mode.
    fn break_out(&mut self, token: Token) -> Flow {
        while self.current().is_some_and(|open| {
            open.is(group::FOREIGN) && !open.is(group::MATH_TEXT_POINT | group::HTML_POINT) && self.open.len() > 1
        }) {
            self.pop();
        }
        self.by_mode(token)
    }

    fn end_in_foreign(&mut self, token: Token) -> Flow {
        let name_key = name_key(self.tag.tag, self.string(self.tag.name));
        let mut index = self.open.len() - 1;
        loop {
            if index == 0 {
                return Flow::Done;
            }
            if self.open[index].name_key == name_key && self.has_end_tag_name(self.open[index]) {
                break;
            }
            index -= 1;
            if !self.open[index].is(group::FOREIGN) {
                return self.by_mode(token);
            }
        }
        while self.open.len() > index + 1 {
            self.pop();
        }
        let node = self.open[index].node;
        self.pop();
        self.take_end_tag(node);
        Flow::Done
    }

    /// Whether the element has the name of the end tag, whatever its case.
    fn has_end_tag_name(&self, open: Open) -> bool {
        match self.tree.nodes[open.node as usize].tag {
            Tag::Unknown => self.string(self.tree.name_of(open.node)).eq_ignore_ascii_case(self.token_name()),
            tag => tag == self.tag.tag,
        }
    }

    /// The name of the tag being processed, lower case.
    fn token_name(&self) -> &str {
        match self.tag.tag {
            Tag::Unknown => self.string(self.tag.name),
            tag => tag.name(),
        }
    }

    /// `<svg>` or `<math>` in HTML.
    pub(super) fn start_foreign(&mut self, namespace: Namespace) {
        self.reconstruct_formatting();
        self.insert_foreign(namespace);
    }

    fn insert_foreign(&mut self, namespace: Namespace) {
        self.adjust_attributes(namespace);
        let adjusted = match namespace {
            Namespace::Svg => adjusted(SVG_TAGS, self.token_name()),
            _ => None,
        };
        let name = adjusted.unwrap_or(self.token_name());
        let mut groups = groups_of(namespace, Tag::Foreign, name);
        if groups & group::ANNOTATION != 0 && self.holds_html() {
            groups |= group::HTML_POINT;
        }
        let name_key = name_key(self.tag.tag, self.string(self.tag.name));
        if let Some(adjusted) = adjusted {
            self.tag.name = Text::Owned(self.own(adjusted));
        }
        let data = self.element(namespace);
        let node = self.insert(data, self.position());
        if self.tag.self_closing {
            return;
        }
        if self.at_depth_limit() {
            self.depth_hit = true;
            self.overflow.push(self.tag.tag);
            return;
        }
        self.push(Open { node, tag: Tag::Foreign, namespace, groups, name_key });
    }

    /// Whether an `annotation-xml` says that it holds HTML.
    fn holds_html(&self) -> bool {
        self.attribute("encoding").is_some_and(|encoding| {
            encoding.eq_ignore_ascii_case("text/html") || encoding.eq_ignore_ascii_case("application/xhtml+xml")
        })
    }

    fn adjust_attributes(&mut self, namespace: Namespace) {
        let names = match namespace {
            Namespace::Svg => SVG_ATTRIBUTES,
            Namespace::MathMl => &["definitionURL"],
            Namespace::Html => &[],
        };
        let start = self.tag.attributes_start as usize;
        for index in start..start + self.tag.attributes_count as usize {
            let attributes = &self.tree.attributes;
            let name = attributes.name(&attributes.between(index, index + 1)[0]);
            if let Some(adjusted) = adjusted(names, self.string(name)) {
                let name = self.own(adjusted);
                self.tree.attributes.rename(index, name);
            }
        }
    }

    /// Keeps a string in the tree's buffer.
    fn own(&mut self, string: &str) -> Span {
        let start = self.tree.owned.len() as u32;
        self.tree.owned.push_str(string);
        Span::new(start, self.tree.owned.len() as u32)
    }
}

/// The name of the list that differs from this lower-case one only in case.
fn adjusted(names: &'static [&'static str], name: &str) -> Option<&'static str> {
    let compare = |candidate: &&str| candidate.bytes().map(|byte| byte.to_ascii_lowercase()).cmp(name.bytes());
    names.binary_search_by(compare).ok().map(|index| names[index])
}

/// SVG elements with capitals, sorted by their lower-case names.
#[rustfmt::skip]
const SVG_TAGS: &[&str] = &[
    "altGlyph", "altGlyphDef", "altGlyphItem", "animateColor", "animateMotion", "animateTransform", "clipPath",
    "feBlend", "feColorMatrix", "feComponentTransfer", "feComposite", "feConvolveMatrix", "feDiffuseLighting",
    "feDisplacementMap", "feDistantLight", "feDropShadow", "feFlood", "feFuncA", "feFuncB", "feFuncG", "feFuncR",
    "feGaussianBlur", "feImage", "feMerge", "feMergeNode", "feMorphology", "feOffset", "fePointLight",
    "feSpecularLighting", "feSpotLight", "feTile", "feTurbulence", "foreignObject", "glyphRef", "linearGradient",
    "radialGradient", "textPath",
];

/// SVG attributes with capitals, sorted by their lower-case names.
#[rustfmt::skip]
const SVG_ATTRIBUTES: &[&str] = &[
    "attributeName", "attributeType", "baseFrequency", "baseProfile", "calcMode", "clipPathUnits",
    "diffuseConstant", "edgeMode", "filterUnits", "glyphRef", "gradientTransform", "gradientUnits", "kernelMatrix",
    "kernelUnitLength", "keyPoints", "keySplines", "keyTimes", "lengthAdjust", "limitingConeAngle", "markerHeight",
    "markerUnits", "markerWidth", "maskContentUnits", "maskUnits", "numOctaves", "pathLength",
    "patternContentUnits", "patternTransform", "patternUnits", "pointsAtX", "pointsAtY", "pointsAtZ",
    "preserveAlpha", "preserveAspectRatio", "primitiveUnits", "refX", "refY", "repeatCount", "repeatDur",
    "requiredExtensions", "requiredFeatures", "specularConstant", "specularExponent", "spreadMethod", "startOffset",
    "stdDeviation", "stitchTiles", "surfaceScale", "systemLanguage", "tableValues", "targetX", "targetY",
    "textLength", "viewBox", "viewTarget", "xChannelSelector", "yChannelSelector", "zoomAndPan",
];
