//! Small pages and what stands near their titles.

use super::*;
use crate::Page;

fn found(html: &str) -> Byline {
    let page = Page::from_html(html);
    let title = page.metadata().title.clone();
    read(page.dom(), &[title.as_deref().unwrap_or_default()])
}

fn check(html: &str, author: Option<&str>, date: Option<&str>) {
    let found = found(html);
    assert_eq!((found.authors.first().map(String::as_str), found.published.as_deref()), (author, date), "{html}");
}

fn check_author(html: &str, author: Option<&str>) {
    assert_eq!(found(html).authors.first().map(String::as_str), author, "{html}");
}

#[test]
fn a_byline_behind_the_heading_names_author_and_date() {
    check("<h1>T</h1><p>By Ines Holm</p><p>March 5, 2024</p>", Some("Ines Holm"), Some("2024-03-05"));
    check(
        "<h1>T</h1><div class=byline>By <a>Ines Holm</a> on 5 March 2024</div>",
        Some("Ines Holm"),
        Some("2024-03-05"),
    );
    check(
        "<h1>标题</h1><div>2024年3月5日 10:20　来源：海港报　作者：王小明</div>",
        Some("王小明"),
        Some("2024-03-05T10:20:00"),
    );
    check(
        "<h1>标题</h1><span class=author>王小明</span><span>发布时间：2024-03-05</span>",
        Some("王小明"),
        Some("2024-03-05"),
    );
}

#[test]
fn an_author_is_found_however_the_page_says_by() {
    check_author("<h1>Fog</h1><p>By <a>Ines Holm</a></p>", Some("Ines Holm"));
    check_author("<h1>Fog</h1><p>Von Ines Holm</p>", Some("Ines Holm"));
    check_author("<h1>Fog</h1><p>Par Ines Holm | 5 mars 2024</p>", Some("Ines Holm"));
    check_author("<h1>雾</h1><p>记者：王小明</p>", Some("王小明"));
    check_author("<h1>雾</h1><p>记者 王小明</p>", Some("王小明"));
    check_author("<h1>雾</h1><p>作者｜王小明</p>", Some("王小明"));
    check_author("<h1>Fog</h1><a class=post-author__name>Ines Holm</a>", Some("Ines Holm"));
    check_author("<h1>Fog</h1><div class=author>Written By</div><div class=author>Ines Holm</div>", Some("Ines Holm"));
    check_author("<h1>Fog</h1><div>Written By</div><div>Ines Holm</div>", Some("Ines Holm"));
    check_author("<h1>Fog</h1><p>March 5, 2024 by Ines Holm</p>", Some("Ines Holm"));
}

#[test]
fn a_byline_may_name_several() {
    let check = |line: &str, expected: &[&str]| {
        assert_eq!(found(&format!("<h1>T</h1><p>{line}</p>")).authors, expected, "{line}");
    };
    check("By Ines Holm and Jan Berg", &["Ines Holm", "Jan Berg"]);
    check("<span class=byline>By <a>Ines Holm</a> &amp; <a>Jan Berg</a></span>", &["Ines Holm", "Jan Berg"]);
    check("March 5, 2024 by Ines Holm and Jan Berg", &["Ines Holm", "Jan Berg"]);
    check("By Harbour and Fog Office", &[]);
    check("作者：王小明 李大海", &["王小明", "李大海"]);
    check("作者：王小明　编辑：李大海", &["王小明"]);
    check("记者 王小明 李大海", &["王小明", "李大海"]);
    check("雾港报记者 王小明 李大海", &["王小明", "李大海"]);
    check("本报讯（记者王小明、李大海）今天港口又起了大雾。", &["王小明", "李大海"]);
}

#[test]
fn a_sign_is_no_author() {
    check_author("<h1>Fog</h1><div class=author>von <a href=/i>ines</a></div>", Some("ines"));
    check_author("<h1>Fog</h1><div class=author>Eingestellt von <a href=/i>Ines Holm</a></div>", Some("Ines Holm"));
    check_author("<h1>Fog</h1><div class=author>Veröffentlicht von</div>", None);
    check_author("<h1>Fog</h1><div class=author>Veröffentlicht von Ines</div>", Some("Ines"));
}

#[test]
fn words_that_follow_by_need_not_name_an_author() {
    check_author("<h1>Fog</h1><ul><li>Shop By Category</li></ul>", None);
    check_author("<h1>Fog</h1><p>Sold and shipped by Harbour Shop</p>", None);
    check_author("<h1>Fog</h1><p>Filter By City</p><p>By Type</p><p>By</p><p>Email</p>", None);
    check_author("<h1>雾</h1><div class=author>选稿：许文杰</div>", None);
    check_author("<h1>Fog</h1><p>Von Hamburg nach Bremen</p>", None);
}

#[test]
fn a_date_of_change_is_not_that_of_publication() {
    let updated = found("<h2>T</h2><span>Updated: Tuesday, 5 March 2024</span>");
    assert_eq!((updated.published, updated.modified.as_deref()), (None, Some("2024-03-05")));
    let both = found("<h1>T</h1><p>Last updated on March 5, 2024</p><p>Published January 2, 2023</p>");
    assert_eq!((both.published.as_deref(), both.modified.as_deref()), (Some("2023-01-02"), Some("2024-03-05")));
    let times = found(
        "<h1>T</h1><time class=updated datetime=2024-03-05>x</time><time class=published datetime=2023-01-02>x</time>",
    );
    assert_eq!((times.published.as_deref(), times.modified.as_deref()), (Some("2023-01-02"), Some("2024-03-05")));
    let parted = found("<h1>T</h1><b>Updated</b> <time datetime=2024-03-05>5 March</time>");
    assert_eq!((parted.published, parted.modified.as_deref()), (None, Some("2024-03-05")));
}

#[test]
fn the_title_is_found_where_it_is_no_heading() {
    check(
        "<title>雾散了</title><a>首页</a><div>雾散了</div><p>2005年08月16日 来源：海港报</p>",
        None,
        Some("2005-08-16"),
    );
    check("<title>Fog</title><h1>Site</h1><p>1 May 2001</p><h1>Fog</h1><p>5 May 2024</p>", None, Some("2024-05-05"));
    check("<title>Fog</title><p>March 5, 2024</p><h1>Fog</h1>", None, Some("2024-03-05"));
    check("<title>Fog</title><p>Today is May 5, 2024</p><p>a</p><h1>Fog</h1><p>text", None, None);
}

#[test]
fn prose_is_no_byline() {
    check("<h1>T</h1><p>By the end of the year all was lost, and nobody knew why it had been so.", None, None);
    let long = "word ".repeat(40);
    check(&format!("<h1>T</h1><p>{long} on March 5, 2024 {long}</p>"), None, None);
    check("<h1>T</h1><script>var d = '2024-03-05'</script>", None, None);
    check("<h1>T</h1><p>by car</p>", None, None);
    check("<p>no heading, March 5, 2024</p>", None, None);
    check("<h1>T</h1><p>Sale ends 03/31/2026</p><p>Founded: Dec 11, 2021</p>", None, None);
}
