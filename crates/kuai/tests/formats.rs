//! Archives that older releases wrote, kept for ever: every release opens them, reads every capture and writes on.
//!
//! A folder under `formats/` is never written again. A new format gets a new folder, made by the ignored test here:
//! `cargo test -p kuai --test formats -- --ignored`, after `NEWEST` was raised.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

use kuai::{Access, Archive, Capture, Timestamp, Url, open};

/// The newest version of the format on disk.
const NEWEST: &str = "v1";

/// Captures that lie in a pack; those after them lie in a log.
const PACKED_COUNT: usize = 12;

fn folder_of(version: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats").join(version)
}

/// What is in every kept archive, in the order of arrival. Never changes.
fn captures() -> Vec<Capture> {
    let paths = ["", "zh/", "lamp.png", "lamp.css", "news?id=1", "steady"];
    (0..20).map(|index| capture(paths[index % paths.len()], index as u32)).collect()
}

fn capture(path: &str, index: u32) -> Capture {
    let time = Timestamp::from_nanosecond(1_767_225_600_000_000_000 + i128::from(index) * 3_600_000_000_007).unwrap();
    let visit = index / 6;
    let (content_type, body) = match path {
        "" => ("text/html; charset=utf-8", page(visit).into_bytes()),
        "zh/" => ("text/html; charset=gbk", gbk_page(visit)),
        "lamp.png" => ("image/png", picture(visit / 2)),
        "lamp.css" => ("text/css", format!("p {{ margin: {visit}px }}\r\n").into_bytes()),
        "steady" => ("text/html", page(7).into_bytes()),
        _ => ("text/html", page(visit + 10).into_bytes()),
    };
    let url = Url::parse("https://light.example/").unwrap().join(path).unwrap();
    let date = format!("Thu, 01 Jan 2026 {index:02}:00:00 GMT");
    let headers = vec![
        ("Date".to_owned(), date.into_bytes()),
        ("Content-Type".to_owned(), content_type.as_bytes().to_vec()),
        ("Content-Length".to_owned(), body.len().to_string().into_bytes()),
        ("X-Odd".to_owned(), vec![0xFF, b':', b' ', index as u8 + b'A']),
    ];
    let capture = Capture { headers, ..Capture::new(url, time, body) };
    match (path, visit) {
        ("news?id=1", 1) => Capture { status: 503, reason: "Service Unavailable".to_owned(), ..capture },
        ("steady", 2) => Capture { status: 304, reason: "Not Modified".to_owned(), body: Vec::new(), ..capture },
        _ => capture,
    }
}

fn page(visit: u32) -> String {
    let mut page = "<!DOCTYPE html>\n<html><head><title>The lighthouse</title></head>\n<body>\n".to_owned();
    for paragraph in 0..8 {
        // The first paragraph stays, the n-th is edited on every n-th visit.
        let edition = visit.checked_div(paragraph).unwrap_or(0);
        page += &format!(
            "<p id=p{paragraph}>Paragraph {paragraph} of the log, edition {edition}: the lamp was lit at dusk, \
            <a href=\"day-{edition}.html\">as on other days</a>, and 灯塔 stood where it stands.</p>\n"
        );
    }
    page + "</body></html>\n"
}

/// A page that says 中文网页，灯塔的档案。 and a number.
fn gbk_page(visit: u32) -> Vec<u8> {
    let text = b"\xD6\xD0\xCE\xC4\xCD\xF8\xD2\xB3\xA3\xAC\xB5\xC6\xCB\xFE\xB5\xC4\xB5\xB5\xB0\xB8\xA1\xA3";
    [b"<html><body><p>".as_slice(), text, b"</p>\n<p>", text, visit.to_string().as_bytes(), b"</p></body>"].concat()
}

/// Bytes that begin like a picture and cannot be pressed.
fn picture(seed: u32) -> Vec<u8> {
    let mut state = seed + 1;
    let mut noise = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    b"\x89PNG\r\n\x1A\n".iter().copied().chain(std::iter::repeat_with(&mut noise).take(1000)).collect()
}

fn commit_all(archive: &Archive, captures: &[Capture]) {
    for capture in captures {
        archive.commit(capture).unwrap();
    }
    archive.sync().unwrap();
}

/// A copy of a kept archive that may be written to.
fn copy_of(version: &str) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    for file in fs::read_dir(folder_of(version)).unwrap() {
        let file = file.unwrap();
        fs::write(copy.path().join(file.file_name()), fs::read(file.path()).unwrap()).unwrap();
    }
    copy
}

/// The archive holds these captures and nothing else, and all of it is sound.
fn check(archive: &Archive, expected: &[Capture]) {
    let changes = archive.changes(0, usize::MAX).unwrap();
    assert_eq!(changes.len(), expected.len());
    for (change, expected) in changes.iter().zip(expected) {
        assert_eq!(archive.read_change(change).unwrap(), *expected);
    }
    for row in archive.urls("", None, usize::MAX).unwrap() {
        let url = Url::parse(&row.url).unwrap();
        for version in archive.history(&url).unwrap() {
            let outline = archive.read(&url, &version).unwrap().outline;
            assert_eq!(outline.leaves().count() as u32, if version.is_page { version.changes.blocks } else { 0 });
        }
    }
    let verified = archive.verify(&mut |_, _| true).unwrap();
    assert_eq!((verified.entry_count, verified.damages, verified.remarks), (expected.len() as u64, vec![], vec![]));
}

#[test]
fn an_archive_of_format_1_is_read_and_written_on() {
    let copy = copy_of("v1");
    let mut expected = captures();
    check(&open(copy.path(), Access::Read).unwrap(), &expected);
    let archive = open(copy.path(), Access::Write).unwrap();
    check(&archive, &expected);
    expected.push(capture("", 30));
    commit_all(&archive, &expected[20..]);
    check(&archive, &expected);
    archive.compact(&mut |_, _| true).unwrap();
    check(&archive, &expected);
}

#[test]
fn an_archive_of_format_1_is_read_without_its_catalogue() {
    let copy = copy_of("v1");
    fs::remove_file(copy.path().join("catalogue.sqlite")).unwrap();
    check(&open(copy.path(), Access::Read).unwrap(), &captures());
}

#[test]
fn the_blocks_of_format_1_know_their_days() {
    let copy = copy_of("v1");
    let blame = open(copy.path(), Access::Read).unwrap().blame(&captures()[0].url, None).unwrap();
    let hours: Vec<_> = blame.blocks.iter().map(|block| block.last_changed.to_string()[11..13].to_owned()).collect();
    assert_eq!(hours, ["00", "18", "12", "18", "00", "00", "00", "00"]);
}

#[test]
fn a_kept_archive_lies_partly_in_a_pack_and_partly_in_a_log() {
    let names: Vec<_> = fs::read_dir(folder_of(NEWEST)).unwrap().map(|file| file.unwrap().file_name()).collect();
    let count = |ending: &str| names.iter().filter(|name| name.to_string_lossy().ends_with(ending)).count();
    assert_eq!((names.len(), count(".pack"), count(".log")), (4, 1, 1), "{names:?}");
}

#[test]
#[ignore = "makes the folder of a new format; run it once, by hand"]
fn a_new_format_gets_a_folder() {
    let folder = folder_of(NEWEST);
    assert!(!folder.exists(), "{} is kept as it is: raise NEWEST", folder.display());
    let archive = open(&folder, Access::Write).unwrap();
    let captures = captures();
    commit_all(&archive, &captures[..PACKED_COUNT]);
    archive.compact(&mut |_, _| true).unwrap();
    commit_all(&archive, &captures[PACKED_COUNT..]);
}
