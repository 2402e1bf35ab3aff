//! The pages and their API, on an archive whose every text is hostile.

use kuai::{Archive, in_memory};
use serde_json::Value;

use crate::served::{Answer, Served, capture, serve};

const EVIL: &str = "http://evil.example/?a=\"><script>alert(1)</script>";

const EVIL_ASKED: &str = "?url=http%3A%2F%2Fevil.example%2F%3Fa%3D%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E";

/// The name of each page, and what it is asked.
fn questions(served: &Served) -> Vec<(&'static str, String)> {
    let found = data(served, "search", "?q=petroleum&ever=true");
    let block = found["hits"][0]["block"].as_str().unwrap();
    let fixed = [
        ("home", "".to_owned()),
        ("search", "?q=lighthouse&ever=true".to_owned()),
        ("site", "?name=evil.example".to_owned()),
        ("url", EVIL_ASKED.to_owned()),
        ("compare", format!("{EVIL_ASKED}&from=2024&to=2025")),
        ("block", format!("?id={block}")),
        ("scores", "".to_owned()),
        ("inspect", EVIL_ASKED.to_owned()),
        ("teach", EVIL_ASKED.to_owned()),
        ("jobs", EVIL_ASKED.to_owned()),
    ];
    let shown = ["page", "kinds", "ages", "changes", "raw", "text"];
    let views = shown.map(|show| ("view", format!("{EVIL_ASKED}&time=2025&show={show}")));
    fixed.into_iter().chain(views).collect()
}

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
    let page =
        |(name, question): (&str, String)| (format!("{name}{question}"), served.ask(&path(name, &question), headers));
    let mut pages: Vec<(String, Answer)> = questions(served).into_iter().map(page).collect();
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
        let tags = text.split('<').skip(1).map(|part| part.split('>').next().unwrap());
        for tag in tags {
            assert!(!["style", "script"].contains(&tag), "{name}: {tag}");
            for attribute in [" style=", " onload=", " onerror="] {
                assert!(!tag.contains(attribute), "{name}: {tag}");
            }
        }
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
    let url = data(&served, "url", EVIL_ASKED);
    assert_eq!((&url["versions"], &url["captures"], &url["content_changes"]), (&3.into(), &4.into(), &2.into()));
    assert_eq!(url["history"][0]["time"], "2026-01-01T00:00:00Z");
    assert_eq!(url["days"].as_array().unwrap().len(), 4);
    let page = served.ask(&path("url", EVIL_ASKED), &[]).text();
    assert!(page.contains("3 versions") && page.contains("2 content changes"), "{page}");
    assert!(page.contains("&#60;script&#62;alert(2)&#60;/script&#62; lighthouse"), "{page}");
}

#[test]
fn the_description_lists_every_page_s_data_and_nothing_else() {
    let served = serve(archive());
    let answer = served.ask("/api/v1/openapi.json", &[]);
    let description: Value = serde_json::from_slice(&answer.body).unwrap();
    let mut listed: Vec<&str> = description["paths"].as_object().unwrap().keys().map(String::as_str).collect();
    let mut expected: Vec<String> = questions(&served).iter().map(|(name, _)| format!("/api/v1/{name}")).collect();
    // What is done, and a crawl, of which an archive in memory has none.
    let acts = ["job", "jobs/{id}/{wish}", "models", "models/{host}"];
    expected.extend(acts.map(|name| format!("/api/v1/{name}")));
    listed.sort_unstable();
    expected.sort_unstable();
    expected.dedup();
    assert_eq!(listed, expected);
    for (name, question) in questions(&served) {
        data(&served, name, &question);
        let told = &description["paths"][format!("/api/v1/{name}")]["get"]["responses"]["200"];
        let schema = told["content"]["application/json"]["schema"]["$ref"].as_str().unwrap();
        let schema = schema.strip_prefix("#/components/schemas/").unwrap();
        assert!(description["components"]["schemas"][schema].is_object(), "{schema}");
        let page = served.ask(&path(name, &question), &[]).text();
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

#[test]
fn a_block_is_found_through_its_whole_history() {
    let served = serve(archive());
    let found = data(&served, "search", "?q=petroleum&ever=true");
    assert_eq!(found["hits"].as_array().unwrap().len(), 1);
    assert_eq!(found["hits"][0]["first_seen"], "2025-03-01T12:00:00Z");
    assert_eq!(found["hits"][0]["absent_after"], "2026-01-01T00:00:00Z");
    let counts: Vec<u64> =
        found["history"].as_array().unwrap().iter().map(|point| point["blocks"].as_u64().unwrap()).collect();
    assert_eq!((counts[0], counts[counts.len() / 2 + 5], counts[counts.len() - 1]), (0, 1, 0));
    assert_eq!(data(&served, "search", "?q=petroleum")["matching"], 0);
    assert_eq!(data(&served, "search", "?q=petroleum&at=2025-03-01")["matching"], 1);
    assert_eq!(data(&served, "search", "?q=petroleum&second=1709208000")["matching"], 0);
    let page = served.ask("/search?q=petroleum", &[]).text();
    assert!(page.contains("ever=true") && page.contains("Nothing found"), "it leads to the past: {page}");
}

#[test]
fn a_block_tells_its_edits_before_and_behind() {
    let served = serve(archive());
    let found = data(&served, "search", "?q=petroleum&ever=true");
    let block = data(&served, "block", &format!("?id={}", found["hits"][0]["block"].as_str().unwrap()));
    assert_eq!(block["seen"][0]["first_seen"], "2025-03-01T12:00:00Z");
    let edits = block["edits"].as_array().unwrap();
    let times: Vec<&str> = edits.iter().map(|edit| edit["time"].as_str().unwrap()).collect();
    assert_eq!(times, ["2025-03-01T12:00:00Z", "2026-01-01T00:00:00Z"], "{block}");
    assert_eq!(edits[0]["new"], edits[1]["old"]);
    let words = |edit: &Value, side: &str| -> String {
        let words = edit["words"].as_array().unwrap().iter().filter(|words| words["side"] == side);
        words.map(|words| words["text"].as_str().unwrap()).collect()
    };
    assert!(words(&edits[0], "old").contains("oil") && words(&edits[0], "new").contains("petroleum"), "{block}");
}

#[test]
fn a_capture_knows_its_neighbours_and_where_the_content_changed() {
    let served = serve(archive());
    let view = data(&served, "view", &format!("{EVIL_ASKED}&time=20250302"));
    assert_eq!(
        (&view["time"], &view["number"], &view["captures"]),
        (&"2025-03-02T12:00:00Z".into(), &3.into(), &4.into())
    );
    assert_eq!((&view["previous"], &view["next"]), (&"2025-03-01T12:00:00Z".into(), &"2026-01-01T00:00:00Z".into()));
    assert_eq!(view["previous_change"], "2025-03-01T12:00:00Z");
    assert_eq!(view["next_change"], "2026-01-01T00:00:00Z");
    let newest = data(&served, "view", EVIL_ASKED);
    assert_eq!((&newest["next"], &newest["next_change"]), (&Value::Null, &Value::Null));
    let text = data(&served, "view", &format!("{EVIL_ASKED}&time=2024&show=text"));
    assert!(text["text"].to_string().contains("burns oil."), "{text}");
}

#[test]
fn two_versions_are_told_block_by_block() {
    let served = serve(archive());
    let all = data(&served, "compare", &format!("{EVIL_ASKED}&from=2024&to=2025"));
    assert_eq!(
        (&all["from"]["time"], &all["to"]["time"]),
        (&"2024-02-29T12:00:00Z".into(), &"2025-03-01T12:00:00Z".into())
    );
    assert_eq!(all["changes"]["changed"], 1);
    let changes = |view: &Value| -> Vec<String> {
        view["blocks"].as_array().unwrap().iter().map(|block| block["change"].as_str().unwrap().to_owned()).collect()
    };
    assert!(changes(&all).contains(&"same".to_owned()) && changes(&all).contains(&"changed".to_owned()), "{all}");
    let content = data(&served, "compare", &format!("{EVIL_ASKED}&from=2024&to=2025&content=true"));
    assert_eq!(changes(&content), ["changed"]);
    let page = served.ask(&format!("/compare{EVIL_ASKED}&from=2024&to=2025"), &[]).text();
    assert!(page.contains("<del>oil") && page.contains("<ins>"), "{page}");
}

#[test]
fn what_is_drawn_over_a_page_runs_no_script_of_its() {
    let served = serve(archive());
    let page = served.ask(&format!("/view{EVIL_ASKED}&time=2025&show=ages"), &[]).text();
    let start = format!("src=\"http://{}", served.replay);
    let way = page.split(&start).nth(1).unwrap().split('"').next().unwrap().replace("&#38;", "&").replace("&#60;", "<");
    for letters in ["ag_", "bk_", "ch_"] {
        let drawn = served.replay(&way.replace("ag_", letters), &["Sec-Fetch-Dest: iframe"]);
        assert_eq!(drawn.status, 200, "{way}");
        let policy = drawn.header("content-security-policy").unwrap();
        assert!(policy.contains(&format!("script-src http://{}/_kuai/", served.replay)), "{policy}");
        assert!(!policy.split("script-src").nth(1).unwrap().contains("unsafe"), "{policy}");
        let text = drawn.text();
        assert!(text.contains("id=\"kuai-blocks\"") && text.contains("src=\"/_kuai/overlay.js\""), "{text}");
        assert!(text.contains("<!--kuai 0-->"), "{text}");
    }
    assert_eq!(served.replay("/_kuai/overlay.js", &[]).status, 200);
}
