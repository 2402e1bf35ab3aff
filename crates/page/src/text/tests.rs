//! Small pages and the text they show. Whole documents are written out, so that the tests say the same whatever
//! elements the parser would imply.

use proptest::prelude::*;

use super::*;
use crate::Page;

fn shown(body: &str) -> String {
    let page = Page::from_html(&format!("<html><head></head><body>{body}</body></html>"));
    page.text(page.span(), TextOptions::default())
}

fn check(body: &str, expected: &str) {
    assert_eq!(shown(body), expected, "{body}");
}

#[test]
fn white_space_collapses_within_and_across_runs() {
    check("  one \n\t two <b> three</b>four ", "one two threefour");
    check("one<b> </b>two <!-- x --> <i>three</i>", "one two three");
    check("汉字\n汉字", "汉字 汉字");
    check("a\u{a0} b\u{3000}c", "a\u{a0} b\u{3000}c");
}

#[test]
fn blocks_have_lines_and_paragraphs_blank_lines() {
    check("<div>one</div>two<div>three</div>", "one\ntwo\nthree");
    check("<p>one</p><p>two</p>three", "one\n\ntwo\n\nthree");
    check("<h1>one</h1><div>two</div>", "one\n\ntwo");
    check("<ul><li>one</li> <li><a href=x>two</a></li></ul>", "one\ntwo");
    check("one<hr>two", "one\n\ntwo");
}

#[test]
fn a_break_ends_a_line_and_a_second_one_leaves_a_blank_line() {
    check("one<br>two", "one\ntwo");
    check("one<br> <br>two", "one\n\ntwo");
    check("one<br><br><br>two", "one\n\ntwo");
    check("<div>one<br></div><div>two</div>", "one\ntwo");
    check("<div>one</div><br><div>two</div>", "one\n\ntwo");
}

#[test]
fn preformatted_text_is_left_as_it_is() {
    check("<p>one</p><pre>  a\n\n   b <b> c</b>\n</pre><p>two  three</p>", "one\n\n  a\n\n   b  c\n\ntwo three");
}

fn check_plain(body: &str, expected: &str) {
    let page = Page::from_html(&format!("<html><head></head><body>{body}</body></html>")).plain();
    assert_eq!(page.text(page.span(), TextOptions::default()), expected, "{body}");
}

#[test]
fn preformatted_text_of_a_plain_page_is_left_as_it_is_too() {
    let html =
        "<p>one</p><pre><code><i>a</i><b> </b><i>b</i>\n\n  <i>c</i> <i>d</i>\n</code></pre><p> two  <i>three</i></p>";
    check_plain(html, "one\n\na b\n\n  c d\n\ntwo three");
}

#[test]
fn words_of_neighbours_in_a_plain_page_are_parted_where_they_look_like_two() {
    check_plain("<a href=x>Indie</a><a href=y>Action</a>", "Indie Action");
    check_plain("<b>3 beds</b><span><i>2 baths</i></span>", "3 beds 2 baths");
    check_plain("<b>T</b><i>he</i> <b>child</b><i>ren</i>", "The children");
    check_plain("<b>H</b><b>E</b><b>Y</b>", "HEY");
    check_plain("<b>one</b>Two<i>Three</i>", "oneTwoThree");
    check_plain("<i>x</i><sub>2</sub> <b>Data</b><wbr><b>Feed</b>", "x2 DataFeed");
    check_plain("<code><b>get</b><b>Name</b></code> <pre><b>get</b><b>Name</b></pre>", "getName\n\ngetName");
    check("<b>one</b><b>Two</b>", "oneTwo");
}

#[test]
fn the_style_decides_over_the_name() {
    check("one<span style='display:block'>two</span>three", "one\ntwo\nthree");
    check("<p style='display:inline'>one</p><p style='display:inline'>two</p>", "onetwo");
    check("one<b style='display:none'>two</b>three", "onethree");
    check("<div style='white-space:pre-line'>one  two\n  three\n</div>", "one two\nthree");
    check("<div style='white-space:pre-wrap'>one  two\n three<p>four</p> \n </div>", "one  two\n three\n\nfour");
    check("<div style='visibility:hidden'>one<b style='visibility:visible'>two</b></div>", "two");
}

#[test]
fn cells_are_parted_by_tabs_and_rows_by_lines() {
    check("<table><tbody><tr><td>a</td> <td>b</td></tr><tr><td> c </td><td>d</td></tr></tbody></table>", "a\tb\nc\td");
    check("<table><tbody><tr><td><p>a</p></td><td><div>b</div></td></tr></tbody></table>", "a\tb");
    check("<table><tbody><tr><td></td><td>b</td><td> </td><td>d</td></tr></tbody></table>", "b\td");
    let layout = "<table><tbody><tr><td><p>a</p><p>b</p></td><td>c</td></tr></tbody></table>";
    check(layout, "a\n\nb\nc");
}

#[test]
fn code_and_metadata_are_no_text() {
    check("a<script>var x;</script><style>b{}</style>b", "ab");
    let page = Page::from_html("<html><head><title>t</title></head><body>b<script>x</script></body></html>");
    assert_eq!(page.text(page.span(), TextOptions { hidden: true }), "b");
}

#[test]
fn hidden_parts_are_left_out_as_if_they_were_not_there() {
    let page = Page::from_html("<html><body>a<div hidden>x</div>b<p>c</p></body></html>");
    assert_eq!(page.text(page.span(), TextOptions::default()), "ab\n\nc");
    assert_eq!(page.text(page.span(), TextOptions { hidden: true }), "a\nx\nb\n\nc");
}

#[test]
fn of_the_options_the_chosen_one_is_shown() {
    check("<select><option>a</option><option selected>b</option></select>go", "b go");
}

#[test]
fn a_span_gives_the_runs_in_it_and_of_a_cut_run_the_part() {
    let source = "<p>one two</p><p>three</p>";
    let page = Page::from_html(source);
    let text = |start, end| page.text(Span::new(start, end), TextOptions::default());
    assert_eq!(text(0, 14), "one two");
    assert_eq!(text(7, 20), "two\n\nthr");
    assert_eq!(text(4, 5), "n");
    assert_eq!(text(6, 7), "");
    assert_eq!(text(26, 26), "");
}

#[test]
fn a_node_gives_the_text_below_it() {
    let page = Page::from_html("<div><p>one</p><p>two <b>three</b></p></div>four");
    let dom = page.dom();
    let all: Vec<_> = dom
        .descendants(dom.root())
        .filter(|&node| dom.is_element(node) && matches!(dom.tag(node), crate::Tag::P | crate::Tag::B))
        .map(|node| page.flow().text_of(dom, node, TextOptions::default()))
        .collect();
    assert_eq!(all, ["one", "two three", "three"]);
}

#[test]
fn characters_are_counted_without_white_space_and_hidden_parts() {
    let source = "<p>ab c</p><p hidden>x</p><p>d<a href=x>汉 字</a></p>";
    let page = Page::from_html(source);
    let count = |start, end| {
        let count = page.flow().count(page.dom(), Span::new(start, end));
        (count.characters, count.link_characters)
    };
    assert_eq!(count(0, source.len() as u32), (6, 2));
    assert_eq!(count(0, 11), (3, 0));
    assert_eq!(count(4, 6), (1, 0));
    let body_count = page.flow().count_of(page.dom(), page.dom().root());
    assert_eq!((body_count.characters, body_count.link_characters), (6, 2));
}

fn any_body() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-c汉 \n]{0,4}",
        Just("<p>".to_owned()),
        Just("</p>".to_owned()),
        Just("<div>".to_owned()),
        Just("</div>".to_owned()),
        Just("<div hidden>".to_owned()),
        Just("<br>".to_owned()),
        Just("<table><tr><td>".to_owned()),
        Just("<td>".to_owned()),
        Just("</td>".to_owned()),
        Just("</table>".to_owned()),
        Just("<a href=x>".to_owned()),
        Just("</a>".to_owned()),
        Just("&nbsp;&#xD800;".to_owned()),
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn outside_pre_no_two_spaces_and_no_two_blank_lines_follow(body in any_body()) {
        let text = shown(&body);
        for wrong in ["  ", "\n\n\n", " \n", "\n ", " \t", "\t\t"] {
            prop_assert!(!text.contains(wrong), "{text:?}");
        }
        prop_assert_eq!(text.trim_ascii(), text.as_str());
    }

    #[test]
    fn counts_are_those_of_the_text(body in any_body(), cut in 0.0..1.0f64) {
        let page = Page::from_html(&body);
        let mut at = (body.len() as f64 * cut) as usize;
        while !body.is_char_boundary(at) {
            at -= 1;
        }
        for span in [Span::new(0, at as u32), Span::new(at as u32, body.len() as u32), page.span()] {
            let text = page.text(span, TextOptions::default());
            let characters = text.chars().filter(|character| !character.is_whitespace()).count();
            prop_assert_eq!(page.flow().count(page.dom(), span).characters as usize, characters);
        }
    }
}

#[test]
fn a_line_of_fifty_megabytes_is_read() {
    // Long words keep the test quick without optimisation.
    let line = format!("{} ", "word".repeat(250)).repeat(50_000);
    let page = Page::from_html(&format!("<p>{line}"));
    assert_eq!(page.flow().count(page.dom(), page.span()).characters, 50_000_000);
    assert_eq!(page.text(page.span(), TextOptions::default()).len(), line.len() - 1);
}

#[test]
fn two_hundred_thousand_nested_blocks_are_read() {
    let page = Page::from_html(&format!("{}deep", "<div>".repeat(200_000)));
    assert_eq!(page.text(page.span(), TextOptions::default()), "deep");
}

#[test]
fn odd_characters_are_read() {
    let page = Page::from_html("<p>a\0b&#xD800;c&#0;d\u{1}");
    let text = page.text(page.span(), TextOptions::default());
    assert!(text.starts_with('a') && text.contains("\u{fffd}c"), "{text:?}");
}

#[test]
fn a_picture_called_html_is_noted_as_binary() {
    let body = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89";
    let page = Page::from_bytes(body, None, Some("utf-8"), &crate::Limits::default());
    assert_eq!(page.notes(), [crate::Note::Binary]);
    assert_eq!(page.raw(), None);
}

#[test]
fn text_that_the_standard_moves_is_found_by_span_and_by_node() {
    // What stands between rows of a table is moved before the table.
    let source = "<table><tr><td>one</td></tr>two<tr><td>three</td></tr></table>";
    let page = Page::from_html(source);
    assert_eq!(page.text(page.span(), TextOptions::default()), "two\none\nthree");
    let row = Span::new(7, 28);
    assert_eq!(page.text(row, TextOptions::default()), "one");
    assert_eq!(page.text(Span::new(28, source.len() as u32), TextOptions::default()), "two\nthree");
    assert_eq!(page.flow().count(page.dom(), Span::new(28, 31)).characters, 3);
    assert_eq!(page.flow().count(page.dom(), page.span()).characters, 11);
}
