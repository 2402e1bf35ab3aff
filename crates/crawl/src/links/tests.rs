use encoding_rs::{GBK, UTF_8};

use super::*;

const ADDRESS: &str = "https://example.org/a/page?q#old";

fn url(address: &str) -> Url {
    Url::parse(address).expect("a valid address")
}

fn read(html: &str) -> PageLinks {
    read_links(html, &url(ADDRESS), UTF_8)
}

fn check(html: &str, expected: &[&str]) {
    let found = read(html);
    assert_eq!(found.links.iter().map(|link| link.url.as_str()).collect::<Vec<_>>(), expected, "{html:?}");
}

fn check_text(html: &str, expected: &str) {
    assert_eq!(read(html).links[0].text, expected, "{html:?}");
}

#[test]
fn addresses_are_resolved_against_the_page() {
    check("<a href=b>", &["https://example.org/a/b"]);
    check("<a href=' //other.example/x\n'>", &["https://other.example/x"]);
    check("<a href='b\n\tc'>", &["https://example.org/a/bc"]);
    check("<a href='?r&amp;s=1'>", &["https://example.org/a/page?r&s=1"]);
    check("<a href='/汉字'>", &["https://example.org/%E6%B1%89%E5%AD%97"]);
    check("<a href='\\b'>", &["https://example.org/b"]);
}

#[test]
fn hosts_in_other_scripts_become_ascii() {
    check("<a href='http://例子.测试/'>", &["http://xn--fsqu00a.xn--0zwm56d/"]);
    check("<a href='//BÜCHER.example'>", &["https://xn--bcher-kva.example/"]);
}

#[test]
fn bad_percent_escapes_are_left_alone() {
    check("<a href='/%zz%4'>", &["https://example.org/%zz%4"]);
}

#[test]
fn links_to_no_other_page_are_left_out() {
    check("<a href=''><a href='#x'><a href=page?q#y><a href='?q'><a name=z><a>", &[]);
    check("<a href='javascript:void(0)'><a href='MailTo:a@example.org'><a href=data:,x><a href=tel:1>", &[]);
    check("<a href='java\nscript:0'><a href='ftp://example.org/'><a href='http://['><a href='file:///etc'>", &[]);
}

#[test]
fn frames_and_areas_are_links() {
    let found = read("<iframe src=f title=' a  b '><a href=no></a></iframe><map><area href=g alt=h></map>");
    let found: Vec<_> = found.links.iter().map(|link| (link.kind, link.text.as_str())).collect();
    assert_eq!(found, [(LinkKind::Frame, "a b"), (LinkKind::Area, "h")]);
}

#[test]
fn links_inside_links_keep_the_order() {
    let found = read("<a href=x>one<iframe src=y></iframe><area href=z> two</a>");
    let found: Vec<_> = found.links.iter().map(|link| (link.kind, link.text.as_str())).collect();
    assert_eq!(found, [(LinkKind::Anchor, "one two"), (LinkKind::Frame, ""), (LinkKind::Area, "")]);
}

#[test]
fn links_in_comments_and_scripts_are_none() {
    check(
        "<!-- <a href=x> --><script>'<a href=y>'</script><title><a href=z></title><noscript><a href=n></noscript>",
        &["https://example.org/a/n"],
    );
}

#[test]
fn the_place_is_that_of_the_tag() {
    let source = "汉 <p><a href=x>y</a> <a href=z>";
    let places: Vec<_> = read(source).links.iter().map(|link| link.place as usize).collect();
    assert_eq!(places, [source.find("<a href=x").expect("there"), source.find("<a href=z").expect("there")]);
}

#[test]
fn the_text_is_what_the_link_shows() {
    check_text("<a href=x> One\n <b>tw</b>o<div>three</div></a> four", "One two three");
    check_text("<a href=x>one<a href=y>two", "one");
    check_text("<a href=x>one<script>no</script><!-- no --></a>", "one");
    check_text("<a href=x title=own><img alt=''><img alt=' a\nb '></a>", "a b");
    check_text("<a href=x title=own> </a>", "own");
    check_text("<a href=x>&lt;下一页&gt;&nbsp;</a>", "<下一页>");
}

#[test]
fn the_text_of_a_link_without_end_is_bounded() {
    let text = &read(&format!("<a href=x>{}", "汉字 ".repeat(100_000))).links[0].text;
    assert!((500..520).contains(&text.len()), "{}", text.len());
}

#[test]
fn the_first_base_of_the_web_counts_for_all_links() {
    check("<base target=_top><base href='/b/'><base href='/c/'><a href=x>", &["https://example.org/b/x"]);
    check("<a href=x><BASE HREF=//o.example/>", &["https://o.example/x"]);
    check("<base href='/b/'><a href='#y'><a href=''>", &["https://example.org/b/", "https://example.org/b/"]);
    check("<!-- <base href='/b/'> --><a href=x>", &["https://example.org/a/x"]);
}

#[test]
fn a_hostile_base_is_ignored() {
    for base in ["javascript:alert(1)//", "data:text/html,x", "ftp://e.example/", "http://[", "file:///", "about:blank"]
    {
        check(&format!("<base href='{base}'><base href='/no/'><a href=x>"), &["https://example.org/a/x"]);
    }
    let long = format!("<base href='/{}/'><a href=x>", "b".repeat(100_000));
    check(&long, &["https://example.org/a/x"]);
}

#[test]
fn a_long_base_cannot_fill_the_memory() {
    let found = read(&format!("<base href='/{}/'>{}", "b".repeat(4_000), "<a href=x>".repeat(10_000)));
    assert!(found.is_cut_short);
    assert!(found.links.len() < 2_000, "{}", found.links.len());
}

#[test]
fn too_many_links_are_told() {
    let found = read(&"<a href=x>".repeat(LINKS_MAX + 1));
    assert_eq!((found.links.len(), found.is_cut_short), (LINKS_MAX, true));
    assert!(!read(&"<a href=x>".repeat(LINKS_MAX)).is_cut_short);
}

#[test]
fn relations_are_read() {
    let found =
        read("<link rel='Canonical' href='page?q'><link rel=canonical href=/no><a rel='x NEXT nofollow' href=n>");
    assert_eq!(found.canonical, Some(url("https://example.org/a/page?q")));
    assert_eq!(found.next, Some(url("https://example.org/a/n")));
    assert!(found.links[0].is_nofollow);
    assert_eq!(read("<link rel=next href=2><a rel=next href=3>").next, Some(url("https://example.org/a/2")));
}

#[test]
fn a_refresh_leads_on_unless_to_the_page_itself() {
    assert_eq!(read("<meta http-equiv=Refresh content='0; url=b'>").refresh, Some(url("https://example.org/a/b")));
    assert_eq!(read("<meta http-equiv=refresh content=5>").refresh, None);
    assert_eq!(read("<meta http-equiv=refresh content='0;url=javascript:x'>").refresh, None);
}

#[test]
fn meta_robots_is_read() {
    let found = read("<meta name=robots content='noindex'><meta name=Robots content=nofollow>").directives;
    assert_eq!((found.is_noindex, found.is_nofollow, found.is_noarchive), (true, true, false));
}

#[test]
fn queries_are_escaped_in_the_encoding_of_the_page_and_paths_are_not() {
    let found = read_links("<a href='/汉?q=汉'>", &url(ADDRESS), GBK);
    assert_eq!(found.links[0].url.as_str(), "https://example.org/%E6%B1%89?q=%BA%BA");
    check("<a href='/汉?q=汉'>", &["https://example.org/%E6%B1%89?q=%E6%B1%89"]);
}

#[test]
fn bytes_that_were_no_text_make_harmless_links() {
    check("<a href='/\u{fffd}?\u{fffd}\0'>", &["https://example.org/%EF%BF%BD?%EF%BF%BD%EF%BF%BD"]);
}
