//! Small pages, one kind of block each. The tree is given, so that only labelling is tried.

use kuai_page::{BlockTree, Dom, Label, NodeId, Page, Tag};

use super::label;

/// Labels of all outermost DIVs, in order.
fn check(html: &str, expected: &[Label]) {
    let page = Page::from_html(html);
    let dom = page.dom();
    let body = dom.body().expect("every page has a body");
    let blocks = dom.children(body).filter(|&node| is_div(dom, node)).map(|node| dom.span(node));
    let tree = label(&page, BlockTree::from_spans(blocks));
    let labels: Vec<Label> = tree.blocks().iter().filter_map(|block| block.label).collect();
    assert_eq!(labels, expected, "{html}");
}

fn is_div(dom: Dom<'_>, node: NodeId) -> bool {
    dom.tag(node) == Tag::Div
}

/// A page about the moon with these blocks before and after its text.
fn page(before: &str, after: &str) -> String {
    let text = "<p>月球样品运回地球以后，科学家开始分析月球土壤，希望知道月球从哪里来。</p>".repeat(4);
    format!("<title>月球样品抵达北京</title>{before}<div>{text}</div>{after}")
}

#[test]
fn text_in_sentences_is_main() {
    check(&page("", ""), &[Label::Main]);
}

#[test]
fn a_menu_before_the_text_is_navigation() {
    let menu = "<div><a href=/>首页</a> <a href=/n>新闻</a> <a href=/s>体育</a></div>";
    check(&page(menu, ""), &[Label::Navigation, Label::Main]);
}

#[test]
fn the_heading_that_repeats_the_pages_title_is_a_title() {
    check(&page("<div><h1>月球样品抵达北京</h1></div>", ""), &[Label::Title, Label::Main]);
}

#[test]
fn author_date_and_source_are_meta() {
    check(
        &page("<div>来源：某报 作者：某人</div>", "<div>责任编辑：某人</div>"),
        &[Label::Meta, Label::Main, Label::Meta],
    );
}

#[test]
fn a_copyright_line_below_the_text_is_copyright() {
    check(&page("", "<div>某网 版权所有 京ICP备00000000号</div>"), &[Label::Main, Label::Copyright]);
    check(&page("", "<div>Copyright 2020 All rights reserved</div>"), &[Label::Main, Label::Copyright]);
}

#[test]
fn links_on_the_topic_close_behind_the_text_are_related() {
    let links = "<div><a href=/1>月球土壤里有什么</a><a href=/2>下一次月球之旅</a><a href=/3>谁拥有月球样品</a></div>";
    check(&page("", links), &[Label::Main, Label::Related]);
}

#[test]
fn a_heading_makes_fewer_links_on_the_topic_enough() {
    let links = "<a href=/1>月球土壤里有什么</a><a href=/2>今年的苹果丰收</a><a href=/3>某队夺得冠军杯</a>";
    check(&page("", &format!("<div>{links}</div>")), &[Label::Main, Label::Noise]);
    check(&page("", &format!("<div>相关阅读 {links}</div>")), &[Label::Main, Label::Related]);
}

#[test]
fn links_on_other_topics_are_noise_even_if_they_call_themselves_related() {
    let links = "<div>相关阅读 <a href=/1>今年的苹果丰收</a><a href=/2>某队夺得冠军杯</a></div>";
    check(&page("", links), &[Label::Main, Label::Noise]);
}

#[test]
fn what_readers_wrote_is_comment() {
    check(
        &page("", "<div class=comment-list><p>写得真好，我很喜欢这篇文章，谢谢作者。</p></div>"),
        &[Label::Main, Label::Comment],
    );
}

#[test]
fn links_in_a_block_called_advert_are_adverts() {
    let links = "<div class=ad-box><a href=/1>买一送一的好机会</a><a href=/2>全场八折优惠中</a></div>";
    check(&page("", links), &[Label::Main, Label::Advert]);
}

#[test]
fn share_buttons_are_noise() {
    check(&page("", "<div>分享到：微博 朋友圈</div>"), &[Label::Main, Label::Noise]);
}

#[test]
fn a_few_words_beside_the_text_are_small() {
    let after = page("", "").replace("<title>月球样品抵达北京</title>", "<div>图为发射现场</div>");
    check(&page("", &after), &[Label::Main, Label::Small, Label::Main]);
}

#[test]
fn long_links_are_the_main_part_of_a_hub() {
    let story = |number: u32| format!("<p><a href=/{number}>今天的第{number}条重要新闻标题</a></p>");
    let stories: String = (0..12).map(story).collect();
    let html = format!("<div><a href=/>首页</a> <a href=/n>新闻</a></div><div>{stories}</div>");
    check(&html, &[Label::Navigation, Label::Main]);
}

#[test]
fn a_label_that_is_there_stays() {
    let page = Page::from_html("<p>x</p>");
    let tree = BlockTree::from_labelled([(page.span(), Some(Label::Advert))]);
    assert_eq!(label(&page, tree).blocks()[0].label, Some(Label::Advert));
}

#[test]
fn a_block_around_others_is_for_what_most_of_their_text_is_for() {
    let html = page("<div><a href=/>首页</a></div>", "");
    let page = Page::from_html(&html);
    let dom = page.dom();
    let body = dom.body().expect("every page has a body");
    let blocks = dom.children(body).filter(|&node| is_div(dom, node)).chain([body]).map(|node| dom.span(node));
    let tree = label(&page, BlockTree::from_spans(blocks));
    assert_eq!(tree.blocks()[0].label, Some(Label::Main));
}
