//! `kuai mcp` as an agent speaks to it: JSON-RPC, a line a message.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::running::{kuai, run};

const URL: &str = "https://light.example/keeper";

fn archive() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (day, fuel) in [("01", "oil"), ("02", "gas")] {
        let page = format!(
            "<title>The keeper</title><p>The keeper climbs two hundred and eleven stairs every evening, whatever the weather.</p>\
             <p>The lamp burns {fuel}, and a barrel of it lasts for three weeks in winter.</p>"
        );
        fs::write(folder.path().join("page.html"), page).unwrap();
        let put = ["put", "--url", URL, "--time", &format!("2026-01-{day}T12:00:00Z"), "page.html"];
        assert_eq!(run(folder.path(), &put).0, 0);
    }
    folder
}

/// Says hello, sends these requests, and gives the answers by their ids.
fn talk(folder: &Path, requests: &[Value]) -> Vec<Value> {
    let hello = json!({ "jsonrpc": "2.0", "id": 1000, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } } });
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let numbered = requests.iter().enumerate().map(|(id, request)| {
        let mut request = request.clone();
        (request["jsonrpc"], request["id"]) = (json!("2.0"), json!(id));
        request
    });
    let lines: String = [hello, ready].into_iter().chain(numbered).map(|line| format!("{line}\n")).collect();
    let output = kuai(folder, &["mcp"]).write_stdin(lines).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.iter().find(|answer| answer["id"] == 1000).unwrap()["result"]["serverInfo"]["name"], "kuai");
    let answer = |id: usize| answers.iter().find(|answer| answer["id"] == id).unwrap().clone();
    (0..requests.len()).map(answer).collect()
}

fn call(tool: &str, arguments: Value) -> Value {
    json!({ "method": "tools/call", "params": { "name": tool, "arguments": arguments } })
}

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}"))
}

#[test]
fn an_agent_finds_six_tools_that_only_read() {
    let folder = archive();
    let answers = talk(folder.path(), &[json!({ "method": "tools/list" })]);
    let tools = answers[0]["result"]["tools"].as_array().unwrap();
    let mut names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names, ["ask", "diff", "history", "search", "show", "when"]);
    assert!(tools.iter().all(|tool| tool["annotations"]["readOnlyHint"] == true));
    assert!(tools.iter().all(|tool| tool["description"].as_str().is_some_and(|text| text.len() > 20)));
}

#[test]
fn an_agent_is_answered_from_the_archive() {
    let folder = archive();
    let answers = talk(
        folder.path(),
        &[
            call("search", json!({ "query": "burns" })),
            call("search", json!({ "query": "oil", "history": true })),
            call("when", json!({ "sentence": "the lamp burns oil" })),
            call("show", json!({ "url": URL, "at": "2026-01-01" })),
            call("diff", json!({ "url": URL })),
            call("history", json!({ "url": URL, "limit": 1 })),
            call("ask", json!({ "question": "What does the lamp burn?" })),
        ],
    );
    assert!(text(&answers[0]).contains("burns gas"), "{}", answers[0]);
    assert!(text(&answers[1]).contains("burns oil"), "{}", answers[1]);
    assert!(text(&answers[2]).contains("\"absent_after\":\"2026-01-02T12:00:00Z\""), "{}", answers[2]);
    assert!(text(&answers[3]).contains("burns oil") && text(&answers[3]).contains("2026-01-01T12:00:00Z"));
    assert!(text(&answers[4]).contains("[-oil-]{+gas+}"), "{}", answers[4]);
    assert_eq!(text(&answers[5]).lines().count(), 1);
    assert!(text(&answers[6]).contains("The lamp burns gas"), "{}", answers[6]);
}

#[test]
fn what_an_agent_asks_wrongly_is_an_error_it_can_read() {
    let folder = archive();
    let answers = talk(
        folder.path(),
        &[
            call("search", json!({ "query": "kind:wood lamp" })),
            call("show", json!({ "url": "https://dark.example/" })),
            call("show", json!({ "url": "keeper" })),
            call("history", json!({ "url": URL, "limit": "many" })),
            call("delete", json!({})),
            call("search", json!({ "query": "wood" })),
        ],
    );
    assert_eq!(answers[0]["result"]["isError"], true);
    assert!(text(&answers[0]).contains("there is no kind wood"), "{}", answers[0]);
    assert!(text(&answers[1]).contains("https://dark.example/"), "{}", answers[1]);
    assert!(text(&answers[2]).contains("write it like"), "{}", answers[2]);
    assert!(answers[3].get("error").is_some() || answers[3]["result"]["isError"] == true, "{}", answers[3]);
    assert!(answers[4].get("error").is_some(), "{}", answers[4]);
    assert_eq!(text(&answers[5]), "nothing found");
}
