//! What visitors do: crawls, looking into pages, teaching sites.

use std::path::Path;

use kuai::{Access as Opened, open};
use kuai_serve::{Access, Options, Role};
use serde_json::{Value, json};

use crate::live::{Live, Site};
use crate::served::{Answer, Served, capture, options, serve_with};

/// Nothing that is waited for takes as many questions.
const QUESTIONS_MAX: usize = 200_000;

/// A server on the archive in a folder, which is made if it is not there.
pub(crate) fn serve_folder(folder: &Path, options: Options) -> Served {
    drop(open(folder, Opened::Write).unwrap());
    serve_with(open(folder, Opened::Read).unwrap(), Options { place: Some(folder.to_owned()), ..options })
}

fn read(answer: &Answer) -> Value {
    serde_json::from_slice(&answer.body).unwrap_or_else(|_| panic!("{}", answer.text()))
}

/// Asks for a crawl until it is as wanted.
fn wait_for(served: &Served, id: u64, wanted: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..QUESTIONS_MAX {
        let job = read(&served.ask(&format!("/api/v1/job?id={id}"), &[]));
        if wanted(&job) {
            return job;
        }
        assert_ne!(job["state"], "failed", "{job}");
    }
    panic!("{}", served.ask(&format!("/api/v1/job?id={id}"), &[]).text());
}

/// A site whose pages link to one another in a row.
pub(crate) fn row_of_pages(count: usize) -> Live {
    let page = |number: usize| {
        let body = format!(
            "<title>Page {number}</title><p>This is page number {number} of them.</p><a href=/{}>on</a>",
            number + 1
        );
        (format!("/{number}"), "text/html", body.into_bytes())
    };
    let mut site: Site = (1..=count).map(page).collect();
    site.push(("/robots.txt".to_owned(), "text/plain", Vec::new()));
    site.push((format!("/{}", count + 1), "text/html", b"<p>the end".to_vec()));
    Live::start(site)
}

pub(crate) fn order(live: &Live, delay: f64) -> String {
    json!({ "urls": [format!("http://{}/1", live.address)], "delay": delay, "allow_private": true }).to_string()
}

#[test]
fn a_crawl_is_begun_and_watched_and_what_it_brings_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let live = row_of_pages(5);
    let served = serve_folder(folder.path(), options());
    let begun = served.post_json("/api/v1/jobs", &order(&live, 0.0), &[]);
    assert_eq!(begun.status, 201, "{}", begun.text());
    assert_eq!(read(&begun)["id"], 1);
    let job = wait_for(&served, 1, |job| job["state"] == "ended");
    assert_eq!((&job["end"], &job["figures"]["captures"]), (&json!("complete"), &json!(6)), "{job}");
    assert_eq!(job["figures"]["left"], 0);
    assert!(!job["curve"]["points"].as_array().unwrap().is_empty());
    let page = served.replay(&format!("/web/id_/http://{}/3", live.address), &[]);
    assert!(page.text().contains("page number 3"), "{}", page.text());
    assert!(served.ask("/job?id=1", &[]).text().contains("state-ended"));
    drop(served);
    let again = serve_folder(folder.path(), options());
    assert_eq!(read(&again.ask("/api/v1/jobs", &[]))["jobs"][0]["captures"], 6, "it is remembered");
}

#[test]
fn a_crawl_that_pauses_goes_on_where_it_was_also_under_another_server() {
    let folder = tempfile::tempdir().unwrap();
    let live = row_of_pages(200);
    let served = serve_folder(folder.path(), options());
    assert_eq!(served.post_json("/api/v1/jobs", &order(&live, 0.05), &[]).status, 201);
    wait_for(&served, 1, |job| job["figures"]["captures"].as_u64() >= Some(2));
    assert_eq!(served.post("/jobs/1/pause", "", &[]).header("location"), Some("/job?id=1"));
    let paused = wait_for(&served, 1, |job| job["state"] == "paused");
    let captures = paused["figures"]["captures"].as_u64().unwrap();
    assert!(captures < 201, "it had not come to its end");
    drop(served);

    let served = serve_folder(folder.path(), options());
    assert_eq!(read(&served.ask("/api/v1/job?id=1", &[]))["state"], "paused");
    assert_eq!(served.post_json("/api/v1/jobs/1/resume", "", &[]).status, 200);
    wait_for(&served, 1, |job| job["figures"]["captures"].as_u64() > Some(captures));
    let first = live.asked().into_iter().filter(|path| path == "/1").count();
    assert_eq!(first, 1, "what it had is not fetched again");
    assert_eq!(served.post_json("/api/v1/jobs/1/stop", "", &[]).status, 200);
    let stopped = wait_for(&served, 1, |job| job["state"] == "ended");
    assert_eq!(stopped["end"], "stopped");
    assert_eq!(served.post_json("/api/v1/jobs/1/pause", "", &[]).status, 409);
}

#[test]
fn crawls_run_beside_one_another_and_no_more_than_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let lives = [row_of_pages(30), row_of_pages(30), row_of_pages(30)];
    let mut options = options();
    options.limits.crawls = 2;
    let served = serve_folder(folder.path(), options);
    for live in &lives {
        assert_eq!(served.post_json("/api/v1/jobs", &order(live, 0.0), &[]).status, 201);
    }
    for _ in 0..QUESTIONS_MAX {
        let jobs = read(&served.ask("/api/v1/jobs", &[]))["jobs"].as_array().unwrap().clone();
        let running = jobs.iter().filter(|job| job["state"] == "running").count();
        assert!(running <= 2 && jobs.iter().all(|job| job["state"] != "failed"), "{jobs:?}");
        if jobs.iter().all(|job| job["state"] == "ended") {
            assert!(jobs.iter().all(|job| job["captures"] == 31), "{jobs:?}");
            return;
        }
    }
    panic!("{}", served.ask("/api/v1/jobs", &[]).text());
}

#[test]
fn a_crawl_that_is_asked_for_twice_or_makes_no_sense_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let live = row_of_pages(200);
    let served = serve_folder(folder.path(), options());
    assert_eq!(served.post_json("/api/v1/jobs", &order(&live, 1.0), &[]).status, 201);
    assert_eq!(served.post_json("/api/v1/jobs", &order(&live, 1.0), &[]).status, 409);
    for (body, status) in [("", 400), ("[]", 400), ("{}", 400), (r#"{"urls": ["x:y"]}"#, 400), (r#"{"url": 1}"#, 400)] {
        let answer = served.post_json("/api/v1/jobs", body, &[]);
        assert_eq!(
            (answer.status, answer.header("content-type")),
            (status, Some("application/problem+json")),
            "{body}"
        );
    }
    let bad_path = served.post_json("/api/v1/jobs/%FF/pause", "", &[]);
    assert_eq!((bad_path.status, bad_path.header("content-type")), (400, Some("application/problem+json")));
    for path in ["/api/v1/jobs/9/pause", "/api/v1/jobs/1/fly", "/api/v1/jobs/x/stop"] {
        assert_eq!(served.post_json(path, "", &[]).status, 404, "{path}");
    }
    let failing = json!({ "urls": ["http://127.0.0.1:8000/"], "delay": 1 }).to_string();
    assert_eq!(served.post_json("/api/v1/jobs", &failing, &[]).status, 201);
    let job = wait_for(&served, 2, |job| job["state"] == "ended");
    assert!(job["figures"]["reasons"].to_string().contains("not an address of the public Web"), "{job}");
}

#[test]
fn what_could_do_harm_is_for_administrators_alone() {
    let folder = tempfile::tempdir().unwrap();
    let tokens = [("collector-collector-1", Role::Collect), ("admin-admin-admin-admin-1", Role::Admin)];
    let access =
        tokens.iter().fold(Access::default(), |access, (token, role)| access.with_token("x", *role, token).unwrap());
    let served = serve_folder(folder.path(), Options { access: Some(access), ..options() });
    let [collector, admin] = tokens.map(|(token, _)| format!("Authorization: Bearer {token}"));
    let private = json!({ "urls": ["http://127.0.0.1:1/"], "allow_private": true }).to_string();
    assert_eq!(served.post_json("/api/v1/jobs", &private, &[&collector]).status, 403);
    assert_eq!(served.post_json("/api/v1/jobs", &private, &[&admin]).status, 201);
    assert_eq!(served.post_json("/api/v1/jobs/1/stop", "", &[&collector]).status, 200);
    assert_eq!(served.post_json("/api/v1/jobs/1/resume", "", &[&collector]).status, 403, "nor is it let go on");
    let inspect = json!({ "url": "http://127.0.0.1:1/", "allow_private": true }).to_string();
    assert_eq!(served.post_json("/api/v1/inspect", &inspect, &[&collector]).status, 403);
    let pasted = json!({ "html": format!("<p>Some text of a page.{}", " ".repeat(3 << 20)) }).to_string();
    assert_eq!(served.post_json("/api/v1/inspect", &pasted, &[&collector]).status, 200);
    let delete = |who: &str| crate::served::ask(served.main, "DELETE", "/api/v1/models/e.org", &[who]).status;
    assert_eq!((delete(&collector), delete(&admin)), (403, 404));
}

#[test]
fn looking_into_a_page_asks_no_private_address() {
    let folder = tempfile::tempdir().unwrap();
    let live = row_of_pages(1);
    let served = serve_folder(folder.path(), options());
    let ask = |allow: bool| {
        let order = json!({ "url": format!("http://{}/1", live.address), "allow_private": allow });
        served.post_json("/api/v1/inspect", &order.to_string(), &[])
    };
    let refused = ask(false);
    assert_eq!(refused.status, 422);
    assert!(refused.text().contains("not an address of the public Web"), "{}", refused.text());
    assert_eq!(live.asked(), [""; 0]);
    let found = read(&ask(true));
    assert_eq!(found["title"], "Page 1");
    assert!(found["methods"][0]["text"].as_str().unwrap().contains("This is page number 1"), "{found}");
    assert!(found["fetch_milliseconds"].as_f64() > Some(0.0));
}

const HOSTILE: &str = "<!doctype html><title></title><script>alert(1)</script><body onload=alert(2)><h1>A heading</h1>\
    <p>The text of the page goes on for a while, so that it is one.</p><a href=javascript:alert(3)>x</a><script src=/_kuai/drawn.js></script>";

#[test]
fn a_hostile_page_is_drawn_where_nothing_of_it_runs() {
    let folder = tempfile::tempdir().unwrap();
    let served = serve_folder(folder.path(), options());
    let form: String = url::form_urlencoded::Serializer::new(String::new())
        .append_pair("html", HOSTILE)
        .append_pair("method", "kuai")
        .append_pair("method", "bwap")
        .finish();
    let page = served.post("/inspect", &form, &[]);
    assert_eq!(page.status, 200);
    let text = page.text();
    assert!(!text.contains("<script>alert") && !text.contains("onload=alert(2)>"), "{text}");
    let frames: Vec<&str> = text.split("<iframe ").skip(1).map(|rest| rest.split('>').next().unwrap()).collect();
    assert_eq!(frames.len(), 2);
    for frame in frames {
        assert!(frame.contains("sandbox=\"allow-scripts\""), "{frame}");
        let way = frame.split("src=\"").nth(1).unwrap().split('"').next().unwrap();
        let way = way.strip_prefix(&format!("http://{}", served.replay)).expect("it is on the other side");
        let drawn = served.replay(way, &[]);
        let policy = drawn.header("content-security-policy").unwrap();
        assert!(policy.starts_with("sandbox allow-scripts; default-src 'none'; "), "{policy}");
        let scripts = format!("script-src http://{}/_kuai/drawn.js;", served.replay);
        assert!(policy.contains(&scripts) && !policy.contains("unsafe-eval"), "{policy}");
        assert!(policy.contains(&format!("frame-ancestors http://{}", served.main)), "{policy}");
        assert!(
            drawn.text().starts_with("<!doctype html>") && drawn.text().contains("<!--kuai 0-->"),
            "{}",
            drawn.text()
        );
        assert_ne!(served.ask(way, &[]).status, 200, "it is not on the side of the API");
    }
}

/// Pages of a site: a menu, a poem, a foot.
fn poem(number: usize, line: &str) -> String {
    format!(
        "<title>Poem {number}</title><ul class=menu><li><a href=/>Home</a><li><a href=/poems>Poems of old times</a></ul>\
         <div class=poem><h1>Poem {number}</h1><p>{line}</p><p>And the second line of it says so once more, number {number}.</p></div>\
         <div class=foot><p>Collected by friends of poetry since 1998, with love.</p></div>"
    )
}

pub(crate) fn poems(folder: &Path) {
    let archive = open(folder, Opened::Write).unwrap();
    let lines = [
        "The moon is far away tonight, they say.",
        "Rain all day long on the roof and in the gutters.",
        "Snow lies on the pier, and nobody walks there.",
    ];
    for (number, line) in lines.iter().enumerate() {
        let url = format!("http://poems.example/{number}");
        let html = [("Content-Type", "text/html")];
        archive.commit(&capture(&url, "2026-01-01T00:00:00Z", &html, poem(number, line).as_bytes())).unwrap();
    }
    archive.sync().unwrap();
}

#[test]
fn a_site_is_taught_by_its_blocks_and_the_model_is_tried_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    poems(folder.path());
    let served = serve_folder(folder.path(), options());
    let page = read(&served.ask("/api/v1/teach?url=http://poems.example/0", &[]))["page"].clone();
    let units = page["units"].as_array().unwrap();
    let chosen: Vec<&Value> = units
        .iter()
        .filter(|unit| ["moon", "second line"].iter().any(|word| unit["text"].as_str().unwrap().contains(word)))
        .map(|unit| &unit["number"])
        .collect();
    assert!(!chosen.is_empty() && chosen.len() < units.len(), "{units:?}");
    let lesson = |save: bool| {
        let order = json!({ "examples": [{ "url": "http://poems.example/0", "units": chosen }], "save": save });
        served.post_json("/api/v1/models", &order.to_string(), &[])
    };
    let learnt = read(&lesson(false));
    let previews = learnt["previews"].as_array().unwrap();
    assert_eq!(previews.len(), 2, "{learnt}");
    for (preview, word) in previews.iter().zip(["Rain", "Snow"]) {
        let text = preview["text"].as_str().unwrap_or_else(|| panic!("{preview}"));
        assert!(text.contains(word) && !text.contains("Collected by") && !text.contains("Home"), "{text}");
    }
    assert_eq!(read(&served.ask("/api/v1/teach", &[]))["hosts"], json!([]), "it was only tried");
    assert_eq!(read(&lesson(true))["is_saved"], true);
    assert_eq!(read(&served.ask("/api/v1/teach", &[]))["hosts"], json!(["poems.example"]));
    assert!(folder.path().join("sites/poems.example.json").exists());
    assert_eq!(crate::served::ask(served.main, "DELETE", "/api/v1/models/poems.example", &[]).status, 204);
    assert_eq!(read(&served.ask("/api/v1/teach", &[]))["hosts"], json!([]));
}

#[test]
fn a_lesson_works_without_scripts() {
    let folder = tempfile::tempdir().unwrap();
    poems(folder.path());
    let served = serve_folder(folder.path(), options());
    let page = served.ask("/teach?url=http://poems.example/0", &[]).text();
    let boxes: Vec<(usize, bool)> = page
        .split("name=\"unit\" value=\"")
        .skip(1)
        .map(|rest| {
            (rest.split('"').next().unwrap().parse().unwrap(), rest.split('>').next().unwrap().ends_with("checked"))
        })
        .collect();
    assert!(boxes.iter().any(|(_, is_checked)| *is_checked), "something is proposed: {page}");
    let ticked: String =
        boxes.iter().filter(|(_, is_checked)| *is_checked).map(|(number, _)| format!("&unit={number}")).collect();
    let form = format!("url=http%3A%2F%2Fpoems.example%2F0&do=try{ticked}");
    let tried = served.post("/teach", &form, &[]).text();
    assert!(tried.contains("Rain all day long"), "{tried}");
    let next = served.post("/teach", &format!("{form}&next=http%3A%2F%2Fpoems.example%2F1"), &[]).text();
    assert!(next.contains("name=\"example\" value=\"http://poems.example/0 "), "{next}");
    let empty = served.post("/teach", "url=http%3A%2F%2Fpoems.example%2F0&do=try", &[]);
    assert!(empty.text().contains("the answer has no words"), "{}", empty.text());
}
