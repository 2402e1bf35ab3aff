//! Crawls under `kuai serve` on a shared archive: begun by the API, and there for everybody when they end.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::collect::Site;
use crate::running::{finish, kuai, shared_place};

/// Nothing that is waited for takes as many questions.
const QUESTIONS_MAX: usize = 200_000;

/// A server that ends with the test.
struct Served {
    process: Child,
    address: String,
}

impl Served {
    fn start(folder: &Path, place: &str) -> Served {
        let mut process = Command::new(assert_cmd::cargo::cargo_bin("kuai"))
            .args(["serve", "--quiet", "--listen", "127.0.0.1:0", "--archive", place])
            .env("KUAI_LOCAL", folder.join("local"))
            .env_remove("KUAI_TOKEN")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().trim_start_matches("http://").trim_end_matches('/').to_owned();
        Served { process, address }
    }

    fn ask(&self, method: &str, path: &str, body: &str) -> Value {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let head = format!("{method} {path} HTTP/1.0\r\nHost: {}\r\nContent-Type: application/json", self.address);
        write!(stream, "{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (_, told) = answer.split_once("\r\n\r\n").unwrap();
        serde_json::from_str(told).unwrap_or_else(|_| panic!("{method} {path}: {answer}"))
    }

    /// Asks for the first crawl until it is over.
    fn job_when_over(&self) -> Value {
        let over = |job: &Value| job["state"] == "ended" || job["state"] == "failed";
        (0..QUESTIONS_MAX).map(|_| self.ask("GET", "/api/v1/job?id=1", "")).find(over).expect("the crawl ends")
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.process.kill().and_then(|()| self.process.wait()).unwrap();
    }
}

#[test]
fn a_crawl_that_the_server_runs_fills_a_shared_archive() {
    let (folder, site) = (tempfile::tempdir().unwrap(), Site::example());
    let Some(place) = shared_place(folder.path()) else { return };
    std::fs::write(folder.path().join("page.html"), "<p>Hello</p>").unwrap();
    let output = |arguments: &[&str]| {
        let (code, text, error) = finish(kuai(folder.path(), &[arguments, &["--archive", &place]].concat()));
        assert_eq!(code, 0, "{arguments:?}: {error}");
        text
    };
    output(&["put", "--url", "https://light.example/", "page.html"]);
    let served = Served::start(folder.path(), &place);
    let order = json!({ "urls": [site.at("/")], "delay": 0, "allow_private": true }).to_string();
    assert_eq!(served.ask("POST", "/api/v1/jobs", &order)["id"], 1);
    let job = served.job_when_over();
    assert_eq!((&job["end"], &job["figures"]["captures"]), (&json!("complete"), &json!(8)), "{job}");
    // The crawl is known to workers by the same name, and other processes see what it brought.
    let over = output(&["collect", &site.at("/"), "--once", "--json"]);
    assert!(over.contains("\"already\""), "{over}");
    assert_eq!(output(&["urls"]).lines().count(), 9);
    assert!(output(&["verify"]).ends_with("all is well\n"));
}
