//! A real browser, driven by its DevTools protocol over a pair of pipes.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// Nothing that is waited for takes as long on a busy machine.
const PATIENCE: Duration = Duration::from_secs(90);

/// A browser with a profile of its own.
pub(crate) struct Chromium {
    child: Child,
    to: File,
    from: Receiver<Value>,
    last_id: u64,
    /// The session of the page that was opened last.
    page: String,
    /// What pages said on their console, and where frames went.
    pub(crate) told: Vec<String>,
    _folder: tempfile::TempDir,
}

impl Chromium {
    /// Starts one; where there is none, says so.
    pub(crate) fn start() -> Option<Chromium> {
        let known = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
        let Some(browser) = known.into_iter().find(|path| Path::new(path).exists()) else {
            assert!(std::env::var_os("CI").is_none(), "no Chromium here (Debian: chromium)");
            eprintln!("SKIPPED: no Chromium here (Debian: chromium)");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        let pipes = ["to", "from"].map(|name| folder.path().join(name));
        assert!(Command::new("mkfifo").args(&pipes).status().unwrap().success());
        // The browser reads from file 3 and writes to file 4, which only a shell opens without unsafe code.
        let child = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<\"$TO\" 4>\"$FROM\"", browser])
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"])
            .args(["--disable-background-networking", "--disable-component-update", "--remote-debugging-pipe"])
            .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
            .env("TO", &pipes[0])
            .env("FROM", &pipes[1])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let to = File::options().write(true).open(&pipes[0]).unwrap();
        let from = messages(File::open(&pipes[1]).unwrap());
        Some(Chromium { child, to, from, last_id: 0, page: String::new(), told: Vec::new(), _folder: folder })
    }

    /// Opens a page of this size in a new tab.
    pub(crate) fn open(&mut self, url: &str, width: u32, height: u32) {
        self.told.clear();
        let target = self.call("Target.createTarget", json!({ "url": "about:blank" }), "")["targetId"].clone();
        let attached = self.call("Target.attachToTarget", json!({ "targetId": target, "flatten": true }), "");
        self.page = attached["sessionId"].as_str().unwrap().to_owned();
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.ask("Emulation.setDeviceMetricsOverride", size);
        self.ask("Page.navigate", json!({ "url": url }));
    }

    /// Asks the page that was opened last for something.
    pub(crate) fn ask(&mut self, method: &str, parameters: Value) -> Value {
        let page = self.page.clone();
        self.call(method, parameters, &page)
    }

    /// Waits until something is told that holds this.
    pub(crate) fn until(&mut self, part: &str) {
        while !self.told.iter().any(|told| told.contains(part)) {
            let message = self.next(part);
            self.note(&message);
        }
    }

    fn call(&mut self, method: &str, parameters: Value, session: &str) -> Value {
        let id = self.send(method, parameters, session);
        loop {
            let message = self.next(method);
            if message["id"] == id {
                assert!(message["error"].is_null(), "{method}: {message}");
                return message["result"].clone();
            }
            self.note(&message);
        }
    }

    fn send(&mut self, method: &str, parameters: Value, session: &str) -> u64 {
        self.last_id += 1;
        let mut message = json!({ "id": self.last_id, "method": method, "params": parameters });
        if !session.is_empty() {
            message["sessionId"] = session.into();
        }
        self.to.write_all(format!("{message}\0").as_bytes()).unwrap();
        self.last_id
    }

    fn next(&self, awaited: &str) -> Value {
        self.from.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("no {awaited}; told so far: {:#?}", self.told))
    }

    fn note(&mut self, message: &Value) {
        let parameters = &message["params"];
        match message["method"].as_str() {
            Some("Target.attachedToTarget") => {
                let session = parameters["sessionId"].as_str().unwrap();
                let attach = json!({ "autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true });
                for (method, parameters) in
                    [("Runtime.enable", json!({})), ("Page.enable", json!({})), ("Target.setAutoAttach", attach)]
                {
                    self.send(method, parameters, session);
                }
            }
            Some("Runtime.consoleAPICalled") => {
                self.told.extend(parameters["args"][0]["value"].as_str().map(str::to_owned));
            }
            Some("Page.frameNavigated") => self.told.push(format!("went to {}", parameters["frame"]["url"])),
            Some("Page.loadEventFired") => self.told.push("loaded".to_owned()),
            _ => {}
        }
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        // It may have gone by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Messages end in a zero.
fn messages(pipe: File) -> Receiver<Value> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let parts = BufReader::new(pipe).split(0);
        for message in parts.map_while(Result::ok).filter_map(|part| serde_json::from_slice(&part).ok()) {
            if sender.send(message).is_err() {
                return;
            }
        }
    });
    receiver
}
