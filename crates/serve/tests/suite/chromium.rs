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

/// How often it is looked whether something has come, 50 ms apart.
const PATIENCE_STEPS: u32 = 600;
/// Pages that may come and go while something is waited for.
const PAGES_MAX: usize = 20;

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
    /// What went wrong on pages since [`Chromium::open`]: errors on the console, exceptions that nobody caught, loads that failed or were refused.
    pub(crate) faults: Vec<String>,
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
        Some(Chromium {
            child,
            to,
            from,
            last_id: 0,
            page: String::new(),
            told: Vec::new(),
            faults: Vec::new(),
            _folder: folder,
        })
    }

    /// Opens a page of this size in a new tab.
    pub(crate) fn open(&mut self, url: &str, width: u32, height: u32) {
        self.told.clear();
        self.faults.clear();
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

    /// Goes on to another address in the same tab, and waits until it is loaded.
    pub(crate) fn go(&mut self, url: &str) {
        self.told.clear();
        self.ask("Page.navigate", json!({ "url": url }));
        self.until_loaded();
    }

    /// Waits until the page and its frames are loaded: the event of it may be the empty page's that a tab begins with, told late.
    pub(crate) fn until_loaded(&mut self) {
        self.wait_for("location.href !== 'about:blank' && document.readyState === 'complete'");
    }

    /// What an expression is worth on the page that was opened last; a promise is waited for.
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let ask = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let answer = self.ask("Runtime.evaluate", ask);
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].clone()
    }

    /// Waits until an expression is true, also across pages.
    pub(crate) fn wait_for(&mut self, expression: &str) {
        let look = format!(
            "new Promise(found => {{ let left = {PATIENCE_STEPS}; const look = () => ({expression}) ? found(true) : left-- ? setTimeout(look, 50) : found(false); look(); }})"
        );
        let ask = json!({ "expression": look, "awaitPromise": true, "returnByValue": true });
        for _ in 0..PAGES_MAX {
            let page = self.page.clone();
            let answer = self.try_call("Runtime.evaluate", ask.clone(), &page);
            // A page that goes away takes the question with it.
            let is_lost = !answer["error"].is_null() || !answer["result"]["exceptionDetails"].is_null();
            match answer["result"]["result"]["value"].as_bool() {
                Some(true) => return,
                Some(false) => panic!("{expression} is not true; {}", self.state()),
                None => assert!(is_lost, "{expression}: {answer}"),
            }
        }
        panic!("{expression}: pages come and go; {}", self.state());
    }

    /// Clicks the middle of the first element of this kind, as a mouse does.
    pub(crate) fn click(&mut self, selector: &str) {
        self.wait_for(&format!("document.querySelector({})", Value::from(selector)));
        let place = format!(
            "(() => {{ const element = document.querySelector({}); element.scrollIntoView({{ block: 'center', behavior: 'instant' }}); \
             const box = element.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()",
            Value::from(selector)
        );
        let place = self.value(&place);
        for kind in ["mousePressed", "mouseReleased"] {
            let click = json!({ "type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1 });
            self.ask("Input.dispatchMouseEvent", click);
        }
    }

    /// Clicks the first field of this kind and types into it.
    pub(crate) fn write(&mut self, selector: &str, text: &str) {
        self.wait_for(&format!("document.querySelector({})", Value::from(selector)));
        self.value(&format!("document.querySelector({}).focus()", Value::from(selector)));
        self.ask("Input.insertText", json!({ "text": text }));
    }

    /// Presses a key that types nothing: `Enter`, `Tab`.
    pub(crate) fn press(&mut self, key: &str) {
        let code = if key == "Enter" { 13 } else { 9 };
        let text = if key == "Enter" { "\r" } else { "" };
        for kind in ["keyDown", "keyUp"] {
            let key = json!({ "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code, "text": text });
            self.ask("Input.dispatchKeyEvent", key);
        }
    }

    fn state(&mut self) -> String {
        let shown = self.value("location.href + '\\n' + document.body.innerText");
        format!("at {}; faults: {:#?}", shown.as_str().unwrap_or_default(), self.faults)
    }

    fn call(&mut self, method: &str, parameters: Value, session: &str) -> Value {
        let answer = self.try_call(method, parameters, session);
        assert!(answer["error"].is_null(), "{method}: {answer}");
        answer["result"].clone()
    }

    fn try_call(&mut self, method: &str, parameters: Value, session: &str) -> Value {
        let id = self.send(method, parameters, session);
        loop {
            let message = self.next(method);
            if message["id"] == id {
                return message;
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
                for (method, parameters) in [
                    ("Runtime.enable", json!({})),
                    ("Log.enable", json!({})),
                    ("Page.enable", json!({})),
                    ("Target.setAutoAttach", attach),
                ] {
                    self.send(method, parameters, session);
                }
            }
            Some("Runtime.consoleAPICalled") => {
                if matches!(parameters["type"].as_str(), Some("error" | "assert")) {
                    self.faults.push(parameters["args"].to_string());
                }
                self.told.extend(parameters["args"][0]["value"].as_str().map(str::to_owned));
            }
            Some("Runtime.exceptionThrown") => self.faults.push(parameters["exceptionDetails"].to_string()),
            Some("Log.entryAdded") if parameters["entry"]["level"] == "error" => {
                self.faults.push(format!("{} {}", parameters["entry"]["text"], parameters["entry"]["url"]));
            }
            Some("Page.frameNavigated") => self.told.push(format!("went to {}", parameters["frame"]["url"])),
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
