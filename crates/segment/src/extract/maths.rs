//! Formulas: the TeX that a page carries beside what it shows of them.

use kuai_page::{Dom, NodeId, NodeKind, Tag};
use memchr::memmem;

use super::mathml;

/// A formula in TeX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Formula<'a> {
    pub(super) tex: &'a str,
    /// Whether it stands on a line of its own.
    pub(super) display: bool,
}

/// What an element is to a formula.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Role<'a> {
    Formula(Formula<'a>),
    /// A formula without TeX, as a line of text.
    Line(String),
    /// Another rendering of a formula that is given in TeX beside it.
    Copy,
    Other,
}

/// Longer is no formula.
const TEX_LENGTH_MAX: usize = 20_000;

/// Nodes of a MathML element that are looked at for its TeX.
const LOOK_MAX: usize = 5_000;

/// What a page must mention to hold any formula that we know.
const SIGNS: [&str; 4] = ["<math", "katex", "mwe-math", "latex"];

/// What formulas a page may hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Maths {
    /// Whether it is worth asking for the role of its elements.
    pub(super) any: bool,
    /// Whether TeX stands in scripts beside what was drawn of it.
    in_scripts: bool,
}

impl Maths {
    /// What the source of what is wanted of a page promises.
    pub(super) fn of(source: &str) -> Maths {
        let mentions = |sign: &str| memmem::find(source.as_bytes(), sign.as_bytes()).is_some();
        let in_scripts = mentions("math/tex");
        Maths { any: in_scripts || SIGNS.into_iter().any(mentions), in_scripts }
    }

    /// What an element is to a formula.
    pub(super) fn role_of<'a>(self, dom: Dom<'a>, node: NodeId) -> Role<'a> {
        let formula = match dom.tag(node) {
            Tag::Math => in_mathml(dom, node),
            Tag::Foreign if dom.name(node) == "math" => in_mathml(dom, node),
            Tag::Script => script(dom, node),
            Tag::Img => image(dom, node),
            Tag::Span | Tag::Div if self.is_copy(dom, node) => return Role::Copy,
            _ => None,
        };
        let is_math = || matches!(dom.tag(node), Tag::Math | Tag::Foreign) && dom.name(node) == "math";
        match formula {
            None if is_math() => mathml::line(dom, node).map_or(Role::Other, Role::Line),
            Some(formula) if formula.tex.len() <= TEX_LENGTH_MAX => Role::Formula(formula),
            _ => Role::Other,
        }
    }

    /// Whether an element is what was drawn of a formula beside its source.
    fn is_copy(self, dom: Dom<'_>, node: NodeId) -> bool {
        has_class(dom, node, |class| {
            class == "katex-html"
                || (self.in_scripts
                    && matches!(
                        class,
                        "MathJax"
                            | "MathJax_Preview"
                            | "MathJax_Display"
                            | "MathJax_SVG"
                            | "MathJax_CHTML"
                            | "mjx-chtml"
                    ))
        })
    }
}

fn in_mathml<'a>(dom: Dom<'a>, math: NodeId) -> Option<Formula<'a>> {
    let is_tex = |&node: &NodeId| {
        dom.is_element(node)
            && dom.name(node) == "annotation"
            && dom
                .attribute(node, "encoding")
                .is_some_and(|encoding| encoding.contains("tex") || encoding.contains("TeX"))
    };
    let annotation = || {
        let found = dom.descendants(math).take(LOOK_MAX).find(is_tex)?;
        dom.children(found).find(|&child| dom.kind(child) == NodeKind::Text).map(|text| dom.text(text))
    };
    let tex = annotation().or_else(|| dom.attribute(math, "alttext"))?;
    let is_block = dom.attribute(math, "display") == Some("block");
    let in_display = || dom.ancestors(math).take(3).any(|node| has_class(dom, node, |class| class == "katex-display"));
    Some(Formula { tex: bare(tex)?, display: is_block || in_display() })
}

/// MathJax keeps the source of a formula in a script behind what it drew.
fn script<'a>(dom: Dom<'a>, script: NodeId) -> Option<Formula<'a>> {
    let kind = dom.attribute(script, "type")?.trim();
    let mode = kind.strip_prefix("math/tex")?;
    let text = dom.children(script).find(|&child| dom.kind(child) == NodeKind::Text)?;
    Some(Formula { tex: bare(dom.text(text))?, display: mode.contains("display") })
}

/// A picture of a formula, with its TeX in place of a description.
fn image<'a>(dom: Dom<'a>, image: NodeId) -> Option<Formula<'a>> {
    let is_formula = has_class(dom, image, |class| matches!(class, "tex" | "latex" | "math"));
    let tex = is_formula.then(|| dom.attribute(image, "alt"))??;
    let display = tex.trim().starts_with("$$");
    Some(Formula { tex: bare(tex)?, display })
}

/// Whether the text of a formula begins or ends with white space, which is none of the text around it.
pub(super) fn has_space_inside(dom: Dom<'_>, formula: NodeId) -> (bool, bool) {
    let mut texts = dom.descendants(formula).take(LOOK_MAX).filter(|&node| dom.is_text(node));
    let first = texts.next();
    let last = texts.last().or(first);
    let is_space = |byte: &u8| byte.is_ascii_whitespace();
    (
        first.is_some_and(|first| dom.text(first).as_bytes().first().is_some_and(is_space)),
        last.is_some_and(|last| dom.text(last).as_bytes().last().is_some_and(is_space)),
    )
}

/// Whether an image is the picture of a formula that is given beside it.
pub(super) fn is_fallback_image(dom: Dom<'_>, image: NodeId) -> bool {
    has_class(dom, image, |class| class.starts_with("mwe-math-fallback"))
}

fn has_class(dom: Dom<'_>, node: NodeId, is_wanted: impl Fn(&str) -> bool) -> bool {
    dom.attribute(node, "class").is_some_and(|classes| classes.split_ascii_whitespace().any(is_wanted))
}

/// TeX without the signs around it.
fn bare(tex: &str) -> Option<&str> {
    let mut tex = tex.trim();
    for (start, end) in
        [("$$", "$$"), ("$", "$"), ("\\[", "\\]"), ("\\(", "\\)"), ("{\\displaystyle", "}"), ("{\\textstyle", "}")]
    {
        if let Some(inner) = tex.strip_prefix(start).and_then(|rest| rest.strip_suffix(end)) {
            tex = inner.trim();
        }
    }
    (!tex.is_empty()).then_some(tex)
}
