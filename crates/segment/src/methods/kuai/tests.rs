//! Whole pages through the default method.

use kuai_page::{BlockTree, Label, Limits, Page, Url};

use super::{READ_LINKS_MAX, style_of};
use crate::blocks::BlockStyle;
use crate::{Judged, PageType, TypeGuess, Wanted, extract, method, text};

const ARTICLE: &str = "<!doctype html><html lang=en><title>The lighthouse of Corrow - The Coast</title>
    <body><nav class=menu><ul><li><a href=/>Home</a><li><a href=/news>News</a><li><a href=/about>About</a></ul></nav>
    <article class=post><h1>The lighthouse of Corrow</h1><div class=byline>By Ann Lee, March 5, 2024</div>
    <p>The lighthouse stands at the end of the pier, and it has been lit every night since it was built in 1866.</p>
    <p>When the keeper left, the town took over the lamp, and every family now keeps the light for one night of the year.</p>
    <p>Visitors can climb the tower in summer, and from its gallery they see the whole coast down to the old harbour.</p></article>
    <aside class=related><h3>Related articles</h3><ul><li><a href=/1>How the lighthouse was built by the harbour office</a>
    <li><a href=/2>The lighthouse keeper who left Corrow</a><li><a href=/3>A night with the lighthouse lamp</a></ul></aside>
    <footer class=footer><p>Copyright 2024 The Coast. All rights reserved.</p></footer>";

fn labels(html: &str) -> Vec<(Label, String)> {
    let page = Page::from_html(html);
    let method = method("kuai").expect("kuai is a method");
    let tree = method.segmenter(&method.defaults()).judge(&page).tree;
    let said =
        |span: kuai_page::Span| page.text(span, Default::default()).split_whitespace().collect::<Vec<_>>().join(" ");
    tree.blocks().iter().filter_map(|block| Some((block.label?, said(block.span)))).collect()
}

fn main_text(html: &str, leaning: f64) -> String {
    let page = Page::from_html(html);
    let method = method("kuai").expect("kuai is a method");
    let mut settings = method.defaults();
    settings.set("leaning", leaning).expect("leaning is a parameter");
    let segmenter = method.segmenter(&settings);
    let told = |tree| text(&page, &tree, &Wanted::of(method));
    let main = told(segmenter.judge_main(&page).tree);
    assert_eq!(main, told(segmenter.judge(&page).tree), "what else is on the page does not change the text");
    main
}

#[test]
fn paragraphs_are_the_text_and_what_is_around_them_is_not() {
    let text = main_text(ARTICLE, 0.0);
    assert!(text.starts_with("The lighthouse stands") && text.ends_with("the old harbour."), "{text}");
}

#[test]
fn other_blocks_say_what_they_are_for() {
    let found = labels(ARTICLE);
    let label_of = |words: &str| found.iter().find(|(_, text)| text.contains(words)).map(|(label, _)| *label);
    assert_eq!(label_of("Home News"), Some(Label::Navigation));
    assert_eq!(label_of("The lighthouse of Corrow"), Some(Label::Title));
    assert_eq!(label_of("keeper who left"), Some(Label::Related));
    assert_eq!(label_of("All rights reserved"), Some(Label::Copyright));
}

#[test]
fn what_is_read_most_and_who_owns_the_page_are_not_related() {
    let headed = ARTICLE.replace("Related articles", "Most read");
    let owned =
        ARTICLE.replace("<h3>Related articles</h3><ul>", "<ul><li><a href=/0>© 2024 The lighthouse of Corrow</a>");
    for html in [headed, owned] {
        let found = labels(&html);
        let list = found.iter().find(|(_, text)| text.contains("keeper who left"));
        assert_ne!(list.map(|(label, _)| *label), Some(Label::Related), "{found:?}");
    }
}

#[test]
fn every_link_of_a_related_list_is_told_the_first_too() {
    let bare = ARTICLE.replace("<h3>Related articles</h3>", "");
    for html in [ARTICLE, &bare] {
        let page = Page::from_html(html);
        let method = method("kuai").expect("kuai is a method");
        let tree = method.segmenter(&method.defaults()).judge(&page).tree;
        let related: Vec<_> = extract(&page, &tree, method).related.iter().map(|link| link.href.as_str()).collect();
        assert_eq!(related, ["/1", "/2", "/3"]);
    }
}

#[test]
fn related_links_are_no_text_even_in_the_middle_of_it() {
    let list = "<h3>Related guides</h3><ul><li><a href=/1>How the lighthouse was built</a><li><a href=/2>The keeper who left</a></ul><p>When";
    let text = main_text(&ARTICLE.replace("<p>When", list), 1.0);
    assert!(text.contains("keeps the light") && !text.contains("keeper who left"), "{text}");
}

#[test]
fn a_paragraph_that_is_streamed_behind_the_end_makes_no_block_of_all_between() {
    let (before, rest) = ARTICLE.split_once("<p>When").expect("the second paragraph");
    let (paragraph, after) = rest.split_once("</p>").expect("its end");
    let html = format!(
        "{before}<template id=B:0></template><!--/$-->{after}<div hidden id=S:0><p>When{paragraph}</p></div><script>$RC(\"B:0\",\"S:0\")</script>"
    );
    assert_eq!(main_text(&html, 0.0), main_text(ARTICLE, 0.0));
    let found = labels(&html);
    let mains: Vec<_> = found.iter().filter(|(label, _)| *label == Label::Main).map(|(_, text)| text).collect();
    assert!(mains.iter().all(|text| !text.contains("Related articles")), "{mains:?}");
}

#[test]
fn leaning_to_recall_never_keeps_less_than_leaning_to_precision() {
    let kept = [-1.0, 0.0, 1.0].map(|leaning| main_text(ARTICLE, leaning).len());
    assert!(kept.is_sorted(), "{kept:?}");
}

#[test]
fn a_page_that_is_all_links_is_not_empty() {
    let items: String =
        (0..40).map(|n| format!("<li><a href=/{n}>A headline about the harbour works, part {n}</a>")).collect();
    let html = format!("<title>News</title><body><h1>News</h1><div class=list><ul>{items}</ul></div>");
    assert!(main_text(&html, 0.0).contains("harbour works, part 39"));
}

#[test]
fn a_text_that_stands_on_the_page_twice_is_kept_once() {
    let paragraph =
        "<p>The lighthouse stands at the end of the pier, and it has been lit every night since it was built.</p>";
    for other in [paragraph.to_owned(), paragraph.replace("<p>", "<p>\u{3000}\u{3000}")] {
        let text = main_text(&ARTICLE.replace("<p>When", &format!("{paragraph}<div>{other}</div><p>When")), 0.0);
        assert_eq!(text.matches("since it was built.").count(), 1, "{text}");
    }
}

#[test]
fn a_refrain_is_kept_as_often_as_it_is_sung() {
    let refrain = "<p>Keep the light, keep the light, keep it burning through the night.</p>";
    let song =
        format!("{refrain}<p>When the keeper left, the town took over the lamp, and nobody slept.</p>{refrain}<p>When");
    let text = main_text(&ARTICLE.replace("<p>When", &song), 0.0);
    assert_eq!(text.matches("through the night.").count(), 2, "{text}");
}

#[test]
fn a_statement_of_rights_below_the_text_is_no_part_of_it() {
    for heading in ["反侵权公告：", "版权声明"] {
        let statement = format!(
            "<p>{heading}</p><p>任何单位和个人使用本报的作品，须经书面同意，否则将依法追究其责任。</p></article>"
        );
        let text = main_text(&ARTICLE.replace("</article>", &statement), 1.0);
        assert!(text.ends_with("the old harbour."), "{text}");
    }
}

#[test]
fn a_text_below_a_line_of_copyright_stays() {
    let line = "<p>版权声明：本文为博主原创文章，未经博主允许不得转载。</p><p>The lighthouse stands";
    let text = main_text(&ARTICLE.replace("<p>The lighthouse stands", line), 0.0);
    assert!(text.contains("since it was built in 1866.") && text.ends_with("the old harbour."), "{text}");
}

#[test]
fn what_a_page_is_filed_under_is_not_related() {
    let filed = ARTICLE.replace("<h3>Related articles</h3>", "<b>Categories:</b>");
    let found = labels(&filed);
    let list = found.iter().find(|(_, text)| text.contains("keeper who left"));
    assert_ne!(list.map(|(label, _)| *label), Some(Label::Related), "{found:?}");
}

#[test]
fn home_pages_are_cut_nested_and_chinese_ones_flat_if_they_are_no_hubs() {
    let links = "<a href=x>x</a>".repeat(READ_LINKS_MAX + 1);
    let style = |address: &str, page_type, is_chinese| {
        let url = Url::parse(address).expect("an address");
        let page = Page::from_bytes(links.as_bytes(), Some(&url), None, &Limits::default());
        let page_type = Some(TypeGuess { page_type, confidence: None });
        style_of(&page, &Judged { tree: BlockTree::default(), page_type, expected_f1: None }, is_chinese)
    };
    assert_eq!(style("https://news.example/moon", PageType::Article, false), BlockStyle::Flat);
    assert_eq!(style("https://news.example/", PageType::Article, false), BlockStyle::Nested);
    assert_eq!(style("https://news.example/?p=17", PageType::Article, false), BlockStyle::Flat);
    assert_eq!(style("https://news.example/moon", PageType::Listing, false), BlockStyle::Nested);
    assert_eq!(style("https://news.example/moon", PageType::Listing, true), BlockStyle::Flat);
    assert_eq!(style("https://news.example/moon", PageType::Hub, true), BlockStyle::Nested);
}
