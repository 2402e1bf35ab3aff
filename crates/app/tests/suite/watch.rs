//! `kuai watch` as people use it, with all ways of telling.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::thread;

use serde_json::Value;

use crate::running::run;

const URL: &str = "https://light.example/keeper";

fn put(folder: &Path, url: &str, day: u32, fuel: &str, token: &str) {
    let page = format!(
        "<title>The keeper</title><div class=text><h1>The keeper of the light</h1>\
         <p data-token={token}>The keeper climbs two hundred and eleven stairs every evening, whatever the weather.</p>\
         <p>The lamp burns {fuel}, and a barrel of it lasts for three weeks in winter and five in summer.</p></div>\
         <script>token({token})</script>"
    );
    fs::write(folder.join("page.html"), page).unwrap();
    let came = run(folder, &["put", "--url", url, "--time", &format!("2026-01-{day:02}T12:00:00Z"), "page.html"]);
    assert_eq!(came.0, 0, "{}", came.2);
}

fn archive() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), URL, 1, "oil", "1");
    folder
}

fn check_rings(folder: &Path, expected: &[&str]) -> Vec<Value> {
    let came = run(folder, &["watch", "run", "--json"]);
    assert_eq!(came.0, i32::from(expected.is_empty()), "{}", came.2);
    let alerts: Vec<Value> = came.1.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let happened = alerts.iter().flat_map(|alert| alert["blocks"].as_array().unwrap());
    assert_eq!(happened.map(|block| block["change"].as_str().unwrap()).collect::<Vec<_>>(), expected);
    alerts
}

#[test]
fn a_watch_rings_for_content_once_and_never_for_tokens() {
    let folder = archive();
    let folder = folder.path();
    assert_eq!(run(folder, &["watch", "add", URL]).1, "1\n");
    check_rings(folder, &[]);
    put(folder, URL, 2, "oil", "2");
    check_rings(folder, &[]);
    put(folder, URL, 3, "gas", "3");
    let alerts = check_rings(folder, &["changed"]);
    assert_eq!(alerts[0]["before"], "2026-01-02T12:00:00Z");
    assert_eq!(alerts[0]["time"], "2026-01-03T12:00:00Z");
    assert!(alerts[0]["blocks"][0]["old"].as_str().unwrap().contains("burns oil"));
    assert!(alerts[0]["blocks"][0]["new"].as_str().unwrap().contains("burns gas"));
    check_rings(folder, &[]);
    assert!(run(folder, &["verify"]).1.ends_with("all is well\n"));
}

#[test]
fn a_site_rings_for_a_new_page_and_a_query_for_what_it_finds() {
    let folder = archive();
    let folder = folder.path();
    run(folder, &["watch", "add", "light.example", "--kind", "any"]);
    run(folder, &["watch", "add", "petroleum", "--kind", "any"]);
    put(folder, URL, 2, "gas", "2");
    let alerts = check_rings(folder, &["changed"]);
    assert_eq!(alerts[0]["watch"], 1);
    put(folder, URL, 3, "petroleum", "3");
    assert_eq!(check_rings(folder, &["changed", "changed"])[1]["watch"], 2);
    put(folder, "https://dark.example/", 4, "petroleum", "4");
    let alerts = check_rings(folder, &["appeared"]);
    assert_eq!((&alerts[0]["watch"], &alerts[0]["before"]), (&Value::from(2), &Value::Null));
    put(folder, URL, 5, "oil", "5");
    assert_eq!(check_rings(folder, &["changed", "changed"]).len(), 2);
}

#[test]
fn a_channel_that_failed_is_told_again_and_the_others_are_not() {
    let folder = archive();
    let folder = folder.path();
    let add = ["watch", "add", URL, "--command", "cat >> told", "--command", "test -e open && cat >> late"];
    assert_eq!(run(folder, &add).0, 0);
    put(folder, URL, 2, "gas", "2");
    put(folder, URL, 3, "petroleum", "3");
    let (code, _, error) = run(folder, &["watch", "run"]);
    assert_eq!(code, 2);
    assert!(error.contains("watch 1: `test -e open && cat >> late` ended with exit status: 1"), "{error}");
    fs::write(folder.join("open"), "").unwrap();
    assert_eq!(run(folder, &["watch", "run"]).0, 0);
    let times = |file: &str| -> Vec<String> {
        let told = fs::read_to_string(folder.join(file)).unwrap();
        told.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["time"].to_string()).collect()
    };
    let expected = ["\"2026-01-02T12:00:00Z\"", "\"2026-01-03T12:00:00Z\""];
    assert_eq!(
        (times("told").as_slice(), times("late").as_slice()),
        (&expected.map(str::to_owned)[..], &expected.map(str::to_owned)[..])
    );
}

#[test]
fn a_webhook_is_signed_and_private_addresses_need_leave() {
    let folder = archive();
    let folder = folder.path();
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let hook = format!("http://127.0.0.1:{}/hook", server.local_addr().unwrap().port());
    assert_eq!(run(folder, &["watch", "add", URL, "--webhook", &hook]).0, 0);
    put(folder, URL, 2, "gas", "2");
    let (code, _, error) = run(folder, &["watch", "run"]);
    assert_eq!(code, 2);
    assert!(error.contains("127.0.0.1 is not an address of the public Web"), "{error}");

    run(folder, &["watch", "remove", "1"]);
    let added = run(folder, &["watch", "add", URL, "--webhook", &hook, "--allow-private"]);
    assert!(added.2.contains("whsec_"), "{}", added.2);
    assert!(!run(folder, &["watch", "list", "--json"]).1.contains("whsec_"));
    put(folder, URL, 3, "petroleum", "3");
    let heard = thread::spawn(move || {
        let (mut stream, _) = server.accept().unwrap();
        let mut request = Vec::new();
        let mut buffer = [0; 4096];
        while !String::from_utf8_lossy(&request).contains("\"more\":0}") {
            let count = stream.read(&mut buffer).unwrap();
            assert!(count > 0, "{}", String::from_utf8_lossy(&request));
            request.extend(&buffer[..count]);
        }
        stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").unwrap();
        String::from_utf8(request).unwrap()
    });
    assert_eq!(run(folder, &["watch", "run"]).0, 0);
    let heard = heard.join().unwrap();
    assert!(heard.starts_with("POST /hook HTTP/1.1\r\n"), "{heard}");
    assert!(heard.contains("\r\nwebhook-id: kuai-watch-2-3\r\n"), "{heard}");
    assert!(heard.contains("\r\nwebhook-signature: v1,"), "{heard}");
}

#[test]
fn watches_are_listed_and_removed() {
    let folder = archive();
    let folder = folder.path();
    assert_eq!(run(folder, &["watch", "list"]).0, 1);
    run(folder, &["watch", "add", "light.example", "--kind", "main", "--command", "cat"]);
    assert_eq!(run(folder, &["watch", "list"]).1, "  1  light.example  (main)  command cat\n");
    assert_eq!(run(folder, &["watch", "remove", "1"]).0, 0);
    assert_eq!(run(folder, &["watch", "remove", "1"]).0, 1);
    let (code, _, error) = run(folder, &["watch", "add", "lamp kind:wood"]);
    assert_eq!(code, 2);
    assert!(error.contains("there is no kind wood"), "{error}");
}

/// The commands of docs/watch.md, one after the other, as they stand there.
#[test]
fn the_commands_of_the_documentation_work() {
    let page = include_str!("../../../../docs/watch.md");
    let folder = archive();
    let folder = folder.path();
    let commands: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("$ kuai ")).collect();
    assert!(commands.len() >= 6, "{commands:?}");
    put(folder, "https://light.example/log", 1, "oil", "1");
    for command in commands {
        if command == "watch run" {
            put(folder, URL, 2, "gas", "2");
        }
        let arguments = arguments(command);
        let came = run(folder, &arguments.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(came.0, 0, "{command}: {}", came.2);
    }
    let feed = fs::read_to_string(folder.join("changes.atom")).unwrap();
    assert!(feed.contains("https://light.example/keeper"), "{feed}");
    assert!(fs::read_to_string(folder.join("changes.mbox")).unwrap().contains("Subject: The keeper: 1 block changed"));
}

/// Words of a command, with quotation marks as the shell has them.
fn arguments(command: &str) -> Vec<String> {
    let mut arguments = Vec::new();
    for (place, part) in command.split('\'').enumerate() {
        match place % 2 {
            1 => arguments.push(part.to_owned()),
            _ => arguments.extend(part.split_whitespace().map(str::to_owned)),
        }
    }
    arguments
}
