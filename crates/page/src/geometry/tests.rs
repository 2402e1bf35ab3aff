//! Tests of estimated boxes through small pages: elements are found by their id.

use crate::{Page, Rect};

const RESET: &str = "<!DOCTYPE html><style>body{margin:0;font:10px/20px Arial}</style>";

/// Lays the page out and compares `#id` boxes: x, y, width, height, within two pixels.
fn check(html: &str, expected: &[(&str, [f32; 4])]) {
    let page = Page::from_html(&format!("{RESET}{html}"));
    for (id, sides) in expected {
        let found = rect(&page, id).unwrap_or_else(|| panic!("{id} has no box in {html}"));
        let close = [found.x, found.y, found.width, found.height].iter().zip(sides).all(|(a, b)| (a - b).abs() <= 2.0);
        assert!(close, "{id}: {found:?} should be {sides:?} in {html}");
    }
}

fn rect(page: &Page, id: &str) -> Option<Rect> {
    let dom = page.dom();
    let node = dom.descendants(dom.root()).find(|&node| dom.attribute(node, "id") == Some(id))?;
    page.boxes().of(node)
}

#[test]
fn blocks_stand_below_each_other() {
    check(
        "<div id=a style=height:30px></div><div id=b style='height:10px;width:50%'></div>",
        &[("a", [0.0, 0.0, 1280.0, 30.0]), ("b", [0.0, 30.0, 640.0, 10.0])],
    );
}

#[test]
fn margins_collapse() {
    check(
        "<div id=o><p id=a style='margin:20px 10px;height:10px'></p><p id=b style='margin:30px 0;height:10px'></p></div>",
        &[("o", [0.0, 20.0, 1280.0, 50.0]), ("a", [10.0, 20.0, 1260.0, 10.0]), ("b", [0.0, 60.0, 1280.0, 10.0])],
    );
}

#[test]
fn padding_border_and_box_sizing_count() {
    check(
        "<div id=a style='width:100px;padding:10px;border:5px solid;height:20px'></div>",
        &[("a", [0.0, 0.0, 130.0, 50.0])],
    );
    check(
        "<div id=a style='box-sizing:border-box;width:100px;padding:10px;height:40px'></div>",
        &[("a", [0.0, 0.0, 100.0, 40.0])],
    );
}

#[test]
fn automatic_margins_and_center_put_boxes_in_the_middle() {
    check("<div id=a style='width:280px;margin:0 auto;height:9px'></div>", &[("a", [500.0, 0.0, 280.0, 9.0])]);
    check("<center><div id=a style='width:280px;height:9px'></div></center>", &[("a", [500.0, 0.0, 280.0, 9.0])]);
    check("<div style='text-align:center'><span id=a>iiii</span></div>", &[("a", [635.0, 4.0, 9.0, 11.0])]);
}

#[test]
fn floats_stand_at_the_sides_and_text_beside_them() {
    check(
        "<div id=l style='float:left;width:200px;height:100px'></div><div id=r style='float:right;width:300px;\
         height:50px'></div><span id=t>text</span><div id=c style='clear:both;height:5px'></div>",
        &[
            ("l", [0.0, 0.0, 200.0, 100.0]),
            ("r", [980.0, 0.0, 300.0, 50.0]),
            ("t", [200.0, 4.0, 15.0, 11.0]),
            ("c", [0.0, 100.0, 1280.0, 5.0]),
        ],
    );
}

#[test]
fn floats_that_do_not_fit_go_below() {
    let float = |id: &str| format!("<div id={id} style='float:left;width:500px;height:40px'></div>");
    check(
        &format!("{}{}{}", float("a"), float("b"), float("c")),
        &[("a", [0.0, 0.0, 500.0, 40.0]), ("b", [500.0, 0.0, 500.0, 40.0]), ("c", [0.0, 40.0, 500.0, 40.0])],
    );
}

#[test]
fn only_boxes_of_their_own_context_hold_floats() {
    let float = "<div style='float:left;width:9px;height:40px'></div>";
    check(
        &format!("<div id=a>{float}</div><div id=b style='overflow:hidden;clear:both'>{float}</div>"),
        &[("a", [0.0, 0.0, 1280.0, 0.0]), ("b", [0.0, 40.0, 1280.0, 40.0])],
    );
    check(
        &format!("<style>#a:after{{content:'';display:block;clear:both}}</style><div id=a>{float}</div>"),
        &[("a", [0.0, 0.0, 1280.0, 40.0])],
    );
}

#[test]
fn a_box_beside_a_float_takes_what_is_left() {
    check(
        "<div style='float:left;width:200px;height:90px'></div><div id=a style='overflow:hidden;height:9px'></div>",
        &[("a", [200.0, 0.0, 1080.0, 9.0])],
    );
}

#[test]
fn text_wraps_into_lines() {
    // Eight words of 33 px with spaces of 2.8 px: three to a line.
    let words = "mmmm ".repeat(8);
    check(&format!("<div id=a style=width:120px>{words}</div>"), &[("a", [0.0, 0.0, 120.0, 60.0])]);
    check(
        &format!("<div id=a style='width:120px;white-space:nowrap'>{words}</div>"),
        &[("a", [0.0, 0.0, 120.0, 20.0])],
    );
    check("<div id=a style=width:50px>中文字符中文字符</div>", &[("a", [0.0, 0.0, 50.0, 40.0])]);
    check("<pre id=a style='margin:0;font:10px/20px Arial'>a\nb\nc</pre>", &[("a", [0.0, 0.0, 1280.0, 60.0])]);
    check("a<br>b<div id=a></div>", &[("a", [0.0, 40.0, 1280.0, 0.0])]);
}

#[test]
fn inline_elements_reach_around_their_text() {
    check(
        "<p style=margin:0>mmmm <a id=a>mm <b id=b>mm</b></a>",
        &[("a", [36.0, 4.0, 38.0, 11.0]), ("b", [55.0, 4.0, 18.0, 11.0])],
    );
}

#[test]
fn inline_blocks_shrink_to_their_content_and_stand_in_lines() {
    check(
        "<span id=a style='display:inline-block;width:100px;height:30px'></span><span id=b \
         style='display:inline-block;padding:0 10px'>mmmm</span>",
        &[("a", [0.0, 0.0, 100.0, 30.0]), ("b", [100.0, 10.0, 53.0, 20.0])],
    );
}

#[test]
fn tables_share_their_width_out() {
    check(
        "<table id=t cellspacing=0 cellpadding=0 width=600><tr id=r><td id=a width=100>a<td id=b width=50%>b<td id=c>c",
        &[
            ("t", [0.0, 0.0, 600.0, 20.0]),
            ("r", [0.0, 0.0, 600.0, 20.0]),
            ("a", [0.0, 0.0, 100.0, 20.0]),
            ("b", [100.0, 0.0, 300.0, 20.0]),
            ("c", [400.0, 0.0, 200.0, 20.0]),
        ],
    );
}

#[test]
fn cells_span_columns_and_rows() {
    check(
        "<table cellspacing=0 cellpadding=0 width=400><tr><td id=a colspan=2>a<td id=b rowspan=2 width=100>b\
         <tr><td id=c width=200>c<td id=d>d",
        &[
            ("a", [0.0, 0.0, 300.0, 20.0]),
            ("b", [300.0, 0.0, 100.0, 40.0]),
            ("c", [0.0, 20.0, 200.0, 20.0]),
            ("d", [200.0, 20.0, 100.0, 20.0]),
        ],
    );
}

#[test]
fn flex_items_grow_shrink_and_wrap() {
    check(
        "<div style='display:flex;width:600px'><div id=a style='width:100px;height:30px'></div><div id=b \
         style=flex:1></div><div id=c style=flex:3></div></div>",
        &[("a", [0.0, 0.0, 100.0, 30.0]), ("b", [100.0, 0.0, 125.0, 30.0]), ("c", [225.0, 0.0, 375.0, 30.0])],
    );
    let item = |id: &str| format!("<div id={id} style='width:250px;height:30px'></div>");
    check(
        &format!("<div style='display:flex;flex-wrap:wrap;width:600px'>{}{}{}</div>", item("a"), item("b"), item("c")),
        &[("b", [250.0, 0.0, 250.0, 30.0]), ("c", [0.0, 30.0, 250.0, 30.0])],
    );
    check(
        "<div style='display:flex;flex-direction:column'><p id=a style='margin:0;height:9px'></p><p id=b \
         style='margin:0;height:9px'></p></div>",
        &[("a", [0.0, 0.0, 1280.0, 9.0]), ("b", [0.0, 9.0, 1280.0, 9.0])],
    );
    check(
        "<div style='display:flex;justify-content:space-between'><p id=a style=width:80px></p><p id=b \
         style=width:80px></p></div>",
        &[("b", [1200.0, 10.0, 80.0, 0.0])],
    );
}

#[test]
fn grids_have_columns_and_gaps() {
    check(
        "<div style='display:grid;grid-template-columns:200px repeat(2,1fr);gap:10px;width:820px'><p id=a \
         style='margin:0;height:20px'></p><p id=b style='margin:0'></p><p id=c style='margin:0'></p><p id=d \
         style='margin:0;grid-column:span 2'></p></div>",
        &[
            ("a", [0.0, 0.0, 200.0, 20.0]),
            ("b", [210.0, 0.0, 300.0, 20.0]),
            ("c", [520.0, 0.0, 300.0, 20.0]),
            ("d", [0.0, 30.0, 510.0, 0.0]),
        ],
    );
}

#[test]
fn absolute_boxes_stand_against_positioned_ancestors() {
    check(
        "<div style='position:relative;width:500px;height:100px;margin-left:50px'><div><p id=a style='position:absolute;\
         top:10px;right:20px;width:80px;height:9px;margin:0'></p><p id=b style='position:absolute;bottom:0;left:0;\
         right:0;height:9px;margin:0'></p></div></div>",
        &[("a", [450.0, 10.0, 80.0, 9.0]), ("b", [50.0, 91.0, 500.0, 9.0])],
    );
    check("<div id=a style='position:relative;left:5px;top:6px;height:9px'></div>", &[("a", [5.0, 6.0, 1280.0, 9.0])]);
}

#[test]
fn pictures_take_given_sizes() {
    check("<img id=a src=a width=30 height=40>", &[("a", [0.0, 0.0, 30.0, 40.0])]);
    check(
        "<style>img{max-width:100%;height:auto}</style><div style=width:100px><img id=a src=a width=200 height=80></div>",
        &[("a", [0.0, 0.0, 100.0, 40.0])],
    );
}

#[test]
fn hidden_elements_have_no_box() {
    let page = Page::from_html("<p id=a style=display:none>text<b id=b>text</b>");
    assert_eq!(rect(&page, "a"), None);
    assert_eq!(rect(&page, "b"), None);
}

#[test]
fn a_page_knows_its_size() {
    let page = Page::from_html(&format!("{RESET}<div style='height:3000px'></div>"));
    assert_eq!(page.boxes().height(), 3000.0);
    assert_eq!(page.boxes().width(), 1280.0);
}

#[test]
fn hostile_pages_are_laid_out() {
    let deep = |tag: &str| format!("<{tag}>").repeat(2_000) + "text";
    let mut pages = vec![
        deep("div"),
        deep("table><tr><td"),
        deep("b"),
        deep("div style=display:flex"),
        deep("div style=float:left"),
        deep("div style=position:absolute"),
        "<i style=float:left>a</i>".repeat(20_000),
        "<i style=float:left;width:0;height:999px></i>".repeat(20_000),
        format!("<div style=display:flex>{}", "<i>a</i>".repeat(20_000)),
        format!("<table><tr>{}", "<td colspan=1000 rowspan=60000>a".repeat(2_000)),
        format!("<p>{}", "w".repeat(1 << 20)),
        format!("<p>{}", "w ".repeat(1 << 19)),
        "<p style='width:1e30px;margin:-1e30px;font-size:1e30px'>text".to_owned(),
        "<table width=99999999999999999999><td width=1e99%>a".to_owned(),
        String::new(),
    ];
    pages.push("<span>".repeat(400) + &"word <div>block</div>".repeat(2_000));
    for html in pages {
        let page = Page::from_html(&html);
        let height = page.boxes().height();
        assert!(height.is_finite(), "{}", &html[..html.len().min(60)]);
    }
}
