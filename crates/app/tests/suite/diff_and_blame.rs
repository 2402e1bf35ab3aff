//! `kuai diff` and `kuai blame` over an archive in a folder, as a user runs them.

use std::fs;

use serde_json::Value;

use crate::running::run;

const URL: &str = "https://light.example/";

/// A folder with an archive: a page, the same page with another token, and with another word.
fn archive() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let versions = [("01", "1", "oil"), ("02", "2", "oil"), ("03", "2", "gas")];
    for (day, token, fuel) in versions {
        let page = format!(
            "<p data-token={token}>The keeper climbs the stairs every evening, whatever the weather says about it.</p>\n\
            <p>The lamp burns {fuel} of the best sort, and a barrel lasts for three weeks in winter.</p>"
        );
        fs::write(folder.path().join("page.html"), page).unwrap();
        let time = format!("2026-01-{day}T12:00:00Z");
        let (code, _, error) = run(folder.path(), &["put", "--url", URL, "--time", &time, "page.html"]);
        assert_eq!(code, 0, "{error}");
    }
    folder
}

#[test]
fn diff_exits_with_1_where_the_text_differs_and_with_0_where_it_does_not() {
    let folder = archive();
    let (code, text, _) = run(folder.path(), &["diff", URL]);
    assert_eq!(code, 1);
    assert!(text.contains("The lamp burns [-oil-] {+gas+} of the best sort"), "{text}");
    let (code, text, _) = run(folder.path(), &["diff", URL, "--to", "2026-01-02"]);
    assert_eq!(code, 0);
    assert!(text.contains("no change that a reader sees") && text.contains("1 block differs in markup only"), "{text}");
}

#[test]
fn diff_fails_in_plain_words() {
    let folder = archive();
    let (code, _, error) = run(folder.path(), &["diff", URL, "--from", "2026-01-03", "--to", "2026-01-01"]);
    assert_eq!((code, error.contains("is later than --to")), (2, true), "{error}");
    let (code, _, error) = run(folder.path(), &["diff", "https://elsewhere.example/"]);
    assert_eq!((code, error.contains("nothing of https://elsewhere.example/")), (2, true), "{error}");
}

#[test]
fn blame_says_when_each_block_changed() {
    let folder = archive();
    let (code, text, _) = run(folder.path(), &["blame", URL, "--json"]);
    assert_eq!(code, 0);
    let days: Vec<_> =
        text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["last_changed"].clone()).collect();
    assert_eq!(days, ["2026-01-01T12:00:00Z", "2026-01-03T12:00:00Z"]);
    let (code, _, error) = run(folder.path(), &["blame", "https://elsewhere.example/"]);
    assert_eq!((code, error.contains("nothing of https://elsewhere.example/")), (1, true), "{error}");
}
