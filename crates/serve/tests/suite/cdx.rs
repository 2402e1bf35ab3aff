//! The CDX Server API. What pywb answers for the same data was compared by `benches/peers/cdx.py`; docs/serve.md lists the differences.

use serde_json::Value;

use crate::served::{Served, archive, serve};

fn served() -> Served {
    serve(archive(&[
        ("https://light.example/", "2024-01-01T00:00:00Z", "text/html; charset=utf-8", b"<p>uno"),
        ("https://light.example/", "2024-06-01T00:00:00Z", "text/html", b"<p>uno"),
        ("https://light.example/", "2025-01-01T00:00:00Z", "text/html", b"<p>two"),
        ("https://light.example/a/lamp.png", "2025-01-02T00:00:00Z", "image/png", b"\x89PNG"),
        ("https://light.example/a/style.css", "2025-01-03T00:00:00Z", "text/css", b"p{}"),
        ("https://sub.light.example/", "2025-01-04T00:00:00Z", "text/html", b"<p>sub"),
        ("https://lighthouse.example/", "2025-01-05T00:00:00Z", "text/html", b"<p>other"),
    ]))
}

/// Time stamps to the day, or whatever the field is.
fn check(query: &str, field: &str, expected: &[&str]) {
    let answer = served().ask(&format!("/cdx?{query}&output=json"), &[]);
    assert_eq!(answer.status, 200, "{query}: {}", answer.text());
    let lines: Vec<Value> = answer.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let values: Vec<&str> = lines.iter().map(|line| line[field].as_str().unwrap()).collect();
    let values: Vec<&str> = values.iter().map(|value| if field == "timestamp" { &value[..8] } else { value }).collect();
    assert_eq!(values, expected, "{query}");
}

const ALL: [&str; 6] = ["20240101", "20240601", "20250101", "20250102", "20250103", "20250104"];

#[test]
fn a_line_says_what_a_line_of_pywb_says() {
    let lines = served().ask("/cdx?url=light.example/&limit=2", &[]).text();
    let expected = "example,light)/ 20240101000000 {\"url\": \"https://light.example/\", \"mime\": \"text/html\", \"status\": \"200\", \
        \"digest\": \"QIIOHZBDKA2KQLQZMZBFHDRCLEDCDDPW\", \"length\": \"6\"}\n\
        example,light)/ 20240601000000 {\"url\": \"https://light.example/\", \"mime\": \"warc/revisit\", \"status\": \"200\", \
        \"digest\": \"QIIOHZBDKA2KQLQZMZBFHDRCLEDCDDPW\", \"length\": \"6\"}\n";
    assert_eq!(lines, expected);
}

#[test]
fn a_question_is_about_an_address_a_beginning_a_host_or_a_domain() {
    check("url=http://www.light.example", "timestamp", &ALL[..3]);
    check("url=light.example/a/*", "timestamp", &ALL[3..5]);
    check("url=light.example/a&matchType=prefix", "timestamp", &ALL[3..5]);
    check("url=light.example/a&matchType=host", "timestamp", &ALL[..5]);
    check("url=*.light.example", "timestamp", &ALL);
    check("url=example&matchType=domain&fl=url&collapse=urlkey&limit=1", "url", &["https://light.example/"]);
    check("url=dark.example", "timestamp", &[]);
}

#[test]
fn times_bound_an_answer() {
    check("url=*.light.example&from=2025", "timestamp", &ALL[2..]);
    check("url=*.light.example&from=202406&to=20250102", "timestamp", &ALL[1..4]);
}

#[test]
fn filters_look_at_any_field() {
    check("url=*.light.example&filter=mime:image", "timestamp", &["20250102"]);
    check("url=*.light.example&filter==mime:text/css", "timestamp", &["20250103"]);
    check("url=*.light.example&filter=!mime:text", "timestamp", &["20240601", "20250102"]);
    check("url=*.light.example&filter=~url:.*%5C.(png|css)$", "timestamp", &["20250102", "20250103"]);
    check("url=*.light.example&filter=~mimetype:html", "timestamp", &[]);
    check("url=*.light.example&filter=!~statuscode:200", "timestamp", &[]);
    check("url=*.light.example&filter=lamp.png", "timestamp", &["20250102"]);
    check("url=*.light.example&filter=mime:text&filter=url:sub", "timestamp", &["20250104"]);
}

#[test]
fn lines_come_in_the_order_that_is_asked_for() {
    check("url=light.example&sort=reverse", "timestamp", &["20250101", "20240601", "20240101"]);
    check("url=*.light.example&reverse=true&limit=2", "timestamp", &["20250104", "20250103"]);
    check("url=light.example&closest=20240520", "timestamp", &["20240601", "20240101", "20250101"]);
    check("url=light.example&closest=20240520&limit=1", "timestamp", &["20240601"]);
}

#[test]
fn lines_that_begin_the_same_collapse() {
    check("url=light.example&collapse=timestamp:4", "timestamp", &["20240101", "20250101"]);
    check("url=light.example&collapse=digest", "timestamp", &["20240101", "20250101"]);
    check("url=light.example&collapse=digest&sort=reverse", "timestamp", &["20250101", "20240101"]);
    check("url=light.example&collapseTime=4", "timestamp", &["20240101", "20250101"]);
    check("url=*.light.example&collapse=urlkey", "timestamp", &["20240101", "20250102", "20250103", "20250104"]);
}

#[test]
fn pages_cut_an_answer_by_address() {
    let served = served();
    assert_eq!(served.ask("/cdx?url=*.light.example&pageSize=2&showNumPages=true", &[]).text(), "2\n");
    check("url=*.light.example&pageSize=2&page=0", "timestamp", &ALL[..4]);
    check("url=*.light.example&pageSize=2&page=1", "timestamp", &ALL[4..]);
    check("url=*.light.example&pageSize=2&page=2", "timestamp", &[]);
}

#[test]
fn only_what_is_asked_for_is_told() {
    let served = served();
    assert_eq!(
        served.ask("/cdx?url=light.example&limit=1&output=text&fl=timestamp,original,nothing", &[]).text(),
        "20240101000000 https://light.example/ -\n"
    );
    assert_eq!(
        served.ask("/cdx?url=light.example&limit=1&fl=status", &[]).text(),
        "example,light)/ 20240101000000 {\"status\": \"200\"}\n"
    );
    check("url=light.example&resolveRevisits=true&limit=2", "mime", &["text/html", "text/html"]);
}

#[test]
fn a_question_that_cannot_be_understood_is_told_so() {
    let served = served();
    for (query, part) in [
        ("", "url="),
        ("url=a&matchType=near", "matchType"),
        ("url=a&limit=many", "limit=many"),
        ("url=a&from=then", "from=then"),
        ("url=a&output=xml", "output=xml"),
        ("url=a&filter=~url:(", "regular expression"),
        ("url=a&filter=~url:(x{9999}){9999}", "regular expression"),
        ("url=a&collapse=url:x", "collapse"),
        ("url=a&sort=closest", "closest="),
    ] {
        let answer = served.ask(&format!("/cdx?{query}"), &[]);
        assert_eq!(answer.status, 400, "{query}");
        assert_eq!(answer.header("content-type"), Some("application/problem+json"));
        assert!(answer.text().contains(part), "{query}: {}", answer.text());
    }
}
