//! Archived things as a browser gets them.

use std::io::Write;

use kuai::in_memory;

use crate::served::{archive, ask, capture, serve};

const TIME: &str = "2026-01-01T00:00:00Z";
const PAGE: &str = "http://light.example/log/";

#[test]
fn raw_bytes_come_back_byte_for_byte_under_their_headers() {
    let body: Vec<u8> = (0..=255).cycle().take(300_000).collect();
    let archive = in_memory();
    let headers = [("Content-Type", "image/x-odd"), ("ETag", "\"1\""), ("Server", "nginx"), ("Set-Cookie", "a=b")];
    archive.commit(&capture("http://light.example/odd", TIME, &headers, &body)).unwrap();
    let served = serve(archive);
    let answer = served.replay("/web/20260101000000id_/http://light.example/odd", &[]);
    assert_eq!(answer.body, body);
    assert_eq!(answer.header("content-type"), Some("image/x-odd"));
    assert_eq!(answer.header("etag"), Some("\"1\""));
    assert_eq!(answer.header("x-archive-orig-server"), Some("nginx"));
    assert_eq!(answer.header("set-cookie"), None);
    assert_eq!(answer.header("content-length"), Some("300000"));
}

#[test]
fn the_addresses_of_a_page_lead_into_the_archive() {
    let page = b"<link rel=stylesheet href=/s.css><a href=next>n</a><img src=//pics.example/i.png>";
    let served = serve(archive(&[(PAGE, TIME, "text/html; charset=utf-8", page)]));
    let text = served.replay(&format!("/web/20260101000000mp_/{PAGE}"), &[]).text();
    assert_eq!(
        text,
        "<link rel=stylesheet href=\"/web/20260101000000cs_/http://light.example/s.css\">\
         <a href=\"/web/20260101000000mp_/http://light.example/log/next\">n</a>\
         <img src=\"/web/20260101000000im_/http://pics.example/i.png\">"
    );
}

#[test]
fn a_page_keeps_its_charset_whoever_named_it() {
    let (gbk, _, _) =
        encoding_rs::GBK.encode("<meta charset=gb2312><title>灯塔</title><a href='?q=灯'>守塔人每天傍晚都要上去</a>");
    let (unnamed, _, _) = encoding_rs::GBK
        .encode("<title>灯塔</title><p>三十一年来，老任每天傍晚都要爬那二百一十四级台阶，后来灯由港务处的电脑开关。");
    let served = serve(archive(&[
        (PAGE, TIME, "text/html", &gbk),
        ("http://light.example/unnamed", TIME, "text/html", &unnamed),
    ]));
    let answer = served.replay(&format!("/web/20260101000000mp_/{PAGE}"), &[]);
    assert_eq!(answer.header("content-type"), Some("text/html; charset=GBK"));
    let (text, _, is_broken) = encoding_rs::GBK.decode(&answer.body);
    assert!(!is_broken && text.contains("守塔人"), "{text}");
    assert!(text.contains("/log/?q=%B5%C6\""), "the query is written in the charset of the page: {text}");
    let answer = served.replay("/web/20260101000000mp_/http://light.example/unnamed", &[]);
    assert_eq!(
        (answer.header("content-type"), answer.body.as_slice()),
        (Some("text/html; charset=GBK"), unnamed.as_ref())
    );
}

#[test]
fn packed_bodies_are_unpacked_where_they_are_looked_into() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(b"<a href=/x>x</a>").unwrap();
    let packed = gzip.finish().unwrap();
    let archive = in_memory();
    let headers = [("Content-Type", "text/html"), ("Content-Encoding", "gzip"), ("Transfer-Encoding", "chunked")];
    archive.commit(&capture(PAGE, TIME, &headers, &packed)).unwrap();
    let served = serve(archive);
    let shown = served.replay(&format!("/web/20260101000000mp_/{PAGE}"), &[]);
    assert_eq!(shown.header("content-encoding"), None);
    assert!(shown.text().contains("/web/20260101000000mp_/http://light.example/x"));
    let raw = served.replay(&format!("/web/20260101000000id_/{PAGE}"), &[]);
    assert_eq!((raw.header("content-encoding"), raw.header("transfer-encoding")), (Some("gzip"), None));
    assert_eq!(raw.body, packed);
}

#[test]
fn style_sheets_and_scripts_are_what_they_are_wanted_as() {
    let served = serve(archive(&[
        ("http://light.example/s", TIME, "text/plain", b"p{background:url(i.png)}"),
        ("http://light.example/j", TIME, "text/html", b"let a='<a href=x>'"),
        ("http://light.example/i", TIME, "application/octet-stream", b"GIF89a"),
    ]));
    let sheet = served.replay("/web/20260101000000cs_/http://light.example/s", &[]);
    assert_eq!(sheet.header("content-type"), Some("text/css; charset=utf-8"));
    assert_eq!(sheet.text(), "p{background:url(\"/web/20260101000000oe_/http://light.example/i.png\")}");
    let script = served.replay("/web/20260101000000js_/http://light.example/j", &[]);
    assert_eq!(
        (script.header("content-type"), script.text().as_str()),
        (Some("text/javascript"), "let a='<a href=x>'")
    );
    let picture = served.replay("/web/20260101000000im_/http://light.example/i", &[]);
    assert_eq!(picture.header("content-type"), Some("image/gif"));
}

#[test]
fn a_redirect_leads_on_within_the_archive() {
    let archive = in_memory();
    let mut moved = capture("http://light.example/old", TIME, &[("Location", "/new?a=b")], b"");
    moved.status = 301;
    archive.commit(&moved).unwrap();
    let served = serve(archive);
    let answer = served.replay("/web/20260101000000mp_/http://light.example/old", &[]);
    assert_eq!(answer.status, 301);
    assert_eq!(answer.header("location"), Some("/web/20260101000000mp_/http://light.example/new?a=b"));
    assert!(answer.header("memento-datetime").is_some());
}

#[test]
fn a_redirect_to_another_spelling_of_itself_is_passed_over() {
    let archive = in_memory();
    let mut moved = capture("http://light.example/", TIME, &[("Location", "https://light.example/")], b"");
    moved.status = 301;
    archive.commit(&moved).unwrap();
    archive.commit(&capture("https://light.example/", "2026-01-02T00:00:00Z", &[], b"<p>there")).unwrap();
    let served = serve(archive);
    assert_eq!(served.replay("/web/20260101000000mp_/http://light.example/", &[]).text(), "<p>there");
}

#[test]
fn an_archived_failure_is_shown_as_one() {
    let archive = in_memory();
    let mut gone = capture(PAGE, TIME, &[("Content-Type", "text/html")], b"<p>gone");
    gone.status = 410;
    archive.commit(&gone).unwrap();
    let served = serve(archive);
    let answer = served.replay(&format!("/web/20260101000000/{PAGE}"), &[]);
    assert_eq!((answer.status, answer.text().as_str()), (410, "<p>gone"));
    assert!(answer.header("memento-datetime").is_some());
}

#[test]
fn what_is_missing_is_said_in_the_form_it_was_wanted_in() {
    let served = serve(in_memory());
    let page = served.replay("/web/2026mp_/http://dark.example/?'&lt;%3Cscript%3E", &[]);
    assert_eq!((page.status, page.header("content-type")), (404, Some("text/html; charset=utf-8")));
    assert!(page.text().contains("Not in the archive") && page.text().contains("&amp;lt;"), "{}", page.text());
    let picture = served.replay("/web/2026im_/http://dark.example/i.png", &[]);
    assert_eq!((picture.status, picture.header("content-type")), (404, Some("image/svg+xml")));
    let script = served.replay("/web/2026js_/http://dark.example/j.js", &[]);
    assert_eq!((script.status, script.body.len()), (404, 0));
    assert_eq!(served.replay("/web/20261399/http://dark.example/", &[]).status, 400);
}

#[test]
fn a_form_that_sends_is_told_that_nobody_takes_it() {
    let served = serve(archive(&[(PAGE, TIME, "text/html", b"<p>log")]));
    let answer = ask(served.replay, "POST", &format!("/web/20260101000000mp_/{PAGE}"), &["Content-Length: 0"]);
    assert_eq!(answer.status, 405);
}

#[test]
fn a_request_that_escaped_is_led_back_by_the_page_that_made_it() {
    let served = serve(archive(&[(PAGE, TIME, "text/html", b"<p>log")]));
    let referer = format!("Referer: http://{}/web/20260101000000mp_/{PAGE}", served.replay);
    let answer = served.replay("/img/x.png?y", &[&referer, "Sec-Fetch-Dest: image"]);
    assert_eq!(answer.status, 307);
    assert_eq!(answer.header("location"), Some("/web/20260101000000im_/http://light.example/img/x.png?y"));
    let foreign = "Referer: http://evil.example/web/20260101000000mp_/http://light.example/";
    assert_eq!(served.replay("/img/x.png", &[foreign]).status, 404);
    assert_eq!(served.replay("/img/x.png", &[]).status, 404);
}

#[test]
fn a_browser_gets_a_page_in_a_frame_and_others_get_it_bare() {
    let served = serve(archive(&[(PAGE, TIME, "text/html", b"<p>log")]));
    let path = format!("/web/20260101000000/{PAGE}");
    assert_eq!(served.replay(&path, &["Accept: */*"]).text(), "<p>log");
    let frame = served.replay(&path, &["Accept: text/html,*/*", "Sec-Fetch-Dest: document"]);
    assert!(frame.text().contains("<iframe sandbox=\"allow-scripts allow-forms\""));
    assert!(frame.header("memento-datetime").is_some());
    let inner = served.inner_way(&path);
    let shown = served.replay(&inner, &["Sec-Fetch-Dest: iframe"]).text();
    assert!(shown.starts_with("<script src=") && shown.ends_with("</script><p>log"), "{shown}");
    let alone = served.replay(&inner, &["Sec-Fetch-Dest: document"]);
    assert_eq!((alone.status, alone.header("location")), (302, Some(path.as_str())));
}
