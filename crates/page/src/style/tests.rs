//! Tests of the cascade through whole small pages: the element with id `x` is the one looked at.

use kuai_html::{NodeId, Tag};
use proptest::prelude::*;

use super::*;
use crate::{Limits, Note, Page};

fn find(page: &Page) -> NodeId {
    let dom = page.dom();
    let mut nodes = dom.descendants(dom.root());
    nodes.find(|&node| dom.attribute(node, "id") == Some("x")).expect("the page has an element with id x")
}

/// Computes the style of `#x` and hands it to a question that must be answered with yes.
fn check(html: &str, holds: impl Fn(&Style) -> bool) {
    let page = Page::from_html(html);
    let style = *page.styles().of(find(&page));
    assert!(holds(&style), "{html}\n{style:?}");
}

fn check_hidden(html: &str, expected: bool) {
    let page = Page::from_html(html);
    assert_eq!(page.styles().is_hidden(find(&page)), expected, "{html}");
}

const RED: Color = Color::opaque(255, 0, 0);
const GREEN: Color = Color::opaque(0, 128, 0);

#[test]
fn specificity_beats_order() {
    check("<style>#x{color:green} .a{color:red}</style><p id=x class=a>", |style| style.color == GREEN);
    check("<style>p.a{color:green} .a{color:red} p{color:red}</style><p id=x class=a>", |style| style.color == GREEN);
    check("<style>p{color:red} p{color:green}</style><p id=x>", |style| style.color == GREEN);
    check("<style>:where(#x){color:red} p{color:green}</style><p id=x>", |style| style.color == GREEN);
}

#[test]
fn important_beats_style_attributes() {
    check("<style>p{color:green!important}</style><p id=x style=color:red>", |style| style.color == GREEN);
    check("<style>p{color:red!important}</style><p id=x style='color:green ! important'>", |s| s.color == GREEN);
    check("<style>#x{color:red}</style><p id=x style=color:green>", |style| style.color == GREEN);
}

#[test]
fn hints_stand_between_the_browser_and_the_author() {
    check("<table><td id=x width=100>", |style| style.width == Length::px(100.0));
    check("<style>td{width:50px}</style><table><td id=x width=100>", |style| style.width == Length::px(50.0));
    check("<style>*{color:green}</style><font color=red id=x>", |style| style.color == GREEN);
    check("<h1><font size=2 id=x>", |style| style.font_size == 13.0);
    check("<font size=+2 id=x>", |style| style.font_size == 24.0);
    check("<font face='Courier New' id=x>", |style| style.typeface == Typeface::Mono);
    check("<body bgcolor=#ff0000 text=green id=x>", |style| style.background == Some(RED) && style.color == GREEN);
    check("<body text=green><p id=x>", |style| style.color == GREEN);
    check("<table cellpadding=7><td id=x>", |style| style.padding.left == Length::px(7.0));
    check("<table border=1><td id=x>", |style| style.border.left == 1.0);
    check("<table id=x cellspacing=0>", |style| style.border_spacing == 0.0);
    check("<table id=x align=center>", |style| style.margin.left == Length::Auto);
    check("<img id=x src=a align=right hspace=5>", |style| {
        style.float == Float::Right && style.margin.left == Length::px(5.0)
    });
    check("<table><td id=x nowrap>", |style| style.white_space == WhiteSpace::NoWrap);
    check("<center><div id=x>", |style| style.text_align == TextAlign::CenterAll);
    check("<p id=x align=right>", |style| style.text_align == TextAlign::Right);
    check("<p id=x dir=rtl>", |style| style.right_to_left);
    check("<p id=x hidden>", |style| style.display == Display::None);
}

#[test]
fn values_are_inherited_or_reset_as_asked() {
    check("<div style=color:green><p id=x>", |style| style.color == GREEN);
    check("<div style=width:50px><p id=x>", |style| style.width == Length::Auto);
    check("<div style=width:50px><p id=x style=width:inherit>", |style| style.width == Length::px(50.0));
    check("<div style=color:red><p id=x style=color:initial>", |style| style.color == Color::BLACK);
    check("<div style='color:green;width:9px'><p id=x style='color:unset;width:unset'>", |style| {
        style.color == GREEN && style.width == Length::Auto
    });
}

#[test]
fn shorthands_are_split() {
    check("<p id=x style='margin:1px 2px 3px'>", |style| {
        let px = Length::px;
        style.margin == Sides { top: px(1.0), right: px(2.0), bottom: px(3.0), left: px(2.0) }
    });
    check("<p id=x style='border:2px solid red;border-left:none'>", |style| {
        style.border == Sides { top: 2.0, right: 2.0, bottom: 2.0, left: 0.0 }
    });
    check("<p id=x style='border-width:9px'>", |style| style.border.top == 0.0);
    check("<p id=x style='font:italic bold 20px/1.5 Arial,sans-serif'>", |style| {
        style.font_size == 20.0
            && style.italic
            && style.font_weight == 700
            && style.line_height == LineHeight::Factor(1.5)
            && style.typeface == Typeface::Sans
    });
    check("<p id=x style='background:#f00 url(a.png) no-repeat'>", |style| {
        style.background == Some(RED) && style.background_image
    });
    check("<p id=x style='background:red;background:none'>", |style| style.background.is_none());
    check("<p id=x style='flex:1'>", |style| style.flex_grow == 1.0 && style.flex_basis == Length::ZERO);
    check("<ul id=x style='list-style:none inside'>", |style| style.list_style == ListStyle::None);
}

#[test]
fn lengths_follow_the_font_size() {
    check("<div style=font-size:20px><p id=x style='width:2em;font-size:50%'>", |style| {
        style.font_size == 10.0 && style.width == Length::px(20.0)
    });
    check("<html style=font-size:10px><p id=x style=width:3rem>", |style| style.width == Length::px(30.0));
    check("<p id=x style='width:calc(100% - 2 * 10px)'>", |style| {
        style.width == Length::Fixed { px: -20.0, percent: 100.0 }
    });
    check("<p id=x style='width:50vw'>", |style| style.width == Length::px(640.0));
    check("<h1 id=x>", |style| style.font_size == 32.0 && style.margin.top == Length::px(21.44));
}

#[test]
fn media_and_supports_choose_rules() {
    check("<style>p{color:green}@media print{p{color:red}}</style><p id=x>", |style| style.color == GREEN);
    check("<style media=print>p{color:red}</style><p id=x>", |style| style.color == Color::BLACK);
    check("<style>@media (min-width:700px){p{color:green}}</style><p id=x>", |style| style.color == GREEN);
    check("<style>@media (max-width:700px){p{color:red}}</style><p id=x>", |style| style.color == Color::BLACK);
    check("<style>@supports (display:grid){p{color:green}}</style><p id=x>", |style| style.color == GREEN);
}

#[test]
fn rules_outside_layers_beat_layers() {
    check("<style>@layer a{#x{color:red}}p{color:green}</style><p id=x>", |style| style.color == GREEN);
    check("<style>@layer b,a;@layer a{p{color:green}}@layer b{#x{color:red}}</style><p id=x>", |s| s.color == GREEN);
}

#[test]
fn variables_are_put_in() {
    check("<style>:root{--c:green}p{color:var(--c)}</style><p id=x>", |style| style.color == GREEN);
    check("<style>p{color:var(--none,green)}</style><p id=x>", |style| style.color == GREEN);
    check("<style>p{margin:var(--m)}</style><div style=--m:7px><p id=x>", |s| s.margin.left == Length::px(7.0));
}

#[test]
fn selectors_match_as_in_a_page_just_loaded() {
    check("<style>a:hover{color:red}a:link{color:green}</style><a id=x href=y>", |style| style.color == GREEN);
    check("<style>li:nth-child(2n){color:green}</style><li><li id=x>", |style| style.color == GREEN);
    check("<style>p:not(.a):first-child{color:green}</style><div><p id=x>", |style| style.color == GREEN);
    check("<style>div > p ~ p{color:green}</style><div><p></p><p id=x>", |style| style.color == GREEN);
    check("<style>[data-a='b' i]{color:green}</style><p id=x data-a=B>", |style| style.color == GREEN);
    check("<style>p:has(a), p{color:red}</style><p id=x>", |style| style.color == Color::BLACK);
    check("<!DOCTYPE html><style>.A{color:red}</style><p id=x class=a>", |style| style.color == Color::BLACK);
    check("<style>.A{color:green}</style><p id=x class=a>", |style| style.color == GREEN);
}

#[test]
fn boxes_out_of_the_flow_are_blocks() {
    check("<span id=x style=float:left>", |style| style.display == Display::Block);
    check("<div style=display:flex><span id=x>", |style| style.display == Display::Block);
    check("<span id=x style='position:absolute;float:left'>", |style| style.float == Float::None);
}

#[test]
fn tricks_that_hide_text_are_seen() {
    check_hidden("<p id=x>", false);
    check_hidden("<p id=x style=display:none>", true);
    check_hidden("<div style=display:none><p id=x style=display:block>", true);
    check_hidden("<div style=visibility:hidden><p id=x>", true);
    check_hidden("<div style=visibility:hidden><p id=x style=visibility:visible>", false);
    check_hidden("<h1 style=text-indent:-9999px><a id=x>", true);
    check_hidden("<p id=x style='position:absolute;left:-10000px'>", true);
    check_hidden("<p id=x style='position:absolute;clip:rect(1px,1px,1px,1px)'>", true);
    check_hidden("<p id=x style='position:absolute;clip:rect(0 0 0 0)'>", true);
    check_hidden("<p id=x style='clip-path:inset(50%)'>", true);
    check_hidden("<p id=x style='width:1px;height:1px;overflow:hidden'>", true);
    check_hidden("<p id=x style='height:0;overflow:hidden'>", true);
    check_hidden("<p id=x style='height:0'>", false);
    check_hidden("<p id=x style=opacity:0>", true);
    check_hidden("<p id=x style=font-size:0>", true);
    check_hidden("<p style=font-size:0><span id=x style=font-size:12px>", false);
    check_hidden("<details><summary id=x>", false);
    check_hidden("<details><p id=x>", true);
    check_hidden("<details open><p id=x>", false);
}

#[test]
fn linked_sheets_take_their_place_in_the_page() {
    let sheet = |href: &str, text: &str| StyleSheet { href: href.to_owned(), text: text.to_owned() };
    let color = |html: &str, sheets: Vec<StyleSheet>| {
        let page = Page::from_html(html).with_style_sheets(sheets);
        let style = *page.styles().of(find(&page));
        style.color
    };
    let before = "<link rel=stylesheet href=a.css><style>p{color:green}</style><p id=x>";
    assert_eq!(color(before, vec![sheet("a.css", "p{color:red}")]), GREEN);
    let after = "<style>p{color:red}</style><link rel=stylesheet href=a.css><p id=x>";
    assert_eq!(color(after, vec![sheet("a.css", "\u{feff}p{color:green}")]), GREEN);
    assert_eq!(color(after, vec![sheet("other.css", "p{color:green}")]), RED);
    let print = "<link rel=stylesheet media=print href=a.css><p id=x>";
    assert_eq!(color(print, vec![sheet("a.css", "p{color:red}")]), Color::BLACK);
    let alternate = "<link rel='alternate stylesheet' href=a.css><p id=x>";
    assert_eq!(color(alternate, vec![sheet("a.css", "p{color:red}")]), Color::BLACK);
    let imports = vec![sheet("css/a.css", "@import 'b.css'; p{color:green}"), sheet("css/b.css", "p{color:red}")];
    assert_eq!(color("<link rel=stylesheet href=css/a.css><p id=x>", imports), GREEN);
}

#[test]
fn font_families_and_grids_can_be_asked_for() {
    let page = Page::from_html("<div id=x style='font-family:\"Foo Bar\",serif;grid-template-columns:100px 2fr 1fr'>");
    let style = page.styles().of(find(&page));
    assert_eq!(page.styles().font_family(style), "Foo Bar");
    assert_eq!(page.styles().grid_columns(style).len(), 3);
}

#[test]
fn equal_elements_share_a_style() {
    let page = Page::from_html(&format!("<style>li{{color:red}}</style><ul>{}", "<li><a href=a>b</a>".repeat(1000)));
    assert!(page.styles().distinct_count() < 12);
}

/// Styles a page within small limits and gives the notes.
fn notes_within(html: &str, limits: &Limits) -> Vec<Note> {
    let page = Page::from_bytes(html.as_bytes(), None, Some("utf-8"), limits);
    page.styles();
    page.notes()
}

#[test]
fn limits_leave_a_note() {
    let rules = format!("<style>{}</style><p>", "p{color:red}".repeat(100));
    let limits = Limits { style_rules: 50, ..Limits::default() };
    assert!(notes_within(&rules, &limits).contains(&Note::StyleLimit));
    let limits = Limits { style_bytes: 50, ..Limits::default() };
    assert!(notes_within(&rules, &limits).contains(&Note::StyleLimit));
    let sheets = "<style>p{color:red}</style>".repeat(10);
    let limits = Limits { style_sheets: 5, ..Limits::default() };
    assert!(notes_within(&sheets, &limits).contains(&Note::StyleLimit));
    assert!(!notes_within(&rules, &Limits::default()).contains(&Note::StyleLimit));
}

#[test]
fn deep_css_does_not_overflow_the_stack() {
    for (open, count) in [("{", 100_000), ("(", 100_000), ("[", 100_000), ("@media screen{", 50_000), (":not(", 50_000)]
    {
        let page = Page::from_html(&format!(
            "<style>p{open}{}</style><p id=x style='width:{}'>",
            open.repeat(count),
            "calc(".repeat(count)
        ));
        page.styles();
    }
    let long = format!("<style>{} p{{color:red}}</style><p id=x>", "a ".repeat(100_000));
    check(&long, |style| style.color == Color::BLACK);
}

#[test]
fn hostile_selectors_end() {
    let limits = Limits { style_steps: 10_000, ..Limits::default() };
    let deep = "<a>".repeat(300) + &"<div>".repeat(100) + "<b id=x>";
    let rules: String = (0..5_000).map(|index| format!("i{index} a a a a a a b{{color:red}}")).collect();
    notes_within(&format!("<style>{rules}</style>{deep}"), &limits);
    let siblings = "<i></i>".repeat(500);
    let rules = ":is(u ~ i) ~ :is(u ~ i) ~ i{color:red}";
    let notes = notes_within(&format!("<style>{rules}</style>{siblings}"), &limits);
    assert!(notes.contains(&Note::StyleLimit));
}

#[test]
fn sibling_indexes_are_counted_once() {
    let siblings = "<i></i>".repeat(5_000);
    let rules = "i:nth-child(3n+1){color:red} i:nth-last-of-type(2n){color:red} i:nth-last-child(7){color:red}";
    let limits = Limits { style_steps: 0, ..Limits::default() };
    let notes = notes_within(&format!("<style>{rules}</style>{siblings}"), &limits);
    assert!(!notes.contains(&Note::StyleLimit));
}

#[test]
fn a_page_without_sheets_keeps_browser_styles() {
    let page = Page::from_html("<p>one<b>two</b><ul><li>three");
    let dom = page.dom();
    let of = |tag: Tag| {
        let node = dom.descendants(dom.root()).find(|&node| dom.tag(node) == tag).expect("the tag is there");
        page.styles().of(node)
    };
    assert_eq!(of(Tag::P).display, Display::Block);
    assert_eq!(of(Tag::B).font_weight, 700);
    assert_eq!(of(Tag::Li).display, Display::ListItem);
    assert_eq!(of(Tag::Head).display, Display::None);
    assert_eq!(of(Tag::Body).margin.left, Length::px(8.0));
}

#[test]
fn what_is_hidden_is_told_without_the_rest_of_the_styles() {
    let sheet = "*{color:red} .gone,[hidden]{display:none} .back{display:block!important} .empty{overflow:hidden;height:0} .full{height:auto} \
                 .unseen{visibility:hidden} .seen{visibility:visible} .small{font-size:0} .large{font-size:12px} .out{text-indent:-999em} \
                 :root{--d:none} .by{display:var(--d)} div .deep>p:not(.back){opacity:0} .far{position:absolute;left:-9999px} ul+p.back{display:none}";
    let body = "<div class=gone>a<p>b</div><div class='gone back'>c</div><div hidden>d</div><div hidden class=back>e</div>\
                <div class=empty>f</div><div class='empty full'>g</div><span class=empty>h</span><div class=unseen>i<b>j</b><b class=seen>k</b></div>\
                <div class=small>l<b>m</b><b class=large>n</b></div><div class=out>o<p>p</div><p class=by>q</p><div><i class=deep>r<p>s</p><p class=back>t\
                </p></i></div><div class=far>u</div><div style='display:none'>v</div><div class=gone style='display:block'>w</div><dialog>x</dialog>\
                <dialog open>y</dialog><details>z<summary>a</summary></details><ul hidden><li>b</ul><p class=back>c</p><p style='font:0/0 a'>d<b>e</b></p><p popover>f</p>";
    let page = Page::from_html(&format!("<style>{sheet}</style>{body}"));
    let dom = page.dom();
    let mut hidden = String::new();
    for node in dom.descendants(dom.root()) {
        assert_eq!(page.hidden().at(node), page.styles().is_hidden(node), "{} {}", dom.name(node), dom.text(node));
        let is_gone = dom.is_text(node)
            && page.hidden().at(node)
            && dom.parent(node).is_some_and(|parent| dom.tag(parent) != Tag::Style);
        hidden.push_str(if is_gone { dom.text(node).trim() } else { "" });
    }
    assert_eq!(hidden, "abdfijlmopqsuvxbdef");
}

const SELECTORS: &[&str] = &[
    "p",
    "div",
    "*",
    ".a",
    ".b",
    "#x",
    "div .a",
    "div>p",
    "p+p",
    ".a~.b",
    ".a.b",
    "p:not(.b)",
    "body .a, #x",
    "b::after",
    "p:hover",
];
const SAID: &[&str] = &[
    "display:none",
    "display:block",
    "display:inline",
    "visibility:hidden",
    "visibility:visible",
    "opacity:0",
    "opacity:1",
    "height:0",
    "height:9px",
    "width:1px",
    "width:auto",
    "overflow:hidden",
    "padding:5px",
    "position:absolute",
    "left:-9999px",
    "left:0",
    "margin-top:-2000px",
    "margin:0",
    "text-indent:-999em",
    "text-indent:0",
    "font-size:0",
    "font-size:12px",
    "font:0/0 a",
    "clip:rect(0 0 0 0)",
    "clip:auto",
    "color:red",
    "display:block!important",
    "/* none */ display: NONE",
];
const OPEN: &[&str] = &[
    "<div>",
    "<div class=a>",
    "<p>",
    "<p class='a b'>",
    "<p class=b style=display:none>",
    "<b id=x>",
    "<b hidden>",
    "<i style='visibility:visible'>",
];
const CLOSE: &[&str] = &["</div>", "</div>", "</p>", "</p>", "</p>", "</b>", "</b>", "</i>"];

proptest! {
    #[test]
    fn what_is_hidden_is_the_same_with_and_without_the_rest_of_the_styles(
        rules in proptest::collection::vec((0..SELECTORS.len(), proptest::collection::vec(0..SAID.len(), 1..4)), 0..8),
        body in proptest::collection::vec((0..OPEN.len(), proptest::bool::ANY), 0..16),
    ) {
        let said = |parts: &[usize]| parts.iter().map(|&part| SAID[part]).collect::<Vec<_>>().join(";");
        let sheet: String = rules.iter().map(|(selector, parts)| format!("{}{{{}}}", SELECTORS[*selector], said(parts))).collect();
        let body: String = body
            .iter()
            .map(|&(open, is_closed)| format!("{}x{}", OPEN[open], if is_closed { CLOSE[open] } else { "" }))
            .collect();
        let source = format!("<style>{sheet}</style>{body}");
        let page = Page::from_html(&source);
        for node in page.dom().descendants(page.dom().root()) {
            prop_assert_eq!(page.hidden().at(node), page.styles().is_hidden(node), "{} {:?}", source, page.dom().span(node));
        }
    }
}
