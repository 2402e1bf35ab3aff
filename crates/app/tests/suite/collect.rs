//! `kuai collect`, `kuai due` and what lists a crawl, as a user runs them, on the example site over loopback.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::thread;

use serde_json::Value;
use tempfile::TempDir;

use crate::running::{self, Came};

/// A server of files on loopback that ends with the test.
pub(crate) struct Site {
    address: String,
}

impl Site {
    /// Serves a folder.
    fn of(folder: PathBuf) -> Site {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        thread::spawn(move || {
            for stream in listener.incoming() {
                let folder = folder.clone();
                thread::spawn(move || answer(stream.unwrap(), &folder));
            }
        });
        Site { address }
    }

    pub(crate) fn example() -> Site {
        Site::of(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/site"))
    }

    pub(crate) fn at(&self, path: &str) -> String {
        format!("{}{path}", self.address)
    }
}

/// Answers requests until the other side has had enough.
fn answer(stream: TcpStream, folder: &Path) {
    let mut reader = BufReader::new(stream);
    loop {
        let mut request = String::new();
        if reader.read_line(&mut request).unwrap_or(0) == 0 {
            return;
        }
        let mut line = String::new();
        while reader.read_line(&mut line).unwrap_or(0) > 2 {
            line.clear();
        }
        let path = request.split(' ').nth(1).unwrap().trim_start_matches('/');
        let name = if path.is_empty() || path.ends_with('/') { format!("{path}index.html") } else { path.to_owned() };
        let (status, body) = match fs::read(folder.join(name)) {
            Ok(body) => ("200 OK", body),
            Err(_) => ("404 Not Found", b"<p>There is nothing here.</p>".to_vec()),
        };
        let head = format!("HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n", body.len());
        let stream = reader.get_mut();
        if stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body)).is_err() {
            return;
        }
    }
}

fn run(folder: &TempDir, arguments: &[&str]) -> Came {
    running::run(folder.path(), arguments)
}

fn output(folder: &TempDir, arguments: &[&str]) -> String {
    let (code, text, error) = run(folder, arguments);
    assert_eq!(code, 0, "{arguments:?}: {text}{error}");
    text
}

const FAST: [&str; 3] = ["--allow-private", "--delay", "0"];

fn collect(folder: &TempDir, arguments: &[&str]) -> String {
    output(folder, &[&["collect"], arguments, &FAST].concat())
}

#[test]
fn a_newcomer_is_told_what_was_collected_what_failed_and_what_to_do_next() {
    let (site, folder) = (Site::example(), TempDir::new().unwrap());
    let told = collect(&folder, &[&site.at("/")]);
    assert!(told.starts_with("Complete: 8 captures in "), "{told}");
    for expected in [
        "  8 new, 0 changed, 0 the same as before",
        "  2 failed: 404 Not Found",
        "  1 address found and not visited",
        "kuai urls --failed",
        "kuai due",
    ] {
        assert!(told.contains(expected), "{expected:?} in {told}");
    }
    let urls = output(&folder, &["urls"]);
    assert_eq!(urls.lines().count(), 8, "{urls}");
    let failed = output(&folder, &["urls", "--failed"]);
    assert_eq!(failed.lines().count(), 2);
    assert!(failed.contains(&format!("{}  404 Not Found", site.at("/timetable.html"))), "{failed}");
    let skipped = output(&folder, &["urls", "--skipped", "--json"]);
    let skipped: Value = serde_json::from_str(skipped.trim()).unwrap();
    assert_eq!(
        (skipped["url"].as_str(), skipped["reason"].as_str()),
        (Some("https://harbour.example/"), Some("another host"))
    );
    let verified = output(&folder, &["verify"]);
    assert!(!verified.contains("not a file of the archive"), "{verified}");
    let page = output(&folder, &["show", &site.at("/log/1995.html")]);
    assert_eq!(page, fs::read_to_string("../../examples/site/log/1995.html").unwrap());
}

#[test]
fn a_second_crawl_says_that_nothing_changed() {
    let (site, folder) = (Site::example(), TempDir::new().unwrap());
    collect(&folder, &[&site.at("/log/"), "--quiet"]);
    let told = collect(&folder, &[&site.at("/log/"), "--json"]);
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(
        (told["same"].as_u64(), told["new"].as_u64(), told["end"].as_str()),
        (Some(8), Some(0), Some("complete"))
    );
}

#[test]
fn a_work_becomes_a_book_in_the_order_of_its_contents() {
    let (site, folder) = (Site::example(), TempDir::new().unwrap());
    let told = collect(&folder, &[&site.at("/log/"), "--work", "--book", "log.md"]);
    assert!(told.contains("log.md: The log books of Skerry Light with 2 chapters"), "{told}");
    let book = fs::read_to_string(folder.path().join("log.md")).unwrap();
    let places = [
        "1995: the first swift",
        "went round the lamp twice",
        "2004: the Margit",
        "The radio played a waltz",
        "All eleven are ashore",
    ]
    .map(|text| book.rfind(text).unwrap_or_else(|| panic!("{text:?} in {book}")));
    assert!(places.is_sorted(), "{book}");
    assert!(!book.contains("All years"), "{book}");
}

#[test]
fn a_link_is_explained() {
    let (site, folder) = (Site::example(), TempDir::new().unwrap());
    collect(&folder, &[&site.at("/"), "--quiet"]);
    let told = output(&folder, &["collect", "--explain", &site.at("/log/2004.html")]);
    for expected in [
        "was visited, and is in the archive (status 200)",
        "a link, 2 steps from where the crawl began",
        "the crawl began there",
    ] {
        assert!(told.contains(expected), "{expected:?} in {told}");
    }
    let (code, _, error) = run(&folder, &["collect", "--explain", "http://nowhere.example/"]);
    assert_eq!(code, 1);
    assert!(error.contains("no crawl of this archive has come across http://nowhere.example/"), "{error}");
}

#[test]
fn a_topic_is_followed_and_explained() {
    let (site, folder) = (Site::example(), TempDir::new().unwrap());
    let told = collect(&folder, &[&site.at("/"), "--topic", "log books swift fog", "--max-pages", "4"]);
    assert!(told.contains("on topic"), "{told}");
    let told = output(&folder, &["collect", "--explain", &site.at("/log/")]);
    assert!(told.contains("followed with score"), "{told}");
}

#[test]
fn visits_are_planned_and_made_when_they_are_due() {
    let (site, folder) = (Site::example(), TempDir::new().unwrap());
    collect(&folder, &[&site.at("/"), "--quiet"]);
    let (code, now, _) = run(&folder, &["due"]);
    assert_eq!((code, now.as_str()), (1, ""), "nothing is due at once");
    let all = output(&folder, &["due", "--all", "--json"]);
    assert_eq!(all.lines().count(), 6, "pages that are there: {all}");
    let (code, _, _) = run(&folder, &[["collect", "--again"].as_slice(), &FAST].concat());
    assert_eq!(code, 1, "nothing is due, so nothing is visited");
}

#[test]
fn private_addresses_are_refused_unless_they_are_allowed() {
    let (site, folder) = (Site::example(), TempDir::new().unwrap());
    let (code, told, _) = run(&folder, &["collect", &site.at("/"), "--delay", "0"]);
    assert_eq!(code, 1, "{told}");
    assert!(told.contains("--allow-private"), "{told}");
}

#[test]
fn wrong_flags_are_named_with_a_way_out() {
    let folder = TempDir::new().unwrap();
    for (arguments, expected) in [
        (vec!["collect"], "required"),
        (vec!["collect", "example.org"], "write it like https://example.org/page"),
        (vec!["collect", "http://a.example/", "--scope", "any"], "--max-pages"),
        (vec!["collect", "http://a.example/", "--delay", "4000"], "0 to 3600"),
        (vec!["collect", "http://a.example/", "--work", "--book", "x.pdf"], "a book is .txt, .md or .epub"),
        (vec!["collect", "http://a.example/", "--like", "x.html"], "--topic"),
    ] {
        let (code, _, error) = run(&folder, &arguments);
        assert_eq!(code, 2, "{arguments:?}: {error}");
        assert!(error.contains(expected), "{arguments:?}: {error}");
    }
    assert!(!folder.path().join("kuai-archive").exists(), "a wrong flag makes no archive");
}
