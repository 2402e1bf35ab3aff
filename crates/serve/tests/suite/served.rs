//! A server on an archive of its own, and a client that does nothing by itself.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use kuai::{Archive, Capture, Url, in_memory};
use kuai_serve::{Options, Server};

/// A server that runs until it goes out of scope.
pub(crate) struct Served {
    pub(crate) main: SocketAddr,
    pub(crate) replay: SocketAddr,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// An answer, its body not chunked.
pub(crate) struct Answer {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: Vec<u8>,
}

/// Options for a server on ports that are free.
pub(crate) fn options() -> Options {
    Options::new(([127, 0, 0, 1], 0).into())
}

pub(crate) fn serve(archive: Archive) -> Served {
    serve_with(archive, options())
}

pub(crate) fn serve_with(archive: Archive, options: Options) -> Served {
    let server = Server::bind(archive, options).unwrap();
    let (main, replay) = (server.address(), server.replay_address());
    let is_over = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&is_over);
    let thread = thread::spawn(move || server.run(|| told.load(Ordering::Relaxed)).unwrap());
    Served { main, replay, is_over, thread: Some(thread) }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        self.thread.take().unwrap().join().unwrap();
    }
}

impl Served {
    /// Asks the main side.
    pub(crate) fn ask(&self, path: &str, headers: &[&str]) -> Answer {
        ask(self.main, "GET", path, headers)
    }

    /// Asks the side of archived pages.
    pub(crate) fn replay(&self, path: &str, headers: &[&str]) -> Answer {
        ask(self.replay, "GET", path, headers)
    }

    /// Sends a form to the main side.
    pub(crate) fn post(&self, path: &str, form: &str, headers: &[&str]) -> Answer {
        let headers = [headers, &["Content-Type: application/x-www-form-urlencoded"]].concat();
        send(self.main, "POST", path, &headers, form.as_bytes())
    }

    /// Sends JSON to the main side.
    pub(crate) fn post_json(&self, path: &str, json: &str, headers: &[&str]) -> Answer {
        let headers = [headers, &["Content-Type: application/json"]].concat();
        send(self.main, "POST", path, &headers, json.as_bytes())
    }

    /// The way to an archived thing from which archived pages may read, as our frame around it tells it.
    pub(crate) fn inner_way(&self, path: &str) -> String {
        let frame = self.replay(path, &["Accept: text/html", "Sec-Fetch-Dest: document"]);
        frame.text().split("src=\"").nth(1).unwrap().split('"').next().unwrap().replace("&amp;", "&")
    }
}

/// Sends one request with these header lines and reads the answer to its end.
pub(crate) fn ask(to: SocketAddr, method: &str, path: &str, headers: &[&str]) -> Answer {
    send(to, method, path, headers, b"")
}

/// The same with a body.
pub(crate) fn send(to: SocketAddr, method: &str, path: &str, headers: &[&str], body: &[u8]) -> Answer {
    let mut stream = TcpStream::connect(to).unwrap();
    let host =
        if headers.iter().any(|line| line.starts_with("Host:")) { String::new() } else { format!("Host: {to}\r\n") };
    let lines: String = headers.iter().map(|line| format!("{line}\r\n")).collect();
    // HTTP/1.0 has no chunks.
    let length = if method == "GET" { String::new() } else { format!("Content-Length: {}\r\n", body.len()) };
    write!(stream, "{method} {path} HTTP/1.0\r\n{host}{length}{lines}\r\n").unwrap();
    // A server that has heard enough does not read on.
    let _ = stream.write_all(body);
    let mut answer = Vec::new();
    let read = stream.read_to_end(&mut answer);
    assert!(read.is_ok() || !answer.is_empty(), "{method} {path}: {read:?}");
    let end = answer.windows(4).position(|window| window == b"\r\n\r\n").unwrap();
    let head = String::from_utf8(answer[..end].to_vec()).unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Answer { status, head, body: answer[end + 4..].to_vec() }
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().skip(1).filter_map(|line| line.split_once(": "));
        lines.into_iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }
}

/// An archive of pages: address, time, type, body.
pub(crate) fn archive(captures: &[(&str, &str, &str, &[u8])]) -> Archive {
    let archive = in_memory();
    for (url, time, content_type, body) in captures {
        archive.commit(&capture(url, time, &[("Content-Type", content_type)], body)).unwrap();
    }
    archive
}

pub(crate) fn capture(url: &str, time: &str, headers: &[(&str, &str)], body: &[u8]) -> Capture {
    let mut capture = Capture::new(Url::parse(url).unwrap(), time.parse().unwrap(), body.to_vec());
    capture.headers = headers.iter().map(|(name, value)| ((*name).to_owned(), value.as_bytes().to_vec())).collect();
    capture
}
