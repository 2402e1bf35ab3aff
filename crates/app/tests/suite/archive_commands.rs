//! The archive's commands as a user runs them: put, urls, history, show, stats, verify, compact, and how each fails.

use std::fs;
use std::path::{Path, PathBuf};

use kuai::{Access, Capture, Url, open};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::running::{finish, kuai, run, shared_place};

const URL: &str = "https://light.example/";
const FIRST: &[u8] =
    b"<p>The keeper climbs the stairs every evening, whatever the weather.</p>\r\n<p>The lamp burns oil.</p>";
const SECOND: &[u8] =
    b"<p>The keeper climbs the stairs every evening, whatever the weather.</p>\r\n<p>The lamp burns gas.</p>";

/// Runs a command that is expected to succeed and gives its output.
fn output(folder: &Path, arguments: &[&str]) -> String {
    let (code, text, error) = run(folder, arguments);
    assert_eq!(code, 0, "{arguments:?}: {error}");
    text
}

/// Runs a command that is expected to fail with this code and these words.
fn check_fails(folder: &Path, arguments: &[&str], expected_code: i32, expected: &str) {
    let (code, _, error) = run(folder, arguments);
    assert_eq!(code, expected_code, "{arguments:?}: {error}");
    assert!(error.contains(expected), "{arguments:?}: {error}");
}

fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A folder with two pages as files, and with both in its archive.
fn archive() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (day, name, body) in [("01", "first.html", FIRST), ("02", "second.html", SECOND)] {
        fs::write(folder.path().join(name), body).unwrap();
        output(folder.path(), &["put", "--url", URL, "--time", &format!("2026-01-{day}T12:00:00Z"), name]);
    }
    folder
}

fn file_ending(folder: &Path, ending: &str) -> PathBuf {
    let mut files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    files.find(|file| file.to_string_lossy().ends_with(ending)).unwrap()
}

#[test]
fn what_is_put_is_listed_and_shown_byte_for_byte() {
    let folder = archive();
    let folder = folder.path();
    let put = ["put", "--url", URL, "--time", "20260103120000", "second.html"];
    assert_eq!(output(folder, &put), "seen again: the same as the version before\n");
    let check = || {
        let urls = json_lines(&output(folder, &["urls", "--json"]));
        let times = ["2026-01-01T12:00:00Z", "2026-01-03T12:00:00Z"];
        assert_eq!(urls, [json!({"url": URL, "captures": 3, "first": times[0], "last": times[1]})]);
        let history = json_lines(&output(folder, &["history", URL, "--json"]));
        let told = |field: &str| history.iter().map(|version| version[field].clone()).collect::<Vec<_>>();
        assert_eq!(told("changed"), [0, 1]);
        assert_eq!(told("seen_again"), [json!([]), json!(["2026-01-03T12:00:00Z"])]);
        let shown = kuai(folder, &["show", URL]).output().unwrap().stdout;
        assert_eq!(shown, SECOND);
        let shown = kuai(folder, &["show", URL, "--at", "2026-01-01"]).output().unwrap().stdout;
        assert_eq!(shown, FIRST);
        let stats: Value = serde_json::from_str(&output(folder, &["stats", "--json"])).unwrap();
        assert_eq!((&stats["urls"], &stats["versions"], &stats["captures"]), (&json!(1), &json!(2), &json!(3)));
        let verified = output(folder, &["verify"]);
        assert!(verified.contains("3 captures") && verified.contains("all is well"), "{verified}");
    };
    check();
    assert!(output(folder, &["compact"]).starts_with("3 captures rewritten"));
    check();
}

#[test]
fn a_page_is_put_from_standard_input_with_its_headers() {
    let folder = tempfile::tempdir().unwrap();
    let put = ["put", "--url", URL, "--status", "404", "--header", "Server: lamp/1", "--header", "X-Empty:", "-"];
    kuai(folder.path(), &put).write_stdin("<p>Gone").assert().success();
    assert_eq!(
        output(folder.path(), &["show", URL, "--headers"]),
        "HTTP/1.1 404\r\nServer: lamp/1\r\nX-Empty: \r\n\r\n<p>Gone"
    );
}

#[test]
fn what_is_not_there_is_nothing_found() {
    let folder = archive();
    let elsewhere = "https://elsewhere.example/";
    check_fails(folder.path(), &["history", elsewhere], 1, "nothing of https://elsewhere.example/");
    check_fails(folder.path(), &["show", elsewhere], 1, "nothing of https://elsewhere.example/");
    check_fails(folder.path(), &["show", URL, "--at", "2025-12-31"], 1, "the first is of 2026-01-01T12:00:00Z");
    check_fails(folder.path(), &["urls", elsewhere], 1, "");
}

#[test]
fn commands_without_an_archive_fail_and_make_none() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in [&["urls"][..], &["history", URL], &["show", URL], &["stats"], &["verify"], &["compact"]] {
        check_fails(folder.path(), arguments, 2, "there is no kuai archive at kuai-archive");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn wrong_arguments_are_named() {
    let folder = archive();
    check_fails(folder.path(), &["put", "--url", URL, "missing.html"], 2, "cannot read missing.html");
    check_fails(folder.path(), &["put", "--url", "light.example", "first.html"], 2, "https://example.org/page");
    check_fails(folder.path(), &["put", "--url", URL, "--time", "noon", "first.html"], 2, "write a time like");
    check_fails(folder.path(), &["put", "--url", URL, "--header", "odd", "first.html"], 2, "\"odd\" is no header");
    check_fails(folder.path(), &["urls", "--archive", "s3://bucket"], 2, "an archive is in a folder or at postgres://");
    assert_eq!(json_lines(&output(folder.path(), &["urls", "--json"]))[0]["captures"], 2);
}

#[test]
fn a_list_names_files_beside_it_and_headers_in_either_form() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir_all(folder.join("lists/pages")).unwrap();
    fs::write(folder.join("lists/pages/a.html"), FIRST).unwrap();
    fs::write(folder.join("lists/b.html"), SECOND).unwrap();
    let lines = [
        json!({"url": URL, "time": "2026-01-01T12:00:00Z", "file": "pages/a.html", "headers": [["B", "2"], ["A", "1"], ["B", "3"]]}),
        json!({"url": URL, "time": "20260102120000", "file": "b.html", "status": 203, "headers": {"B": "2", "A": "1"}}),
        json!({"url": URL, "time": "2026-01-03", "file": "b.html", "status": 203}),
    ];
    let text: Vec<_> = lines.iter().map(|line| format!("{line}\n")).collect();
    fs::write(folder.join("lists/captures.jsonl"), text.join("\n")).unwrap();
    let told = output(folder, &["put", "--list", "lists/captures.jsonl"]);
    assert_eq!(told, "3 captures: 1 of new addresses, 1 as new versions, 1 seen again\n");
    let headers_at = |time: &str| {
        let shown = output(folder, &["show", URL, "--headers", "--at", time]);
        shown.split_once("\r\n\r\n").unwrap().0.to_owned()
    };
    assert_eq!(headers_at("2026-01-01"), "HTTP/1.1 200 OK\r\nB: 2\r\nA: 1\r\nB: 3");
    assert_eq!(headers_at("2026-01-02"), "HTTP/1.1 203\r\nA: 1\r\nB: 2");
}

#[test]
fn a_bad_line_of_a_list_is_named_and_what_was_before_it_stays() {
    let good = json!({"url": URL, "time": "2026-01-01T12:00:00Z", "file": "first.html"}).to_string();
    let line = |field: &str, value: &str| {
        let mut line: Value = serde_json::from_str(&good).unwrap();
        line[field] = value.into();
        line.to_string()
    };
    for (bad, expected) in [
        ("{\"url\": ".to_owned(), "EOF while parsing"),
        (line("time", "noon"), "time: write a time like"),
        (line("url", "light.example"), "url: "),
        (line("file", "missing.html"), "cannot read missing.html"),
        (line("colour", "red"), "unknown field `colour`"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("first.html"), FIRST).unwrap();
        fs::write(folder.path().join("list.jsonl"), format!("{good}\n{bad}\n{good}\n")).unwrap();
        let put = ["put", "--list", "list.jsonl"];
        check_fails(folder.path(), &put, 2, "list.jsonl, line 2: ");
        check_fails(folder.path(), &put, 2, expected);
        assert_eq!(json_lines(&output(folder.path(), &["urls", "--json"]))[0]["captures"], 2, "once a run: {bad}");
    }
}

#[test]
fn a_second_writer_is_told_to_wait_and_readers_are_not() {
    let folder = archive();
    let place = folder.path().join("kuai-archive");
    let writer = open(&place, Access::Write).unwrap();
    let put = ["put", "--url", URL, "first.html"];
    check_fails(folder.path(), &put, 2, "is being written by another process: wait for it to end, or stop it");
    check_fails(folder.path(), &["compact"], 2, "is being written by another process");
    let url = Url::parse("https://light.example/new").unwrap();
    writer.commit(&Capture::new(url, "2026-01-03T12:00:00Z".parse().unwrap(), FIRST.to_vec())).unwrap();
    assert_eq!(output(folder.path(), &["urls"]).lines().count(), 2);
    drop(writer);
    output(folder.path(), &put);
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_can_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let folder = archive();
    let place = folder.path().join("kuai-archive");
    let set_mode = |mode: u32, file_mode: u32| {
        for file in fs::read_dir(&place).unwrap() {
            fs::set_permissions(file.unwrap().path(), fs::Permissions::from_mode(file_mode)).unwrap();
        }
        fs::set_permissions(&place, fs::Permissions::from_mode(mode)).unwrap();
    };
    set_mode(0o555, 0o444);
    for arguments in [&["urls"][..], &["history", URL], &["show", URL], &["stats"], &["verify"], &["blame", URL]] {
        output(folder.path(), arguments);
    }
    set_mode(0o755, 0o644);
}

#[test]
fn the_flag_goes_before_the_variable_and_the_variable_before_the_default() {
    let folder = archive();
    let put = |arguments: &[&str], variable: &str| {
        let mut command = kuai(folder.path(), &["put", "--url", URL, "first.html"]);
        command.args(arguments).env("KUAI_ARCHIVE", variable);
        finish(command)
    };
    let exists = |name: &str| folder.path().join(name).join("kuai-archive").exists();
    assert!(exists("kuai-archive"));
    assert_eq!(put(&[], "by-variable").1, "new address, 2 blocks\n");
    assert!(exists("by-variable"));
    assert_eq!(put(&["--archive", "by-flag"], "unused").1, "new address, 2 blocks\n");
    assert!(exists("by-flag") && !exists("unused"));
}

#[test]
fn verify_names_the_file_with_a_flipped_byte() {
    for ending in [".log", ".pack"] {
        let folder = archive();
        let place = folder.path().join("kuai-archive");
        if ending == ".pack" {
            output(folder.path(), &["compact"]);
        }
        let file = file_ending(&place, ending);
        let mut bytes = fs::read(&file).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(&file, bytes).unwrap();
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let (code, text, _) = run(folder.path(), &["verify"]);
        assert_eq!(code, 2, "{text}");
        assert!(text.contains(&name) && text.contains("damage"), "{text}");
        let (code, text, _) = run(folder.path(), &["verify", "--json"]);
        let damages = json_lines(&text)[0]["damages"].clone();
        assert_eq!((code, damages[0]["file"].as_str().unwrap().ends_with(&name)), (2, true), "{text}");
    }
}

#[test]
fn a_torn_end_of_a_log_is_told_and_cut_off_by_the_next_writer() {
    let folder = archive();
    let file = file_ending(&folder.path().join("kuai-archive"), ".log");
    let torn = [fs::read(&file).unwrap(), vec![0x7F, 1, 2, 3]].concat();
    fs::write(&file, torn).unwrap();
    let (code, text, _) = run(folder.path(), &["verify"]);
    assert_eq!((code, text.contains("the next writer cuts that off")), (2, true), "{text}");
    output(folder.path(), &["put", "--url", URL, "--time", "2026-01-03", "first.html"]);
    let verified = output(folder.path(), &["verify"]);
    assert!(verified.contains("3 captures"), "{verified}");
}

#[test]
fn a_copy_is_the_same_goes_on_where_it_stood_and_differs_when_something_comes_in() {
    let folder = archive();
    let folder = folder.path();
    assert_eq!(output(folder, &["copy", "kuai-archive", "backup"]), "2 captures copied and read back\n");
    assert_eq!(output(folder, &["verify", "--against", "backup"]), "2 captures: the same in both\n");
    output(folder, &["put", "--url", URL, "--time", "20260103120000", "first.html"]);
    let (code, told, _) = run(folder, &["verify", "--against", "backup"]);
    assert_eq!((code, told.lines().next()), (1, Some("one has 3 captures, the other 2")));
    assert_eq!(
        json_lines(&output(folder, &["copy", "kuai-archive", "backup", "--json"])),
        [json!({"copied": 1, "already": 2})]
    );
    output(folder, &["put", "--archive", "backup", "--url", URL, "--time", "20260104120000", "second.html"]);
    check_fails(folder, &["copy", "kuai-archive", "backup"], 2, "something else than a beginning");
    check_fails(folder, &["copy", "nowhere", "other"], 2, "there is no kuai archive at nowhere");
    assert!(!folder.join("other").exists());
}

/// The archive's commands on a shared archive, in the Postgres of `scripts/shared-servers`.
#[test]
fn a_shared_archive_is_put_to_searched_copied_and_checked_like_a_folder() {
    let folder = archive();
    let folder = folder.path();
    let Some(place) = shared_place(folder) else { return };
    let shared_with = |arguments: &[&str], expected_code| {
        let mut command = kuai(folder, arguments);
        command.env("KUAI_ARCHIVE", &place).env("KUAI_LOCAL", folder.join("local"));
        let (code, text, error) = finish(command);
        assert_eq!(code, expected_code, "{arguments:?}: {error}");
        text
    };
    let shared = |arguments: &[&str]| shared_with(arguments, 0);
    assert_eq!(output(folder, &["copy", "kuai-archive", &place]), "2 captures copied and read back\n");
    assert_eq!(shared(&["verify", "--against", "kuai-archive"]), "2 captures: the same in both\n");
    shared(&["put", "--url", URL, "--time", "20260103120000", "second.html"]);
    assert_eq!(json_lines(&shared(&["urls", "--json"]))[0]["captures"], 3);
    assert_eq!(shared(&["show", URL, "--at", "2026-01-01"]).as_bytes(), FIRST);
    assert!(shared_with(&["diff", URL], 1).contains("gas"), "two versions that differ");
    assert!(shared(&["search", "gas"]).contains(URL));
    assert!(folder.join("local").is_dir(), "the index of this machine lies with it");
    shared(&["compact"]);
    assert!(shared(&["verify"]).ends_with("all is well\n"));
    let mut back = kuai(folder, &["copy", &place, "back"]);
    back.env_remove("KUAI_LOCAL");
    assert_eq!(finish(back).0, 0);
    assert_eq!(shared(&["verify", "--against", "back"]), "3 captures: the same in both\n");
}
