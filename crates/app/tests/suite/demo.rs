//! `kuai demo` as a newcomer runs it. What its archive holds is tested in `crates/demo/tests`.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::running::run;

/// A demo that runs in a folder, and what it said until its last line.
fn start(folder: &Path) -> (Child, String) {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("kuai"))
        .current_dir(folder)
        .args(["demo", "--listen", "127.0.0.1:0"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut said = String::new();
    for line in BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok) {
        said.extend([&line, "\n"]);
        if line.starts_with("Ctrl-C") {
            break;
        }
    }
    (child, said)
}

/// Ends it as Ctrl-C does, and gives its exit code.
fn interrupt(mut child: Child) -> i32 {
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    child.wait().unwrap().code().unwrap()
}

/// The addresses that have a line of their own.
fn addresses(said: &str) -> Vec<&str> {
    said.lines().map(str::trim).filter(|line| line.starts_with("http://")).collect()
}

fn status(address: &str) -> String {
    let (host, path) = address.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    write!(stream, "GET /{path} HTTP/1.0\r\nHost: {host}\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    String::from_utf8_lossy(&answer).lines().next().unwrap().to_owned()
}

#[test]
fn a_newcomer_sees_an_archive_and_everything_that_is_proposed_works() {
    let folder = tempfile::tempdir().unwrap();
    let (child, said) = start(folder.path());
    let addresses = addresses(&said);
    assert_eq!(addresses.len(), 4, "{said}");
    for address in addresses {
        assert!(status(address).contains(" 200 "), "{address}: {}", status(address));
    }
    for command in said.lines().filter_map(|line| line.trim().strip_prefix("kuai ")) {
        let ran = Command::new("sh")
            .args(["-c", &format!("\"$0\" {command}")])
            .arg(assert_cmd::cargo::cargo_bin("kuai"))
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(ran.status.success(), "{command}: {}", String::from_utf8_lossy(&ran.stderr));
        assert!(!ran.stdout.is_empty(), "{command}");
    }
    assert_eq!(interrupt(child), 0);

    let made = fs::metadata(folder.path().join("kuai-demo")).unwrap().created().unwrap();
    let (child, said) = start(folder.path());
    assert!(said.contains("Five things to try"), "{said}");
    assert_eq!(fs::metadata(folder.path().join("kuai-demo")).unwrap().created().unwrap(), made, "it is shown again");
    assert_eq!(interrupt(child), 0);
}

#[test]
fn an_archive_that_is_no_demos_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("page.html"), "<p>Hello</p>").unwrap();
    run(folder.path(), &["put", "--url", "https://light.example/", "--archive", "mine", "page.html"]);
    let (code, _, error) = run(folder.path(), &["demo", "--archive", "mine"]);
    assert_eq!(code, 2);
    assert!(error.contains("mine is there already and is not the archive of a demo"), "{error}");
}
