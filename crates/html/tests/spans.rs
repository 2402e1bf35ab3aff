//! Where nodes stand in the source, and how the standard's repairs show in spans and origins.

use kuai_html::{
    Context, Dom, Edge, Limits, Namespace, NodeId, NodeKind, Note, Options, Origin, Quirks, Tag, Tree, parse,
    parse_fragment,
};

/// The elements and texts below the body, each with its source; implied nodes in brackets, moved ones with a star.
fn outline(dom: Dom<'_>, root: NodeId) -> String {
    let mut out = String::new();
    for edge in dom.walk(root).skip(1) {
        let (Edge::Enter(node) | Edge::Leave(node)) = edge;
        if node == root {
            break;
        }
        match (edge, dom.kind(node)) {
            (Edge::Enter(_), NodeKind::Element) => {
                let mark = match dom.origin(node) {
                    Origin::Source => "",
                    Origin::Implied => "?",
                    Origin::Moved => "*",
                };
                out += &format!("{}{mark}@{:?}(", dom.name(node), dom.span(node).range());
            }
            (Edge::Leave(_), NodeKind::Element) => out += ")",
            (Edge::Enter(_), _) => {
                let mark = if dom.origin(node) == Origin::Moved { "*" } else { "" };
                out += &format!("{:?}{mark}", dom.text(node));
            }
            _ => {}
        }
    }
    out
}

fn check(source: &str, expected: &str) {
    let mut tree = Tree::default();
    parse(source, &Options::default(), &mut tree);
    let dom = tree.dom(source);
    assert_eq!(outline(dom, dom.body().expect("every page has a body")), expected, "{source}");
}

#[test]
fn an_element_runs_from_its_start_tag_to_its_end_tag() {
    check("<p>a</p><p>b", "p@0..8(\"a\")p@8..12(\"b\")");
}

#[test]
fn an_element_without_an_end_tag_runs_to_what_closed_it() {
    check("<li>a<li>b</ul>", "li@0..5(\"a\")li@5..15(\"b\")");
}

#[test]
fn a_block_in_a_formatting_element_stays_where_it_was_written() {
    check("<b><p>x</b>y</p>", "b@0..3()p@3..16(b?@6..7(\"x\")\"y\")");
}

#[test]
fn a_reopened_element_spans_what_it_holds() {
    check("<p><b>x</p><p>y</p>", "p@0..11(b@3..7(\"x\"))p@11..19(b?@14..15(\"y\"))");
}

#[test]
fn text_put_before_a_table_is_moved() {
    check("<table>x<tr><td>y</table>", "\"x\"*table@0..25(tbody?@8..17(tr@8..17(td@12..17(\"y\"))))");
}

#[test]
fn text_on_both_sides_of_a_dropped_tag_is_one_node() {
    check("a</x>b", "\"ab\"");
}

#[test]
fn the_line_feed_behind_a_start_tag_is_dropped_even_behind_what_is_no_token() {
    check("<pre>\n\nx</pre>", "pre@0..14(\"\\nx\")");
    check("<pre></>\r\n\r\nx</pre>", "pre@0..19(\"\\nx\")");
}

#[test]
fn an_end_tag_in_svg_that_comes_to_the_root_of_a_fragment_is_for_the_mode() {
    let source = "<p><b></p><path></b><i>x";
    let mut tree = Tree::default();
    let context = Context { namespace: Namespace::Svg, name: "svg", quirks: Quirks::No };
    parse_fragment(source, &context, &Options::default(), &mut tree);
    let dom = tree.dom(source);
    assert_eq!(
        outline(dom, dom.html().expect("a fragment has a root")),
        "p@0..10(b@3..6())path@10..20()i@20..24(\"x\")"
    );
}

#[test]
fn a_body_keeps_its_end_tag_when_only_white_space_follows() {
    let source = "<html><body>x</body>\n</html>\n";
    let mut tree = Tree::default();
    parse(source, &Options::default(), &mut tree);
    let dom = tree.dom(source);
    let body = dom.body().expect("there is a body");
    assert_eq!(dom.end_tag(body).map(|tag| tag.of(source)), Some("</body>"));
    assert_eq!(dom.html().and_then(|html| dom.end_tag(html)).map(|tag| tag.of(source)), Some("</html>"));
}

#[test]
fn a_body_that_grows_behind_its_end_tag_loses_it() {
    let source = "<body>x</body><p>y";
    let mut tree = Tree::default();
    parse(source, &Options::default(), &mut tree);
    let dom = tree.dom(source);
    let body = dom.body().expect("there is a body");
    assert_eq!(dom.end_tag(body), None);
    assert_eq!(dom.span(body).of(source), source);
}

#[test]
fn a_form_closed_too_early_grows_with_what_stays_open() {
    check("<form><div></form>x</div>", "form@0..25(div@6..25(\"x\"))");
}

#[test]
fn a_fragment_stands_below_an_implied_root() {
    let source = "<td>x";
    let mut tree = Tree::default();
    parse_fragment(source, &Context::html("tr"), &Options::default(), &mut tree);
    let dom = tree.dom(source);
    assert_eq!(outline(dom, dom.html().expect("a fragment has a root")), "td@0..5(\"x\")");
}

#[test]
fn tags_of_any_length_keep_their_spans() {
    for length in [1, 26, 27, 28, 29, 2040, 2041, 2042, 2043, 2048, 70_000] {
        let (start, end) = (format!("<p a={}>", "x".repeat(length)), format!("</p{}>", " ".repeat(length)));
        let source = format!("{start}text{end}<p>");
        let mut tree = Tree::default();
        parse(&source, &Options::default(), &mut tree);
        let dom = tree.dom(&source);
        let paragraph = dom.first_child(dom.body().expect("every page has a body")).expect("the page has a paragraph");
        assert_eq!(dom.start_tag(paragraph).map(|tag| tag.of(&source)), Some(start.as_str()));
        assert_eq!(dom.content(paragraph).of(&source), "text");
        assert_eq!(dom.end_tag(paragraph).map(|tag| tag.of(&source)), Some(end.as_str()));
    }
}

#[test]
fn attributes_read_as_written_however_they_are_kept() {
    let source = "<p a b= c='' d=1 e=\"2\" F='&lt;' g=&gt; h=1234567><p><html i><body a=1 j=2>";
    let options = Options { limits: Limits { attribute_length: 6, ..Limits::default() }, ..Options::default() };
    let mut tree = Tree::default();
    assert_eq!(parse(source, &options, &mut tree), [Note::AttributeLength]);
    let dom = tree.dom(source);
    let list = |node| dom.attributes(node).map(|found| format!("{}={} ", found.name, found.value)).collect::<String>();
    let body = dom.body().expect("every page has a body");
    let paragraphs: Vec<_> = dom.children(body).collect();
    assert_eq!(list(paragraphs[0]), "a= b=c='' d=1 e=2 f=< g=> h=123456 ");
    assert_eq!(list(paragraphs[1]), "");
    assert_eq!(list(body), "a=1 j=2 ");
    assert_eq!(list(dom.html().expect("every page has a root")), "i= ");
    let spans: Vec<_> = dom.attributes(paragraphs[0]).map(|found| found.span.of(source)).collect();
    assert_eq!(spans, ["a", "b= c=''", "d=1", "e=\"2\"", "F='&lt;'", "g=&gt;", "h=1234567"]);
}

#[test]
fn what_is_too_deep_becomes_a_sibling_and_its_end_tags_close_nothing_else() {
    let source = "<div>".repeat(40) + "x" + &"</div>".repeat(40) + "<p>y";
    let options = Options { limits: Limits { depth: 10, ..Limits::default() }, ..Options::default() };
    let mut tree = Tree::default();
    assert_eq!(parse(&source, &options, &mut tree), [Note::Depth]);
    let dom = tree.dom(&source);
    let paragraph = dom.descendants(dom.root()).find(|&node| dom.tag(node) == Tag::P).expect("there is a paragraph");
    assert_eq!(dom.parent(paragraph), dom.body());
    assert!(dom.descendants(dom.root()).all(|node| dom.ancestors(node).count() <= 12));
}

#[test]
fn limits_leave_notes() {
    let note =
        |source: &str, limits: Limits| parse(source, &Options { limits, ..Options::default() }, &mut Tree::default());
    let sane = Limits::default();
    assert_eq!(note("<p><p><p>", Limits { nodes: 4, ..sane }), [Note::Nodes]);
    assert_eq!(note("<p a b c>", Limits { attributes: 2, ..sane }), [Note::Attributes]);
    assert_eq!(note("<p a=bcd>", Limits { attribute_length: 2, ..sane }), [Note::AttributeLength]);
    assert_eq!(note("<b a><b b><b c>", Limits { formatting: 2, ..sane }), [Note::Formatting]);
}
