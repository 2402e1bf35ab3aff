//! `kuai import` and `kuai export` as a user runs them, and how each fails.

use std::fs;

use serde_json::Value;

use crate::running::run;

const URL: &str = "https://light.example/";

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn an_archive_goes_through_a_file_into_another() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (day, body) in [
        ("01", "<p>The lamp burns oil.</p>\r\n"),
        ("02", "<p>The lamp burns gas.</p>"),
        ("03", "<p>The lamp burns gas.</p>"),
    ] {
        fs::write(folder.join("page.html"), body).unwrap();
        let time = format!("2026-01-{day}T12:00:00Z");
        let (code, ..) = run(folder, &["put", "--url", URL, "--time", &time, "--header", "Server: light", "page.html"]);
        assert_eq!(code, 0);
    }
    let (code, text, error) = run(folder, &["export", "-o", "all.warc.gz", "--json"]);
    assert_eq!(code, 0, "{error}");
    assert_eq!((&json(&text)["captures"], &json(&text)["revisits"]), (&3.into(), &1.into()));

    let import = ["import", "--archive", "second", "all.warc.gz", "--json"];
    let (code, text, error) = run(folder, &import);
    assert_eq!(code, 0, "{error}");
    assert_eq!((&json(&text)["new_versions"], &json(&text)["seen_again"]), (&1.into(), &1.into()));
    assert_eq!(json(&run(folder, &import).1)["known"], 3);
    for at in ["20260101120000", "20260102120000", "20260103120000"] {
        let (_, first, _) = run(folder, &["show", URL, "--headers", "--at", at]);
        assert!(first.contains("Server: light\r\n"));
        assert_eq!(run(folder, &["show", URL, "--headers", "--at", at, "--archive", "second"]).1, first);
    }
}

#[test]
fn what_cannot_be_done_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("page.html"), "<p>Hello</p>").unwrap();
    let check = |arguments: &[&str], expected_code: i32, expected: &str| {
        let (code, _, error) = run(folder, arguments);
        assert_eq!(code, expected_code, "{arguments:?}: {error}");
        assert!(error.contains(expected), "{arguments:?}: {error}");
    };
    check(&["import", "page.html"], 2, "page.html is no WARC file");
    check(&["import", "missing.warc"], 2, "cannot read missing.warc");
    run(folder, &["put", "--url", URL, "page.html"]);
    check(&["export", "-o", "all.txt"], 2, "end it in .warc, .warc.gz, .warc.zst, .wacz or .parquet");
    check(&["export", "--url", "https://other.example/", "-o", "all.warc"], 1, "nothing in the archive fits");
    assert!(!folder.join("all.warc").exists() && !folder.join("all.warc.tmp").exists());
}

/// An archive with a page of a collection, and files of its content.
fn prepared(folder: &std::path::Path) {
    fs::write(folder.join("rules.toml"), "[[rule]]\nmetadata = { collection = \"Newspapers\" }\n").unwrap();
    fs::write(folder.join("page.html"), "<title>Paper</title><p>What the paper of today says to its readers.</p>")
        .unwrap();
    let put = [
        "put",
        "--url",
        "https://example.org/",
        "--time",
        "2024-05-01T12:00:00Z",
        "--header",
        "Content-Type: text/html",
    ];
    assert_eq!(run(folder, &[&put[..], &["--rules", "rules.toml", "page.html"]].concat()).0, 0);
    for name in ["crawl.warc.gz", "more.warc.zst", "collection.wacz"] {
        assert_eq!(run(folder, &["export", "-o", name]).0, 0, "{name}");
    }
}

#[test]
fn the_commands_in_the_documents_run() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    prepared(folder);
    let page = include_str!("../../../../docs/exchange.md");
    let commands: Vec<&str> =
        page.split("```").nth(1).unwrap().lines().filter_map(|line| line.strip_prefix("kuai ")).collect();
    assert!(commands.len() > 4);
    for command in commands {
        let (code, _, error) = run(folder, &command.split_whitespace().collect::<Vec<_>>());
        assert_eq!(code, 0, "{command}: {error}");
    }
}

#[test]
fn a_wacz_file_is_known_by_what_it_holds_and_several_files_are_summed_up() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    prepared(folder);
    fs::rename(folder.join("collection.wacz"), folder.join("unnamed")).unwrap();
    let (code, text, error) = run(folder, &["import", "--archive", "second", "--whole", "unnamed", "crawl.warc.gz"]);
    assert_eq!(code, 0, "{error}");
    assert!(text.contains("unnamed: 2 records: 1 of new addresses"), "{text}");
    assert!(
        text.ends_with(
            "2 files: 4 records: 1 of new addresses, 0 as new versions, 0 seen again, 1 known already, 2 passed over\n"
        ),
        "{text}"
    );
    let (_, stats, _) = run(folder, &["stats", "--archive", "second", "--json"]);
    assert_eq!((&json(&stats)["captures"], &json(&stats)["blocks"]), (&1.into(), &0.into()));
}

#[test]
fn a_format_may_be_named_instead_of_an_ending() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    prepared(folder);
    assert_eq!(run(folder, &["export", "--format", "parquet", "-o", "table"]).0, 0);
    assert!(fs::read(folder.join("table")).unwrap().starts_with(b"PAR1"));
    let (code, _, error) = run(folder, &["export", "--format", "odd", "-o", "table"]);
    assert!(code == 2 && error.contains("there are warc, warc.gz, warc.zst, wacz or parquet"), "{error}");
}

#[test]
fn a_file_that_is_not_there_is_told_before_an_archive_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let (code, _, error) = run(folder.path(), &["import", "missing.warc.gz"]);
    assert!(code == 2 && error.contains("cannot read missing.warc.gz"), "{error}");
    assert!(!folder.path().join("kuai-archive").exists());
}
