//! Small pages and what they say of themselves.

use super::*;
use crate::{Limits, Page};

fn metadata(html: &str) -> Metadata {
    let url = Url::parse("https://example.org/a/page").expect("a valid address");
    Page::from_bytes(html.as_bytes(), Some(&url), None, &Limits::default()).metadata().clone()
}

fn url(address: &str) -> Option<Url> {
    Some(Url::parse(address).expect("a valid address"))
}

#[test]
fn the_title_falls_back_from_element_to_meta_to_heading() {
    let title = |html: &str| metadata(html).title;
    assert_eq!(title("<title> One\n two </title><meta property=og:title content=x>").as_deref(), Some("One two"));
    assert_eq!(title("<title> </title><meta property=og:title content=x><h1>y</h1>").as_deref(), Some("x"));
    assert_eq!(title("<h1>One <b>two</b><script>no</script></h1>").as_deref(), Some("One two"));
    assert_eq!(title("<p>no title</p>"), None);
}

#[test]
fn the_headline_is_told_without_the_name_of_the_site() {
    let headline = |html: &str| metadata(html).headline;
    let fog = "<title>Fog | Fog News</title><meta property=og:title content='Fog | Fog News'>";
    let site = "<meta property=og:site_name content='Fog News'>";
    assert_eq!(headline(&format!("{fog}{site}")).as_deref(), Some("Fog"));
    assert_eq!(headline(&format!("{fog}<h1>Fog</h1>")).as_deref(), Some("Fog"));
    assert_eq!(headline("<title>雾散了_example.org</title>").as_deref(), Some("雾散了"));
    let escaped = r#"<script type=application/ld+json>{"@type":"Article","headline":"Fog &#8211; light"}</script>"#;
    assert_eq!(headline(escaped).as_deref(), Some("Fog – light"));
    assert_eq!(metadata(&format!("{fog}{site}")).title.as_deref(), Some("Fog | Fog News"));
}

#[test]
fn what_the_page_shows_of_a_title_of_many_parts_is_its_headline() {
    let found = metadata(
        "<title>港口今天又起了大雾-雾港财经</title><table><tr><td class=title><b>港口今天又起了大雾</b></td></tr>\
         <tr><td>2004年7月16日08:19 作者：王小明</td></tr></table>",
    );
    assert_eq!(found.headline.as_deref(), Some("港口今天又起了大雾"));
    assert_eq!(found.published.as_deref(), Some("2004-07-16T08:19:00"));
    assert_eq!(found.authors, ["王小明"]);
    let headline = |html: &str| metadata(html).headline;
    let forum = "<title>雾从哪里来 - 奇谈 - 雾港社区</title>";
    assert_eq!(headline(&format!("{forum}<b>雾从哪里来</b>")).as_deref(), Some("雾从哪里来"));
    assert_eq!(headline(&format!("{forum}<a href=/>雾从哪里来</a>")).as_deref(), Some("雾从哪里来 - 奇谈 - 雾港社区"));
    let series = "<title>Harbours - What the fog does to them</title><p>Harbours</p><h3>What the fog does to them</h3>";
    assert_eq!(headline(series).as_deref(), Some("Harbours - What the fog does to them"));
}

#[test]
fn a_logo_is_no_headline_where_a_heading_below_it_says_the_title() {
    let found = metadata(
        "<title>港口今天又起了大雾</title><h1><a href=/>雾港网</a></h1><h2>港口今天又起了大雾</h2><p>2024-03-05 10:20</p>",
    );
    assert_eq!(found.headline.as_deref(), Some("港口今天又起了大雾"));
    assert_eq!(found.published.as_deref(), Some("2024-03-05T10:20:00"));
    let headline = |html: &str| metadata(html).headline;
    let book = "<title>What is Fog? - The Fog Book</title><h1>The Fog Book</h1><h2>What Is Fog?</h2>";
    assert_eq!(headline(book).as_deref(), Some("What Is Fog?"));
    let unparted = "<title>雾港不“雾” 港湾网</title><h1>港湾网</h1><h2>雾港不“雾”</h2>";
    assert_eq!(headline(unparted).as_deref(), Some("雾港不“雾”"));
    let site = "<title>Harbour Times | Light</title><h2>Harbour Times</h2><h1>Light</h1>";
    assert_eq!(headline(site).as_deref(), Some("Light"));
}

#[test]
fn a_chinese_site_is_named_behind_the_headline_in_the_title() {
    let site = |html: &str| metadata(html).site_name;
    assert_eq!(site("<title>雾散了_雾港网</title>").as_deref(), Some("雾港网"));
    assert_eq!(site("<title>雾散了_雾港网</title><meta property=og:site_name content=海港>").as_deref(), Some("海港"));
    assert_eq!(site("<title>雾港网</title>"), None);
}

#[test]
fn descriptions_are_told_without_tags() {
    let found = metadata("<meta name=description content='&lt;p&gt;Fog &amp;amp; light&lt;/p&gt;'>");
    assert_eq!(found.description.as_deref(), Some("Fog & light"));
}

#[test]
fn the_language_is_a_tag() {
    let language = |html: &str| metadata(html).language;
    assert_eq!(language("<html lang=zh-CN>").as_deref(), Some("zh-CN"));
    assert_eq!(language("<meta property=og:locale content=en_GB>").as_deref(), Some("en-GB"));
    assert_eq!(language("<meta http-equiv=Content-Language content='de, en'>").as_deref(), Some("de"));
    assert_eq!(language("<html lang=en><title>港口今天又起了大雾</title>").as_deref(), Some("zh"));
    assert_eq!(language("<html lang=zh-TW><title>港口今天又起了大雾</title>").as_deref(), Some("zh-TW"));
    assert_eq!(language("<html lang=ja><title>港湾局長官記者会見要旨</title>").as_deref(), Some("ja"));
    assert_eq!(language("<html lang=en><title>雾 – fog in Chinese</title>").as_deref(), Some("en"));
    assert_eq!(language("<html lang='{{lang}}'><meta name=language content=Deutsch>"), None);
}

#[test]
fn addresses_are_resolved() {
    let found = metadata(
        "<link rel=canonical href='/b'><link rel='shortlink next' href=c><link rel=prev href='d'>\
         <meta property=og:image content='/i.png'>\
         <link rel=alternate type='application/rss+xml' title='The feed' href='/feed'>\
         <link rel=alternate hreflang=de href='/de'>",
    );
    assert_eq!(found.canonical, url("https://example.org/b"));
    assert_eq!(found.next, url("https://example.org/a/c"));
    assert_eq!(found.previous, url("https://example.org/a/d"));
    assert_eq!(found.image, url("https://example.org/i.png"));
    assert_eq!(found.feeds.len(), 1);
    assert_eq!(found.feeds[0].title.as_deref(), Some("The feed"));
}

#[test]
fn json_ld_tells_author_dates_and_headline() {
    let found = metadata(
        r#"<script type="application/ld+json">
        {"@context":"https://schema.org","@graph":[
          {"@type":"WebSite","name":"A site","datePublished":"2001-01-01"},
          {"@type":"NewsArticle","headline":"The headline","datePublished":"2024-01-31T10:00:00+08:00",
           "dateModified":"2024-02-01","author":[{"@type":"Person","name":"One"},"Two"],
           "publisher":{"name":"The paper"},"keywords":"a, b","image":{"url":"/i.png"}}]}</script>"#,
    );
    assert_eq!(found.headline.as_deref(), Some("The headline"));
    assert_eq!(found.published.as_deref(), Some("2024-01-31T10:00:00+08:00"));
    assert_eq!(found.modified.as_deref(), Some("2024-02-01"));
    assert_eq!(found.authors, ["One", "Two"]);
    assert_eq!(found.site_name.as_deref(), Some("The paper"));
    assert_eq!(found.keywords, ["a", "b"]);
    assert_eq!(found.image, url("https://example.org/i.png"));
    assert_eq!(found.json_ld.len(), 1);
}

#[test]
fn references_in_json_ld_are_followed_to_the_name() {
    let authors = |json: &str| metadata(&format!("<script type=application/ld+json>{json}</script>")).authors;
    let graph =
        r##"{"@graph":[{"@type":"Article","author":{"@id":"#p"}},{"@type":"Person","@id":"#p","name":"Ines Holm"}]}"##;
    assert_eq!(authors(graph), ["Ines Holm"]);
    assert_eq!(authors(r#"{"@type":"Article","author":{"givenName":"Ines","familyName":"Holm"}}"#), ["Ines Holm"]);
    assert_eq!(authors(r#"{"@type":"Article","author":{"name":["Ines Holm"]}}"#), ["Ines Holm"]);
    assert_eq!(authors(r##"{"@type":"Article","author":{"@id":"#p"}}"##), Vec::<String>::new());
    let review = r#"[{"@type":"Review","author":"A buyer"},{"@type":"Article","author":"Ines Holm"}]"#;
    assert_eq!(authors(review), ["Ines Holm"]);
}

#[test]
fn an_author_who_is_none_or_the_site_gives_way_to_the_byline() {
    let authors = |head: &str| metadata(&format!("{head}<h1>Fog</h1><p class=byline>By Ines Holm</p>")).authors;
    assert_eq!(authors("<meta name=author content=admin>"), ["Ines Holm"]);
    assert_eq!(
        authors("<meta name=author content='Fog News'><meta property=og:site_name content='Fog News'>"),
        ["Ines Holm"]
    );
    let titled = "<title>雾散了_雾港网</title><meta name=author content=雾港网><h1>雾散了</h1>";
    assert_eq!(metadata(&format!("{titled}<p>作者：王小明")).authors, ["王小明"]);
    assert_eq!(metadata(titled).authors, ["雾港网"]);
    let site = metadata("<meta name=author content='Fog News'><meta property=og:site_name content='Fog News'>");
    assert_eq!(site.authors, ["Fog News"]);
    let of_site = r#"<meta name=author content="Jan Berg"><script type=application/ld+json>{"@type":"WebSite","author":"A"}</script>"#;
    assert_eq!(authors(of_site), ["Jan Berg"]);
}

#[test]
fn the_responsible_editor_is_no_author_unless_the_byline_names_them() {
    let authors = |body: &str| metadata(&format!("<meta name=author content=李大海><h1>雾散了</h1>{body}")).authors;
    assert_eq!(authors("<p>作者：王小明</p><p>雾。</p><p>责任编辑：李大海</p>"), ["王小明"]);
    assert_eq!(authors("<p>雾。</p><p>[责任编辑：李大海]</p>"), Vec::<String>::new());
    assert_eq!(authors("<p>作者：李大海</p><p>雾。</p><p>责编：李大海</p>"), ["李大海"]);
    assert_eq!(authors("<p>雾。</p><p>责任编辑：林风</p>"), ["李大海"]);
}

#[test]
fn links_to_authors_of_other_pages_name_nobody() {
    let links = |names: &[&str]| names.iter().map(|name| format!("<a rel=author>{name}</a>")).collect::<String>();
    assert_eq!(metadata(&links(&["View all posts by Ines Holm", "weiter"])).authors, ["Ines Holm"]);
    let many = ["Ines Holm", "Jan Berg", "Ada Moor", "Kim Sund"];
    assert_eq!(metadata(&links(&many)).authors, Vec::<String>::new());
}

#[test]
fn broken_json_ld_is_mended_or_passed_over() {
    let values = |json: &str| metadata(&format!("<script type=application/ld+json>{json}</script>")).json_ld.len();
    assert_eq!(values("{\"headline\":\"one\n two\"};"), 1);
    assert_eq!(values("<!-- {\"headline\":\"one\"} -->"), 1);
    assert_eq!(values("{\"headline\":"), 0);
    assert_eq!(values(&"[".repeat(100_000)), 0);
}

#[test]
fn dates_come_from_the_surest_source() {
    let published = |html: &str| metadata(html).published;
    let time = "<time datetime='2024-03-03'>3 March</time>";
    assert_eq!(published(time).as_deref(), Some("2024-03-03"));
    let marked = "<time itemprop=datePublished datetime='2024-02-02'></time>";
    assert_eq!(published(&format!("{time}{marked}")).as_deref(), Some("2024-02-02"));
    let meta = "<meta property=article:published_time content='2024-01-01T00:00:00Z'>";
    assert_eq!(published(&format!("{time}{marked}{meta}")).as_deref(), Some("2024-01-01T00:00:00Z"));
    assert_eq!(published("<meta name=date content='some day'>"), None);
    assert_eq!(published("<meta name=date content='1970-01-01T00:00:00Z'>"), None);
}

#[test]
fn dates_of_other_things_are_not_those_of_the_page() {
    let published = |html: &str| metadata(html).published;
    let comments = "<div class=comments><time datetime=2012-01-01>then</time></div>";
    assert_eq!(published(&format!("<h1>Fog</h1><p>March 5, 2024</p>{comments}")).as_deref(), Some("2024-03-05"));
    assert_eq!(published(&format!("<h1>Fog</h1><p>{}</p>{comments}", "<b>text</b> ".repeat(200))), None);
    let review =
        "<div itemscope itemtype=https://schema.org/Review><meta itemprop=datePublished content=2012-01-01></div>";
    assert_eq!(published(&format!("<h1>Fog</h1>{review}")), None);
    assert_eq!(
        published("<h1>Fog</h1><span itemprop=datePublished>5 March 2024</span>").as_deref(),
        Some("2024-03-05")
    );
    let posts: String = (1..9).map(|day| format!("<i>{day}</i><time datetime=2024-03-0{day}>day</time>")).collect();
    assert_eq!(published(&posts).as_deref(), Some("2024-03-01"));
    let cards: String =
        (1..9).rev().map(|day| format!("<i>{day}</i><time datetime=2024-03-0{day}>day</time>")).collect();
    assert_eq!(published(&cards), None);
}

#[test]
fn a_date_of_change_is_told_as_such() {
    let footer = metadata("<h1>Fog</h1><footer>Last modified <time datetime=2025-01-01>then</time></footer>");
    assert_eq!((footer.published, footer.modified.as_deref()), (None, Some("2025-01-01")));
    let near_title = metadata("<h1>T</h1><p>Last updated on March 5, 2024</p><p>Published January 2, 2023</p>");
    assert_eq!(
        (near_title.published.as_deref(), near_title.modified.as_deref()),
        (Some("2023-01-02"), Some("2024-03-05"))
    );
}

#[test]
fn a_zone_that_is_none_does_not_end_the_reading_of_a_page() {
    let published = |html: &str| metadata(html).published;
    let near_title = "<title>x</title><h1>T</h1><p>2024-01-31 10:00 +8小</p>";
    assert_eq!(published(near_title).as_deref(), Some("2024-01-31T10:00:00"));
    let meta = "<meta property=article:published_time content='2024-01-31T10:00+a€'>";
    assert_eq!(published(meta).as_deref(), Some("2024-01-31T10:00:00"));
}

#[test]
fn names_robots_and_pairs_are_listed() {
    let found = metadata(
        "<meta name=author content='One'><meta name=robots content='NoIndex, follow'><meta name=generator content=kuai>\
         <meta name=citation_doi content='10.1/x'><meta name=DC.Creator content='Two'><meta property=og:type content=article>\
         <meta name=keywords content='a, b,,a，c'><meta property=article:author content='https://example.org/one'>",
    );
    assert_eq!(found.authors, ["One"]);
    assert!(found.asks_robots("noindex") && !found.asks_robots("nofollow"));
    assert_eq!(found.generator.as_deref(), Some("kuai"));
    assert_eq!(found.keywords, ["a", "b", "c"]);
    assert_eq!(found.scholarly, [("citation_doi".into(), "10.1/x".into()), ("dc.creator".into(), "Two".into())]);
    assert_eq!(found.open_graph[0], ("og:type".to_owned(), "article".to_owned()));
}

#[test]
fn a_refresh_is_read_as_browsers_do() {
    let check = |content: &str, seconds: u32, to: Option<&str>| {
        let found = metadata(&format!("<meta http-equiv=refresh content=\"{content}\">")).refresh;
        assert_eq!(found, Some(Refresh { seconds, url: to.and_then(url) }), "{content}");
    };
    check("5", 5, None);
    check("0; URL='/b'", 0, Some("https://example.org/b"));
    check("0;url = b", 0, Some("https://example.org/a/b"));
    check("3.5, /b", 3, Some("https://example.org/b"));
    assert_eq!(metadata("<meta http-equiv=refresh content='soon'>").refresh, None);
}

#[test]
fn a_licence_is_that_of_the_page() {
    let licence = |html: &str| metadata(html).licence;
    let by = "https://creativecommons.org/licenses/by/4.0/";
    assert_eq!(licence(&format!("<p>Text under the <a href={by}>CC BY</a> licence.")).as_deref(), Some(by));
    assert_eq!(licence(&format!("<footer><a href={by}>CC BY</a></footer>")).as_deref(), Some(by));
    assert_eq!(licence(&format!("<a rel=license href={by}>CC BY</a>")).as_deref(), Some(by));
    assert_eq!(licence(&format!("<li><a href={by}><img src=cc.png></a></li>")).as_deref(), Some(by));
    assert_eq!(licence(&format!("<p>Photo: Ines Holm, <a href={by}>CC BY</a> licence</p>")), None);
    assert_eq!(licence(&format!("<figure><figcaption><a rel=license href={by}>CC BY</a></figcaption></figure>")), None);
    assert_eq!(licence(&format!("<p><a href={by}>CC BY</a></p>")), None);
    assert_eq!(licence("<footer>Licence: <a href=https://creativecommons.org/licenses/>these</a></footer>"), None);
    assert_eq!(licence("<a rel=license href=/impressum>Impressum</a>"), None);
    assert_eq!(licence("<meta name=dc.rights content='All rights reserved'>"), None);
    assert_eq!(licence("<meta name=dc.rights content='CC BY 4.0'>").as_deref(), Some("CC BY 4.0"));
}

#[test]
fn the_home_page_is_not_the_address_of_another() {
    assert_eq!(metadata("<meta property=og:url content=https://example.org/>").canonical, None);
    assert_eq!(metadata("<link rel=canonical href='https:///paths/17'>").canonical, None);
}
