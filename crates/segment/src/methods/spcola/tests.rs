//! Small pages, one rule each.

use kuai_page::{Label, Page, TextOptions};

use crate::{extract, method};

/// The leaves of a page that show text, as text and label.
fn leaves(html: &str) -> Vec<(String, Label)> {
    let page = Page::from_html(html);
    let method = method("spcola").expect("spcola is in the table");
    let tree = method.segmenter(&method.defaults()).segment(&page);
    let text = |span| page.text(span, TextOptions::default());
    let leaves = tree.leaves().filter_map(|block| Some((text(block.span), block.label?)));
    leaves.filter(|(text, _)| !text.is_empty()).collect()
}

fn texts(html: &str) -> Vec<String> {
    leaves(html).into_iter().map(|(text, _)| text).collect()
}

#[test]
fn the_page_is_split_at_divisions_and_what_stands_loose_between_them_is_a_block() {
    let html = "<div><a href=/a>Menu</a></div>Loose words<div><p>One.<p>Two.</div>";
    assert_eq!(texts(html), ["Menu", "Loose words", "One.\n\nTwo."]);
}

#[test]
fn rule_1_what_looks_alike_stays_together() {
    assert_eq!(texts("<div><div>One, two.</div><div>Three, four.</div></div>").len(), 1);
    let coloured = "<div><div>One, two.</div><div style='color:red'>Three, four.</div></div>";
    assert_eq!(texts(coloured), ["One, two.", "Three, four."]);
}

#[test]
fn rule_2_a_small_node_is_not_split() {
    let html = "<div style='width:50px;height:20px'><div>A, b</div><div><a href=/x>c</a></div></div>";
    assert_eq!(texts(html).len(), 1);
    assert_eq!(texts(&html.replace("50px", "500px")).len(), 2);
}

#[test]
fn rule_3_a_list_of_links_is_a_leaf() {
    let item = |number| format!("<li><div><a href=/{number}>A story of number {number}</a></div><div>by us</div></li>");
    let html = format!("<div><p>Some words before it.</p><ul>{}{}{}</ul></div>", item(1), item(2), item(3));
    assert_eq!(texts(&html).len(), 2);
}

#[test]
fn cells_do_not_split_but_rows_do() {
    let html = "<table><tr><td><a href=/a>Home</a></td><td><a href=/b>News</a></td></tr>\
        <tr><td>The text of the page,</td><td>in two cells.</td></tr></table>";
    assert_eq!(texts(html), ["Home\tNews", "The text of the page,\tin two cells."]);
}

#[test]
fn a_rule_and_a_heading_part_paragraphs() {
    let html = "<div><p>One.</p><h2>Second part</h2><p>Two.</p><p>Three.</p></div>";
    assert_eq!(texts(html), ["One.", "Second part", "Two.\n\nThree."]);
}

const TEXT: &str = "月球样品运回地球以后，科学家开始分析土壤，希望知道月球从哪里来，又经历了什么。";

#[test]
fn a_title_opens_a_unit_and_closes_the_one_before() {
    let html =
        format!("<title>月球样品</title><div><h1>月球样品</h1><p>{TEXT}</p><h2>土壤分析</h2><p>{TEXT}</p></div>");
    let page = Page::from_html(&html);
    let method = method("spcola").expect("spcola is in the table");
    let tree = method.segmenter(&method.defaults()).segment(&page);
    let units = extract(&page, &tree, method).units;
    let titles: Vec<_> = units.iter().map(|unit| unit.title.as_deref()).collect();
    assert_eq!(titles, [Some("月球样品"), Some("土壤分析")]);
    assert_eq!(units[0].text, TEXT);
}
