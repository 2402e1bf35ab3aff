//! The pages and their API, on an archive whose every text is hostile.

use kuai::{Archive, in_memory};
use serde_json::Value;

use crate::served::{Answer, Served, capture, serve};

/// What each page is asked, but for its name.
const QUESTIONS: &[(&str, &str)] = &[
    ("home", ""),
    ("search", "?q=lighthouse&ever=true"),
    ("site", "?name=evil.example"),
    ("url", "?url=http%3A%2F%2Fevil.example%2F%3Fa%3D%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E"),
];

const EVIL: &str = "http://evil.example/?a=\"><script>alert(1)</script>";

/// A page with markup in its title, its headings, which are topics, and its texts.
fn page(text: &str) -> String {
    format!(
        "<title>&lt;script>alert(2)&lt;/script> lighthouse</title><h1>&lt;img src=x onerror=alert(3)></h1>\
         <p>The lighthouse &lt;script>alert(4)&lt;/script> stands at the end of the pier, and {text}</p>\
         <p>'\"&gt;&lt;svg onload=alert(5)&gt; The keeper of it climbs the stairs every evening of the year.</p>"
    )
}

fn archive() -> Archive {
    let archive = in_memory();
    let times = ["2024-02-29T12:00:00Z", "2025-03-01T12:00:00Z", "2025-03-02T12:00:00Z", "2026-01-01T00:00:00Z"];
    let texts = ["burns oil.", "burns &lt;b>petroleum&lt;/b>.", "burns &lt;b>petroleum&lt;/b>.", "is dark."];
    for (time, text) in times.iter().zip(texts) {
        let html = [("Content-Type", "text/html; charset=utf-8")];
        archive.commit(&capture(EVIL, time, &html, page(text).as_bytes())).unwrap();
    }
    archive
}

fn path(name: &str, question: &str) -> String {
    if name == "home" { format!("/{question}") } else { format!("/{name}{question}") }
}

fn data(served: &Served, name: &str, question: &str) -> Value {
    let answer = served.ask(&format!("/api/v1/{name}{question}"), &[]);
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")), "{name}");
    serde_json::from_slice(&answer.body).unwrap()
}

/// Every page, with its name.
fn pages(served: &Served, headers: &[&str]) -> Vec<(String, Answer)> {
    let mut pages: Vec<(String, Answer)> = QUESTIONS
        .iter()
        .map(|(name, question)| ((*name).to_owned(), served.ask(&path(name, question), headers)))
        .collect();
    pages.push(("api".to_owned(), served.ask("/api", headers)));
    pages.push((
        "fault".to_owned(),
        served.ask(&format!("/url?url={}", "http://unknown.example/%3Cscript%3Ealert(6)"), headers),
    ));
    pages
}

#[test]
fn every_page_answers_in_both_languages() {
    let served = serve(archive());
    for (accepted, code) in [("Accept-Language: en-GB,en;q=0.9", "en"), ("Accept-Language: zh-CN,en;q=0.5", "zh")] {
        for (name, answer) in pages(&served, &[accepted]) {
            assert_eq!(answer.status, if name == "fault" { 404 } else { 200 }, "{name}: {}", answer.text());
            let text = answer.text();
            assert!(text.contains(&format!("<html lang=\"{code}\"")), "{name}");
            let has_chinese = text.contains("语言");
            assert_eq!(has_chinese, code == "zh", "{name}");
            for landmark in ["<main id=\"main\"", "<header", "<footer", "class=\"skip\" href=\"#main\"", "<h1"] {
                assert!(text.contains(landmark), "{name}: {landmark}");
            }
        }
    }
}

#[test]
fn nothing_archived_is_markup_on_any_page() {
    let served = serve(archive());
    for (name, answer) in pages(&served, &[]) {
        let text = answer.text();
        for markup in ["<script>alert", "<img src=x", "<svg onload", "<b>petroleum", "javascript:"] {
            assert!(!text.contains(markup), "{name}: {markup}\n{text}");
        }
        assert!(!text.contains("style=\"") && !text.contains(" onload=") && !text.contains("<style"), "{name}");
    }
}

#[test]
fn every_page_has_the_policy() {
    let served = serve(archive());
    for (name, answer) in pages(&served, &[]) {
        let policy = answer.header("content-security-policy").unwrap();
        let expected = format!(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src http://{}; \
             form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
            served.replay
        );
        assert_eq!(policy, expected, "{name}");
    }
}

#[test]
fn a_language_and_colours_are_chosen_by_hand_and_remembered() {
    let served = serve(archive());
    let chosen = served.ask("/?lang=zh&theme=dark", &["Accept-Language: en"]);
    assert!(chosen.text().contains("<html lang=\"zh\" data-theme=\"dark\">"));
    assert!(chosen.header("set-cookie").unwrap().starts_with("kuai-lang=zh; Path=/;"));
    let later =
        served.ask("/site?name=evil.example", &["Accept-Language: en", "Cookie: a=b; kuai-lang=zh; kuai-theme=dark"]);
    assert!(later.text().contains("<html lang=\"zh\" data-theme=\"dark\">"));
    let odd = served.ask("/?lang=xx%22%3E&theme=%22%3E", &["Cookie: kuai-theme=\"><script>"]);
    assert!(odd.text().contains("<html lang=\"en\">"), "{}", odd.text());
}

#[test]
fn the_api_tells_what_the_page_shows() {
    let served = serve(archive());
    let home = data(&served, "home", "");
    assert_eq!(home["totals"]["captures"], 4);
    assert_eq!((&home["sites"][0]["name"], &home["sites"][0]["content_changes"]), (&"evil.example".into(), &2.into()));
    assert!(served.ask("/", &[]).text().contains("4 captures"));
    let url = data(&served, "url", QUESTIONS[3].1);
    assert_eq!((&url["versions"], &url["captures"], &url["content_changes"]), (&3.into(), &4.into(), &2.into()));
    assert_eq!(url["history"][0]["time"], "2026-01-01T00:00:00Z");
    assert_eq!(url["days"].as_array().unwrap().len(), 4);
    let page = served.ask(&path("url", QUESTIONS[3].1), &[]).text();
    assert!(page.contains("3 versions") && page.contains("2 content changes"), "{page}");
    assert!(page.contains("&#60;script&#62;alert(2)&#60;/script&#62; lighthouse"), "{page}");
}

#[test]
fn the_description_lists_every_page_s_data_and_nothing_else() {
    let served = serve(archive());
    let answer = served.ask("/api/v1/openapi.json", &[]);
    let description: Value = serde_json::from_slice(&answer.body).unwrap();
    let mut listed: Vec<&str> = description["paths"].as_object().unwrap().keys().map(String::as_str).collect();
    let mut expected: Vec<String> = QUESTIONS.iter().map(|(name, _)| format!("/api/v1/{name}")).collect();
    listed.sort_unstable();
    expected.sort_unstable();
    assert_eq!(listed, expected);
    for (name, question) in QUESTIONS {
        data(&served, name, question);
        let told = &description["paths"][format!("/api/v1/{name}")]["get"]["responses"]["200"];
        let schema = told["content"]["application/json"]["schema"]["$ref"].as_str().unwrap();
        let schema = schema.strip_prefix("#/components/schemas/").unwrap();
        assert!(description["components"]["schemas"][schema].is_object(), "{schema}");
        let page = served.ask(&path(name, question), &[]).text();
        assert!(page.contains(&format!("href=\"/api/v1/{name}")), "{name} leads to its data");
    }
    assert!(served.ask("/api", &[]).text().contains("GET /api/v1/home"));
}

#[test]
fn what_cannot_be_answered_is_a_problem_for_programs_and_a_page_for_people() {
    let served = serve(archive());
    for (path, status) in [
        ("/api/v1/url?url=http%3A%2F%2Funknown.example%2F", 404),
        ("/api/v1/url", 400),
        ("/api/v1/site?name=unknown.example", 404),
        ("/api/v1/url?url=javascript%3Aalert(1)", 400),
        ("/api/v1/nothing", 404),
    ] {
        let answer = served.ask(path, &[]);
        assert_eq!(
            (answer.status, answer.header("content-type")),
            (status, Some("application/problem+json")),
            "{path}"
        );
    }
    let page = served.ask("/nothing", &["Accept: text/html"]);
    assert_eq!((page.status, page.header("content-type")), (404, Some("text/html; charset=utf-8")));
}

#[test]
fn files_of_ours_may_be_kept_for_ever() {
    let served = serve(archive());
    let page = served.ask("/", &[]).text();
    let files: Vec<&str> = page.split('"').filter(|part| part.starts_with("/assets/")).collect();
    assert!(files.len() >= 2, "{page}");
    for file in files {
        let answer = served.ask(file, &[]);
        assert_eq!(answer.status, 200, "{file}");
        assert_eq!(answer.header("cache-control"), Some("public, max-age=31536000, immutable"));
    }
    assert_eq!(served.ask("/assets/style.css", &[]).status, 404);
}

#[test]
fn an_empty_archive_says_what_to_do() {
    let served = serve(in_memory());
    assert!(served.ask("/", &[]).text().contains("kuai collect"));
}
