//! Searching as a user does it: index, search, when, and how each fails.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::running::{Came, run};

const URL: &str = "https://light.example/keeper";

/// A folder with an archive of one page: on the second day the lamp burns gas, on the third all is as on the second.
fn archive() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let page = |fuel: &str| {
        format!(
            "<title>The keeper</title><h1>The keeper of the light</h1><p>The keeper climbs the stairs every evening, whatever the \
            weather says about it.</p><p>The lamp burns {fuel}, and a barrel of it lasts for three weeks in winter.</p><p>守塔人點亮油燈，\
            讓過往的船隻看見。</p>"
        )
    };
    for (day, fuel) in [("01", "oil"), ("02", "gas"), ("03", "gas")] {
        fs::write(folder.path().join("page.html"), page(fuel)).unwrap();
        let put = ["put", "--url", URL, "--time", &format!("2026-01-{day}T12:00:00Z"), "page.html"];
        assert_eq!(run(folder.path(), &put).0, 0);
    }
    folder
}

fn json_lines(came: &Came) -> Vec<Value> {
    came.1.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn check_found(folder: &Path, arguments: &[&str], expected: usize) {
    let came = run(folder, &[&["search", "--json"], arguments].concat());
    assert_eq!((came.0, json_lines(&came).len()), (i32::from(expected == 0), expected), "{arguments:?}: {}", came.2);
}

#[test]
fn a_search_brings_its_index_up_to_date_and_says_what_stood_when() {
    let folder = archive();
    let folder = folder.path();
    check_found(folder, &["burns"], 1);
    check_found(folder, &["oil"], 0);
    check_found(folder, &["oil", "--history"], 1);
    check_found(folder, &["oil", "--at", "2026-01-01"], 1);
    check_found(folder, &["oil", "--at", "2026-01-02"], 0);
    check_found(folder, &["burns", "--from", "2026-01-01", "--to", "2026-01-03"], 2);
    check_found(folder, &["\"点亮油灯\""], 1);
    check_found(folder, &["burning barrels", "--site", "light.example"], 1);
    check_found(folder, &["keeper", "--site", "dark.example"], 0);
    let hits = json_lines(&run(folder, &["search", "gas", "--json", "--facets"]));
    assert_eq!(hits[0]["url"], URL);
    assert_eq!(hits[0]["first_seen"], "2026-01-02T12:00:00Z");
    assert_eq!(hits[0]["last_seen"], "2026-01-03T12:00:00Z");
    assert_eq!(hits[0]["title"], "The keeper");
    assert_eq!(hits[1]["facets"]["years"]["2026"], 1);
}

#[test]
fn an_index_tells_its_state_and_is_made_again() {
    let folder = archive();
    let folder = folder.path();
    let state = |flags: &[&str]| json_lines(&run(folder, &[&["index", "--json"], flags].concat())).remove(0);
    assert_eq!(state(&["--state"])["behind"], 3);
    let made = state(&[]);
    assert_eq!((&made["behind"], &made["captures"]), (&Value::from(0), &Value::from(3)));
    assert_eq!(state(&["--rebuild"])["blocks"], made["blocks"]);
    assert!(run(folder, &["verify"]).1.ends_with("all is well\n"));
}

#[test]
fn a_damaged_index_is_made_anew_with_a_message() {
    let folder = archive();
    let folder = folder.path();
    run(folder, &["index"]);
    let words = folder.join("kuai-archive/search/words");
    let part = fs::read_dir(words)
        .unwrap()
        .map(|file| file.unwrap().path())
        .find(|file| file.extension().is_some_and(|end| end == "idx"));
    let part = part.unwrap();
    let mut bytes = fs::read(&part).unwrap();
    bytes[9] ^= 1;
    fs::write(&part, bytes).unwrap();
    let (code, found, error) = run(folder, &["search", "gas"]);
    assert_eq!(code, 0);
    assert!(error.contains("the search index is made anew: it is damaged"), "{error}");
    assert!(found.contains("The lamp burns gas"), "{found}");
    assert_eq!(run(folder, &["search", "gas"]).2, "");
}

#[test]
fn a_sentence_has_its_captures_as_evidence() {
    let folder = archive();
    let folder = folder.path();
    let (code, text, _) = run(folder, &["when", "the lamp burns OIL"]);
    let expected = format!(
        "{URL}\n  first seen 2026-01-01T12:00:00Z (the first capture of the page)\n  last seen  2026-01-01T12:00:00Z (absent at \
        2026-01-02T12:00:00Z)\n"
    );
    assert_eq!((code, text), (0, expected));
    let spells = json_lines(&run(folder, &["when", "burns gas", URL, "--json"]));
    assert_eq!(spells[0]["absent_before"], "2026-01-01T12:00:00Z");
    assert_eq!(spells[0]["absent_after"], Value::Null);
    assert_eq!(run(folder, &["when", "burns wood"]).0, 1);
}

#[test]
fn wrong_queries_are_pointed_at() {
    let folder = archive();
    let check = |query: &str, expected: &str| {
        let (code, _, error) = run(folder.path(), &["search", query]);
        assert_eq!(code, 2, "{error}");
        assert!(error.contains(expected), "{error}");
    };
    check("lamp kind:prose", "\n  lamp kind:prose\n            ^^^^^");
    check("\"lamp", "this quotation is not closed");
    check(&"lamp ".repeat(10_000), "a query may have 4096 bytes");
}

#[test]
fn words_of_ones_own_cut_chinese() {
    let folder = archive();
    let folder = folder.path();
    fs::write(folder.join("words.txt"), "守塔人点亮 100000\n").unwrap();
    assert_eq!(run(folder, &["index", "--dictionary", "words.txt"]).0, 0);
    check_found(folder, &["守塔人点亮"], 1);
    fs::write(folder.join("words.txt"), "守塔人 viel\n").unwrap();
    let (code, _, error) = run(folder, &["index", "--dictionary", "words.txt"]);
    assert_eq!(code, 2);
    assert!(error.contains("line 1 of the dictionary"), "{error}");
}
