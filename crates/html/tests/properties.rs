//! What holds for every input, sane or not: spans nest and follow one another, nothing panics, the source is whole.

use kuai_html::{
    Context, Dom, Edge, Limits, Namespace, NodeId, Options, Origin, Quirks, TokenKind, Tree, parse, parse_fragment,
    tokens,
};
use proptest::prelude::*;

const NAMES: &[&str] = &[
    "a",
    "b",
    "i",
    "font",
    "nobr",
    "p",
    "div",
    "ul",
    "li",
    "dd",
    "table",
    "tbody",
    "thead",
    "tr",
    "td",
    "th",
    "caption",
    "colgroup",
    "col",
    "form",
    "input",
    "button",
    "select",
    "option",
    "optgroup",
    "selectedcontent",
    "h1",
    "pre",
    "textarea",
    "title",
    "script",
    "style",
    "template",
    "svg",
    "math",
    "mi",
    "annotation-xml",
    "foreignObject",
    "html",
    "head",
    "body",
    "frameset",
    "frame",
    "object",
    "ruby",
    "rt",
    "x-y",
    "br",
    "img",
    "image",
    "meta",
    "noscript",
    "plaintext",
    "hr",
];
const TEXTS: &[&str] = &[
    "x",
    " ",
    "\r\n",
    "\0",
    "&amp;",
    "&notit;",
    "&#0;",
    "<",
    "</",
    "</>",
    "<?x>",
    "<!-- c -->",
    "<!--",
    "<!doctype html>",
    "<![CDATA[c]]>",
    "é",
    "&",
    "\n ",
    "-->",
    "<template id=B:0></template>",
    "<template id=P:0></template>",
    "<!--$?-->",
    "<!--/$-->",
    "<script>$RC(\"B:0\",\"S:0\");$RS(\"S:1\",\"P:0\")</script>",
    "<noscript><iframe />",
];
const ATTRIBUTES: &[&str] = &[
    "",
    " a=b",
    " A='&lt;' a",
    " type=hidden",
    " x=\"é\r\"",
    " color=1",
    " a /",
    " encoding=text/html",
    " id=S:0",
    " id=S:1",
];

/// Markup made of tags that belong together and tags that do not.
fn soup() -> impl Strategy<Value = String> {
    let name = || proptest::sample::select(NAMES);
    let start = (name(), proptest::sample::select(ATTRIBUTES)).prop_map(|(name, rest)| format!("<{name}{rest}>"));
    let end = name().prop_map(|name| format!("</{name}>"));
    let text = proptest::sample::select(TEXTS).prop_map(str::to_owned);
    let piece = prop_oneof![4 => start, 3 => end, 3 => text];
    proptest::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

/// Any characters, with those that mean something more often than chance.
fn noise() -> impl Strategy<Value = String> {
    let character = prop_oneof![
        proptest::sample::select("<>/!-&;='\" \r\n\0[]CDATApbtr#x1".chars().collect::<Vec<_>>()),
        any::<char>()
    ];
    proptest::collection::vec(character, 0..200).prop_map(|characters| characters.into_iter().collect())
}

fn check_spans(dom: Dom<'_>) -> Result<(), TestCaseError> {
    let whole = dom.span(NodeId::DOCUMENT);
    prop_assert_eq!(whole.range(), 0..dom.source().len());
    for edge in dom.walk(NodeId::DOCUMENT) {
        let Edge::Enter(parent) = edge else { continue };
        let span = dom.span(parent);
        prop_assert!(span.start <= span.end && whole.contains(span));
        prop_assert!(dom.source().get(span.range()).is_some(), "{:?} cuts a character", span);
        let mut last_end = span.start;
        for child in dom.children(parent).filter(|&child| dom.origin(child) != Origin::Moved) {
            let inner = dom.span(child);
            prop_assert!(
                span.contains(inner),
                "{} {inner:?} lies outside {} {span:?}",
                dom.name(child),
                dom.name(parent)
            );
            prop_assert!(last_end <= inner.start, "{} {inner:?} starts before {last_end}", dom.name(child));
            last_end = inner.end;
        }
        if dom.is_element(parent) {
            check_tags(dom, parent)?;
        }
    }
    Ok(())
}

fn check_tags(dom: Dom<'_>, node: NodeId) -> Result<(), TestCaseError> {
    let source = dom.source();
    let name = dom.name(node).to_ascii_lowercase();
    let mut rest = dom.span(node);
    if let Some(tag) = dom.start_tag(node) {
        let text = tag.of(source).to_ascii_lowercase().replace('\0', "\u{fffd}");
        prop_assert!(text.starts_with(&format!("<{name}")) || text.starts_with("<image"), "{text} starts a {name}");
        prop_assert!(text.ends_with('>'));
        prop_assert_eq!(tag.start, rest.start);
        rest.start = tag.end;
    } else {
        prop_assert!(dom.origin(node) != Origin::Source);
        prop_assert!(dom.end_tag(node).is_none());
    }
    if let Some(tag) = dom.end_tag(node) {
        let text = tag.of(source).to_ascii_lowercase().replace('\0', "\u{fffd}");
        prop_assert!(text.starts_with(&format!("</{name}")) && text.ends_with('>'), "{text} ends a {name}");
        prop_assert_eq!(tag.end, rest.end);
        rest.end = tag.start;
    }
    prop_assert_eq!(dom.content(node), rest);
    for attribute in dom.attributes(node) {
        prop_assert!(source.get(attribute.span.range()).is_some());
    }
    Ok(())
}

/// An element with an end tag is, in the source, its start tag, its content and its end tag, one after the other.
fn check_whole_elements(dom: Dom<'_>) -> Result<(), TestCaseError> {
    for node in dom.descendants(NodeId::DOCUMENT).filter(|&node| dom.end_tag(node).is_some()) {
        let lower = |text: &str| text.to_ascii_lowercase().replace('\0', "\u{fffd}");
        let (text, name) = (lower(dom.span(node).of(dom.source())), lower(dom.name(node)));
        prop_assert!(text.starts_with(&format!("<{name}")), "{text} starts with its start tag");
        let end_tag = dom.end_tag(node).map_or("", |tag| tag.of(dom.source()));
        prop_assert!(lower(end_tag).starts_with(&format!("</{name}")), "{end_tag} ends {name}");
        prop_assert!(text.ends_with(&lower(end_tag)), "{text} ends with its end tag");
        let parts = [dom.start_tag(node), Some(dom.content(node)), dom.end_tag(node)];
        let joined: String = parts.into_iter().flatten().map(|span| span.of(dom.source())).collect();
        prop_assert_eq!(joined, dom.span(node).of(dom.source()));
    }
    Ok(())
}

/// The leaves that stand where they were written, and the gaps between them, are the source when put together.
fn check_leaves(dom: Dom<'_>) -> Result<(), TestCaseError> {
    let source = dom.source();
    let mut joined = String::new();
    let mut walk = dom.walk(NodeId::DOCUMENT);
    while let Some(edge) = walk.next() {
        let Edge::Enter(node) = edge else { continue };
        if dom.origin(node) == Origin::Moved {
            walk.skip_children(node);
            continue;
        }
        if dom.first_child(node).is_none() && node != NodeId::DOCUMENT {
            let span = dom.span(node);
            prop_assert!(joined.len() <= span.start as usize, "{} stands before what came before it", dom.name(node));
            joined += &source[joined.len()..span.start as usize];
            joined += span.of(source);
        }
    }
    joined += &source[joined.len()..];
    prop_assert_eq!(joined, source);
    Ok(())
}

/// What lies below a node is the same however it is found.
fn check_descendants(dom: Dom<'_>) -> Result<(), TestCaseError> {
    for node in dom.descendants(dom.root()).step_by(5) {
        let entered = dom.walk(node).skip(1).filter_map(|edge| match edge {
            Edge::Enter(node) => Some(node),
            Edge::Leave(_) => None,
        });
        prop_assert!(dom.descendants(node).eq(entered));
    }
    Ok(())
}

fn check(source: &str, limits: Limits) -> Result<(), TestCaseError> {
    let mut tree = Tree::default();
    for scripting in [false, true] {
        parse(source, &Options { scripting, mirror_selected: scripting, as_shown: !scripting, limits }, &mut tree);
        check_spans(tree.dom(source))?;
        check_whole_elements(tree.dom(source))?;
        check_leaves(tree.dom(source))?;
        check_descendants(tree.dom(source))?;
    }
    Ok(())
}

fn tiny_limits() -> Limits {
    Limits { depth: 8, nodes: 40, attributes: 1, attribute_length: 2, formatting: 2 }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn spans_nest_and_follow_one_another_in_tag_soup(source in soup()) {
        check(&source, Limits::default())?;
    }

    #[test]
    fn spans_hold_when_every_limit_is_hit(source in soup()) {
        check(&source, tiny_limits())?;
    }

    #[test]
    fn noise_does_no_harm(source in noise()) {
        check(&source, Limits::default())?;
    }

    #[test]
    fn fragments_hold_the_same(
        source in soup(),
        name in proptest::sample::select(NAMES),
        namespace in proptest::sample::select(&[Namespace::Html, Namespace::Svg, Namespace::MathMl][..]),
    ) {
        let mut tree = Tree::default();
        let context = Context { namespace, name, quirks: Quirks::No };
        parse_fragment(&source, &context, &Options::default(), &mut tree);
        check_spans(tree.dom(&source))?;
        check_whole_elements(tree.dom(&source))?;
        check_leaves(tree.dom(&source))?;
    }

    #[test]
    fn a_tree_used_again_is_as_good_as_new(first in soup(), second in soup()) {
        let (mut used, mut fresh) = (Tree::default(), Tree::default());
        parse(&first, &Options::default(), &mut used);
        parse(&second, &Options::default(), &mut used);
        parse(&second, &Options::default(), &mut fresh);
        let outline = |dom: Dom<'_>| -> Vec<String> {
            dom.descendants(NodeId::DOCUMENT)
                .map(|node| format!("{:?} {} {:?} {:?}", dom.kind(node), dom.name(node), dom.text(node), dom.span(node)))
                .collect()
        };
        prop_assert_eq!(outline(used.dom(&second)), outline(fresh.dom(&second)));
    }

    #[test]
    fn tokens_follow_one_another(source in prop_oneof![soup(), noise()]) {
        let mut at = 0;
        for token in tokens(&source) {
            prop_assert!(at <= token.span.start && token.span.start <= token.span.end);
            at = token.span.end;
            if let TokenKind::StartTag(tag) = &token.kind {
                for attribute in tag.attributes() {
                    prop_assert!(token.span.contains(attribute.span));
                }
            }
        }
    }
}
